"""Functions that put sliding blocks and margins around images: pad, fold, unfold."""

from typing import List, Optional

import torch
from torch._jit_internal import BroadcastingList2


def pad(input: torch.Tensor, pad: List[int], mode: str = "constant", value: Optional[float] = None) -> torch.Tensor:
    return torch._C._nn.pad(input, pad, mode, value)


def fold(
    input: torch.Tensor,
    output_size: BroadcastingList2[int],
    kernel_size: BroadcastingList2[int],
    dilation: BroadcastingList2[int] = 1,
    padding: BroadcastingList2[int] = 0,
    stride: BroadcastingList2[int] = 1,
) -> torch.Tensor:
    return torch._C._nn.col2im(input, output_size, kernel_size, dilation, padding, stride)


def unfold(
    input: torch.Tensor,
    kernel_size: BroadcastingList2[int],
    dilation: BroadcastingList2[int] = 1,
    padding: BroadcastingList2[int] = 0,
    stride: BroadcastingList2[int] = 1,
) -> torch.Tensor:
    return torch._C._nn.im2col(input, kernel_size, dilation, padding, stride)
