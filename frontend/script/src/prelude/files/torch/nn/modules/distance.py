"""Distances of vectors."""

from torch import Tensor
from torch.nn import functional as F
from typing import List, Optional, Tuple, Union
from .module import Module


class PairwiseDistance(Module):
    __constants__ = ["norm", "eps", "keepdim"]
    norm: float
    eps: float
    keepdim: bool

    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        super().__init__()
        for name, value in [("norm", p), ("eps", eps), ("keepdim", keepdim)]:
            setattr(self, name, value)

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class CosineSimilarity(Module):
    __constants__ = ["dim", "eps"]
    dim: int
    eps: float

    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        settings = {"dim": dim, "eps": eps}
        for name, value in settings.items():
            setattr(self, name, value)

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)
