"""A block of a diffusion U-Net: two normalised convolutions with an embedding of time, and attention over pixels."""
# inputs: 1x64x16x16xf32 1x128xf32
import torch
from torch import nn, Tensor


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1 = nn.GroupNorm(8, 64)
        self.c1 = nn.Conv2d(64, 64, 3, padding=1)
        self.time = nn.Linear(128, 64)
        self.n2 = nn.GroupNorm(8, 64)
        self.c2 = nn.Conv2d(64, 64, 3, padding=1)
        self.q = nn.Linear(64, 64)
        self.k = nn.Linear(64, 64)
        self.v = nn.Linear(64, 64)
        self.out = nn.Linear(64, 64)

    def swish(self, x: Tensor) -> Tensor:
        return x * torch.sigmoid(x)

    def heads(self, x: Tensor) -> Tensor:
        return x.view(1, -1, 4, 16).transpose(1, 2)

    def forward(self, x: Tensor, t: Tensor) -> Tensor:
        h = self.c1(self.swish(self.n1(x)))
        h = h + self.time(self.swish(t)).unsqueeze(-1).unsqueeze(-1)
        x = x + self.c2(self.swish(self.n2(h)))
        y = x.flatten(2).transpose(1, 2)
        q, k, v = self.heads(self.q(y)), self.heads(self.k(y)), self.heads(self.v(y))
        a = torch.softmax(torch.matmul(q, k.transpose(-1, -2)) / 4.0, -1)
        z = self.out(torch.matmul(a, v).transpose(1, 2).reshape(1, -1, 64))
        return x + z.transpose(1, 2).reshape(1, 64, 16, 16)
