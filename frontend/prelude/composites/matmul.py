# Products with something before or behind them, and statistics that are products.


# aten::_addmm_activation
def addmm_activation(self, mat1, mat2, beta, alpha, use_gelu):
    """gelu or relu of beta * self + alpha * (mat1 @ mat2)."""
    total = torch.addmm(self, mat1, mat2, beta=beta, alpha=alpha)
    if use_gelu:
        return torch.gelu(total)
    return torch.relu(total)


# aten::_transform_bias_rescale_qkv
def transform_bias_rescale_qkv(qkv, qkv_bias, num_heads):
    """Queries, keys and values of each head, the queries times 1 / sqrt(width)."""
    batch, time = qkv.size(0), qkv.size(1)
    width = qkv.size(2) // 3 // num_heads
    parts = (qkv + qkv_bias).reshape([batch, time, 3, num_heads, width]).permute([2, 0, 3, 1, 4])
    q, k, v = parts.contiguous().unbind(0)
    return q * (1.0 / math.sqrt(width)), k.clone(), v.clone()


# aten::_euclidean_dist
def euclidean_dist(x1, x2):
    """Distances of rows as one product, (-2x, |x|^2, 1) (y, 1, |y|^2)^T, which says what comes of infinities."""
    # In f64, so that nothing is lost to cancellation.
    x, y = x1.to(torch.float64), x2.to(torch.float64)
    x2, y2 = (x * x).sum([-1], True), (y * y).sum([-1], True)
    left = torch.cat([x * -2.0, x2, torch.ones_like(x2)], -1)
    right = torch.cat([y, torch.ones_like(y2), y2], -1)
    return torch.matmul(left, right.mT).clamp_min(0).sqrt().to(x1.dtype)


# aten::_fused_sdp_choice
def fused_sdp_choice(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa):
    """Which kernel an attention call would take: the plain one."""
    return 0


def scores(q, k, causal: bool, mask: Optional[Tensor], scale: float):
    """Scaled products of queries and keys in f64, minus infinity where a row may not look."""
    found = torch.matmul(q.to(torch.float64), k.to(torch.float64).mT) * scale
    if causal:
        later = torch.ones([found.size(-2), found.size(-1)], dtype=torch.bool).triu(1)
        found = found.masked_fill(later, -math.inf)
    if mask is not None:
        if mask.dtype == torch.bool:
            found = found.masked_fill(mask.logical_not(), -math.inf)
        else:
            found = found + mask.to(torch.float64)
    return found


def heads_within_rows(t):
    """The same elements in a storage that has the second and third dimension in the other order."""
    if t.dim() < 3:
        return t
    return t.transpose(1, 2).clone(memory_format=torch.contiguous_format).transpose(1, 2)


# aten::_scaled_dot_product_flash_attention_for_cpu
def attention_for_cpu(query, key, value, dropout_p, is_causal, attn_mask, scale):
    """The result, laid as the queries are, and for each row the logarithm of its weights' sum."""
    if dropout_p != 0.0:
        raise RuntimeError("scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0")
    factor = 1.0 / math.sqrt(query.size(-1)) if scale is None else scale
    out = torch.scaled_dot_product_attention(query, key, value, attn_mask, 0.0, is_causal, scale=factor)
    out = torch.empty_like(query).copy_(out) if out.shape == query.shape else out.contiguous()
    sums = scores(query, key, is_causal, attn_mask, factor).logsumexp([-1])
    return out, heads_within_rows(sums.to(torch.float64 if query.dtype == torch.float64 else torch.float32))


# aten::_scaled_dot_product_flash_attention_for_cpu_backward
def attention_for_cpu_backward(grad_out, query, key, value, out, logsumexp, dropout_p, is_causal, attn_mask, scale):
    """With P = exp(S - lse) and D = rowsum(g * out): dV = P^T g, dS = P (g V^T - D), dQ = scale dS K, dK = scale dS^T Q."""
    factor = 1.0 / math.sqrt(query.size(-1)) if scale is None else scale
    g, q, k, v = grad_out.to(torch.float64), query.to(torch.float64), key.to(torch.float64), value.to(torch.float64)
    lse = logsumexp.to(torch.float64).unsqueeze(-1)
    weights = (scores(q, k, is_causal, attn_mask, factor) - lse).exp()
    rows = (g * out.to(torch.float64)).sum([-1], True)
    inner = (torch.matmul(g, v.mT) - rows) * weights * factor
    to_query = heads_within_rows(torch.matmul(inner, k).to(query.dtype))
    to_key = heads_within_rows(torch.matmul(inner.mT, q).to(key.dtype))
    return to_query, to_key, heads_within_rows(torch.matmul(weights.mT, g).to(value.dtype))


