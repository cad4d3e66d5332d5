"""A layer of Whisper's encoder: queries are scaled, keys have no bias."""
# inputs: 1x150x384xf32
import torch
from torch import nn, Tensor


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1 = nn.LayerNorm(384)
        self.q = nn.Linear(384, 384)
        self.k = nn.Linear(384, 384, bias=False)
        self.v = nn.Linear(384, 384)
        self.out = nn.Linear(384, 384)
        self.n2 = nn.LayerNorm(384)
        self.fc1 = nn.Linear(384, 1536)
        self.fc2 = nn.Linear(1536, 384)

    def heads(self, x: Tensor) -> Tensor:
        return x.view(1, -1, 6, 64).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:
        y = self.n1(x)
        q, k, v = self.heads(self.q(y) * 0.125), self.heads(self.k(y)), self.heads(self.v(y))
        a = torch.softmax(torch.matmul(q, k.transpose(2, 3)), -1)
        x = x + self.out(torch.matmul(a, v).transpose(1, 2).reshape(1, -1, 384))
        return x + self.fc2(torch.nn.functional.gelu(self.fc1(self.n2(x))))
