# Tensors of numbers that follow a rule.


@core("aten::zeros")
def zeros(size, dtype, layout, device, pin_memory):
    return filled(size, 0, dtype, layout, device)


@core("aten::ones")
def ones(size, dtype, layout, device, pin_memory):
    return filled(size, 1, dtype, layout, device)


def filled(size, value, dtype, layout, device):
    if dtype is None:
        dtype = torch.float32
    if dtype == torch.bool:
        value = value == 1
    if device is None:
        device = cpu()
    if layout is None:
        layout = torch.strided
    for n in size:
        asked("ge", n, 0)
    return aten.full.default(size, value, dtype=dtype, layout=layout, device=device, pin_memory=False)


@core("aten::new_zeros")
def new_zeros(self, size, dtype, layout, device, pin_memory):
    return new(self, size, 0, dtype, layout, device)


@core("aten::new_ones")
def new_ones(self, size, dtype, layout, device, pin_memory):
    return new(self, size, 1, dtype, layout, device)


@core("aten::new_full")
def new_full(self, size, fill_value, dtype, layout, device, pin_memory):
    return new(self, size, fill_value, dtype, layout, device)


def new(x, size, value, dtype, layout, device):
    if dtype is None:
        dtype = x.dtype
    if device is None:
        device = x.device
    if dtype == torch.bool and is_integer(value):
        value = value != 0
    return aten.full.default(size, value, dtype=dtype, layout=x.layout if layout is None else layout, device=device, pin_memory=False)


@core("aten::new_empty")
def new_empty(self, size, dtype, layout, device, pin_memory):
    if dtype is None:
        dtype = self.dtype
    if device is None:
        device = self.device
    return aten.empty.memory_format(size, dtype=dtype, layout=self.layout if layout is None else layout, device=device, pin_memory=False)


@core("aten::zeros_like")
def zeros_like(self, dtype, layout, device, pin_memory, memory_format):
    return like(self, 0, dtype, layout, device, memory_format)


@core("aten::ones_like")
def ones_like(self, dtype, layout, device, pin_memory, memory_format):
    return like(self, 1, dtype, layout, device, memory_format)


def like(x, value, dtype, layout, device, memory_format):
    if (x.dtype if dtype is None else dtype) == torch.bool:
        value = value == 1
    if memory_format is None:
        memory_format = torch.preserve_format
    return aten.full_like.default(x, value, dtype=dtype, layout=layout, device=device, pin_memory=False, memory_format=memory_format)


@core("aten::empty_like")
def empty_like(self, dtype, layout, device, pin_memory, memory_format):
    if dtype is None:
        dtype = self.dtype
    if device is None:
        device = self.device
    if layout is None:
        layout = self.layout
    if memory_format is not None and memory_format != torch.preserve_format:
        return aten.empty.memory_format(
            self.shape, dtype=dtype, layout=layout, device=device, pin_memory=False, memory_format=memory_format
        )
    return aten.empty_permuted.default(self.shape, memory_order(self), dtype=dtype, layout=layout, device=device, pin_memory=False)


@core("aten::arange")
def arange(end, dtype, layout, device, pin_memory):
    return counted(0, end, dtype, device)


@core("aten::arange.start")
def arange_start(start, end, dtype, layout, device, pin_memory):
    return counted(start, end, dtype, device)


def counted(start, end, dtype, device):
    """Numbers one apart, as Python asks for them."""
    if device is None:
        device = cpu()
    return aten.arange.start_step(start, end, 1, dtype=dtype, layout=torch.strided, device=device, pin_memory=False)


def indices(count, device):
    return counted(0, count, None, device)


@core("aten::eye", "aten::eye.m")
def eye(n, m=None, dtype=None, layout=None, device=None, pin_memory=None):
    if m is None:
        m = n
    if dtype is None:
        dtype = torch.float32
    rows = counted(0, n, torch.uint8, device)
    columns = counted(0, m, torch.uint8, device)
    equal = aten.eq.Tensor(aten.unsqueeze.default(rows, -1), columns)
    if dtype == torch.bool:
        return equal
    return aten._to_copy.default(equal, dtype=dtype)


@core("aten::linspace")
def linspace(start, end, steps, dtype, layout, device, pin_memory):
    """The first half is counted from the start, the second from the end, so that both are met."""
    if dtype is None:
        dtype = torch.float32
    if steps == 0:
        return filled([0], 0, dtype, layout, device)
    if steps == 1:
        return filled([1], start, dtype, layout, device)
    step = (end - start) / (steps - 1)
    at = indices(steps, device)
    early = aten.lt.Scalar(at, steps / 2)
    front = aten.add.Tensor(aten.mul.Tensor(in_dtype(at, dtype), step), start)
    rest = in_dtype(aten.sub.Tensor(steps - 1, at), dtype)
    back = aten.sub.Tensor(end, aten.mul.Tensor(rest, step))
    return aten.where.self(early, front, back)


def scalar(value, like):
    """A number as a tensor of another's dtype."""
    return aten.scalar_tensor.default(value, dtype=like.dtype, layout=like.layout, device=like.device)


@core("aten::tril")
def tril(self, diagonal):
    return triangle(self, aten.le.Scalar(distances(self), diagonal))


@core("aten::triu")
def triu(self, diagonal):
    return triangle(self, aten.ge.Scalar(distances(self), diagonal))


def distances(x):
    """How far each element is to the right of the diagonal."""
    columns = aten.unsqueeze.default(indices(x.size(-1), x.device), -2)
    rows = aten.unsqueeze.default(indices(x.size(-2), x.device), -1)
    return aten.sub.Tensor(columns, rows)


def triangle(x, mask):
    if x.dtype == torch.bool:
        return aten.logical_and.default(mask, x)
    return aten.where.self(mask, x, scalar(0, x))
