"""Made by `cargo xtask codegen` from frontend/prelude/functions/loss.td; do not edit."""

from typing import Optional

import torch
from torch import Tensor
from torch.nn.functional import _expanded, _of_size, _paired, _reduced, _reduction_number, _reduction_word


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    return torch.soft_margin_loss(input, target, _reduction_number(size_average, reduce, reduction))


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    return torch.multilabel_margin_loss(input, target, _reduction_number(size_average, reduce, reduction))


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    return torch.hinge_embedding_loss(input, target, margin, _reduction_number(size_average, reduce, reduction))


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: Optional[bool] = None,
    eps: float = 1e-8,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    return torch.poisson_nll_loss(input, target, log_input, full, eps, _reduction_number(size_average, reduce, reduction))


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    return torch.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, _reduction_number(None, None, reduction), zero_infinity)


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    ignore_index: int = -100,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    return torch.nll_loss_nd(input, target, weight, _reduction_number(size_average, reduce, reduction), ignore_index)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    ignore_index: int = -100,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    return torch.cross_entropy_loss(input, target, weight, _reduction_number(size_average, reduce, reduction), ignore_index, label_smoothing)


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    number = _reduction_number(size_average, reduce, reduction)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if not (weight is None or weight.dim() == 1):
        raise ValueError("weight must be one-dimensional")
    return torch.multi_margin_loss(input, target, p, margin, weight, number)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    return torch.cosine_embedding_loss(input1, input2, target, margin, _reduction_number(size_average, reduce, reduction))


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    number = _reduction_number(size_average, reduce, reduction)
    if not (input1.dim() == input2.dim() == target.dim()):
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            f"{input1.size()}, input2: {input2.size()}, target: {target.size()}"
        )
    return torch.margin_ranking_loss(input1, input2, target, margin, number)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    number = _reduction_number(size_average, reduce, reduction)
    if 0 >= margin:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return torch.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    number = _reduction_number(size_average, reduce, reduction)
    sizes = input.size()
    if target.size() != sizes:
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({sizes}) is deprecated. "
            "Please ensure they have the same size."
        )
    return torch.binary_cross_entropy(input, target, _expanded(weight, target), number)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    pos_weight: Optional[Tensor] = None,
) -> Tensor:
    number = _reduction_number(size_average, reduce, reduction)
    sizes = input.size()
    if target.size() != sizes:
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({sizes})")
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    weight: Optional[Tensor] = None,
) -> Tensor:
    a, b = _paired(input, target)
    scale = _of_size(weight, input)
    if scale is not None:
        return _reduced(torch.abs(a - b) * scale, _reduction_word(size_average, reduce, reduction), scale)
    return torch.l1_loss(a, b, _reduction_number(size_average, reduce, reduction))


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    weight: Optional[Tensor] = None,
) -> Tensor:
    a, b = _paired(input, target)
    scale = _of_size(weight, input)
    if scale is not None:
        return _reduced(torch.pow(a - b, 2) * scale, _reduction_word(size_average, reduce, reduction), scale)
    return torch.mse_loss(a, b, _reduction_number(size_average, reduce, reduction))


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Optional[Tensor] = None,
) -> Tensor:
    a, b = _paired(input, target)
    scale = _of_size(weight, input)
    if scale is not None:
        return _reduced(torch.huber_loss(a, b, 0, delta) * scale, reduction, None)
    return torch.huber_loss(a, b, _reduction_number(None, None, reduction), delta)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    a, b = _paired(input, target)
    if beta == 0.0:
        return torch.l1_loss(a, b, _reduction_number(size_average, reduce, reduction))
    return torch.smooth_l1_loss(a, b, _reduction_number(size_average, reduce, reduction), beta)
