# Elements in another order, and sequences of different lengths in one tensor.


# prims::copy_strided
def copy_strided(a, stride):
    """A copy laid out so."""
    return torch.empty_strided(a.shape, stride, dtype=a.dtype).copy_(a)


# aten::_conj_copy
def conj_copy(self):
    return self.conj_physical().clone(memory_format=torch.contiguous_format)


# aten::_neg_view_copy
def neg_view_copy(self):
    return self.neg().contiguous()


# aten::_pack_sequence
def pack_sequence(output, batch_sizes, sorted_indices, unsorted_indices):
    return output, batch_sizes, sorted_indices, unsorted_indices


# aten::flatten_dense_tensors
def flatten_dense_tensors(tensors):
    """All elements one after another."""
    return torch.cat([t.reshape([-1]) for t in tensors])


# aten::_chunk_cat
def chunk_cat(tensors, dim, num_chunks):
    """Each tensor filled up with zeros, cut into chunks, and the chunks of all side by side."""
    if len(tensors) == 0:
        raise RuntimeError("_chunk_cat expects a non-empty input tensor list")
    if num_chunks < 1:
        raise RuntimeError("_chunk_cat expects positive num_chunks")
    first = tensors[0]
    if first.dim() == 0:
        raise RuntimeError("_chunk_cat expects at least 1 dimension in the tensors")
    if dim < -first.dim() or dim >= first.dim():
        raise IndexError(f"Dimension out of range (expected to be in range of [{-first.dim()}, {first.dim() - 1}], but got {dim})")
    at = dim + first.dim() if dim < 0 else dim
    parts: List[Tensor] = []
    for t in tensors:
        if t.dim() <= at or t.shape[:at] != first.shape[:at] or t.dtype != first.dtype:
            raise RuntimeError("_chunk_cat expects tensors to have the same dtype and the same sizes before dim")
        pad = [0 for _ in range(2 * (t.dim() - at))]
        pad[-1] = (num_chunks - t.size(at) % num_chunks) % num_chunks
        filled = torch.constant_pad_nd(t, pad)
        rest = 1
        for size in filled.shape[at:]:
            rest *= size
        parts.append(filled.reshape(first.shape[:at] + [num_chunks, rest // num_chunks]))
    return torch.cat(parts, at + 1)


# aten::unfold_backward
def unfold_backward(grad_in, input_sizes, dim, size, step):
    """What `unfold` showed several times is added."""
    if len(input_sizes) == 0:
        return grad_in.reshape([])
    at = dim + len(input_sizes) if dim < 0 else dim
    out = torch.zeros(input_sizes, dtype=grad_in.dtype)
    for w in range(grad_in.size(at)):
        out.narrow(at, w * step, size).add_(grad_in.select(at, w).movedim(-1, at))
    return out
