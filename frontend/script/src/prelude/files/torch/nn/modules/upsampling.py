"""Upsampling: `interpolate` with its settings kept."""

from torch import Tensor
from torch.nn import functional as F
from typing import Optional
from .module import Module


def _factors(given):
    """Scale factors as floats; a missing one, or zero, as None."""
    if isinstance(given, tuple):
        return tuple(float(each) for each in given)
    return float(given) if given else None


class Upsample(Module):
    __constants__ = ["size", "scale_factor", "mode", "align_corners", "name", "recompute_scale_factor"]
    align_corners: Optional[bool]
    recompute_scale_factor: Optional[bool]
    mode: str
    name: str

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        settings = [
            ("name", type(self).__name__),
            ("size", size),
            ("scale_factor", _factors(scale_factor)),
            ("mode", mode),
            ("align_corners", align_corners),
            ("recompute_scale_factor", recompute_scale_factor),
        ]
        for name, value in settings:
            setattr(self, name, value)

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(
            input,
            size=self.size,
            scale_factor=self.scale_factor,
            mode=self.mode,
            align_corners=self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )


class UpsamplingBilinear2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size=size, scale_factor=scale_factor, mode="bilinear", align_corners=True)


class UpsamplingNearest2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size=size, scale_factor=scale_factor)
