"""Pooling functions that are more than one operator, choose by `return_indices`, or check their arguments first."""

import math
from typing import List, Optional, Tuple, Union

import torch
from torch import Tensor
from torch._C import _nn
from torch._jit_internal import BroadcastingList1, BroadcastingList2, BroadcastingList3, boolean_dispatch


def _stride_or_none(stride: Optional[List[int]]) -> List[int]:
    # To the operators an empty list means: as the kernel.
    nothing: List[int] = []
    return nothing if stride is None else stride


def _each_axis(value: List[int], axes: int) -> List[int]:
    # TorchScript has made a list of a single number already.
    if torch.jit.is_scripting():
        return value
    return [value] * axes if isinstance(value, int) else list(value)


# max_pool and its indices


def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0,
    dilation: BroadcastingList1[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    step = _stride_or_none(stride)
    return torch.max_pool1d_with_indices(input, kernel_size, step, padding, dilation, ceil_mode)


def _max_pool1d(
    input: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0,
    dilation: BroadcastingList1[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    step = _stride_or_none(stride)
    return torch.max_pool1d(input, kernel_size, step, padding, dilation, ceil_mode)


def max_pool2d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0,
    dilation: BroadcastingList2[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    step = _stride_or_none(stride)
    return _nn.max_pool2d_with_indices(input, kernel_size, step, padding, dilation, ceil_mode)


def _max_pool2d(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0,
    dilation: BroadcastingList2[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    step = _stride_or_none(stride)
    return torch.max_pool2d(input, kernel_size, step, padding, dilation, ceil_mode)


def max_pool3d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0,
    dilation: BroadcastingList3[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    step = _stride_or_none(stride)
    return _nn.max_pool3d_with_indices(input, kernel_size, step, padding, dilation, ceil_mode)


def _max_pool3d(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0,
    dilation: BroadcastingList3[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    step = _stride_or_none(stride)
    return torch.max_pool3d(input, kernel_size, step, padding, dilation, ceil_mode)


def _by_indices(place: int, with_indices, alone):
    return boolean_dispatch(
        arg_name="return_indices", arg_index=place, default=False, if_true=with_indices, if_false=alone
    )


max_pool1d = _by_indices(6, max_pool1d_with_indices, _max_pool1d)
max_pool2d = _by_indices(6, max_pool2d_with_indices, _max_pool2d)
max_pool3d = _by_indices(6, max_pool3d_with_indices, _max_pool3d)


# adaptive pools


def _wanted_extents(x: Tensor, axes: int, output_size: List[int]) -> List[int]:
    output_size = _each_axis(output_size, axes)
    assert len(output_size) < x.dim()
    if torch.jit.is_scripting():
        return output_size
    # Outside TorchScript None keeps an extent.
    kept = list(x.shape)[x.dim() - len(output_size) :]
    return [old if new is None else new for new, old in zip(output_size, kept)]


def adaptive_max_pool1d_with_indices(
    input: Tensor, output_size: BroadcastingList1[int], return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    return torch.adaptive_max_pool1d(input, output_size)


def _adaptive_max_pool1d(input: Tensor, output_size: BroadcastingList1[int], return_indices: bool = False) -> Tensor:
    return torch.adaptive_max_pool1d(input, output_size)[0]


def adaptive_max_pool2d_with_indices(
    input: Tensor, output_size: BroadcastingList2[int], return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    return _nn.adaptive_max_pool2d(input, _wanted_extents(input, 2, output_size))


def _adaptive_max_pool2d(input: Tensor, output_size: BroadcastingList2[int], return_indices: bool = False) -> Tensor:
    return adaptive_max_pool2d_with_indices(input, output_size)[0]


def adaptive_max_pool3d_with_indices(
    input: Tensor, output_size: BroadcastingList3[int], return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    return _nn.adaptive_max_pool3d(input, _wanted_extents(input, 3, output_size))


def _adaptive_max_pool3d(input: Tensor, output_size: BroadcastingList3[int], return_indices: bool = False) -> Tensor:
    return adaptive_max_pool3d_with_indices(input, output_size)[0]


adaptive_max_pool1d = _by_indices(2, adaptive_max_pool1d_with_indices, _adaptive_max_pool1d)
adaptive_max_pool2d = _by_indices(2, adaptive_max_pool2d_with_indices, _adaptive_max_pool2d)
adaptive_max_pool3d = _by_indices(2, adaptive_max_pool3d_with_indices, _adaptive_max_pool3d)


def adaptive_avg_pool2d(input: Tensor, output_size: BroadcastingList2[int]) -> Tensor:
    return _nn.adaptive_avg_pool2d(input, _wanted_extents(input, 2, output_size))


def adaptive_avg_pool3d(input: Tensor, output_size: BroadcastingList3[int]) -> Tensor:
    return _nn.adaptive_avg_pool3d(input, _wanted_extents(input, 3, output_size))


# fractional max pools


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


def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    output_size: Optional[BroadcastingList2[int]] = None,
    output_ratio: Optional[BroadcastingList2[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor]:
    target = _fraction_extents(input, "fractional_max_pool2d", 2, output_size, output_ratio)
    return _nn.fractional_max_pool2d(input, kernel_size, target, _fraction_samples(input, 2, _random_samples))


def _fractional_max_pool2d(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    output_size: Optional[BroadcastingList2[int]] = None,
    output_ratio: Optional[BroadcastingList2[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tensor:
    both = fractional_max_pool2d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )
    return both[0]


def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    output_size: Optional[BroadcastingList3[int]] = None,
    output_ratio: Optional[BroadcastingList3[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor]:
    target = _fraction_extents(input, "fractional_max_pool3d", 3, output_size, output_ratio)
    return _nn.fractional_max_pool3d(input, kernel_size, target, _fraction_samples(input, 3, _random_samples))


def _fractional_max_pool3d(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    output_size: Optional[BroadcastingList3[int]] = None,
    output_ratio: Optional[BroadcastingList3[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tensor:
    both = fractional_max_pool3d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )
    return both[0]


fractional_max_pool2d = _by_indices(4, fractional_max_pool2d_with_indices, _fractional_max_pool2d)
fractional_max_pool3d = _by_indices(4, fractional_max_pool3d_with_indices, _fractional_max_pool3d)


# unpooling


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


def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0,
    output_size: Optional[BroadcastingList1[int]] = None,
) -> Tensor:
    step = kernel_size if stride is None else stride
    line = _unpooled_extents(input, 1, kernel_size, step, padding, output_size)
    # There is no operator for one axis: a plane of width 1.
    return _nn.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), line + [1]).squeeze(-1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0,
    output_size: Optional[BroadcastingList2[int]] = None,
) -> Tensor:
    step = kernel_size if stride is None else stride
    plane = _unpooled_extents(input, 2, kernel_size, step, padding, output_size)
    return _nn.max_unpool2d(input, indices, plane)


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0,
    output_size: Optional[BroadcastingList3[int]] = None,
) -> Tensor:
    step = kernel_size if stride is None else stride
    volume = _unpooled_extents(input, 3, kernel_size, step, padding, output_size)
    return _nn.max_unpool3d(input, indices, volume, step, padding)


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


def lp_pool1d(
    input: Tensor,
    norm_type: Union[int, float],
    kernel_size: int,
    stride: Optional[BroadcastingList1[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    step = _stride_or_none(stride)
    x = _lp_enter(input, norm_type)
    if _is_limit(norm_type):
        pooled = torch.max_pool1d(x, kernel_size, step, 0, 1, ceil_mode)
    else:
        pooled = torch.avg_pool1d(x, kernel_size, step, 0, ceil_mode)
    return _lp_leave(pooled, norm_type, kernel_size)


def lp_pool2d(
    input: Tensor,
    norm_type: Union[int, float],
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    step = _stride_or_none(stride)
    x = _lp_enter(input, norm_type)
    if _is_limit(norm_type):
        pooled = torch.max_pool2d(x, kernel_size, step, 0, 1, ceil_mode)
    else:
        pooled = _nn.avg_pool2d(x, kernel_size, step, 0, ceil_mode)
    return _lp_leave(pooled, norm_type, _cells(kernel_size, 2))


def lp_pool3d(
    input: Tensor,
    norm_type: Union[int, float],
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    step = _stride_or_none(stride)
    x = _lp_enter(input, norm_type)
    if _is_limit(norm_type):
        pooled = torch.max_pool3d(x, kernel_size, step, 0, 1, ceil_mode)
    else:
        pooled = _nn.avg_pool3d(x, kernel_size, step, 0, ceil_mode)
    return _lp_leave(pooled, norm_type, _cells(kernel_size, 3))
