//! Rules of reductions and scans: which dimensions remain, which dtype the accumulation has, and what an empty tensor may not be asked for.

use super::args::*;
use super::matmul::cpp_name;
use super::{ErrorKind, Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use crate::DType;
use crate::promotion::{promote_types, to_float};
use smallvec::{SmallVec, smallvec};

/// Sizes after reducing the dimensions of list argument `dims` (None or empty: all).
fn reduced(t: &TensorMeta, a: Args<'_>, dims: usize, keepdim: usize) -> Result<Option<Sizes>, ShapeError> {
    let Some(sizes) = &t.sizes else { return Ok(None) };
    let Some(dims) = a.ints(dims) else { return Ok(None) };
    let mask = reduced_dims(&dims, sizes.len())?;
    Ok(a.bool(keepdim).map(|keepdim| reduce_sizes(sizes, &mask, keepdim)))
}

/// Sizes after reducing the one dimension of integer argument `dim`.
fn reduced_one(t: &TensorMeta, a: Args<'_>, dim: usize, keepdim: usize) -> Result<Option<Sizes>, ShapeError> {
    let Some(sizes) = &t.sizes else { return Ok(None) };
    let Some(dim) = a.int(dim) else { return Ok(None) };
    let mask = reduced_dims(&[dim], sizes.len())?;
    Ok(a.bool(keepdim).map(|keepdim| reduce_sizes(sizes, &mask, keepdim)))
}

fn scalar() -> Option<Sizes> {
    Some(Sizes::new())
}

/// Integers and bool are summed in i64.
fn widened(t: &TensorMeta, a: Args<'_>, dtype: usize) -> Option<DType> {
    match a.dtype(dtype)? {
        Some(d) => Some(d),
        None => t.dtype.map(|d| if d.is_int() || d == DType::Bool { DType::I64 } else { d }),
    }
}

/// PyTorch adds no complex numbers of halves.
fn has_sums(dtype: Option<DType>, t: &TensorMeta) -> Result<(), ShapeError> {
    match dtype {
        Some(DType::C32) if t.numel() != Size::Known(0) => not_implemented_for("sum_cpu", DType::C32),
        _ => Ok(()),
    }
}

pub fn sum(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let dtype = widened(&t, a, 1);
    has_sums(dtype, &t)?;
    one(dtype, scalar())
}

pub fn nansum(a: &[Meta]) -> RuleResult {
    if Args(a).tensor(0)?.dtype.is_some_and(DType::is_complex) {
        return not_implemented("nansum on CPU does not support complex inputs");
    }
    // Only floats have NaN; anything else is just summed.
    match (Args(a).tensor(0)?.dtype, Args(a).dtype(3).flatten()) {
        (Some(from), Some(to)) if from.is_float() && !to.is_float() => not_implemented_for("nansum_cpu", to),
        _ => sum_dims(a),
    }
}

pub fn sum_dims(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let (dtype, sizes) = (widened(&t, a, 3), reduced(&t, a, 1, 2)?);
    has_sums(dtype, &t)?;
    one(dtype, sizes)
}

pub fn prod_dim(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    one(widened(&t, a, 3), reduced_one(&t, a, 1, 2)?)
}

/// `prims.sum`, `prims.prod`: dimensions, then the dtype.
pub fn prims_sum(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let dtype = a.dtype(2).and_then(|d| d.or(t.dtype));
    one(dtype, prims_sizes(&t, a)?)
}

/// `prims.var`: dimensions, correction, dtype.
pub fn prims_var(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let dtype = a.dtype(3).and_then(|d| d.or(t.dtype.map(DType::to_real)));
    one(dtype, prims_sizes(&t, a)?)
}

/// `prims` reduce nothing for an empty list, everything for None.
fn prims_sizes(t: &TensorMeta, a: Args<'_>) -> Result<Option<Sizes>, ShapeError> {
    let Some(sizes) = &t.sizes else { return Ok(None) };
    if a.is_none(1) {
        return Ok(scalar());
    }
    let Some(dims) = a.ints(1) else { return Ok(None) };
    if dims.is_empty() {
        return Ok(Some(sizes.clone()));
    }
    Ok(Some(reduce_sizes(sizes, &reduced_dims(&dims, sizes.len())?, false)))
}

fn mean_dtype(t: &TensorMeta, a: Args<'_>, dtype: usize) -> Result<Option<DType>, ShapeError> {
    let (kind, dtype) = match a.dtype(dtype) {
        None => return Ok(None),
        Some(Some(d)) => ("Optional", Some(d)),
        Some(None) => ("Input", t.dtype),
    };
    match dtype {
        Some(d) if !d.is_float() && !d.is_complex() => not_implemented(format!(
            "mean(): could not infer output dtype. {kind} dtype must be either a floating point or complex dtype. Got: {}",
            d.scalar_type_name()
        )),
        d => Ok(d),
    }
}

pub fn mean(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    one(mean_dtype(&t, a, 1)?, scalar())
}

pub fn mean_dims(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let dtype = mean_dtype(&t, a, 3)?;
    one(dtype, reduced(&t, a, 1, 2)?)
}

/// u8 stays, everything else gives bool.
fn truth(t: &TensorMeta) -> Option<DType> {
    t.dtype.map(|d| if d == DType::U8 { d } else { DType::Bool })
}

/// `all`, `any`.
pub fn all(a: &[Meta]) -> RuleResult {
    one(truth(&Args(a).tensor(0)?), scalar())
}

pub fn all_dim(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    one(truth(&t), reduced_one(&t, a, 1, 2)?)
}

/// Here an empty list reduces nothing; None reduces everything.
pub fn all_dims(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let empty = !a.is_none(1) && a.sizes(1).is_some_and(|s| s.is_empty());
    one(truth(&t), if empty { t.sizes.clone() } else { reduced(&t, a, 1, 2)? })
}

pub fn count_nonzero(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let dims: Option<Sizes> = if a.is_none(1) { Some(smallvec![]) } else { a.sizes(1) };
    let sizes = match (&t.sizes, dims.as_deref().and_then(all_known)) {
        (Some(sizes), Some(dims)) => Some(reduce_sizes(sizes, &reduced_dims(&dims, sizes.len())?, false)),
        _ => None,
    };
    one(Some(DType::I64), sizes)
}

fn truth_value() -> RuleResult {
    Ok(smallvec![Meta::Unknown])
}

pub fn equal(_: &[Meta]) -> RuleResult {
    truth_value()
}

pub fn allclose(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    if let (Some(d), Some(e)) = (x.dtype, y.dtype)
        && d != e
    {
        return error(format!("{} did not match {}", d.scalar_type_name(), e.scalar_type_name()));
    }
    for (i, name) in [(2, "rtol"), (3, "atol")] {
        if let Some(v) = a.float(i)
            && v < 0.0
        {
            return error(format!("{name} must be greater than or equal to zero, but got {v}"));
        }
    }
    if let (Some(s), Some(t)) = (&x.sizes, &y.sizes) {
        broadcast(s, t)?;
    }
    truth_value()
}

/// An empty tensor has no largest element.
fn check_not_empty(name: &str, t: &TensorMeta, dims: &[i64], hint: bool) -> Result<(), ShapeError> {
    let Some(sizes) = &t.sizes else { return Ok(()) };
    if t.numel() != Size::Known(0) {
        return Ok(());
    }
    if dims.is_empty() {
        let hint = if hint { " Specify the reduction dim with the 'dim' argument." } else { "" };
        let kind = if hint.is_empty() { ErrorKind::Index } else { ErrorKind::Runtime };
        let message = format!("{name}: Expected reduction dim to be specified for input.numel() == 0.{hint}");
        return Err(ShapeError { kind, message });
    }
    for &d in dims {
        let d = wrap_dim(d, sizes.len())?;
        if sizes.get(d) == Some(&Size::Known(0)) {
            return index_error(format!("{name}: Expected reduction dim {d} to have non-zero size."));
        }
    }
    Ok(())
}

fn extreme_dims(name: &str, kernel: &str, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if let Some(dims) = a.ints(1) {
        check_not_empty(name, &t, &dims, true)?;
    }
    let sizes = reduced(&t, a, 1, 2)?;
    few_dims(&t)?;
    if t.numel() != Size::Known(0) {
        no_complex(kernel, &t)?;
    }
    one(t.dtype, sizes)
}

/// A reduction marks its dimensions in a word of 64 bits.
fn few_dims(t: &TensorMeta) -> Result<(), ShapeError> {
    if t.rank().is_some_and(|r| r > 64) { error("only tensors with up to 64 dims are supported") } else { Ok(()) }
}

fn no_complex(kernel: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    match t.dtype {
        Some(d) if d.is_complex() => not_implemented_for(kernel, d),
        _ => Ok(()),
    }
}

pub fn amax(a: &[Meta]) -> RuleResult {
    extreme_dims("amax()", "max_values_cpu", a)
}

pub fn amin(a: &[Meta]) -> RuleResult {
    extreme_dims("amin()", "min_values_cpu", a)
}

fn extreme(name: &str, kernel: &str, a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    check_not_empty(name, &t, &[], true)?;
    no_complex(kernel, &t)?;
    one(t.dtype, scalar())
}

pub fn max(a: &[Meta]) -> RuleResult {
    extreme("max()", "max_all", a)
}

pub fn min(a: &[Meta]) -> RuleResult {
    extreme("min()", "min_all", a)
}

/// Values and their positions.
fn extreme_dim(name: &str, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if t.dtype.is_some_and(DType::is_complex) {
        return Err(ShapeError { kind: ErrorKind::Type, message: format!("{name}: does not support complex input") });
    }
    let sizes = reduced_one(&t, a, 1, 2)?;
    if let Some(d) = a.int(1) {
        check_not_empty(name, &t, &[d], true)?;
    }
    Ok(smallvec![tensor(t.dtype, sizes.clone()), tensor(Some(DType::I64), sizes)])
}

pub fn max_dim(a: &[Meta]) -> RuleResult {
    extreme_dim("max()", a)
}

pub fn min_dim(a: &[Meta]) -> RuleResult {
    extreme_dim("min()", a)
}

fn arg_extreme(name: &str, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if t.dtype.is_some_and(DType::is_complex) {
        return Err(ShapeError { kind: ErrorKind::Type, message: format!("{name}: does not support complex input") });
    }
    if t.dtype == Some(DType::Bool) {
        return not_implemented(format!("{name}: does not support bool input"));
    }
    let dims: SmallVec<[i64; 1]> = a.int(1).into_iter().collect();
    if let Some(sizes) = &t.sizes {
        for &d in &dims {
            wrap_dim(d, sizes.len())?;
        }
    }
    if a.is_none(1) || !dims.is_empty() {
        check_not_empty(name, &t, &dims, false)?;
    }
    let sizes = reduced(&t, a, 1, 2)?;
    one(Some(DType::I64), sizes)
}

pub fn argmax(a: &[Meta]) -> RuleResult {
    arg_extreme("argmax()", a)
}

pub fn argmin(a: &[Meta]) -> RuleResult {
    arg_extreme("argmin()", a)
}

pub fn aminmax(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if let Some(d) = t.dtype
        && d.is_complex()
    {
        let message = format!("aminmax not implemented for {}", d.scalar_type_name());
        return Err(ShapeError { kind: ErrorKind::Type, message });
    }
    if a.is_none(1) {
        if t.numel() == Size::Known(0) {
            return error(
                "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.",
            );
        }
    } else if let (Some(d), Some(sizes)) = (a.int(1), &t.sizes) {
        let at = wrap_dim(d, sizes.len())?;
        if sizes.get(at) == Some(&Size::Known(0)) {
            return index_error(format!("aminmax: Expected reduction dim {at} to have non-zero size."));
        }
    }
    let sizes = reduced(&t, a, 1, 2)?;
    Ok(smallvec![tensor(t.dtype, sizes.clone()), tensor(t.dtype, sizes)])
}

pub fn median(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    no_median("median_cpu", &t)?;
    one(t.dtype, scalar())
}

fn no_median(kernel: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    match t.dtype {
        Some(d) if d.is_complex() || d == DType::Bool => not_implemented_for(kernel, d),
        _ => Ok(()),
    }
}

pub fn median_dim(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let sizes = reduced_one(&t, a, 1, 2)?;
    if let Some(d) = a.int(1) {
        check_not_empty("median()", &t, &[d], true)?;
    }
    no_median("median_out", &t)?;
    Ok(smallvec![tensor(t.dtype, sizes.clone()), tensor(Some(DType::I64), sizes)])
}

/// A scan keeps sizes.
fn scan(a: Args<'_>, dim: usize) -> Result<TensorMeta, ShapeError> {
    let t = a.tensor(0)?;
    if let (Some(rank), Some(d)) = (t.rank(), a.int(dim)) {
        wrap_dim(d, rank)?;
    }
    Ok(t)
}

pub fn cummax(a: &[Meta]) -> RuleResult {
    let t = scan(Args(a), 1)?;
    no_complex("cummax_cpu", &t)?;
    Ok(smallvec![tensor(t.dtype, t.sizes.clone()), tensor(Some(DType::I64), t.sizes)])
}

fn cumulative(kernel: &str, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = scan(a, 1)?;
    let dtype = widened(&t, a, 2);
    // A number, and nothing at all, are only copied.
    let some = t.rank().is_some_and(|r| r > 0) && t.numel().known().is_some_and(|n| n > 0);
    match dtype {
        Some(d @ (DType::Bool | DType::C32)) if some => not_implemented_for(kernel, d),
        _ => one(dtype, t.sizes),
    }
}

pub fn cumsum(a: &[Meta]) -> RuleResult {
    cumulative("cumsum_out_cpu", a)
}

pub fn cumprod(a: &[Meta]) -> RuleResult {
    cumulative("cumprod_out_cpu", a)
}

pub fn logcumsumexp(a: &[Meta]) -> RuleResult {
    let t = scan(Args(a), 1)?;
    match t.dtype {
        Some(d) if !d.is_float() && !d.is_complex() => not_implemented_for("logcumsumexp_out_cpu", d),
        d => one(d, t.sizes),
    }
}

pub fn logsumexp(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let sizes = reduced(&t, a, 1, 2)?;
    // The greatest elements, which are taken out first, lie as if no dimension went.
    if let (Meta::List(dims), Some(false), Some(rank)) = (a.get(1), a.bool(2), t.rank())
        && dims.is_empty()
        && rank > 0
    {
        let ones: Sizes = smallvec![Size::Known(1); rank];
        return error(format!("output with shape [] doesn't match the broadcast shape {}", show(&ones)));
    }
    one(t.dtype.map(to_float), sizes)
}

fn deviation(t: &TensorMeta, what: &str) -> Result<Option<DType>, ShapeError> {
    match t.dtype {
        Some(d) if !d.is_float() && !d.is_complex() => {
            not_implemented(format!("{what} only support floating point and complex dtypes"))
        }
        d => Ok(d.map(DType::to_real)),
    }
}

/// `std`, `var` over everything.
pub fn var(a: &[Meta]) -> RuleResult {
    one(deviation(&Args(a).tensor(0)?, "std and var")?, scalar())
}

pub fn var_correction(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    one(deviation(&t, "std and var")?, reduced(&t, a, 1, 3)?)
}

/// `std.dim`, `var.dim`: the `unbiased` flag stands before `keepdim`.
pub fn var_dim(a: &[Meta]) -> RuleResult {
    var_correction(a)
}

pub fn var_mean(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    let dtype = deviation(&t, "var_mean")?;
    Ok(smallvec![tensor(dtype, scalar()), tensor(t.dtype, scalar())])
}

pub fn var_mean_dims(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let dtype = deviation(&t, "var_mean")?;
    let sizes = reduced(&t, a, 1, 3)?;
    Ok(smallvec![tensor(dtype, sizes.clone()), tensor(t.dtype, sizes)])
}

fn norm_input(what: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    match t.dtype {
        Some(d) if !d.is_float() && !d.is_complex() => not_implemented(match what {
            "norm()" => {
                format!(
                    "norm(): input dtype should be either floating point or complex. Got {} instead.",
                    d.scalar_type_name()
                )
            }
            _ => {
                format!("{what}: Expected a floating point or complex tensor as input. Got {}", d.scalar_type_name())
            }
        }),
        _ => Ok(()),
    }
}

/// The dtype a norm is asked for must not lose what the input has.
fn norm_dtype(t: &TensorMeta, asked: Option<Option<DType>>) -> Result<Option<DType>, ShapeError> {
    let (Some(have), Some(asked)) = (t.dtype, asked) else { return Ok(None) };
    let Some(want) = asked else { return Ok(Some(have.to_real())) };
    let what = "linalg.vector_norm";
    if !want.is_float() && !want.is_complex() {
        return error(format!(
            "{what}: dtype should be floating point or complex, but got {}",
            want.scalar_type_name()
        ));
    }
    if have.is_complex() != want.is_complex() {
        let (kind, of) = if have.is_complex() { ("complex", "complex") } else { ("real", "real") };
        return error(format!("{what}: dtype should be {kind} for {of} inputs, but got {}", want.scalar_type_name()));
    }
    if promote_types(have, want).ok() != Some(want) {
        return error(format!(
            "{what}: the dtype of the input ({}) should be convertible without narrowing to the specified dtype ({})",
            have.scalar_type_name(),
            want.scalar_type_name()
        ));
    }
    Ok(Some(want.to_real()))
}

pub fn linalg_vector_norm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    norm_input("linalg.vector_norm", &t)?;
    let dtype = norm_dtype(&t, a.dtype(4))?;
    one(dtype, reduced(&t, a, 2, 3)?)
}

