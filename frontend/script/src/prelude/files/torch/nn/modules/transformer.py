"""Transformers: encoder, decoder and their layers."""

import copy
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.init import xavier_uniform_
from typing import Optional
from .activation import GELU, MultiheadAttention, ReLU
from .container import ModuleList
from .dropout import Dropout
from .linear import Linear
from .module import Module
from .normalization import LayerNorm

# The forward methods below are compiled by Sconce's frontend: the operators
# and branches in them, and their order, are the graph. The constructors are
# evaluated as plain Python.


# Helpers of the compiled methods.


def _generate_square_subsequent_mask(
    sz: int, device: Optional[torch.device] = None, dtype: Optional[torch.dtype] = None
) -> Tensor:
    # Row i may look at the columns 0..i; what lies right of them gets -inf.
    blocked = torch.full((sz, sz), float("-inf"), device=device, dtype=dtype)
    return torch.triu(blocked, diagonal=1)


def _get_seq_len(src: Tensor, batch_first: bool) -> Optional[int]:
    if src.is_nested:
        return None  # ragged: there is no common length
    else:
        shape = src.size()
        if len(shape) == 2:
            return shape[0]
        else:
            return shape[1 if batch_first else 0]


def _detect_is_causal_mask(
    mask: Optional[Tensor], is_causal: Optional[bool] = None, size: Optional[int] = None
) -> bool:
    # The caller's word counts if given; otherwise the mask is compared.
    causal = is_causal is True
    if is_causal is None and mask is not None:
        length = size if size is not None else mask.size(-2)
        triangle = _generate_square_subsequent_mask(length, mask.device, mask.dtype)
        if mask.size() == triangle.size():
            causal = bool((mask == triangle).all())
        else:
            causal = False
    return causal


# Helpers of the constructors.


def _get_clones(module, N):
    clones = []
    for _ in range(N):
        clones.append(copy.deepcopy(module))
    return ModuleList(clones)


def _get_activation_fn(activation):
    if activation == "gelu":
        return F.gelu
    if activation == "relu":
        return F.relu
    raise RuntimeError(f"activation: expected 'relu' or 'gelu', got '{activation}'")


def _activation_kind(fn):
    """The fused kernel's number of an activation: 1 relu, 2 gelu, 0 neither."""
    if fn is F.gelu or isinstance(fn, GELU):
        return 2
    if fn is F.relu or isinstance(fn, ReLU):
        return 1
    return 0


def _may_nest(layer):
    """May an encoder of such layers take the path of nested tensors?"""
    if not isinstance(layer, TransformerEncoderLayer):
        return False
    if layer.norm_first or layer.activation_relu_or_gelu == 0:
        return False
    attn = layer.self_attn
    if attn.num_heads % 2 != 0 or attn.in_proj_bias is None:
        return False
    return attn.batch_first and attn._qkv_same_embed_dim and layer.norm1.eps == layer.norm2.eps


