"""Losses that are more than one operator."""

import math
import warnings
from typing import Callable, List, Optional, Union

import torch
from torch import Tensor
from torch.nn._reduction import get_enum
from torch.nn.functional import _reduced, _reduction_word, _valid_word


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    word = _reduction_word(size_average, reduce, reduction)
    if word == "batchmean":
        total = torch.kl_div(input, target, get_enum("sum"), log_target=log_target)
        return total if input.dim() == 0 else total / input.size(0)
    if word == "mean" and size_average is None and reduce is None:
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size."
            "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
            "'mean' will be changed to behave the same as 'batchmean' in the next major release."
        )
    return torch.kl_div(input, target, get_enum(word), log_target=log_target)


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    word = _reduction_word(size_average, reduce, reduction)
    present = target * torch.log_sigmoid(input)
    absent = (1 - target) * torch.log_sigmoid(-input)
    entropy = -(present + absent)
    if weight is not None:
        entropy = entropy * weight
    classes = input.dim() - 1
    loss = entropy.sum(classes) / input.size(classes)
    return _reduced(loss, _valid_word(word), None)


def _is_narrow(var: Tensor, sizes: List[int]) -> bool:
    """Has it one dimension of 1, and the others of `sizes`?"""
    if var.dim() != len(sizes):
        return False
    ones = 0
    for own, size in zip(var.size(), sizes):
        if own != size:
            if own != 1:
                return False
            ones += 1
    return ones == 1


def _variance(var: Union[Tensor, float], input: Tensor) -> Tensor:
    """A tensor that broadcasts to `input`: of a number, of all values, or of those of all dimensions but one."""
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        return torch.ones_like(input) * var
    if torch.any(var < 0):
        raise ValueError("var has negative entry/entries")
    sizes = input.size()
    if var.size() == sizes or _is_narrow(var, sizes):
        return var
    if var.size() != sizes[:-1]:
        raise ValueError("var is of incorrect size")
    return var.unsqueeze(-1)


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Union[Tensor, float],
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    spread = _variance(var, input)
    word = _valid_word(reduction)
    # The gradient is that of the variance as given.
    floor = spread.clone()
    with torch.no_grad():
        floor.clamp_(eps)
    loss = (torch.log(floor) + (input - target) ** 2 / floor) * 0.5
    if full:
        loss += 0.5 * math.log(2 * math.pi)
    return _reduced(loss, word, None)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Optional[Callable[[Tensor, Tensor], Tensor]] = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    get_enum(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    distance = torch.pairwise_distance if distance_function is None else distance_function
    near = distance(anchor, positive)
    far = distance(anchor, negative)
    if swap:
        far = torch.minimum(far, distance(positive, negative))
    return _reduced(torch.clamp_min(near + margin - far, 0), reduction, None)
