"""Convolutions and transposed convolutions."""

import math
import torch
from torch import Tensor
from torch.nn import functional as F, init
from torch.nn.parameter import Parameter
from typing import List, Optional, Tuple, Union
from .module import Module
from .utils import _pair, _reverse_repeat_tuple, _single, _triple


def _check(in_channels, out_channels, stride, padding, groups, padding_mode):
    if groups < 1:
        raise ValueError(f"groups: expected at least 1, got {groups}")
    for side, count in [("in_channels", in_channels), ("out_channels", out_channels)]:
        if count % groups:
            raise ValueError(f"{side}: expected a multiple of groups ({groups}), got {count}")
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
        if padding == "same" and any(s != 1 for s in stride):
            raise ValueError("padding='same' is not supported for strided convolutions")
    if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
        raise ValueError(
            "padding_mode must be one of {'zeros', 'reflect', 'replicate', 'circular'}, "
            f"but got padding_mode='{padding_mode}'"
        )


def _sides(padding, kernel_size, dilation):
    """What a padding by name comes to: two numbers a dimension, the last dimension first. `same` pads more on the right when it cannot pad evenly."""
    sides = []
    for d, k in reversed(list(zip(dilation, kernel_size))):
        whole = d * (k - 1) if padding == "same" else 0
        sides += [whole // 2, whole - whole // 2]
    return sides


def _expanded(each, kernel_size, stride, padding, dilation):
    """A number for every dimension; a padding by name stays a name."""
    padding = padding if isinstance(padding, str) else each(padding)
    return each(kernel_size), each(stride), padding, each(dilation)


class _ConvNd(Module):
    __constants__ = [
        "stride",
        "padding",
        "dilation",
        "groups",
        "padding_mode",
        "output_padding",
        "in_channels",
        "out_channels",
        "kernel_size",
    ]
    in_channels: int
    _reversed_padding_repeated_twice: List[int]
    out_channels: int
    transposed: bool
    groups: int
    weight: Tensor
    bias: Optional[Tensor]

    def __init__(
        self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups, bias,
        padding_mode, device=None, dtype=None,
    ):
        super().__init__()
        _check(in_channels, out_channels, stride, padding, groups, padding_mode)
        # What the module is asked for is what it shows, each under its parameter's name.
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size, self.stride, self.padding, self.dilation = kernel_size, stride, padding, dilation
        self.transposed, self.output_padding = transposed, output_padding
        self.groups, self.padding_mode = groups, padding_mode
        if isinstance(padding, str):
            self._reversed_padding_repeated_twice = _sides(padding, kernel_size, dilation)
        else:
            self._reversed_padding_repeated_twice = _reverse_repeat_tuple(padding, 2)
        # A group sees its share of the channels on the side that is summed over.
        summed, kept = (out_channels, in_channels) if transposed else (in_channels, out_channels)
        self.weight = Parameter(torch.empty((kept, summed // groups) + tuple(kernel_size), device=device, dtype=dtype))
        self.register_parameter("bias", Parameter(torch.empty(out_channels, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)


class Conv1d(_ConvNd):
    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
        padding_mode="zeros", device=None, dtype=None,
    ):
        kernel_size, stride, padding, dilation = _expanded(_single, kernel_size, stride, padding, dilation)
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, transposed=False, output_padding=_single(0),
            groups=groups, bias=bias, padding_mode=padding_mode, device=device, dtype=dtype,
        )

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]):
        if self.padding_mode != "zeros":
            return F.conv1d(
                F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode),
                weight,
                bias,
                self.stride,
                _single(0),
                self.dilation,
                self.groups,
            )
        return F.conv1d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv2d(_ConvNd):
    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
        padding_mode="zeros", device=None, dtype=None,
    ):
        kernel_size, stride, padding, dilation = _expanded(_pair, kernel_size, stride, padding, dilation)
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, transposed=False, output_padding=_pair(0),
            groups=groups, bias=bias, padding_mode=padding_mode, device=device, dtype=dtype,
        )

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]):
        if self.padding_mode != "zeros":
            return F.conv2d(
                F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode),
                weight,
                bias,
                self.stride,
                _pair(0),
                self.dilation,
                self.groups,
            )
        return F.conv2d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv3d(_ConvNd):
    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
        padding_mode="zeros", device=None, dtype=None,
    ):
        kernel_size, stride, padding, dilation = _expanded(_triple, kernel_size, stride, padding, dilation)
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, transposed=False, output_padding=_triple(0),
            groups=groups, bias=bias, padding_mode=padding_mode, device=device, dtype=dtype,
        )

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]):
        if self.padding_mode != "zeros":
            return F.conv3d(
                F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode),
                weight,
                bias,
                self.stride,
                _triple(0),
                self.dilation,
                self.groups,
            )
        return F.conv3d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class _ConvTransposeNd(_ConvNd):
    def __init__(
        self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups, bias,
        padding_mode, device=None, dtype=None,
    ):
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {self.__class__.__name__}')
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups, bias,
            padding_mode, device, dtype,
        )

    def _output_padding(
        self,
        input: Tensor,
        output_size: Optional[List[int]],
        stride: List[int],
        padding: List[int],
        kernel_size: List[int],
        num_spatial_dims: int,
        dilation: Optional[List[int]] = None,
    ) -> List[int]:
        if output_size is None:
            extra = _single(self.output_padding)
        else:
            batched = input.dim() == num_spatial_dims + 2
            leading = 2 if batched else 1
            if len(output_size) == leading + num_spatial_dims:
                output_size = output_size[leading:]
            if len(output_size) != num_spatial_dims:
                raise ValueError(
                    f"ConvTranspose{num_spatial_dims}D: for {input.dim()}D input, output_size must have {num_spatial_dims} or {leading + num_spatial_dims} elements (got {len(output_size)})"
                )

            smallest = torch.jit.annotate(List[int], [])
            largest = torch.jit.annotate(List[int], [])
            for d in range(num_spatial_dims):
                least = (
                    (input.size(d + leading) - 1) * stride[d]
                    - 2 * padding[d]
                    + (dilation[d] if dilation is not None else 1) * (kernel_size[d] - 1)
                    + 1
                )
                smallest.append(least)
                largest.append(smallest[d] + stride[d] - 1)

            for i in range(len(output_size)):
                wanted = output_size[i]
                low = smallest[i]
                high = largest[i]
                if wanted < low or wanted > high:
                    raise ValueError(
                        f"requested an output size of {output_size}, but valid sizes range from {smallest} to {largest} (for an input of {input.size()[2:]})"
                    )

            # What the smallest output lacks.
            lacking = torch.jit.annotate(List[int], [])
            for d in range(num_spatial_dims):
                lacking.append(output_size[d] - smallest[d])
            extra = lacking
        return extra


