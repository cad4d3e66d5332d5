"""The transformer: layers of attention and feed-forward, stacks of them, and both stacks together."""
import copy
import warnings
from typing import Optional

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.activation import GELU, MultiheadAttention, ReLU, _additive_masks, _recorded
from torch.nn.modules.container import ModuleList
from torch.nn.modules.dropout import Dropout
from torch.nn.modules.linear import Linear
from torch.nn.modules.module import Module
from torch.nn.modules.normalization import LayerNorm


def _fit_out(layer, attentions, d_model, nhead, dim_feedforward, dropout, eps, batch_first, norm_first, bias, place):
    """The parts of a layer: its attentions by name, two linear layers, a norm and a dropout for each of its steps."""
    steps = [str(i + 1) for i in range(len(attentions) + 1)]
    for name in attentions:
        setattr(layer, name, MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **place))
    layer.linear1 = Linear(d_model, dim_feedforward, bias, **place)
    layer.dropout = Dropout(dropout)
    layer.linear2 = Linear(dim_feedforward, d_model, bias, **place)
    layer.norm_first = norm_first
    for step in steps:
        setattr(layer, "norm" + step, LayerNorm(d_model, eps, bias=bias, **place))
    for step in steps:
        setattr(layer, "dropout" + step, Dropout(dropout))


def _activation(given):
    if not isinstance(given, str):
        return given
    if given not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {given}")
    return F.relu if given == "relu" else F.gelu


def _stack(layer, count):
    """Copies of a layer, equal and independent."""
    return ModuleList([copy.deepcopy(layer) for _ in range(count)])


def _future(size: int, device: Optional[torch.device], dtype: Optional[torch.dtype]) -> Tensor:
    """The mask that hides what comes later."""
    return torch.triu(torch.full((size, size), float("-inf"), dtype=dtype, device=device), diagonal=1)


def _causal(mask: Optional[Tensor], hint: Optional[bool], x: Tensor, batch_first: bool) -> bool:
    """Whether a mask hides just what comes later; a hint is believed."""
    if hint is not None:
        return hint
    if mask is None:
        return False
    later = _future(x.size(1 if batch_first and x.dim() == 3 else 0), mask.device, mask.dtype)
    return mask.size() == later.size() and bool((mask == later).all())


class TransformerEncoderLayer(Module):
    __constants__ = ["norm_first"]

    def __init__(self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1, activation=F.relu,
                 layer_norm_eps: float = 1e-5, batch_first: bool = False, norm_first: bool = False, bias: bool = True,
                 device=None, dtype=None):
        super().__init__()
        _fit_out(self, ["self_attn"], d_model, nhead, dim_feedforward, dropout, layer_norm_eps, batch_first,
                 norm_first, bias, {"device": device, "dtype": dtype})
        activation = _activation(activation)
        # What the fused operator knows: 1 is relu, 2 is gelu.
        self.activation_relu_or_gelu = 0
        for number, function, module in ((1, F.relu, ReLU), (2, F.gelu, GELU)):
            if activation is function or isinstance(activation, module):
                self.activation_relu_or_gelu = number
        self.activation = activation

    def forward(self, src: Tensor, src_mask: Optional[Tensor] = None, src_key_padding_mask: Optional[Tensor] = None,
                is_causal: bool = False) -> Tensor:
        padding, mask = _additive_masks(src_key_padding_mask, "src_key_padding_mask", src_mask, "src_mask", src.dtype)
        known, gelu = self.activation_relu_or_gelu > 0, self.activation_relu_or_gelu == 2
        fused = known and self.norm1.eps == self.norm2.eps and not self.training and src.dim() == 3
        if fused and self.self_attn.batch_first and self.self_attn.num_heads % 2 == 0:
            biases = [self.norm1.bias, self.norm2.bias, self.linear1.bias, self.linear2.bias,
                      self.self_attn.in_proj_bias, self.self_attn.out_proj.bias]
            weights = [self.norm1.weight, self.norm2.weight, self.linear1.weight, self.linear2.weight,
                       self.self_attn.in_proj_weight, self.self_attn.out_proj.weight]
            if not _recorded([src] + biases + weights):
                merged, kind = self.self_attn.merge_masks(mask, padding, src)
                return torch._transformer_encoder_layer_fwd(
                    src, self.self_attn.embed_dim, self.self_attn.num_heads, self.self_attn.in_proj_weight,
                    self.self_attn.in_proj_bias, self.self_attn.out_proj.weight, self.self_attn.out_proj.bias, gelu,
                    self.norm_first, self.norm1.eps, self.norm1.weight, self.norm1.bias, self.norm2.weight,
                    self.norm2.bias, self.linear1.weight, self.linear1.bias, self.linear2.weight, self.linear2.bias,
                    merged, kind)
        if self.norm_first:
            x = src + self._sa_block(self.norm1(src), mask, padding, is_causal)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(src + self._sa_block(src, mask, padding, is_causal))
        return self.norm2(x + self._ff_block(x))

    def _sa_block(self, x: Tensor, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor],
                  is_causal: bool = False) -> Tensor:
        mixed, _ = self.self_attn(x, x, x, key_padding_mask, False, attn_mask, is_causal=is_causal)
        return self.dropout1(mixed)

    def _ff_block(self, x: Tensor) -> Tensor:
        inner = self.activation(self.linear1(x))
        return self.dropout2(self.linear2(self.dropout(inner)))


