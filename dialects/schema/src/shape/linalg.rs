//! Rules of linear algebra: batches of matrices, of float or complex elements.

use super::args::*;
use super::matmul::square;
use super::{Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use crate::DType;
use smallvec::smallvec;

fn floating(what: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    match t.dtype {
        Some(d) if !d.is_float() && !d.is_complex() => not_implemented(format!(
            "{what}: Expected a floating point or complex tensor as input. Got {}",
            d.scalar_type_name()
        )),
        _ => Ok(()),
    }
}

fn batch(t: &TensorMeta) -> Option<Sizes> {
    t.sizes.as_ref().map(|s| s[..s.len().saturating_sub(2)].into())
}

fn matrix(what: &str, a: &[Meta]) -> Result<TensorMeta, ShapeError> {
    let t = Args(a).tensor(0)?;
    square(what, "A", &t)?;
    floating(what, &t)?;
    Ok(t)
}

pub fn det(a: &[Meta]) -> RuleResult {
    let t = matrix("linalg.det", a)?;
    one(t.dtype, batch(&t))
}

pub fn slogdet(a: &[Meta]) -> RuleResult {
    let t = matrix("linalg.slogdet", a)?;
    Ok(smallvec![tensor(t.dtype, batch(&t)), tensor(t.dtype.map(DType::to_real), batch(&t))])
}

pub fn inv(a: &[Meta]) -> RuleResult {
    let t = matrix("linalg.inv", a)?;
    one(t.dtype, t.sizes)
}

pub fn cholesky(a: &[Meta]) -> RuleResult {
    let t = matrix("linalg.cholesky", a)?;
    one(t.dtype, t.sizes)
}

pub fn solve(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (t, b) = (args.tensor(0)?, args.tensor(1)?);
    floating("linalg.solve", &t)?;
    square("linalg.solve", "A", &t)?;
    if let (Some(d), Some(e)) = (t.dtype, b.dtype)
        && d != e
    {
        return error(format!(
            "linalg.solve: Expected A and B to have the same dtype, but found A of type {} and B of type {} instead",
            d.scalar_type_name(),
            e.scalar_type_name()
        ));
    }
    let (Some(ts), Some(bs), Some(left)) = (&t.sizes, &b.sizes, args.bool(2)) else { return one(t.dtype, None) };
    let n = ts.len();
    if solves_vector(ts, bs) {
        let last = bs[bs.len() - 1];
        if last.differs(ts[n - 1]) {
            let text = |s: Size| s.known().unwrap_or_default();
            return error(format!(
                "linalg.solve: Incompatible shapes of A and B for the equation AX = B ({}x{} and {}x1)",
                text(ts[n - 2]),
                text(ts[n - 1]),
                text(last)
            ));
        }
        let mut sizes = broadcast(&ts[..n - 2], &bs[..bs.len() - 1])?;
        sizes.push(last);
        return one(t.dtype, Some(sizes));
    }
    if bs.len() < 2 {
        return error("linalg.solve: The input tensor B must have at least 2 dimensions.");
    }
    let m = bs.len();
    let inner = if left { bs[m - 2] } else { bs[m - 1] };
    if inner.differs(ts[n - 1]) {
        return error(format!(
            "linalg.solve: Incompatible shapes of A and B for the equation {} ({}x{} and {}x{})",
            if left { "AX = B" } else { "XA = B" },
            ts[n - 2].known().unwrap_or_default(),
            ts[n - 1].known().unwrap_or_default(),
            bs[m - 2].known().unwrap_or_default(),
            bs[m - 1].known().unwrap_or_default()
        ));
    }
    let mut sizes = broadcast(&ts[..n - 2], &bs[..m - 2])?;
    sizes.extend([bs[m - 2], bs[m - 1]]);
    one(t.dtype, Some(sizes))
}

/// Whether `solve` takes its right side as a batch of vectors.
pub fn solves_vector(a: &[Size], b: &[Size]) -> bool {
    b.len() == 1 || (a.len() == b.len() + 1 && a[..a.len() - 1] == *b)
}

pub fn cross(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let (Some(xs), Some(ys), Some(d)) = (&x.sizes, &y.sizes, args.int(2)) else { return one(x.dtype, None) };
    if xs.len() != ys.len() {
        return error("linalg.cross: inputs must have the same number of dimensions.");
    }
    let at = wrap_dim(d, xs.len())?;
    let three = Size::Known(3);
    if x.size(at).differs(three) || y.size(at).differs(three) {
        return error(format!(
            "linalg.cross: inputs dimension {d} must have length 3. Got {} and {}",
            x.size(at).known().unwrap_or(3),
            y.size(at).known().unwrap_or(3)
        ));
    }
    let sizes = broadcast(xs, ys)?;
    if let (Some(d), Some(e)) = (x.dtype, y.dtype)
        && d != e
    {
        return error(format!("expected scalar type {} but found {}", d.scalar_type_name(), e.scalar_type_name()));
    }
    one(x.dtype, Some(sizes))
}

fn matrix_norm_sizes(t: &TensorMeta, a: Args<'_>, dims: usize, keep: usize) -> Result<Option<Sizes>, ShapeError> {
    let (Some(sizes), Some(list)) = (&t.sizes, a.ints(dims)) else { return Ok(None) };
    if sizes.len() < 2 {
        return error("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.");
    }
    let list = if list.is_empty() { smallvec![-2, -1] } else { list };
    if list.len() != 2 {
        let shown: Vec<String> = list.iter().map(i64::to_string).collect();
        return error(format!("linalg.matrix_norm: dim must be a 2-tuple. Got {}", shown.join(" ")));
    }
    let (i, j) = (wrap_dim(list[0], sizes.len())?, wrap_dim(list[1], sizes.len())?);
    if i == j {
        return error(format!("linalg.matrix_norm: dims must be different. Got ({}, {})", list[0], list[1]));
    }
    let mask = reduced_dims(&list, sizes.len())?;
    Ok(a.bool(keep).map(|k| reduce_sizes(sizes, &mask, k)))
}

fn norm_dtype(t: &TensorMeta, asked: Option<Option<DType>>) -> Option<DType> {
    asked.and_then(|d| d.or(t.dtype)).map(DType::to_real)
}

/// `linalg_matrix_norm` and `.str_ord`: order, dimensions, keepdim, dtype.
pub fn matrix_norm(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    floating("linalg.matrix_norm", &t)?;
    one(norm_dtype(&t, args.dtype(4)), matrix_norm_sizes(&t, args, 2, 3)?)
}

/// `nuclear_norm`: the last two dimensions.
pub fn nuclear_norm(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    floating("linalg.matrix_norm", &t)?;
    let all = [a[0].clone(), Meta::None];
    let metas: Vec<Meta> = all.into_iter().chain(a.get(1).cloned()).collect();
    one(t.dtype.map(DType::to_real), matrix_norm_sizes(&t, Args(&metas), 1, 2)?)
}

pub fn nuclear_norm_dim(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    floating("linalg.matrix_norm", &t)?;
    one(t.dtype.map(DType::to_real), matrix_norm_sizes(&t, args, 1, 2)?)
}

/// `linalg_norm`: a matrix norm where an order is given and two dimensions are meant, else a vector norm.
pub fn norm(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    floating("linalg.vector_norm", &t)?;
    let dtype = norm_dtype(&t, args.dtype(4));
    let (Some(sizes), Some(list), Some(keep)) = (&t.sizes, args.ints(2), args.bool(3)) else { return one(dtype, None) };
    if !args.is_none(1) && (list.len() == 2 || (list.is_empty() && sizes.len() == 2)) {
        return one(dtype, matrix_norm_sizes(&t, args, 2, 3)?);
    }
    one(dtype, Some(reduce_sizes(sizes, &reduced_dims(&list, sizes.len())?, keep)))
}

pub fn norm_str(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    if let Some(r) = t.rank()
        && r < 2
    {
        return error("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.");
    }
    matrix_norm(a)
}

/// One number per matrix that says whether it went well.
fn info(t: &TensorMeta) -> Meta {
    tensor(Some(DType::I32), batch(t))
}

pub fn inv_ex(a: &[Meta]) -> RuleResult {
    let t = matrix("linalg.inv", a)?;
    Ok(smallvec![tensor(t.dtype, t.sizes.clone()), info(&t)])
}

pub fn cholesky_ex(a: &[Meta]) -> RuleResult {
    let t = matrix("linalg.cholesky", a)?;
    Ok(smallvec![tensor(t.dtype, t.sizes.clone()), info(&t)])
}

pub fn solve_ex(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    let mut out = solve(a)?;
    out.push(info(&t));
    Ok(out)
}

pub fn logdet(a: &[Meta]) -> RuleResult {
    let t = matrix("logdet", a)?;
    one(t.dtype, batch(&t))
}

/// `cross`: without a dimension, the first of length 3.
pub fn cross_default(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    if !args.is_none(2) {
        return cross(a);
    }
    let t = args.tensor(0)?;
    let Some(sizes) = &t.sizes else { return one(t.dtype, None) };
    let Some(d) = sizes.iter().position(|s| *s == Size::Known(3)) else {
        if sizes.iter().any(|s| s.known().is_none()) {
            return one(t.dtype, None);
        }
        return error("no dimension of size 3 in input");
    };
    let metas = [a[0].clone(), a[1].clone(), Meta::Int(Size::Known(d as i64))];
    cross(&metas)
}

fn least(m: Size, n: Size) -> Size {
    match (m, n) {
        (Size::Known(a), Size::Known(b)) => Size::Known(a.min(b)),
        (a, b) if a == b => a,
        _ => Size::Unknown,
    }
}

fn at_least_matrix(what: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    match t.rank() {
        Some(r) if r < 2 => error(format!("{what}: The input tensor A must have at least 2 dimensions.")),
        _ => Ok(()),
    }
}

/// Rows, columns and batch of a matrix that need not be square.
fn rectangle(what: &str, a: &[Meta]) -> Result<(TensorMeta, Option<(Sizes, Size, Size)>), ShapeError> {
    let t = Args(a).tensor(0)?;
    at_least_matrix(what, &t)?;
    floating(what, &t)?;
    let parts = t.rank().map(|r| (batch(&t).unwrap_or_default(), t.size(r - 2), t.size(r - 1)));
    Ok((t, parts))
}

fn shaped(b: &Sizes, last: &[Size]) -> Option<Sizes> {
    let mut s = b.clone();
    s.extend_from_slice(last);
    Some(s)
}

pub fn svdvals(a: &[Meta]) -> RuleResult {
    let (t, parts) = rectangle("linalg.svd", a)?;
    one(t.dtype.map(DType::to_real), parts.and_then(|(b, m, n)| shaped(&b, &[least(m, n)])))
}

pub fn svd(a: &[Meta]) -> RuleResult {
    let (t, parts) = rectangle("linalg.svd", a)?;
    let (Some((b, m, n)), Some(full)) = (parts, Args(a).bool(1)) else {
        return Ok(smallvec![tensor(t.dtype, None), tensor(t.dtype.map(DType::to_real), None), tensor(t.dtype, None)]);
    };
    let k = least(m, n);
    let (left, right) = if full { (m, n) } else { (k, k) };
    Ok(smallvec![
        tensor(t.dtype, shaped(&b, &[m, left])),
        tensor(t.dtype.map(DType::to_real), shaped(&b, &[k])),
        tensor(t.dtype, shaped(&b, &[right, n]))
    ])
}

fn symmetric(a: &[Meta]) -> Result<TensorMeta, ShapeError> {
    let args = Args(a);
    let t = args.tensor(0)?;
    square("linalg.eigh", "A", &t)?;
    if let Some(u) = args.str(1)
        && !matches!(u.chars().next(), Some('L' | 'l' | 'U' | 'u'))
    {
        return error(format!("Expected UPLO argument to be 'L' or 'U', but got {u}"));
    }
    if let Some(d) = t.dtype
        && !d.is_float()
        && !d.is_complex()
    {
        return not_implemented_for("linalg_eigh_cpu", d);
    }
    Ok(t)
}

fn values(t: &TensorMeta) -> Meta {
    let sizes = t.sizes.as_ref().map(|s| s[..s.len().saturating_sub(1)].into());
    tensor(t.dtype.map(DType::to_real), sizes)
}

pub fn eigvalsh(a: &[Meta]) -> RuleResult {
    Ok(smallvec![values(&symmetric(a)?)])
}

pub fn eigh(a: &[Meta]) -> RuleResult {
    let t = symmetric(a)?;
    Ok(smallvec![values(&t), tensor(t.dtype, t.sizes)])
}

pub fn qr(a: &[Meta]) -> RuleResult {
    let (t, parts) = rectangle("linalg.qr", a)?;
    let (Some((b, m, n)), Some(mode)) = (parts, Args(a).str(1)) else {
        return Ok(smallvec![tensor(t.dtype, None), tensor(t.dtype, None)]);
    };
    let k = least(m, n);
    let (q, r) = match mode {
        "reduced" => (shaped(&b, &[m, k]), shaped(&b, &[k, n])),
        "complete" => (shaped(&b, &[m, m]), shaped(&b, &[m, n])),
        "r" => (Some(smallvec![Size::Known(0)]), shaped(&b, &[k, n])),
        other => {
            return error(format!(
                "qr received unrecognized mode '{other}' but expected one of 'reduced' (default), 'r', or 'complete'"
            ));
        }
    };
    Ok(smallvec![tensor(t.dtype, q), tensor(t.dtype, r)])
}

fn factored(a: &[Meta]) -> Result<(TensorMeta, Meta), ShapeError> {
    let t = Args(a).tensor(0)?;
    if t.rank().is_some_and(|r| r < 2) {
        return error(format!(
            "torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: {} instead",
            show(t.sizes.as_deref().unwrap_or(&[]))
        ));
    }
    if let Some(d) = t.dtype
        && !d.is_float()
        && !d.is_complex()
    {
        return not_implemented_for("lu_cpu", d);
    }
    let pivots = t.rank().and_then(|r| shaped(&batch(&t)?, &[least(t.size(r - 2), t.size(r - 1))]));
    Ok((t, tensor(Some(DType::I32), pivots)))
}

pub fn lu_factor(a: &[Meta]) -> RuleResult {
    let (t, pivots) = factored(a)?;
    Ok(smallvec![tensor(t.dtype, t.sizes), pivots])
}

pub fn lu_factor_ex(a: &[Meta]) -> RuleResult {
    let (t, pivots) = factored(a)?;
    Ok(smallvec![tensor(t.dtype, t.sizes.clone()), pivots, info(&t)])
}

pub fn solve_triangular(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (t, b) = (args.tensor(0)?, args.tensor(1)?);
    let what = "linalg.solve_triangular";
    square(what, "A", &t)?;
    if b.rank().is_some_and(|r| r < 2) {
        return error(format!("{what}: The input tensor B must have at least 2 dimensions."));
    }
    floating(what, &t)?;
    if let (Some(d), Some(e)) = (t.dtype, b.dtype)
        && d != e
    {
        return error(format!(
            "{what}: Expected A and B to have the same dtype, but found A of type {} and B of type {} instead",
            d.scalar_type_name(),
            e.scalar_type_name()
        ));
    }
    let (Some(ts), Some(bs), Some(left)) = (&t.sizes, &b.sizes, args.bool(3)) else { return one(t.dtype, None) };
    let (n, m) = (ts.len(), bs.len());
    let inner = if left { bs[m - 2] } else { bs[m - 1] };
    if inner.differs(ts[n - 1]) {
        let text = |s: Size| s.known().unwrap_or_default();
        return error(format!(
            "{what}: Incompatible shapes of A and B for the equation {} ({}x{} and {}x{})",
            if left { "AX = B" } else { "XA = B" },
            text(ts[n - 2]),
            text(ts[n - 1]),
            text(bs[m - 2]),
            text(bs[m - 1])
        ));
    }
    let mut sizes = broadcast(&ts[..n - 2], &bs[..m - 2])?;
    sizes.extend([bs[m - 2], bs[m - 1]]);
    one(t.dtype, Some(sizes))
}

pub fn matrix_exp(a: &[Meta]) -> RuleResult {
    let t = matrix("linalg.matrix_exp", a)?;
    one(t.dtype, t.sizes)
}
