"""Multi-head attention: its checks, masks, projections, and the two ways to compute it, with and without weights."""

import math
import warnings
from typing import List, Optional, Tuple

import torch
from torch import Tensor
from torch._C import _nn


def _check_shapes(
    query: Tensor, key: Tensor, value: Tensor, padding: Optional[Tensor], mask: Optional[Tensor], heads: int
) -> None:
    rank = query.dim()
    assert rank in [2, 3], (
        f"query should be unbatched 2D or batched 3D tensor but received {rank}-D query tensor"
    )
    case = "For unbatched (2-D)" if rank == 2 else "For batched (3-D)"
    assert key.dim() == rank and value.dim() == rank, (
        f"{case} `query`, expected `key` and `value` to be {rank}-D "
        f"but found {key.dim()}-D and {value.dim()}-D tensors respectively"
    )
    if padding is not None:
        assert padding.dim() == rank - 1, (
            f"{case} `query`, expected `key_padding_mask` to be `None` or {rank - 1}-D "
            f"but found {padding.dim()}-D tensor instead"
        )
    if mask is not None:
        assert mask.dim() in [2, 3], (
            f"{case} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {mask.dim()}-D tensor instead"
        )
        if rank == 2 and mask.dim() == 3:
            wanted = [heads, query.size(0), key.size(0)]
            assert list(mask.shape) == wanted, (
                f"Expected `attn_mask` shape to be ({wanted[0]}, {wanted[1]}, {wanted[2]}) but got {mask.shape}"
            )


# Masks. Where a boolean mask is true, nothing is attended to; all masks become numbers that are added to the scores.


def _as_scores(mask: Optional[Tensor], name: str, dtype: int) -> Optional[Tensor]:
    if mask is None or mask.is_floating_point():
        return mask
    assert mask.dtype == torch.bool, f"only bool and floating types of {name} are supported"
    return torch.zeros_like(mask, dtype=dtype).masked_fill_(mask, -math.inf)


def _with_heads(mask: Optional[Tensor], batch: int, heads: int, targets: int, sources: int) -> Optional[Tensor]:
    if mask is None:
        return mask
    wanted = [targets, sources] if mask.dim() == 2 else [batch * heads, targets, sources]
    if list(mask.shape) != wanted:
        shape = ", ".join([str(extent) for extent in wanted])
        raise RuntimeError(f"The shape of the {mask.dim()}D attn_mask is {mask.shape}, but should be ({shape}).")
    return mask.unsqueeze(0) if mask.dim() == 2 else mask


def _one_source_more(mask: Optional[Tensor]) -> Optional[Tensor]:
    return None if mask is None else _nn.pad(mask, [0, 1])


def _with_padding(
    mask: Optional[Tensor], padding: Optional[Tensor], batch: int, heads: int, sources: int
) -> Optional[Tensor]:
    if padding is None:
        return mask
    lifted = padding.view([batch, 1, 1, sources])
    spread = lifted.expand([-1, heads, -1, -1]).reshape([batch * heads, 1, sources])
    return spread if mask is None else mask + spread


# Projections of query, key and value.


def _unstack(stacked: Tensor, parts: int, width: int) -> Tensor:
    # One product for several projections: their results lie side by side in the last dimension, and go to the first.
    apart = stacked.unflatten(-1, [parts, width]).unsqueeze(0)
    return apart.transpose(0, -2).squeeze(-2).contiguous()


def _thirds(bias: Optional[Tensor]) -> List[Optional[Tensor]]:
    thirds: List[Optional[Tensor]] = [None, None, None]
    if bias is not None:
        for place, third in enumerate(bias.chunk(3)):
            thirds[place] = third
    return thirds


def _project_each(
    inputs: List[Tensor], weights: List[Tensor], biases: List[Optional[Tensor]]
) -> Tuple[Tensor, Tensor, Tensor]:
    q = _nn.linear(inputs[0], weights[0], biases[0])
    k = _nn.linear(inputs[1], weights[1], biases[1])
    return q, k, _nn.linear(inputs[2], weights[2], biases[2])


