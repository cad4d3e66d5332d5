"""Layers, made by `cargo xtask codegen` from frontend/prelude/layers/pixelshuffle.td; do not edit."""
import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.module import Module


class PixelShuffle(Module):
    """Each pixel's r r channels as r times r pixels."""

    __constants__ = ["upscale_factor"]
    upscale_factor: int

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def extra_repr(self) -> str:
        return f"upscale_factor={self.upscale_factor}"

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, upscale_factor=self.upscale_factor)


class PixelUnshuffle(Module):
    """Each r times r pixels as r r channels of one."""

    __constants__ = ["downscale_factor"]
    downscale_factor: int

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, downscale_factor=self.downscale_factor)
