"""Sliding blocks."""

from torch import Tensor
from torch.nn import functional as F
from typing import List, Optional, Tuple, Union
from .module import Module


class Fold(Module):
    __constants__ = ["output_size", "kernel_size", "dilation", "padding", "stride"]
    dilation: Union[int, Tuple[int, int]]

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        settings = {"output_size": output_size, "kernel_size": kernel_size, "dilation": dilation, "padding": padding, "stride": stride}
        for name, value in settings.items():
            setattr(self, name, value)

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)


class Unfold(Module):
    __constants__ = ["kernel_size", "dilation", "padding", "stride"]
    dilation: Union[int, Tuple[int, int]]

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        settings = {"kernel_size": kernel_size, "dilation": dilation, "padding": padding, "stride": stride}
        for name, value in settings.items():
            setattr(self, name, value)

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)
