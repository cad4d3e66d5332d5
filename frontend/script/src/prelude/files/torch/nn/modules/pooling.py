"""Pooling: each module keeps the arguments of the function that it calls."""

from torch import Tensor
from torch.nn import functional as F
from typing import List, Optional, Tuple, Union
from .module import Module
from .utils import _pair, _single, _triple


def _keep(module, **settings):
    """Makes attributes of the settings, in their order."""
    for name, value in settings.items():
        setattr(module, name, value)


def _step(stride, kernel_size):
    """Windows lie side by side unless a stride is given."""
    return kernel_size if stride is None else stride


class _AdaptiveAvgPoolNd(Module):
    __constants__ = ["output_size"]
    output_size: Union[int, Tuple[Optional[int], ...]]

    def __init__(self, output_size):
        super().__init__()
        _keep(self, output_size=output_size)


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(input, output_size=self.output_size)


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, output_size=self.output_size)


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(input, output_size=self.output_size)


class _AdaptiveMaxPoolNd(Module):
    __constants__ = ["output_size", "return_indices"]
    return_indices: bool

    def __init__(self, output_size, return_indices=False):
        super().__init__()
        _keep(self, output_size=output_size, return_indices=return_indices)


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    def forward(self, input: Tensor):
        return F.adaptive_max_pool3d(input, self.output_size, return_indices=self.return_indices)


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    def forward(self, input: Tensor):
        return F.adaptive_max_pool2d(input, self.output_size, return_indices=self.return_indices)


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    def forward(self, input: Tensor):
        return F.adaptive_max_pool1d(input, self.output_size, return_indices=self.return_indices)


class _MaxPoolNd(Module):
    __constants__ = ["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"]
    ceil_mode: bool
    return_indices: bool

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        _keep(
            self, kernel_size=kernel_size, stride=_step(stride, kernel_size), padding=padding, dilation=dilation,
            return_indices=return_indices, ceil_mode=ceil_mode,
        )


class MaxPool3d(_MaxPoolNd):
    def forward(self, input: Tensor):
        return F.max_pool3d(
            input, self.kernel_size, self.stride, self.padding, self.dilation,
            ceil_mode=self.ceil_mode, return_indices=self.return_indices,
        )


class MaxPool2d(_MaxPoolNd):
    def forward(self, input: Tensor):
        return F.max_pool2d(
            input, self.kernel_size, self.stride, self.padding, self.dilation,
            ceil_mode=self.ceil_mode, return_indices=self.return_indices,
        )


class MaxPool1d(_MaxPoolNd):
    def forward(self, input: Tensor):
        return F.max_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.dilation,
            ceil_mode=self.ceil_mode, return_indices=self.return_indices,
        )


def _keep_windows(module, sized, kernel_size, stride, padding):
    """Kernel, stride and padding, each made as long as there are dimensions."""
    _keep(module, kernel_size=sized(kernel_size), stride=sized(_step(stride, kernel_size)), padding=sized(padding))


class MaxUnpool3d(Module):
    kernel_size: Tuple[int, int, int]
    stride: Tuple[int, int, int]
    padding: Tuple[int, int, int]

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        _keep_windows(self, _triple, kernel_size, stride, padding)

    def forward(self, input: Tensor, indices: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        return F.max_unpool3d(input, indices, self.kernel_size, self.stride, self.padding, output_size=output_size)


class MaxUnpool2d(Module):
    kernel_size: Tuple[int, int]
    stride: Tuple[int, int]
    padding: Tuple[int, int]

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        _keep_windows(self, _pair, kernel_size, stride, padding)

    def forward(self, input: Tensor, indices: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        return F.max_unpool2d(input, indices, self.kernel_size, self.stride, self.padding, output_size=output_size)


class MaxUnpool1d(Module):
    kernel_size: Tuple[int]
    stride: Tuple[int]
    padding: Tuple[int]

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        _keep_windows(self, _single, kernel_size, stride, padding)

    def forward(self, input: Tensor, indices: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        return F.max_unpool1d(input, indices, self.kernel_size, self.stride, self.padding, output_size=output_size)


class AvgPool1d(Module):
    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"]
    count_include_pad: bool
    ceil_mode: bool

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__()
        _keep_windows(self, _single, kernel_size, stride, padding)
        _keep(self, ceil_mode=ceil_mode, count_include_pad=count_include_pad)

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )


class _AvgPoolOver(Module):
    """Averages over two or three dimensions."""

    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"]
    count_include_pad: bool
    ceil_mode: bool

    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
    ):
        super().__init__()
        _keep(
            self, kernel_size=kernel_size, stride=_step(stride, kernel_size), padding=padding,
            ceil_mode=ceil_mode, count_include_pad=count_include_pad, divisor_override=divisor_override,
        )


class AvgPool3d(_AvgPoolOver):
    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool3d(
            input, self.kernel_size, self.stride, self.padding,
            self.ceil_mode, self.count_include_pad, self.divisor_override,
        )


class AvgPool2d(_AvgPoolOver):
    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool2d(
            input, self.kernel_size, self.stride, self.padding,
            self.ceil_mode, self.count_include_pad, self.divisor_override,
        )


def _set_fractional(module, sized, kernel_size, size, ratio, return_indices, samples):
    """What the two fractional poolings keep; exactly one of size and ratio is given."""
    _keep(module, kernel_size=sized(kernel_size), return_indices=return_indices)
    module.register_buffer("_random_samples", samples)
    if (size is None) == (ratio is None):
        raise ValueError(f"{type(module).__name__} expects either output_size or output_ratio")
    _keep(
        module,
        output_size=None if size is None else sized(size),
        output_ratio=None if ratio is None else sized(ratio),
    )
    if ratio is not None and any(r <= 0 or r >= 1 for r in module.output_ratio):
        raise ValueError(f"output_ratio: expected numbers between 0 and 1, got {ratio}")


class FractionalMaxPool3d(Module):
    __constants__ = ["kernel_size", "return_indices", "output_size", "output_ratio"]
    return_indices: bool

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        super().__init__()
        _set_fractional(self, _triple, kernel_size, output_size, output_ratio, return_indices, _random_samples)

    def forward(self, input: Tensor):
        return F.fractional_max_pool3d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
            _random_samples=self._random_samples,
        )


class FractionalMaxPool2d(Module):
    __constants__ = ["kernel_size", "return_indices", "output_size", "output_ratio"]
    return_indices: bool

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        super().__init__()
        _set_fractional(self, _pair, kernel_size, output_size, output_ratio, return_indices, _random_samples)

    def forward(self, input: Tensor):
        return F.fractional_max_pool2d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
            _random_samples=self._random_samples,
        )


class _LPPoolNd(Module):
    __constants__ = ["norm_type", "kernel_size", "stride", "ceil_mode"]
    ceil_mode: bool
    norm_type: float

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        if norm_type == 0:
            raise ValueError("norm_type: expected a number other than 0")
        super().__init__()
        _keep(self, norm_type=norm_type, kernel_size=kernel_size, stride=stride, ceil_mode=ceil_mode)


class LPPool3d(_LPPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool3d(input, float(self.norm_type), self.kernel_size, stride=self.stride, ceil_mode=self.ceil_mode)


class LPPool2d(_LPPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool2d(input, float(self.norm_type), self.kernel_size, stride=self.stride, ceil_mode=self.ceil_mode)


class LPPool1d(_LPPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool1d(input, float(self.norm_type), self.kernel_size, stride=self.stride, ceil_mode=self.ceil_mode)