/// `norm.Scalar`: the whole tensor.
pub fn norm_all(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    norm_input("norm()", &t)?;
    one(t.dtype.map(DType::to_real), scalar())
}

pub fn norm_all_dtype(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    norm_input("linalg.vector_norm", &t)?;
    one(norm_dtype(&t, a.dtype(2))?, scalar())
}

pub fn norm_dims(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    norm_input("norm()", &t)?;
    one(t.dtype.map(DType::to_real), reduced(&t, a, 2, 3)?)
}

pub fn norm_dims_dtype(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    norm_input("linalg.vector_norm", &t)?;
    one(norm_dtype(&t, a.dtype(4))?, reduced(&t, a, 2, 3)?)
}

pub fn frobenius_norm_dim(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    norm_input("norm()", &t)?;
    one(t.dtype.map(DType::to_real), reduced(&t, a, 1, 2)?)
}

pub fn trace(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    if let Some(r) = t.rank()
        && r != 2
    {
        return error(format!("trace: expected a matrix, but got tensor with dim {r}"));
    }
    if t.dtype == Some(DType::C32) {
        return not_implemented_for("trace", DType::C32);
    }
    if t.dtype == Some(DType::Bool) {
        return not_implemented_for("trace", DType::Bool);
    }
    one(t.dtype.map(|d| if d.is_int() { DType::I64 } else { d }), scalar())
}

