"""Functions that resample images: to a size or by a factor (interpolate and its older names), or at given places."""

import math
import warnings
from typing import List, Optional

import torch
from torch._C import _nn


def _blend(x, rank: int, corners: bool, size: Optional[List[int]], by: Optional[List[float]]) -> torch.Tensor:
    return (
        _nn.upsample_linear1d(x, size, corners, by) if rank == 3
        else _nn.upsample_bilinear2d(x, size, corners, by) if rank == 4
        else _nn.upsample_trilinear3d(x, size, corners, by)
    )


def _repeat(x, rank: int, size: Optional[List[int]], by: Optional[List[float]]) -> torch.Tensor:
    return (
        _nn.upsample_nearest1d(x, size, by) if rank == 3
        else _nn.upsample_nearest2d(x, size, by) if rank == 4
        else _nn.upsample_nearest3d(x, size, by)
    )


def _repeat_centred(x, rank: int, size: Optional[List[int]], by: Optional[List[float]]) -> torch.Tensor:
    return (
        _nn._upsample_nearest_exact1d(x, size, by) if rank == 3
        else _nn._upsample_nearest_exact2d(x, size, by) if rank == 4
        else _nn._upsample_nearest_exact3d(x, size, by)
    )


def _average(x, rank: int, size: List[int]) -> torch.Tensor:
    return (
        torch.adaptive_avg_pool1d(x, size) if rank == 3
        else _nn.adaptive_avg_pool2d(x, size) if rank == 4
        else _nn.adaptive_avg_pool3d(x, size)
    )


def _blend_smoothed(x, mode: str, corners: bool, size: Optional[List[int]], by: Optional[List[float]]) -> torch.Tensor:
    return (
        _nn._upsample_bilinear2d_aa(x, size, corners, by) if mode == "bilinear"
        else _nn._upsample_bicubic2d_aa(x, size, corners, by) if mode == "bicubic"
        else _nn._upsample_lanczos2d_aa(x, size, corners, by)
    )


def _check_rank(rank: int, mode: str, antialias: bool) -> None:
    if antialias and (rank != 4 or mode not in ["bilinear", "bicubic", "lanczos"]):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        )
    fixed = {"linear": 3, "bilinear": 4, "trilinear": 5}
    spatial = rank in [3, 4, 5]
    if spatial and mode in fixed:
        if rank != fixed[mode]:
            raise NotImplementedError(f"Got {rank}D input, but {mode} mode needs {fixed[mode]}D input")
    elif not (spatial and mode in ["nearest", "nearest-exact", "area"] or rank == 4 and mode in ["bicubic", "lanczos"]):
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {rank}D) for the modes: "
            f"nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got {mode})"
        )


def _check_corners(mode: str, corners: Optional[bool], antialias: bool) -> None:
    if mode == "lanczos":
        if not antialias:
            raise ValueError("Lanczos mode requires antialias=True")
        if corners is not None and corners:
            raise ValueError("Lanczos mode does not support align_corners=True")
    elif corners is not None and mode in ["nearest", "nearest-exact", "area"]:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: "
            "linear | bilinear | bicubic | trilinear"
        )


def _scaled_extents(extents: List[int], by: List[float]) -> List[int]:
    scaled: List[int] = []
    for extent, factor in zip(extents, by):
        scaled.append(math.floor(extent * factor))
    return scaled


