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

impl Matrices {
    fn new(t: TensorMeta) -> Matrices {
        let split = |s: &Sizes| Some((s[..s.len().checked_sub(2)?].into(), s[s.len() - 2], s[s.len() - 1]));
        Matrices { parts: t.sizes.as_ref().and_then(split), t }
    }
    /// For each matrix a tensor of sizes that its rows and columns say.
    fn each<const N: usize>(&self, sizes: impl Fn(Size, Size) -> [Size; N]) -> Option<Sizes> {
        self.parts.as_ref().map(|(b, m, n)| b.iter().copied().chain(sizes(*m, *n)).collect())
    }
    /// The same as a result.
    fn result<const N: usize>(&self, sizes: impl Fn(Size, Size) -> [Size; N]) -> Meta {
        tensor(self.t.dtype, self.each(sizes))
    }
    fn real<const N: usize>(&self, sizes: impl Fn(Size, Size) -> [Size; N]) -> Meta {
        tensor(self.t.dtype.map(DType::to_real), self.each(sizes))
    }
    /// One number per matrix that says whether it went well.
    fn info(&self) -> Meta {
        tensor(Some(DType::I32), self.each(|_, _| []))
    }
}

/// The smaller side.
fn side(m: Size, n: Size) -> [Size; 1] {
    [m.least(n)]
}

fn at_least_matrix(what: &str, name: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    refuse!(if t.rank().is_some_and(|r| r < 2), "{what}: The input tensor {name} must have at least 2 dimensions.");
    Ok(())
}

/// The first argument, square.
fn matrix(a: &[Meta], what: &str) -> Result<Matrices, ShapeError> {
    let t = a.tensor(0)?;
    square(what, "A", &t)?;
    inexact(what, &t)?;
    Ok(Matrices::new(t))
}

/// The first argument, which need not be square.
fn rectangle(a: &[Meta], what: &str) -> Result<Matrices, ShapeError> {
    let t = a.tensor(0)?;
    at_least_matrix(what, "A", &t)?;
    inexact(what, &t)?;
    Ok(Matrices::new(t))
}

fn like_matrix_of(a: &[Meta], what: &str) -> RuleResult {
    Ok(smallvec![matrix(a, what)?.t.like()])
}
fn number_of_matrix(a: &[Meta], what: &str) -> RuleResult {
    Ok(smallvec![matrix(a, what)?.result(|_, _| [])])
}
/// The result is like the first argument; another says whether it went well.
fn checked(a: &[Meta], what: &str) -> RuleResult {
    let m = matrix(a, what)?;
    Ok(smallvec![m.t.like(), m.info()])
}

rules! {
    det = number_of_matrix, "linalg.det"; logdet = number_of_matrix, "logdet";
    inv = like_matrix_of, "linalg.inv"; cholesky = like_matrix_of, "linalg.cholesky";
    matrix_exp = like_matrix_of, "linalg.matrix_exp"; cholesky_inverse = like_matrix_of, "cholesky_inverse";
    /// The result is like the first argument, a square matrix.
    like_square = like_matrix_of, "linalg";
    inv_ex = checked, "linalg.inv"; cholesky_ex = checked, "linalg.cholesky";
}

/// The result is like the first argument, a float or complex matrix.
pub fn like_matrix(a: &[Meta]) -> RuleResult {
    Ok(smallvec![rectangle(a, "linalg")?.t.like()])
}

