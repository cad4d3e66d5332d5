"""Modules that apply one function to each element or along one dimension, and multi-head attention."""

import torch
import warnings
from torch import Tensor
from torch.nn import functional as F
from torch.nn.init import constant_, xavier_normal_, xavier_uniform_
from torch.nn.parameter import Parameter
from typing import Optional, Tuple
from .linear import NonDynamicallyQuantizableLinear
from .module import Module


# Modules with the same settings share the base that stores them; each adds the function it applies.


class _MaybeInplace(Module):
    """`inplace` is the only setting."""

    __constants__ = ["inplace"]
    inplace: bool

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace


class _Scaled(Module):
    """A scale `alpha` of the negative side, and `inplace`."""

    __constants__ = ["alpha", "inplace"]
    alpha: float
    inplace: bool

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha, self.inplace = alpha, inplace


class _Shrinking(Module):
    """`lambd` is half the width of the band around zero."""

    __constants__ = ["lambd"]
    lambd: float

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd


class _AlongDim(Module):
    """`dim` is the dimension that is normalised; None leaves the choice to the function."""

    __constants__ = ["dim"]
    dim: Optional[int]

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim


# Without settings.


class Sigmoid(Module):
    def forward(self, input: Tensor) -> Tensor:
        return input.sigmoid()


class Tanh(Module):
    def forward(self, input: Tensor) -> Tensor:
        return input.tanh()


class LogSigmoid(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class Softsign(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class Tanhshrink(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


# With `inplace` alone.


class ReLU(_MaybeInplace):
    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, self.inplace)


class SELU(_MaybeInplace):
    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, inplace=self.inplace)


class SiLU(_MaybeInplace):
    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, self.inplace)


class Mish(_MaybeInplace):
    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, self.inplace)


class Hardswish(_MaybeInplace):
    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, inplace=self.inplace)


class Hardsigmoid(_MaybeInplace):
    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, inplace=self.inplace)


# With one scale or width.


class ELU(_Scaled):
    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, alpha=self.alpha, inplace=self.inplace)


class CELU(_Scaled):
    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, alpha=self.alpha, inplace=self.inplace)


class Hardshrink(_Shrinking):
    def forward(self, input: Tensor) -> Tensor:
        return F.hardshrink(input, lambd=self.lambd)


class Softshrink(_Shrinking):
    def forward(self, input: Tensor) -> Tensor:
        return F.softshrink(input, lambd=self.lambd)


# Along one dimension.


class Softmin(_AlongDim):
    def forward(self, input: Tensor) -> Tensor:
        return F.softmin(input, dim=self.dim, _stacklevel=5)


class Softmax(_AlongDim):
    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, dim=self.dim, _stacklevel=5)


class LogSoftmax(_AlongDim):
    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, dim=self.dim, _stacklevel=5)


class Softmax2d(Module):
    """Over the channels of an image or of a batch of images."""

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, dim=-3, _stacklevel=5)


class GLU(Module):
    __constants__ = ["dim"]
    dim: int

    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, dim=self.dim)


# With settings of their own.


class Hardtanh(Module):
    """Clamps to [min_val, max_val]; min_value and max_value are the older names and win when given."""

    __constants__ = ["min_val", "max_val", "inplace"]
    inplace: bool
    max_val: float
    min_val: float

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        low = min_val if min_value is None else min_value
        high = max_val if max_value is None else max_value
        if not low < high:
            raise AssertionError(f"expected min_val < max_val, got {low} and {high}")
        super().__init__()
        self.min_val, self.max_val, self.inplace = low, high, inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, min_val=self.min_val, max_val=self.max_val, inplace=self.inplace)


class ReLU6(Hardtanh):
    def __init__(self, inplace=False):
        super().__init__(min_val=0.0, max_val=6.0, inplace=inplace)


class Threshold(Module):
    __constants__ = ["threshold", "value", "inplace"]
    inplace: bool
    value: float
    threshold: float

    def __init__(self, threshold, value, inplace=False):
        super().__init__()
        self.threshold, self.value, self.inplace = threshold, value, inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, threshold=self.threshold, value=self.value, inplace=self.inplace)


class LeakyReLU(Module):
    __constants__ = ["inplace", "negative_slope"]
    inplace: bool
    negative_slope: float

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, negative_slope=self.negative_slope, inplace=self.inplace)


class RReLU(Module):
    """A leaky ReLU whose slope is drawn from [lower, upper] while training."""

    __constants__ = ["lower", "upper", "inplace"]
    inplace: bool
    upper: float
    lower: float

    def __init__(self, lower=0.125, upper=1.0 / 3, inplace=False):
        super().__init__()
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, lower=self.lower, upper=self.upper, training=self.training, inplace=self.inplace)


