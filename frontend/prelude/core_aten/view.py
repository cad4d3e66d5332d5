# Other readings of a tensor's elements.


def inferred(x, shape):
    """Sizes with a number in place of the one that is -1."""
    if not any([is_known(n) and n == -1 for n in shape]):
        return shape
    whole = x.numel()
    rest = 1
    for n in shape:
        if not (is_known(n) and n == -1):
            rest = rest * n
    return [whole // rest if is_known(n) and n == -1 else n for n in shape]


def asks_contiguous(x):
    """What PyTorch asks of sizes that may vary before it knows how a tensor lies: once of each tensor, and for names alone."""
    if all([is_known(n) for n in x.shape]) or not first(x, "contiguous"):
        return
    asked("eq", x.numel(), 0)
    least = 1
    dense = 1
    for d in reversed(range(x.ndim)):
        n = x.size(d)
        asked("eq", n, 1)
        # The stride stands for what it is compared with: it has the name of another function.
        asked("ne", dense if n != 1 else 1, dense)
        least = least * (n if is_known(n) else max(n, 1))
        dense = dense * n


def asks_regrouped(rows, flat, shape):
    """What PyTorch asks before it knows that a matrix of so many rows may be seen in these sizes."""
    if is_known(rows):
        return
    columns = flat.size(1)
    whole = rows * columns
    for n in shape:
        asked("eq", n, -1)
        asked("gt", n, -1)
    asked("eq", whole, prod(shape))
    asked("eq", rows * columns, 0)
    asked("ne", rows, 1)
    piece = columns * rows
    seen = 1
    for n in reversed(shape):
        asked("lt", seen, piece)
        seen = seen * n
    asked("ne", seen, piece)


@composite("aten::reshape")
def reshape(self, shape):
    """A view where the strides allow one, else a view of a copy."""
    if self.is_contiguous():
        asks_contiguous(self)
    if views(self, shape):
        return aten.view.default(self, shape)
    shape = inferred(self, shape)
    return aten.view.default(aten.clone.default(self, memory_format=torch.contiguous_format), shape)


@composite("aten::contiguous")
def contiguous(self, memory_format=torch.contiguous_format):
    if self.is_contiguous(memory_format):
        return self
    return aten.clone.default(self, memory_format=memory_format)


@composite("aten::flatten.using_ints")
def flatten(self, start_dim, end_dim):
    if self.ndim == 0:
        return aten.reshape.default(self, [1])
    start = wrap(start_dim, self.ndim)
    end = wrap(end_dim, self.ndim)
    if start == end:
        return self
    return aten.reshape.default(self, self.shape[:start] + [prod(self.shape[start : end + 1])] + self.shape[end + 1 :])


@composite("aten::unflatten.int")
def unflatten(self, dim, sizes):
    dim = wrap(dim, self.ndim)
    whole = self.size(dim)
    rest = 1
    for n in sizes:
        if not (is_known(n) and n == -1):
            rest = rest * n
    sizes = [whole // rest if is_known(n) and n == -1 else n for n in sizes]
    return aten.view.default(self, self.shape[:dim] + sizes + self.shape[dim + 1 :])


@composite("aten::view_as")
def view_as(self, other):
    return aten.view.default(self, other.shape)


@composite("aten::reshape_as")
def reshape_as(self, other):
    return aten.reshape.default(self, other.shape)


@composite("aten::ravel")
def ravel(self):
    return aten.view.default(aten.contiguous.default(self), [-1])


@composite("aten::expand_as")
def expand_as(self, other):
    return aten.expand.default(self, other.shape)


@composite("aten::broadcast_to")
def broadcast_to(self, size):
    return aten.expand.default(self, size)


@composite("aten::broadcast_tensors")
def broadcast_tensors(tensors):
    shape = []
    for t in tensors:
        shape = broadcast(shape, t.shape)
    return [t if t.shape == shape else aten.expand.default(t, shape) for t in tensors]


@core("aten::_unsafe_view", "aten::_reshape_alias")
def unsafe_view(self, size):
    return aten.view.default(self, size)


@core("aten::transpose.int")
def transpose(self, dim0, dim1):
    if self.ndim < 2:
        return aten.alias.default(self)
    order = list(range(self.ndim))
    first = wrap(dim0, self.ndim)
    second = wrap(dim1, self.ndim)
    order[first] = second
    order[second] = first
    return aten.permute.default(self, order)


@core("aten::t")
def t(self):
    if self.ndim < 2:
        return aten.alias.default(self)
    return aten.permute.default(self, [1, 0])


@composite("aten::numpy_T")
def numpy_T(self):
    return aten.permute.default(self, list(reversed(range(self.ndim))))


@composite("aten::mT", "aten::adjoint")
def mT(self):
    return aten.transpose.int(self, -2, -1)


@composite("aten::swapaxes")
def swapaxes(self, axis0, axis1):
    return aten.transpose.int(self, axis0, axis1)


@composite("aten::swapdims")
def swapdims(self, dim0, dim1):
    return aten.transpose.int(self, dim0, dim1)


def moved(self, source, destination):
    source = [wrap(d, self.ndim) for d in source]
    destination = [wrap(d, self.ndim) for d in destination]
    rest = [d for d in range(self.ndim) if d not in source]
    order = []
    for at in range(self.ndim):
        if at in destination:
            for to, d in zip(destination, source):
                if to == at:
                    order.append(d)
        else:
            order.append(rest.pop(0))
    return aten.permute.default(self, order)


@composite("aten::movedim.intlist", "aten::moveaxis.intlist", "aten::movedim.int", "aten::moveaxis.int")
def movedim(self, source, destination):
    if is_number(source):
        return moved(self, [source], [destination])
    return moved(self, source, destination)


@core("aten::squeeze")
def squeeze(self):
    return aten.squeeze.dims(self, list(range(self.ndim)))


@core("aten::squeeze.dim")
def squeeze_dim(self, dim):
    return aten.squeeze.dims(self, [dim])


@composite("aten::narrow")
def narrow(self, dim, start, length):
    return aten.slice.Tensor(self, dim, start, start + length)


@composite("aten::chunk")
def chunk(self, chunks, dim):
    whole = self.size(dim)
    size = (whole + chunks - 1) // chunks
    if is_known(whole) and whole == 0:
        return aten.split_with_sizes.default(self, [0] * chunks, dim)
    return aten.split.Tensor(self, size, dim)


@core("aten::split.Tensor")
def split(self, split_size, dim):
    whole = self.size(dim)
    if whole == 0:
        return aten.split_with_sizes.default(self, [0], dim)
    count = (whole + split_size - 1) // split_size
    return aten.split_with_sizes.default(self, [split_size] * (count - 1) + [whole - split_size * (count - 1)], dim)


@composite("aten::split.sizes")
def split_sizes(self, split_size, dim):
    return aten.split_with_sizes.default(self, split_size, dim)


@composite("aten::hsplit.int")
def hsplit(self, sections):
    return aten.tensor_split.sections(self, sections, 0 if self.ndim == 1 else 1)


@composite("aten::vsplit.int")
def vsplit(self, sections):
    return aten.tensor_split.sections(self, sections, 0)


@composite("aten::dsplit.int")
def dsplit(self, sections):
    return aten.tensor_split.sections(self, sections, 2)


@composite("aten::tensor_split.sections")
def tensor_split(self, sections, dim):
    whole = self.size(dim)
    least = whole // sections
    longer = whole % sections
    parts = []
    start = 0
    for i in range(sections):
        length = least + (1 if i < longer else 0)
        parts.append(aten.slice.Tensor(self, dim, start, start + length))
        start = start + length
    return parts


@composite("aten::tensor_split.indices")
def tensor_split_indices(self, indices, dim):
    parts = []
    start = 0
    for stop in indices:
        parts.append(aten.slice.Tensor(self, dim, start, stop))
        start = stop
    parts.append(aten.slice.Tensor(self, dim, start, self.size(dim)))
    return parts


@core("aten::unbind.int")
def unbind(self, dim):
    dim = wrap(dim, self.ndim)
    parts = [aten.slice.Tensor(self, dim, i, i + 1) for i in range(self.size(dim))]
    return [aten.squeeze.dims(part, [dim]) for part in parts]


@core("aten::detach")
def detach(self):
    return aten.alias.default(self)


@composite("aten::detach_")
def detach_(self):
    return self


@composite("aten::meshgrid.indexing", "aten::meshgrid")
def meshgrid(tensors, indexing="ij"):
    swap = indexing == "xy" and len(tensors) >= 2
    if swap:
        tensors = [tensors[1], tensors[0]] + tensors[2:]
    count = len(tensors)
    shape = [1 if t.ndim == 0 else t.size(0) for t in tensors]
    grids = []
    for i in range(count):
        own = [1] * count
        own[i] = -1
        grids.append(aten.expand.default(aten.view.default(tensors[i], own), shape))
    if swap:
        grids = [aten.transpose.int(grid, 0, 1) for grid in grids]
        grids = [grids[1], grids[0]] + grids[2:]
    return grids


@composite("aten::atleast_1d")
def atleast_1d(self):
    if self.ndim == 0:
        return aten.reshape.default(self, [1])
    return self


@composite("aten::atleast_2d")
def atleast_2d(self):
    if self.ndim == 0:
        return aten.reshape.default(self, [1, 1])
    if self.ndim == 1:
        return aten.unsqueeze.default(self, 0)
    return self


@inverse("aten::view", "aten::_unsafe_view", "aten::_reshape_alias")
def of_view(base, mutated):
    return aten.view.default(mutated, base.shape)


@inverse("aten::permute")
def of_permute(base, dims, mutated):
    order = [0] * len(dims)
    for at in range(len(dims)):
        order[wrap(dims[at], len(dims))] = at
    return aten.permute.default(mutated, order)


@inverse("aten::transpose.int")
def of_transpose(dim0, dim1, mutated):
    return aten.transpose.int(mutated, dim0, dim1)


@inverse("aten::t")
def of_t(mutated):
    return aten.t.default(mutated)


@inverse("aten::unsqueeze")
def of_unsqueeze(dim, mutated):
    return aten.squeeze.dim(mutated, dim)


@inverse("aten::squeeze")
def of_squeeze(base, mutated):
    for dim in range(base.ndim):
        if base.size(dim) == 1:
            mutated = aten.unsqueeze.default(mutated, dim)
    return mutated


@inverse("aten::squeeze.dim")
def of_squeeze_dim(base, dim, mutated):
    if base.ndim > 0 and base.size(dim) == 1:
        return aten.unsqueeze.default(mutated, wrap(dim, base.ndim))
    return mutated


@inverse("aten::squeeze.dims")
def of_squeeze_dims(base, dim, mutated):
    for d in sorted([wrap(d, base.ndim) for d in dim]):
        if base.ndim > 0 and base.size(d) == 1:
            mutated = aten.unsqueeze.default(mutated, d)
    return mutated


@inverse("aten::alias", "aten::detach")
def of_alias(mutated):
    return mutated


@inverse("aten::select.int")
def of_select(base, dim, index, mutated):
    return aten.select_scatter.default(base, mutated, dim, index)


@inverse("aten::slice.Tensor")
def of_slice(base, dim, start, end, step, mutated):
    return aten.slice_scatter.default(base, mutated, dim, start, end, step)


@inverse("aten::diagonal")
def of_diagonal(base, offset, dim1, dim2, mutated):
    return aten.diagonal_scatter.default(base, mutated, offset, dim1, dim2)


@inverse("aten::split.Tensor")
def of_split(base, split_size, dim, mutated, member):
    dim = wrap(dim, base.ndim)
    start = split_size * member
    return aten.slice_scatter.default(base, mutated, dim, start, min(start + split_size, base.size(dim)), 1)


@inverse("aten::split_with_sizes")
def of_split_with_sizes(base, split_sizes, dim, mutated, member):
    dim = wrap(dim, base.ndim)
    start = sum(split_sizes[:member])
    return aten.slice_scatter.default(base, mutated, dim, start, start + split_sizes[member], 1)


@inverse("aten::unbind.int")
def of_unbind(base, dim, mutated, member):
    return aten.select_scatter.default(base, mutated, wrap(dim, base.ndim), member)


@inverse("aten::expand")
def of_expand(base, mutated):
    """What was added to any of the copies is added to the one that they are copies of."""
    change = aten.sub.Tensor(mutated, base)
    return aten.add.Tensor(base, sum_to(change, base.shape))


def sum_to(x, shape):
    added = x.ndim - len(shape)
    dims = [d for d in range(x.ndim) if d < added or (shape[d - added] == 1 and x.size(d) != 1)]
    if len(dims) > 0:
        x = aten.sum.dim_IntList(x, dims, True)
    if added > 0:
        x = aten.view.default(x, shape)
    return x