pub fn slogdet(a: &[Meta]) -> RuleResult {
    let m = matrix(a, "linalg.slogdet")?;
    Ok(smallvec![m.result(|_, _| []), m.real(|_, _| [])])
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
fn solutions(what: &str, t: &TensorMeta, b: &TensorMeta, left: Option<bool>) -> RuleResult {
    let (Some(ts), Some(bs), Some(left)) = (&t.sizes, &b.sizes, left) else { return one(t.dtype, None) };
    let m = bs.len();
    check_equation(what, ts, [bs[m - 2], bs[m - 1]], left)?;
    let mut sizes = broadcast(&ts[..ts.len() - 2], &bs[..m - 2])?;
    sizes.extend([bs[m - 2], bs[m - 1]]);
    one(t.dtype, Some(sizes))
}

pub fn solve(a: &[Meta]) -> RuleResult {
    let (t, b) = (a.tensor(0)?, a.tensor(1)?);
    let what = "linalg.solve";
    inexact(what, &t)?;
    square(what, "A", &t)?;
    one_type(what, &t, &b)?;
    if let (Some(ts), Some(bs), Some(_)) = (&t.sizes, &b.sizes, a.bool(2))
        && solves_vector(ts, bs)
    {
        check_equation(what, ts, [b.last(), Size::Known(1)], true)?;
        let mut sizes = broadcast(&ts[..ts.len() - 2], &bs[..bs.len() - 1])?;
        sizes.push(b.last());
        return one(t.dtype, Some(sizes));
    }
    if t.sizes.is_some() && a.bool(2).is_some() {
        at_least_matrix(what, "B", &b)?;
    }
    solutions(what, &t, &b, a.bool(2))
}

/// Whether `solve` takes its right side as a batch of vectors.
pub fn solves_vector(a: &[Size], b: &[Size]) -> bool {
    b.len() == 1 || (a.len() == b.len() + 1 && a[..a.len() - 1] == *b)
}

pub fn solve_triangular(a: &[Meta]) -> RuleResult {
    triangular(&a.tensor(0)?, &a.tensor(1)?, a.bool(3))
}

fn triangular(t: &TensorMeta, b: &TensorMeta, left: Option<bool>) -> RuleResult {
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

pub fn triangular_solve(a: &[Meta]) -> RuleResult {
    let (b, t) = (a.tensor(0)?, a.tensor(1)?);
    two_matrices("torch.triangular_solve: Expected ", [(&b, "b"), (&t, "A")], ["to", "it "])?;
    let mut out = triangular(&t, &b, Some(true))?;
    let sizes = out[0].sizes().zip(Matrices::new(t.clone()).parts);
    let factor = sizes.map(|(s, (_, m, n))| s[..s.len() - 2].iter().copied().chain([m, n]).collect());
    out.push(tensor(t.dtype, factor));
    Ok(out)
}

pub fn cholesky_solve(a: &[Meta]) -> RuleResult {
    let (b, t) = (a.tensor(0)?, a.tensor(1)?);
    two_matrices("", [(&b, "b"), (&t, "u")], ["should", ""])?;
    triangular(&t, &b, Some(true))
}

/// (self, other, dim).
pub fn cross(a: &[Meta]) -> RuleResult {
    crossed(a, a.int(2))
}

fn crossed(a: &[Meta], dim: Option<i64>) -> RuleResult {
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
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
pub fn cross_default(a: &[Meta]) -> RuleResult {
    if !a.is_none(2) {
        return cross(a);
    }
    let t = a.tensor(0)?;
    let Some(sizes) = &t.sizes else { return one(t.dtype, None) };
    let first = sizes.iter().position(|s| *s == Size::Known(3));
    refuse!(if first.is_none() && all_known(sizes).is_some(), "no dimension of size 3 in input");
    crossed(a, first.map(|d| d as i64))
}

fn matrix_norm_sizes(
    t: &TensorMeta,
    a: &[Meta],
    dims: Option<usize>,
    keep: usize,
) -> Result<Option<Sizes>, ShapeError> {
    let list = dims.filter(|i| !a.is_none(*i)).map_or(Some(smallvec![-2, -1]), |i| a.ints(i));
    let (Some(sizes), Some(list)) = (&t.sizes, list) else { return Ok(None) };
    at_least_matrix("linalg.matrix_norm", "A", t)?;
    refuse!(if list.len() != 2,
        "linalg.matrix_norm: dim must be a 2-tuple. Got{}", list.iter().map(|d| format!(" {d}")).collect::<String>());
    let same = wrap_dim(list[0], sizes.len())? == wrap_dim(list[1], sizes.len())?;
    refuse!(if same, "linalg.matrix_norm: dims must be different. Got ({}, {})", list[0], list[1]);
    let mask = reduced_dims(&list, sizes.len())?;
    Ok(a.bool(keep).map(|k| reduce_sizes(sizes, &mask, k)))
}

/// A named order is one that matrices have.
fn check_order(a: &[Meta]) -> Result<(), ShapeError> {
    refuse!(if let Some(order) = a.str(1), !matches!(order, "fro" | "nuc"),
        "linalg.matrix_norm: Order {order} not supported.");
    Ok(())
}

/// `linalg_matrix_norm` and `.str_ord`: order, dimensions, keepdim, dtype.
pub fn matrix_norm(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    check_order(a)?;
    inexact("linalg.matrix_norm", &t)?;
    one(a.dtype_or(4, t.dtype).map(DType::to_real), matrix_norm_sizes(&t, a, Some(2), 3)?)
}

fn nuclear(a: &[Meta], dims: Option<usize>, keep: usize) -> RuleResult {
    let t = a.tensor(0)?;
    inexact("linalg.matrix_norm", &t)?;
    one(t.dtype.map(DType::to_real), matrix_norm_sizes(&t, a, dims, keep)?)
}

rules! {
    /// `nuclear_norm`: the last two dimensions.
    nuclear_norm = nuclear, None, 1; nuclear_norm_dim = nuclear, Some(1), 2;
}

/// (self, ord, dim): an order without dimensions is of a vector or a matrix.
fn check_ordered(a: &[Meta], t: &TensorMeta) -> Result<(), ShapeError> {
    refuse!(if let Some(r) = t.rank(), !(1..=2).contains(&r) && a.is_none(2) && !a.is_none(1) && !a.is_unknown(1),
        "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {r}D.");
    Ok(())
}

/// `linalg_norm`: a matrix norm where an order is given and two dimensions are meant, else a vector norm.
pub fn norm(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    inexact("linalg.vector_norm", &t)?;
    check_ordered(a, &t)?;
    let dtype = a.dtype_or(4, t.dtype).map(DType::to_real);
    let (Some(sizes), Some(list), Some(keep)) = (&t.sizes, a.ints(2), a.bool(3)) else { return one(dtype, None) };
    if !a.is_none(1) && (list.len() == 2 || (list.is_empty() && sizes.len() == 2)) {
        return one(dtype, matrix_norm_sizes(&t, a, Some(2), 3)?);
    }
    one(dtype, Some(reduce_sizes(sizes, &reduced_dims(&list, sizes.len())?, keep)))
}

pub fn norm_str(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    check_ordered(a, &t)?;
    check_order(a)?;
    at_least_matrix("linalg.matrix_norm", "A", &t)?;
    matrix_norm(a)
}

pub fn solve_ex(a: &[Meta]) -> RuleResult {
    let mut out = solve(a)?;
    out.push(Matrices::new(a.tensor(0)?).info());
    Ok(out)
}

pub fn svdvals(a: &[Meta]) -> RuleResult {
    Ok(smallvec![rectangle(a, "linalg.svd")?.real(side)])
}

pub fn svd(a: &[Meta]) -> RuleResult {
    decomposed(a, a.bool(1))
}

fn decomposed(a: &[Meta], full: Option<bool>) -> RuleResult {
    let m = rectangle(a, "linalg.svd")?;
    let (dtype, of) = (m.t.dtype, m.parts.as_ref().zip(full));
    let Some((_, full)) = of else {
        return Ok(smallvec![tensor(dtype, None), tensor(dtype.map(DType::to_real), None), tensor(dtype, None)]);
    };
    let inner = |whole: Size, k: [Size; 1]| if full { whole } else { k[0] };
    Ok(smallvec![m.result(|m, n| [m, inner(m, side(m, n))]), m.real(side), m.result(|m, n| [inner(n, side(m, n)), n])])
}

fn symmetric(a: &[Meta]) -> Result<Matrices, ShapeError> {
    let t = a.tensor(0)?;
    square("linalg.eigh", "A", &t)?;
    refuse!(if let Some(u) = a.str(1), !matches!(u.chars().next(), Some('L' | 'l' | 'U' | 'u')),
        "Expected UPLO argument to be 'L' or 'U', but got {u}");
    kernel("linalg_eigh_cpu", t.dtype, DType::is_inexact)?;
    Ok(Matrices::new(t))
}

pub fn eigvalsh(a: &[Meta]) -> RuleResult {
    Ok(smallvec![symmetric(a)?.real(|m, _| [m])])
}

pub fn eigh(a: &[Meta]) -> RuleResult {
    let m = symmetric(a)?;
    Ok(smallvec![m.real(|m, _| [m]), m.t.like()])
}

fn nothing(dtype: Option<DType>) -> Meta {
    tensor(dtype, Some(smallvec![Size::Known(0)]))
}

pub fn qr(a: &[Meta]) -> RuleResult {
    let m = rectangle(a, "linalg.qr")?;
    let dtype = m.t.dtype;
    let (Some(_), Some(mode)) = (&m.parts, a.str(1)) else {
        return Ok(smallvec![tensor(dtype, None), tensor(dtype, None)]);
    };
    Ok(match mode {
        "complete" => smallvec![m.result(|m, _| [m, m]), m.result(|m, n| [m, n])],
        "reduced" => smallvec![m.result(|m, n| [m, m.least(n)]), m.result(|m, n| [m.least(n), n])],
        "r" => smallvec![nothing(dtype), m.result(|m, n| [m.least(n), n])],
        other => {
            return error(format!(
                "qr received unrecognized mode '{other}' but expected one of 'reduced' (default), 'r', or 'complete'"
            ));
        }
    })
}

/// The factored matrices, and which rows changed places.
fn factored(a: &[Meta]) -> Result<(Matrices, Meta), ShapeError> {
    let t = a.tensor(0)?;
    refuse!(if a.bool(1) == Some(false), "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
    refuse!(if t.rank().is_some_and(|r| r < 2),
        "torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: {} instead", t.shown());
    kernel("lu_cpu", t.dtype, DType::is_inexact)?;
    let m = Matrices::new(t);
    let pivots = tensor(Some(DType::I32), m.each(side));
    Ok((m, pivots))
}

pub fn lu_factor(a: &[Meta]) -> RuleResult {
    let (m, pivots) = factored(a)?;
    Ok(smallvec![m.t.like(), pivots])
}

pub fn lu_factor_ex(a: &[Meta]) -> RuleResult {
    let (m, pivots) = factored(a)?;
    Ok(smallvec![m.t.like(), pivots, m.info()])
}

/// `linalg_matrix_rank`: one number for each matrix.
pub fn matrix_rank(a: &[Meta]) -> RuleResult {
    one(Some(DType::I64), rectangle(a, "linalg.matrix_rank")?.each(|_, _| []))
}

pub fn pinv(a: &[Meta]) -> RuleResult {
    let m = rectangle(a, "linalg.pinv")?;
    refuse!(if let Some(d) = m.t.dtype_not(|d| d.size() != 2 && d != DType::C32), m.t.sizes.is_some(),
        "linalg.pinv({d}{{{}}}): expected a tensor with 2 or more dimensions of float, double, cfloat or cdouble types",
        m.t.shown());
    Ok(smallvec![m.result(|m, n| [n, m])])
}

pub fn cond(a: &[Meta]) -> RuleResult {
    let m = rectangle(a, "linalg.cond")?;
    if a.float(1).is_some_and(|p| p.abs() != 2.0) {
        square("linalg.cond", "A", &m.t)?;
    }
    Ok(smallvec![m.real(|_, _| [])])
}

pub fn eig(a: &[Meta]) -> RuleResult {
    let m = matrix(a, "linalg.eig")?;
    let dtype = m.t.dtype.map(DType::to_complex);
    Ok(smallvec![tensor(dtype, m.each(|m, _| [m])), tensor(dtype, m.t.sizes)])
}

pub fn eigvals(a: &[Meta]) -> RuleResult {
    let m = matrix(a, "linalg.eigvals")?;
    one(m.t.dtype.map(DType::to_complex), m.each(|m, _| [m]))
}

/// Results of which some are vectors, and empty where argument 2 does not ask for them.
fn without_vectors(a: &[Meta], mut results: SmallVec<[Meta; 2]>, vectors: &[usize]) -> RuleResult {
    if a.bool(2) == Some(false) {
        let dtype = a.tensor(0)?.dtype;
        vectors.iter().for_each(|i| results[*i] = nothing(dtype));
    }
    Ok(results)
}

/// `_linalg_eigh`.
pub fn eigh_parts(a: &[Meta]) -> RuleResult {
    without_vectors(a, eigh(a)?, &[1])
}

/// `_linalg_svd`.
pub fn svd_parts(a: &[Meta]) -> RuleResult {
    without_vectors(a, svd(a)?, &[0, 2])
}

/// Results, what was factored to get them, and which rows changed places.
fn with_factors(a: &[Meta], mut results: SmallVec<[Meta; 2]>) -> Result<SmallVec<[Meta; 2]>, ShapeError> {
    let (m, pivots) = factored(a)?;
    results.extend([m.t.like(), pivots]);
    Ok(results)
}

pub fn det_parts(a: &[Meta]) -> RuleResult {
    with_factors(a, det(a)?)
}

pub fn slogdet_parts(a: &[Meta]) -> RuleResult {
    with_factors(a, slogdet(a)?)
}

pub fn solve_parts(a: &[Meta]) -> RuleResult {
    let mut out = with_factors(a, solve(a)?)?;
    out.push(Matrices::new(a.tensor(0)?).info());
    Ok(out)
}

/// `svd(self, some, compute_uv)`: the right vectors as columns; without vectors those are whole, and zero.
pub fn svd_columns(a: &[Meta]) -> RuleResult {
    let full = match (a.bool(1), a.bool(2)) {
        (_, Some(false)) => Some(true),
        (some, Some(true)) => some.map(|some| !some),
        _ => None,
    };
    let mut out = decomposed(a, full)?;
    if let Some(Meta::Tensor(TensorMeta { sizes: Some(sizes), .. })) = out.get_mut(2) {
        let n = sizes.len();
        sizes.swap(n - 2, n - 1);
    }
    Ok(out)
}

pub fn ldl_factor(a: &[Meta]) -> RuleResult {
    let m = matrix(a, "torch.linalg.ldl_factor")?;
    Ok(smallvec![m.t.like(), tensor(Some(DType::I32), m.each(|m, _| [m]))])
}

pub fn ldl_factor_ex(a: &[Meta]) -> RuleResult {
    let mut out = ldl_factor(a)?;
    out.push(Matrices::new(a.tensor(0)?).info());
    Ok(out)
}

/// Whether pivots are as many as each matrix has rows.
fn pivots_fit(t: &TensorMeta, pivots: &TensorMeta) -> bool {
    let fits = |s: &Sizes, p: &Sizes| p.len() + 1 == s.len() && !p.iter().zip(s).any(|(x, y)| x.differs(*y));
    t.sizes.as_ref().zip(pivots.sizes.as_ref()).is_none_or(|(s, p)| fits(s, p))
}

pub fn ldl_solve(a: &[Meta]) -> RuleResult {
    let (t, pivots) = (a.tensor(0)?, a.tensor(1)?);
    let what = "torch.linalg.ldl_solve";
    square(what, "LD", &t)?;
    refuse!(if let Some(d) = pivots.dtype_not(DType::is_int), "{what}: Expected pivots to be integers. Got {d}");
    refuse!(if !pivots_fit(&t, &pivots),
        "{what}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape {} instead",
        pivots.shown());
    triangular(&t, &a.tensor(2)?, Some(true))
}

/// `linalg_lu_solve(LU, pivots, B, left, adjoint)`.
pub fn lu_solve(a: &[Meta]) -> RuleResult {
    lu_solved(&a.tensor(0)?, &a.tensor(1)?, &a.tensor(2)?, a.bool(3))
}

/// `lu_solve(B, LU, pivots)`.
pub fn lu_solve_old(a: &[Meta]) -> RuleResult {
    lu_solved(&a.tensor(1)?, &a.tensor(2)?, &a.tensor(0)?, Some(true))
}

fn lu_solved(t: &TensorMeta, pivots: &TensorMeta, b: &TensorMeta, left: Option<bool>) -> RuleResult {
    square("torch.linalg.lu_solve", "LU", t)?;
    refuse!(if pivots.dtype.is_some_and(|d| d != DType::I32),
        "linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32");
    refuse!(if !pivots_fit(t, pivots),
        "linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix");
    triangular(t, b, left)
}

/// `lu_unpack(LU, pivots, unpack_data, unpack_pivots)`.
pub fn lu_unpack(a: &[Meta]) -> RuleResult {
    let (m, pivots) = (Matrices::new(a.tensor(0)?), a.tensor(1)?);
    let asked = a.bool(3) == Some(true);
    refuse!(if asked && pivots.dtype.is_some_and(|d| d != DType::I32),
        "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n\
         Note: this function is intended to be used with the output produced by torch.linalg.lu_factor");
    refuse!(Value if let Some((want, have)) = mismatch(&m.each(side), &pivots.sizes), asked,
        "Expected LU_pivots to have shape {want} but got {have} instead.");
    unpacked(&m, a.bool(2), a.bool(3))
}

fn unpacked(m: &Matrices, data: Option<bool>, pivots: Option<bool>) -> RuleResult {
    at_least_matrix("torch.lu_unpack", "A", &m.t)?;
    let unknown = || tensor(m.t.dtype, None);
    let (Some(data), Some(pivots)) = (data, pivots) else { return Ok(smallvec![unknown(), unknown(), unknown()]) };
    let or_nothing = |asked: bool, result: Meta| if asked { result } else { nothing(m.t.dtype) };
    Ok(smallvec![
        or_nothing(pivots || m.parts.is_none(), m.result(|m, _| [m, m])),
        or_nothing(data || m.parts.is_none(), m.result(|m, n| [m, m.least(n)])),
        or_nothing(data || m.parts.is_none(), m.result(|m, n| [m.least(n), n]))
    ])
}

pub fn lu(a: &[Meta]) -> RuleResult {
    unpacked(&rectangle(a, "linalg.lu")?, Some(true), a.bool(1))
}

pub fn geqrf(a: &[Meta]) -> RuleResult {
    let m = rectangle(a, "torch.geqrf")?;
    Ok(smallvec![m.t.like(), m.result(side)])
}

pub fn householder_product(a: &[Meta]) -> RuleResult {
    let what = "torch.linalg.householder_product";
    let Matrices { t, parts } = rectangle(a, what)?;
    let tau = a.tensor(1)?;
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

pub fn ormqr(a: &[Meta]) -> RuleResult {
    let t = rectangle(a, "torch.ormqr")?.t;
    let (tau, c) = (a.tensor(1)?, a.tensor(2)?);
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

pub fn lstsq(a: &[Meta]) -> RuleResult {
    let what = "torch.linalg.lstsq";
    let (Matrices { t, parts }, b) = (rectangle(a, what)?, a.tensor(1)?);
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

pub fn polar(a: &[Meta]) -> RuleResult {
    let m = rectangle(a, "linalg.polar")?;
    if let Some((_, Size::Known(m), Size::Known(n))) = m.parts {
        refuse!(if m < n,
            "linalg.polar: input must have at least as many rows as columns, but got {m} by {n} matrices");
    }
    Ok(smallvec![m.t.like(), m.result(|_, n| [n, n])])
}

/// As many equations as unknowns.
fn balanced(shapes: [&str; 2], left: Size, right: Size) -> Result<(), ShapeError> {
    refuse!(if left.unequal(right),
        "Expected self to satisfy the requirement prod(self.shape[{}:]) == prod(self.shape[:{}]), but got {left} != {right}",
        shapes[0], shapes[1]);
    Ok(())
}

pub fn tensorinv(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let (Some(sizes), Some(ind)) = (&t.sizes, a.int(1)) else { return one(t.dtype, None) };
    refuse!(if ind <= 0, "Expected a strictly positive integer for 'ind'");
    let (rows, columns) = sizes.split_at((ind as usize).min(sizes.len()));
    balanced(["ind"; 2], product(columns), product(rows))?;
    one(t.dtype, Some(columns.iter().chain(rows).copied().collect()))
}

pub fn tensorsolve(a: &[Meta]) -> RuleResult {
    let (t, b) = (a.tensor(0)?, a.tensor(1)?);
    let (Some(sizes), Some(r), Some(dims)) = (&t.sizes, b.rank(), a.ints(2)) else { return one(t.dtype, None) };
    let last: SmallVec<[usize; 6]> = dims.iter().map(|d| wrap_dim(*d, sizes.len())).collect::<Result<_, _>>()?;
    let kept = (0..sizes.len()).filter(|i| !last.contains(i));
    let order: Sizes = kept.chain(last.iter().copied()).map(|i| sizes[i]).collect();
    let result: Sizes = order[r.min(order.len())..].into();
    balanced(["other.ndim"; 2], product(&result), b.numel())?;
    one(t.dtype, Some(result))
}

pub fn vander(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(if t.rank() == Some(0), "linalg.vander: x must be at least 1-D");
    refuse!(if a.int(1).is_some_and(|n| n <= 1), "N must be greater than 1.");
    refuse!(NotImplemented if t.dtype == Some(DType::Bool),
        "linalg.vander supports floating point, complex, and integer tensors, but got Bool");
    // Powers of integers are of the widest.
    let dtype = t.dtype.map(|d| if d.is_inexact() { d } else { DType::I64 });
    let last = if a.is_none(1) { t.last() } else { a.size(1) };
    one(dtype, t.sizes.map(|s| s.into_iter().chain([last]).collect()))
}

pub fn linear_combination(a: &[Meta]) -> RuleResult {
    let (x, weights) = (a.tensor(0)?, a.tensor(1)?);
    let sizes = x.sizes.zip(weights.sizes).filter(|(x, w)| !x.is_empty() && !w.is_empty()).map(|(mut x, w)| {
        x[0] = w[0];
        x
    });
    one(x.dtype, sizes)
}