class Transformer(Module):
    """An encoder, and a decoder that attends to what it returns."""

    def __init__(
        self,
        d_model=512,
        nhead=8,
        num_encoder_layers=6,
        num_decoder_layers=6,
        dim_feedforward=2048,
        dropout=0.1,
        activation=F.relu,
        custom_encoder=None,
        custom_decoder=None,
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        made = {"bias": bias, "device": device, "dtype": dtype}

        def stack(layer_class, stack_class, count):
            layer = layer_class(
                d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, **made
            )
            return stack_class(layer, count, LayerNorm(d_model, eps=layer_norm_eps, **made))

        if custom_encoder is None:
            custom_encoder = stack(TransformerEncoderLayer, TransformerEncoder, num_encoder_layers)
        self.encoder = custom_encoder
        if custom_decoder is None:
            custom_decoder = stack(TransformerDecoderLayer, TransformerDecoder, num_decoder_layers)
        self.decoder = custom_decoder
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def _reset_parameters(self):
        for weight in self.parameters():
            if weight.dim() >= 2:
                xavier_uniform_(weight)

    @staticmethod
    def generate_square_subsequent_mask(
        sz: int, device: Optional[torch.device] = None, dtype: Optional[torch.dtype] = None
    ) -> Tensor:
        return _generate_square_subsequent_mask(sz, device, dtype)

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Optional[Tensor] = None,
        tgt_mask: Optional[Tensor] = None,
        memory_mask: Optional[Tensor] = None,
        src_key_padding_mask: Optional[Tensor] = None,
        tgt_key_padding_mask: Optional[Tensor] = None,
        memory_key_padding_mask: Optional[Tensor] = None,
        src_is_causal: Optional[bool] = None,
        tgt_is_causal: Optional[bool] = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        # Batches must agree (where there are any), then features.
        batched = src.dim() == 3
        if not self.batch_first and src.size(1) != tgt.size(1) and batched:
            raise RuntimeError("the batch number of src and tgt must be equal")
        elif self.batch_first and src.size(0) != tgt.size(0) and batched:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")

        encoded = self.encoder(
            src, is_causal=src_is_causal, mask=src_mask, src_key_padding_mask=src_key_padding_mask
        )
        return self.decoder(
            tgt, encoded,
            tgt_mask=tgt_mask, tgt_key_padding_mask=tgt_key_padding_mask, tgt_is_causal=tgt_is_causal,
            memory_mask=memory_mask, memory_key_padding_mask=memory_key_padding_mask,
            memory_is_causal=memory_is_causal,
        )


class TransformerEncoder(Module):
    """A stack of encoder layers, nested inside where the padding allows it."""

    __constants__ = ["norm"]

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.use_nested_tensor = enable_nested_tensor and _may_nest(encoder_layer)
        self.mask_check = mask_check

    def forward(
        self,
        src: Tensor,
        mask: Optional[Tensor] = None,
        src_key_padding_mask: Optional[Tensor] = None,
        is_causal: Optional[bool] = None,
    ) -> Tensor:
        src_key_padding_mask = F._canonical_mask(
            src_key_padding_mask, "src_key_padding_mask", F._none_or_dtype(mask), "mask", src.dtype
        )
        mask = F._canonical_mask(mask, "mask", None, "", src.dtype, False)

        hidden = src
        nested = False
        head = self.layers[0]
        padding = src_key_padding_mask
        # Why the nested path is not taken; empty as long as nothing forbids it.
        obstacle = ""
        head_name = "self.layers[0]"
        batch_first = head.self_attn.batch_first
        fast_allowed = torch.backends.mha.get_fastpath_enabled()
        check = getattr(self, "mask_check", True)

        if not fast_allowed:
            obstacle = "torch.backends.mha.get_fastpath_enabled() was not True"
        elif not hasattr(self, "use_nested_tensor"):
            obstacle = "use_nested_tensor attribute not present"
        elif not self.use_nested_tensor:
            obstacle = "self.use_nested_tensor (set in init) was not True"
        elif head.training:
            obstacle = f"{head_name} was in training mode"
        elif not src.dim() == 3:
            obstacle = f"input not batched; expected src.dim() of 3 but got {src.dim()}"
        elif src_key_padding_mask is None:
            obstacle = "src_key_padding_mask was None"
        elif check and torch.compiler.is_compiling():
            obstacle = "mask_check enabled with torch.compile or torch.export"
        elif check and not torch._nested_tensor_from_mask_left_aligned(src, src_key_padding_mask.logical_not()):
            obstacle = "mask_check enabled, and src and src_key_padding_mask was not left aligned"
        elif hidden.is_nested:
            obstacle = "NestedTensor input is not supported"
        elif mask is not None:
            obstacle = "src_key_padding_mask and mask were both supplied"
        elif torch.is_autocast_enabled():
            obstacle = "autocast is enabled"

        if not obstacle:
            used = (
                src,
                head.self_attn.in_proj_weight, head.self_attn.in_proj_bias,
                head.self_attn.out_proj.weight, head.self_attn.out_proj.bias,
                head.norm1.weight, head.norm1.bias, head.norm2.weight, head.norm2.bias,
                head.linear1.weight, head.linear1.bias, head.linear2.weight, head.linear2.bias,
            )
            devices = ["cpu", "cuda", "xpu", torch.utils.backend_registration._privateuse1_backend_name]
            if src.device.type not in devices:
                obstacle = f"src device is neither one of {devices}"
            elif torch.is_grad_enabled() and any(t.requires_grad for t in used):
                obstacle = "grad is enabled and at least one of query or the input/output projection weights or biases requires_grad"

            if (not obstacle) and (src_key_padding_mask is not None):
                nested = True
                hidden = torch._nested_tensor_from_mask(hidden, src_key_padding_mask.logical_not(), mask_check=False)
                padding = None  # the nesting says it already

        length = _get_seq_len(src, batch_first)
        is_causal = _detect_is_causal_mask(mask, is_causal, length)
        for layer in self.layers:
            hidden = layer(hidden, src_mask=mask, src_key_padding_mask=padding, is_causal=is_causal)
        if nested:
            hidden = hidden.to_padded_tensor(0.0, src.size())
        if self.norm is not None:
            hidden = self.norm(hidden)
        return hidden


class TransformerDecoder(Module):
    """A stack of decoder layers over one memory."""

    __constants__ = ["norm"]

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Optional[Tensor] = None,
        memory_mask: Optional[Tensor] = None,
        tgt_key_padding_mask: Optional[Tensor] = None,
        memory_key_padding_mask: Optional[Tensor] = None,
        tgt_is_causal: Optional[bool] = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        hidden = tgt
        length = _get_seq_len(tgt, self.layers[0].self_attn.batch_first)
        tgt_is_causal = _detect_is_causal_mask(tgt_mask, tgt_is_causal, length)
        for layer in self.layers:
            hidden = layer(
                hidden, memory,
                tgt_mask=tgt_mask, tgt_key_padding_mask=tgt_key_padding_mask, tgt_is_causal=tgt_is_causal,
                memory_mask=memory_mask, memory_key_padding_mask=memory_key_padding_mask,
                memory_is_causal=memory_is_causal,
            )
        if self.norm is not None:
            hidden = self.norm(hidden)
        return hidden


class TransformerEncoderLayer(Module):
    """Self-attention, then two linear maps; each added to its input and normed."""

    __constants__ = ["norm_first"]

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation=F.relu,
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        made = {"bias": bias, "device": device, "dtype": dtype}

        def norm():
            return LayerNorm(d_model, eps=layer_norm_eps, **made)

        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **made)
        self.linear1 = Linear(d_model, dim_feedforward, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        self.norm1 = norm()
        self.norm2 = norm()
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        if isinstance(activation, str):
            activation = _get_activation_fn(activation)
        self.activation_relu_or_gelu = _activation_kind(activation)
        self.activation = activation

    def _ff_block(self, x: Tensor) -> Tensor:
        mapped = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return self.dropout2(mapped)

    def _sa_block(
        self, x: Tensor, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor], is_causal: bool = False
    ) -> Tensor:
        attended = self.self_attn(
            x, x, x, key_padding_mask=key_padding_mask, need_weights=False, attn_mask=attn_mask, is_causal=is_causal
        )[0]
        return self.dropout1(attended)

    def forward(
        self,
        src: Tensor,
        src_mask: Optional[Tensor] = None,
        src_key_padding_mask: Optional[Tensor] = None,
        is_causal: bool = False,
    ) -> Tensor:
        src_key_padding_mask = F._canonical_mask(
            src_key_padding_mask, "src_key_padding_mask", F._none_or_dtype(src_mask), "src_mask", src.dtype
        )
        src_mask = F._canonical_mask(src_mask, "src_mask", None, "", src.dtype, False)

        # Why the fused kernel is not used; empty as long as nothing forbids it.
        fast_allowed = torch.backends.mha.get_fastpath_enabled()
        obstacle = ""
        if not fast_allowed:
            obstacle = "torch.backends.mha.get_fastpath_enabled() was not True"
        elif src.dim() != 3:
            obstacle = f"input not batched; expected src.dim() of 3 but got {src.dim()}"
        elif self.training:
            obstacle = "training is enabled"
        elif not self.self_attn.batch_first:
            obstacle = "self_attn.batch_first was not True"
        elif self.self_attn.in_proj_bias is None:
            obstacle = "self_attn was passed bias=False"
        elif not self.self_attn._qkv_same_embed_dim:
            obstacle = "self_attn._qkv_same_embed_dim was not True"
        elif not self.activation_relu_or_gelu:
            obstacle = "activation_relu_or_gelu was not True"
        elif not (self.norm1.eps == self.norm2.eps):
            obstacle = "norm1.eps is not equal to norm2.eps"
        elif src.is_nested and (src_key_padding_mask is not None or src_mask is not None):
            obstacle = "neither src_key_padding_mask nor src_mask are not supported with NestedTensor input"
        elif self.self_attn.num_heads % 2 == 1:
            obstacle = "num_head is odd"
        elif torch.is_autocast_enabled():
            obstacle = "autocast is enabled"
        elif any(
            len(getattr(m, "_forward_hooks", {})) + len(getattr(m, "_forward_pre_hooks", {})) for m in self.modules()
        ):
            obstacle = "forward pre-/hooks are attached to the module"

        if not obstacle:
            used = (
                src,
                self.self_attn.in_proj_weight, self.self_attn.in_proj_bias,
                self.self_attn.out_proj.weight, self.self_attn.out_proj.bias,
                self.norm1.weight, self.norm1.bias, self.norm2.weight, self.norm2.bias,
                self.linear1.weight, self.linear1.bias, self.linear2.weight, self.linear2.bias,
            )
            devices = ["cpu", "cuda", "xpu", torch.utils.backend_registration._privateuse1_backend_name]
            if not all((t.device.type in devices) for t in used):
                obstacle = f"some Tensor argument's device is neither one of {devices}"
            elif torch.is_grad_enabled() and any(t.requires_grad for t in used):
                obstacle = "grad is enabled and at least one of query or the input/output projection weights or biases requires_grad"

            if not obstacle:
                merged, kind = self.self_attn.merge_masks(src_mask, src_key_padding_mask, src)
                return torch._transformer_encoder_layer_fwd(
                    src,
                    self.self_attn.embed_dim, self.self_attn.num_heads,
                    self.self_attn.in_proj_weight, self.self_attn.in_proj_bias,
                    self.self_attn.out_proj.weight, self.self_attn.out_proj.bias,
                    self.activation_relu_or_gelu == 2, self.norm_first, self.norm1.eps,
                    self.norm1.weight, self.norm1.bias, self.norm2.weight, self.norm2.bias,
                    self.linear1.weight, self.linear1.bias, self.linear2.weight, self.linear2.bias,
                    merged, kind,
                )

        h = src
        if self.norm_first:
            h = h + self._sa_block(self.norm1(h), src_mask, src_key_padding_mask, is_causal)
            h = h + self._ff_block(self.norm2(h))
        else:
            h = self.norm1(h + self._sa_block(h, src_mask, src_key_padding_mask, is_causal))
            h = self.norm2(h + self._ff_block(h))
        return h


