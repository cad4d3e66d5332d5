"""Two fire modules of SqueezeNet, with activations before what is joined."""
# inputs: 1x64x28x28xf32
import torch
from torch import nn, Tensor


class Fire(nn.Module):
    def __init__(self, n: int, s: int, e: int):
        super().__init__()
        self.squeeze = nn.Conv2d(n, s, 1)
        self.e1 = nn.Conv2d(s, e, 1)
        self.e3 = nn.Conv2d(s, e, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        y = torch.relu(self.squeeze(x))
        return torch.cat([torch.relu(self.e1(y)), torch.relu(self.e3(y))], 1)


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Fire(64, 16, 64)
        self.b = Fire(128, 16, 64)

    def forward(self, x: Tensor) -> Tensor:
        return self.b(self.a(x))
