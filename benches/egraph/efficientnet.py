"""A block of EfficientNet: inverted bottleneck with squeeze and excitation, silu written out."""
# inputs: 1x40x28x28xf32
import torch
from torch import nn, Tensor


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.expand = nn.Conv2d(40, 240, 1, bias=False)
        self.n1 = nn.BatchNorm2d(240)
        self.dw = nn.Conv2d(240, 240, 5, padding=2, groups=240, bias=False)
        self.n2 = nn.BatchNorm2d(240)
        self.reduce = nn.Conv2d(240, 10, 1)
        self.widen = nn.Conv2d(10, 240, 1)
        self.project = nn.Conv2d(240, 40, 1, bias=False)
        self.n3 = nn.BatchNorm2d(40)
        self.eval()

    def swish(self, x: Tensor) -> Tensor:
        return x * torch.sigmoid(x)

    def forward(self, x: Tensor) -> Tensor:
        y = self.swish(self.n1(self.expand(x)))
        y = self.swish(self.n2(self.dw(y)))
        s = torch.mean(y, [2, 3], True)
        y = y * torch.sigmoid(self.widen(self.swish(self.reduce(s))))
        return x + self.n3(self.project(y))
