"""Functions of torch that find distinct values; how much they return is chosen by constant arguments."""

from typing import Optional, Tuple

import torch
from torch import Tensor
from torch._jit_internal import boolean_dispatch


def _return_inverse_and_counts(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    if dim is None:
        return torch._unique2(input, sorted, return_inverse, return_counts)
    return torch._VF.unique_dim(input, dim, sorted, return_inverse, return_counts)


def _return_inverse(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor]:
    found = _return_inverse_and_counts(input, sorted, return_inverse, return_counts, dim)
    return found[0], found[1]


def _return_counts(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor]:
    found = _return_inverse_and_counts(input, sorted, return_inverse, return_counts, dim)
    return found[0], found[2]


def _unique_alone(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tensor:
    return _return_inverse_and_counts(input, sorted, return_inverse, return_counts, dim)[0]


def _runs_all(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Optional[int] = None
) -> Tuple[Tensor, Tensor, Tensor]:
    return torch._VF.unique_consecutive(input, return_inverse, return_counts, dim)


def _runs_with_inverse(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Optional[int] = None
) -> Tuple[Tensor, Tensor]:
    found = _runs_all(input, return_inverse, return_counts, dim)
    return found[0], found[1]


def _runs_with_counts(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Optional[int] = None
) -> Tuple[Tensor, Tensor]:
    found = _runs_all(input, return_inverse, return_counts, dim)
    return found[0], found[2]


def _runs_alone(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Optional[int] = None
) -> Tensor:
    return _runs_all(input, return_inverse, return_counts, dim)[0]


def _choose(inverse_place: int, counts_place: int, everything, with_inverse, with_counts, alone):
    def by_counts(yes, no):
        return boolean_dispatch(
            arg_name="return_counts", arg_index=counts_place, default=False, if_true=yes, if_false=no
        )

    return boolean_dispatch(
        arg_name="return_inverse",
        arg_index=inverse_place,
        default=False,
        if_true=by_counts(everything, with_inverse),
        if_false=by_counts(with_counts, alone),
    )


unique = _choose(2, 3, _return_inverse_and_counts, _return_inverse, _return_counts, _unique_alone)
# The places are the recorded ones, though the parameters stand the other way round.
unique_consecutive = _choose(2, 1, _runs_all, _runs_with_inverse, _runs_with_counts, _runs_alone)
