"""Normalisation that is more than one operator, and what the checks of the others need."""

from typing import List

import torch
from torch import Tensor


def _product(sizes: List[int]) -> int:
    count = 1
    for size in sizes:
        count *= size
    return count


def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    sizes = input.size()
    if len(sizes) < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality                          input (got {len(sizes)} dimensions)"
        )
    if input.numel() == 0:
        return input
    # A pool along the channels gives the means; the padding gives each channel `size` neighbours.
    ends = [size // 2, (size - 1) // 2]
    squares = input * input
    if len(sizes) == 3:
        padded = torch._C._nn.pad(squares.unsqueeze(1), [0, 0] + ends)
        mean = torch.avg_pool2d(padded, [size, 1], [1, 1]).squeeze(1)
    else:
        planes = squares.view([sizes[0], 1, sizes[1], sizes[2], -1])
        padded = torch._C._nn.pad(planes, [0, 0, 0, 0] + ends)
        mean = torch.avg_pool3d(padded, [size, 1, 1], [1, 1, 1]).squeeze(1).view(sizes)
    return input / (mean * alpha + k) ** beta
