"""Functions of torch for linear algebra: lu, tensordot."""

import warnings
from typing import List, Optional, Tuple

import torch
from torch import Tensor
from torch._jit_internal import boolean_dispatch


def _into(given: Tensor, found: Tensor) -> Tensor:
    return given.resize_as_(found).copy_(found)


def _warn_lu() -> None:
    warnings.warn(
        "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and will be "
        "removed in a future PyTorch release.\n"
        "LU, pivots = torch.lu(A, compute_pivots)\n"
        "should be replaced with\n"
        "LU, pivots = torch.linalg.lu_factor(A, compute_pivots)\n"
        "and\n"
        "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\n"
        "should be replaced with\n"
        "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)"
    )


def _lu_with_infos(
    A: Tensor, pivot: bool = True, get_infos: bool = False, out: Optional[Tuple[Tensor, Tensor, Tensor]] = None
) -> Tuple[Tensor, Tensor, Tensor]:
    _warn_lu()
    factors, pivots, infos = torch._lu_with_info(A, pivot, not get_infos)
    if out is None:
        return factors, pivots, infos
    return _into(out[0], factors), _into(out[1], pivots), _into(out[2], infos)


def _lu_no_infos(
    A: Tensor, pivot: bool = True, get_infos: bool = False, out: Optional[Tuple[Tensor, Tensor]] = None
) -> Tuple[Tensor, Tensor]:
    _warn_lu()
    factors, pivots, _ = torch._lu_with_info(A, pivot, not get_infos)
    if out is None:
        return factors, pivots
    return _into(out[0], factors), _into(out[1], pivots)


lu = boolean_dispatch(
    arg_name="get_infos", arg_index=2, default=False, if_true=_lu_with_infos, if_false=_lu_no_infos
)


@torch.jit._overload
def tensordot(a: Tensor, b: Tensor, dims: int = 2, out: Optional[Tensor] = None) -> Tensor:
    pass


@torch.jit._overload
def tensordot(a: Tensor, b: Tensor, dims: Tuple[List[int], List[int]], out: Optional[Tensor] = None) -> Tensor:
    pass


@torch.jit._overload
def tensordot(a: Tensor, b: Tensor, dims: List[List[int]], out: Optional[Tensor] = None) -> Tensor:
    pass


@torch.jit._overload
def tensordot(a: Tensor, b: Tensor, dims: Tensor, out: Optional[Tensor] = None) -> Tensor:
    pass


def tensordot(a, b, dims=2, out=None):
    if isinstance(dims, int):
        left, right = _neighbours(a, b, dims)
    elif isinstance(dims, Tensor):
        if dims.numel() > 1:
            left, right = _numbers(dims[0]), _numbers(dims[1])
        else:
            left, right = _neighbours(a, b, int(dims))
    else:
        left, right = dims
    if out is None:
        return torch._VF.tensordot(a, b, left, right)
    return torch._VF.tensordot(a, b, left, right, out=out)


def _numbers(x: Tensor) -> List[int]:
    read: List[int] = x.tolist()
    return read


def _neighbours(a: Tensor, b: Tensor, count: int) -> Tuple[List[int], List[int]]:
    # The last dimensions of one against the first of the other.
    if count >= 0 and count <= min(a.dim(), b.dim()):
        first = [place for place in range(count)]
        return [place - count for place in first], first
    wanted = "dims >= 0" if count < 0 else "dims < ndim_a or ndim_b"
    raise RuntimeError(f"tensordot expects {wanted}, but got dims={count}")
