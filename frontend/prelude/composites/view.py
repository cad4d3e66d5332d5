# Other readings of a tensor's elements.


# aten::slice_inverse
def slice_inverse(self, src, dim, start, end, step):
    """The first tensor with the layout of the second."""
    return self.as_strided(src.shape, src.stride(), src.storage_offset())


# aten::_neg_view
def neg_view(self):
    return self.neg().contiguous()


# aten::_ncf_view
def ncf_view(self, input_shape, normalized_ndim):
    """The last sizes become ones."""
    kept = max(len(input_shape) - normalized_ndim, 0)
    return self.view([input_shape[d] if d < kept else 1 for d in range(len(input_shape))])


# aten::_remove_batch_dim
def remove_batch_dim(self, level, batch_size, out_dim):
    """A tensor without that batch is repeated."""
    at = max(min(out_dim, self.dim()), 0)
    return self.expand(self.shape[:at] + [batch_size] + self.shape[at:])


# aten::unflatten_dense_tensors
def unflatten_dense_tensors(flat, tensors):
    """Views of a flat tensor with the sizes of others."""
    views: List[Tensor] = []
    at = 0
    for t in tensors:
        n = t.numel()
        if n == 0:
            views.append(torch.empty_like(t))
        else:
            views.append(flat.narrow(0, at, n).view(t.shape))
            at += n
    return views
