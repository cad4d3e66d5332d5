"""A block of Llama: rms norm, rotary embeddings, silu with a gate."""
# inputs: 1x64x512xf32 1x1x64x64xf32 64x64xf32 64x64xf32
import torch
from torch import nn, Tensor


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.g1 = nn.Parameter(torch.rand(512) + 0.5)
        self.g2 = nn.Parameter(torch.rand(512) + 0.5)
        self.q = nn.Linear(512, 512, bias=False)
        self.k = nn.Linear(512, 512, bias=False)
        self.v = nn.Linear(512, 512, bias=False)
        self.o = nn.Linear(512, 512, bias=False)
        self.gate = nn.Linear(512, 1376, bias=False)
        self.up = nn.Linear(512, 1376, bias=False)
        self.down = nn.Linear(1376, 512, bias=False)

    def norm(self, x: Tensor, g: Tensor) -> Tensor:
        return g * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))

    def heads(self, x: Tensor) -> Tensor:
        return x.view(1, -1, 8, 64).transpose(1, 2)

    def turned(self, x: Tensor) -> Tensor:
        return torch.cat([-x[..., 32:], x[..., :32]], -1)

    def forward(self, x: Tensor, causal: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        y = self.norm(x, self.g1)
        q, k, v = self.heads(self.q(y)), self.heads(self.k(y)), self.heads(self.v(y))
        q = q * cos + self.turned(q) * sin
        k = k * cos + self.turned(k) * sin
        a = torch.softmax(torch.matmul(q, k.transpose(2, 3)) / 8.0 + causal, -1)
        x = x + self.o(torch.matmul(a, v).transpose(1, 2).contiguous().view(1, -1, 512))
        y = self.norm(x, self.g2)
        g = self.gate(y)
        return x + self.down(g * torch.sigmoid(g) * self.up(y))
