"""Layers, made by `cargo xtask codegen` from frontend/prelude/layers/fold.td; do not edit."""
import torch.nn.functional as F
from typing import Tuple, Union
from torch import Tensor
from torch.nn.modules.module import Module


class Unfold(Module):
    """Every patch of an image as a column."""

    __constants__ = ["kernel_size", "dilation", "padding", "stride"]
    kernel_size: Union[int, Tuple[int, ...]]
    dilation: Union[int, Tuple[int, ...]]
    padding: Union[int, Tuple[int, ...]]
    stride: Union[int, Tuple[int, ...]]

    def __init__(
        self,
        kernel_size: Union[int, Tuple[int, ...]],
        dilation: Union[int, Tuple[int, ...]] = 1,
        padding: Union[int, Tuple[int, ...]] = 0,
        stride: Union[int, Tuple[int, ...]] = 1,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}"
            + f", stride={self.stride}"
        )

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(
            input,
            kernel_size=self.kernel_size,
            dilation=self.dilation,
            padding=self.padding,
            stride=self.stride,
        )


class Fold(Module):
    """The image whose patches are the columns; where they overlap, their sum."""

    __constants__ = ["output_size", "kernel_size", "dilation", "padding", "stride"]
    output_size: Union[int, Tuple[int, ...]]
    kernel_size: Union[int, Tuple[int, ...]]
    dilation: Union[int, Tuple[int, ...]]
    padding: Union[int, Tuple[int, ...]]
    stride: Union[int, Tuple[int, ...]]

    def __init__(
        self,
        output_size: Union[int, Tuple[int, ...]],
        kernel_size: Union[int, Tuple[int, ...]],
        dilation: Union[int, Tuple[int, ...]] = 1,
        padding: Union[int, Tuple[int, ...]] = 0,
        stride: Union[int, Tuple[int, ...]] = 1,
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def extra_repr(self) -> str:
        return (
            f"output_size={self.output_size}, kernel_size={self.kernel_size}, dilation={self.dilation}"
            + f", padding={self.padding}, stride={self.stride}"
        )

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(
            input,
            output_size=self.output_size,
            kernel_size=self.kernel_size,
            dilation=self.dilation,
            padding=self.padding,
            stride=self.stride,
        )
