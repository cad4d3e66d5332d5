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
