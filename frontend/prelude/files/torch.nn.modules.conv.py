"""Convolutions and their transposes over one, two and three dimensions."""
import math
from typing import List, Optional, Tuple, Union

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn import init
from torch.nn.modules.lazy import LazyModuleMixin
from torch.nn.modules.module import Module
from torch.nn.modules.utils import _reverse_repeat_tuple, _single, _tuple_of
from torch.nn.parameter import Parameter

_BORDERS = ["circular", "reflect", "replicate", "zeros"]


def _choices(words):
    return "{" + ", ".join([repr(word) for word in words]) + "}"


def _check_padding(padding, stride):
    if padding not in ("same", "valid"):
        raise ValueError(f"Invalid padding string {padding!r}, should be one of {_choices(['same', 'valid'])}")
    if padding == "same" and max(stride) != 1:
        raise ValueError("padding='same' is not supported for strided convolutions")


def _border(padding, kernel, dilation):
    """What `pad` adds before and behind each dimension, the last dimension first."""
    if not isinstance(padding, str):
        return _reverse_repeat_tuple(padding, 2)
    widths = []
    for size, step in zip(kernel[::-1], dilation[::-1]):
        total = step * (size - 1) if padding == "same" else 0
        widths.extend([total // 2, total - total // 2])
    return widths


class _ConvNd(Module):
    """Everything but the operator: fields, parameters, printing. `_spatial_rank` is the number of dimensions."""

    __constants__ = ["stride", "padding", "dilation", "groups", "padding_mode", "output_padding", "in_channels",
                     "out_channels", "kernel_size"]

    in_channels: int
    out_channels: int
    kernel_size: Tuple[int, ...]
    stride: Tuple[int, ...]
    padding: Union[str, Tuple[int, ...]]
    dilation: Tuple[int, ...]
    transposed: bool
    output_padding: Tuple[int, ...]
    groups: int
    padding_mode: str
    weight: Tensor
    bias: Optional[Tensor]
    _reversed_padding_repeated_twice: List[int]

    _spatial_rank = 0

    def _settle(self, channels, sizes, transposed, groups, padding_mode, bias, factory):
        """channels: (in, out); sizes: kernel_size, stride, padding, dilation, output_padding as given."""
        self.in_channels, self.out_channels = channels
        names = ["kernel_size", "stride", "padding", "dilation", "output_padding"]
        every = {name: given if isinstance(given, str) and not transposed else _tuple_of(given, self._spatial_rank)
                 for name, given in zip(names, sizes)}
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        for side, count in zip(("in", "out"), channels):
            if count % groups:
                raise ValueError(f"{side}_channels must be divisible by groups")
        if isinstance(every["padding"], str):
            _check_padding(every["padding"], every["stride"])
        if padding_mode not in _BORDERS:
            raise ValueError(f"padding_mode must be one of {_choices(_BORDERS)}, but got padding_mode={padding_mode!r}")
        for name in names[:4]:
            setattr(self, name, every[name])
        self.transposed = transposed
        self.output_padding = every["output_padding"]
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = _border(self.padding, self.kernel_size, self.dilation)
        self._allot(factory, True, bias)

    def _allot(self, factory, weight, bias):
        first, second = self.in_channels, self.out_channels
        if not self.transposed:
            first, second = second, first
        self.weight = Parameter(torch.empty([first, second // self.groups] + list(self.kernel_size), **factory))
        if bias:
            self.bias = Parameter(torch.empty([self.out_channels], **factory))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        inputs = math.prod(self.weight.shape[1:])
        if self.bias is not None:
            bound = inputs ** -0.5 if inputs else 0.0
            init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        parts = [str(self.in_channels), str(self.out_channels),
                 f"kernel_size={self.kernel_size}", f"stride={self.stride}"]
        usual = [("padding", 0), ("dilation", 1), ("output_padding", 0)]
        parts += [f"{name}={getattr(self, name)}" for name, value in usual
                  if getattr(self, name) != (value,) * len(getattr(self, name))]
        parts += [f"groups={self.groups}"] * (self.groups != 1)
        parts += ["bias=False"] * (self.bias is None)
        parts += [f"padding_mode={self.padding_mode}"] * (self.padding_mode != "zeros")
        return ", ".join(parts)


class _Forward(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        super().__init__()
        self._settle((in_channels, out_channels), (kernel_size, stride, padding, dilation, 0), False, groups,
                     padding_mode, bias, {"device": device, "dtype": dtype})

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv1d(_Forward):
    _spatial_rank = 1

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tensor:
        if self.padding_mode == "zeros":
            return F.conv1d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        bordered = F.pad(input, self._reversed_padding_repeated_twice, self.padding_mode)
        return F.conv1d(bordered, weight, bias, self.stride, 0, self.dilation, self.groups)


class Conv2d(_Forward):
    _spatial_rank = 2

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tensor:
        if self.padding_mode == "zeros":
            return F.conv2d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        bordered = F.pad(input, self._reversed_padding_repeated_twice, self.padding_mode)
        return F.conv2d(bordered, weight, bias, self.stride, 0, self.dilation, self.groups)


class Conv3d(_Forward):
    _spatial_rank = 3

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tensor:
        if self.padding_mode == "zeros":
            return F.conv3d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        bordered = F.pad(input, self._reversed_padding_repeated_twice, self.padding_mode)
        return F.conv3d(bordered, weight, bias, self.stride, 0, self.dilation, self.groups)


class _ConvTransposeNd(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
                 bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
        super().__init__()
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self._settle((in_channels, out_channels), (kernel_size, stride, padding, dilation, output_padding), True,
                     groups, padding_mode, bias, {"device": device, "dtype": dtype})

    def _output_padding(self, input: Tensor, output_size: Optional[List[int]], stride: List[int], padding: List[int],
                        kernel_size: List[int], num_spatial_dims: int,
                        dilation: Optional[List[int]] = None) -> List[int]:
        """How much longer than the smallest output each dimension shall be."""
        if output_size is None:
            return _single(self.output_padding)
        ahead = len(output_size) - num_spatial_dims
        if ahead != 0 and len(output_size) != input.dim():
            raise ValueError(f"ConvTranspose{num_spatial_dims}D: for {input.dim()}D input, output_size must have "
                             f"{num_spatial_dims} or {input.dim()} elements (got {len(output_size)})")
        wanted = output_size[ahead:]
        present = input.size()[input.dim() - num_spatial_dims:]
        least: List[int] = []
        most: List[int] = []
        more: List[int] = []
        possible = True
        for axis, size in enumerate(present):
            step = 1 if dilation is None else dilation[axis]
            least.append((size - 1) * stride[axis] - 2 * padding[axis] + step * (kernel_size[axis] - 1) + 1)
            most.append(least[axis] + stride[axis] - 1)
            more.append(wanted[axis] - least[axis])
            possible = possible and more[axis] >= 0 and more[axis] < stride[axis]
        if not possible:
            raise ValueError(f"requested an output size of {wanted}, but valid sizes range from {least} to {most} "
                             f"(for an input of {present})")
        return more


class ConvTranspose1d(_ConvTransposeNd):
    _spatial_rank = 1

    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        more = self._output_padding(input, output_size, self.stride, self.padding, self.kernel_size, 1, self.dilation)
        return F.conv_transpose1d(input, self.weight, self.bias, self.stride, self.padding, more, self.groups,
                                  self.dilation)


class ConvTranspose2d(_ConvTransposeNd):
    _spatial_rank = 2

    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        more = self._output_padding(input, output_size, self.stride, self.padding, self.kernel_size, 2, self.dilation)
        return F.conv_transpose2d(input, self.weight, self.bias, self.stride, self.padding, more, self.groups,
                                  self.dilation)


class ConvTranspose3d(_ConvTransposeNd):
    _spatial_rank = 3

    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        more = self._output_padding(input, output_size, self.stride, self.padding, self.kernel_size, 3, self.dilation)
        return F.conv_transpose3d(input, self.weight, self.bias, self.stride, self.padding, more, self.groups,
                                  self.dilation)


class _LazyForward(LazyModuleMixin):
    def __init__(self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        super().__init__(0, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device,
                         dtype)


class _LazyTranspose(LazyModuleMixin):
    def __init__(self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
                 dilation=1, padding_mode="zeros", device=None, dtype=None):
        super().__init__(0, out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation,
                         padding_mode, device, dtype)


class LazyConv1d(_LazyForward, Conv1d):
    pass


class LazyConv2d(_LazyForward, Conv2d):
    pass


class LazyConv3d(_LazyForward, Conv3d):
    pass


class LazyConvTranspose1d(_LazyTranspose, ConvTranspose1d):
    pass


class LazyConvTranspose2d(_LazyTranspose, ConvTranspose2d):
    pass


class LazyConvTranspose3d(_LazyTranspose, ConvTranspose3d):
    pass
