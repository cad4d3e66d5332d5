"""Channels and pixels exchanged."""

from torch import Tensor
from torch.nn import functional as F
from typing import List, Optional, Tuple, Union
from .module import Module


class PixelShuffle(Module):
    __constants__ = ["upscale_factor"]
    upscale_factor: int

    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Module):
    __constants__ = ["downscale_factor"]
    downscale_factor: int

    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)
