"""Tables of vectors."""

import torch
from torch import Tensor
from torch.nn import functional as F, init
from torch.nn.parameter import Parameter
from typing import List, Optional, Tuple, Union
from .module import Module


def _row(wanted, rows):
    # The row that holds the padding, counted from the front.
    if wanted is None:
        return None
    found = wanted if wanted >= 0 else wanted + rows
    if found < 0 or found >= rows:
        raise AssertionError(f"padding_idx {wanted} is not a row of a table of {rows}")
    return found


def _sides(table):
    if table.dim() != 2:
        raise AssertionError("expected embeddings of two dimensions")
    rows, width = table.shape
    return rows, width


class _Table(Module):
    # What the two modules share: a weight of one vector a row.

    def _take_weight(self, given, learns, device, dtype):
        sides = [self.num_embeddings, self.embedding_dim]
        if given is not None and list(given.shape) != sides:
            raise AssertionError(f"expected a weight of shape {sides}")
        fresh = given is None
        values = torch.empty((sides[0], sides[1]), device=device, dtype=dtype) if fresh else given
        self.weight = Parameter(values, requires_grad=learns)
        if fresh:
            self.reset_parameters()

    def reset_parameters(self):
        pad = self.padding_idx
        init.normal_(self.weight)
        if pad is not None:
            self.weight[pad].fill_(0)


class EmbeddingBag(_Table):
    num_embeddings: int
    embedding_dim: int
    max_norm: Optional[float]
    norm_type: float
    scale_grad_by_freq: bool
    weight: Tensor
    mode: str
    sparse: bool
    include_last_offset: bool
    padding_idx: Optional[int]
    __constants__ = [
        "num_embeddings", "embedding_dim", "max_norm", "norm_type", "scale_grad_by_freq",
        "mode", "sparse", "include_last_offset", "padding_idx",
    ]

    def __init__(
        self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
        mode="mean", sparse=False, _weight=None, include_last_offset=False, padding_idx=None,
        device=None, dtype=None,
    ):
        super().__init__()
        before = [
            ("num_embeddings", num_embeddings), ("embedding_dim", embedding_dim), ("max_norm", max_norm),
            ("norm_type", norm_type), ("scale_grad_by_freq", scale_grad_by_freq),
            ("padding_idx", _row(padding_idx, num_embeddings)),
        ]
        for key, value in before:
            setattr(self, key, value)
        self._take_weight(_weight, True, device, dtype)
        for key, value in [("mode", mode), ("sparse", sparse), ("include_last_offset", include_last_offset)]:
            setattr(self, key, value)

    def forward(
        self, input: Tensor, offsets: Optional[Tensor] = None, per_sample_weights: Optional[Tensor] = None
    ) -> Tensor:
        return F.embedding_bag(
            input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq,
            self.mode, self.sparse, per_sample_weights, self.include_last_offset, self.padding_idx,
        )

    @classmethod
    def from_pretrained(
        cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
        mode="mean", sparse=False, include_last_offset=False, padding_idx=None,
    ):
        rows, width = _sides(embeddings)
        bag = cls(
            rows, width, max_norm, norm_type, scale_grad_by_freq, mode, sparse,
            embeddings, include_last_offset, padding_idx,
        )
        bag.weight.requires_grad = not freeze
        return bag


class Embedding(_Table):
    num_embeddings: int
    embedding_dim: int
    padding_idx: Optional[int]
    max_norm: Optional[float]
    norm_type: float
    scale_grad_by_freq: bool
    weight: Tensor
    freeze: bool
    sparse: bool
    __constants__ = [
        "num_embeddings", "embedding_dim", "padding_idx", "max_norm", "norm_type", "scale_grad_by_freq", "sparse",
    ]

    def __init__(
        self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0,
        scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, device=None, dtype=None,
    ):
        super().__init__()
        before = [
            ("num_embeddings", num_embeddings), ("embedding_dim", embedding_dim),
            ("padding_idx", _row(padding_idx, num_embeddings)), ("max_norm", max_norm),
            ("norm_type", norm_type), ("scale_grad_by_freq", scale_grad_by_freq),
        ]
        for key, value in before:
            setattr(self, key, value)
        self._take_weight(_weight, not _freeze, device, dtype)
        self.sparse = sparse

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        )

    @classmethod
    def from_pretrained(
        cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0,
        scale_grad_by_freq=False, sparse=False,
    ):
        rows, width = _sides(embeddings)
        return cls(
            rows, width, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, embeddings, freeze
        )
