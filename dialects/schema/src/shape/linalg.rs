//! Rules of linear algebra: batches of matrices, of float or complex elements.

use super::args::*;
use super::matmul::square;
use super::reduce::inexact;

/// A batch of matrices, taken apart.
struct Matrices {
    t: TensorMeta,
    /// What leads, rows and columns; `None` where the rank is not known.
    parts: Option<(Sizes, Size, Size)>,
}

/// A result of an operator over matrices: its dtype, and for each matrix the sizes that letters name, `m` rows, `n` columns and `k`, the smaller one.
#[derive(Clone, Copy)]
enum Each {
    Same(&'static str),
    Real(&'static str),
    Complex(&'static str),
    Of(DType, &'static str),
}
use Each::{Complex, Of, Real, Same};

/// One number per matrix that says whether it went well.
const INFO: Each = Of(DType::I32, "");

impl Matrices {
    fn new(t: TensorMeta) -> Matrices {
        let split = |s: &Sizes| Some((s[..s.len().checked_sub(2)?].into(), s[s.len() - 2], s[s.len() - 1]));
        Matrices { parts: t.sizes.as_ref().and_then(split), t }
    }
    fn sizes(&self, letters: &str) -> Option<Sizes> {
        let (batch, m, n) = self.parts.as_ref()?;
        let size = |letter| match letter {
            'm' => *m,
            'n' => *n,
            _ => m.least(*n),
        };
        Some(batch.iter().copied().chain(letters.chars().map(size)).collect())
    }
    fn result(&self, each: Each) -> Meta {
        let d = self.t.dtype;
        match each {
            Same(letters) => tensor(d, self.sizes(letters)),
            Real(letters) => tensor(d.map(DType::to_real), self.sizes(letters)),
            Complex(letters) => tensor(d.map(DType::to_complex), self.sizes(letters)),
            Of(dtype, letters) => tensor(Some(dtype), self.sizes(letters)),
        }
    }
    fn results(&self, all: &[Each]) -> RuleResult {
        Ok(all.iter().map(|each| self.result(*each)).collect())
    }
}

fn at_least_matrix(what: &str, name: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    refuse!(if t.rank().is_some_and(|r| r < 2), "{what}: The input tensor {name} must have at least 2 dimensions.");
    Ok(())
}

/// A square matrix.
fn matrix(t: TensorMeta, what: &str) -> Result<Matrices, ShapeError> {
    square(what, "A", &t)?;
    inexact(what, &t)?;
    Ok(Matrices::new(t))
}

/// A matrix that need not be square.
fn rectangle(t: TensorMeta, what: &str) -> Result<Matrices, ShapeError> {
    at_least_matrix(what, "A", &t)?;
    inexact(what, &t)?;
    Ok(Matrices::new(t))
}

fn of_square<const N: usize>(t: TensorMeta, what: &str, results: &[Each; N]) -> RuleResult {
    matrix(t, what)?.results(results)
}

fn of_rectangle<const N: usize>(t: TensorMeta, what: &str, results: &[Each; N]) -> RuleResult {
    rectangle(t, what)?.results(results)
}

rules! {
    det = of_square, "linalg.det", &[Same("")]; logdet = of_square, "logdet", &[Same("")];
    slogdet = of_square, "linalg.slogdet", &[Same(""), Real("")];
    det_parts = of_square, "linalg.det", &[Same(""), Same("mn"), Of(DType::I32, "k")];
    slogdet_parts = of_square, "linalg.slogdet", &[Same(""), Real(""), Same("mn"), Of(DType::I32, "k")];
    inv = of_square, "linalg.inv", &[Same("mn")]; inv_ex = of_square, "linalg.inv", &[Same("mn"), INFO];
    cholesky = of_square, "linalg.cholesky", &[Same("mn")]; cholesky_ex = of_square, "linalg.cholesky", &[Same("mn"), INFO];
    matrix_exp = of_square, "linalg.matrix_exp", &[Same("mn")]; cholesky_inverse = of_square, "cholesky_inverse", &[Same("mn")];
    like_square = of_square, "linalg", &[Same("mn")]; like_matrix = of_rectangle, "linalg", &[Same("mn")];
    matrix_rank = of_rectangle, "linalg.matrix_rank", &[Of(DType::I64, "")];
    svdvals = of_rectangle, "linalg.svd", &[Real("k")]; geqrf = of_rectangle, "torch.geqrf", &[Same("mn"), Same("k")];
    eig = of_square, "linalg.eig", &[Complex("m"), Complex("mn")]; eigvals = of_square, "linalg.eigvals", &[Complex("m")];
    ldl_factor = of_square, "torch.linalg.ldl_factor", &[Same("mn"), Of(DType::I32, "m")];
    ldl_factor_ex = of_square, "torch.linalg.ldl_factor", &[Same("mn"), Of(DType::I32, "m"), INFO];
    lu_factor = factored, &[Same("mn"), Of(DType::I32, "k")]; lu_factor_ex = factored, &[Same("mn"), Of(DType::I32, "k"), INFO];
    eigvalsh = symmetric, &[Real("m")]; eigh = symmetric, &[Real("m"), Same("mn")];
}

/// What a right side is multiplied with has its rows, or its columns.
fn check_equation(what: &str, t: &[Size], b: [Size; 2], left: bool) -> Result<(), ShapeError> {
    let (rows, columns) = (t[t.len() - 2], t[t.len() - 1]);
    refuse!(if b[usize::from(!left)].unequal(columns),
        "{what}: Incompatible shapes of A and B for the equation {} ({rows}x{columns} and {}x{})",
        if left { "AX = B" } else { "XA = B" }, b[0], b[1]);
    Ok(())
}

fn one_type(what: &str, t: &TensorMeta, b: &TensorMeta) -> Result<(), ShapeError> {
    refuse!(if let Some((d, e)) = unlike(t, b),
        "{what}: Expected A and B to have the same dtype, but found A of type {d} and B of type {e} instead");
    Ok(())
}

/// Solutions of a batch of equations for matrices.
fn solutions(what: &str, t: &TensorMeta, b: &TensorMeta, left: Flag) -> RuleResult {
    let (Some(ts), Some(bs), Some(left)) = (&t.sizes, &b.sizes, left) else { return one(t.dtype, None) };
    let m = bs.len();
    check_equation(what, ts, [bs[m - 2], bs[m - 1]], left)?;
    let mut sizes = broadcast(&ts[..ts.len() - 2], &bs[..m - 2])?;
    sizes.extend([bs[m - 2], bs[m - 1]]);
    one(t.dtype, Some(sizes))
}

pub fn solve([t, b]: [TensorMeta; 2], left: Flag) -> RuleResult {
    let what = "linalg.solve";
    inexact(what, &t)?;
    square(what, "A", &t)?;
    one_type(what, &t, &b)?;
    if let (Some(ts), Some(bs), Some(_)) = (&t.sizes, &b.sizes, left)
        && solves_vector(ts, bs)
    {
        check_equation(what, ts, [b.last(), Size::Known(1)], true)?;
        let mut sizes = broadcast(&ts[..ts.len() - 2], &bs[..bs.len() - 1])?;
        sizes.push(b.last());
        return one(t.dtype, Some(sizes));
    }
    if t.sizes.is_some() && left.is_some() {
        at_least_matrix(what, "B", &b)?;
    }
    solutions(what, &t, &b, left)
}

/// Whether `solve` takes its right side as a batch of vectors.
pub fn solves_vector(a: &[Size], b: &[Size]) -> bool {
    b.len() == 1 || (a.len() == b.len() + 1 && a[..a.len() - 1] == *b)
}

fn triangular(t: &TensorMeta, b: &TensorMeta, left: Flag) -> RuleResult {
    let what = "linalg.solve_triangular";
    square(what, "A", t)?;
    at_least_matrix(what, "B", b)?;
    inexact(what, t)?;
    one_type(what, t, b)?;
    solutions(what, t, b, left)
}

/// The right side and the matrix are named in messages of their own.
fn two_matrices(what: &str, named: [(&TensorMeta, &str); 2], expects: [&str; 2]) -> Result<(), ShapeError> {
    let [verb, it] = expects;
    for (x, name) in named {
        refuse!(if let Some(r) = x.rank(), r < 2,
            "{what}{name} {verb} have at least 2 dimensions, but {it}has {r} dimensions instead");
    }
    Ok(())
}

pub fn triangular_solve([b, t]: [TensorMeta; 2]) -> RuleResult {
    two_matrices("torch.triangular_solve: Expected ", [(&b, "b"), (&t, "A")], ["to", "it "])?;
    let solution = triangular(&t, &b, Some(true))?;
    let sizes = solution[0].sizes().zip(Matrices::new(t.clone()).parts);
    let factor = sizes.map(|(s, (_, m, n))| s[..s.len() - 2].iter().copied().chain([m, n]).collect());
    followed_by(Ok(solution), [tensor(t.dtype, factor)])
}

pub fn cholesky_solve([b, t]: [TensorMeta; 2]) -> RuleResult {
    two_matrices("", [(&b, "b"), (&t, "u")], ["should", ""])?;
    triangular(&t, &b, Some(true))
}

pub fn cross([x, y]: [TensorMeta; 2], dim: Int) -> RuleResult {
    let (Some(xs), Some(ys), Some(d)) = (&x.sizes, &y.sizes, dim) else { return one(x.dtype, None) };
    refuse!(if xs.len() != ys.len(), "linalg.cross: inputs must have the same number of dimensions.");
    let at = wrap_dim(d, xs.len())?;
    let three = Size::Known(3);
    refuse!(if x.size(at).differs(three) || y.size(at).differs(three),
        "linalg.cross: inputs dimension {d} must have length 3. Got {} and {}", x.size(at), y.size(at));
    let sizes = broadcast(xs, ys)?;
    scalar_type(&x, &y)?;
    one(x.dtype, Some(sizes))
}

/// `cross`: without a dimension, the first of length 3.
pub fn cross_default(both: [TensorMeta; 2], dim: Meta) -> RuleResult {
    let (Some(sizes), true) = (&both[0].sizes, dim.is_none()) else { return cross(both, dim.int()) };
    let first = sizes.iter().position(|s| *s == Size::Known(3));
    refuse!(if first.is_none() && all_known(sizes).is_some(), "no dimension of size 3 in input");
    cross(both, first.map(|d| d as i64))
}

fn matrix_norm_sizes(t: &TensorMeta, dims: Dims, keepdim: Flag) -> Result<Option<Sizes>, ShapeError> {
    let (Some(sizes), Some(list)) = (&t.sizes, dims) else { return Ok(None) };
    at_least_matrix("linalg.matrix_norm", "A", t)?;
    refuse!(if list.len() != 2,
        "linalg.matrix_norm: dim must be a 2-tuple. Got{}", list.iter().map(|d| format!(" {d}")).collect::<String>());
    let same = wrap_dim(list[0], sizes.len())? == wrap_dim(list[1], sizes.len())?;
    refuse!(if same, "linalg.matrix_norm: dims must be different. Got ({}, {})", list[0], list[1]);
    let mask = reduced_dims(&list, sizes.len())?;
    Ok(keepdim.map(|keepdim| reduce_sizes(sizes, &mask, keepdim)))
}

/// A named order is one that matrices have.
fn check_order(order: &Meta) -> Result<(), ShapeError> {
    refuse!(if let Some(order) = order.str(), !matches!(order, "fro" | "nuc"),
        "linalg.matrix_norm: Order {order} not supported.");
    Ok(())
}

/// The last two dimensions, where none are said.
fn last_two(dims: &Meta) -> Dims {
    if dims.is_none() { Some(smallvec![-2, -1]) } else { dims.ints() }
}

/// `linalg_matrix_norm` and `.str_ord`.
pub fn matrix_norm(t: TensorMeta, order: Meta, dims: Meta, keepdim: Flag, dtype: Asked) -> RuleResult {
    check_order(&order)?;
    inexact("linalg.matrix_norm", &t)?;
    one(dtype.or(t.dtype).map(DType::to_real), matrix_norm_sizes(&t, last_two(&dims), keepdim)?)
}

rules! {
    /// `nuclear_norm`: the last two dimensions.
    nuclear_norm = |t: TensorMeta, keepdim: Flag| matrix_norm(t, Meta::None, Meta::None, keepdim, Asked(Some(None)));
    nuclear_norm_dim = |t: TensorMeta, dims: Meta, keepdim: Flag| matrix_norm(t, Meta::None, dims, keepdim, Asked(Some(None)));
    solve_triangular = |[t, b]: [TensorMeta; 2], _: Skip<1>, left: Flag| triangular(&t, &b, left);
    /// `linalg_lu_solve(LU, pivots, B, left, adjoint)`, `lu_solve(B, LU, pivots)`.
    lu_solve = |[lu, pivots, b]: [TensorMeta; 3], left: Flag| lu_solved(&lu, &pivots, &b, left);
    lu_solve_old = |[b, lu, pivots]: [TensorMeta; 3]| lu_solved(&lu, &pivots, &b, Some(true));
    lu = |t: TensorMeta, pivot: Flag| unpacked(&rectangle(t, "linalg.lu")?, Some(true), pivot);
    svd = |t: TensorMeta, full: Flag| decomposed(t, full);
    /// `_linalg_svd`, `_linalg_eigh`.
    svd_parts = |t: TensorMeta, full: Flag, vectors: Flag| without_vectors(decomposed(t, full), vectors, &[0, 2]);
    eigh_parts = |t: TensorMeta, uplo: Text, vectors: Flag| {
        without_vectors(symmetric(t, uplo, &[Real("m"), Same("mn")]), vectors, &[1])
    };
}

/// An order without dimensions is of a vector or a matrix.
fn check_ordered(t: &TensorMeta, order: &Meta, dims: &Meta) -> Result<(), ShapeError> {
    refuse!(if let Some(r) = t.rank(),
        !(1..=2).contains(&r) && dims.is_none() && !order.is_none() && !order.is_unknown(),
        "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {r}D.");
    Ok(())
}

/// `linalg_norm`: a matrix norm where an order is given and two dimensions are meant, else a vector norm.
pub fn norm(t: TensorMeta, order: Meta, dims: Meta, keepdim: Flag, dtype: Asked) -> RuleResult {
    inexact("linalg.vector_norm", &t)?;
    check_ordered(&t, &order, &dims)?;
    let dtype = dtype.or(t.dtype).map(DType::to_real);
    let (Some(sizes), Some(list), Some(keep)) = (&t.sizes, dims.ints(), keepdim) else { return one(dtype, None) };
    if !order.is_none() && (list.len() == 2 || (list.is_empty() && sizes.len() == 2)) {
        return one(dtype, matrix_norm_sizes(&t, last_two(&dims), keepdim)?);
    }
    one(dtype, Some(reduce_sizes(sizes, &reduced_dims(&list, sizes.len())?, keep)))
}

pub fn norm_str(t: TensorMeta, order: Meta, dims: Meta, keepdim: Flag, dtype: Asked) -> RuleResult {
    check_ordered(&t, &order, &dims)?;
    check_order(&order)?;
    at_least_matrix("linalg.matrix_norm", "A", &t)?;
    matrix_norm(t, order, dims, keepdim, dtype)
}

pub fn solve_ex(both: [TensorMeta; 2], left: Flag) -> RuleResult {
    let info = Matrices::new(both[0].clone()).result(INFO);
    followed_by(solve(both, left), [info])
}

/// The solution, what was factored to get it, which rows changed places, and whether it went well.
pub fn solve_parts(both: [TensorMeta; 2], left: Flag) -> RuleResult {
    let t = both[0].clone();
    let solution = solve(both, left)?;
    followed_by(Ok(solution), factored(t, None, &[Same("mn"), Of(DType::I32, "k"), INFO])?)
}

fn decomposed(t: TensorMeta, full: Flag) -> RuleResult {
    let mut m = rectangle(t, "linalg.svd")?;
    if full.is_none() {
        m.parts = None;
    }
    m.results(if full == Some(true) {
        &[Same("mm"), Real("k"), Same("nn")]
    } else {
        &[Same("mk"), Real("k"), Same("kn")]
    })
}

fn symmetric<const N: usize>(t: TensorMeta, uplo: Text, results: &[Each; N]) -> RuleResult {
    square("linalg.eigh", "A", &t)?;
    refuse!(if let Some(u) = uplo, !matches!(u.chars().next(), Some('L' | 'l' | 'U' | 'u')),
        "Expected UPLO argument to be 'L' or 'U', but got {u}");
    kernel("linalg_eigh_cpu", t.dtype, DType::is_inexact)?;
    Matrices::new(t).results(results)
}

fn nothing(dtype: Option<DType>) -> Meta {
    tensor(dtype, Some(smallvec![Size::Known(0)]))
}

pub fn qr(t: TensorMeta, mode: Text) -> RuleResult {
    let mut m = rectangle(t, "linalg.qr")?;
    match (&m.parts, mode.as_deref()) {
        (Some(_), Some("complete")) => m.results(&[Same("mm"), Same("mn")]),
        (Some(_), Some("r")) => Ok(smallvec![nothing(m.t.dtype), m.result(Same("kn"))]),
        (Some(_), Some("reduced")) => m.results(&[Same("mk"), Same("kn")]),
        (Some(_), Some(other)) => error(format!(
            "qr received unrecognized mode '{other}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )),
        _ => {
            m.parts = None;
            m.results(&[Same(""), Same("")])
        }
    }
}

/// The factored matrices, and which rows changed places.
fn factored<const N: usize>(t: TensorMeta, pivot: Flag, results: &[Each; N]) -> RuleResult {
    refuse!(if pivot == Some(false), "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
    refuse!(if t.rank().is_some_and(|r| r < 2),
        "torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: {} instead", t.shown());
    kernel("lu_cpu", t.dtype, DType::is_inexact)?;
    Matrices::new(t).results(results)
}

pub fn pinv(t: TensorMeta) -> RuleResult {
    let m = rectangle(t, "linalg.pinv")?;
    refuse!(if let Some(d) = m.t.dtype_not(|d| d.size() != 2 && d != DType::C32), m.t.sizes.is_some(),
        "linalg.pinv({d}{{{}}}): expected a tensor with 2 or more dimensions of float, double, cfloat or cdouble types",
        m.t.shown());
    m.results(&[Same("nm")])
}

pub fn cond(t: TensorMeta, p: Float) -> RuleResult {
    let m = rectangle(t, "linalg.cond")?;
    if p.is_some_and(|p| p.abs() != 2.0) {
        square("linalg.cond", "A", &m.t)?;
    }
    m.results(&[Real("")])
}

/// Results of which some are vectors, and empty where nobody asks for them.
fn without_vectors(results: RuleResult, asked: Flag, vectors: &[usize]) -> RuleResult {
    let mut results = results?;
    for i in vectors.iter().filter(|_| asked == Some(false)) {
        results[*i] = nothing(results.tensor(*i)?.dtype);
    }
    Ok(results)
}

/// The right vectors as columns; without vectors those are whole, and zero.
pub fn svd_columns(t: TensorMeta, some: Flag, vectors: Flag) -> RuleResult {
    let full = if vectors == Some(false) { Some(true) } else { vectors.and(some).map(|some| !some) };
    let mut out = decomposed(t, full)?;
    if let Some(Meta::Tensor(TensorMeta { sizes: Some(sizes), .. })) = out.get_mut(2) {
        let n = sizes.len();
        sizes.swap(n - 2, n - 1);
    }
    Ok(out)
}

/// Whether pivots are as many as each matrix has rows.
fn pivots_fit(t: &TensorMeta, pivots: &TensorMeta) -> bool {
    let fits = |s: &Sizes, p: &Sizes| p.len() + 1 == s.len() && !p.iter().zip(s).any(|(x, y)| x.differs(*y));
    t.sizes.as_ref().zip(pivots.sizes.as_ref()).is_none_or(|(s, p)| fits(s, p))
}

pub fn ldl_solve([t, pivots, b]: [TensorMeta; 3]) -> RuleResult {
    let what = "torch.linalg.ldl_solve";
    square(what, "LD", &t)?;
    refuse!(if let Some(d) = pivots.dtype_not(DType::is_int), "{what}: Expected pivots to be integers. Got {d}");
    refuse!(if !pivots_fit(&t, &pivots),
        "{what}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape {} instead",
        pivots.shown());
    triangular(&t, &b, Some(true))
}

fn lu_solved(t: &TensorMeta, pivots: &TensorMeta, b: &TensorMeta, left: Flag) -> RuleResult {
    square("torch.linalg.lu_solve", "LU", t)?;
    refuse!(if pivots.dtype.is_some_and(|d| d != DType::I32),
        "linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32");
    refuse!(if !pivots_fit(t, pivots),
        "linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix");
    triangular(t, b, left)
}

pub fn lu_unpack(lu: TensorMeta, pivots: TensorMeta, data: Flag, rows: Flag) -> RuleResult {
    let m = Matrices::new(lu);
    let asked = rows == Some(true);
    refuse!(if asked && pivots.dtype.is_some_and(|d| d != DType::I32),
        "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n\
         Note: this function is intended to be used with the output produced by torch.linalg.lu_factor");
    refuse!(Value if let Some((want, have)) = mismatch(&m.sizes("k"), &pivots.sizes), asked,
        "Expected LU_pivots to have shape {want} but got {have} instead.");
    unpacked(&m, data, rows)
}

fn unpacked(m: &Matrices, data: Flag, pivots: Flag) -> RuleResult {
    at_least_matrix("torch.lu_unpack", "A", &m.t)?;
    let result = |(letters, asked): (&'static str, Flag)| match asked {
        Some(false) if m.parts.is_some() && data.is_some() && pivots.is_some() => nothing(m.t.dtype),
        Some(_) if data.is_some() && pivots.is_some() => m.result(Same(letters)),
        _ => tensor(m.t.dtype, None),
    };
    Ok([("mm", pivots), ("mk", data), ("kn", data)].into_iter().map(result).collect())
}

pub fn householder_product(t: TensorMeta, tau: TensorMeta) -> RuleResult {
    let what = "torch.linalg.householder_product";
    let Matrices { t, parts } = rectangle(t, what)?;
    if let Some((_, m, n)) = parts {
        let (Size::Known(m), Size::Known(n)) = (m, n) else { return one(t.dtype, t.sizes) };
        refuse!(if n > m, "{what}: input.shape[-2] must be greater than or equal to input.shape[-1]");
        refuse!(if tau.last().known().is_some_and(|k| k > n),
            "{what}: input.shape[-1] must be greater than or equal to tau.shape[-1]");
    }
    refuse!(if let (Some(r), Some(k)) = (t.rank(), tau.rank()), r != k + 1,
        "{what}: Expected tau to have one dimension less than input, but got tau.ndim equal to {k} and input.ndim is equal to {r}");
    refuse!(if let Some((d, e)) = unlike(&t, &tau), "{what}: tau dtype {e} does not match input dtype {d}");
    one(t.dtype, t.sizes)
}

pub fn ormqr([t, tau, c]: [TensorMeta; 3]) -> RuleResult {
    let t = rectangle(t, "torch.ormqr")?.t;
    at_least_matrix("torch.ormqr", "A", &c)?;
    for x in [&tau, &c] {
        refuse!(if let Some((d, e)) = unlike(&t, x), "torch.ormqr: dtypes {d} and {e} differ");
    }
    refuse!(if t.rank().is_some_and(|r| c.rank_not(r).is_some() || tau.rank_not(r - 1).is_some()),
        "torch.ormqr: input, tau and other have batches of different ranks");
    refuse!(if let (Some(x), Some(v)) = (&t.sizes, &tau.sizes),
        v[..v.len() - 1].iter().zip(x).any(|(a, b)| a.differs(*b)),
        "torch.ormqr: Expected batch dimensions of tau to be equal to input.shape[:-2], but got {}",
        show(&v[..v.len() - 1]));
    one(t.dtype, c.sizes)
}

pub fn lstsq([t, b]: [TensorMeta; 2]) -> RuleResult {
    let what = "torch.linalg.lstsq";
    let Matrices { t, parts } = rectangle(t, what)?;
    refuse!(if let Some((d, e)) = unlike(&t, &b),
        "{what}: Expected input and other to have the same dtype, but got input's dtype {d} and other's dtype {e}");
    let mut solution = None;
    if let (Some((mut sizes, m, n)), Some(bs)) = (parts, b.sizes) {
        let r = sizes.len() + 2;
        refuse!(if bs.len() != r && bs.len() + 1 != r,
            "{what}: input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1");
        refuse!(if bs[r - 2].unequal(m), "{what}: input.size(-2) should match other.size(-2)");
        sizes.push(n);
        sizes.extend(bs.get(r - 1).copied());
        solution = Some(sizes);
    }
    let real = tensor(t.dtype.map(DType::to_real), None);
    Ok([tensor(t.dtype, solution), real.clone(), tensor(Some(DType::I64), None), real].into_iter().collect())
}

pub fn polar(t: TensorMeta) -> RuleResult {
    let m = rectangle(t, "linalg.polar")?;
    refuse!(if let Some((_, Size::Known(m), Size::Known(n))) = m.parts, m < n,
        "linalg.polar: input must have at least as many rows as columns, but got {m} by {n} matrices");
    m.results(&[Same("mn"), Same("nn")])
}

/// As many equations as unknowns.
fn balanced(shape: &str, left: Size, right: Size) -> Result<(), ShapeError> {
    refuse!(if left.unequal(right),
        "Expected self to satisfy the requirement prod(self.shape[{shape}:]) == prod(self.shape[:{shape}]), but got {left} != {right}");
    Ok(())
}

pub fn tensorinv(t: Ranked, ind: i64) -> RuleResult {
    refuse!(if ind <= 0, "Expected a strictly positive integer for 'ind'");
    let (rows, columns) = t.sizes.split_at((ind as usize).min(t.sizes.len()));
    balanced("ind", product(columns), product(rows))?;
    one(t.dtype, Some(columns.iter().chain(rows).copied().collect()))
}

pub fn tensorsolve([t, b]: [Ranked; 2], dims: Ints) -> RuleResult {
    let n = t.sizes.len();
    let last: SmallVec<[usize; 6]> = dims.iter().map(|d| wrap_dim(*d, n)).collect::<Result<_, _>>()?;
    let kept = (0..n).filter(|i| !last.contains(i));
    let order: Sizes = kept.chain(last.iter().copied()).map(|i| t.sizes[i]).collect();
    let result: Sizes = order[b.sizes.len().min(order.len())..].into();
    balanced("other.ndim", product(&result), b.numel())?;
    one(t.dtype, Some(result))
}

pub fn vander(t: TensorMeta, n: Meta) -> RuleResult {
    refuse!(if t.rank() == Some(0), "linalg.vander: x must be at least 1-D");
    refuse!(if n.int().is_some_and(|n| n <= 1), "N must be greater than 1.");
    refuse!(NotImplemented if t.dtype == Some(DType::Bool),
        "linalg.vander supports floating point, complex, and integer tensors, but got Bool");
    // Powers of integers are of the widest.
    let dtype = t.dtype.map(|d| if d.is_inexact() { d } else { DType::I64 });
    let last = if n.is_none() { t.last() } else { n.size() };
    one(dtype, t.sizes.map(|s| s.into_iter().chain([last]).collect()))
}

pub fn linear_combination([x, weights]: [TensorMeta; 2]) -> RuleResult {
    let sizes = x.sizes.zip(weights.sizes).filter(|(x, w)| !x.is_empty() && !w.is_empty());
    one(x.dtype, sizes.map(|(x, w)| w[..1].iter().chain(&x[1..]).copied().collect()))
}