class ConvTranspose1d(_ConvTransposeNd):
    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
        dilation=1, padding_mode="zeros", device=None, dtype=None,
    ):
        kernel_size, stride, padding, dilation = _expanded(_single, kernel_size, stride, padding, dilation)
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, True, _single(output_padding),
            groups, bias, padding_mode, device, dtype,
        )

    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        if self.padding_mode != "zeros":
            raise ValueError("Only `zeros` padding mode is supported for ConvTranspose1d")
        if not isinstance(self.padding, tuple):
            raise AssertionError("self.padding must be a tuple")
        num_spatial_dims = 1
        output_padding = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, num_spatial_dims, self.dilation
        )
        return F.conv_transpose1d(
            input, self.weight, self.bias, self.stride, self.padding, output_padding, self.groups, self.dilation
        )


class ConvTranspose2d(_ConvTransposeNd):
    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
        dilation=1, padding_mode="zeros", device=None, dtype=None,
    ):
        kernel_size, stride, padding, dilation = _expanded(_pair, kernel_size, stride, padding, dilation)
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, True, _pair(output_padding),
            groups, bias, padding_mode, device, dtype,
        )

    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        if self.padding_mode != "zeros":
            raise ValueError("Only `zeros` padding mode is supported for ConvTranspose2d")
        if not isinstance(self.padding, tuple):
            raise AssertionError("self.padding must be a tuple")
        num_spatial_dims = 2
        output_padding = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, num_spatial_dims, self.dilation
        )
        return F.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, output_padding, self.groups, self.dilation
        )


class ConvTranspose3d(_ConvTransposeNd):
    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
        dilation=1, padding_mode="zeros", device=None, dtype=None,
    ):
        kernel_size, stride, padding, dilation = _expanded(_triple, kernel_size, stride, padding, dilation)
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, True, _triple(output_padding),
            groups, bias, padding_mode, device, dtype,
        )

    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        if self.padding_mode != "zeros":
            raise ValueError("Only `zeros` padding mode is supported for ConvTranspose3d")
        if not isinstance(self.padding, tuple):
            raise AssertionError("self.padding must be a tuple")
        num_spatial_dims = 3
        output_padding = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, num_spatial_dims, self.dilation
        )
        return F.conv_transpose3d(
            input, self.weight, self.bias, self.stride, self.padding, output_padding, self.groups, self.dilation
        )
