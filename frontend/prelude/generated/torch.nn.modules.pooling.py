"""Layers, made by `cargo xtask codegen` from frontend/prelude/layers/pooling.td; do not edit."""
import torch.nn.functional as F
from typing import List, Optional, Tuple, Union
from torch import Tensor
from torch.nn.modules._layer import _given, _refuse
from torch.nn.modules.module import Module
from torch.nn.modules.utils import _pair, _single, _triple


class MaxPool1d(Module):
    """The largest of each window."""

    __constants__ = ["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"]
    kernel_size: Union[int, Tuple[int]]
    stride: Union[int, Tuple[int]]
    padding: Union[int, Tuple[int]]
    dilation: Union[int, Tuple[int]]
    return_indices: bool
    ceil_mode: bool

    def __init__(
        self,
        kernel_size: Union[int, Tuple[int]],
        stride: Optional[Union[int, Tuple[int]]] = None,
        padding: Union[int, Tuple[int]] = 0,
        dilation: Union[int, Tuple[int]] = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        stride = _given(stride, kernel_size)
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"
            + f", dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )

    def forward(self, input: Tensor):
        return F.max_pool1d(
            input,
            kernel_size=self.kernel_size,
            stride=self.stride,
            padding=self.padding,
            dilation=self.dilation,
            return_indices=self.return_indices,
            ceil_mode=self.ceil_mode,
        )


class AvgPool1d(Module):
    """The mean of each window."""

    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"]
    kernel_size: Union[int, Tuple[int]]
    stride: Union[int, Tuple[int]]
    padding: Union[int, Tuple[int]]
    ceil_mode: bool
    count_include_pad: bool

    def __init__(
        self,
        kernel_size: Union[int, Tuple[int]],
        stride: Optional[Union[int, Tuple[int]]] = None,
        padding: Union[int, Tuple[int]] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        kernel_size = _single(kernel_size)
        stride = _single(_given(stride, kernel_size))
        padding = _single(padding)
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(
            input,
            kernel_size=self.kernel_size,
            stride=self.stride,
            padding=self.padding,
            ceil_mode=self.ceil_mode,
            count_include_pad=self.count_include_pad,
        )


class LPPool1d(Module):
    """The norm of each window."""

    __constants__ = ["norm_type", "kernel_size", "stride", "ceil_mode"]
    norm_type: float
    kernel_size: Union[int, Tuple[int]]
    stride: Union[int, Tuple[int]]
    ceil_mode: bool

    def __init__(
        self,
        norm_type: float,
        kernel_size: Union[int, Tuple[int]],
        stride: Union[int, Tuple[int]] = None,
        ceil_mode: bool = False,
    ) -> None:
        _refuse(norm_type == 0, ValueError, f"norm_type must be a non-zero value, but got {norm_type}")
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def extra_repr(self) -> str:
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}"
            + f", ceil_mode={self.ceil_mode}"
        )

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool1d(
            input,
            kernel_size=self.kernel_size,
            stride=self.stride,
            ceil_mode=self.ceil_mode,
            norm_type=float(self.norm_type),
        )


