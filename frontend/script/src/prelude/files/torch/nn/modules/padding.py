"""Padding: one family for each way of filling, the most dimensions first."""

from torch import Tensor
from torch.nn import functional as F
from typing import List, Optional, Tuple, Union
from .module import Module
from .utils import _ntuple


def _keep(module, padding, dimensions):
    """A number for each side of each dimension, from one for all or from all of them."""
    module.padding = _ntuple(2 * dimensions)(padding)


class _ConstantPadNd(Module):
    __constants__ = ["padding", "value"]
    value: float

    def __init__(self, value):
        super().__init__()
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, mode="constant", value=self.value)


class ConstantPad3d(_ConstantPadNd):
    padding: Tuple[int, int, int, int, int, int]

    def __init__(self, padding, value):
        super().__init__(value)
        _keep(self, padding, 3)


class ConstantPad2d(_ConstantPadNd):
    padding: Tuple[int, int, int, int]

    def __init__(self, padding, value):
        super().__init__(value)
        _keep(self, padding, 2)


class ConstantPad1d(_ConstantPadNd):
    padding: Tuple[int, int]

    def __init__(self, padding, value):
        super().__init__(value)
        _keep(self, padding, 1)


class ZeroPad3d(ConstantPad3d):
    padding: Tuple[int, int, int, int, int, int]

    def __init__(self, padding):
        super().__init__(padding, 0.0)


class ZeroPad2d(ConstantPad2d):
    padding: Tuple[int, int, int, int]

    def __init__(self, padding):
        super().__init__(padding, 0.0)


class ZeroPad1d(ConstantPad1d):
    padding: Tuple[int, int]

    def __init__(self, padding):
        super().__init__(padding, 0.0)


class _ReplicationPadNd(Module):
    __constants__ = ["padding"]

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, mode="replicate")


class ReplicationPad3d(_ReplicationPadNd):
    padding: Tuple[int, int, int, int, int, int]

    def __init__(self, padding):
        super().__init__()
        _keep(self, padding, 3)


class ReplicationPad2d(_ReplicationPadNd):
    padding: Tuple[int, int, int, int]

    def __init__(self, padding):
        super().__init__()
        _keep(self, padding, 2)


class ReplicationPad1d(_ReplicationPadNd):
    padding: Tuple[int, int]

    def __init__(self, padding):
        super().__init__()
        _keep(self, padding, 1)


class _ReflectionPadNd(Module):
    __constants__ = ["padding"]

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, mode="reflect")


class ReflectionPad3d(_ReflectionPadNd):
    padding: Tuple[int, int, int, int, int, int]

    def __init__(self, padding):
        super().__init__()
        _keep(self, padding, 3)


class ReflectionPad2d(_ReflectionPadNd):
    padding: Tuple[int, int, int, int]

    def __init__(self, padding):
        super().__init__()
        _keep(self, padding, 2)


class ReflectionPad1d(_ReflectionPadNd):
    padding: Tuple[int, int]

    def __init__(self, padding):
        super().__init__()
        _keep(self, padding, 1)


class _CircularPadNd(Module):
    __constants__ = ["padding"]

    def _check_input_dim(self, input):
        raise NotImplementedError

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        return F.pad(input, self.padding, mode="circular")


class CircularPad3d(_CircularPadNd):
    padding: Tuple[int, int, int, int, int, int]

    def __init__(self, padding):
        super().__init__()
        _keep(self, padding, 3)

    def _check_input_dim(self, input) -> None:
        if input.dim() != 4 and input.dim() != 5:
            raise ValueError(f"expected 4D or 5D input (got {input.dim()}D input)")


class CircularPad2d(_CircularPadNd):
    padding: Tuple[int, int, int, int]

    def __init__(self, padding):
        super().__init__()
        _keep(self, padding, 2)

    def _check_input_dim(self, input) -> None:
        if input.dim() != 3 and input.dim() != 4:
            raise ValueError(f"expected 3D or 4D input (got {input.dim()}D input)")


class CircularPad1d(_CircularPadNd):
    padding: Tuple[int, int]

    def __init__(self, padding):
        super().__init__()
        _keep(self, padding, 1)

    def _check_input_dim(self, input) -> None:
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")
