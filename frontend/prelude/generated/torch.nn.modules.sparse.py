"""Layers, made by `cargo xtask codegen` from frontend/prelude/layers/sparse.td; do not edit."""
import torch.nn.functional as F
from typing import Optional
from torch import Tensor
from torch.nn import init
from torch.nn.modules._layer import _begin, _matrix, _own, _refuse, _zero_row
from torch.nn.modules.module import Module


class Embedding(Module):
    """Rows of weight; with max_norm the rows that are used are scaled down to it first."""

    __constants__ = [
        "num_embeddings",
        "embedding_dim",
        "padding_idx",
        "max_norm",
        "norm_type",
        "scale_grad_by_freq",
        "sparse",
    ]
    num_embeddings: int
    embedding_dim: int
    padding_idx: Optional[int]
    max_norm: Optional[float]
    norm_type: float
    scale_grad_by_freq: bool
    sparse: bool
    weight: Tensor

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: Optional[int] = None,
        max_norm: Optional[float] = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Optional[Tensor] = None,
        _freeze: bool = False,
        device=None,
        dtype=None,
    ) -> None:
        _refuse(
            padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings,
            AssertionError,
            "Padding_idx must be within num_embeddings",
        )
        _refuse(
            _weight is not None and list(_weight.shape) != [num_embeddings, embedding_dim],
            AssertionError,
            "Shape of weight does not match num_embeddings and embedding_dim",
        )
        padding_idx = padding_idx + num_embeddings if padding_idx is not None and padding_idx < 0 else padding_idx
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        _own(self, device, dtype, weight=(num_embeddings, embedding_dim) if _weight is None else _weight)
        if _weight is None:
            self.reset_parameters()
        self.weight.requires_grad_(not _freeze)

    def reset_parameters(self) -> None:
        _begin(self.weight, init.normal_)
        _begin(self.weight, _zero_row, self.padding_idx)

    def extra_repr(self) -> str:
        return (
            f"{self.num_embeddings}, {self.embedding_dim}"
            + (f", padding_idx={self.padding_idx}" if self.padding_idx is not None else "")
            + (f", max_norm={self.max_norm}" if self.max_norm is not None else "")
            + (f", norm_type={self.norm_type}" if self.norm_type != 2.0 else "")
            + (", scale_grad_by_freq=True" if self.scale_grad_by_freq else "")
            + (", sparse=True" if self.sparse else "")
        )

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(
            input,
            padding_idx=self.padding_idx,
            max_norm=self.max_norm,
            norm_type=self.norm_type,
            scale_grad_by_freq=self.scale_grad_by_freq,
            sparse=self.sparse,
            weight=self.weight,
        )

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0,
                        scale_grad_by_freq=False, sparse=False):
        return cls(*_matrix(embeddings), padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse,
                   _weight=embeddings, _freeze=freeze)


class EmbeddingBag(Module):
    """Sums, means or maxima of rows of weight, by bag."""

    __constants__ = [
        "num_embeddings",
        "embedding_dim",
        "max_norm",
        "norm_type",
        "scale_grad_by_freq",
        "padding_idx",
        "mode",
        "sparse",
        "include_last_offset",
    ]
    num_embeddings: int
    embedding_dim: int
    max_norm: Optional[float]
    norm_type: float
    scale_grad_by_freq: bool
    padding_idx: Optional[int]
    mode: str
    sparse: bool
    include_last_offset: bool
    weight: Tensor

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: Optional[float] = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Optional[Tensor] = None,
        include_last_offset: bool = False,
        padding_idx: Optional[int] = None,
        device=None,
        dtype=None,
    ) -> None:
        _refuse(
            padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings,
            AssertionError,
            "padding_idx must be within num_embeddings",
        )
        _refuse(
            _weight is not None and list(_weight.shape) != [num_embeddings, embedding_dim],
            AssertionError,
            "Shape of weight does not match num_embeddings and embedding_dim",
        )
        padding_idx = padding_idx + num_embeddings if padding_idx is not None and padding_idx < 0 else padding_idx
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.padding_idx = padding_idx
        self.mode = mode
        self.sparse = sparse
        self.include_last_offset = include_last_offset
        _own(self, device, dtype, weight=(num_embeddings, embedding_dim) if _weight is None else _weight)
        if _weight is None:
            self.reset_parameters()

    def reset_parameters(self) -> None:
        _begin(self.weight, init.normal_)
        _begin(self.weight, _zero_row, self.padding_idx)

    def extra_repr(self) -> str:
        return (
            f"{self.num_embeddings}, {self.embedding_dim}"
            + (f", max_norm={self.max_norm}" if self.max_norm is not None else "")
            + (f", norm_type={self.norm_type}" if self.norm_type != 2.0 else "")
            + (", scale_grad_by_freq=True" if self.scale_grad_by_freq else "")
            + f", mode={self.mode!r}"
            + (f", padding_idx={self.padding_idx}" if self.padding_idx is not None else "")
        )

    def forward(
        self,
        input: Tensor,
        offsets: Optional[Tensor] = None,
        per_sample_weights: Optional[Tensor] = None,
    ) -> Tensor:
        return F.embedding_bag(
            input,
            max_norm=self.max_norm,
            norm_type=self.norm_type,
            scale_grad_by_freq=self.scale_grad_by_freq,
            mode=self.mode,
            sparse=self.sparse,
            include_last_offset=self.include_last_offset,
            padding_idx=self.padding_idx,
            weight=self.weight,
            offsets=offsets,
            per_sample_weights=per_sample_weights,
        )

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                        mode="mean", sparse=False, include_last_offset=False, padding_idx=None):
        made = cls(*_matrix(embeddings), max_norm, norm_type, scale_grad_by_freq, mode, sparse, embeddings,
                   include_last_offset, padding_idx)
        made.weight.requires_grad_(not freeze)
        return made
