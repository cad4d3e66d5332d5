"""Rows of a table by their indices: embedding, embedding_bag."""

import warnings
from typing import Optional, Tuple

import torch
from torch import Tensor


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: Optional[int] = None,
    max_norm: Optional[float] = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    # The operator's word for no padding is -1, so that indices from the end must be turned round.
    padding = -1
    if padding_idx is not None:
        rows = weight.size(0)
        assert -rows <= padding_idx and padding_idx < rows, "Padding_idx must be within num_embeddings"
        padding = padding_idx if padding_idx >= 0 else padding_idx + rows
    # Compiled programs do not rescale rows to `max_norm`.
    indices = input if max_norm is None else input.contiguous()
    return torch.embedding(weight, indices, padding, scale_grad_by_freq, sparse)


def _bag_mode(mode: str, scale_grad_by_freq: bool, sparse: bool) -> int:
    if mode == "max":
        if scale_grad_by_freq:
            raise ValueError("max mode does not support scaling the gradient by the frequency")
        if sparse:
            raise ValueError("max mode does not support sparse weights")
        return 2
    if mode == "mean":
        return 1
    if mode != "sum":
        raise ValueError("mode has to be one of sum, mean or max")
    return 0


def _indices_first(input: Tensor, weight: Tensor) -> Tuple[Tensor, Tensor]:
    if weight.dtype != torch.long or not input.is_floating_point():
        return input, weight
    warnings.warn(
        "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is "
        "deprecated, and should now be `embedding_bag(input, weight, ...)`."
    )
    return weight, input


def _begins(indices: Tensor, offsets: Optional[Tensor]) -> Tensor:
    """Where each bag begins among all indices; the rows of a matrix are bags."""
    rank = indices.dim()
    if rank != 1 and rank != 2:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {rank}")
    if offsets is None:
        if rank == 1:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        width = indices.size(1)
        return torch.arange(0, indices.numel(), width, dtype=torch.long, device=indices.device)
    if rank == 2:
        raise ValueError(
            "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
            "sequences. However, found offsets of type <unknown>"
        )
    if offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    return offsets


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Optional[Tensor] = None,
    max_norm: Optional[float] = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Optional[Tensor] = None,
    include_last_offset: bool = False,
    padding_idx: Optional[int] = None,
) -> Tensor:
    indices, table = _indices_first(input, weight)
    scales = per_sample_weights
    if not (scales is None or scales.size() == indices.size()):
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({scales.size()}) is not None, then it must have the same shape as "
            f"the input ({indices.size()})"
        )
    if table.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {table.dim()}")
    begins = _begins(indices, offsets)
    closed = include_last_offset
    if indices.dim() == 2:
        indices = indices.reshape(-1)
        scales = None if scales is None else scales.reshape(-1)
        closed = False
    number = _bag_mode(mode, scale_grad_by_freq, sparse)
    if mode != "sum" and scales is not None:
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' "
            f"(got mode='{mode}'). Please open a feature request on GitHub."
        )
    # Compiled programs do not rescale rows to `max_norm`.
    return torch.embedding_bag(
        table, indices, begins, scale_grad_by_freq, number, sparse, scales, closed, padding_idx
    )[0]
