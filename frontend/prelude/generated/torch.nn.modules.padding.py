"""Layers, made by `cargo xtask codegen` from frontend/prelude/layers/padding.td; do not edit."""
import torch.nn.functional as F
from typing import Tuple, Union
from torch import Tensor
from torch.nn.modules.module import Module


class ReflectionPad1d(Module):
    """The border mirrors the inside at its outermost entries."""

    __constants__ = ["padding"]
    padding: Tuple[int, int]

    def __init__(self, padding: Union[int, Tuple[int, int]]) -> None:
        padding = (padding,) * 2 if isinstance(padding, int) else tuple(padding)
        super().__init__()
        self.padding = padding

    def extra_repr(self) -> str:
        return f"{self.padding}"

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, pad=self.padding, mode="reflect")


class ReplicationPad1d(Module):
    """The border repeats the outermost entries."""

    __constants__ = ["padding"]
    padding: Tuple[int, int]

    def __init__(self, padding: Union[int, Tuple[int, int]]) -> None:
        padding = (padding,) * 2 if isinstance(padding, int) else tuple(padding)
        super().__init__()
        self.padding = padding

    def extra_repr(self) -> str:
        return f"{self.padding}"

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, pad=self.padding, mode="replicate")


class CircularPad1d(Module):
    """The border continues with the other end."""

    __constants__ = ["padding"]
    padding: Tuple[int, int]

    def __init__(self, padding: Union[int, Tuple[int, int]]) -> None:
        padding = (padding,) * 2 if isinstance(padding, int) else tuple(padding)
        super().__init__()
        self.padding = padding

    def extra_repr(self) -> str:
        return f"{self.padding}"

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        return F.pad(input, pad=self.padding, mode="circular")

    def _check_input_dim(self, input: Tensor) -> None:
        if not 2 <= input.dim() <= 3:
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")


class ConstantPad1d(Module):
    """The border is a value."""

    __constants__ = ["value", "padding"]
    padding: Tuple[int, int]

    def __init__(self, padding: Union[int, Tuple[int, int]], value: float) -> None:
        padding = (padding,) * 2 if isinstance(padding, int) else tuple(padding)
        super().__init__()
        self.value = value
        self.padding = padding

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, pad=self.padding, value=self.value, mode="constant")


class ZeroPad1d(ConstantPad1d):
    """The border is 0."""

    def __init__(self, padding: Union[int, Tuple[int, int]]) -> None:
        padding = (padding,) * 2 if isinstance(padding, int) else tuple(padding)
        super().__init__(padding=padding, value=0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ReflectionPad2d(Module):
    """The border mirrors the inside at its outermost entries."""

    __constants__ = ["padding"]
    padding: Tuple[int, int, int, int]

    def __init__(self, padding: Union[int, Tuple[int, int, int, int]]) -> None:
        padding = (padding,) * 4 if isinstance(padding, int) else tuple(padding)
        super().__init__()
        self.padding = padding

    def extra_repr(self) -> str:
        return f"{self.padding}"

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, pad=self.padding, mode="reflect")


class ReplicationPad2d(Module):
    """The border repeats the outermost entries."""

    __constants__ = ["padding"]
    padding: Tuple[int, int, int, int]

    def __init__(self, padding: Union[int, Tuple[int, int, int, int]]) -> None:
        padding = (padding,) * 4 if isinstance(padding, int) else tuple(padding)
        super().__init__()
        self.padding = padding

    def extra_repr(self) -> str:
        return f"{self.padding}"

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, pad=self.padding, mode="replicate")


class CircularPad2d(Module):
    """The border continues with the other end."""

    __constants__ = ["padding"]
    padding: Tuple[int, int, int, int]

    def __init__(self, padding: Union[int, Tuple[int, int, int, int]]) -> None:
        padding = (padding,) * 4 if isinstance(padding, int) else tuple(padding)
        super().__init__()
        self.padding = padding

    def extra_repr(self) -> str:
        return f"{self.padding}"

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        return F.pad(input, pad=self.padding, mode="circular")

    def _check_input_dim(self, input: Tensor) -> None:
        if not 3 <= input.dim() <= 4:
            raise ValueError(f"expected 3D or 4D input (got {input.dim()}D input)")


class ConstantPad2d(Module):
    """The border is a value."""

    __constants__ = ["value", "padding"]
    padding: Tuple[int, int, int, int]

    def __init__(self, padding: Union[int, Tuple[int, int, int, int]], value: float) -> None:
        padding = (padding,) * 4 if isinstance(padding, int) else tuple(padding)
        super().__init__()
        self.value = value
        self.padding = padding

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, pad=self.padding, value=self.value, mode="constant")


class ZeroPad2d(ConstantPad2d):
    """The border is 0."""

    def __init__(self, padding: Union[int, Tuple[int, int, int, int]]) -> None:
        padding = (padding,) * 4 if isinstance(padding, int) else tuple(padding)
        super().__init__(padding=padding, value=0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ReflectionPad3d(Module):
    """The border mirrors the inside at its outermost entries."""

    __constants__ = ["padding"]
    padding: Tuple[int, int, int, int, int, int]

    def __init__(self, padding: Union[int, Tuple[int, int, int, int, int, int]]) -> None:
        padding = (padding,) * 6 if isinstance(padding, int) else tuple(padding)
        super().__init__()
        self.padding = padding

    def extra_repr(self) -> str:
        return f"{self.padding}"

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, pad=self.padding, mode="reflect")


class ReplicationPad3d(Module):
    """The border repeats the outermost entries."""

    __constants__ = ["padding"]
    padding: Tuple[int, int, int, int, int, int]

    def __init__(self, padding: Union[int, Tuple[int, int, int, int, int, int]]) -> None:
        padding = (padding,) * 6 if isinstance(padding, int) else tuple(padding)
        super().__init__()
        self.padding = padding

    def extra_repr(self) -> str:
        return f"{self.padding}"

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, pad=self.padding, mode="replicate")


class CircularPad3d(Module):
    """The border continues with the other end."""

    __constants__ = ["padding"]
    padding: Tuple[int, int, int, int, int, int]

    def __init__(self, padding: Union[int, Tuple[int, int, int, int, int, int]]) -> None:
        padding = (padding,) * 6 if isinstance(padding, int) else tuple(padding)
        super().__init__()
        self.padding = padding

    def extra_repr(self) -> str:
        return f"{self.padding}"

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        return F.pad(input, pad=self.padding, mode="circular")

    def _check_input_dim(self, input: Tensor) -> None:
        if not 4 <= input.dim() <= 5:
            raise ValueError(f"expected 4D or 5D input (got {input.dim()}D input)")


class ConstantPad3d(Module):
    """The border is a value."""

    __constants__ = ["value", "padding"]
    padding: Tuple[int, int, int, int, int, int]

    def __init__(self, padding: Union[int, Tuple[int, int, int, int, int, int]], value: float) -> None:
        padding = (padding,) * 6 if isinstance(padding, int) else tuple(padding)
        super().__init__()
        self.value = value
        self.padding = padding

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, pad=self.padding, value=self.value, mode="constant")


class ZeroPad3d(ConstantPad3d):
    """The border is 0."""

    def __init__(self, padding: Union[int, Tuple[int, int, int, int, int, int]]) -> None:
        padding = (padding,) * 6 if isinstance(padding, int) else tuple(padding)
        super().__init__(padding=padding, value=0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"
