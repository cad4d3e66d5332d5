"""Layers, made by `cargo xtask codegen` from frontend/prelude/layers/upsampling.td; do not edit."""
import torch.nn.functional as F
from typing import Optional, Tuple, Union
from torch import Tensor
from torch.nn.modules._layer import _floats
from torch.nn.modules.module import Module


class Upsample(Module):
    """The image in a size, or by a factor, interpolated."""

    __constants__ = ["name", "size", "scale_factor", "mode", "align_corners", "recompute_scale_factor"]
    name: str
    size: Union[int, Tuple[int, ...], None]
    scale_factor: Union[float, Tuple[float, ...], None]
    mode: str
    align_corners: Optional[bool]
    recompute_scale_factor: Optional[bool]

    def __init__(
        self,
        size: Union[int, Tuple[int, ...], None] = None,
        scale_factor: Union[float, Tuple[float, ...], None] = None,
        mode: str = "nearest",
        align_corners: Optional[bool] = None,
        recompute_scale_factor: Optional[bool] = None,
    ) -> None:
        scale_factor = _floats(scale_factor)
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def extra_repr(self) -> str:
        return (
            (f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}")
            + f", mode={self.mode!r}"
        )

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(
            input,
            size=self.size,
            scale_factor=self.scale_factor,
            mode=self.mode,
            align_corners=self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )


class UpsamplingNearest2d(Upsample):
    """The nearest pixel."""

    def __init__(
        self,
        size: Optional[Union[int, Tuple[int, int]]] = None,
        scale_factor: Optional[Union[float, Tuple[float, float]]] = None,
    ) -> None:
        super().__init__(size=size, scale_factor=scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Between the four nearest pixels, corners on corners."""

    def __init__(
        self,
        size: Optional[Union[int, Tuple[int, int]]] = None,
        scale_factor: Optional[Union[float, Tuple[float, float]]] = None,
    ) -> None:
        super().__init__(size=size, scale_factor=scale_factor, mode="bilinear", align_corners=True)