/// What goes before and after the tensor fits it everywhere but along the dimension.
fn diff_parts(a: Args<'_>, t: &TensorMeta, rank: usize, dim: usize) -> Result<(), ShapeError> {
    for i in [3, 4] {
        let Some(other) = a.optional_tensor(i)? else { continue };
        let Some(sizes) = &other.sizes else { continue };
        if sizes.len() != rank {
            return error("diff expects prepend or append to be the same dimension as input");
        }
        if let Some(d) = (0..rank).find(|d| *d != dim && t.size(*d).differs(sizes[*d])) {
            return error(format!(
                "diff expects the shape of tensor to prepend or append to match that of input except along the \
                 differencing dimension; input.size({d}) = {}, but got tensor.size({d}) = {}",
                t.size(d).known().unwrap_or_default(),
                sizes[d].known().unwrap_or_default()
            ));
        }
    }
    Ok(())
}

pub fn diff(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let Some(rank) = t.rank() else { return one(None, None) };
    if rank == 0 {
        return error("diff expects input to be at least one-dimensional");
    }
    let n = a.int(1);
    if let Some(n) = n
        && n < 0
    {
        return error(format!("order must be non-negative but got {n}"));
    }
    let Some(dim) = a.int(2) else { return one(None, None) };
    let dim = wrap_dim(dim, rank)?;
    if n == Some(0) {
        diff_parts(a, &t, rank, dim)?;
        return one(t.dtype, t.sizes);
    }
    diff_parts(a, &t, rank, dim)?;
    let mut length = t.size(dim);
    let mut dtype = t.dtype;
    for i in [3, 4] {
        let Some(other) = a.optional_tensor(i)? else { continue };
        let Some(sizes) = &other.sizes else { return one(None, None) };
        length = length.plus(sizes[dim]);
        dtype = match (dtype, other.dtype) {
            (Some(x), Some(y)) => Some(promote_types(x, y)?),
            _ => None,
        };
    }
    let Some(mut sizes) = t.sizes else { return one(None, None) };
    sizes[dim] = match (n, length) {
        (Some(0), s) => s,
        (Some(n), Size::Known(l)) => Size::Known((l - n).max(0)),
        _ => Size::Unknown,
    };
    one(dtype, Some(sizes))
}