# aten::cov
def cov(self, correction, fweights, aweights):
    """How rows vary with one another: sum of w (x_i - mean_i) conj(x_j - mean_j) over the weights' sum less the correction."""
    x = self.to(torch.complex128 if self.is_complex() else torch.float64)
    n = x.numel() if x.dim() < 2 else x.size(1)
    if x.dim() < 2:
        x = x.reshape([1, n])
    weights = torch.ones([n], dtype=torch.float64)
    if fweights is not None:
        weights = weights * checked(fweights, n, "fweights")
    if aweights is not None:
        weights = weights * checked(aweights, n, "aweights")
    total = float(weights.sum())
    if (fweights is not None or aweights is not None) and n > 0 and total == 0.0:
        raise RuntimeError("cov(): weights sum to zero, can't be normalized")
    norm = total - float(correction)
    if aweights is not None and correction != 0:
        norm = total - correction * float((weights * aweights.reshape([n])).sum()) / total
    mean = (x * weights).sum([1], True) / total
    apart = x - mean
    found = torch.matmul(apart * weights, apart.mT.conj_physical()) / max(norm, 0.0)
    dtype = self.dtype if self.is_complex() or self.is_floating_point() else torch.float32
    return found.squeeze().to(dtype)


def checked(weights, n: int, name: str):
    if weights.dim() > 1 or weights.numel() != n:
        raise RuntimeError(f"cov(): expected {name} to have the same numel as there are observations in the input but got {weights.numel()} != {n}")
    if bool((weights < 0).any()):
        raise RuntimeError(f"cov(): {name} cannot be negative")
    return weights.reshape([n]).to(torch.float64)


# aten::corrcoef
def corrcoef(self):
    """c_ij / (sqrt(c_ii) sqrt(c_jj)), cut to [-1, 1], of the covariances c."""
    c = torch.cov(self)
    if c.dim() == 0:
        return c / c
    diagonal = c.diagonal()
    deviation = (diagonal.real if c.is_complex() else diagonal).sqrt()
    found = c / deviation.unsqueeze(1) / deviation.unsqueeze(0)
    if not found.is_complex():
        return found.clamp(-1, 1)
    return torch.complex(found.real.clamp(-1, 1).contiguous(), found.imag.clamp(-1, 1).contiguous())


def slopes(difference, grad, distance, p: float):
    """How the p-norm of differences changes with each of them, times the gradient."""
    sign = difference.sign()
    size = difference.abs()
    if p == 0.0:
        return torch.zeros_like(difference)
    if p == 1.0:
        return grad * sign
    if p == math.inf:
        return torch.where(size == distance, grad * sign, 0.0)
    if p == 2.0:
        found = grad * difference / distance
    elif p < 2.0:
        found = torch.where(size == 0.0, 0.0, sign * size.pow(p - 1.0) * grad / distance.pow(p - 1.0))
    else:
        found = difference * size.pow(p - 2.0) * grad / distance.pow(p - 1.0)
    return torch.where(distance == 0.0, 0.0, found)


# aten::_cdist_backward
def cdist_backward(grad_output, x1, x2, p, cdist):
    """The sum over x2's rows of how each distance changes with x1."""
    x, y = x1.to(torch.float64).unsqueeze(-2), x2.to(torch.float64).unsqueeze(-3)
    g, d = grad_output.to(torch.float64).unsqueeze(-1), cdist.to(torch.float64).unsqueeze(-1)
    return slopes(x - y, g, d, p).sum([-2]).to(x1.dtype)


