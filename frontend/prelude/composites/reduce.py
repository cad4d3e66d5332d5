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


# aten::allclose
def allclose(self, other, rtol, atol, equal_nan):
    """Whether all are close; the distance of complex numbers is the size of their difference."""
    if not self.is_complex():
        return bool(torch.isclose(self, other, rtol, atol, equal_nan).all())
    far = (self - other).abs()
    close = (self == other) | (far.isfinite() & (far <= atol + (rtol * other.abs()).abs()))
    if equal_nan:
        close = close | (self.isnan() & other.isnan())
    return bool(close.all())


# aten::trace
def trace(self):
    return torch.diagonal(self).sum()


# aten::diff
def diff(self, n, dim, prepend, append):
    """Differences of neighbours, n times, with what stands before and behind; of truth values whether they differ."""
    if n == 0:
        return self.clone()
    found = self
    if prepend is not None:
        found = torch.cat([prepend, found], dim)
    if append is not None:
        found = torch.cat([found, append], dim)
    for i in range(min(n, found.size(dim))):
        rest = found.size(dim) - 1
        after, before = found.narrow(dim, 1, rest), found.narrow(dim, 0, rest)
        found = torch.logical_xor(after, before) if found.dtype == torch.bool else after - before
    return found


def neighbours(t, dim: int) -> Tuple[Tensor, Tensor]:
    """Everything but the first, and everything but the last along a dimension."""
    rest = max(t.size(dim) - 1, 0)
    return t.narrow(dim, min(t.size(dim), 1), rest), t.narrow(dim, 0, rest)


def areas(y, dim: int):
    after, before = neighbours(y, dim)
    return after + before


def from_end(dim: int, rank: int) -> int:
    return dim - rank if dim >= 0 else dim


def widths(x, dim: int):
    """Distances of places, which are those of a dimension counted from the end, the same for all lanes where they are a vector."""
    after, before = neighbours(x, 0 if x.dim() == 1 else dim)
    found = after - before
    return found.reshape([-1] + [1 for i in range(-1 - dim)]) if x.dim() == 1 else found


# aten::trapezoid.x, aten::trapz.x
def trapezoid_x(y, x, dim):
    """Sums of means of neighbours, times their distances."""
    d = from_end(dim, y.dim())
    return (widths(x, d) * areas(y, d)).sum([d]) / 2.0


# aten::trapezoid.dx, aten::trapz.dx
def trapezoid_dx(y, dx, dim):
    return (areas(y, dim) * dx).sum([dim]) / 2.0


# aten::cumulative_trapezoid.x
def cumulative_trapezoid_x(y, x, dim):
    """The same, running."""
    d = from_end(dim, y.dim())
    return (widths(x, d) * areas(y, d)).cumsum(d) / 2.0


# aten::cumulative_trapezoid.dx
def cumulative_trapezoid_dx(y, dx, dim):
    return (areas(y, dim) * dx).cumsum(dim) / 2.0


# aten::nanmedian
def nanmedian(self):
    """The median of what is not NaN; NaN if nothing is left."""
    if not self.is_floating_point():
        return self.median()
    rest = torch.masked_select(self, self.isnan().logical_not())
    return rest.median() if rest.numel() > 0 else torch.full([], math.nan, dtype=self.dtype)


# aten::nanmedian.dim
def nanmedian_dim(self, dim, keepdim):
    """The same along a dimension, with where it stands: NaN is sorted behind everything."""
    if self.dim() == 0:
        return self.clone(), torch.zeros([], dtype=torch.int64)
    ordered, places = torch.sort(self, stable=True, dim=dim)
    at = ((self.isnan().logical_not().sum([dim], True) - 1) // 2).clamp_min(0)
    value, place = ordered.gather(dim, at), places.gather(dim, at)
    if keepdim:
        return value, place
    return value.squeeze(dim), place.squeeze(dim)


def among(elements, tests, invert: bool):
    """Whether each element is one of the others, of which NaN is none."""
    found = torch.zeros(elements.shape, dtype=torch.bool)
    if tests.numel() > 0:
        wide = torch.float64 if elements.is_floating_point() else torch.int64
        ordered, places = tests.to(wide).reshape([-1]).sort()
        x = elements.to(wide).reshape([-1])
        at = torch.searchsorted(ordered, x).clamp_max(ordered.numel() - 1)
        found = (ordered.index_select(0, at) == x).reshape(elements.shape)
    return found.logical_not() if invert else found


# aten::isin.Tensor_Tensor
def isin(elements, test_elements, assume_unique, invert):
    dtype = torch.result_type(elements, test_elements)
    return among(elements.to(dtype), test_elements.to(dtype), invert)


# aten::isin.Tensor_Scalar
def isin_number(elements, test_element, assume_unique, invert):
    dtype = torch.result_type(elements, test_element)
    return among(elements.to(dtype), torch.full([], test_element, dtype=dtype), invert)


# aten::isin.Scalar_Tensor
def number_isin(element, test_elements, assume_unique, invert):
    dtype = torch.result_type(element, test_elements)
    return among(torch.full([], element, dtype=dtype), test_elements.to(dtype), invert)


def ranked(t, q, dim: Optional[int], keepdim: bool, mode: str, skip_nan: bool):
    """For each lane and each q a value between ordered elements, the q's last."""
    if bool(((q >= 0) & (q <= 1)).logical_not().any()):
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    lanes = t.reshape([-1]) if dim is None or t.dim() == 0 else t.movedim(dim, -1)
    ordered, places = lanes.to(torch.float64).sort(-1)
    numbers = lanes.isnan().logical_not().sum([-1], True)
    rank = q.to(torch.float64).reshape([-1]) * (numbers - 1).clamp_min(0)
    low, high = ordered.gather(-1, rank.floor().to(torch.int64)), ordered.gather(-1, rank.ceil().to(torch.int64))
    if mode == "lower":
        found = low
    elif mode == "higher":
        found = high
    elif mode == "midpoint":
        found = low + (high - low) * 0.5
    elif mode == "nearest":
        found = ordered.gather(-1, rank.round().to(torch.int64))
    else:
        found = torch.where(low == high, low, low + (high - low) * (rank - rank.floor()))
    if not skip_nan:
        found = torch.where(numbers < lanes.size(-1), math.nan, found)
    found = found.to(t.dtype)
    if keepdim and t.dim() > 0:
        if dim is None:
            return found.reshape([1 for d in range(t.dim())] + [-1])
        return found.unsqueeze(dim + t.dim() if dim < 0 else dim)
    return found


def quantiles(t, q, dim: Optional[int], keepdim: bool, mode: str, skip_nan: bool):
    found = ranked(t, q, dim, keepdim, mode, skip_nan)
    return found.movedim(-1, 0) if q.dim() == 1 else found.squeeze(-1)


# aten::quantile
def quantile(self, q, dim, keepdim, interpolation):
    return quantiles(self, q, dim, keepdim, interpolation, False)


# aten::nanquantile
def nanquantile(self, q, dim, keepdim, interpolation):
    return quantiles(self, q, dim, keepdim, interpolation, True)


# aten::quantile.scalar
def quantile_number(self, q, dim, keepdim, interpolation):
    return quantiles(self, torch.full([], q, dtype=torch.float64), dim, keepdim, interpolation, False)


# aten::nanquantile.scalar
def nanquantile_number(self, q, dim, keepdim, interpolation):
    return quantiles(self, torch.full([], q, dtype=torch.float64), dim, keepdim, interpolation, True)
