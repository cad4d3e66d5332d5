# Elements by their places, and pieces put together.


@core("aten::stack")
def stack(tensors, dim):
    rank = tensors[0].ndim + 1
    if wrap(dim, rank) == rank - 1:
        return aten.cat.default([aten.unsqueeze.default(t, rank - 1) for t in tensors], dim)
    dim = wrap(dim, rank)
    shape = list(tensors[0].shape)
    return aten.view.default(aten.cat.default(tensors, dim), shape[:dim] + [len(tensors)] + shape[dim:])


@composite("aten::concat", "aten::concatenate")
def concat(tensors, dim):
    return aten.cat.default(tensors, dim)


@composite("aten::hstack")
def hstack(tensors):
    tensors = [aten.atleast_1d.default(t) for t in tensors]
    return aten.cat.default(tensors, 0 if tensors[0].ndim == 1 else 1)


@composite("aten::vstack", "aten::row_stack")
def vstack(tensors):
    return aten.cat.default([aten.atleast_2d.default(t) for t in tensors], 0)


@composite("aten::column_stack")
def column_stack(tensors):
    return hstacked([aten.reshape.default(t, [t.numel(), 1]) if t.ndim <= 1 else t for t in tensors])


def hstacked(tensors):
    return aten.cat.default(tensors, 1)


@composite("aten::tile")
def tile(self, dims):
    missing = self.ndim - len(dims)
    return aten.repeat.default(self, [1] * max(missing, 0) + dims)


@core("aten::roll")
def roll(self, shifts, dims):
    if len(dims) != 1 or len(shifts) != 1:
        return NotImplemented
    if self.numel() == 0:
        return aten.clone.default(self)
    size = self.size(dims[0])
    start = (size - shifts[0]) % size
    at = aten.fmod.Scalar(aten.add.Tensor(indices(size, self.device), start), size)
    return aten.index_select.default(self, dims[0], at)


@composite("aten::repeat_interleave.self_int")
def repeat_interleave(self, repeats, dim, output_size):
    if dim is None:
        self = aten.flatten.using_ints(self)
        dim = 0
    dim = wrap(dim, self.ndim)
    x = aten.unsqueeze.default(self, dim + 1)
    x = aten.expand.default(x, self.shape[: dim + 1] + [repeats] + self.shape[dim + 1 :])
    x = aten.clone.default(x, memory_format=torch.contiguous_format)
    return aten.flatten.using_ints(x, dim, dim + 1)


@core("aten::select_scatter")
def select_scatter(self, src, dim, index):
    dim = wrap(dim, self.ndim)
    shape = [1] * self.ndim
    shape[dim] = -1
    if index < 0:
        index = index + self.size(dim)
    at = aten.view.default(indices(self.size(dim), self.device), shape)
    here = aten.eq.Scalar(at, index)
    spread = aten.expand.default(aten.unsqueeze.default(src, dim), self.shape)
    return aten.where.self(here, spread, self)


def along(x, dim, index):
    """An index in one dimension alone."""
    return [None] * wrap(dim, x.ndim) + [index]


@core("aten::index_add")
def index_add(self, dim, index, source, alpha):
    if self.ndim == 0:
        return NotImplemented
    if not (is_known(alpha) and alpha == 1):
        source = aten.mul.Tensor(source, alpha)
    return aten.index_put.default(self, along(self, dim, index), source, True)


@core("aten::index_copy")
def index_copy(self, dim, index, source):
    if self.ndim == 0:
        return NotImplemented
    return aten.index_put.default(self, along(self, dim, index), source)


@core("aten::index_fill.int_Scalar")
def index_fill(self, dim, index, value):
    if self.ndim == 0:
        return NotImplemented
    value = aten.scalar_tensor.default(value, dtype=self.dtype, layout=self.layout, device=self.device, pin_memory=False)
    return index_filled(self, dim, index, value)


@core("aten::index_fill.int_Tensor")
def index_fill_tensor(self, dim, index, value):
    if self.ndim == 0:
        return NotImplemented
    return index_filled(self, dim, index, value)


def index_filled(self, dim, index, value):
    dim = wrap(dim, self.ndim)
    shape = list(self.shape)
    shape[dim] = 1 if index.ndim == 0 else index.size(0)
    return aten.index_put.default(self, along(self, dim, index), aten.expand.default(value, shape))


@core("aten::take")
def take(self, index):
    return aten.index.Tensor(aten.view.default(self, [-1]), [index])
