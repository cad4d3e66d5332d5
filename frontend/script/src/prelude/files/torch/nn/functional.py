"""What `torch.nn.functional` offers beyond operators: checks, defaults and choices in front of them.

The order of the checks and of the operators in a function is the order of its compiled graph: it is
compared with recorded graphs, and so are the messages.
"""

import math
import torch
import warnings
from torch import Tensor, _VF
from torch._jit_internal import BroadcastingList1, BroadcastingList2, BroadcastingList3, _overload, boolean_dispatch
from torch.nn import _reduction as _Reduction
from torch.nn.modules.utils import _list_with_default, _pair, _single, _triple
from typing import List, Optional, Tuple, Union

conv1d = torch.conv1d
conv2d = torch.conv2d
conv3d = torch.conv3d
conv_transpose1d = torch.conv_transpose1d
conv_transpose2d = torch.conv_transpose2d
conv_transpose3d = torch.conv_transpose3d
conv_tbc = torch.conv_tbc
avg_pool1d = torch.avg_pool1d
avg_pool2d = torch._C._nn.avg_pool2d
avg_pool3d = torch._C._nn.avg_pool3d
adaptive_avg_pool1d = torch.adaptive_avg_pool1d
bilinear = torch.bilinear
linear = torch._C._nn.linear
prelu = torch.prelu
gelu = torch._C._nn.gelu
softplus = torch._C._nn.softplus
softshrink = torch._C._nn.softshrink
hardshrink = torch.hardshrink
logsigmoid = torch._C._nn.log_sigmoid
relu_ = torch.relu_
selu_ = torch.selu_
celu_ = torch.celu_
rrelu_ = torch.rrelu_
elu_ = torch._C._nn.elu_
hardtanh_ = torch._C._nn.hardtanh_
leaky_relu_ = torch._C._nn.leaky_relu_
threshold_ = _VF.threshold_
pixel_shuffle = torch.pixel_shuffle
pixel_unshuffle = torch.pixel_unshuffle
channel_shuffle = torch.channel_shuffle
native_channel_shuffle = torch.native_channel_shuffle
pairwise_distance = torch.pairwise_distance
pdist = torch.pdist
cosine_similarity = torch.cosine_similarity
one_hot = torch._C._nn.one_hot
scaled_dot_product_attention = torch._C._nn.scaled_dot_product_attention


# Pooling


def _by_return_indices(position, pair, values):
    """One callable for two: `pair` where the constant `return_indices` (argument `position`) is true, else `values`."""
    return boolean_dispatch(
        arg_name="return_indices", arg_index=position, default=False, if_true=pair, if_false=values
    )