pub fn bincount(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if let Some(d) = t.dtype
        && !d.is_int()
    {
        return not_implemented_for("bincount_cpu", d);
    }
    if t.rank().is_some_and(|r| r != 1) {
        return error("bincount only supports 1-d non-negative integral inputs.");
    }
    if let Some(n) = a.int(2)
        && n < 0
    {
        return error("minlength should be >= 0");
    }
    let weights = a.optional_tensor(1)?;
    if let Some(w) = &weights
        && (w.rank().is_some_and(|r| r != 1) || w.size(0).differs(t.size(0)))
    {
        return error("weights should be 1-d and have the same length as input");
    }
    let dtype = match weights {
        None => Some(DType::I64),
        Some(w) => w.dtype.map(|d| if d == DType::F32 { DType::F32 } else { DType::F64 }),
    };
    one(dtype, Some(smallvec![Size::Unknown]))
}

pub fn histc(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if let Some(n) = a.int(1)
        && n <= 0
    {
        return error(format!("torch.histogram(): bins must be > 0, but got {n} for dimension 0"));
    }
    if let Some(d) = t.dtype
        && d.is_complex()
    {
        let message = format!("aminmax not implemented for {}", d.scalar_type_name());
        return Err(ShapeError { kind: ErrorKind::Type, message });
    }
    one(t.dtype, Some(smallvec![a.size(1)]))
}

