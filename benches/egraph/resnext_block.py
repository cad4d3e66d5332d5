"""A bottleneck of ResNeXt-50: 1x1, grouped 3x3 and 1x1 convolutions, each normalised."""
# inputs: 1x256x14x14xf32
import torch
from torch import nn, Tensor


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(256, 128, 1, bias=False)
        self.n1 = nn.BatchNorm2d(128)
        self.c2 = nn.Conv2d(128, 128, 3, padding=1, groups=32, bias=False)
        self.n2 = nn.BatchNorm2d(128)
        self.c3 = nn.Conv2d(128, 256, 1, bias=False)
        self.n3 = nn.BatchNorm2d(256)
        self.eval()

    def forward(self, x: Tensor) -> Tensor:
        y = torch.relu(self.n1(self.c1(x)))
        y = torch.relu(self.n2(self.c2(y)))
        return torch.relu(self.n3(self.c3(y)) + x)
