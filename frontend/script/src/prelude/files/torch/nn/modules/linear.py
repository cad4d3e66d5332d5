"""Linear and bilinear maps."""

import math
import torch
from torch import Tensor
from torch.nn import functional as F, init
from torch.nn.parameter import Parameter
from .module import Module


def _make_parameters(module, sizes, bias, device, dtype):
    """A weight of these sizes and, if wanted, a bias as long as the first of them, both drawn anew."""
    module.weight = Parameter(torch.empty(sizes, device=device, dtype=dtype))
    module.register_parameter("bias", Parameter(torch.empty(sizes[0], device=device, dtype=dtype)) if bias else None)
    module.reset_parameters()


class Identity(Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class Linear(Module):
    __constants__ = ["in_features", "out_features"]
    in_features: int
    out_features: int
    weight: Tensor

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        _make_parameters(self, (out_features, in_features), bias, device, dtype)

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            reach = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
            init.uniform_(self.bias, a=-reach, b=reach)

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)


class NonDynamicallyQuantizableLinear(Linear):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__(in_features, out_features, bias=bias, device=device, dtype=dtype)


class Bilinear(Module):
    __constants__ = ["in1_features", "in2_features", "out_features"]
    in1_features: int
    in2_features: int
    out_features: int
    weight: Tensor

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        if in1_features < 1:
            raise ValueError(f"in1_features: expected at least 1, got {in1_features}")
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        _make_parameters(self, (out_features, in1_features, in2_features), bias, device, dtype)

    def reset_parameters(self):
        reach = 1 / math.sqrt(self.weight.size(1))
        for each in (self.weight, self.bias):
            if each is not None:
                init.uniform_(each, -reach, reach)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return F.bilinear(input1, input2, self.weight, self.bias)
