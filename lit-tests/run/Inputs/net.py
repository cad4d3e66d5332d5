import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n: int, deep: bool = False):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(n, n) for _ in range(3 if deep else 1)])
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x):
        self.calls += 1
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x.size(0), self.calls
