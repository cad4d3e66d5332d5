"""Layers, made by `cargo xtask codegen` from frontend/prelude/layers/flatten.td; do not edit."""
import torch
from typing import List, Tuple, Union
from torch import Tensor
from torch.nn.modules._layer import _refuse
from torch.nn.modules.module import Module


class Flatten(Module):
    """The dimensions from start_dim to end_dim as one."""

    __constants__ = ["start_dim", "end_dim"]
    start_dim: int
    end_dim: int

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"

    def forward(self, input: Tensor) -> Tensor:
        return torch.flatten(input, start_dim=self.start_dim, end_dim=self.end_dim)


class Unflatten(Module):
    """The dimension dim as several."""

    __constants__ = ["dim", "unflattened_size"]
    dim: int
    unflattened_size: Union[torch.Size, List[int], Tuple[int, ...]]

    def __init__(self, dim: int, unflattened_size: Union[torch.Size, List[int], Tuple[int, ...]]) -> None:
        _refuse(
            not isinstance(unflattened_size, (tuple, list)),
            TypeError,
            f"unflattened_size must be a tuple of ints, but found type {type(unflattened_size).__name__}",
        )
        for pos, size in enumerate(unflattened_size):
            _refuse(
                not isinstance(size, int),
                TypeError,
                f"unflattened_size must be tuple of ints, but found element of type {type(size).__name__} at pos {pos}",
            )
        super().__init__()
        self.dim = dim
        self.unflattened_size = unflattened_size

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)