# aten::_pdist_backward
def pdist_backward(grad_output, self, p, pdist):
    """Pairs of rows, the first with all after it, then the second: what a pair gives to its first it takes from its second."""
    out = torch.zeros(self.shape, dtype=torch.float64)
    rows = self.size(0)
    if self.numel() > 0:
        pairs = rows * (rows - 1) // 2
        if grad_output.numel() != pairs or pdist.numel() != pairs:
            raise RuntimeError(f"_pdist_backward: {pairs} grad_outputients and distances are expected")
        upper = torch.ones([rows, rows], dtype=torch.bool).triu(1).nonzero()
        first, second = upper.select(1, 0), upper.select(1, 1)
        x = self.to(torch.float64)
        difference = x.index_select(0, first) - x.index_select(0, second)
        g, d = grad_output.to(torch.float64).reshape([-1, 1]), pdist.to(torch.float64).reshape([-1, 1])
        found = slopes(difference, g, d, p)
        out = out.index_add(0, first, found).index_add(0, second, found, alpha=-1)
    return out.to(self.dtype)


def wide(x):
    """As exact as its sums are to be."""
    if x.is_floating_point():
        return x.to(torch.float64)
    return x.to(torch.complex128) if x.is_complex() else x


def spread(x, dims: List[int]):
    """With new dimensions of size 1 at these places of the result."""
    rank = x.dim() + len(dims)
    for d in sorted([d % rank for d in dims]):
        x = x.unsqueeze(d)
    return x


# aten::_trilinear
def trilinear(i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim):
    product = spread(wide(i1), expand1) * spread(wide(i2), expand2) * spread(wide(i3), expand3)
    return (product if len(sumdim) == 0 else product.sum(sumdim)).to(i1.dtype)


# aten::bilinear
def bilinear(input1, input2, weight, bias):
    """sum_ij x[i] w[o, i, j] y[j] + b[o]"""
    x, y = wide(input1).unsqueeze(-2).unsqueeze(-2), wide(input2).unsqueeze(-2).unsqueeze(-1)
    products = torch.matmul(torch.matmul(x, wide(weight)), y).squeeze(-1).squeeze(-1)
    return (products if bias is None else products + bias).to(input1.dtype)


# aten::dist
def dist(self, other, p):
    """The norm of the difference."""
    apart = self - other
    if apart.is_complex():
        narrow = torch.float32 if apart.dtype == torch.complex64 else torch.float64
        return torch.linalg.vector_norm(wide(apart), p).to(narrow)
    norm = torch.linalg.vector_norm(apart.to(torch.float64), p)
    return norm.to(apart.dtype if apart.is_floating_point() else torch.float32)


# aten::inner
def inner(self, other):
    if self.dim() == 0 or other.dim() == 0:
        return self * other
    return torch.ops.aten.tensordot(self, other, [-1], [-1])


# aten::vdot
def vdot(self, other):
    """sum conj(x) y"""
    return (wide(self).conj_physical() * wide(other)).sum().to(self.dtype)


# aten::linalg_vecdot
def vecdot(x, y, dim):
    return (wide(x).conj_physical() * wide(y)).sum([dim]).to(x.dtype)


# aten::linalg_multi_dot
def multi_dot(tensors):
    product = tensors[0]
    for i in range(1, len(tensors)):
        product = torch.matmul(product, tensors[i])
    return product


# aten::chain_matmul
def chain_matmul(matrices):
    """The same; of one matrix a copy."""
    if len(matrices) == 1:
        return matrices[0].clone()
    product = matrices[0]
    for i in range(1, len(matrices)):
        product = torch.matmul(product, matrices[i])
    return product


# aten::kron
def kron(self, other):
    """Each dimension is split in two: the first factor's, then the second's."""
    rank = max(self.dim(), other.dim())
    a = [1] * (rank - self.dim()) + self.shape
    b = [1] * (rank - other.dim()) + other.shape
    first: List[int] = []
    second: List[int] = []
    both: List[int] = []
    for i in range(rank):
        first += [a[i], 1]
        second += [1, b[i]]
        both.append(a[i] * b[i])
    return (self.reshape(first) * other.reshape(second)).reshape(both)


# aten::addbmm
def addbmm(self, batch1, batch2, beta, alpha):
    """The batch is one long contraction."""
    batch, rows, inner = batch1.size(0), batch1.size(1), batch1.size(2)
    left = batch1.permute(1, 0, 2).reshape(rows, batch * inner)
    right = batch2.reshape(batch * inner, batch2.size(2))
    return torch.addmm(self, left, right, beta=beta, alpha=alpha)
