"""A model that calls operators of a library: see mine.c."""

from typing import List, Tuple

import torch
from torch import nn


class Scaled(nn.Module):
    def forward(self, x):
        y = torch.ops.mine.scale(x, by=3.0)
        return torch.ops.mine.clip_(y, most=10.0)

    @torch.jit.export
    def counts(self, xs: List[torch.Tensor]) -> Tuple[List[int], str]:
        return torch.ops.mine.counts(xs)
