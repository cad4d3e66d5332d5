"""The cross entropy of a linear layer's outputs, with the layer inside."""
import math
from typing import List, Optional, Tuple

import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.linear import Linear
from torch.nn.modules.module import Module


class LinearCrossEntropyLoss(Module):
    __constants__ = ["num_classes", "out_features", "reduction", "ignore_index", "label_smoothing"]
    num_classes: int
    out_features: Tuple[int, ...]
    reduction: str
    ignore_index: Optional[int]
    label_smoothing: float
    _shape: List[int]

    def __init__(self, in_features: int, num_classes: int, *, out_features: Tuple[int, ...] = (), bias: bool = False,
                 device=None, dtype=None, reduction: str = "mean", weight: Optional[Tensor] = None,
                 ignore_index: Optional[int] = None, label_smoothing: float = 0.0, options=None) -> None:
        super().__init__()
        self.reduction = reduction
        self.num_classes = num_classes
        self.out_features = out_features
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing
        self.options = options
        self.register_buffer("weight", weight)
        scores = num_classes * math.prod(out_features)
        self.linear = Linear(in_features, scores, bias=bias, device=device, dtype=dtype)
        self._shape = [-1, num_classes, *out_features]
        self._left_out = -100 if ignore_index is None else ignore_index

    def extra_repr(self) -> str:
        told = {"in_features": self.linear.in_features, "num_classes": self.num_classes,
                "out_features": self.out_features, "bias": self.linear.bias is not None}
        for name in ("reduction", "ignore_index", "label_smoothing", "options"):
            told[name] = getattr(self, name)
        return ", ".join([f"{name}={value}" for name, value in told.items()])

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        scores = self.linear(input).reshape(self._shape)
        return F.cross_entropy(scores, target, weight=self.weight, ignore_index=self._left_out,
                               reduction=self.reduction, label_smoothing=self.label_smoothing)
