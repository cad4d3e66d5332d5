# Products of matrices.


@composite("aten::linear")
def linear(input, weight, bias):
    rank = input.ndim
    if bias is not None and rank == 2:
        return aten.addmm.default(bias, input, aten.t.default(weight))
    if bias is not None and rank > 2:
        asks_contiguous(input)
    if bias is not None and (rank == 1 or input.is_contiguous()):
        rows = prod(input.shape[:-1])
        flat = aten.view.default(input, [rows, input.size(-1)])
        product = aten.addmm.default(bias, flat, aten.t.default(weight))
        shape = input.shape[:-1] + [product.size(1)]
        result = aten.view.default(product, shape)
        asks_regrouped(flat.size(0), product, shape)
        return result
    product = aten.matmul.default(input, aten.t.default(weight))
    if bias is None:
        return product
    return aten.add.Tensor(product, bias)


@composite("aten::matmul", "aten::linalg_matmul")
def matmul(self, other):
    if self.ndim <= 2 and other.ndim <= 2:
        return small_product(self, other)
    if folds(self, other):
        return folded(self, other)
    return batched(self, other)


def small_product(a, b):
    """Of matrices and vectors, each case has an operator of its own."""
    ranks = [a.ndim, b.ndim]
    if ranks == [2, 2]:
        return aten.mm.default(a, b)
    if ranks == [1, 2]:
        row = aten.mm.default(aten.unsqueeze.default(a, 0), b)
        return aten.squeeze.dim(row, 0)
    return aten.mv.default(a, b) if ranks == [2, 1] else aten.dot.default(a, b)


def batched(left, right):
    """All matrices of both, spread over the dimensions in front, as one batch."""
    outer = broadcast(left.shape[:-2], right.shape[:-2])
    rows = left.shape[-2:-1]
    columns = right.shape[-1:] if right.ndim > 1 else []
    if right.ndim == 1:
        right = aten.unsqueeze.default(right, 1)
    product = aten.bmm.default(as_batch(left, outer, rows), as_batch(right, outer, right.shape[-2:-1]))
    return aten.view.default(product, outer + rows + columns)


def as_batch(x, outer, rows):
    count = prod(outer)
    height = rows[0] if len(rows) > 0 else 1
    spread = aten.expand.default(x, outer + [height, x.size(-1)])
    return aten.reshape.default(spread, [count, height, x.size(-1)])


def folds(self, other):
    """Is it one product of matrices? So it is if the tensor of more than two dimensions lies as a matrix does."""
    more, less = (self, other) if self.ndim >= other.ndim else (other, self)
    if not (more.ndim >= 3 and less.ndim <= 2):
        return False
    if self.ndim == 2:
        return False
    count = more.numel()
    asked("eq", count, 0)
    if count == 0:
        return True
    if less.ndim == 1:
        return True
    dense = 1
    for n in reversed(more.shape[1:]):
        dense = dense * n
    asked("eq", more.size(0), 1)
    asked("eq", dense, dense)
    return more.is_contiguous()


def folded(self, other):
    turned = self.ndim < other.ndim
    more = aten.mT.default(other) if turned else self
    less = other
    if turned:
        less = aten.t.default(self) if self.ndim == 2 else self
    outer = more.shape[:-1]
    flat = aten.reshape.default(more, [prod(outer), more.size(-1)])
    if less.ndim == 2:
        matrix = aten.mm.default(flat, less)
        shape = outer + [less.size(1)]
        product = aten.view.default(matrix, shape)
        asks_regrouped(flat.size(0), matrix, shape)
        return aten.contiguous.default(aten.mT.default(product)) if turned else product
    return aten.view.default(aten.mv.default(flat, less), outer)


@core("aten::dot")
def dot(self, tensor):
    return aten.sum.default(aten.mul.Tensor(self, tensor))


@core("aten::mv")
def mv(self, vec):
    return aten.sum.dim_IntList(aten.mul.Tensor(self, vec), [1])


@core("aten::baddbmm")
def baddbmm(self, batch1, batch2, beta, alpha):
    product = aten.bmm.default(batch1, batch2)
    if not (is_known(alpha) and alpha == 1):
        product = aten.mul.Tensor(product, alpha)
    if is_known(beta) and beta == 0:
        return product
    if not (is_known(beta) and beta == 1):
        self = aten.mul.Tensor(self, beta)
    return aten.add.Tensor(self, product)


@composite("aten::outer", "aten::ger")
def outer(self, vec2):
    return aten.mul.Tensor(aten.reshape.default(self, [self.size(0), 1]), vec2)


@composite("aten::inner")
def inner(self, other):
    if self.ndim == 0 or other.ndim == 0:
        return aten.mul.Tensor(self, other)
    return aten.tensordot.default(self, other, [-1], [-1])


