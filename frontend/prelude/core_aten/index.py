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


@core("aten::rot90")
def rot90(self, k, dims):
    k = k % 4
    if k == 1:
        return aten.transpose.int(aten.flip.default(self, [dims[1]]), dims[0], dims[1])
    if k == 2:
        return aten.flip.default(self, dims)
    if k == 3:
        return aten.transpose.int(aten.flip.default(self, [dims[0]]), dims[0], dims[1])
    return aten.clone.default(self, memory_format=torch.contiguous_format)


@composite("aten::take_along_dim")
def take_along_dim(self, indices, dim):
    if dim is None:
        return NotImplemented
    dim = wrap(dim, self.ndim)
    shape = broadcast(self.shape[:dim] + [1] + self.shape[dim + 1 :], indices.shape[:dim] + [1] + indices.shape[dim + 1 :])
    at = aten.expand.default(indices, shape[:dim] + [indices.size(dim)] + shape[dim + 1 :])
    own = aten.expand.default(self, shape[:dim] + [self.size(dim)] + shape[dim + 1 :])
    return aten.gather.default(own, dim, aten.remainder.Scalar(at, self.size(dim)))


@core("aten::embedding_bag")
def embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset):
    return aten._embedding_bag.default(
        weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset
    )


@composite("aten::nonzero_numpy")
def nonzero_numpy(self):
    if self.ndim == 0:
        return aten.unbind.int(aten.nonzero.default(aten.unsqueeze.default(self, 0)), 1)
    return aten.unbind.int(aten.nonzero.default(self), 1)


@composite("aten::where")
def where(condition):
    return aten.nonzero_numpy.default(condition)


def blocked(size, kernel, dilation, padding, stride, device):
    """Where each element of each window stands in one dimension."""
    span = size + 2 * padding - dilation * (kernel - 1)
    starts = aten.arange.start_step(0, span, stride, dtype=torch.int64, device=device, pin_memory=False)
    starts = aten.unsqueeze.default(starts, 0)
    inside = aten.arange.start_step(0, kernel * dilation, dilation, dtype=torch.int64, device=device, pin_memory=False)
    return aten.add.Tensor(starts, aten.unsqueeze.default(inside, -1))


@core("aten::im2col")
def im2col(self, kernel_size, dilation, padding, stride):
    batched = self.ndim == 4
    x = self if batched else aten.unsqueeze.default(self, 0)
    n, c, h, w = x.shape
    rows = blocked(h, kernel_size[0], dilation[0], padding[0], stride[0], x.device)
    columns = blocked(w, kernel_size[1], dilation[1], padding[1], stride[1], x.device)
    x = aten.constant_pad_nd.default(x, [padding[1], padding[1], padding[0], padding[0]], 0.0)
    rows = aten.unsqueeze.default(aten.unsqueeze.default(rows, -1), -1)
    x = aten.index.Tensor(x, [None, None, rows, columns])
    x = aten.permute.default(x, [0, 1, 2, 4, 3, 5])
    across = rows.size(1) * columns.size(1)
    x = aten.reshape.default(x, [n, c * kernel_size[0] * kernel_size[1], across])
    return x if batched else aten.squeeze.dim(x, 0)