def _project_packed(
    query: Tensor, key: Tensor, value: Tensor, weight: Optional[Tensor], bias: Optional[Tensor]
) -> Tuple[Tensor, Tensor, Tensor]:
    assert weight is not None, "use_separate_proj_weight is False but in_proj_weight is None"
    if key is not value:
        weights = weight.chunk(3)
        return _project_each([query, key, value], weights, _thirds(bias))
    width = query.size(-1)
    if query is key:
        all_three = _unstack(_nn.linear(query, weight, bias), 3, width)
        return all_three[0], all_three[1], all_three[2]
    weights = weight.split([width, 2 * width])
    query_bias: Optional[Tensor] = None
    other_bias: Optional[Tensor] = None
    if bias is not None:
        query_bias, other_bias = bias.split([width, 2 * width])
    q = _nn.linear(query, weights[0], query_bias)
    others = _unstack(_nn.linear(key, weights[1], other_bias), 2, width)
    return q, others[0], others[1]


def _check_projection(role: str, weight: Tensor, bias: Optional[Tensor], width: int, x: Tensor) -> None:
    assert list(weight.shape) == [width, x.size(-1)], (
        f"expecting {role} weights shape of ({width}, {x.size(-1)}), but got {weight.shape}"
    )
    if bias is not None:
        assert list(bias.shape) == [width], f"expecting {role} bias shape of ({width},), but got {bias.shape}"


def _project_apart(
    inputs: List[Tensor],
    q_weight: Optional[Tensor],
    k_weight: Optional[Tensor],
    v_weight: Optional[Tensor],
    bias: Optional[Tensor],
) -> Tuple[Tensor, Tensor, Tensor]:
    assert q_weight is not None, "use_separate_proj_weight is True but q_proj_weight is None"
    assert k_weight is not None, "use_separate_proj_weight is True but k_proj_weight is None"
    assert v_weight is not None, "use_separate_proj_weight is True but v_proj_weight is None"
    weights = [q_weight, k_weight, v_weight]
    biases = _thirds(bias)
    for place, role in enumerate(["query", "key", "value"]):
        _check_projection(role, weights[place], biases[place], inputs[0].size(-1), inputs[place])
    return _project_each(inputs, weights, biases)


# From projections to heads.


def _to_heads(x: Tensor, count: int, width: int) -> Tensor:
    return x.view(x.size(0), count, width).transpose(0, 1)


def _given_heads(x: Tensor, name: str, count: int, width: int) -> Tensor:
    assert x.size(0) == count, f"expecting {name}.size(0) of {count}, but got {x.size(0)}"
    assert x.size(2) == width, f"expecting {name}.size(2) of {width}, but got {x.size(2)}"
    return x


def _with_row(x: Tensor, row: Tensor) -> Tensor:
    return torch.cat([x, row.repeat([1, x.size(1), 1])])


