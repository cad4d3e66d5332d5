"""A block of a small vision transformer behind its patches."""
# inputs: 1x3x112x112xf32
import torch
from torch import nn, Tensor


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = nn.Conv2d(3, 192, 16, stride=16)
        self.n1 = nn.LayerNorm(192)
        self.q = nn.Linear(192, 192)
        self.k = nn.Linear(192, 192)
        self.v = nn.Linear(192, 192)
        self.out = nn.Linear(192, 192)
        self.n2 = nn.LayerNorm(192)
        self.fc1 = nn.Linear(192, 768)
        self.fc2 = nn.Linear(768, 192)

    def heads(self, x: Tensor) -> Tensor:
        return x.reshape(x.size(0), x.size(1), 3, 64).transpose(1, 2)

    def forward(self, image: Tensor) -> Tensor:
        x = self.patch(image).flatten(2).transpose(1, 2)
        y = self.n1(x)
        q, k, v = self.heads(self.q(y)) * 0.125, self.heads(self.k(y)), self.heads(self.v(y))
        a = torch.softmax(torch.matmul(q, k.transpose(-2, -1)), -1)
        x = x + self.out(torch.matmul(a, v).transpose(1, 2).reshape(1, -1, 192))
        return x + self.fc2(torch.nn.functional.gelu(self.fc1(self.n2(x))))
