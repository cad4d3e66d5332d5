"""Attention of Swin in windows of 7x7: one layer for queries, keys and values, a bias for each pair of places."""
# inputs: 16x49x96xf32
import torch
from torch import nn, Tensor


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(96, 288)
        self.out = nn.Linear(96, 96)
        self.bias = nn.Parameter(torch.randn(1, 3, 49, 49) * 0.02)

    def forward(self, x: Tensor) -> Tensor:
        qkv = self.qkv(x).reshape(16, 49, 3, 3, 32).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        q = q * 0.17677669529663687
        a = torch.softmax(torch.matmul(q, k.transpose(-2, -1)) + self.bias, -1)
        return self.out(torch.matmul(a, v).transpose(1, 2).reshape(16, 49, 96))
