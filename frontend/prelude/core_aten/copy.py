# Copies, conversions and what becomes of tensors that Python makes.


@composite("aten::to.dtype")
def to_dtype(self, dtype, non_blocking, copy, memory_format):
    same = memory_format is None or memory_format == torch.preserve_format or self.is_contiguous(memory_format)
    if self.dtype == dtype and not copy and same:
        return self
    return aten._to_copy.default(self, dtype=dtype, non_blocking=non_blocking, memory_format=memory_format)


@composite("aten::to.device")
def to_device(self, device, dtype, non_blocking, copy, memory_format):
    same = memory_format is None or memory_format == torch.preserve_format or self.is_contiguous(memory_format)
    if self.dtype == dtype and self.device == device and not copy and same:
        return self
    return aten._to_copy.default(self, dtype=dtype, device=device, non_blocking=non_blocking, memory_format=memory_format)


@composite("aten::to.dtype_layout")
def to_dtype_layout(self, dtype, layout, device, pin_memory, non_blocking, copy, memory_format):
    same = memory_format is None or memory_format == torch.preserve_format or self.is_contiguous(memory_format)
    same = same and (dtype is None or dtype == self.dtype) and (device is None or device == self.device)
    if same and (layout is None or layout == self.layout) and not copy:
        return self
    return aten._to_copy.default(
        self, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory, non_blocking=non_blocking, memory_format=memory_format
    )


@composite("aten::to.other")
def to_other(self, other, non_blocking, copy, memory_format):
    return converted(self, other.dtype)


@composite("aten::type_as")
def type_as(self, other):
    return converted(self, other.dtype)


def converted(x, dtype):
    """The tensor in another dtype, as C++ asks for it: with layout and device."""
    if x.dtype == dtype:
        return x
    return aten._to_copy.default(x, dtype=dtype, layout=x.layout, device=x.device)


def in_dtype(x, dtype):
    """The tensor in another dtype, as Python asks for it."""
    if x.dtype == dtype:
        return x
    return aten._to_copy.default(x, dtype=dtype)


@core("aten::lift_fresh_copy")
def lift_fresh_copy(self):
    return aten.clone.default(self)


@composite("aten::lift_fresh")
def lift_fresh(self):
    return self


@core("aten::fill.Scalar")
def fill_scalar(self, value):
    return aten.full_like.default(self, value, pin_memory=False)


@core("aten::fill.Tensor")
def fill_tensor(self, value):
    return aten.copy.default(self, value)


@core("aten::zero")
def zero(self):
    return aten.full_like.default(self, 0, pin_memory=False, memory_format=torch.preserve_format)


@composite("aten::item")
def item(self):
    return aten._local_scalar_dense.default(self)