/// `nansum`, `nanmean`: as the sum and the mean.
pub fn nanmean(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    if let Some(d) = args.tensor(0)?.dtype
        && !d.is_float()
        && !d.is_complex()
    {
        return error(format!(
            "nanmean(): expected input to have floating point or complex dtype but got {}",
            d.scalar_type_name()
        ));
    }
    sum_dims(a)
}

/// `nanmedian` as `median`.
pub fn nanmedian(a: &[Meta]) -> RuleResult {
    median(a)
}

/// `_aminmax`: smallest and largest element.
pub fn aminmax_all(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    if let Some(d) = t.dtype
        && d.is_complex()
    {
        let message = format!("aminmax not implemented for {}", d.scalar_type_name());
        return Err(ShapeError { kind: ErrorKind::Type, message });
    }
    if t.numel() == Size::Known(0) {
        return error("aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
    }
    Ok(smallvec![tensor(t.dtype, scalar()), tensor(t.dtype, scalar())])
}

pub fn cummin(a: &[Meta]) -> RuleResult {
    let t = scan(Args(a), 1)?;
    no_complex("cummin_cpu", &t)?;
    Ok(smallvec![tensor(t.dtype, t.sizes.clone()), tensor(Some(DType::I64), t.sizes)])
}

pub fn std_mean(a: &[Meta]) -> RuleResult {
    var_mean(a).map_err(named_std_mean)
}

pub fn std_mean_dims(a: &[Meta]) -> RuleResult {
    var_mean_dims(a).map_err(named_std_mean)
}

fn named_std_mean(mut e: ShapeError) -> ShapeError {
    e.message = e.message.replace("var_mean only", "std_mean only");
    e
}

/// Whether each element is among others; either side may be a number.
pub fn isin(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let mut sizes = Some(Sizes::new());
    for i in 0..2 {
        if let Meta::Tensor(t) = a.get(i) {
            if let Some(d) = t.dtype
                && (d.is_complex() || d == DType::Bool)
            {
                return not_implemented(format!(
                    "Unsupported input type encountered for isin(): {}",
                    d.scalar_type_name()
                ));
            }
            if i == 0 {
                sizes = t.sizes.clone();
            }
        }
    }
    one(Some(DType::Bool), if a.is_unknown(0) { None } else { sizes })
}

fn quantile_of(name: &str, a: &[Meta], tensor_q: bool) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if t.numel() == Size::Known(0) {
        return error(format!("{name}() input tensor must be non-empty"));
    }
    if let Some(d) = t.dtype
        && !matches!(d, DType::F32 | DType::F64)
    {
        return error(format!("{name}() input tensor must be either float or double dtype"));
    }
    let mut lead = Some(Sizes::new());
    if tensor_q {
        let q = a.tensor(1)?;
        if q.rank().is_some_and(|r| r > 1) {
            return error(format!("{name}() q must be a scalar or 1D tensor"));
        }
        if let (Some(d), Some(e)) = (q.dtype, t.dtype)
            && d != e
        {
            return error(format!("{name}() q tensor must be same dtype as the input tensor"));
        }
        lead = q.sizes;
    } else if let Some(q) = a.float(1)
        && !(0.0..=1.0).contains(&q)
    {
        return error(format!("{name}() q must be in the range [0, 1] but got {q}"));
    }
    if let Some(mode) = a.str(4)
        && !matches!(mode, "linear" | "lower" | "higher" | "midpoint" | "nearest")
    {
        return error(format!(
            "{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {mode}"
        ));
    }
    let rest = if a.is_none(2) { reduced(&t, a, 2, 3)? } else { reduced_one(&t, a, 2, 3)? };
    let sizes = match (lead, rest) {
        (Some(mut l), Some(r)) => {
            l.extend(r);
            Some(l)
        }
        _ => None,
    };
    one(t.dtype, sizes)
}

