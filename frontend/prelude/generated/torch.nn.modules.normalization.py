"""Layers, made by `cargo xtask codegen` from frontend/prelude/layers/normalization.td; do not edit."""
import torch
import torch.nn.functional as F
from typing import List, Optional, Tuple, Union
from torch import Tensor
from torch.nn import init
from torch.nn.modules._layer import _begin, _own, _refuse
from torch.nn.modules.module import Module
from torch.nn.modules.normalization import _across_channels


class LayerNorm(Module):
    """(x - mean) / sqrt(variance + eps) weight + bias, over the last dimensions."""

    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]
    normalized_shape: Tuple[int, ...]
    eps: float
    elementwise_affine: bool

    def __init__(
        self,
        normalized_shape: Union[int, List[int], torch.Size],
        eps: float = 1e-05,
        elementwise_affine: bool = True,
        bias: bool = True,
        device=None,
        dtype=None,
    ) -> None:
        normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        super().__init__()
        self.normalized_shape = normalized_shape
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        _own(
            self,
            device,
            dtype,
            weight=normalized_shape if elementwise_affine else None,
            bias=normalized_shape if elementwise_affine and bias else None,
        )
        self.reset_parameters()

    def reset_parameters(self) -> None:
        _begin(self.weight, init.ones_)
        _begin(self.bias, init.zeros_)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
            + f", bias={self.bias is not None}"
        )

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(
            input,
            normalized_shape=self.normalized_shape,
            eps=self.eps,
            weight=self.weight,
            bias=self.bias,
        )


class RMSNorm(Module):
    """x / sqrt(mean of squares + eps) weight, over the last dimensions."""

    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]
    normalized_shape: Tuple[int, ...]
    eps: Optional[float]
    elementwise_affine: bool

    def __init__(
        self,
        normalized_shape: Union[int, List[int], torch.Size],
        eps: Optional[float] = None,
        elementwise_affine: bool = True,
        device=None,
        dtype=None,
    ) -> None:
        normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        super().__init__()
        self.normalized_shape = normalized_shape
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        _own(self, device, dtype, weight=normalized_shape if elementwise_affine else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        _begin(self.weight, init.ones_)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, normalized_shape=self.normalized_shape, eps=self.eps, weight=self.weight)


class GroupNorm(Module):
    """(x - mean) / sqrt(variance + eps) weight + bias, over each group of channels."""

    __constants__ = ["num_groups", "num_channels", "eps", "affine"]
    num_groups: int
    num_channels: int
    eps: float
    affine: bool

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-05,
        affine: bool = True,
        device=None,
        dtype=None,
        *,
        bias: bool = True,
    ) -> None:
        _refuse(
            num_channels % num_groups != 0,
            ValueError,
            f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})",
        )
        super().__init__()
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        _own(
            self,
            device,
            dtype,
            weight=(num_channels,) if affine else None,
            bias=(num_channels,) if affine and bias else None,
        )
        self.reset_parameters()

    def reset_parameters(self) -> None:
        _begin(self.weight, init.ones_)
        _begin(self.bias, init.zeros_)

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}"
            + f", bias={self.bias is not None}"
        )

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, num_groups=self.num_groups, eps=self.eps, weight=self.weight, bias=self.bias)


class LocalResponseNorm(Module):
    """x / (k + alpha mean of squares of neighbouring channels)^beta."""

    __constants__ = ["size", "alpha", "beta", "k"]
    size: int
    alpha: float
    beta: float
    k: float

    def __init__(self, size: int, alpha: float = 0.0001, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, size=self.size, alpha=self.alpha, beta=self.beta, k=self.k)


class CrossMapLRN2d(Module):
    """As LocalResponseNorm, for images, by a sum that slides over the channels."""

    size: int
    alpha: float
    beta: float
    k: float

    def __init__(self, size: int, alpha: float = 0.0001, beta: float = 0.75, k: float = 1) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"

    def forward(self, input: Tensor) -> Tensor:
        return _across_channels(input, size=self.size, alpha=self.alpha, beta=self.beta, k=float(self.k))
