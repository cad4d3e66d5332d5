"""Channels rearranged."""

from torch import Tensor
from torch.nn import functional as F
from typing import List, Optional, Tuple, Union
from .module import Module


class ChannelShuffle(Module):
    __constants__ = ["groups"]
    groups: int

    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)
