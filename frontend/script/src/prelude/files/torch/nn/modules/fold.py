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
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)


class Unfold(Module):
    __constants__ = ["kernel_size", "dilation", "padding", "stride"]
    dilation: Union[int, Tuple[int, int]]

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)