class TransformerDecoderLayer(Module):
    __constants__ = ["norm_first"]

    def __init__(self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1, activation=F.relu,
                 layer_norm_eps: float = 1e-5, batch_first: bool = False, norm_first: bool = False, bias: bool = True,
                 device=None, dtype=None):
        super().__init__()
        _fit_out(self, ["self_attn", "multihead_attn"], d_model, nhead, dim_feedforward, dropout, layer_norm_eps,
                 batch_first, norm_first, bias, {"device": device, "dtype": dtype})
        self.activation = _activation(activation)

    def forward(self, tgt: Tensor, memory: Tensor, tgt_mask: Optional[Tensor] = None,
                memory_mask: Optional[Tensor] = None, tgt_key_padding_mask: Optional[Tensor] = None,
                memory_key_padding_mask: Optional[Tensor] = None, tgt_is_causal: bool = False,
                memory_is_causal: bool = False) -> Tensor:
        x = tgt
        early = self.norm_first
        step = self._sa_block(self.norm1(x) if early else x, tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        x = x + step if early else self.norm1(x + step)
        step = self._mha_block(self.norm2(x) if early else x, memory, memory_mask, memory_key_padding_mask,
                               memory_is_causal)
        x = x + step if early else self.norm2(x + step)
        step = self._ff_block(self.norm3(x) if early else x)
        return x + step if early else self.norm3(x + step)

    def _sa_block(self, x: Tensor, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor],
                  is_causal: bool = False) -> Tensor:
        mixed, _ = self.self_attn(x, x, x, key_padding_mask, False, attn_mask, is_causal=is_causal)
        return self.dropout1(mixed)

    def _mha_block(self, x: Tensor, mem: Tensor, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor],
                   is_causal: bool = False) -> Tensor:
        mixed, _ = self.multihead_attn(x, mem, mem, key_padding_mask, False, attn_mask, is_causal=is_causal)
        return self.dropout2(mixed)

    def _ff_block(self, x: Tensor) -> Tensor:
        inner = self.activation(self.linear1(x))
        return self.dropout3(self.linear2(self.dropout(inner)))


def _why_not_nested(layer):
    """What keeps sequences of different lengths from going through such layers without padding, if anything does."""
    if not isinstance(layer, TransformerEncoderLayer):
        return " was not TransformerEncoderLayer"
    attention = layer.self_attn
    for hinders, reason in (
            (layer.norm_first, ".norm_first was True"),
            (not attention.batch_first, ".self_attn.batch_first was not True(use batch_first for better inference "
                                        "performance)"),
            (attention.in_proj_bias is None, ".self_attn was passed bias=False"),
            (not layer.activation_relu_or_gelu, ".activation_relu_or_gelu was not True"),
            (attention.num_heads % 2, ".self_attn.num_heads is odd")):
        if hinders:
            return reason
    return None


