# Elements written where masks and indices say.


# aten::_unsafe_masked_index_put_accumulate
def masked_index_put(self, mask, indices, values):
    """Values are added where the mask allows; indices beyond the ends go to them."""
    clamped: List[Optional[Tensor]] = []
    for d in range(len(indices)):
        index = indices[d]
        if index is None:
            clamped.append(None)
        else:
            n = self.size(d)
            clamped.append(index.clamp(-n, n - 1))
    return torch.index_put(self, clamped, values.masked_fill(mask.logical_not(), 0), True)


# aten::masked_scatter_backward
def masked_scatter_backward(grad_output, mask, sizes):
    """The gradients that the mask lets through, then zeros."""
    taken = grad_output.masked_select(mask)
    n = 1
    for size in sizes:
        n *= size
    if n > taken.numel():
        taken = torch.constant_pad_nd(taken, [0, n - taken.numel()])
    return taken.view(sizes)
