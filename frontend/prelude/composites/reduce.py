# Reductions made of others.


# aten::_grad_sum_to_size
def grad_sum_to_size(self, size):
    """Summed to these sizes, if any are asked for."""
    if size is None:
        return self
    if len(size) == 0:
        return self.sum()
    # Only dimensions that the tensor has are summed over.
    if len(size) > self.dim() or size == self.shape:
        return self
    return self.sum_to_size(size)


def all_but(kept: int, n: int) -> List[int]:
    """The dimensions but one."""
    return [d for d in range(kept)] + [d for d in range(kept + 1, n)]


def norm_but(v, p: int, dim: int):
    """Norms of everything but one dimension."""
    if dim == -1:
        return torch.norm(v, p)
    others = all_but(dim + v.dim() if dim < 0 else dim, v.dim())
    if len(others) == 0:
        return v.abs()
    return torch.norm(v, p, others, True)


# aten::norm_except_dim
def norm_except_dim(v, pow, dim):
    return norm_but(v, pow, dim)


# aten::_aminmax.dim
def aminmax_dim(self, dim, keepdim):
    return torch.aminmax(self, dim=dim, keepdim=keepdim)


# aten::_cummax_helper
def cummax_helper(self, values, indices, dim):
    """Running greatest values and where they stand, written."""
    found, at = torch.cummax(self, dim)
    values.copy_(found)
    indices.copy_(at)


# aten::_cummin_helper
def cummin_helper(self, values, indices, dim):
    """Running least values and where they stand, written."""
    found, at = torch.cummin(self, dim)
    values.copy_(found)
    indices.copy_(at)


# aten::linalg__powsum
def powsum(self, ord, dim, keepdim, dtype):
    """Sums of powers of absolute values: a norm without its root."""
    sizes = self.abs()
    if dtype is not None:
        sizes = self.to(dtype).abs()
    return sizes.pow(ord).sum(dim, keepdim)


# aten::nanmean
def nanmean(self, dim, keepdim, dtype):
    """The mean of what is not NaN."""
    return torch.nansum(self, dim, keepdim, dtype=dtype) / self.isnan().logical_not().sum(dim, keepdim)