class AdaptiveMaxPool1d(Module):
    """The largest of each window, for an output of a size."""

    __constants__ = ["output_size", "return_indices"]
    output_size: Union[int, None, Tuple[Optional[int]]]
    return_indices: bool

    def __init__(self, output_size: Union[int, None, Tuple[Optional[int]]], return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"

    def forward(self, input: Tensor):
        return F.adaptive_max_pool1d(input, output_size=self.output_size, return_indices=self.return_indices)


class AdaptiveAvgPool1d(Module):
    """The mean of each window, for an output of a size."""

    __constants__ = ["output_size"]
    output_size: Union[int, None, Tuple[Optional[int]]]

    def __init__(self, output_size: Union[int, None, Tuple[Optional[int]]]) -> None:
        super().__init__()
        self.output_size = output_size

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(input, output_size=self.output_size)


class MaxUnpool1d(Module):
    """Values back to the places that indices name, 0 elsewhere."""

    __constants__ = ["kernel_size", "stride", "padding"]
    kernel_size: Union[int, Tuple[int]]
    stride: Union[int, Tuple[int]]
    padding: Union[int, Tuple[int]]

    def __init__(
        self,
        kernel_size: Union[int, Tuple[int]],
        stride: Optional[Union[int, Tuple[int]]] = None,
        padding: Union[int, Tuple[int]] = 0,
    ) -> None:
        kernel_size = _single(kernel_size)
        stride = _single(_given(stride, kernel_size))
        padding = _single(padding)
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"

    def forward(self, input: Tensor, indices: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        return F.max_unpool1d(
            input,
            indices,
            kernel_size=self.kernel_size,
            stride=self.stride,
            padding=self.padding,
            output_size=output_size,
        )


class MaxPool2d(Module):
    """The largest of each window."""

    __constants__ = ["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"]
    kernel_size: Union[int, Tuple[int, int]]
    stride: Union[int, Tuple[int, int]]
    padding: Union[int, Tuple[int, int]]
    dilation: Union[int, Tuple[int, int]]
    return_indices: bool
    ceil_mode: bool

    def __init__(
        self,
        kernel_size: Union[int, Tuple[int, int]],
        stride: Optional[Union[int, Tuple[int, int]]] = None,
        padding: Union[int, Tuple[int, int]] = 0,
        dilation: Union[int, Tuple[int, int]] = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        stride = _given(stride, kernel_size)
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"
            + f", dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )

    def forward(self, input: Tensor):
        return F.max_pool2d(
            input,
            kernel_size=self.kernel_size,
            stride=self.stride,
            padding=self.padding,
            dilation=self.dilation,
            return_indices=self.return_indices,
            ceil_mode=self.ceil_mode,
        )


class AvgPool2d(Module):
    """The mean of each window."""

    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"]
    kernel_size: Union[int, Tuple[int, int]]
    stride: Union[int, Tuple[int, int]]
    padding: Union[int, Tuple[int, int]]
    ceil_mode: bool
    count_include_pad: bool
    divisor_override: Optional[int]

    def __init__(
        self,
        kernel_size: Union[int, Tuple[int, int]],
        stride: Optional[Union[int, Tuple[int, int]]] = None,
        padding: Union[int, Tuple[int, int]] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: Optional[int] = None,
    ) -> None:
        stride = _given(stride, kernel_size)
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool2d(
            input,
            kernel_size=self.kernel_size,
            stride=self.stride,
            padding=self.padding,
            ceil_mode=self.ceil_mode,
            count_include_pad=self.count_include_pad,
            divisor_override=self.divisor_override,
        )


class LPPool2d(Module):
    """The norm of each window."""

    __constants__ = ["norm_type", "kernel_size", "stride", "ceil_mode"]
    norm_type: float
    kernel_size: Union[int, Tuple[int, int]]
    stride: Union[int, Tuple[int, int]]
    ceil_mode: bool

    def __init__(
        self,
        norm_type: float,
        kernel_size: Union[int, Tuple[int, int]],
        stride: Union[int, Tuple[int, int]] = None,
        ceil_mode: bool = False,
    ) -> None:
        _refuse(norm_type == 0, ValueError, f"norm_type must be a non-zero value, but got {norm_type}")
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def extra_repr(self) -> str:
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}"
            + f", ceil_mode={self.ceil_mode}"
        )

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool2d(
            input,
            kernel_size=self.kernel_size,
            stride=self.stride,
            ceil_mode=self.ceil_mode,
            norm_type=float(self.norm_type),
        )


class AdaptiveMaxPool2d(Module):
    """The largest of each window, for an output of a size."""

    __constants__ = ["output_size", "return_indices"]
    output_size: Union[int, None, Tuple[Optional[int], Optional[int]]]
    return_indices: bool

    def __init__(
        self,
        output_size: Union[int, None, Tuple[Optional[int], Optional[int]]],
        return_indices: bool = False,
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"

    def forward(self, input: Tensor):
        return F.adaptive_max_pool2d(input, output_size=self.output_size, return_indices=self.return_indices)


class AdaptiveAvgPool2d(Module):
    """The mean of each window, for an output of a size."""

    __constants__ = ["output_size"]
    output_size: Union[int, None, Tuple[Optional[int], Optional[int]]]

    def __init__(self, output_size: Union[int, None, Tuple[Optional[int], Optional[int]]]) -> None:
        super().__init__()
        self.output_size = output_size

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, output_size=self.output_size)


class MaxUnpool2d(Module):
    """Values back to the places that indices name, 0 elsewhere."""

    __constants__ = ["kernel_size", "stride", "padding"]
    kernel_size: Union[int, Tuple[int, int]]
    stride: Union[int, Tuple[int, int]]
    padding: Union[int, Tuple[int, int]]

    def __init__(
        self,
        kernel_size: Union[int, Tuple[int, int]],
        stride: Optional[Union[int, Tuple[int, int]]] = None,
        padding: Union[int, Tuple[int, int]] = 0,
    ) -> None:
        kernel_size = _pair(kernel_size)
        stride = _pair(_given(stride, kernel_size))
        padding = _pair(padding)
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"

    def forward(self, input: Tensor, indices: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        return F.max_unpool2d(
            input,
            indices,
            kernel_size=self.kernel_size,
            stride=self.stride,
            padding=self.padding,
            output_size=output_size,
        )


class MaxPool3d(Module):
    """The largest of each window."""

    __constants__ = ["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"]
    kernel_size: Union[int, Tuple[int, int, int]]
    stride: Union[int, Tuple[int, int, int]]
    padding: Union[int, Tuple[int, int, int]]
    dilation: Union[int, Tuple[int, int, int]]
    return_indices: bool
    ceil_mode: bool

    def __init__(
        self,
        kernel_size: Union[int, Tuple[int, int, int]],
        stride: Optional[Union[int, Tuple[int, int, int]]] = None,
        padding: Union[int, Tuple[int, int, int]] = 0,
        dilation: Union[int, Tuple[int, int, int]] = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        stride = _given(stride, kernel_size)
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"
            + f", dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )

    def forward(self, input: Tensor):
        return F.max_pool3d(
            input,
            kernel_size=self.kernel_size,
            stride=self.stride,
            padding=self.padding,
            dilation=self.dilation,
            return_indices=self.return_indices,
            ceil_mode=self.ceil_mode,
        )


class AvgPool3d(Module):
    """The mean of each window."""

    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"]
    kernel_size: Union[int, Tuple[int, int, int]]
    stride: Union[int, Tuple[int, int, int]]
    padding: Union[int, Tuple[int, int, int]]
    ceil_mode: bool
    count_include_pad: bool
    divisor_override: Optional[int]

    def __init__(
        self,
        kernel_size: Union[int, Tuple[int, int, int]],
        stride: Optional[Union[int, Tuple[int, int, int]]] = None,
        padding: Union[int, Tuple[int, int, int]] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: Optional[int] = None,
    ) -> None:
        stride = _given(stride, kernel_size)
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool3d(
            input,
            kernel_size=self.kernel_size,
            stride=self.stride,
            padding=self.padding,
            ceil_mode=self.ceil_mode,
            count_include_pad=self.count_include_pad,
            divisor_override=self.divisor_override,
        )


class LPPool3d(Module):
    """The norm of each window."""

    __constants__ = ["norm_type", "kernel_size", "stride", "ceil_mode"]
    norm_type: float
    kernel_size: Union[int, Tuple[int, int, int]]
    stride: Union[int, Tuple[int, int, int]]
    ceil_mode: bool

    def __init__(
        self,
        norm_type: float,
        kernel_size: Union[int, Tuple[int, int, int]],
        stride: Union[int, Tuple[int, int, int]] = None,
        ceil_mode: bool = False,
    ) -> None:
        _refuse(norm_type == 0, ValueError, f"norm_type must be a non-zero value, but got {norm_type}")
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def extra_repr(self) -> str:
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}"
            + f", ceil_mode={self.ceil_mode}"
        )

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool3d(
            input,
            kernel_size=self.kernel_size,
            stride=self.stride,
            ceil_mode=self.ceil_mode,
            norm_type=float(self.norm_type),
        )


class AdaptiveMaxPool3d(Module):
    """The largest of each window, for an output of a size."""

    __constants__ = ["output_size", "return_indices"]
    output_size: Union[int, None, Tuple[Optional[int], Optional[int], Optional[int]]]
    return_indices: bool

    def __init__(
        self,
        output_size: Union[int, None, Tuple[Optional[int], Optional[int], Optional[int]]],
        return_indices: bool = False,
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"

    def forward(self, input: Tensor):
        return F.adaptive_max_pool3d(input, output_size=self.output_size, return_indices=self.return_indices)


class AdaptiveAvgPool3d(Module):
    """The mean of each window, for an output of a size."""

    __constants__ = ["output_size"]
    output_size: Union[int, None, Tuple[Optional[int], Optional[int], Optional[int]]]

    def __init__(self, output_size: Union[int, None, Tuple[Optional[int], Optional[int], Optional[int]]]) -> None:
        super().__init__()
        self.output_size = output_size

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(input, output_size=self.output_size)


class MaxUnpool3d(Module):
    """Values back to the places that indices name, 0 elsewhere."""

    __constants__ = ["kernel_size", "stride", "padding"]
    kernel_size: Union[int, Tuple[int, int, int]]
    stride: Union[int, Tuple[int, int, int]]
    padding: Union[int, Tuple[int, int, int]]

    def __init__(
        self,
        kernel_size: Union[int, Tuple[int, int, int]],
        stride: Optional[Union[int, Tuple[int, int, int]]] = None,
        padding: Union[int, Tuple[int, int, int]] = 0,
    ) -> None:
        kernel_size = _triple(kernel_size)
        stride = _triple(_given(stride, kernel_size))
        padding = _triple(padding)
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"

    def forward(self, input: Tensor, indices: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        return F.max_unpool3d(
            input,
            indices,
            kernel_size=self.kernel_size,
            stride=self.stride,
            padding=self.padding,
            output_size=output_size,
        )


class FractionalMaxPool2d(Module):
    """The largest of each window, at places that are drawn."""

    __constants__ = ["kernel_size", "return_indices", "output_size", "output_ratio"]
    kernel_size: Union[int, Tuple[int, int]]
    return_indices: bool
    output_size: Optional[Union[int, Tuple[int, int]]]
    output_ratio: Optional[Union[float, Tuple[float, float]]]

    def __init__(
        self,
        kernel_size: Union[int, Tuple[int, int]],
        output_size: Optional[Union[int, Tuple[int, int]]] = None,
        output_ratio: Optional[Union[float, Tuple[float, float]]] = None,
        return_indices: bool = False,
        _random_samples=None,
    ) -> None:
        _refuse(
            output_size is None and output_ratio is None,
            ValueError,
            "FractionalMaxPool2d requires specifying either an output size, or a pooling ratio",
        )
        _refuse(
            output_size is not None and output_ratio is not None,
            ValueError,
            "only one of output_size and output_ratio may be specified",
        )
        if output_ratio is not None:
            _refuse(
                not all([0 < ratio < 1 for ratio in _pair(output_ratio)]),
                ValueError,
                f"output_ratio must be between 0 and 1 (got {output_ratio})",
            )
        kernel_size = _pair(kernel_size)
        output_size = None if output_size is None else _pair(output_size)
        output_ratio = None if output_ratio is None else _pair(output_ratio)
        super().__init__()
        self.kernel_size = kernel_size
        self.return_indices = return_indices
        self.output_size = output_size
        self.output_ratio = output_ratio
        self.register_buffer("_random_samples", _random_samples)

    def forward(self, input: Tensor):
        return F.fractional_max_pool2d(
            input,
            kernel_size=self.kernel_size,
            output_size=self.output_size,
            output_ratio=self.output_ratio,
            return_indices=self.return_indices,
            _random_samples=self._random_samples,
        )


class FractionalMaxPool3d(Module):
    """The largest of each window, at places that are drawn."""

    __constants__ = ["kernel_size", "return_indices", "output_size", "output_ratio"]
    kernel_size: Union[int, Tuple[int, int, int]]
    return_indices: bool
    output_size: Optional[Union[int, Tuple[int, int, int]]]
    output_ratio: Optional[Union[float, Tuple[float, float, float]]]

    def __init__(
        self,
        kernel_size: Union[int, Tuple[int, int, int]],
        output_size: Optional[Union[int, Tuple[int, int, int]]] = None,
        output_ratio: Optional[Union[float, Tuple[float, float, float]]] = None,
        return_indices: bool = False,
        _random_samples=None,
    ) -> None:
        _refuse(
            output_size is None and output_ratio is None,
            ValueError,
            "FractionalMaxPool3d requires specifying either an output size, or a pooling ratio",
        )
        _refuse(
            output_size is not None and output_ratio is not None,
            ValueError,
            "only one of output_size and output_ratio may be specified",
        )
        if output_ratio is not None:
            _refuse(
                not all([0 < ratio < 1 for ratio in _triple(output_ratio)]),
                ValueError,
                f"output_ratio must be between 0 and 1 (got {output_ratio})",
            )
        kernel_size = _triple(kernel_size)
        output_size = None if output_size is None else _triple(output_size)
        output_ratio = None if output_ratio is None else _triple(output_ratio)
        super().__init__()
        self.kernel_size = kernel_size
        self.return_indices = return_indices
        self.output_size = output_size
        self.output_ratio = output_ratio
        self.register_buffer("_random_samples", _random_samples)

    def forward(self, input: Tensor):
        return F.fractional_max_pool3d(
            input,
            kernel_size=self.kernel_size,
            output_size=self.output_size,
            output_ratio=self.output_ratio,
            return_indices=self.return_indices,
            _random_samples=self._random_samples,
        )
