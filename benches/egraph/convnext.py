"""A block of ConvNeXt: depthwise 7x7, layers over the channels, a scale for each channel."""
# inputs: 1x96x28x28xf32
import torch
from torch import nn, Tensor


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.dw = nn.Conv2d(96, 96, 7, padding=3, groups=96)
        self.norm = nn.LayerNorm(96, eps=1e-6)
        self.fc1 = nn.Linear(96, 384)
        self.fc2 = nn.Linear(384, 96)
        self.gamma = nn.Parameter(torch.randn(96) * 0.1)

    def forward(self, x: Tensor) -> Tensor:
        y = self.dw(x).permute(0, 2, 3, 1)
        y = self.fc2(torch.nn.functional.gelu(self.fc1(self.norm(y))))
        return x + (y * self.gamma).permute(0, 3, 1, 2)
