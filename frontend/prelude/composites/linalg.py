# Linear algebra made of factorisations and products: ranks, pseudo-inverses, solutions from factors.


def adjoint(t):
    """The conjugate transpose."""
    return t.mT.conj_physical() if t.is_complex() else t.mT


def column_major(t):
    """A copy whose columns lie one after the other."""
    return t.mT.clone(memory_format=torch.contiguous_format).mT


def product(sizes: List[int]) -> int:
    n = 1
    for size in sizes:
        n *= size
    return n


def number(x: float) -> Tensor:
    return torch.full([], x, dtype=torch.float64)


def given(x: Optional[float]) -> Optional[Tensor]:
    return None if x is None else number(x)


def epsilon(a) -> float:
    """The distance from one to the next number, of the real numbers that `a` is made of."""
    if a.dtype == torch.float64 or a.dtype == torch.complex128:
        return 2.220446049250313e-16
    return 1.1920928955078125e-07


def least(a) -> float:
    return epsilon(a) * max(a.size(-2), a.size(-1))


def bound(a, largest, atol: Optional[Tensor], rtol: Optional[Tensor]):
    """What counts as zero: max(atol, rtol * largest). An rtol that is not given is eps * max(m, n), and 0 beside an atol above zero."""
    absolute = number(0.0) if atol is None else atol.to(torch.float64)
    relative = number(least(a))
    if rtol is not None:
        relative = rtol.to(torch.float64)
    elif atol is not None:
        relative = torch.where(absolute > 0.0, number(0.0), relative)
    return torch.maximum(absolute, relative * largest.to(torch.float64))


def rank(a, atol: Optional[Tensor], rtol: Optional[Tensor], hermitian: bool):
    """How many singular values are above the bound."""
    if a.numel() == 0:
        return torch.zeros(a.shape[:-2], dtype=torch.int64)
    values = torch.linalg.eigvalsh(a).abs() if hermitian else torch.linalg.svdvals(a)
    return (values > bound(a, values.amax([-1]), atol, rtol).unsqueeze(-1)).sum([-1])


# aten::linalg_matrix_rank.atol_rtol_float
def matrix_rank(self, atol, rtol, hermitian):
    return rank(self, given(atol), given(rtol), hermitian)


# aten::linalg_matrix_rank.atol_rtol_tensor
def matrix_rank_of_tensors(input, atol, rtol, hermitian):
    return rank(input, atol, rtol, hermitian)


# aten::linalg_matrix_rank
def matrix_rank_above(self, tol, hermitian):
    return rank(self, number(tol), number(0.0), hermitian)


# aten::linalg_matrix_rank.tol_tensor
def matrix_rank_above_tensor(input, tol, hermitian):
    return rank(input, tol, number(0.0), hermitian)


def inverted(a, values, atol: Optional[Tensor], rtol: Optional[Tensor]):
    """1 / values where they are above the bound, else 0, as a row."""
    sizes = values.abs()
    counts = sizes > bound(a, sizes.amax([-1]), atol, rtol).unsqueeze(-1)
    return torch.where(counts, values.reciprocal(), torch.zeros([], dtype=values.dtype)).unsqueeze(-2)


def pseudo_inverse(a, atol: Optional[Tensor], rtol: Optional[Tensor], hermitian: bool):
    """V S^-1 U^H of a = U S V^H, without the values that count as zero."""
    if a.numel() == 0:
        return torch.zeros(a.shape[:-2] + [a.size(-1), a.size(-2)], dtype=a.dtype)
    if hermitian:
        values, vectors = torch.linalg.eigh(a)
        return torch.matmul(vectors * inverted(a, values, atol, rtol), adjoint(vectors))
    u, s, vh = torch.linalg.svd(a, False)
    return torch.matmul(adjoint(vh) * inverted(a, s, atol, rtol), adjoint(u))


# aten::linalg_pinv.atol_rtol_float
def pinv(self, atol, rtol, hermitian):
    return pseudo_inverse(self, given(atol), given(rtol), hermitian)


# aten::linalg_pinv.atol_rtol_tensor
def pinv_of_tensors(self, atol, rtol, hermitian):
    return pseudo_inverse(self, atol, rtol, hermitian)


# aten::linalg_pinv
def pinv_rcond(self, rcond, hermitian):
    return pseudo_inverse(self, number(0.0), number(rcond), hermitian)