pub fn quantile(a: &[Meta]) -> RuleResult {
    quantile_of("quantile", a, true)
}
pub fn quantile_scalar(a: &[Meta]) -> RuleResult {
    quantile_of("quantile", a, false)
}
pub fn nanquantile(a: &[Meta]) -> RuleResult {
    quantile_of("nanquantile", a, true)
}
pub fn nanquantile_scalar(a: &[Meta]) -> RuleResult {
    quantile_of("nanquantile", a, false)
}

pub fn mode(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let sizes = reduced_one(&t, a, 1, 2)?;
    if let Some(d) = a.int(1) {
        check_not_empty("mode()", &t, &[d], true)?;
    }
    Ok(smallvec![tensor(t.dtype, sizes.clone()), tensor(Some(DType::I64), sizes)])
}

/// The integral along a dimension, which goes away or (cumulative) loses one.
fn trapezoid_of(name: &str, a: &[Meta], with_x: bool, cumulative: bool) -> RuleResult {
    let args = Args(a);
    let y = args.tensor(0)?;
    if y.rank() == Some(0) {
        return index_error(format!(
            "Dimension specified as {} but tensor has no dimensions",
            args.int(2).unwrap_or(-1)
        ));
    }
    let Some(d) = args.int(2) else { return one(None, None) };
    let Some(mut sizes) = y.sizes.clone() else { return one(None, None) };
    let at = wrap_dim(d, sizes.len())?;
    let mut dtype = common_dtype(a[..1].iter())?;
    if with_x {
        let x = args.tensor(1)?;
        // Of nothing there is no sum.
        let nothing = !cumulative && sizes[at] == Size::Known(0);
        if let (Some(r), Some(s), false) = (x.rank(), &x.sizes, nothing) {
            if r != 1 {
                wrap_dim(d, r)?;
            }
            let along = if r == 1 { s[0] } else { x.size(wrap_dim(d, r)?) };
            if along.differs(sizes[at]) {
                return error(format!("{name}: There must be one `x` value for each sample point"));
            }
            if r > 1 {
                let mut other = s.clone();
                let i = wrap_dim(d, r)?;
                other[i] = other[i].map(|n| (n - 1).max(0));
                let mut mine = sizes.clone();
                mine[at] = mine[at].map(|n| (n - 1).max(0));
                let full = broadcast(&other, &mine)?;
                sizes = full;
                let i = sizes.len() - (y.rank().unwrap_or(1) - at);
                sizes[i] = y.size(at);
            }
        }
        if x.dtype == Some(DType::Bool) || y.dtype == Some(DType::Bool) {
            return error(format!("{name}: received a bool input for `x` or `y`, but bool is not supported"));
        }
        dtype = common_dtype(a[..2].iter())?;
    } else if y.dtype == Some(DType::Bool) {
        return error(format!("{name}: received a bool input for `y`, but bool is not supported"));
    }
    let at = sizes.len() - (y.rank().unwrap_or(1) - at);
    if cumulative {
        sizes[at] = sizes[at].map(|n| (n - 1).max(0));
    } else {
        sizes.remove(at);
    }
    one(dtype.map(to_float), Some(sizes))
}

pub fn trapezoid_x(a: &[Meta]) -> RuleResult {
    trapezoid_of("trapezoid", a, true, false)
}
pub fn trapezoid_dx(a: &[Meta]) -> RuleResult {
    trapezoid_of("trapezoid", a, false, false)
}
pub fn cumulative_trapezoid_x(a: &[Meta]) -> RuleResult {
    trapezoid_of("cumulative_trapezoid", a, true, true)
}
pub fn cumulative_trapezoid_dx(a: &[Meta]) -> RuleResult {
    trapezoid_of("cumulative_trapezoid", a, false, true)
}