@core("aten::col2im")
def col2im(self, output_size, kernel_size, dilation, padding, stride):
    batched = self.ndim == 3
    x = self if batched else aten.unsqueeze.default(self, 0)
    h, w = output_size
    counts = [
        (output_size[d] + 2 * padding[d] - dilation[d] * (kernel_size[d] - 1) - 1) // stride[d] + 1 for d in range(2)
    ]
    x = aten.reshape.default(x, [x.size(0), x.size(1) // (kernel_size[0] * kernel_size[1])] + kernel_size + counts)
    x = aten.permute.default(x, [0, 1, 2, 4, 3, 5])
    rows = blocked(h, kernel_size[0], dilation[0], padding[0], stride[0], x.device)
    rows = aten.unsqueeze.default(aten.unsqueeze.default(rows, -1), -1)
    columns = blocked(w, kernel_size[1], dilation[1], padding[1], stride[1], x.device)
    shape = [x.size(0), x.size(1), h + 2 * padding[0], w + 2 * padding[1]]
    out = aten.new_zeros.default(x, shape)
    out = aten.index_put.default(out, [None, None, rows, columns], x, True)
    out = aten.constant_pad_nd.default(out, [-padding[1], -padding[1], -padding[0], -padding[0]], 0.0)
    return out if batched else aten.squeeze.dim(out, 0)


@composite("aten::one_hot")
def one_hot(self, num_classes):
    if num_classes < 0:
        return NotImplemented
    within(aten.ge.Scalar(self, 0), "one_hot: Class values must be non-negative.")
    within(aten.lt.Scalar(self, num_classes), "one_hot: Class values must be smaller than num_classes.")
    each = aten.unsqueeze.default(self, -1)
    classes = counted(0, num_classes, torch.int64, self.device)
    return aten._to_copy.default(aten.eq.Tensor(each, classes), dtype=torch.int64)


def within(condition, message):
    aten._assert_async.msg(aten.all.default(condition), message)


@composite("aten::embedding_bag.padding_idx")
def embedding_bag_padding_idx(
    weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx
):
    return aten._embedding_bag.default(
        weight,
        indices,
        offsets,
        scale_grad_by_freq,
        mode,
        sparse,
        per_sample_weights,
        include_last_offset,
        -1 if padding_idx is None else padding_idx,
    )


@core("aten::diag")
def diag(self, diagonal):
    if self.ndim == 1:
        return aten.diag_embed.default(self, diagonal)
    return aten.clone.default(aten.diagonal.default(self, diagonal), memory_format=torch.contiguous_format)


@core("aten::diag_embed")
def diag_embed(self, offset, dim1, dim2):
    rank = self.ndim + 1
    first = wrap(dim1, rank)
    second = wrap(dim2, rank)
    if first > second:
        first, second = second, first
        offset = -offset
    last = self.size(-1)
    x = self
    if offset != 0:
        shape = self.shape[:-1] + [abs(offset)]
        filler = aten.new_zeros.default(self, shape)
        x = aten.cat.default([filler, x] if offset > 0 else [x, filler], -1)
        last = last + abs(offset)
    x = aten.movedim.int(aten.unsqueeze.default(x, first), -1, second)
    columns = counted(0, last, torch.int64, self.device)
    rows = counted(0, last, torch.int64, self.device)
    if offset != 0:
        rows = aten.add.Tensor(rows, offset)
    here = aten.eq.Tensor(columns, aten.unsqueeze.default(rows, -1))
    shape = [last if d == first or d == second else 1 for d in range(rank)]
    here = aten.view.default(here, shape)
    return aten.where.self(here, x, scalar(0, x))


@core("aten::trace")
def trace(self):
    return aten.sum.default(aten.diag.default(self, 0))


@core("aten::isin.Tensor_Tensor")
def isin(elements, test_elements, assume_unique, invert):
    if test_elements.numel() >= int(10.0 * float(elements.numel()) ** 0.145) + 1:
        return NotImplemented
    each = aten.view.default(elements, elements.shape + [1] * test_elements.ndim)
    equal = aten.eq.Tensor(each, test_elements)
    found = aten.any.dims(equal, [-1 - d for d in range(test_elements.ndim)])
    return aten.logical_not.default(found) if invert else found


@core("aten::max_unpool2d")
def max_unpool2d(self, indices, output_size):
    area = output_size[0] * output_size[1]
    n = prod(self.shape[:-2])
    planes = aten.arange.default(n, device=self.device)
    shape = [self.size(d) if d < self.ndim - 2 else 1 for d in range(self.ndim)]
    planes = aten.mul.Tensor(aten.view.default(planes, shape), area)
    places = aten.reshape.default(aten.add.Tensor(indices, planes), [-1])
    out = aten.new_zeros.default(self, self.shape[:-2] + output_size)
    flat = aten.reshape.default(out, [-1])
    filled_in = aten.index_put.default(flat, [places], aten.reshape.default(self, [-1]))
    return aten.view.default(filled_in, out.shape)