def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    output_size: Optional[BroadcastingList2[int]] = None,
    output_ratio: Optional[BroadcastingList2[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor]:
    if output_size is None and output_ratio is None:
        raise ValueError("fractional_max_pool2d requires specifying either an output_size or an output_ratio")
    extent = output_size
    if extent is None:
        # The check above leaves the ratio; this one tells the compiler.
        if output_ratio is None:
            raise AssertionError("output_ratio is unexpectedly None")
        if len(output_ratio) > 2:
            raise ValueError("fractional_max_pool2d requires output_ratio to either be a single Int or tuple of Ints.")
        scale = _pair(output_ratio)
        extent = [int(input.size(-2) * scale[0]), int(input.size(-1) * scale[1])]

    # Where the regions begin: a number in [0, 1) per sample, channel and dimension.
    where = _random_samples
    if where is None:
        samples = 1 if input.dim() == 3 else input.size(0)
        where = torch.rand(samples, input.size(-3), 2, dtype=input.dtype, device=input.device)
    return torch._C._nn.fractional_max_pool2d(input, kernel_size, extent, where)


def _fractional_max_pool2d(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    output_size: Optional[BroadcastingList2[int]] = None,
    output_ratio: Optional[BroadcastingList2[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tensor:
    pair = fractional_max_pool2d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )
    return pair[0]


fractional_max_pool2d = _by_return_indices(4, fractional_max_pool2d_with_indices, _fractional_max_pool2d)


def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    output_size: Optional[BroadcastingList3[int]] = None,
    output_ratio: Optional[BroadcastingList3[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor]:
    if output_size is None and output_ratio is None:
        raise ValueError("fractional_max_pool3d requires specifying either an output_size or an output_ratio")
    extent = output_size
    if extent is None:
        # The check above leaves the ratio; this one tells the compiler.
        if output_ratio is None:
            raise AssertionError("output_ratio is unexpectedly None")
        scale = _triple(output_ratio)
        extent = [
            int(input.size(-3) * scale[0]),
            int(input.size(-2) * scale[1]),
            int(input.size(-1) * scale[2]),
        ]

    # Where the regions begin: a number in [0, 1) per sample, channel and dimension.
    where = _random_samples
    if where is None:
        samples = 1 if input.dim() == 4 else input.size(0)
        where = torch.rand(samples, input.size(-4), 3, dtype=input.dtype, device=input.device)
    return torch._C._nn.fractional_max_pool3d(input, kernel_size, extent, where)


def _fractional_max_pool3d(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    output_size: Optional[BroadcastingList3[int]] = None,
    output_ratio: Optional[BroadcastingList3[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tensor:
    pair = fractional_max_pool3d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )
    return pair[0]


fractional_max_pool3d = _by_return_indices(4, fractional_max_pool3d_with_indices, _fractional_max_pool3d)


def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0,
    dilation: BroadcastingList1[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    step = torch.jit.annotate(List[int], []) if stride is None else stride
    return torch.max_pool1d_with_indices(input, kernel_size, step, padding, dilation, ceil_mode)


def _max_pool1d(
    input: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0,
    dilation: BroadcastingList1[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    step = torch.jit.annotate(List[int], []) if stride is None else stride
    return torch.max_pool1d(input, kernel_size, step, padding, dilation, ceil_mode)


max_pool1d = _by_return_indices(6, max_pool1d_with_indices, _max_pool1d)


def max_pool2d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0,
    dilation: BroadcastingList2[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    step = torch.jit.annotate(List[int], []) if stride is None else stride
    return torch._C._nn.max_pool2d_with_indices(input, kernel_size, step, padding, dilation, ceil_mode)


def _max_pool2d(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0,
    dilation: BroadcastingList2[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    step = torch.jit.annotate(List[int], []) if stride is None else stride
    return torch.max_pool2d(input, kernel_size, step, padding, dilation, ceil_mode)


max_pool2d = _by_return_indices(6, max_pool2d_with_indices, _max_pool2d)


def max_pool3d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0,
    dilation: BroadcastingList3[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    step = torch.jit.annotate(List[int], []) if stride is None else stride
    return torch._C._nn.max_pool3d_with_indices(input, kernel_size, step, padding, dilation, ceil_mode)


def _max_pool3d(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0,
    dilation: BroadcastingList3[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    step = torch.jit.annotate(List[int], []) if stride is None else stride
    return torch.max_pool3d(input, kernel_size, step, padding, dilation, ceil_mode)


max_pool3d = _by_return_indices(6, max_pool3d_with_indices, _max_pool3d)


def _unpool_output_size(
    input: Tensor, kernel_size: List[int], stride: List[int], padding: List[int], output_size: Optional[List[int]]
) -> List[int]:
    # The inverse of pooling's formula; the remainder that pooling drops leaves a choice of less than a stride.
    sizes = input.size()
    usual = torch.jit.annotate(List[int], [])
    for i in range(len(kernel_size)):
        usual.append((sizes[-len(kernel_size) + i] - 1) * stride[i] + kernel_size[i] - 2 * padding[i])
    if output_size is None:
        chosen = usual
    else:
        chosen = output_size
        # Batch and channels may be given too.
        if len(chosen) == (len(kernel_size) + 2):
            chosen = chosen[2:]
        if len(chosen) != len(kernel_size):
            raise ValueError(
                f"output_size should be a sequence containing {len(kernel_size)} or {len(kernel_size) + 2} elements, but it has a length of '{len(chosen)}'"
            )
        for i in range(len(kernel_size)):
            low = usual[i] - stride[i]
            high = usual[i] + stride[i]
            if not (low < chosen[i] < high):
                raise ValueError(f'invalid output_size "{chosen}" (dim {i} must be between {low} and {high})')
    for i in range(len(kernel_size)):
        if chosen[i] < 0:
            raise ValueError(
                f"max_unpooling: output_size must contain non-negative spatial dimensions, but got output_size[{i}]={chosen[i]}"
            )
    return chosen


def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0,
    output_size: Optional[BroadcastingList1[int]] = None,
) -> Tensor:
    window = _single(kernel_size)
    step = _single(stride) if stride is not None else window
    margin = _single(padding)
    # As two-dimensional, with a last dimension of one.
    extent = _unpool_output_size(input, window, step, margin, output_size) + [1]
    flat = torch._C._nn.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), extent)
    return flat.squeeze(-1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0,
    output_size: Optional[BroadcastingList2[int]] = None,
) -> Tensor:
    window = _pair(kernel_size)
    step = _pair(stride) if stride is not None else window
    margin = _pair(padding)
    extent = _unpool_output_size(input, window, step, margin, output_size)
    return torch._C._nn.max_unpool2d(input, indices, extent)


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0,
    output_size: Optional[BroadcastingList3[int]] = None,
) -> Tensor:
    window = _triple(kernel_size)
    step = _triple(stride) if stride is not None else window
    margin = _triple(padding)
    extent = _unpool_output_size(input, window, step, margin, output_size)
    return torch._C._nn.max_unpool3d(input, indices, extent, step, margin)


def lp_pool3d(
    input: Tensor,
    norm_type: Union[int, float],
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    depth, height, width = _triple(kernel_size)
    if isinstance(norm_type, (int, float)):
        if norm_type == 0:
            raise ValueError(f"norm_type must be a non-zero value, but got {norm_type}")
        # The limits of the mean: the largest and the smallest magnitude.
        if norm_type == float("inf"):
            largest = max_pool3d(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
            return largest
        if norm_type == -float("inf"):
            negated = -input.abs()
            return -max_pool3d(negated, kernel_size, stride, 0, 1, ceil_mode)
    if stride is not None:
        powers = input.pow(norm_type)
        mean = avg_pool3d(powers, kernel_size, stride, 0, ceil_mode)
    else:
        powers = input.pow(norm_type)
        mean = avg_pool3d(powers, kernel_size, padding=0, ceil_mode=ceil_mode)
    # From the mean to the sum, then the root.
    signed = torch.sign(mean) * relu(torch.abs(mean))
    return signed.mul(depth * height * width).pow(1.0 / norm_type)


def lp_pool2d(
    input: Tensor,
    norm_type: Union[int, float],
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    height, width = _pair(kernel_size)
    if isinstance(norm_type, (int, float)):
        if norm_type == 0:
            raise ValueError(f"norm_type must be a non-zero value, but got {norm_type}")
        # The limits of the mean: the largest and the smallest magnitude.
        if norm_type == float("inf"):
            largest = max_pool2d(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
            return largest
        if norm_type == -float("inf"):
            negated = -input.abs()
            return -max_pool2d(negated, kernel_size, stride, 0, 1, ceil_mode)
    if stride is not None:
        powers = input.pow(norm_type)
        mean = avg_pool2d(powers, kernel_size, stride, 0, ceil_mode)
    else:
        powers = input.pow(norm_type)
        mean = avg_pool2d(powers, kernel_size, padding=0, ceil_mode=ceil_mode)
    # From the mean to the sum, then the root.
    signed = torch.sign(mean) * relu(torch.abs(mean))
    return signed.mul(height * width).pow(1.0 / norm_type)


def lp_pool1d(
    input: Tensor,
    norm_type: Union[int, float],
    kernel_size: int,
    stride: Optional[BroadcastingList1[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    if isinstance(norm_type, (int, float)):
        if norm_type == 0:
            raise ValueError(f"norm_type must be a non-zero value, but got {norm_type}")
        # The limits of the mean: the largest and the smallest magnitude.
        if norm_type == float("inf"):
            largest = max_pool1d(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
            return largest
        if norm_type == -float("inf"):
            negated = -input.abs()
            return -max_pool1d(negated, kernel_size, stride, 0, 1, ceil_mode)
    if stride is not None:
        powers = input.pow(norm_type)
        mean = avg_pool1d(powers, kernel_size, stride, 0, ceil_mode)
    else:
        powers = input.pow(norm_type)
        mean = avg_pool1d(powers, kernel_size, padding=0, ceil_mode=ceil_mode)
    # From the mean to the sum, then the root.
    signed = torch.sign(mean) * relu(torch.abs(mean))
    return signed.mul(kernel_size).pow(1.0 / norm_type)


def adaptive_max_pool1d_with_indices(
    input: Tensor, output_size: BroadcastingList1[int], return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    return torch.adaptive_max_pool1d(input, output_size)


def _adaptive_max_pool1d(
    input: Tensor, output_size: BroadcastingList1[int], return_indices: bool = False
) -> Tensor:
    pair = adaptive_max_pool1d_with_indices(input, output_size)
    return pair[0]


adaptive_max_pool1d = _by_return_indices(2, adaptive_max_pool1d_with_indices, _adaptive_max_pool1d)


def adaptive_max_pool2d_with_indices(
    input: Tensor, output_size: BroadcastingList2[int], return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    extent = _list_with_default(output_size, input.size())
    return torch._C._nn.adaptive_max_pool2d(input, extent)


def _adaptive_max_pool2d(
    input: Tensor, output_size: BroadcastingList2[int], return_indices: bool = False
) -> Tensor:
    pair = adaptive_max_pool2d_with_indices(input, output_size)
    return pair[0]


adaptive_max_pool2d = _by_return_indices(2, adaptive_max_pool2d_with_indices, _adaptive_max_pool2d)


def adaptive_max_pool3d_with_indices(
    input: Tensor, output_size: BroadcastingList3[int], return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    extent = _list_with_default(output_size, input.size())
    return torch._C._nn.adaptive_max_pool3d(input, extent)


def _adaptive_max_pool3d(
    input: Tensor, output_size: BroadcastingList3[int], return_indices: bool = False
) -> Tensor:
    pair = adaptive_max_pool3d_with_indices(input, output_size)
    return pair[0]


adaptive_max_pool3d = _by_return_indices(2, adaptive_max_pool3d_with_indices, _adaptive_max_pool3d)


def adaptive_avg_pool2d(input: Tensor, output_size: BroadcastingList2[int]) -> Tensor:
    extent = _list_with_default(output_size, input.size())
    return torch._C._nn.adaptive_avg_pool2d(input, extent)


def adaptive_avg_pool3d(input: Tensor, output_size: BroadcastingList3[int]) -> Tensor:
    extent = _list_with_default(output_size, input.size())
    return torch._C._nn.adaptive_avg_pool3d(input, extent)


# Dropout


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        return _VF.dropout_(input, p, training)
    else:
        return _VF.dropout(input, p, training)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        return _VF.alpha_dropout_(input, p, training)
    else:
        return _VF.alpha_dropout(input, p, training)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    rank = input.dim()
    if rank not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {rank}D input. Note that dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
        )
    # Without a batch: through a batch of one.
    batched = rank == 3
    samples = input
    if not batched:
        samples = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    if inplace:
        dropped = _VF.feature_dropout_(samples, p, training)
    else:
        dropped = _VF.feature_dropout(samples, p, training)
    if not batched:
        dropped = dropped.squeeze_(0) if inplace else dropped.squeeze(0)
    return dropped


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    rank = input.dim()
    if rank not in (3, 4):
        warnings.warn(
            f"dropout2d: Received a {rank}-D input to dropout2d, which is deprecated and will result in an error in a future release. To retain the behavior and silence this warning, please use dropout instead. Note that dropout2d exists to provide channel-wise dropout on inputs with 2 spatial dimensions, a channel dimension, and an optional batch dimension (i.e. 3D or 4D inputs).",
            stacklevel=2,
        )
    if rank == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future release to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, please switch to using dropout1d instead.",
            stacklevel=2,
        )
    if inplace:
        return _VF.feature_dropout_(input, p, training)
    else:
        return _VF.feature_dropout(input, p, training)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    rank = input.dim()
    if rank not in (4, 5):
        warnings.warn(
            f"dropout3d: Received a {rank}-D input to dropout3d, which is deprecated and will result in an error in a future release. To retain the behavior and silence this warning, please use dropout instead. Note that dropout3d exists to provide channel-wise dropout on inputs with 3 spatial dimensions, a channel dimension, and an optional batch dimension (i.e. 4D or 5D inputs).",
            stacklevel=2,
        )
    # Without a batch: through a batch of one.
    batched = rank == 5
    samples = input
    if not batched:
        samples = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    if inplace:
        dropped = _VF.feature_dropout_(samples, p, training)
    else:
        dropped = _VF.feature_dropout(samples, p, training)
    if not batched:
        dropped = dropped.squeeze_(0) if inplace else dropped.squeeze(0)
    return dropped


def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        return _VF.feature_alpha_dropout_(input, p, training)
    else:
        return _VF.feature_alpha_dropout(input, p, training)


# Activations

# Activations. Each either writes into its input or makes a new tensor: one choice, spelt as an expression because a
# helper of ours would show up as a call in the compiled graph.


def _threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    return _VF.threshold_(input, threshold, value) if inplace else _VF.threshold(input, threshold, value)


threshold = _threshold


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    return torch.relu_(input) if inplace else torch.relu(input)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    return torch._C._nn.relu6_(input) if inplace else torch._C._nn.relu6(input)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    if inplace:
        return torch._C._nn.leaky_relu_(input, negative_slope)
    return torch._C._nn.leaky_relu(input, negative_slope)


def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    return torch.rrelu_(input, lower, upper, training) if inplace else torch.rrelu(input, lower, upper, training)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return torch._C._nn.elu_(input, alpha) if inplace else torch._C._nn.elu(input, alpha)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return torch.celu_(input, alpha) if inplace else torch.celu(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    return torch.selu_(input) if inplace else torch.selu(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    return torch._C._nn.silu_(input) if inplace else torch._C._nn.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    return torch._C._nn.mish_(input) if inplace else torch._C._nn.mish(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    return torch._C._nn.hardswish_(input) if inplace else torch._C._nn.hardswish(input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    return torch._C._nn.hardsigmoid_(input) if inplace else torch._C._nn.hardsigmoid(input)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if inplace:
        return torch._C._nn.hardtanh_(input, min_val, max_val)
    return torch._C._nn.hardtanh(input, min_val, max_val)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return torch._C._nn.glu(input, dim)


# Activations that a method of the tensor already is, or nearly.


def sigmoid(input):
    return input.sigmoid()


def tanh(input):
    return input.tanh()


def tanhshrink(input):
    squashed = input.tanh()
    return input - squashed


def softsign(input):
    scale = input.abs() + 1
    return input / scale


# Softmax and relatives


def _get_softmax_dim(name: str, ndim: int, stacklevel: int) -> int:
    # The axis taken when the caller names none: the channels, wherever a tensor of this rank keeps them.
    warnings.warn(
        "Implicit dimension choice for {} has been deprecated. "
        "Change the call to include dim=X as an argument.".format(name),
        stacklevel=stacklevel,
    )
    return 0 if ndim == 0 or ndim == 1 or ndim == 3 else 1


def softmax(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None) -> Tensor:
    axis = _get_softmax_dim("softmax", input.dim(), _stacklevel) if dim is None else dim
    return input.softmax(axis) if dtype is None else input.softmax(axis, dtype=dtype)


def softmin(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None) -> Tensor:
    axis = _get_softmax_dim("softmin", input.dim(), _stacklevel) if dim is None else dim
    return (-input).softmax(axis) if dtype is None else (-input).softmax(axis, dtype=dtype)


def log_softmax(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None) -> Tensor:
    axis = _get_softmax_dim("log_softmax", input.dim(), _stacklevel) if dim is None else dim
    return input.log_softmax(axis) if dtype is None else input.log_softmax(axis, dtype=dtype)


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)

    # minus the logarithm of an exponential variable is a Gumbel variable
    exponential = torch.empty_like(logits, memory_format=torch.legacy_contiguous_format).exponential_()
    noise = -exponential.log()
    soft = ((logits + noise) / tau).softmax(dim)
    if hard:
        # the value is the one-hot choice, the gradient that of `soft`
        winner = soft.max(dim, keepdim=True)[1]
        blank = torch.zeros_like(logits, memory_format=torch.legacy_contiguous_format)
        return blank.scatter_(dim, winner, 1.0) - soft.detach() + soft
    return soft


# Embeddings


def embedding(
    input: Tensor, weight: Tensor, padding_idx: Optional[int] = None, max_norm: Optional[float] = None,
    norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False,
) -> Tensor:
    # a row counted from the end becomes one counted from the start; -1 then means no row
    if padding_idx is not None:
        skipped = padding_idx
        if skipped > 0:
            if skipped >= weight.size(0):
                raise AssertionError("Padding_idx must be within num_embeddings")
        elif skipped < 0:
            if skipped < -weight.size(0):
                raise AssertionError("Padding_idx must be within num_embeddings")
            skipped = weight.size(0) + skipped
    else:
        skipped = -1
    # In TorchScript nothing uses the renormalised table, and it is dropped.
    rows = input.contiguous() if max_norm is not None else input
    return torch.embedding(weight, rows, skipped, scale_grad_by_freq, sparse)


def embedding_bag(
    input: Tensor, weight: Tensor, offsets: Optional[Tensor] = None, max_norm: Optional[float] = None,
    norm_type: float = 2, scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False,
    per_sample_weights: Optional[Tensor] = None, include_last_offset: bool = False, padding_idx: Optional[int] = None,
) -> Tensor:
    rows = input
    table = weight
    factors = per_sample_weights
    if table.dtype == torch.long and rows.is_floating_point():
        warnings.warn(
            "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is "
            "deprecated, and should now be `embedding_bag(input, weight, ...)`.",
            stacklevel=2,
        )
        table, rows = rows, table

    if factors is not None and rows.size() != factors.size():
        raise ValueError(
            "embedding_bag: If per_sample_weights ({}) is not None, then it must have the same shape as the input "
            "({})".format(factors.shape, rows.shape)
        )
    if not table.dim() == 2:
        raise ValueError("weight has to be a 2D Tensor, but got Tensor of dimension {}".format(table.dim()))

    # Whatever the form of the input, bags become stretches of one list of rows.
    if not torch.jit.is_scripting() and rows.dim() == 2 and rows.is_nested:
        include_last_offset = True
        offsets = rows.offsets()
        rows = rows.values().reshape(-1)
    elif rows.dim() == 2:
        if offsets is not None:
            found = "<unknown>"
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of "
                "fixed length sequences. However, found offsets of type {}".format(found)
            )
        offsets = torch.arange(0, rows.numel(), rows.size(1), dtype=rows.dtype, device=rows.device)
        rows = rows.reshape(-1)
        include_last_offset = False
        if factors is not None:
            factors = factors.reshape(-1)
    elif rows.dim() == 1:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        if offsets.dim() != 1:
            raise ValueError("offsets has to be a 1D Tensor")
    else:
        raise ValueError("input has to be 1D or 2D Tensor, but got Tensor of dimension {}".format(rows.dim()))

    # The operator's number for the mode; it cannot do everything for every mode.
    if mode == "sum":
        code = 0
    elif mode == "mean":
        code = 1
    elif mode == "max":
        if scale_grad_by_freq:
            raise ValueError("max mode does not support scaling the gradient by the frequency")
        if sparse:
            raise ValueError("max mode does not support sparse weights")
        code = 2
    else:
        raise ValueError("mode has to be one of sum, mean or max")
    if factors is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' "
            "(got mode='{}'). Please open a feature request on GitHub.".format(mode)
        )

    bags = torch.embedding_bag(
        table, rows, offsets, scale_grad_by_freq, code, sparse, factors, include_last_offset, padding_idx
    )
    return bags[0]


# Normalisation


def _verify_batch_size(size: List[int]) -> None:
    # Training statistics of a channel need two values or more: batch times everything after the channels.
    per_channel = size[0]
    for axis in range(len(size) - 2):
        per_channel *= size[axis + 2]
    if per_channel == 1:
        raise ValueError("Expected more than 1 value per channel when training, got input size {}".format(size))


def _verify_spatial_size(size: List[int]) -> None:
    # The same for one sample: everything after the channels.
    spatial = 1
    for axis in range(2, len(size)):
        spatial *= size[axis]
    if spatial == 1:
        raise ValueError("Expected more than 1 spatial element when training, got input size {}".format(size))


def batch_norm(
    input: Tensor, running_mean: Optional[Tensor], running_var: Optional[Tensor], weight: Optional[Tensor] = None,
    bias: Optional[Tensor] = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:
    if training:
        _verify_batch_size(input.size())

    # zero is only of use with statistics that are known beforehand
    if training and eps <= 0.0:
        raise ValueError("batch_norm eps must be positive during training, but got {}".format(eps))
    elif eps < 0.0:
        raise ValueError("batch_norm eps must be non-negative, but got {}".format(eps))

    return torch.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps, torch.backends.cudnn.enabled
    )


def instance_norm(
    input: Tensor, running_mean: Optional[Tensor] = None, running_var: Optional[Tensor] = None,
    weight: Optional[Tensor] = None, bias: Optional[Tensor] = None, use_input_stats: bool = True,
    momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:
    if use_input_stats:
        _verify_spatial_size(input.size())
    return torch.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, torch.backends.cudnn.enabled
    )


def group_norm(
    input: Tensor, num_groups: int, weight: Optional[Tensor] = None, bias: Optional[Tensor] = None, eps: float = 1e-5
) -> Tensor:
    if input.dim() < 2:
        raise RuntimeError("Expected at least 2 dimensions for input tensor but received {}".format(input.dim()))
    # a group is a channel of a batch that holds the group's channels one after another
    members = input.size(0) * input.size(1) // num_groups
    _verify_batch_size([members, num_groups] + list(input.size()[2:]))
    return torch.group_norm(input, num_groups, weight, bias, eps, torch.backends.cudnn.enabled)


def layer_norm(
    input: Tensor, normalized_shape: List[int], weight: Optional[Tensor] = None, bias: Optional[Tensor] = None,
    eps: float = 1e-5,
) -> Tensor:
    return torch.layer_norm(input, normalized_shape, weight, bias, eps, torch.backends.cudnn.enabled)


def rms_norm(
    input: Tensor, normalized_shape: List[int], weight: Optional[Tensor] = None, eps: Optional[float] = None
) -> Tensor:
    return torch.rms_norm(input, normalized_shape, weight, eps)


def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    rank = input.dim()
    if rank < 3:
        raise ValueError(
            "Expected 3D or higher dimensionality                          input (got {} dimensions)".format(rank)
        )
    if input.numel() == 0:
        return input

    # The squares' mean over `size` neighbouring channels, which become an axis that a pooling window slides along.
    squares = input.mul(input)
    if rank == 3:
        windows = pad(squares.unsqueeze(1), (0, 0, size // 2, (size - 1) // 2))
        energy = avg_pool2d(windows, (size, 1), stride=1).squeeze(1)
    else:
        shape = input.size()
        volume = squares.view(shape[0], 1, shape[1], shape[2], -1)
        windows = pad(volume, (0, 0, 0, 0, size // 2, (size - 1) // 2))
        energy = avg_pool3d(windows, (size, 1, 1), stride=1).squeeze(1).view(shape)
    return input / energy.mul(alpha).add(k).pow(beta)


def normalize(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Optional[Tensor] = None
) -> Tensor:
    if out is None:
        length = input.norm(p, dim, keepdim=True).clamp_min(eps)
        return input / length.expand_as(input)
    length = input.norm(p, dim, keepdim=True).clamp_min_(eps)
    return torch.div(input, length.expand_as(input), out=out)


# Losses


def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor, blank: int = 0,
    reduction: str = "mean", zero_infinity: bool = False,
) -> Tensor:
    code = _Reduction.get_enum(reduction)
    return torch.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, code, zero_infinity)


def nll_loss(
    input: Tensor, target: Tensor, weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
    ignore_index: int = -100, reduce: Optional[bool] = None, reduction: str = "mean",
) -> Tensor:
    legacy = size_average is not None or reduce is not None
    how = _Reduction.legacy_get_string(size_average, reduce) if legacy else reduction
    return torch._C._nn.nll_loss_nd(input, target, weight, _Reduction.get_enum(how), ignore_index)


def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, size_average: Optional[bool] = None,
    eps: float = 1e-8, reduce: Optional[bool] = None, reduction: str = "mean",
) -> Tensor:
    legacy = size_average is not None or reduce is not None
    how = _Reduction.legacy_get_string(size_average, reduce) if legacy else reduction
    if how != "none" and how != "mean" and how != "sum":
        raise ValueError(how + " is not a valid value for reduction")
    return torch.poisson_nll_loss(input, target, log_input, full, eps, _Reduction.get_enum(how))


def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Union[Tensor, float], full: bool = False, eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    # Three forms of variance: one number, one of each sample (with or without a last axis), one of each element.
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        given = var * torch.ones_like(input)
    else:
        given = var
        if torch.any(given < 0):
            raise ValueError("var has negative entry/entries")
    if given.size() != input.size():
        if input.size()[:-1] == given.size():
            given = torch.unsqueeze(given, -1)
        elif input.ndim == given.ndim and sum(g for i, g in zip(input.size(), given.size()) if i != g) == 1:
            pass
        else:
            raise ValueError("var is of incorrect size")
    if reduction != "none" and reduction != "mean" and reduction != "sum":
        raise ValueError(reduction + " is not valid")

    # the bound takes no part in the gradient
    spread = given.clone()
    with torch.no_grad():
        spread.clamp_(min=eps)
    terms = 0.5 * (torch.log(spread) + (input - target) ** 2 / spread)
    if full:
        terms += 0.5 * math.log(2 * math.pi)
    return terms.mean() if reduction == "mean" else terms.sum() if reduction == "sum" else terms


def kl_div(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean", log_target: bool = False,
) -> Tensor:
    if size_average is not None or reduce is not None:
        code = _Reduction.legacy_get_enum(size_average, reduce)
    else:
        if reduction == "mean":
            warnings.warn(
                "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' "
                "divides only by the batch size, and aligns with the KL div math definition.'mean' will be changed "
                "to behave the same as 'batchmean' in the next major release.",
                stacklevel=2,
            )
        # the batch mean is the sum, divided below
        code = _Reduction.get_enum("sum") if reduction == "batchmean" else _Reduction.get_enum(reduction)

    loss = torch.kl_div(input, target, code, log_target=log_target)
    return loss / input.size()[0] if reduction == "batchmean" and input.dim() != 0 else loss

# Losses. Where a loss still takes `size_average` and `reduce`, either of them, once given, overrules `reduction`.


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    ignore_index: int = -100,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    by_flags = size_average is not None or reduce is not None
    name = _Reduction.legacy_get_string(size_average, reduce) if by_flags else reduction
    code = _Reduction.get_enum(name)
    return torch._C._nn.cross_entropy_loss(input, target, weight, code, ignore_index, label_smoothing)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    by_flags = size_average is not None or reduce is not None
    code = _Reduction.legacy_get_enum(size_average, reduce) if by_flags else _Reduction.get_enum(reduction)

    shapes_differ = target.size() != input.size()
    if shapes_differ:
        said = "Using a target size ({}) that is different to the input size ({}) is deprecated. Please ensure they have the same size."
        raise ValueError(said.format(target.size(), input.size()))

    # The operator does not broadcast the weights by itself.
    scale = weight.expand(torch.broadcast_shapes(target.size(), weight.size())) if weight is not None else weight
    return torch._C._nn.binary_cross_entropy(input, target, scale, code)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    pos_weight: Optional[Tensor] = None,
) -> Tensor:
    by_flags = size_average is not None or reduce is not None
    code = _Reduction.legacy_get_enum(size_average, reduce) if by_flags else _Reduction.get_enum(reduction)

    shapes_agree = target.size() == input.size()
    if not shapes_agree:
        said = "Target size ({}) must be the same as input size ({})"
        raise ValueError(said.format(target.size(), input.size()))
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, code)


# The four elementwise distances: a difference of shapes is only warned of, and the pair is broadcast.


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    shapes_differ = target.size() != input.size()
    if shapes_differ:
        said = "Using a target size ({}) that is different to the input size ({}). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size."
        warnings.warn(said.format(target.size(), input.size()), stacklevel=2)
    by_flags = size_average is not None or reduce is not None
    name = _Reduction.legacy_get_string(size_average, reduce) if by_flags else reduction

    x, y = torch.broadcast_tensors(input, target)
    if beta == 0.0:
        # The quadratic piece is empty.
        loss = torch._C._nn.l1_loss(x, y, _Reduction.get_enum(name))
    else:
        loss = torch._C._nn.smooth_l1_loss(x, y, _Reduction.get_enum(name), beta)
    return loss


def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Optional[Tensor] = None
) -> Tensor:
    shapes_differ = target.size() != input.size()
    if shapes_differ:
        said = "Using a target size ({}) that is different to the input size ({}). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size."
        warnings.warn(said.format(target.size(), input.size()), stacklevel=2)

    x, y = torch.broadcast_tensors(input, target)
    if weight is None:
        return torch._C._nn.huber_loss(x, y, _Reduction.get_enum(reduction), delta)

    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    each = torch._C._nn.huber_loss(x, y, _Reduction.get_enum("none"), delta) * weight
    if reduction == "none":
        loss = each
    elif reduction == "sum":
        loss = torch.sum(each)
    elif reduction == "mean":
        # Unlike its neighbours, this one divides by the count, not by the weights' sum.
        loss = each.mean()
    else:
        said = "Invalid reduction mode: {}. Expected one of 'none', 'mean', 'sum'."
        raise ValueError(said.format(reduction))
    return loss


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    weight: Optional[Tensor] = None,
) -> Tensor:
    shapes_differ = target.size() != input.size()
    if shapes_differ:
        said = "Using a target size ({}) that is different to the input size ({}). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size."
        warnings.warn(said.format(target.size(), input.size()), stacklevel=2)
    by_flags = size_average is not None or reduce is not None
    name = _Reduction.legacy_get_string(size_average, reduce) if by_flags else reduction

    x, y = torch.broadcast_tensors(input, target)
    if weight is not None:
        if weight.size() != input.size():
            raise ValueError("Weights and input must have the same size.")
        each = torch.abs(x - y) * weight
        if name == "none":
            loss = each
        elif name == "sum":
            loss = torch.sum(each)
        elif name == "mean":
            loss = torch.sum(each) / torch.sum(weight)
        else:
            said = "Invalid reduction mode: {}. Expected one of 'none', 'mean', 'sum'."
            raise ValueError(said.format(name))
        return loss
    return torch._C._nn.l1_loss(x, y, _Reduction.get_enum(name))


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    weight: Optional[Tensor] = None,
) -> Tensor:
    shapes_differ = target.size() != input.size()
    if shapes_differ:
        said = "Using a target size ({}) that is different to the input size ({}). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size."
        warnings.warn(said.format(target.size(), input.size()), stacklevel=2)
    by_flags = size_average is not None or reduce is not None
    name = _Reduction.legacy_get_string(size_average, reduce) if by_flags else reduction

    x, y = torch.broadcast_tensors(input, target)
    if weight is not None:
        if weight.size() != input.size():
            raise ValueError("Weights and input must have the same size.")
        each = torch.pow(x - y, 2) * weight
        if name == "none":
            loss = each
        elif name == "sum":
            loss = torch.sum(each)
        elif name == "mean":
            loss = torch.sum(each) / torch.sum(weight)
        else:
            said = "Invalid reduction mode: {}. Expected one of 'none', 'mean', 'sum'."
            raise ValueError(said.format(name))
        return loss
    return torch._C._nn.mse_loss(x, y, _Reduction.get_enum(name))


# Losses that are one operator once `reduction` is a number.


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    by_flags = size_average is not None or reduce is not None
    code = _Reduction.legacy_get_enum(size_average, reduce) if by_flags else _Reduction.get_enum(reduction)

    ranks_differ = input1.dim() != input2.dim() or input1.dim() != target.dim()
    if ranks_differ:
        said = "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: {}, input2: {}, target: {} "
        raise RuntimeError(said.format(input1.size(), input2.size(), target.size()))
    return torch.margin_ranking_loss(input1, input2, target, margin, code)


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    by_flags = size_average is not None or reduce is not None
    code = _Reduction.legacy_get_enum(size_average, reduce) if by_flags else _Reduction.get_enum(reduction)
    return torch.hinge_embedding_loss(input, target, margin, code)


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    by_flags = size_average is not None or reduce is not None
    code = _Reduction.legacy_get_enum(size_average, reduce) if by_flags else _Reduction.get_enum(reduction)
    return torch._C._nn.multilabel_margin_loss(input, target, code)


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    by_flags = size_average is not None or reduce is not None
    code = _Reduction.legacy_get_enum(size_average, reduce) if by_flags else _Reduction.get_enum(reduction)
    return torch._C._nn.soft_margin_loss(input, target, code)


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    by_flags = size_average is not None or reduce is not None
    name = _Reduction.legacy_get_string(size_average, reduce) if by_flags else reduction

    # Binary cross entropy of every label, then its average over the labels, which are the last dimension.
    log_likelihood = target * logsigmoid(input) + (1 - target) * logsigmoid(-input)
    each = -log_likelihood
    each = each * weight if weight is not None else each
    last = input.dim() - 1
    labels = input.size(last)
    row = each.sum(dim=last) / labels

    if name == "none":
        loss = row
    elif name == "mean":
        loss = row.mean()
    elif name == "sum":
        loss = row.sum()
    else:
        raise ValueError(name + " is not valid")
    return loss


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    by_flags = size_average is not None or reduce is not None
    code = _Reduction.legacy_get_enum(size_average, reduce) if by_flags else _Reduction.get_enum(reduction)
    return torch.cosine_embedding_loss(input1, input2, target, margin, code)


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    by_flags = size_average is not None or reduce is not None
    code = _Reduction.legacy_get_enum(size_average, reduce) if by_flags else _Reduction.get_enum(reduction)

    unknown_power = p != 1 and p != 2
    if unknown_power:
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None:
        not_a_vector = weight.dim() != 1
        if not_a_vector:
            raise ValueError("weight must be one-dimensional")
    return torch._C._nn.multi_margin_loss(input, target, p, margin, weight, code)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    by_flags = size_average is not None or reduce is not None
    code = _Reduction.legacy_get_enum(size_average, reduce) if by_flags else _Reduction.get_enum(reduction)

    if margin <= 0:
        said = "margin must be greater than 0, got {}"
        raise ValueError(said.format(margin))
    return torch.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, code)


# Resampling. The stubs say which forms `size` and `scale_factor` may take; the first that fits is compiled.


@_overload
def upsample(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
) -> Tensor:
    pass


@_overload
def upsample(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
) -> Tensor:
    pass


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    # The older name of `interpolate`.
    advice = "`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead."
    warnings.warn(advice, stacklevel=2)
    return interpolate(input, size, scale_factor, mode, align_corners)


@_overload
def interpolate(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[List[float]] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor:
    pass


@_overload
def interpolate(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[List[float]] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor:
    pass


@_overload
def interpolate(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor:
    pass


@_overload
def interpolate(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor:
    pass


def interpolate(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[List[float]] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor:
    # Only the modes that fit lines have corners to align.
    without_corners = mode in ("nearest", "area", "nearest-exact")
    if without_corners:
        if align_corners is not None:
            said = "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
            raise ValueError(said)
    elif align_corners is None:
        align_corners = False

    # What is asked for becomes one list with an entry a spatial dimension: `out_sizes` or `scales`, the other is None.
    rank = input.dim() - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    elif size is not None:
        if scale_factor is not None:
            raise AssertionError("scale_factor must be None when size is specified")
        scales = None
        if not isinstance(size, (list, tuple)):
            out_sizes = [size for _ in range(rank)]
        else:
            if len(size) != rank:
                said = "Input and output must have the same number of spatial dimensions, but got input with spatial dimensions of {} and output size of {}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and output size in (o1, o2, ...,oK) format."
                raise ValueError(said.format(list(input.shape[2:]), size))
            out_sizes = size
    elif scale_factor is not None:
        if size is not None:
            raise AssertionError("size must be None when scale_factor is specified")
        out_sizes = None
        if not isinstance(scale_factor, (list, tuple)):
            scales = [scale_factor for _ in range(rank)]
        else:
            if len(scale_factor) != rank:
                said = "Input and scale_factor must have the same number of spatial dimensions, but got input with spatial dimensions of {} and scale_factor of shape {}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, ...,sK) format."
                raise ValueError(said.format(list(input.shape[2:]), scale_factor))
            scales = scale_factor
    else:
        raise ValueError("either size or scale_factor should be defined")

    if recompute_scale_factor is not None and recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")

    if mode == "area" and out_sizes is None:
        recompute_scale_factor = True

    if recompute_scale_factor is not None and recompute_scale_factor:
        if scales is None:
            raise AssertionError("scale_factors is unexpectedly None")
        out_sizes = [math.floor(float(input.size(axis + 2)) * scales[axis]) for axis in range(rank)]
        scales = None

    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and input.ndim == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        )

    if input.dim() == 3 and mode == "nearest":
        return torch._C._nn.upsample_nearest1d(input, out_sizes, scales)
    if input.dim() == 4 and mode == "nearest":
        return torch._C._nn.upsample_nearest2d(input, out_sizes, scales)
    if input.dim() == 5 and mode == "nearest":
        return torch._C._nn.upsample_nearest3d(input, out_sizes, scales)

    if input.dim() == 3 and mode == "nearest-exact":
        return torch._C._nn._upsample_nearest_exact1d(input, out_sizes, scales)
    if input.dim() == 4 and mode == "nearest-exact":
        return torch._C._nn._upsample_nearest_exact2d(input, out_sizes, scales)
    if input.dim() == 5 and mode == "nearest-exact":
        return torch._C._nn._upsample_nearest_exact3d(input, out_sizes, scales)

    if input.dim() == 3 and mode == "area":
        if out_sizes is None:
            raise AssertionError("output_size is unexpectedly None")
        return adaptive_avg_pool1d(input, out_sizes)
    if input.dim() == 4 and mode == "area":
        if out_sizes is None:
            raise AssertionError("output_size is unexpectedly None")
        return adaptive_avg_pool2d(input, out_sizes)
    if input.dim() == 5 and mode == "area":
        if out_sizes is None:
            raise AssertionError("output_size is unexpectedly None")
        return adaptive_avg_pool3d(input, out_sizes)

    if input.dim() == 3 and mode == "linear":
        if align_corners is None:
            raise AssertionError("align_corners is unexpectedly None")
        return torch._C._nn.upsample_linear1d(input, out_sizes, align_corners, scales)
    if input.dim() == 4 and mode == "bilinear":
        if align_corners is None:
            raise AssertionError("align_corners is unexpectedly None")
        if antialias:
            return torch._C._nn._upsample_bilinear2d_aa(input, out_sizes, align_corners, scales)
        return torch._C._nn.upsample_bilinear2d(input, out_sizes, align_corners, scales)
    if input.dim() == 5 and mode == "trilinear":
        if align_corners is None:
            raise AssertionError("align_corners is unexpectedly None")
        return torch._C._nn.upsample_trilinear3d(input, out_sizes, align_corners, scales)
    if input.dim() == 4 and mode == "bicubic":
        if align_corners is None:
            raise AssertionError("align_corners is unexpectedly None")
        if antialias:
            return torch._C._nn._upsample_bicubic2d_aa(input, out_sizes, align_corners, scales)
        return torch._C._nn.upsample_bicubic2d(input, out_sizes, align_corners, scales)
    if input.dim() == 4 and mode == "lanczos":
        if align_corners is None:
            raise AssertionError("align_corners is unexpectedly None")
        if align_corners:
            raise ValueError("Lanczos mode does not support align_corners=True")
        if not antialias:
            raise ValueError("Lanczos mode requires antialias=True")
        return torch._C._nn._upsample_lanczos2d_aa(input, out_sizes, align_corners, scales)

    if input.dim() == 3 and mode == "bilinear":
        raise NotImplementedError("Got 3D input, but bilinear mode needs 4D input")
    if input.dim() == 3 and mode == "trilinear":
        raise NotImplementedError("Got 3D input, but trilinear mode needs 5D input")
    if input.dim() == 4 and mode == "linear":
        raise NotImplementedError("Got 4D input, but linear mode needs 3D input")
    if input.dim() == 4 and mode == "trilinear":
        raise NotImplementedError("Got 4D input, but trilinear mode needs 5D input")
    if input.dim() == 5 and mode == "linear":
        raise NotImplementedError("Got 5D input, but linear mode needs 3D input")
    if input.dim() == 5 and mode == "bilinear":
        raise NotImplementedError("Got 5D input, but bilinear mode needs 4D input")

    raise NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.dim()}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got {mode})"
    )


# Former spellings of `interpolate`. Each says that it is one, then hands over with its mode filled in.


@_overload
def upsample_nearest(input: Tensor, size: Optional[int] = None, scale_factor: Optional[float] = None) -> Tensor:
    pass


@_overload
def upsample_nearest(
    input: Tensor, size: Optional[List[int]] = None, scale_factor: Optional[float] = None
) -> Tensor:
    pass


def upsample_nearest(input, size=None, scale_factor=None):
    advice = "`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead."
    warnings.warn(advice, stacklevel=2)
    return interpolate(input, size=size, scale_factor=scale_factor, mode="nearest")


@_overload
def upsample_bilinear(input: Tensor, size: Optional[int] = None, scale_factor: Optional[float] = None) -> Tensor:
    pass


@_overload
def upsample_bilinear(
    input: Tensor, size: Optional[List[int]] = None, scale_factor: Optional[float] = None
) -> Tensor:
    pass


@_overload
def upsample_bilinear(
    input: Tensor, size: Optional[int] = None, scale_factor: Optional[List[float]] = None
) -> Tensor:
    pass


@_overload
def upsample_bilinear(
    input: Tensor, size: Optional[List[int]] = None, scale_factor: Optional[List[float]] = None
) -> Tensor:
    pass


def upsample_bilinear(input, size=None, scale_factor=None):
    advice = "`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead."
    warnings.warn(advice, stacklevel=2)
    return interpolate(input, size=size, scale_factor=scale_factor, mode="bilinear", align_corners=True)


# Sampling at given places


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: Optional[bool] = None,
) -> Tensor:
    """The values of `input` at the places in `grid`; the operator takes both modes as numbers."""
    if mode != "bilinear" and mode != "nearest" and mode != "bicubic":
        problem = f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        raise ValueError(problem)
    if padding_mode != "zeros" and padding_mode != "border" and padding_mode != "reflection":
        problem = f"nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: '{padding_mode}'"
        raise ValueError(problem)

    kernel = 0 if mode == "bilinear" else (1 if mode == "nearest" else 2)
    outside = 0 if padding_mode == "zeros" else (1 if padding_mode == "border" else 2)

    if align_corners is None:
        notice = "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify align_corners=True if the old behavior is desired. See the documentation of grid_sample for details."
        warnings.warn(notice, stacklevel=2)
        on_corners = False
    else:
        on_corners = align_corners
    return torch.grid_sampler(input, grid, kernel, outside, on_corners)


def affine_grid(theta: Tensor, size: List[int], align_corners: Optional[bool] = None) -> Tensor:
    """A grid for `grid_sample` from one affine matrix per sample: 2x3 for images, 3x4 for volumes."""
    if align_corners is None:
        notice = "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify align_corners=True if the old behavior is desired. See the documentation of grid_sample for details."
        warnings.warn(notice, stacklevel=2)
        on_corners = False
    else:
        on_corners = align_corners

    if not theta.is_floating_point():
        problem = f"Expected theta to have floating point type, but got {theta.dtype}"
        raise ValueError(problem)

    # What is left of the size without batch and channels.
    if len(size) == 4:
        if theta.dim() != 3 or theta.shape[-2] != 2 or theta.shape[-1] != 3:
            problem = f"Expected a batch of 2D affine matrices of shape Nx2x3 for size {size}. Got {theta.shape}."
            raise ValueError(problem)
        extent = size[-2:]
    else:
        if len(size) == 5:
            if theta.dim() != 3 or theta.shape[-2] != 3 or theta.shape[-1] != 4:
                problem = f"Expected a batch of 3D affine matrices of shape Nx3x4 for size {size}. Got {theta.shape}."
                raise ValueError(problem)
            extent = size[-3:]
        else:
            problem = f"affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size {size}."
            raise NotImplementedError(problem)

    if on_corners and min(extent) == 1:
        notice = "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This is not an intended use case of affine_grid. See the documentation of affine_grid for details."
        warnings.warn(notice, stacklevel=2)
    else:
        if min(size) <= 0:
            problem = f"Expected non-zero, positive output size. Got {size}"
            raise ValueError(problem)
    return torch.affine_grid_generator(theta, size, on_corners)


def pad(input: Tensor, pad: List[int], mode: str = "constant", value: Optional[float] = None) -> Tensor:
    return torch._C._nn.pad(input, pad, mode=mode, value=value)


# Sliding blocks, as columns and back


def unfold(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    dilation: BroadcastingList2[int] = 1,
    padding: BroadcastingList2[int] = 0,
    stride: BroadcastingList2[int] = 1,
) -> Tensor:
    block = _pair(kernel_size)
    spread = _pair(dilation)
    border = _pair(padding)
    step = _pair(stride)
    return torch._C._nn.im2col(input, block, spread, border, step)


def fold(
    input: Tensor,
    output_size: BroadcastingList2[int],
    kernel_size: BroadcastingList2[int],
    dilation: BroadcastingList2[int] = 1,
    padding: BroadcastingList2[int] = 0,
    stride: BroadcastingList2[int] = 1,
) -> Tensor:
    target = _pair(output_size)
    block = _pair(kernel_size)
    spread = _pair(dilation)
    border = _pair(padding)
    step = _pair(stride)
    return torch._C._nn.col2im(input, target, block, spread, border, step)


# Attention
#
# Sizes in the comments below: T target steps, S source steps, N samples, H heads, D the width of a head, E = H * D.


def _in_projection_packed(
    q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Optional[Tensor] = None
) -> List[Tensor]:
    """Projects by a weight that holds three, one under the other; inputs that are one tensor share a product."""
    width = q.size(-1)
    if k is v:
        if q is k:
            joint = linear(q, w, b).unflatten(-1, (3, width))
            parts = joint.unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
            return parts[0], parts[1], parts[2]
        w_target, w_memory = w.split([width, width * 2])
        if b is None:
            b_target = b_memory = None
        else:
            b_target, b_memory = b.split([width, width * 2])
        target = linear(q, w_target, b_target)
        joint = linear(k, w_memory, b_memory).unflatten(-1, (2, width))
        parts = joint.unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
        return target, parts[0], parts[1]
    first, second, third = w.chunk(3)
    if b is None:
        shift_q = shift_k = shift_v = None
    else:
        shift_q, shift_k, shift_v = b.chunk(3)
    return linear(q, first, shift_q), linear(k, second, shift_k), linear(v, third, shift_v)


def _in_projection(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    b_q: Optional[Tensor] = None,
    b_k: Optional[Tensor] = None,
    b_v: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    """Projects by three weights, all of them to the query's width."""
    width = q.size(-1)
    k_width = k.size(-1)
    v_width = v.size(-1)

    if w_q.shape != (width, width):
        problem = f"expecting query weights shape of {(width, width)}, but got {w_q.shape}"
        raise AssertionError(problem)
    if w_k.shape != (width, k_width):
        problem = f"expecting key weights shape of {(width, k_width)}, but got {w_k.shape}"
        raise AssertionError(problem)
    if w_v.shape != (width, v_width):
        problem = f"expecting value weights shape of {(width, v_width)}, but got {w_v.shape}"
        raise AssertionError(problem)

    if b_q is not None and b_q.shape != (width,):
        problem = f"expecting query bias shape of {(width,)}, but got {b_q.shape}"
        raise AssertionError(problem)
    if b_k is not None and b_k.shape != (width,):
        problem = f"expecting key bias shape of {(width,)}, but got {b_k.shape}"
        raise AssertionError(problem)
    if b_v is not None and b_v.shape != (width,):
        problem = f"expecting value bias shape of {(width,)}, but got {b_v.shape}"
        raise AssertionError(problem)

    projected_q = linear(q, w_q, b_q)
    projected_k = linear(k, w_k, b_k)
    projected_v = linear(v, w_v, b_v)
    return projected_q, projected_k, projected_v


def _mha_shape_check(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    key_padding_mask: Optional[Tensor],
    attn_mask: Optional[Tensor],
    num_heads: int,
):
    """Whether the inputs have a batch dimension; refuses inputs that do not agree about it."""
    if query.dim() == 3:
        has_batch = True
        if key.dim() != 3 or value.dim() != 3:
            problem = f"For batched (3-D) `query`, expected `key` and `value` to be 3-D but found {key.dim()}-D and {value.dim()}-D tensors respectively"
            raise AssertionError(problem)
        if key_padding_mask is not None:
            if key_padding_mask.dim() != 2:
                problem = f"For batched (3-D) `query`, expected `key_padding_mask` to be `None` or 2-D but found {key_padding_mask.dim()}-D tensor instead"
                raise AssertionError(problem)
        if attn_mask is not None:
            if attn_mask.dim() not in (2, 3):
                problem = f"For batched (3-D) `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.dim()}-D tensor instead"
                raise AssertionError(problem)
    else:
        if query.dim() == 2:
            has_batch = False
            if key.dim() != 2 or value.dim() != 2:
                problem = f"For unbatched (2-D) `query`, expected `key` and `value` to be 2-D but found {key.dim()}-D and {value.dim()}-D tensors respectively"
                raise AssertionError(problem)
            if key_padding_mask is not None:
                if key_padding_mask.dim() != 1:
                    problem = f"For unbatched (2-D) `query`, expected `key_padding_mask` to be `None` or 1-D but found {key_padding_mask.dim()}-D tensor instead"
                    raise AssertionError(problem)
            if attn_mask is not None:
                if attn_mask.dim() not in (2, 3):
                    problem = f"For unbatched (2-D) `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.dim()}-D tensor instead"
                    raise AssertionError(problem)
                if attn_mask.dim() == 3:
                    wanted = (num_heads, query.shape[0], key.shape[0])
                    if attn_mask.shape != wanted:
                        problem = f"Expected `attn_mask` shape to be {wanted} but got {attn_mask.shape}"
                        raise AssertionError(problem)
        else:
            problem = f"query should be unbatched 2D or batched 3D tensor but received {query.dim()}-D query tensor"
            raise AssertionError(problem)
    return has_batch


def _canonical_mask(
    mask: Optional[Tensor],
    mask_name: str,
    other_type: Optional[int],
    other_name: str,
    target_type: int,
    check_other: bool = True,
) -> Optional[Tensor]:
    """The mask as something to add to scores: one of bools becomes minus infinity where it is set."""
    if mask is not None:
        found = mask.dtype
        additive = torch.is_floating_point(mask)
        if found != torch.bool and not additive:
            problem = f"only bool and floating types of {mask_name} are supported"
            raise AssertionError(problem)
        if check_other and other_type is not None:
            if found != other_type:
                notice = f"Support for mismatched {mask_name} and {other_name} is deprecated. Use same type for both instead."
                warnings.warn(notice, stacklevel=2)
        if not additive:
            nothing = torch.zeros_like(mask, dtype=target_type)
            mask = nothing.masked_fill_(mask, float("-inf"))
    return mask


def _none_or_dtype(input: Optional[Tensor]) -> Optional[int]:
    if input is None:
        return None
    if isinstance(input, torch.Tensor):
        return input.dtype
    raise RuntimeError("input to _none_or_dtype() must be None or torch.Tensor")


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Optional[Tensor],
    in_proj_bias: Optional[Tensor],
    bias_k: Optional[Tensor],
    bias_v: Optional[Tensor],
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Optional[Tensor],
    training: bool = True,
    key_padding_mask: Optional[Tensor] = None,
    need_weights: bool = True,
    attn_mask: Optional[Tensor] = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Optional[Tensor] = None,
    k_proj_weight: Optional[Tensor] = None,
    v_proj_weight: Optional[Tensor] = None,
    static_k: Optional[Tensor] = None,
    static_v: Optional[Tensor] = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> Tuple[Tensor, Optional[Tensor]]:
    """Attention by several heads, with (T, N, E) and (S, N, E) inputs, or the same without N."""
    batched = _mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads)
    padding = key_padding_mask
    scores_mask = attn_mask
    if not batched:
        # A batch of one, taken away again at the end.
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if padding is not None:
            padding = padding.unsqueeze(0)

    steps, samples, width = query.shape
    memory_steps, _, _ = key.shape

    # Masks
    padding = _canonical_mask(
        padding, "key_padding_mask", _none_or_dtype(scores_mask), "attn_mask", query.dtype
    )
    if is_causal and scores_mask is None:
        problem = "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method `generate_square_subsequent_mask` to create this mask."
        raise RuntimeError(problem)
    causal = is_causal
    if causal and padding is None and not need_weights:
        # The operator makes this mask on its own.
        scores_mask = None
    else:
        scores_mask = _canonical_mask(scores_mask, "attn_mask", None, "", query.dtype, False)
        if padding is not None:
            causal = False

    # Sizes
    if width != embed_dim_to_check:
        problem = f"was expecting embedding dimension of {embed_dim_to_check}, but got {width}"
        raise AssertionError(problem)
    if isinstance(width, torch.Tensor):
        per_head = width.div(num_heads, rounding_mode="trunc")
    else:
        per_head = width // num_heads
    if per_head * num_heads != width:
        problem = f"embed_dim {width} not divisible by num_heads {num_heads}"
        raise AssertionError(problem)
    if use_separate_proj_weight:
        # Only the widths may differ.
        if key.shape[:2] != value.shape[:2]:
            problem = f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}"
            raise AssertionError(problem)
    else:
        if key.shape != value.shape:
            problem = f"key shape {key.shape} does not match value shape {value.shape}"
            raise AssertionError(problem)

    # Projections
    if not use_separate_proj_weight:
        if in_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
        asks, offers, gives = _in_projection_packed(query, key, value, in_proj_weight, in_proj_bias)
    else:
        if q_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is True but q_proj_weight is None")
        if k_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is True but k_proj_weight is None")
        if v_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is True but v_proj_weight is None")
        if in_proj_bias is None:
            shift_q = shift_k = shift_v = None
        else:
            shift_q, shift_k, shift_v = in_proj_bias.chunk(3)
        asks, offers, gives = _in_projection(
            query, key, value, q_proj_weight, k_proj_weight, v_proj_weight, shift_q, shift_k, shift_v
        )

    # One mask for all is (1, T, S) from here on, one for each head (N * H, T, S).
    if scores_mask is not None:
        if scores_mask.dim() == 2:
            shared_size = (steps, memory_steps)
            if scores_mask.shape != shared_size:
                problem = f"The shape of the 2D attn_mask is {scores_mask.shape}, but should be {shared_size}."
                raise RuntimeError(problem)
            scores_mask = scores_mask.unsqueeze(0)
        else:
            if scores_mask.dim() == 3:
                full_size = (samples * num_heads, steps, memory_steps)
                if scores_mask.shape != full_size:
                    problem = f"The shape of the 3D attn_mask is {scores_mask.shape}, but should be {full_size}."
                    raise RuntimeError(problem)
            else:
                problem = f"attn_mask's dimension {scores_mask.dim()} is not supported"
                raise RuntimeError(problem)

    # A learned source step at the end
    if bias_k is not None and bias_v is not None:
        if static_k is not None:
            raise AssertionError("bias cannot be added to static key.")
        if static_v is not None:
            raise AssertionError("bias cannot be added to static value.")
        extra_offer = bias_k.repeat(1, samples, 1)
        offers = torch.cat([offers, extra_offer])
        extra_gift = bias_v.repeat(1, samples, 1)
        gives = torch.cat([gives, extra_gift])
        if scores_mask is not None:
            scores_mask = pad(scores_mask, (0, 1))
        if padding is not None:
            padding = pad(padding, (0, 1))
    else:
        if bias_k is not None:
            raise AssertionError("bias_k is set but bias_v is None")
        if bias_v is not None:
            raise AssertionError("bias_v is set but bias_k is None")

    # (steps, N, E) to (N * H, steps, D)
    asks = asks.view(steps, samples * num_heads, per_head).transpose(0, 1)
    if static_k is None:
        offers = offers.view(offers.shape[0], samples * num_heads, per_head).transpose(0, 1)
    else:
        if static_k.size(0) != samples * num_heads:
            problem = f"expecting static_k.size(0) of {samples * num_heads}, but got {static_k.size(0)}"
            raise AssertionError(problem)
        if static_k.size(2) != per_head:
            problem = f"expecting static_k.size(2) of {per_head}, but got {static_k.size(2)}"
            raise AssertionError(problem)
        offers = static_k
    if static_v is None:
        gives = gives.view(gives.shape[0], samples * num_heads, per_head).transpose(0, 1)
    else:
        if static_v.size(0) != samples * num_heads:
            problem = f"expecting static_v.size(0) of {samples * num_heads}, but got {static_v.size(0)}"
            raise AssertionError(problem)
        if static_v.size(2) != per_head:
            problem = f"expecting static_v.size(2) of {per_head}, but got {static_v.size(2)}"
            raise AssertionError(problem)
        gives = static_v

    # A source step of zeros at the end
    if add_zero_attn:
        one_step = (samples * num_heads, 1, per_head)
        silent_offer = torch.zeros(one_step, dtype=offers.dtype, device=offers.device)
        offers = torch.cat([offers, silent_offer], dim=1)
        silent_gift = torch.zeros(one_step, dtype=gives.dtype, device=gives.device)
        gives = torch.cat([gives, silent_gift], dim=1)
        if scores_mask is not None:
            scores_mask = pad(scores_mask, (0, 1))
        if padding is not None:
            padding = pad(padding, (0, 1))

    memory_steps = offers.size(1)

    # The padding counts for every head and every target step.
    if padding is not None:
        spread = padding.view(samples, 1, 1, memory_steps).expand(-1, num_heads, -1, -1)
        spread = spread.reshape(samples * num_heads, 1, memory_steps)
        scores_mask = spread if scores_mask is None else scores_mask + spread

    rate = 0.0 if not training else dropout_p

    if need_weights:
        # Spelled out, since the single operator does not give the weights.
        _, _, depth = asks.shape
        scaled = asks * math.sqrt(1.0 / float(depth))
        if causal and scores_mask is None:
            raise AssertionError("FIXME: is_causal not implemented for need_weights")
        if scores_mask is not None:
            scores = torch.baddbmm(scores_mask, scaled, offers.transpose(-2, -1))
        else:
            scores = torch.bmm(scaled, offers.transpose(-2, -1))
        weights = softmax(scores, dim=-1)
        if rate > 0.0:
            weights = dropout(weights, p=rate)

        mixed = torch.bmm(weights, gives).transpose(0, 1).reshape(steps * samples, width)
        mixed = linear(mixed, out_proj_weight, out_proj_bias)
        result = mixed.view(steps, samples, mixed.size(1))
        weights = weights.view(samples, num_heads, steps, memory_steps)
        if average_attn_weights:
            weights = weights.mean(dim=1)
        if not batched:
            result, weights = result.squeeze(1), weights.squeeze(0)
        return result, weights

    # (N * H, steps, D) to (N, H, steps, D), the mask likewise
    if scores_mask is not None:
        if scores_mask.size(0) == 1 and scores_mask.dim() == 3:
            scores_mask = scores_mask.unsqueeze(0)
        else:
            scores_mask = scores_mask.view(samples, num_heads, -1, memory_steps)
    asks = asks.view(samples, num_heads, steps, per_head)
    offers = offers.view(samples, num_heads, memory_steps, per_head)
    gives = gives.view(samples, num_heads, memory_steps, per_head)
    mixed = scaled_dot_product_attention(asks, offers, gives, scores_mask, rate, causal)
    mixed = mixed.permute(2, 0, 1, 3).reshape(samples * steps, width)
    mixed = linear(mixed, out_proj_weight, out_proj_bias)
    result = mixed.view(steps, samples, mixed.size(1))
    result = result.squeeze(1) if not batched else result
    return result, None
