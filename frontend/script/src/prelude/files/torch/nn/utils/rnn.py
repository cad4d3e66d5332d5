"""Sequences of different lengths, packed."""

import torch
from torch import Tensor
from typing import List, NamedTuple, Optional


class PackedSequence(NamedTuple):
    data: torch.Tensor
    batch_sizes: torch.Tensor
    sorted_indices: Optional[torch.Tensor]
    unsorted_indices: Optional[torch.Tensor]