# aten::linalg_pinv.rcond_tensor
def pinv_rcond_tensor(self, rcond, hermitian):
    return pseudo_inverse(self, number(0.0), rcond, hermitian)


# aten::pinverse
def pinverse(self, rcond):
    return pseudo_inverse(self, number(0.0), number(rcond), False)


# aten::linalg_cond
def cond(self, p):
    """norm(A) * norm(A^-1); of norms by singular values the largest over the smallest. A singular matrix has an infinite one."""
    order = 2.0 if p is None else float(p)
    if self.numel() == 0:
        return torch.zeros(self.shape[:-2], dtype=self.abs().dtype)
    if abs(order) == 2.0:
        values = torch.linalg.svdvals(self)
        first, last = values.select(-1, 0), values.select(-1, -1)
        return first / last if order > 0.0 else last / first
    inverse, info = torch.linalg.inv_ex(self)
    norms = torch.linalg.matrix_norm(self, order) * torch.linalg.matrix_norm(inverse, order)
    return norms.masked_fill(info != 0, math.inf)


# aten::linalg_tensorinv
def tensorinv(self, ind):
    """The inverse of the tensor as a matrix whose rows are its first `ind` dimensions."""
    rows = product(self.shape[:ind])
    inverse, info = torch.linalg.inv_ex(self.reshape([rows, rows]))
    if int(info) != 0:
        raise RuntimeError("Failed to invert the input tensor, because it is singular.")
    return inverse.reshape(self.shape[ind:] + self.shape[:ind])


# aten::linalg_tensorsolve
def tensorsolve(self, other, dims):
    """x with tensordot(A, x) = B, where A's `dims` are moved to its end."""
    a = self
    if dims is not None:
        if len(dims) > 0:
            a = self.movedim(dims, [self.dim() - len(dims) + i for i in range(len(dims))])
    sizes = a.shape[other.dim():]
    solution = torch.linalg.solve(a.reshape([other.numel(), product(sizes)]), other.reshape([other.numel()]))
    return solution.reshape(sizes)


def substituted(b, l, upper: bool):
    """x with L L^H x = b, by two triangular systems."""
    lower, over = (adjoint(l), l) if upper else (l, adjoint(l))
    half = torch.linalg.solve_triangular(lower, b, upper=False)
    return column_major(torch.linalg.solve_triangular(over, half, upper=True))


# aten::cholesky_inverse
def cholesky_inverse(self, upper):
    return substituted(torch.eye(self.size(-1), dtype=self.dtype).expand(self.shape), self, upper)


# aten::cholesky_solve
def cholesky_solve(self, input2, upper):
    return substituted(self, input2, upper)


# aten::_cholesky_solve_helper
def cholesky_solve_helper(self, A, upper):
    return substituted(self, A, upper)


def factored(a) -> Tuple[Tensor, Tensor]:
    """Factors and pivots of `a`, or of its transpose where that is how the memory lies."""
    by_rows = a.is_contiguous() and not a.is_complex()
    lu, pivots, _ = torch.linalg.lu_factor_ex(a.mT if by_rows else a)
    return lu, pivots


# aten::_linalg_det
def det_parts(A):
    """The product of U's diagonal, turned by each exchange of rows."""
    lu, pivots = factored(A)
    exchanged = pivots != torch.arange(1, pivots.size(-1) + 1, dtype=pivots.dtype)
    sign = 1 - 2 * (exchanged.sum(-1) % 2)
    return lu.diagonal(0, -2, -1).prod(-1) * sign, lu, pivots


# aten::_linalg_slogdet
def slogdet_parts(A):
    lu, pivots = factored(A)
    sign, logarithm = torch.linalg.slogdet(A)
    return sign, logarithm, lu, pivots


def check(info, api: str, is_matrix: bool):
    """Raises for the first matrix that a factorisation has marked."""
    marked = info.reshape([-1]).nonzero()
    if marked.numel() > 0:
        batch = int(marked[0, 0])
        code = int(info.reshape([-1])[batch])
        place = api + (": " if is_matrix else f": (Batch element {batch}): ")
        if code < 0:
            raise RuntimeError(f"{place}Argument {-code} has illegal value. Most certainly there is a bug in the implementation calling the backend library.")
        if "inv" in api:
            raise _LinAlgError(f"{place}The diagonal element {code} is zero, the inversion could not be completed because the input matrix is singular.")
        if "solve" in api:
            raise _LinAlgError(f"{place}The solver failed because the input matrix is singular.")
        if "cholesky" in api:
            raise _LinAlgError(f"{place}The factorization could not be completed because the input is not positive-definite (the leading minor of order {code} is not positive-definite).")
        if "lu" in api:
            raise _LinAlgError(f"{place}U[{code},{code}] is zero and using it on lu_solve would result in a division by zero.")
        raise _LinAlgError(f"{place}The algorithm failed to converge because the input matrix is ill-conditioned (error code: {code}).")


