"""Two layers of BERT-base's encoder at half width, gelu written out by erf."""
# inputs: 1x128x384xf32 1x1x1x128xf32
import torch
from torch import nn, Tensor


class Attention(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.size = width // heads
        self.q = nn.Linear(width, width)
        self.k = nn.Linear(width, width)
        self.v = nn.Linear(width, width)
        self.out = nn.Linear(width, width)

    def split(self, x: Tensor) -> Tensor:
        return x.view(x.size(0), x.size(1), self.heads, self.size).transpose(1, 2)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        scores = torch.matmul(q, k.transpose(-1, -2)) / 8.0 + mask
        y = torch.matmul(torch.softmax(scores, -1), v).transpose(1, 2).contiguous()
        return self.out(y.view(x.size(0), x.size(1), -1))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention(384, 6)
        self.n1 = nn.LayerNorm(384, eps=1e-12)
        self.fc1 = nn.Linear(384, 1536)
        self.fc2 = nn.Linear(1536, 384)
        self.n2 = nn.LayerNorm(384, eps=1e-12)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = self.n1(x + self.attention(x, mask))
        y = self.fc1(x)
        y = y * 0.5 * (1.0 + torch.erf(y / 1.4142135623730951))
        return self.n2(x + self.fc2(y))


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Layer()
        self.b = Layer()

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        return self.b(self.a(x, mask), mask)