@composite("aten::tensordot")
def tensordot(self, other, dims_self, dims_other):
    one = [wrap(d, self.ndim) for d in dims_self]
    two = [wrap(d, other.ndim) for d in dims_other]
    kept1 = [d for d in range(self.ndim) if d not in one]
    kept2 = [d for d in range(other.ndim) if d not in two]
    summed = prod([self.size(d) for d in one])
    rows = prod([self.size(d) for d in kept1])
    columns = prod([other.size(d) for d in kept2])
    left = aten.reshape.default(aten.permute.default(self, kept1 + dims_self), [rows, summed])
    right = aten.reshape.default(aten.permute.default(other, dims_other + kept2), [summed, columns])
    shape = [self.size(d) for d in kept1] + [other.size(d) for d in kept2]
    return aten.reshape.default(aten.mm.default(left, right), shape)


@composite("aten::einsum")
def einsum(equation, tensors, path):
    equation = equation.replace(" ", "")
    arrow = equation.find("->")
    inputs = list(equation) if arrow < 0 else list(equation)[:arrow]
    terms = [[]]
    for c in inputs:
        if c == ",":
            terms.append([])
        else:
            terms[-1].append(c)
    # Dimensions of `...` are letters, too; of several they are counted from the last.
    most = 0
    for term, x in zip(terms, tensors):
        if "." in term:
            most = max(most, x.ndim - len(term) + 3)
    terms = [
        with_ellipsis(term, most - (x.ndim - len(term) + 3), most) if "." in term else term for term, x in zip(terms, tensors)
    ]
    letters = []
    for term in terms:
        letters = letters + term
    free = ellipsis_letters()[:most]
    if arrow < 0:
        output = free + [c for c in alphabet() if count(letters, c) == 1]
    else:
        output = list(equation)[arrow + 2 :]
        if "." in output:
            output = with_ellipsis(output, 0, most)
    # The output's letters come first, then the others in the order of the alphabet.
    order = output + [c for c in free + alphabet() if c in letters and c not in output]
    operands = []
    for term, x in zip(terms, tensors):
        x, term = with_diagonals(x, term)
        for _ in range(len(order) - len(term)):
            x = aten.unsqueeze.default(x, x.ndim)
        added = len(term)
        permutation = []
        for c in order:
            if c in term:
                permutation.append(index_of(term, c))
            else:
                permutation.append(added)
                added = added + 1
        operands.append(aten.permute.default(x, permutation))
    sizes = []
    for at in range(len(order)):
        size = 1
        for x in operands:
            if not (is_known(x.size(at)) and x.size(at) == 1):
                size = x.size(at)
        sizes.append(size)
    result = operands[0]
    kept = len(output)
    if len(operands) == 1:
        if kept == len(order):
            return result
        return aten.sum.dim_IntList(result, list(range(kept, len(order))))
    gone = []
    for step in range(1, len(operands)):
        right = operands[step]
        summed = []
        for at in range(kept, len(order)):
            if at in gone:
                continue
            later = [x for x in operands[step + 1 :] if not (is_known(x.size(at)) and x.size(at) == 1)]
            if len(later) == 0:
                summed.append(at)
                gone.append(at)
        result = summed_product(result, right, summed)
    if kept == len(order):
        return result
    return aten.view.default(result, sizes[:kept])


def count(letters, letter):
    return len([c for c in letters if c == letter])


def index_of(letters, letter):
    for at in range(len(letters)):
        if letters[at] == letter:
            return at
    return -1


def ellipsis_letters():
    return list("0123456789")


def with_ellipsis(term, start, stop):
    """A term with letters for the dimensions of `...`."""
    at = index_of(term, ".")
    return term[:at] + ellipsis_letters()[start:stop] + term[at + 3 :]


def alphabet():
    return list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


def with_diagonals(x, term):
    """A letter that stands twice is the diagonal of its two dimensions, which then stands where the first stood."""
    at = 0
    term = list(term)
    while at < len(term):
        second = index_of(term[at + 1 :], term[at])
        if second >= 0:
            second = second + at + 1
            x = aten.movedim.int(aten.diagonal.default(x, 0, at, second), -1, at)
            term.pop(second)
        else:
            at = at + 1
    return x, term


def summed_product(left, right, summed):
    """The product of two tensors of one rank, summed over dimensions; a product of matrices where anything is summed that both have."""
    if len(summed) == 0:
        return aten.mul.Tensor(left, right)
    rank = left.ndim
    batch = []
    rows = []
    columns = []
    inner = []
    for d in range(rank):
        here = not (is_known(left.size(d)) and left.size(d) == 1)
        there = not (is_known(right.size(d)) and right.size(d) == 1)
        if d in summed:
            if here and there:
                inner.append(d)
            elif here:
                left = aten.sum.dim_IntList(left, [d], True)
            elif there:
                right = aten.sum.dim_IntList(right, [d], True)
        elif here and there:
            batch.append(d)
        elif here:
            rows.append(d)
        else:
            columns.append(d)
    # Dimensions that are summed and have one element by now.
    ones = [d for d in summed if d not in inner]
    count = prod([left.size(d) for d in batch])
    row_count = prod([left.size(d) for d in rows])
    column_count = prod([right.size(d) for d in columns])
    inner_count = prod([left.size(d) for d in inner])
    a = aten.reshape.default(aten.permute.default(left, batch + rows + inner + ones + columns), [count, row_count, inner_count])
    b = aten.reshape.default(aten.permute.default(right, batch + inner + columns + ones + rows), [count, inner_count, column_count])
    product = aten.bmm.default(a, b)
    shape = [left.size(d) for d in batch] + [left.size(d) for d in rows] + [1 for d in summed] + [right.size(d) for d in columns]
    product = aten.view.default(product, shape)
    # Where each dimension of the result stands in the product.
    placed = batch + rows + summed + columns
    return aten.permute.default(product, [index_of(placed, d) for d in range(rank)])