# aten::_linalg_check_errors
def check_errors(info, api_name, is_matrix):
    check(info, api_name, is_matrix)


# aten::_linalg_solve_ex
def solve_parts(A, B, left, check_errors):
    lu, pivots, info = torch.linalg.lu_factor_ex(A)
    if check_errors:
        check(info, "linalg.solve", A.dim() == 2)
    result, _ = torch.linalg.solve_ex(A, B, left=left)
    return result, lu, pivots, info


# aten::_linalg_svd
def svd_parts(A, full_matrices, compute_uv, driver):
    """Without vectors those are empty."""
    if compute_uv:
        return torch.linalg.svd(A, full_matrices, driver=driver)
    return torch.zeros([0], dtype=A.dtype), torch.linalg.svdvals(A), torch.zeros([0], dtype=A.dtype)


# aten::svd
def svd(self, some, compute_uv):
    """The right vectors as columns; those that are not asked for are zero."""
    if compute_uv:
        u, s, vh = torch.linalg.svd(self, not some)
        return u, s, adjoint(vh)
    batch, m, n = self.shape[:-2], self.size(-2), self.size(-1)
    left, right = torch.zeros(batch + [m, m], dtype=self.dtype), torch.zeros(batch + [n, n], dtype=self.dtype)
    return left, torch.linalg.svdvals(self), right


# aten::_linalg_eigh
def eigh_parts(A, UPLO, compute_v):
    if compute_v:
        return torch.linalg.eigh(A, UPLO)
    return torch.linalg.eigvalsh(A, UPLO), torch.zeros([0], dtype=A.dtype)


# aten::triangular_solve
def triangular_solve(self, A, upper, transpose, unitriangular):
    """The solution and a copy of `A`."""
    turned = A.mT if transpose else A
    x = torch.linalg.solve_triangular(turned, self, upper=upper != transpose, left=True, unitriangular=unitriangular)
    return x, column_major(A.expand(x.shape[:-2] + A.shape[-2:]))


# aten::linalg_lu
def lu(A, pivot):
    """P L U = A."""
    factors, pivots, _ = torch.linalg.lu_factor_ex(A, pivot=pivot)
    return torch.lu_unpack(factors, pivots, True, pivot)


# aten::_lu_with_info
def lu_with_info(self, pivot, check_errors):
    """What went wrong is handed on in any case."""
    return torch.linalg.lu_factor_ex(self, pivot=pivot)


def solved(lu, pivots, b, left: bool, adjointed: bool):
    """x with P L U x = b, or its adjoint; X A = B is A^H X^H = B^H."""
    p, l, u = torch.lu_unpack(lu, pivots)
    right = b if left else adjoint(b)
    if adjointed == left:
        half = torch.linalg.solve_triangular(adjoint(u), right, upper=False)
        x = torch.matmul(p, torch.linalg.solve_triangular(adjoint(l), half, upper=True))
    else:
        half = torch.linalg.solve_triangular(l, torch.matmul(adjoint(p), right), upper=False)
        x = torch.linalg.solve_triangular(u, half, upper=True)
    return column_major(x) if left else adjoint(x)


# aten::linalg_lu_solve
def lu_solve(LU, pivots, B, left, adjoint):
    return solved(LU, pivots, B, left, adjoint)


# aten::lu_solve
def lu_solve_old(self, LU_data, LU_pivots):
    return solved(LU_data, LU_pivots, self, True, False)


def reflected(a, tau):
    """The first columns of the product of the reflections."""
    unit = torch.eye(a.size(-2), dtype=a.dtype)[:, :a.size(-1)]
    return torch.ormqr(a, tau, unit.expand(a.shape))


# aten::linalg_householder_product
def householder_product(input, tau):
    return reflected(input, tau)