class PReLU(Module):
    """A leaky ReLU whose slopes are learnt."""

    __constants__ = ["num_parameters"]
    num_parameters: int

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        slopes = torch.empty(num_parameters, device=device, dtype=dtype)
        self.weight = Parameter(slopes)
        self.reset_parameters()

    def reset_parameters(self):
        constant_(self.weight, val=self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, weight=self.weight)


class GELU(Module):
    __constants__ = ["approximate"]
    approximate: str

    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)


class Softplus(Module):
    __constants__ = ["beta", "threshold"]
    threshold: float
    beta: float

    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, beta=self.beta, threshold=self.threshold)


# Attention. The three functions decide whether the fused operator may run.


def _check_arg_device(x: Optional[torch.Tensor]) -> bool:
    if x is not None:
        return x.device.type in ["cpu", "cuda", torch.utils.backend_registration._privateuse1_backend_name]
    return True


def _arg_requires_grad(x: Optional[torch.Tensor]) -> bool:
    if x is not None:
        return x.requires_grad
    return False


def _is_make_fx_tracing():
    if torch.jit.is_scripting():
        return False
    else:
        return torch.compiler.is_exporting()


class MultiheadAttention(Module):
    __constants__ = ["batch_first"]
    bias_k: Optional[torch.Tensor]
    bias_v: Optional[torch.Tensor]

    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        device=None,
        dtype=None,
    ):
        if not (embed_dim > 0 and num_heads > 0):
            raise ValueError(f"expected embed_dim and num_heads above 0, got {embed_dim} and {num_heads}")
        if embed_dim % num_heads != 0:
            raise AssertionError(f"expected embed_dim to be a multiple of num_heads, got {embed_dim} and {num_heads}")

        def uninitialised(*sizes):
            return Parameter(torch.empty(sizes, device=device, dtype=dtype))

        super().__init__()
        key_width = embed_dim if kdim is None else kdim
        value_width = embed_dim if vdim is None else vdim
        joint = key_width == embed_dim and value_width == embed_dim
        self.embed_dim, self.kdim, self.vdim = embed_dim, key_width, value_width
        self._qkv_same_embed_dim = joint
        self.num_heads, self.dropout, self.batch_first = num_heads, dropout, batch_first
        self.head_dim = embed_dim // num_heads

        # One matrix holds the three projections where the widths agree; the names not used stay registered.
        separate = [("q_proj_weight", embed_dim), ("k_proj_weight", key_width), ("v_proj_weight", value_width)]
        if joint:
            self.in_proj_weight = uninitialised(3 * embed_dim, embed_dim)
        for name, width in separate:
            if joint:
                self.register_parameter(name, None)
            else:
                setattr(self, name, uninitialised(embed_dim, width))
        if not joint:
            self.register_parameter("in_proj_weight", None)

        self.register_parameter("in_proj_bias", uninitialised(3 * embed_dim) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, device, dtype)
        self.bias_k = uninitialised(1, 1, embed_dim) if add_bias_kv else None
        self.bias_v = uninitialised(1, 1, embed_dim) if add_bias_kv else None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self):
        for projection in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if projection is not None:
                xavier_uniform_(projection)
        if self.in_proj_bias is not None:
            for offset in (self.in_proj_bias, self.out_proj.bias):
                constant_(offset, 0.0)
        for extra in (self.bias_k, self.bias_v):
            if extra is not None:
                xavier_normal_(extra)

    def merge_masks(
        self, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor], query: Tensor
    ) -> Tuple[Optional[Tensor], Optional[int]]:
        """The sum of the masks given and its kind: 1 for a padding mask alone, 2 with an attention mask, else None."""
        kind: Optional[int] = None
        merged: Optional[Tensor] = None
        if key_padding_mask is not None:
            kind, merged = 1, key_padding_mask
        if attn_mask is not None:
            kind = 2
            batch, length, _ = query.shape
            if attn_mask.dim() == 3:
                scores = attn_mask.view(batch, -1, length, length)
            else:
                shared = attn_mask.view(1, 1, length, length)
                scores = shared.expand(batch, self.num_heads, -1, -1)
            merged = scores
            if key_padding_mask is not None:
                padding = key_padding_mask.view(batch, 1, 1, length)
                merged = scores + padding.expand(-1, self.num_heads, -1, -1)
        return merged, kind

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Optional[Tensor] = None,
        need_weights: bool = True,
        attn_mask: Optional[Tensor] = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> Tuple[Tensor, Optional[Tensor]]:
        # `slow` says why the fused operator cannot run; empty while it still can.
        slow = ""
        if (attn_mask is not None and attn_mask.is_floating_point()) or (
            key_padding_mask is not None and key_padding_mask.is_floating_point()
        ):
            slow = "floating-point masks are not supported for fast path."
        batched = query.dim() == 3
        padding = F._canonical_mask(
            key_padding_mask, "key_padding_mask", F._none_or_dtype(attn_mask), "attn_mask", query.dtype
        )
        mask = F._canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, check_other=False)

        if not torch.backends.mha.get_fastpath_enabled():
            slow = "torch.backends.mha.get_fastpath_enabled() was not True"
        elif not batched:
            slow = f"input not batched; expected query.dim() of 3 but got {query.dim()}"
        elif query is not key or key is not value:
            slow = "non-self attention was used (query, key, and value are not the same Tensor)"
        elif self.in_proj_bias is not None and query.dtype != self.in_proj_bias.dtype:
            slow = f"dtypes of query ({query.dtype}) and self.in_proj_bias ({self.in_proj_bias.dtype}) don't match"
        elif self.in_proj_weight is None:
            slow = "in_proj_weight was None"
        elif query.dtype != self.in_proj_weight.dtype:
            slow = f"dtypes of query ({query.dtype}) and self.in_proj_weight ({self.in_proj_weight.dtype}) don't match"
        elif self.training:
            slow = "training is enabled"
        elif self.num_heads % 2 != 0:
            slow = "self.num_heads is not even"
        elif not self.batch_first:
            slow = "batch_first was not True"
        elif self.bias_k is not None:
            slow = "self.bias_k was not None"
        elif self.bias_v is not None:
            slow = "self.bias_v was not None"
        elif self.add_zero_attn:
            slow = "add_zero_attn was enabled"
        elif not self._qkv_same_embed_dim:
            slow = "_qkv_same_embed_dim was not True"
        elif query.is_nested and (padding is not None or mask is not None):
            slow = "supplying both src_key_padding_mask and src_mask at the same time                              is not supported with NestedTensor input"
        elif torch.is_autocast_enabled():
            slow = "autocast is enabled"

        traced = False
        if not slow:
            given = (
                query, key, value, self.in_proj_weight, self.in_proj_bias, self.out_proj.weight, self.out_proj.bias
            )
            if not all(_check_arg_device(t) for t in given):
                slow = f"some Tensor argument's device is neither one of cpu, cuda or {torch.utils.backend_registration._privateuse1_backend_name}"
            elif torch.is_grad_enabled() and any(_arg_requires_grad(t) for t in given):
                slow = "grad is enabled and at least one of query or the input/output projection weights or biases requires_grad"
            elif _is_make_fx_tracing():
                slow, traced = "we are running make_fx tracing", True
            if not slow:
                both, kind = self.merge_masks(mask, padding, query)
                if self.in_proj_bias is not None and self.in_proj_weight is not None:
                    return torch._native_multi_head_attention(
                        query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias,
                        self.out_proj.weight, self.out_proj.bias, both, need_weights, average_attn_weights, kind
                    )

        if query.is_nested or key.is_nested or value.is_nested:
            raise AssertionError(
                "MultiheadAttention does not support NestedTensor outside of its fast path. "
                + f"The fast path was not hit because {slow}"
            )

        # The general function wants the sequence first. Equal arguments stay one tensor.
        if self.batch_first and batched:
            if key is value:
                if query is key:
                    query = key = value = query.transpose(1, 0)
                else:
                    query, key = (t.transpose(1, 0) for t in (query, key))
                    value = key
            else:
                query, key, value = (t.transpose(1, 0) for t in (query, key, value))

        if not self._qkv_same_embed_dim:
            output, weights = F.multi_head_attention_forward(
                query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias,
                self.bias_k, self.bias_v, self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias,
                self.training, padding, need_weights, mask, True,
                self.q_proj_weight, self.k_proj_weight, self.v_proj_weight,
                average_attn_weights=average_attn_weights, is_causal=is_causal
            )
        else:
            output, weights = F.multi_head_attention_forward(
                query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias,
                self.bias_k, self.bias_v, self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias,
                self.training, padding, need_weights, mask,
                average_attn_weights=average_attn_weights, is_causal=is_causal
            )

        if self.batch_first and batched:
            output = output.transpose(1, 0)
            if traced:
                output = output.contiguous()
            return output, weights
        return output, weights