def _with_zeros(x: Tensor) -> Tensor:
    zeros = torch.zeros([x.size(0), 1, x.size(2)], dtype=x.dtype, device=x.device)
    return torch.cat([x, zeros], 1)


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
    _check_shapes(query, key, value, key_padding_mask, attn_mask, num_heads)
    batched = query.dim() == 3
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)

    if key_padding_mask is not None and attn_mask is not None and key_padding_mask.dtype != attn_mask.dtype:
        warnings.warn(
            "Support for mismatched key_padding_mask and attn_mask is deprecated. Use same type for both instead."
        )
    padding = _as_scores(key_padding_mask, "key_padding_mask", query.dtype)
    # The kernel makes the causal mask itself where nothing else is asked of it.
    hinted = is_causal and padding is None and not need_weights
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. "
            "You may use the Transformer module method `generate_square_subsequent_mask` to create this mask."
        )
    mask = None if hinted else _as_scores(attn_mask, "attn_mask", query.dtype)

    targets, batch, width = query.size(0), query.size(1), query.size(2)
    head_width = width // num_heads
    assert width == embed_dim_to_check, f"was expecting embedding dimension of {embed_dim_to_check}, but got {width}"
    assert head_width * num_heads == width, f"embed_dim {width} not divisible by num_heads {num_heads}"

    if use_separate_proj_weight:
        lengths = list(key.shape)[:2]
        assert lengths == list(value.shape)[:2], (
            f"key's sequence and batch dims {lengths} do not match value's {list(value.shape)[:2]}"
        )
        q, k, v = _project_apart([query, key, value], q_proj_weight, k_proj_weight, v_proj_weight, in_proj_bias)
    else:
        assert key.shape == value.shape, f"key shape {key.shape} does not match value shape {value.shape}"
        q, k, v = _project_packed(query, key, value, in_proj_weight, in_proj_bias)

    mask = _with_heads(mask, batch, num_heads, targets, key.size(0))
    if bias_k is not None and bias_v is not None:
        assert static_k is None, "bias cannot be added to static key."
        assert static_v is None, "bias cannot be added to static value."
        k, v = _with_row(k, bias_k), _with_row(v, bias_v)
        mask, padding = _one_source_more(mask), _one_source_more(padding)
    else:
        assert bias_k is None, "bias_k is set but bias_v is None"
        assert bias_v is None, "bias_v is set but bias_k is None"

    heads = batch * num_heads
    q = _to_heads(q, heads, head_width)
    k = _to_heads(k, heads, head_width) if static_k is None else _given_heads(static_k, "static_k", heads, head_width)
    v = _to_heads(v, heads, head_width) if static_v is None else _given_heads(static_v, "static_v", heads, head_width)
    if add_zero_attn:
        k, v = _with_zeros(k), _with_zeros(v)
        mask, padding = _one_source_more(mask), _one_source_more(padding)
    mask = _with_padding(mask, padding, batch, num_heads, k.size(1))
    dropped = dropout_p if training else 0.0

    weights: Optional[Tensor] = None
    if need_weights:
        mixed, weights = _attend_visibly(q, k, v, mask, dropped)
        mixed = mixed.transpose(0, 1)
    else:
        mixed = _attend(q, k, v, mask, dropped, hinted, batch, num_heads).permute(2, 0, 1, 3)
    output = _nn.linear(mixed.reshape(targets * batch, width), out_proj_weight, out_proj_bias)
    output = output.view(targets, batch, output.size(1))
    if weights is not None:
        weights = weights.view(batch, num_heads, targets, k.size(1))
        if average_attn_weights:
            weights = weights.mean([1])
    if not batched:
        output = output.squeeze(1)
        if weights is not None:
            weights = weights.squeeze(0)
    return output, weights


def _attend_visibly(
    q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor], dropped: float
) -> Tuple[Tensor, Tensor]:
    scaled = q * math.sqrt(1.0 / q.size(-1))
    turned = k.transpose(-2, -1)
    scores = torch.bmm(scaled, turned) if mask is None else torch.baddbmm(mask, scaled, turned)
    weights = torch.softmax(scores, -1)
    if dropped > 0.0:
        weights = torch.dropout(weights, dropped, True)
    return torch.bmm(weights, v), weights


def _attend(
    q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor], dropped: float, causal: bool, batch: int, heads: int
) -> Tensor:
    if mask is not None:
        mask = mask.unsqueeze(0) if mask.size(0) == 1 else mask.view(batch, heads, -1, k.size(1))
    return _nn.scaled_dot_product_attention(
        _by_batch(q, batch, heads), _by_batch(k, batch, heads), _by_batch(v, batch, heads), mask, dropped, causal
    )


def _by_batch(x: Tensor, batch: int, heads: int) -> Tensor:
    return x.view(batch, heads, x.size(1), x.size(2))
