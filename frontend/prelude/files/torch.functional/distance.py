"""Functions of torch about distances and lengths: cdist, norm."""

from typing import List, Optional, Union

import torch
from torch import Tensor
from torch._jit_internal import BroadcastingList1


def cdist(
    x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary"
) -> Tensor:
    # To the operator a mode is a number; the first is its default, None.
    modes = ["use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"]
    if compute_mode not in modes:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    code = modes.index(compute_mode)
    return torch._VF.cdist(x1, x2, p, None if code == 0 else code)


def _vector_length(
    x: Tensor,
    order: Union[int, float],
    dim: Optional[List[int]],
    keepdim: bool,
    out: Optional[Tensor],
    dtype: Optional[int],
) -> Tensor:
    return (
        torch.linalg.vector_norm(x, order, dim, keepdim, dtype=dtype) if out is None
        else torch.linalg.vector_norm(x, order, dim, keepdim, dtype=dtype, out=out)
    )


def _matrix_length(
    x: Tensor, order: str, dim: Optional[List[int]], keepdim: bool, out: Optional[Tensor], dtype: Optional[int]
) -> Tensor:
    plane = dim
    if plane is None:
        plane = [axis for axis in range(x.dim())]
    return (
        torch.linalg.matrix_norm(x, order, plane, keepdim, dtype=dtype) if out is None
        else torch.linalg.matrix_norm(x, order, plane, keepdim, dtype=dtype, out=out)
    )


@torch.jit._overload
def norm(
    input: Tensor,
    p: str = "fro",
    dim: Optional[BroadcastingList1[int]] = None,
    keepdim: bool = False,
    out: Optional[Tensor] = None,
    dtype: Optional[int] = None,
) -> Tensor:
    pass


@torch.jit._overload
def norm(
    input: Tensor,
    p: Optional[Union[int, float]] = None,
    dim: Optional[BroadcastingList1[int]] = None,
    keepdim: bool = False,
    out: Optional[Tensor] = None,
    dtype: Optional[int] = None,
) -> Tensor:
    pass


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    if isinstance(dim, int):
        dim = [dim]
    if p is None:
        return _vector_length(input, 2.0, dim, keepdim, out, dtype)
    if isinstance(p, str):
        # Frobenius is the Euclidean length of what is in the matrix, and as good for fewer dimensions.
        if p == "fro" and (dim is None or len(dim) <= 2):
            return _vector_length(input, 2, dim, keepdim, out, dtype)
        return _matrix_length(input, p, dim, keepdim, out, dtype)
    return _vector_length(input, p, dim, keepdim, out, dtype)
