"""A cell of NASRNN: eight products of the input and eight of the state, in a tree of gates."""
# inputs: 8x256xf32 8x256xf32
import torch
from torch import nn, Tensor


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.x0 = nn.Linear(256, 256, bias=False)
        self.x1 = nn.Linear(256, 256, bias=False)
        self.x2 = nn.Linear(256, 256, bias=False)
        self.x3 = nn.Linear(256, 256, bias=False)
        self.h0 = nn.Linear(256, 256, bias=False)
        self.h1 = nn.Linear(256, 256, bias=False)
        self.h2 = nn.Linear(256, 256, bias=False)
        self.h3 = nn.Linear(256, 256, bias=False)

    def forward(self, x: Tensor, h: Tensor) -> Tensor:
        a = torch.sigmoid(self.x0(x) + self.h0(h))
        b = torch.relu(self.x1(x) + self.h1(h))
        c = torch.sigmoid(self.x2(x) + self.h2(h))
        d = torch.tanh(self.x3(x) + self.h3(h))
        return torch.tanh(a * b) + torch.tanh(c * d)
