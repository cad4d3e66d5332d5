"""A block of Inception with four branches, of which three begin with a 1x1 convolution of the input."""
# inputs: 1x192x28x28xf32
import torch
from torch import nn, Tensor


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.b1 = nn.Conv2d(192, 64, 1)
        self.b2 = nn.Conv2d(192, 96, 1)
        self.b2b = nn.Conv2d(96, 128, 3, padding=1)
        self.b3 = nn.Conv2d(192, 16, 1)
        self.b3b = nn.Conv2d(16, 32, 5, padding=2)
        self.b4 = nn.Conv2d(192, 32, 1)

    def forward(self, x: Tensor) -> Tensor:
        a = torch.relu(self.b1(x))
        b = torch.relu(self.b2b(torch.relu(self.b2(x))))
        c = torch.relu(self.b3b(torch.relu(self.b3(x))))
        d = torch.relu(self.b4(torch.max_pool2d(x, 3, 1, 1)))
        return torch.cat([a, b, c, d], 1)
