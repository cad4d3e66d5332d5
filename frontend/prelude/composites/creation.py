# Tensors made as others are.


# prims::empty_strided
def empty_strided(shape, strides, dtype, device, requires_grad):
    return torch.empty_strided(shape, strides, dtype=dtype)


# aten::_new_zeros_with_same_feature_meta
def new_zeros_like(self, other, self_num_batch_dims):
    """Zeros in the batch sizes of one tensor and the sizes and dtype of another."""
    return torch.zeros(self.shape[:self_num_batch_dims] + other.shape, dtype=other.dtype)


# prims::_make_token
def make_token():
    """A token that orders effects holds nothing."""
    return torch.zeros([0])


# prims::_sink_tokens
def sink_tokens(tokens):
    """Tokens are dropped."""
    pass


# prims::empty_permuted
def empty_permuted(shape, physical_layout, dtype, device, requires_grad):
    return torch.ops.aten.empty_permuted(shape, physical_layout, dtype=dtype)


# aten::_dim_arange
def dim_arange(like, dim):
    """The positions along a dimension."""
    return torch.arange(like.size(dim))


def places(kept, dtype: Optional[int]):
    """Rows and columns of what is true."""
    return kept.nonzero().t().contiguous().to(torch.int64 if dtype is None else dtype)


# aten::tril_indices
def tril_indices(row, col, offset, dtype, layout, device, pin_memory):
    """On and below a diagonal."""
    return places(torch.ones([row, col], dtype=torch.bool).tril(offset), dtype)


# aten::triu_indices
def triu_indices(row, col, offset, dtype, layout, device, pin_memory):
    """On and above a diagonal."""
    return places(torch.ones([row, col], dtype=torch.bool).triu(offset), dtype)