class TransformerEncoder(Module):
    __constants__ = ["norm"]

    def __init__(self, encoder_layer: TransformerEncoderLayer, num_layers: int, norm: Optional[Module] = None,
                 enable_nested_tensor: bool = True, mask_check: bool = True):
        super().__init__()
        self.layers = _stack(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        reason = _why_not_nested(encoder_layer)
        self.use_nested_tensor = enable_nested_tensor and reason is None
        self.mask_check = mask_check
        if enable_nested_tensor and reason is not None:
            warnings.warn("enable_nested_tensor is True, but self.use_nested_tensor is False because encoder_layer"
                          + reason)

    def forward(self, src: Tensor, mask: Optional[Tensor] = None, src_key_padding_mask: Optional[Tensor] = None,
                is_causal: Optional[bool] = None) -> Tensor:
        padding, mask = _additive_masks(src_key_padding_mask, "src_key_padding_mask", mask, "mask", src.dtype)
        batch_first = self.layers[0].self_attn.batch_first
        x = src
        nested = False
        if padding is not None and self.use_nested_tensor and src.dim() == 3 and not self.training:
            # Such a tensor can be made of sequences that are padded at their ends.
            if not self.mask_check or torch._nested_tensor_from_mask_left_aligned(src, padding.logical_not()):
                nested = mask is None and not _recorded([
                    src, self.layers[0].norm1.bias, self.layers[0].norm2.bias, self.layers[0].linear1.bias,
                    self.layers[0].linear2.bias, self.layers[0].self_attn.in_proj_bias,
                    self.layers[0].self_attn.out_proj.bias, self.layers[0].norm1.weight, self.layers[0].norm2.weight,
                    self.layers[0].linear1.weight, self.layers[0].linear2.weight,
                    self.layers[0].self_attn.in_proj_weight, self.layers[0].self_attn.out_proj.weight])
                if nested:
                    x = torch._nested_tensor_from_mask(src, padding.logical_not(), mask_check=False)
        causal = _causal(mask, is_causal, src, batch_first)
        for layer in self.layers:
            x = layer(x, mask, None if nested else padding, causal)
        if nested:
            x = x.to_padded_tensor(0.0, src.size())
        return x if self.norm is None else self.norm(x)


class TransformerDecoder(Module):
    __constants__ = ["norm"]

    def __init__(self, decoder_layer: TransformerDecoderLayer, num_layers: int, norm: Optional[Module] = None):
        super().__init__()
        self.layers = _stack(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, tgt: Tensor, memory: Tensor, tgt_mask: Optional[Tensor] = None,
                memory_mask: Optional[Tensor] = None, tgt_key_padding_mask: Optional[Tensor] = None,
                memory_key_padding_mask: Optional[Tensor] = None, tgt_is_causal: Optional[bool] = None,
                memory_is_causal: bool = False) -> Tensor:
        causal = _causal(tgt_mask, tgt_is_causal, tgt, self.layers[0].self_attn.batch_first)
        x = tgt
        for layer in self.layers:
            x = layer(x, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask, causal,
                      memory_is_causal)
        return x if self.norm is None else self.norm(x)


class Transformer(Module):
    def __init__(self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6,
                 dim_feedforward: int = 2048, dropout: float = 0.1, activation=F.relu, custom_encoder=None,
                 custom_decoder=None, layer_norm_eps: float = 1e-5, batch_first: bool = False,
                 norm_first: bool = False, bias: bool = True, device=None, dtype=None):
        super().__init__()
        place = {"device": device, "dtype": dtype}

        def stack(given, kind, layer, count):
            if given is not None:
                return given
            made = layer(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first,
                         bias, **place)
            return kind(made, count, LayerNorm(d_model, layer_norm_eps, bias=bias, **place))

        self.encoder = stack(custom_encoder, TransformerEncoder, TransformerEncoderLayer, num_encoder_layers)
        self.decoder = stack(custom_decoder, TransformerDecoder, TransformerDecoderLayer, num_decoder_layers)
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def _reset_parameters(self):
        for each in self.parameters():
            if each.dim() > 1:
                torch.nn.init.xavier_uniform_(each)

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Optional[torch.device] = None,
                                        dtype: Optional[torch.dtype] = None) -> Tensor:
        return _future(sz, device, dtype)

    def forward(self, src: Tensor, tgt: Tensor, src_mask: Optional[Tensor] = None, tgt_mask: Optional[Tensor] = None,
                memory_mask: Optional[Tensor] = None, src_key_padding_mask: Optional[Tensor] = None,
                tgt_key_padding_mask: Optional[Tensor] = None, memory_key_padding_mask: Optional[Tensor] = None,
                src_is_causal: Optional[bool] = None, tgt_is_causal: Optional[bool] = None,
                memory_is_causal: bool = False) -> Tensor:
        across = 0 if self.batch_first else 1
        if src.dim() == 3 and src.size(across) != tgt.size(across):
            raise RuntimeError("the batch number of src and tgt must be equal")
        for x in [src, tgt]:
            if x.size(-1) != self.d_model:
                raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask,
                            tgt_is_causal, memory_is_causal)