/// Summed down to sizes that expand to the tensor's.
pub fn sum_to_size(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let (Some(to), Some(from)) = (a.sizes(1), &t.sizes) else { return one(t.dtype, a.sizes(1)) };
    let fits = to.len() <= from.len()
        && to.iter().zip(&from[from.len() - to.len()..]).all(|(t, f)| *t == Size::Known(1) || !t.differs(*f));
    if !fits {
        return error(format!("size {{{}}} is not expandable to size {{{}}}.", show(&to), show(from)));
    }
    one(t.dtype, Some(to))
}

/// One tensor like the first, of a float dtype, for each dimension that argument `dim` names.
fn gradients(a: &[Meta], dim: usize) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    if t.dtype == Some(DType::Bool) {
        return not_implemented(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.",
        );
    }
    if let (Some(dims), Some(rank), Meta::List(_)) = (args.ints(dim), t.rank(), args.get(dim)) {
        reduced_dims(&dims, rank)?;
    }
    // Where elements stand.
    for place in args.tensors(1).ok().flatten().iter().flatten() {
        if let Some(r) = place.rank()
            && r != 1
        {
            return error(format!(
                "torch.gradient expected each element of spacing to have one dimension, but got an element with {r} dimensions!"
            ));
        }
        if place.dtype == Some(DType::Bool) {
            return not_implemented(
                "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
            );
        }
    }
    let count = match args.get(dim) {
        Meta::None => t.rank(),
        Meta::Int(_) => Some(1),
        Meta::List(items) => Some(items.len()),
        _ => None,
    };
    let Some(count) = count else { return Ok(smallvec![Meta::Unknown]) };
    Ok(smallvec![Meta::List(vec![tensor(t.dtype.map(crate::promotion::to_float), t.sizes); count])])
}

/// (self, spacing, dim, edge_order).
pub fn gradient(a: &[Meta]) -> RuleResult {
    gradients(a, 2)
}

/// (self, dim, edge_order).
pub fn gradient_array(a: &[Meta]) -> RuleResult {
    gradients(a, 1)
}

/// (self, …): a square as large as there are rows, or one number.
pub fn cov(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    if let Some(r) = t.rank()
        && r > 2
    {
        return error(format!(
            "cov(): expected input to have two or fewer dimensions but got an input with {r} dimensions"
        ));
    }
    if t.dtype == Some(DType::Bool) {
        return error("cov(): bool dtype is not supported for input");
    }
    if let Some(d) = Args(a).optional_tensor(2)?.and_then(|w| w.dtype)
        && !d.is_int()
    {
        return error(format!(
            "cov(): expected fweights to have integral dtype but got fweights with {} dtype",
            d.scalar_type_name()
        ));
    }
    let dtype = t.dtype.map(crate::promotion::to_float);
    let sizes = t.sizes.map(|s| match s.as_slice() {
        [m, _] if *m != Size::Known(1) => smallvec![*m, *m],
        _ => Sizes::new(),
    });
    one(dtype, sizes)
}

/// Histograms, whose bins are borders at argument 1: (hist, bin_edges).
pub fn histogram_bins(a: &[Meta]) -> RuleResult {
    let (t, bins) = (Args(a).tensor(0)?, Args(a).tensor(1)?);
    check_borders(&t, std::slice::from_ref(&bins), Args(a).optional_tensor(2)?.as_ref())?;
    let edges = bins.numel();
    Ok(smallvec![tensor(t.dtype, Some(smallvec![edges.map(|n| n - 1)])), tensor(bins.dtype, Some(smallvec![edges]))])
}

/// Histograms with a number of bins.
pub fn histogram(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    let bins = Args(a).size(1);
    Ok(smallvec![tensor(t.dtype, Some(smallvec![bins])), tensor(t.dtype, Some(smallvec![bins.plus(Size::Known(1))]))])
}

/// (self, bins, …, weight): borders are vectors of the input's dtype, which the weights have too.
fn check_borders(t: &TensorMeta, borders: &[TensorMeta], weight: Option<&TensorMeta>) -> Result<(), ShapeError> {
    let what = "torch.histogramdd";
    for (d, border) in borders.iter().enumerate() {
        if let Some(r) = border.rank()
            && r != 1
        {
            return error(format!(
                "{what}: bins tensor should have one dimension, but got {r} dimensions in the bins tensor for dimension {d}"
            ));
        }
        if let (Some(want), Some(have)) = (t.dtype, border.dtype)
            && want != have
        {
            let (want, have) = (cpp_name(want), cpp_name(have));
            return error(format!(
                "{what}: input tensor and bins tensors should have the same dtype, but got input with dtype {want} and bins for dimension {d} with dtype {have}"
            ));
        }
    }
    match (t.dtype, weight.and_then(|w| w.dtype)) {
        (Some(want), Some(have)) if want != have => error(format!(
            "{what}: if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got input({}), and weight({})",
            cpp_name(want),
            cpp_name(have)
        )),
        _ => Ok(()),
    }
}