@torch.jit._overload
def interpolate(
    input: torch.Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[List[float]] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> torch.Tensor:
    pass


@torch.jit._overload
def interpolate(
    input: torch.Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[List[float]] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> torch.Tensor:
    pass


@torch.jit._overload
def interpolate(
    input: torch.Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> torch.Tensor:
    pass


@torch.jit._overload
def interpolate(
    input: torch.Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> torch.Tensor:
    pass


def interpolate(
    input: torch.Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[List[float]] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> torch.Tensor:
    _check_corners(mode, align_corners, antialias)
    extents: List[int] = list(input.shape)[2:]
    target: Optional[List[int]] = None
    by: Optional[List[float]] = None

    if size is not None:
        if scale_factor is not None:
            raise ValueError("only one of size or scale_factor should be defined")
        if recompute_scale_factor is not None and recompute_scale_factor:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        if isinstance(size, (list, tuple)):
            if len(size) != len(extents):
                raise ValueError(
                    "Input and output must have the same number of spatial dimensions, but got "
                    f"input with spatial dimensions of {extents} and output size of {size}. "
                    "Please provide input tensor in (N, C, d1, d2, ...,dK) format and "
                    "output size in (o1, o2, ...,oK) format."
                )
            target = size
        else:
            target = [size] * len(extents)
    elif scale_factor is not None:
        if isinstance(scale_factor, (list, tuple)):
            if len(scale_factor) != len(extents):
                raise ValueError(
                    "Input and scale_factor must have the same number of spatial dimensions, but got "
                    f"input with spatial dimensions of {extents} and scale_factor of shape {scale_factor}. "
                    "Please provide input tensor in (N, C, d1, d2, ...,dK) format and "
                    "scale_factor in (s1, s2, ...,sK) format."
                )
            by = scale_factor
        else:
            by = [float(scale_factor)] * len(extents)
    else:
        raise ValueError("either size or scale_factor should be defined")

    rank = input.dim()
    _check_rank(rank, mode, antialias)
    # Pooling by area knows sizes only; recomputing means that the kernel finds the factors from the sizes.
    if by is not None and (mode == "area" or (recompute_scale_factor is not None and recompute_scale_factor)):
        target = _scaled_extents(extents, by)
        by = None
    corners = align_corners is not None and align_corners
    if mode == "area" and target is not None:
        return _average(input, rank, target)
    if mode == "nearest":
        return _repeat(input, rank, target, by)
    if mode == "nearest-exact":
        return _repeat_centred(input, rank, target, by)
    if antialias:
        return _blend_smoothed(input, mode, corners, target, by)
    if mode == "bicubic":
        return _nn.upsample_bicubic2d(input, target, corners, by)
    return _blend(input, rank, corners, target, by)


@torch.jit._overload
def upsample(
    input: torch.Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
) -> torch.Tensor:
    pass


@torch.jit._overload
def upsample(
    input: torch.Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
) -> torch.Tensor:
    pass


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    warnings.warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.")
    return interpolate(input, size, scale_factor, mode, align_corners)


@torch.jit._overload
def upsample_nearest(
    input: torch.Tensor, size: Optional[int] = None, scale_factor: Optional[float] = None
) -> torch.Tensor:
    pass


@torch.jit._overload
def upsample_nearest(
    input: torch.Tensor, size: Optional[List[int]] = None, scale_factor: Optional[float] = None
) -> torch.Tensor:
    pass


def upsample_nearest(input, size=None, scale_factor=None):
    warnings.warn("`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.")
    return interpolate(input, size, scale_factor)


@torch.jit._overload
def upsample_bilinear(
    input: torch.Tensor, size: Optional[int] = None, scale_factor: Optional[float] = None
) -> torch.Tensor:
    pass


@torch.jit._overload
def upsample_bilinear(
    input: torch.Tensor, size: Optional[List[int]] = None, scale_factor: Optional[float] = None
) -> torch.Tensor:
    pass


@torch.jit._overload
def upsample_bilinear(
    input: torch.Tensor, size: Optional[int] = None, scale_factor: Optional[List[float]] = None
) -> torch.Tensor:
    pass


@torch.jit._overload
def upsample_bilinear(
    input: torch.Tensor, size: Optional[List[int]] = None, scale_factor: Optional[List[float]] = None
) -> torch.Tensor:
    pass


def upsample_bilinear(input, size=None, scale_factor=None):
    warnings.warn("`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.")
    return interpolate(input, size, scale_factor, "bilinear", True)


def _settle_corners(align_corners: Optional[bool]) -> bool:
    if align_corners is not None:
        return align_corners
    warnings.warn(
        "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. "
        "Please specify align_corners=True if the old behavior is desired. "
        "See the documentation of grid_sample for details."
    )
    return False


def grid_sample(
    input: torch.Tensor,
    grid: torch.Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: Optional[bool] = None,
) -> torch.Tensor:
    # Both are numbers to the operator: the place in these lists.
    modes = ["bilinear", "nearest", "bicubic"]
    paddings = ["zeros", "border", "reflection"]
    if mode not in modes:
        raise ValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in paddings:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', "
            f"but got: '{padding_mode}'"
        )
    corners = _settle_corners(align_corners)
    return torch.grid_sampler(input, grid, modes.index(mode), paddings.index(padding_mode), corners)


def affine_grid(theta: torch.Tensor, size: List[int], align_corners: Optional[bool] = None) -> torch.Tensor:
    corners = _settle_corners(align_corners)
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    extents = size[2:]
    axes = len(extents)
    if axes != 2 and axes != 3:
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. "
            f"Got size {size}."
        )
    if theta.dim() != 3 or theta.size(1) != axes or theta.size(2) != axes + 1:
        raise ValueError(
            f"Expected a batch of {axes}D affine matrices of shape Nx{axes}x{axes + 1} for size {size}. "
            f"Got {theta.shape}."
        )
    shortest = min(extents)
    if shortest < 1:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    if corners and shortest == 1:
        warnings.warn(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. "
            "This is not an intended use case of affine_grid. See the documentation of affine_grid for details."
        )
    return torch.affine_grid_generator(theta, size, corners)
