"""What the losses share: the reduction's word and number, targets of another size, weights, means."""

import warnings
from typing import Optional, Tuple

import torch
from torch import Tensor
from torch.nn._reduction import get_enum, legacy_get_string


def _reduction_word(size_average: Optional[bool], reduce: Optional[bool], reduction: str) -> str:
    """The deprecated arguments win, if either is given."""
    if size_average is None and reduce is None:
        return reduction
    return legacy_get_string(size_average, reduce)


def _reduction_number(size_average: Optional[bool], reduce: Optional[bool], reduction: str) -> int:
    return get_enum(_reduction_word(size_average, reduce, reduction))


def _paired(input: Tensor, target: Tensor) -> Tuple[Tensor, Tensor]:
    """Both in their common size."""
    if target.size() != input.size():
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This will "
            "likely lead to incorrect results due to broadcasting. Please ensure they have the same size."
        )
    pair = torch.broadcast_tensors([input, target])
    return pair[0], pair[1]


def _expanded(weight: Optional[Tensor], target: Tensor) -> Optional[Tensor]:
    if weight is None:
        return None
    return weight.expand(torch._infer_size(target.size(), weight.size()))


def _of_size(weight: Optional[Tensor], input: Tensor) -> Optional[Tensor]:
    if weight is None or weight.size() == input.size():
        return weight
    raise ValueError("Weights and input must have the same size.")


def _reduced(loss: Tensor, word: str, weight: Optional[Tensor]) -> Tensor:
    """With `weight`, whose elements `loss` is multiplied by, the mean is the weighted one."""
    if word == "none":
        return loss
    if word == "sum":
        return torch.sum(loss)
    if word != "mean":
        raise ValueError(f"Invalid reduction mode: {word}. Expected one of 'none', 'mean', 'sum'.")
    return torch.mean(loss) if weight is None else torch.sum(loss) / torch.sum(weight)


def _valid_word(word: str) -> str:
    if word not in ("none", "mean", "sum"):
        raise ValueError(f"{word} is not valid")
    return word
