"""Dropout in its forms: single elements, whole channels, and the two that keep a SELU's mean and variance."""

from torch import Tensor
from torch.nn import functional as F
from .module import Module


class _DropoutNd(Module):
    """A probability, and whether the input is overwritten; subclasses say which operator is called."""

    __constants__ = ["p", "inplace"]
    inplace: bool
    p: float

    def __init__(self, p=0.5, inplace=False):
        if not 0 <= p <= 1:
            raise ValueError(f"p is a probability: expected 0 to 1, got {p}")
        super().__init__()
        for name, value in [("p", p), ("inplace", inplace)]:
            setattr(self, name, value)


class FeatureAlphaDropout(_DropoutNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.feature_alpha_dropout(input, p=self.p, training=self.training)


class AlphaDropout(_DropoutNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.alpha_dropout(input, p=self.p, training=self.training)


class Dropout3d(_DropoutNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.dropout3d(input, p=self.p, training=self.training, inplace=self.inplace)


class Dropout2d(_DropoutNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.dropout2d(input, p=self.p, training=self.training, inplace=self.inplace)


class Dropout1d(_DropoutNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.dropout1d(input, p=self.p, training=self.training, inplace=self.inplace)


class Dropout(_DropoutNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, p=self.p, training=self.training, inplace=self.inplace)
