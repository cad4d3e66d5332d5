"""Attention of several heads, with the masks and the fused operator that go with it."""
import warnings
from typing import List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


def _additive_mask(mask: Optional[Tensor], name: str, dtype: torch.dtype) -> Optional[Tensor]:
    """A mask that is added to scores: where it was True stands minus infinity."""
    if mask is None:
        return None
    if mask.dtype != torch.bool:
        assert torch.is_floating_point(mask), f"only bool and floating types of {name} are supported"
        return mask
    return torch.zeros_like(mask, dtype=dtype).masked_fill_(mask, float("-inf"))


def _additive_masks(padding: Optional[Tensor], padding_name: str, mask: Optional[Tensor], mask_name: str,
                    dtype: torch.dtype) -> Tuple[Optional[Tensor], Optional[Tensor]]:
    if padding is not None and mask is not None and padding.dtype != mask.dtype:
        warnings.warn(f"Support for mismatched {padding_name} and {mask_name} is deprecated. "
                      "Use same type for both instead.")
    return _additive_mask(padding, padding_name, dtype), _additive_mask(mask, mask_name, dtype)


def _is_numbers(mask: Optional[Tensor]) -> bool:
    return mask is not None and mask.is_floating_point()


def _recorded(tensors: List[Tensor]) -> bool:
    """Whether autograd keeps what is computed from these; fused operators have no derivative."""
    return torch.is_grad_enabled() and any([each.requires_grad for each in tensors])


def _time_first(query: Tensor, key: Tensor, value: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    """Dimensions 0 and 1 exchanged; what was one tensor stays one, as the projections look for that."""
    alone = query is key and key is value
    steps = query.transpose(1, 0)
    keys = steps if alone else key.transpose(1, 0)
    return steps, keys, keys if key is value else value.transpose(1, 0)


class MultiheadAttention(Module):
    __constants__ = ["batch_first"]

    bias_k: Optional[Tensor]
    bias_v: Optional[Tensor]

    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None,
                 vdim=None, batch_first=False, device=None, dtype=None):
        if min(embed_dim, num_heads) <= 0:
            raise ValueError(f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and "
                             f"num_heads={num_heads} instead")
        super().__init__()
        place = {"device": device, "dtype": dtype}
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"

        # One matrix for all three projections, or three; the other names are there and empty.
        joint = {"in_proj_weight": (3 * embed_dim, embed_dim)}
        apart = {"q_proj_weight": (embed_dim, embed_dim), "k_proj_weight": (embed_dim, self.kdim),
                 "v_proj_weight": (embed_dim, self.vdim)}
        used, unused = (joint, apart) if self._qkv_same_embed_dim else (apart, joint)
        for name, shape in used.items():
            self.register_parameter(name, Parameter(torch.empty(shape, **place)))
        for name in unused:
            self.register_parameter(name, None)
        self.register_parameter("in_proj_bias", Parameter(torch.empty(3 * embed_dim, **place)) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, **place)
        for name in ("bias_k", "bias_v"):
            setattr(self, name, Parameter(torch.empty((1, 1, embed_dim), **place)) if add_bias_kv else None)
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self):
        init = torch.nn.init
        for name in ("in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight"):
            if getattr(self, name) is not None:
                init.xavier_uniform_(getattr(self, name))
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        for extra in (self.bias_k, self.bias_v):
            if extra is not None:
                init.xavier_normal_(extra)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Optional[Tensor] = None,
                need_weights: bool = True, attn_mask: Optional[Tensor] = None, average_attn_weights: bool = True,
                is_causal: bool = False) -> Tuple[Tensor, Optional[Tensor]]:
        padding, mask = _additive_masks(key_padding_mask, "key_padding_mask", attn_mask, "attn_mask", query.dtype)
        turned = self.batch_first and query.dim() == 3
        alone = query is key and key is value
        fused = turned and alone and not self.training and query.dtype == self.in_proj_bias.dtype
        if self.num_heads % 2 == 1 or self.bias_k is not None or self.add_zero_attn:
            fused = False
        if _is_numbers(key_padding_mask) or _is_numbers(attn_mask) or self.in_proj_weight is None:
            fused = False
        elif _recorded([query, self.in_proj_weight, self.in_proj_bias, self.out_proj.weight, self.out_proj.bias]):
            fused = False
        if fused:
            merged, kind = self.merge_masks(mask, padding, query)
            if self.in_proj_weight is not None:
                return torch._native_multi_head_attention(
                    query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias,
                    self.out_proj.weight, self.out_proj.bias, merged, need_weights, average_attn_weights, kind)
        if turned:
            query, key, value = _time_first(query, key, value)
        output, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias, self.bias_k,
            self.bias_v, self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias,
            training=self.training, key_padding_mask=padding, need_weights=need_weights, attn_mask=mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim, q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight, v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights, is_causal=is_causal)
        return output.transpose(1, 0) if turned else output, weights

    def merge_masks(self, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor],
                    query: Tensor) -> Tuple[Optional[Tensor], Optional[int]]:
        """Both masks as one for the fused operator, and its kind: 1 by key, 2 by head, query and key."""
        if attn_mask is None:
            return key_padding_mask, None if key_padding_mask is None else 1
        batch, length, heads = query.size(0), query.size(1), self.num_heads
        by_head = attn_mask.dim() == 3
        merged = attn_mask.view([batch if by_head else 1, -1 if by_head else 1, length, length])
        if not by_head:
            merged = merged.expand([batch, heads, -1, -1])
        if key_padding_mask is not None:
            merged = merged + key_padding_mask.view([batch, 1, 1, length]).expand([-1, heads, -1, -1])
        return merged, 2