/// How many bins each dimension has: numbers, one number, or borders.
fn bins(a: Args<'_>) -> Result<Option<Sizes>, super::ShapeError> {
    if let Ok(Some(tensors)) = a.tensors(1)
        && !tensors.is_empty()
    {
        return Ok(Some(tensors.iter().map(|t| t.numel().map(|n| n - 1)).collect()));
    }
    let columns = a.tensor(0)?.sizes.and_then(|s| s.last().copied());
    Ok(match (a.get(1), columns) {
        (Meta::Int(n), Some(Size::Known(d))) if (0..=64).contains(&d) => Some(smallvec![*n; d as usize]),
        (Meta::List(_), _) => a.sizes(1),
        _ => None,
    })
}

pub fn histogramdd_counts(a: &[Meta]) -> RuleResult {
    one(Args(a).tensor(0)?.dtype, bins(Args(a))?)
}

/// (self, bins, weight, density): a list of borders.
pub fn histogramdd_tensors(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    check_borders(&t, &args.tensors(1)?.unwrap_or_default(), args.optional_tensor(2)?.as_ref())?;
    histogramdd_counts(a)
}

/// (self, bins, range, weight, density): the same with the borders.
pub fn histogramdd_borders(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    check_borders(&t, &args.tensors(1)?.unwrap_or_default(), args.optional_tensor(3)?.as_ref())?;
    histogramdd(a)
}

pub fn histogramdd_edges(a: &[Meta]) -> RuleResult {
    let dtype = Args(a).tensor(0)?.dtype;
    let Some(bins) = bins(Args(a))? else { return Ok(smallvec![Meta::Unknown]) };
    let edges = bins.iter().map(|n| tensor(dtype, Some(smallvec![n.plus(Size::Known(1))])));
    Ok(smallvec![Meta::List(edges.collect())])
}

pub fn histogramdd(a: &[Meta]) -> RuleResult {
    let (mut counts, edges) = (histogramdd_counts(a)?, histogramdd_edges(a)?);
    counts.extend(edges);
    Ok(counts)
}

/// (data, reduce, lengths, indices, offsets, axis, …).
pub fn segment_reduce(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    if let Some(d) = t.dtype
        && !d.is_float()
    {
        return not_implemented_for("_segment_reduce_cpu", d);
    }
    let (lengths, offsets) = (args.optional_tensor(2)?, args.optional_tensor(4)?);
    let Some(axis) = args.int(5) else { return one(t.dtype, None) };
    let Some(mut sizes) = t.sizes else { return one(t.dtype, None) };
    let axis = wrap_dim(axis, sizes.len())?;
    if sizes.is_empty() {
        return error("segment_reduce(): data has no dimensions");
    }
    sizes[axis] = match (&lengths, &offsets) {
        (Some(l), _) => l.sizes.as_ref().and_then(|s| s.last().copied()).unwrap_or(Size::Unknown),
        (None, Some(o)) => o.sizes.as_ref().and_then(|s| s.last().copied()).unwrap_or(Size::Unknown).map(|n| n - 1),
        (None, None) => Size::Unknown,
    };
    one(t.dtype, Some(sizes))
}

/// (v, pow, dim): 1 in every dimension but one, which keeps its size.
pub fn norm_except_dim(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    let (Some(sizes), Some(dim)) = (&t.sizes, args.int(2)) else { return one(t.dtype, None) };
    if dim == -1 {
        return one(t.dtype, Some(Sizes::new()));
    }
    let kept = wrap_dim(dim, sizes.len())?;
    let keep = |(d, s): (usize, &Size)| if d == kept { *s } else { Size::Known(1) };
    one(t.dtype.map(DType::to_real), Some(sizes.iter().enumerate().map(keep).collect()))
}

/// (self, dim, keepdim): two results of the input's dtype.
pub fn aminmax_dim(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    let sizes = match (&t.sizes, args.int(1), args.bool(2)) {
        (Some(s), Some(d), Some(keep)) => {
            let mask = reduced_dims(&[d], s.len())?;
            Some(reduce_sizes(s, &mask, keep))
        }
        _ => None,
    };
    Ok(smallvec![tensor(t.dtype, sizes.clone()), tensor(t.dtype, sizes)])
}

/// (self, dim, keepdim, …): 64 bits.
pub fn hash(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    let sizes = match (&t.sizes, args.ints(1), args.bool(2)) {
        (Some(s), Some(dims), _) if dims.is_empty() && s.contains(&Size::Known(0)) => {
            return error(
                "hash_tensor: Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.",
            );
        }
        (Some(s), Some(dims), Some(keep)) => {
            let mask = reduced_dims(&dims, s.len())?;
            if let Some(d) = (0..s.len()).find(|d| mask[*d] && s[*d] == Size::Known(0)) {
                return index_error(format!("hash_tensor: Expected reduction dim {d} to have non-zero size."));
            }
            Some(reduce_sizes(s, &mask, keep))
        }
        _ => None,
    };
    one(Some(DType::U64), sizes)
}
