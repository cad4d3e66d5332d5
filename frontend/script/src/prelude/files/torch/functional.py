"""Those entries of `torch` whose operator is picked, while compiling or running, by what the caller passed."""

from typing import List, Optional, Tuple, Union

import torch
from torch import Tensor, _VF
from torch._jit_internal import _overload as overload, boolean_dispatch
from torch.nn import functional as F


# --- distances and spectra ---


def cdist(
    x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary"
) -> Tensor:
    # the operator knows the mode by number; none lets it decide by size
    if compute_mode == "use_mm_for_euclid_dist_if_necessary":
        return _VF.cdist(x1, x2, p, None)
    elif compute_mode == "use_mm_for_euclid_dist":
        return _VF.cdist(x1, x2, p, 1)
    elif compute_mode == "donot_use_mm_for_euclid_dist":
        return _VF.cdist(x1, x2, p, 2)
    else:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")


def stft(
    input: Tensor, n_fft: int, hop_length: Optional[int] = None, win_length: Optional[int] = None,
    window: Optional[Tensor] = None, center: bool = True, pad_mode: str = "reflect", normalized: bool = False,
    onesided: Optional[bool] = None, return_complex: Optional[bool] = None, align_to_window: Optional[bool] = None,
) -> Tensor:
    if center and align_to_window is not None:
        raise RuntimeError("stft align_to_window should only be set when center = false")
    if center:
        # F.pad wants three axes to reflect along the last: add leading ones, and drop them again
        axes = input.dim()
        as_batch = [1] * (3 - axes) + list(input.size())
        half = int(n_fft // 2)
        input = F.pad(input.view(as_batch), [half, half], pad_mode)
        input = input.view(input.shape[-axes:])
    return _VF.stft(
        input, n_fft, hop_length, win_length, window,
        normalized, onesided, return_complex, align_to_window,
    )


# --- contraction: one overload for each way to name the axes ---


@overload
def tensordot(a, b, dims: int = 2, out: Optional[torch.Tensor] = None):
    pass


@overload
def tensordot(a, b, dims: Tuple[List[int], List[int]], out: Optional[torch.Tensor] = None):
    pass


@overload
def tensordot(a, b, dims: List[List[int]], out: Optional[torch.Tensor] = None):
    pass


@overload
def tensordot(a, b, dims: torch.Tensor, out: Optional[torch.Tensor] = None):
    pass


def tensordot(a, b, dims=2, out: Optional[torch.Tensor] = None):
    left: List[int] = []
    right: List[int] = []

    # the type of dims is settled by the overload, so only one of these branches is compiled
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        left = list(range(-dims, 0))
        right = list(range(dims))
    elif isinstance(dims, torch.Tensor):
        entries = dims.numel()
        if entries > 1:
            if dims.size()[0] != 2:
                raise AssertionError(f"dims tensor must have size 2 in first dimension, got {dims.size()[0]}")
            left = torch.jit.annotate(List[int], dims[0].tolist())
            right = torch.jit.annotate(List[int], dims[1].tolist())
        else:
            shared = int(dims.item())
            if shared < 0:
                raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
            left = list(range(-shared, 0))
            right = list(range(shared))
    elif isinstance(dims, (tuple, list)):
        left, right = dims
    else:
        raise RuntimeError("tensordot: dims must be a count, a pair of axis lists, or a tensor of either")

    if out is None:
        return _VF.tensordot(a, b, left, right)
    else:
        return _VF.tensordot(a, b, left, right, out=out)


# --- distinct values: the two flags, known while compiling, decide how many tensors come back ---


def _unique_impl(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    if dim is not None:
        found, places, times = _VF.unique_dim(input, dim, sorted, return_inverse, return_counts)
    else:
        found, places, times = torch._unique2(input, sorted, return_inverse, return_counts)
    return found, places, times


def _return_output(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tensor:
    found, _, _ = _unique_impl(input, sorted, return_inverse, return_counts, dim)
    return found


def _return_counts(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor]:
    found, _, times = _unique_impl(input, sorted, return_inverse, return_counts, dim)
    return found, times


def _return_inverse(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor]:
    found, places, _ = _unique_impl(input, sorted, return_inverse, return_counts, dim)
    return found, places


def _return_inverse_and_counts(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    return _unique_impl(input, sorted, return_inverse, return_counts, dim)


unique = boolean_dispatch(
    if_false=boolean_dispatch(
        if_false=_return_output, if_true=_return_counts, arg_name="return_counts", arg_index=3, default=False
    ),
    if_true=boolean_dispatch(
        if_false=_return_inverse, if_true=_return_inverse_and_counts,
        arg_name="return_counts", arg_index=3, default=False,
    ),
    arg_name="return_inverse", arg_index=2, default=False,
)


def _unique_consecutive_impl(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Optional[int] = None
) -> Tuple[Tensor, Tensor, Tensor]:
    runs, places, lengths = _VF.unique_consecutive(input, return_inverse, return_counts, dim)
    return runs, places, lengths


def _consecutive_return_output(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Optional[int] = None
) -> Tensor:
    runs, _, _ = _unique_consecutive_impl(input, return_inverse, return_counts, dim)
    return runs


def _consecutive_return_counts(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Optional[int] = None
) -> Tuple[Tensor, Tensor]:
    runs, _, lengths = _unique_consecutive_impl(input, return_inverse, return_counts, dim)
    return runs, lengths


def _consecutive_return_inverse(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Optional[int] = None
) -> Tuple[Tensor, Tensor]:
    runs, places, _ = _unique_consecutive_impl(input, return_inverse, return_counts, dim)
    return runs, places


def _consecutive_return_inverse_and_counts(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Optional[int] = None
) -> Tuple[Tensor, Tensor, Tensor]:
    return _unique_consecutive_impl(input, return_inverse, return_counts, dim)


# the positions 2 and 1 are those that callers of the compiled function already rely on
unique_consecutive = boolean_dispatch(
    if_false=boolean_dispatch(
        if_false=_consecutive_return_output, if_true=_consecutive_return_counts,
        arg_name="return_counts", arg_index=1, default=False,
    ),
    if_true=boolean_dispatch(
        if_false=_consecutive_return_inverse, if_true=_consecutive_return_inverse_and_counts,
        arg_name="return_counts", arg_index=1, default=False,
    ),
    arg_name="return_inverse", arg_index=2, default=False,
)


@overload
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    # type: (Tensor, str, Optional[List[int]], bool, Optional[Tensor], Optional[int]) -> Tensor
    pass


@overload
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    # type: (Tensor, Optional[number], Optional[List[int]], bool, Optional[Tensor], Optional[int]) -> Tensor
    pass


@overload
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    # type: (Tensor, Optional[number], Optional[int], bool, Optional[Tensor], Optional[int]) -> Tensor
    pass


@overload
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    # type: (Tensor, str, Optional[int], bool, Optional[Tensor], Optional[int]) -> Tensor
    pass


def norm(input, p: Optional[Union[float, str]] = "fro", dim=None, keepdim=False, out=None, dtype=None):
    # dense tensors on a device with the linalg kernels
    if input.layout == torch.strided and input.device.type in (
        "cpu", "cuda", "xpu", "meta", torch.utils.backend_registration._privateuse1_backend_name
    ):
        if dim is not None:
            if isinstance(dim, int):
                axes = [dim]
            else:
                axes = dim
        else:
            axes = None

        if isinstance(p, str):
            if p == "fro" and (dim is None or isinstance(dim, int) or len(dim) <= 2):
                if out is None:
                    return torch.linalg.vector_norm(input, 2, axes, keepdim, dtype=dtype)
                else:
                    return torch.linalg.vector_norm(input, 2, axes, keepdim, dtype=dtype, out=out)

            if axes is None:
                axes = list(range(input.ndim))
            if out is None:
                return torch.linalg.matrix_norm(input, p, axes, keepdim, dtype=dtype)
            else:
                return torch.linalg.matrix_norm(input, p, axes, keepdim, dtype=dtype, out=out)
        else:
            order = 2.0 if p is None else p
            if out is None:
                return torch.linalg.vector_norm(input, order, axes, keepdim, dtype=dtype)
            else:
                return torch.linalg.vector_norm(input, order, axes, keepdim, dtype=dtype, out=out)

    # all others go to the older operators
    rank = input.dim()

    if dim is None and out is None and dtype is None and p is not None:
        if isinstance(p, str):
            if p == "fro":
                return _VF.frobenius_norm(input, (), keepdim)
        if not isinstance(p, str):
            axes = list(range(rank))
            return _VF.norm(input, p, axes, keepdim)

    if dim is not None:
        if isinstance(dim, int):
            axes = [dim]
        else:
            axes = dim
    else:
        axes = None

    if isinstance(p, str):
        if p == "fro":
            if dtype is not None:
                raise ValueError("dtype argument is not supported in frobenius norm")

            if axes is None:
                axes = list(range(rank))
            if out is None:
                return _VF.frobenius_norm(input, axes, keepdim)
            else:
                return _VF.frobenius_norm(input, axes, keepdim, out=out)
        elif p == "nuc":
            if dtype is not None:
                raise ValueError("dtype argument is not supported in nuclear norm")
            if axes is None:
                if out is None:
                    return _VF.nuclear_norm(input, keepdim=keepdim)
                else:
                    return _VF.nuclear_norm(input, keepdim=keepdim, out=out)
            else:
                if out is None:
                    return _VF.nuclear_norm(input, axes, keepdim)
                else:
                    return _VF.nuclear_norm(input, axes, keepdim, out=out)
        raise RuntimeError(f"only valid string values are 'fro' and 'nuc', found {p}")
    else:
        if axes is None:
            axes = list(range(rank))

        if out is None:
            if dtype is None:
                return _VF.norm(input, p, axes, keepdim)
            else:
                return _VF.norm(input, p, axes, keepdim, dtype=dtype)
        else:
            if dtype is None:
                return _VF.norm(input, p, axes, keepdim, out=out)
            else:
                return _VF.norm(input, p, axes, keepdim, dtype=dtype, out=out)