# aten::orgqr
def orgqr(self, input2):
    return reflected(self, input2)


# aten::linalg_lstsq
def lstsq(self, b, rcond, driver):
    """The solution of least norm, the residuals where they are defined, the rank and the singular values."""
    way = "gelsy" if driver is None else driver
    if way not in ["gels", "gelsy", "gelsd", "gelss"]:
        raise RuntimeError(f"torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)but got {way}")
    vector = b.dim() + 1 == self.dim() and b.shape == self.shape[:-1]
    right = b.unsqueeze(-1) if vector else b
    relative = least(self) if rcond is None else rcond
    inverse = torch.linalg.pinv(self, atol=None, rtol=relative)
    solution = column_major(torch.matmul(inverse, right))
    rank = torch.linalg.matrix_rank(self, atol=None, rtol=relative)
    values = torch.linalg.svdvals(self) if way == "gelsd" or way == "gelss" else torch.zeros([0], dtype=self.abs().dtype)
    residuals = torch.zeros([0], dtype=values.dtype)
    m, n = self.size(-2), self.size(-1)
    if m > n and way != "gelsy" and (way == "gels" or bool((rank == n).all())):
        residuals = (torch.matmul(self, solution) - right).abs().pow(2).sum([-2])
    if way == "gels":
        rank = torch.zeros([0], dtype=torch.int64)
    return solution.squeeze(-1) if vector else solution, residuals, rank, values


# aten::linalg_matrix_sqrth
def matrix_sqrth(self):
    """The Hermitian square root, V sqrt(max(w, 0)) V^H of A = V w V^H."""
    values, vectors = torch.linalg.eigh(self)
    return torch.matmul(vectors * values.clamp_min(0).sqrt().unsqueeze(-2), adjoint(vectors))


# aten::linalg_polar
def polar(A):
    """A = U H with U unitary and H positive: of A = W S V^H they are W V^H and V S V^H."""
    u, s, vh = torch.linalg.svd(A, False)
    return torch.matmul(u, vh), torch.matmul(adjoint(vh) * s.unsqueeze(-2), vh)


# aten::linalg_vander
def vander(x, N):
    """Powers 0 to N - 1 of each element side by side."""
    n = x.size(-1) if N is None else N
    column = x.unsqueeze(-1)
    powers = column.expand(x.shape + [n - 1]).cumprod(-1)
    return torch.cat([torch.ones_like(column, dtype=powers.dtype), powers], -1)


# aten::_compute_linear_combination
def linear_combination(input, coefficients):
    """Sums of the input's first dimension, weighted by each row of the coefficients; of further dimensions of theirs the first elements count."""
    if input.numel() == 0:
        raise RuntimeError("Empty tensor not supported")
    weights = coefficients.to(input.dtype)
    while weights.dim() > 2:
        weights = weights.select(2, 0)
    if input.dim() == 0 or weights.dim() < 2 or weights.size(1) < input.size(0):
        raise RuntimeError("_compute_linear_combination: coefficients and input do not fit one another")
    rows: List[Tensor] = []
    for r in range(weights.size(0)):
        total = torch.zeros(input.shape[1:], dtype=input.dtype)
        for i in range(input.size(0)):
            total = total + input[i] * weights[r, i]
        rows.append(total)
    return torch.stack(rows)


# aten::_compute_linear_combination.out
def linear_combination_out(input, coefficients, out):
    """Adds to the destination, which has the sizes of the sums."""
    return out.add_(torch._compute_linear_combination(input, coefficients))


def crossed(a, b, dim: int):
    """a[1] b[2] - a[2] b[1] and so on in turn, rounded once."""
    x, y = torch.broadcast_tensors([a, b])
    if x.is_floating_point() and y.is_floating_point():
        x, y = x.to(torch.float64), y.to(torch.float64)
    products = x.roll([2], [dim]) * y.roll([1], [dim]) - x.roll([1], [dim]) * y.roll([2], [dim])
    return products.to(torch.result_type(a, b))


# aten::linalg_cross
def linalg_cross(self, other, dim):
    return crossed(self, other, dim)


# aten::cross
def cross(self, other, dim):
    """Without a dimension along the first of size 3."""
    if dim is not None:
        return crossed(self, other, dim)
    for d in range(self.dim()):
        if self.size(d) == 3:
            return crossed(self, other, d)
    raise RuntimeError("no dimension of size 3 in input")
