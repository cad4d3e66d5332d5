"""A small module with what an interface has to carry: tensors, numbers, names, lists, a dictionary, an exception."""
import torch
from torch import nn, Tensor
from typing import Dict, List, Tuple


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 2)
        with torch.no_grad():
            self.layer.weight.copy_(torch.tensor([[1.0, 0.0, -1.0], [0.5, 0.5, 0.5]]))
            self.layer.bias.fill_(0.25)

    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        return torch.relu(self.layer(x)) * scale

    @torch.jit.export
    def best(self, names: List[str], x: Tensor) -> Tuple[str, Dict[str, float]]:
        scores = self.forward(x, 1.0).sum(0)
        if len(names) != scores.size(0):
            raise ValueError("as many names as scores are expected")
        by_name: Dict[str, float] = {}
        best = 0
        for i, name in enumerate(names):
            by_name[name] = float(scores[i])
            if scores[i] > scores[best]:
                best = i
        return names[best], by_name

    @torch.jit.export
    def forever(self) -> int:
        n = 0
        while n >= 0:
            n += 1
        return n
