"""Softmax over many classes: frequent ones directly, rare ones in clusters of their own."""
import collections
from typing import List

import torch
from torch import Tensor
from torch.nn.modules.container import ModuleList, Sequential
from torch.nn.modules.linear import Linear
from torch.nn.modules.module import Module

_Result = collections.namedtuple("_Result", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    in_features: int
    n_classes: int
    cutoffs: List[int]
    div_value: float
    head_bias: bool
    head: Linear
    tail: ModuleList

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        edges = list(cutoffs)
        rising = all([low < high for low, high in zip([0] + edges, edges + [n_classes])])
        if not edges or not rising or any([int(edge) != edge for edge in edges]):
            raise ValueError("cutoffs should be a sequence of unique, positive integers sorted in an increasing order, "
                             "where each value is between 1 and n_classes-1")
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = edges + [n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = edges[0]
        self.n_clusters = len(edges)
        self.head_size = edges[0] + len(edges)

        def layer(inputs, outputs, bias=False):
            return Linear(inputs, outputs, bias=bias, device=device, dtype=dtype)

        self.head = layer(in_features, self.head_size, head_bias)
        self.tail = ModuleList()
        for power, (low, high) in enumerate(zip(edges, self.cutoffs[1:]), 1):
            narrow = int(in_features // div_value ** power)
            self.tail.append(Sequential(layer(in_features, narrow), layer(narrow, high - low)))

    def reset_parameters(self):
        for module in self.modules():
            if isinstance(module, Linear):
                module.reset_parameters()

    def log_prob(self, input: Tensor) -> Tensor:
        """Of all classes; a rare class has the probability of its cluster times its own there."""
        start = torch.log_softmax(self.head(input), 1)
        columns = [start[:, :self.shortlist_size]]
        for number, cluster in enumerate(self.tail):
            place = self.shortlist_size + number
            columns.append(torch.log_softmax(cluster(input), 1) + start[:, place:place + 1])
        return torch.cat(columns, 1)

    def predict(self, input: Tensor) -> Tensor:
        return self.log_prob(input).argmax(1)

    def forward(self, input_: Tensor, target_: Tensor):
        single = target_.dim() == 0
        input, target = (input_.unsqueeze(0), target_.unsqueeze(0)) if single else (input_, target_)
        if input.size(0) != target.size(0):
            raise RuntimeError("Input and target should have the same size in the batch dimension.")
        least, most = target.min().item(), target.max().item()
        if least < 0 or most >= self.n_classes:
            raise RuntimeError(f"Target values should be in [0, {self.n_classes - 1}], "
                               f"but values in range [{least}, {most}] were found.")
        chosen = self.log_prob(input).gather(1, target.unsqueeze(1)).squeeze(1)
        return _Result(chosen.squeeze(0) if single else chosen, chosen.neg().mean())