class TransformerDecoderLayer(Module):
    """An encoder layer with attention to the memory between its two parts."""

    __constants__ = ["norm_first"]

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation=F.relu,
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        made = {"bias": bias, "device": device, "dtype": dtype}

        def attention():
            return MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **made)

        def norm():
            return LayerNorm(d_model, eps=layer_norm_eps, **made)

        self.self_attn = attention()
        self.multihead_attn = attention()
        self.linear1 = Linear(d_model, dim_feedforward, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        self.norm1 = norm()
        self.norm2 = norm()
        self.norm3 = norm()
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        if isinstance(activation, str):
            activation = _get_activation_fn(activation)
        self.activation = activation

    def _ff_block(self, x: Tensor) -> Tensor:
        mapped = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return self.dropout3(mapped)

    def _mha_block(
        self, x: Tensor, mem: Tensor, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor],
        is_causal: bool = False,
    ) -> Tensor:
        attended = self.multihead_attn(
            x, mem, mem, key_padding_mask=key_padding_mask, need_weights=False, attn_mask=attn_mask, is_causal=is_causal
        )[0]
        return self.dropout2(attended)

    def _sa_block(
        self, x: Tensor, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor], is_causal: bool = False
    ) -> Tensor:
        attended = self.self_attn(
            x, x, x, key_padding_mask=key_padding_mask, need_weights=False, attn_mask=attn_mask, is_causal=is_causal
        )[0]
        return self.dropout1(attended)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Optional[Tensor] = None,
        memory_mask: Optional[Tensor] = None,
        tgt_key_padding_mask: Optional[Tensor] = None,
        memory_key_padding_mask: Optional[Tensor] = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        h = tgt
        if self.norm_first:
            h = h + self._sa_block(self.norm1(h), tgt_mask, tgt_key_padding_mask, tgt_is_causal)
            h = h + self._mha_block(self.norm2(h), memory, memory_mask, memory_key_padding_mask, memory_is_causal)
            h = h + self._ff_block(self.norm3(h))
        else:
            h = self.norm1(h + self._sa_block(h, tgt_mask, tgt_key_padding_mask, tgt_is_causal))
            h = self.norm2(h + self._mha_block(h, memory, memory_mask, memory_key_padding_mask, memory_is_causal))
            h = self.norm3(h + self._ff_block(h))
        return h
