# The same elements otherwise: in another dtype, in other sizes, in another's storage.


# aten::chalf
def chalf(self, memory_format):
    """Complex numbers of halves."""
    return self.to(torch.complex32, memory_format=memory_format)


# aten::_autocast_to_reduced_precision
def autocast_to_reduced_precision(self, cuda_enabled, cpu_enabled, cuda_dtype, cpu_dtype):
    """Floats become what the processor computes in, if anything is to."""
    if self.dtype == torch.float32 and cpu_enabled:
        return self.to(cpu_dtype)
    return self


# aten::resize_as
def resize_as(self, the_template, memory_format):
    return self.clone(memory_format=torch.contiguous_format).resize_(the_template.shape, memory_format=memory_format)


# aten::set
def set_to_nothing(self):
    """A tensor of nothing."""
    return torch.zeros([0], dtype=self.dtype)


# aten::set_
def set_to_nothing_inplace(self):
    """The tensor itself lets go of what it held."""
    return self.set_(torch.zeros([0], dtype=self.dtype))


# aten::set.source_Tensor
def set_to_source(self, source):
    """Another reading of the source's storage."""
    return torch.alias(source)


# aten::set_.source_Tensor_storage_offset
def set_to_part(self, source, storage_offset, size, stride):
    """The tensor itself becomes a reading of the source's storage from an offset on, row-major unless strides are given."""
    steps: List[int] = []
    if len(stride) > 0:
        steps = stride
    else:
        step = 1
        for i in range(len(size)):
            steps.insert(0, step)
            step *= max(size[len(size) - 1 - i], 1)
    return self.set_(source.as_strided(size, steps, storage_offset))
