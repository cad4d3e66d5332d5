"""What the pooling functions of ../functions/pooling.td share: sizes of windows and of results, checked."""

import math
from typing import List, Optional, Union

import torch
from torch import Tensor


def _stride_or_none(stride: Optional[List[int]]) -> List[int]:
    # To the operators an empty list means: as the kernel.
    nothing: List[int] = []
    return nothing if stride is None else stride


def _each_axis(value: List[int], axes: int) -> List[int]:
    # TorchScript has made a list of a single number already.
    if torch.jit.is_scripting():
        return value
    return [value] * axes if isinstance(value, int) else list(value)


def _wanted_extents(x: Tensor, axes: int, output_size: List[int]) -> List[int]:
    output_size = _each_axis(output_size, axes)
    assert len(output_size) < x.dim()
    if torch.jit.is_scripting():
        return output_size
    # Outside TorchScript None keeps an extent.
    kept = list(x.shape)[x.dim() - len(output_size) :]
    return [old if new is None else new for new, old in zip(output_size, kept)]


def _fraction_extents(
    x: Tensor, name: str, axes: int, output_size: Optional[List[int]], output_ratio: Optional[List[float]]
) -> List[int]:
    if output_size is not None:
        return output_size
    if output_ratio is None:
        raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
    if not torch.jit.is_scripting() and isinstance(output_ratio, float):
        output_ratio = [output_ratio] * axes
    if axes == 2 and len(output_ratio) > 2:
        raise ValueError(f"{name} requires output_ratio to either be a single Int or tuple of Ints.")
    return [int(x.size(axis - axes) * output_ratio[axis]) for axis in range(axes)]


def _fraction_samples(x: Tensor, axes: int, given: Optional[Tensor]) -> Tensor:
    if given is not None:
        return given
    batch = 1 if x.dim() == axes + 1 else x.size(0)
    return torch.rand([batch, x.size(-axes - 1), axes], dtype=x.dtype, device=x.device)


def _unpooled_extents(
    x: Tensor, axes: int, kernel: List[int], step: List[int], padding: List[int], wanted: Optional[List[int]]
) -> List[int]:
    kernel, step, padding = _each_axis(kernel, axes), _each_axis(step, axes), _each_axis(padding, axes)
    extents: List[int] = []
    for axis in range(axes):
        extents.append((x.size(axis - axes) - 1) * step[axis] + kernel[axis] - 2 * padding[axis])
    if wanted is not None:
        wanted = _each_axis(wanted, axes)
        if len(wanted) == axes + 2:
            wanted = wanted[2:]
        if len(wanted) != axes:
            raise ValueError(
                f"output_size should be a sequence containing {axes} or {axes + 2} elements, "
                f"but it has a length of '{len(wanted)}'"
            )
        # Several extents give the same pooled one: those less than a step away.
        for axis, extent in enumerate(extents):
            low = extent - step[axis]
            high = extent + step[axis]
            if wanted[axis] <= low or high <= wanted[axis]:
                raise ValueError(f'invalid output_size "{wanted}" (dim {axis} must be between {low} and {high})')
        extents = wanted
    for axis, extent in enumerate(extents):
        if extent < 0:
            raise ValueError(
                "max_unpooling: output_size must contain non-negative spatial dimensions, "
                f"but got output_size[{axis}]={extent}"
            )
    return extents


# power-average pools: the p-th root of the sum of p-th powers; for an infinite p the largest or smallest magnitude


def _is_limit(norm_type: Union[int, float]) -> bool:
    return norm_type == math.inf or norm_type == -math.inf


def _lp_enter(x: Tensor, norm_type: Union[int, float]) -> Tensor:
    if norm_type == 0:
        raise ValueError(f"norm_type must be a non-zero value, but got {norm_type}")
    if norm_type == math.inf:
        return x.abs()
    if norm_type == -math.inf:
        return -x.abs()
    return torch.pow(x, norm_type)


def _lp_leave(pooled: Tensor, norm_type: Union[int, float], cells: int) -> Tensor:
    if norm_type == math.inf:
        return pooled
    if norm_type == -math.inf:
        return -pooled
    # The mean (sign times magnitude) times the number of cells is the sum.
    kept = torch.sign(pooled) * torch.relu(torch.abs(pooled))
    return (kept * cells).pow(1.0 / norm_type)


def _cells(kernel_size: List[int], axes: int) -> int:
    count = 1
    for extent in _each_axis(kernel_size, axes):
        count *= extent
    return count