@composite("aten::scaled_dot_product_attention")
def scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa):
    if query.ndim == 3 and key.ndim == 3 and value.ndim == 3 and attn_mask is None and dropout_p == 0.0:
        parts = [aten.unsqueeze.default(x, 0) for x in [query, key, value]]
        result = aten.scaled_dot_product_attention.default(parts[0], parts[1], parts[2], None, 0.0, is_causal, scale=scale)
        return aten.squeeze.dim(result, 0)
    plain = query.ndim == 4 and key.ndim == 4 and value.ndim == 4 and dropout_p == 0.0
    plain = plain and query.size(-1) == key.size(-1) and key.size(-1) == value.size(-1)
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        attn_mask = additive(attn_mask, query.dtype)
    result = attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
    if not plain:
        return result
    # The kernel that stands for it keeps heads beside each other.
    result = aten.permute.default(result, [2, 0, 1, 3])
    result = aten.contiguous.default(result)
    return aten.permute.default(result, [1, 2, 0, 3])


def additive(mask, dtype):
    """What is added where the mask is true, and where it is not."""
    never = aten.scalar_tensor.default(-inf, dtype=dtype, device=mask.device)
    zero = aten.scalar_tensor.default(0.0, dtype=dtype, layout=torch.strided, device=mask.device)
    return aten.where.self(mask, zero, never)


def attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa):
    factor = sqrt(1.0 / sqrt(float(query.size(-1)))) if scale is None else sqrt(scale)
    query = aten.mul.Scalar(query, factor)
    if is_causal:
        ones = filled([query.size(-2), key.size(-2)], 1, torch.bool, torch.strided, query.device)
        attn_mask = additive(aten.tril.default(ones), query.dtype)
    if enable_gqa:
        groups = query.size(-3) // key.size(-3)
        key = aten.repeat_interleave.self_int(key, groups, -3)
        value = aten.repeat_interleave.self_int(value, query.size(-3) // value.size(-3), -3)
    scores = aten.matmul.default(query, aten.mul.Scalar(aten.transpose.int(key, -2, -1), factor))
    if attn_mask is not None:
        scores = aten.add.Tensor(scores, attn_mask)
    weights = aten._safe_softmax.default(scores, -1)
    if dropout_p > 0.0:
        weights = aten.dropout.default(weights, dropout_p, True)
    return aten.matmul.default(weights, value)


@composite("aten::bilinear")
def bilinear(input1, input2, weight, bias):
    shape = input1.shape[:-1] + [weight.size(0)]
    first = aten.reshape.default(input1, [-1, input1.size(-1)])
    second = aten.reshape.default(input2, [-1, input2.size(-1)])
    result = aten._trilinear.default(first, weight, second, [1, 3], [0], [1, 2], [2, 3])
    result = aten.reshape.default(result, shape)
    if bias is not None:
        result = aten.add.Tensor(result, bias)
    return result


@composite("aten::fft_fft")
def fft_fft(self, n, dim, norm):
    if n is not None:
        return NotImplemented
    if self.dtype.is_complex:
        return aten._fft_c2c.default(self, [wrap(dim, self.ndim)], normalization(norm, True), True)
    return aten._fft_r2c.default(self, [wrap(dim, self.ndim)], normalization(norm, True), False)


@composite("aten::fft_ifft")
def fft_ifft(self, n, dim, norm):
    if n is not None or not self.dtype.is_complex:
        return NotImplemented
    return aten._fft_c2c.default(self, [wrap(dim, self.ndim)], normalization(norm, False), False)


@composite("aten::fft_rfft")
def fft_rfft(self, n, dim, norm):
    if n is not None:
        return NotImplemented
    return aten._fft_r2c.default(self, [wrap(dim, self.ndim)], normalization(norm, True), True)


@composite("aten::fft_irfft")
def fft_irfft(self, n, dim, norm):
    if n is not None or not self.dtype.is_complex:
        return NotImplemented
    dim = wrap(dim, self.ndim)
    return aten._fft_c2r.default(self, [dim], normalization(norm, False), 2 * (self.size(dim) - 1))


def normalization(norm, forward):
    """0 for none, 1 by the root of the length, 2 by the length."""
    if norm == "ortho":
        return 1
    if norm == "forward":
        return 2 if forward else 0
    return 0 if forward else 2
