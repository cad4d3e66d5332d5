"""A chain of products whose order decides what it costs."""
# inputs: 256x256xf32 256x256xf32 256x256xf32 256x4xf32
import torch
from torch import nn, Tensor


class M(nn.Module):
    def forward(self, a: Tensor, b: Tensor, c: Tensor, d: Tensor) -> Tensor:
        return torch.mm(torch.mm(torch.mm(a, b), c), d)
