"""Layers, made by `cargo xtask codegen` from frontend/prelude/layers/linear.td; do not edit."""
import math
import torch.nn.functional as F
from typing import Any
from torch import Tensor
from torch.nn import init
from torch.nn.modules._layer import _begin, _own, _refuse, _uniform
from torch.nn.modules.module import Module


class Identity(Module):
    """The input, whatever it was made with."""

    def forward(self, input: Tensor) -> Tensor:
        return input

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()


class Linear(Module):
    """x weight^T + bias."""

    __constants__ = ["in_features", "out_features"]
    in_features: int
    out_features: int
    weight: Tensor

    def __init__(self, in_features: int, out_features: int, bias: bool = True, device=None, dtype=None) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        _own(self, device, dtype, weight=(out_features, in_features), bias=(out_features,) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        _begin(self.weight, init.kaiming_uniform_, a=math.sqrt(5))
        _begin(self.bias, _uniform, self.in_features)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, weight=self.weight, bias=self.bias)


class NonDynamicallyQuantizableLinear(Linear):
    """Linear, under a name that dynamic quantisation leaves alone."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True, device=None, dtype=None) -> None:
        super().__init__(in_features=in_features, out_features=out_features, bias=bias, device=device, dtype=dtype)


class Bilinear(Module):
    """x1 weight x2 + bias, a matrix of weights for each feature."""

    __constants__ = ["in1_features", "in2_features", "out_features"]
    in1_features: int
    in2_features: int
    out_features: int
    weight: Tensor

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device=None,
        dtype=None,
    ) -> None:
        _refuse(in1_features <= 0, ValueError, f"in1_features must be > 0, but got (in1_features={in1_features})")
        super().__init__()
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        _own(
            self,
            device,
            dtype,
            weight=(out_features, in1_features, in2_features),
            bias=(out_features,) if bias else None,
        )
        self.reset_parameters()

    def reset_parameters(self) -> None:
        _begin(self.weight, _uniform, self.in1_features)
        _begin(self.bias, _uniform, self.in1_features)

    def extra_repr(self) -> str:
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}"
            + f", out_features={self.out_features}, bias={self.bias is not None}"
        )

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return F.bilinear(input1, input2, weight=self.weight, bias=self.bias)
