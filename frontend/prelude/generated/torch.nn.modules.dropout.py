"""Layers, made by `cargo xtask codegen` from frontend/prelude/layers/dropout.td; do not edit."""
import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules._layer import _refuse
from torch.nn.modules.module import Module


class Dropout(Module):
    """Each element becomes 0 with probability p, the others x / (1 - p)."""

    __constants__ = ["p", "inplace"]
    p: float
    inplace: bool

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        _refuse(p < 0 or p > 1, ValueError, f"dropout probability has to be between 0 and 1, but got {p}")
        super().__init__()
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, p=self.p, inplace=self.inplace, training=self.training)


class Dropout1d(Module):
    """As Dropout, whole channels at a time."""

    __constants__ = ["p", "inplace"]
    p: float
    inplace: bool

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        _refuse(p < 0 or p > 1, ValueError, f"dropout probability has to be between 0 and 1, but got {p}")
        super().__init__()
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout1d(input, p=self.p, inplace=self.inplace, training=self.training)


class Dropout2d(Module):
    """As Dropout, whole channels at a time."""

    __constants__ = ["p", "inplace"]
    p: float
    inplace: bool

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        _refuse(p < 0 or p > 1, ValueError, f"dropout probability has to be between 0 and 1, but got {p}")
        super().__init__()
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout2d(input, p=self.p, inplace=self.inplace, training=self.training)


class Dropout3d(Module):
    """As Dropout, whole channels at a time."""

    __constants__ = ["p", "inplace"]
    p: float
    inplace: bool

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        _refuse(p < 0 or p > 1, ValueError, f"dropout probability has to be between 0 and 1, but got {p}")
        super().__init__()
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout3d(input, p=self.p, inplace=self.inplace, training=self.training)


class AlphaDropout(Module):
    """Drops to SELU's negative limit and restores mean and variance."""

    __constants__ = ["p", "inplace"]
    p: float
    inplace: bool

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        _refuse(p < 0 or p > 1, ValueError, f"dropout probability has to be between 0 and 1, but got {p}")
        super().__init__()
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"

    def forward(self, input: Tensor) -> Tensor:
        return F.alpha_dropout(input, p=self.p, training=self.training)


class FeatureAlphaDropout(Module):
    """As AlphaDropout, whole channels at a time."""

    __constants__ = ["p", "inplace"]
    p: float
    inplace: bool

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        _refuse(p < 0 or p > 1, ValueError, f"dropout probability has to be between 0 and 1, but got {p}")
        super().__init__()
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"

    def forward(self, input: Tensor) -> Tensor:
        return F.feature_alpha_dropout(input, p=self.p, training=self.training)
