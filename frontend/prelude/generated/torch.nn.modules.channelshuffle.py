"""Layers, made by `cargo xtask codegen` from frontend/prelude/layers/channelshuffle.td; do not edit."""
import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.module import Module


class ChannelShuffle(Module):
    """The channels of all groups in turn: a matrix of groups, transposed."""

    __constants__ = ["groups"]
    groups: int

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def extra_repr(self) -> str:
        return f"groups={self.groups}"

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, groups=self.groups)
