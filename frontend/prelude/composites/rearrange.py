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


# aten::block_diag
def block_diag(tensors):
    """Matrices along the diagonal of one; a vector is a row."""
    if len(tensors) == 0:
        return torch.zeros([1, 0])
    dtype = tensors[0].dtype
    rows, columns = 0, 0
    blocks: List[Tensor] = []
    for i in range(len(tensors)):
        t = tensors[i]
        if t.dim() > 2:
            raise RuntimeError(f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {t.dim()} dimensions")
        dtype = torch.promote_types(dtype, t.dtype)
        block = t if t.dim() == 2 else t.reshape([1, t.numel()])
        rows += block.size(0)
        columns += block.size(1)
        blocks.append(block)
    out = torch.zeros([rows, columns], dtype=dtype)
    row, column = 0, 0
    for block in blocks:
        out.narrow(0, row, block.size(0)).narrow(1, column, block.size(1)).copy_(block)
        row += block.size(0)
        column += block.size(1)
    return out


# aten::cartesian_prod
def cartesian_prod(tensors):
    """Every combination of vectors' elements, one a row."""
    rows = 1
    for t in tensors:
        if t.dim() != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {t.shape}")
        rows *= t.numel()
    if len(tensors) == 1:
        return tensors[0]
    return torch.stack(torch.meshgrid(tensors), -1).reshape([rows, len(tensors)])


# aten::rot90
def rot90(self, k, dims):
    """Quarter turns from the first dimension to the second."""
    turns = k % 4
    if turns == 1:
        return self.flip([dims[1]]).transpose(dims[0], dims[1])
    if turns == 2:
        return self.flip(dims)
    if turns == 3:
        return self.flip([dims[0]]).transpose(dims[0], dims[1])
    return self.clone(memory_format=torch.contiguous_format)


# aten::vander
def vander(x, N, increasing):
    """Powers of a vector, a column each, from 0 or to 0."""
    if x.dim() != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    n = x.numel() if N is None else N
    if n < 0:
        raise RuntimeError("N must be non-negative.")
    column = x if x.is_floating_point() or x.is_complex() else x.to(torch.int64)
    column = column.unsqueeze(1)
    if n == 0:
        return torch.zeros([x.numel(), 0], dtype=column.dtype)
    found = torch.cat([torch.ones_like(column), column.expand([x.numel(), n - 1]).cumprod(1)], 1)
    return found if increasing else found.flip([1])


# aten::_pack_padded_sequence
def pack_padded_sequence(input, lengths, batch_first):
    """The steps of all sequences that are still running, one step after another, and how many those are."""
    if lengths.dtype != torch.int64 or lengths.dim() != 1:
        raise RuntimeError("Expected `lengths` to be a 1-D int64 tensor")
    if input.dim() < 2:
        raise RuntimeError(f"pack_padded_sequence: input has sizes {input.shape}")
    x = input.transpose(0, 1) if batch_first else input
    if x.numel() == 0:
        raise RuntimeError("Cannot pack empty tensors.")
    if lengths.numel() != x.size(1):
        raise RuntimeError(f"Expected `len(lengths)` to be equal to batch_size, but got {lengths.numel()} (batch_size={x.size(1)})")
    if int(lengths[-1]) <= 0:
        raise RuntimeError("Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0")
    if bool((lengths[:-1] < lengths[1:]).any()):
        raise RuntimeError("`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability.")
    steps = torch.arange(int(lengths[0]))
    running = (lengths.unsqueeze(0) > steps.unsqueeze(1)).sum([1])
    rows: List[Tensor] = []
    # Steps beyond the end of the input are counted, and give no rows.
    for t in range(min(steps.numel(), x.size(0))):
        rows.append(x[t].narrow(0, 0, int(running[t])))
    return torch.cat(rows), running


# aten::_pad_packed_sequence
def pad_packed_sequence(data, batch_sizes, batch_first, padding_value, total_length):
    """The inverse, and the lengths."""
    steps = batch_sizes.numel()
    if total_length > 0 and total_length < steps:
        raise RuntimeError(f"Expected total_length to be at least the length of the longest sequence in input, but got total_length={total_length} and max sequence length being {steps}")
    falls = steps > 0 and data.dim() > 0
    if falls:
        flat = batch_sizes.reshape([-1])
        falls = not bool((flat[:-1] < flat[1:]).any()) and int(flat[-1]) > 0 and int(flat.sum()) == data.size(0)
    if not falls:
        raise RuntimeError("_pad_packed_sequence: batch_sizes must fall, and sum to the data's first size")
    batch = int(batch_sizes[0])
    sizes = [total_length if total_length > 0 else steps, batch] + data.shape[1:]
    out = torch.full(sizes, padding_value, dtype=data.dtype)
    at = 0
    for t in range(steps):
        n = int(batch_sizes[t])
        out[t].narrow(0, 0, n).copy_(data.narrow(0, at, n))
        at += n
    lengths = (batch_sizes.unsqueeze(1) > torch.arange(batch)).sum([0])
    return out.transpose(0, 1) if batch_first else out, lengths


# aten::pad_sequence
def pad_sequence(sequences, batch_first, padding_value, padding_side):
    """One tensor as long as the longest."""
    if padding_side != "left" and padding_side != "right":
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    if len(sequences) == 0:
        raise RuntimeError("received an empty list of sequences")
    longest = 0
    for t in sequences:
        longest = max(longest, t.size(0))
    padded: List[Tensor] = []
    for t in sequences:
        more = longest - t.size(0)
        pad = [0 for _ in range(2 * t.dim())]
        pad[-2 if padding_side == "left" else -1] = more
        padded.append(torch.constant_pad_nd(t.to(sequences[0].dtype), pad, padding_value))
    return torch.stack(padded, 0 if batch_first else 1)


# aten::hstack
def hstack(tensors):
    """Side by side: along the second dimension, vectors along their only one."""
    lifted = torch.atleast_1d(tensors)
    return torch.cat(lifted, 0 if lifted[0].dim() == 1 else 1)


# aten::vstack, aten::row_stack
def vstack(tensors):
    return torch.cat(torch.atleast_2d(tensors), 0)


# aten::dstack
def dstack(tensors):
    return torch.cat(torch.atleast_3d(tensors), 2)


# aten::column_stack
def column_stack(tensors):
    """Vectors are columns."""
    return torch.cat([t.reshape([t.numel(), 1]) if t.dim() <= 1 else t for t in tensors], 1)


# aten::fliplr
def fliplr(self):
    return self.flip([1])


# aten::flipud
def flipud(self):
    return self.flip([0])


# aten::diag_embed
def diag_embed(self, offset, dim1, dim2):
    """Matrices of zeros with the last dimension on a diagonal."""
    rank = self.dim() + 1
    first, second = dim1 % rank, dim2 % rank
    side = self.size(-1) + abs(offset)
    sizes = self.shape[:-1]
    sizes.insert(min(first, second), side)
    sizes.insert(max(first, second), side)
    out = torch.zeros(sizes, dtype=self.dtype)
    out.diagonal(offset, first, second).copy_(self)
    return out


# aten::diag
def diag(self, diagonal):
    """A vector as a matrix's diagonal, a matrix's diagonal as a vector."""
    if self.dim() == 2:
        return self.diagonal(diagonal, 0, 1).clone()
    return torch.diag_embed(self, diagonal, 0, 1)


# aten::diagflat
def diagflat(self, offset):
    return torch.diag_embed(self.reshape([self.numel()]), offset, 0, 1)


# aten::select_backward
def select_backward(grad_output, input_sizes, dim, index):
    """Zeros but for the part that was taken, which is the gradient."""
    out = grad_output.new_zeros(input_sizes)
    out.select(dim, index).copy_(grad_output)
    return out


# aten::slice_backward
def slice_backward(grad_output, input_sizes, dim, start, end, step):
    out = grad_output.new_zeros(input_sizes)
    torch.ops.aten.slice(out, dim, start, end, step).copy_(grad_output)
    return out


# aten::diagonal_backward
def diagonal_backward(grad_output, input_sizes, offset, dim1, dim2):
    out = grad_output.new_zeros(input_sizes)
    out.diagonal(offset, dim1, dim2).copy_(grad_output)
    return out


# aten::combinations
def combinations(self, r, with_replacement):
    """Every choice of r elements of a vector, in order: each row grows by all that may follow its last."""
    if self.dim() != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {self.shape}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if with_replacement and r > 64:
        raise RuntimeError("only tensors with up to 64 dims are supported")
    if r == 0:
        return self.new_zeros([0])
    everyone = torch.arange(self.numel())
    rows = everyone.unsqueeze(1)
    for i in range(1, r if with_replacement else min(r, self.numel() + 1)):
        last = rows.select(1, -1).unsqueeze(1)
        follows = (everyone >= last) if with_replacement else (everyone > last)
        both = follows.nonzero()
        rows = torch.cat([rows.index_select(0, both.select(1, 0)), both.narrow(1, 1, 1)], 1)
        if rows.size(0) > 16777216:
            raise RuntimeError("too many combinations")
    if rows.size(0) == 0:
        return self.new_zeros([0, r])
    return self.index_select(0, rows.reshape([-1])).reshape([-1, r])
