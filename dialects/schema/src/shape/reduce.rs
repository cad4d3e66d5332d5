//! Rules of what reduces and is no fold of one record: orders of lanes, counts, differences and integrals.

use super::args::*;
use crate::geometry::Reduction;

/// What a reduction folds: everything, or the dimensions of an argument, and whether another keeps them as 1.
#[derive(Clone, Copy)]
enum Over {
    All,
    /// None and an empty list are everything.
    Dims(usize, usize),
}
use Over::{All, Dims};

fn reduced(t: &TensorMeta, a: &[Meta], over: Over) -> Result<Option<Sizes>, ShapeError> {
    let Dims(dims, keepdim) = over else { return Ok(Some(Sizes::new())) };
    let (Some(sizes), Some(dims)) = (&t.sizes, a.ints(dims)) else { return Ok(None) };
    let folded = reduced_dims(&dims, sizes.len())?;
    Ok(a.bool(keepdim).map(|keepdim| Reduction { folded, keepdim }.sizes(sizes)))
}

/// Integers and bool are summed in i64.
pub(super) fn widened(d: DType) -> DType {
    if d.is_int() || d == DType::Bool { DType::I64 } else { d }
}

/// An empty tensor has no largest element.
pub(super) fn check_not_empty(name: &str, t: &TensorMeta, dims: &[i64], hint: bool) -> Result<(), ShapeError> {
    let Some(sizes) = t.sizes.as_ref().filter(|_| t.is_empty()) else { return Ok(()) };
    let (kind, hint) = match hint {
        true => (ErrorKind::Runtime, " Specify the reduction dim with the 'dim' argument."),
        false => (ErrorKind::Index, ""),
    };
    if dims.is_empty() {
        let text = format!("{name}: Expected reduction dim to be specified for input.numel() == 0.{hint}");
        return Err(ShapeError::of(kind, text));
    }
    for &d in dims {
        let d = wrap_dim(d, sizes.len())?;
        refuse!(Index if sizes.get(d) == Some(&Size::Known(0)),
            "{name}: Expected reduction dim {d} to have non-zero size.");
    }
    Ok(())
}

/// The sum over the dimensions of argument 1, in the dtype of argument 3 or the one that sums have.
fn sum_dims(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    one(a.dtype_or(3, t.dtype.map(widened)), reduced(&t, a, Dims(1, 2))?)
}

pub fn nansum(a: &[Meta]) -> RuleResult {
    let dtype = a.tensor(0)?.dtype;
    refuse!(NotImplemented if dtype.is_some_and(DType::is_complex), "nansum on CPU does not support complex inputs");
    // Only floats have NaN; anything else is just summed.
    if dtype.is_some_and(DType::is_float) {
        kernel("nansum_cpu", a.dtype(3).flatten(), DType::is_float)?;
    }
    sum_dims(a)
}

/// The dtype of a mean in this one.
pub(super) fn mean_of(dtype: Option<DType>, kind: &str) -> Result<Option<DType>, ShapeError> {
    refuse!(NotImplemented if let Some(d) = dtype, !d.is_inexact(),
        "mean(): could not infer output dtype. {kind} dtype must be either a floating point or complex dtype. Got: {}",
        d.scalar_type_name());
    Ok(dtype)
}

pub fn equal(_: &[Meta]) -> RuleResult {
    Ok(smallvec![Meta::Unknown])
}

/// Operands and tolerances (self, other, rtol, atol, …) can be compared.
pub(super) fn check_close(a: &[Meta], nan: bool) -> Result<Option<Sizes>, ShapeError> {
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    refuse!(if let Some((d, e)) = unlike(&x, &y), "{d} did not match {e}");
    for (i, name) in [(2, "rtol"), (3, "atol")] {
        refuse!(if let Some(v) = a.float(i), v < 0.0 || nan && v.is_nan(),
            "{name} must be greater than or equal to zero, but got {v}");
    }
    broadcast_all([&x, &y])
}

pub fn allclose(a: &[Meta]) -> RuleResult {
    check_close(a, false)?;
    equal(a)
}

/// Values and their positions.
fn values_and_indices(t: &TensorMeta, sizes: Option<Sizes>) -> RuleResult {
    Ok(smallvec![tensor(t.dtype, sizes.clone()), tensor(Some(DType::I64), sizes)])
}

fn placed(a: &[Meta], name: &str) -> RuleResult {
    let t = a.tensor(0)?;
    let sizes = reduced(&t, a, Dims(1, 2))?;
    if let Some(d) = a.int(1) {
        check_not_empty(name, &t, &[d], true)?;
    }
    values_and_indices(&t, sizes)
}

rules! { mode = placed, "mode()"; median = middle, "median_cpu"; nanmedian = middle, "median_cpu"; }

fn middle(a: &[Meta], name: &str) -> RuleResult {
    one(median_dtype(&a.tensor(0)?, name)?, Some(Sizes::new()))
}

/// No order of complex numbers.
fn no_aminmax(t: &TensorMeta) -> Result<(), ShapeError> {
    refuse!(Type if let Some(d) = t.dtype_not(|d| !d.is_complex()), "aminmax not implemented for {d}");
    Ok(())
}

pub fn aminmax(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    no_aminmax(&t)?;
    if a.is_none(1) {
        return aminmax_all(a);
    }
    if let (Some(d), Some(sizes)) = (a.int(1), &t.sizes) {
        let at = wrap_dim(d, sizes.len())?;
        refuse!(Index if sizes.get(at) == Some(&Size::Known(0)),
            "aminmax: Expected reduction dim {at} to have non-zero size.");
    }
    aminmax_dim(a)
}

/// (self, dim, keepdim): two results of the input's dtype.
pub fn aminmax_dim(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let sizes = reduced(&t, a, Dims(1, 2))?;
    Ok(smallvec![tensor(t.dtype, sizes.clone()), tensor(t.dtype, sizes)])
}

/// `_aminmax`: smallest and largest element.
pub fn aminmax_all(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    no_aminmax(&t)?;
    refuse!(if t.is_empty(),
        "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
    let sizes = reduced(&t, a, if a.len() > 2 { Dims(1, 2) } else { All })?;
    Ok(smallvec![tensor(t.dtype, sizes.clone()), tensor(t.dtype, sizes)])
}

fn median_dtype(t: &TensorMeta, name: &str) -> Result<Option<DType>, ShapeError> {
    kernel(name, t.dtype, |d| !d.is_complex() && d != DType::Bool)?;
    Ok(t.dtype)
}

pub fn median_dim(a: &[Meta]) -> RuleResult {
    let results = placed(a, "median()")?;
    median_dtype(&a.tensor(0)?, "median_out")?;
    Ok(results)
}

/// What linear algebra takes.
pub(super) fn inexact(what: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    refuse!(NotImplemented if let Some(d) = t.dtype_not(DType::is_inexact),
        "{what}: Expected a floating point or complex tensor as input. Got {d}");
    Ok(())
}

/// The dtype a norm is asked for must not lose what the input has.
pub(super) fn norm_dtype(t: &TensorMeta, asked: Option<DType>) -> Result<Option<DType>, ShapeError> {
    let what = "linalg.vector_norm";
    inexact(what, t)?;
    let Some(have) = t.dtype else { return Ok(None) };
    let Some(want) = asked else { return Ok(Some(have.to_real())) };
    let (from, to) = (have.scalar_type_name(), want.scalar_type_name());
    refuse!(if !want.is_inexact(), "{what}: dtype should be floating point or complex, but got {to}");
    let kind = if have.is_complex() { "complex" } else { "real" };
    refuse!(if have.is_complex() != want.is_complex(), "{what}: dtype should be {kind} for {kind} inputs, but got {to}");
    refuse!(if promote_types(have, want).ok() != Some(want),
        "{what}: the dtype of the input ({from}) should be convertible without narrowing to the specified dtype ({to})");
    Ok(Some(want.to_real()))
}

/// (self, order, dim, keepdim, dtype): a norm without its root.
pub fn powsum(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let dtype = a.dtype(4).map(|asked| norm_dtype(&t, asked)).transpose()?.flatten();
    one(dtype, reduced(&t, a, Dims(2, 3))?)
}

pub fn trace(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(if let Some(r) = t.rank_not(2), "trace: expected a matrix, but got tensor with dim {r}");
    kernel("trace", t.dtype, |d| !matches!(d, DType::C32 | DType::Bool))?;
    one(t.dtype.map(|d| if d.is_int() { DType::I64 } else { d }), Some(Sizes::new()))
}

/// (self, n, dim, prepend, append): what goes before and after the tensor fits it everywhere but along the dimension.
pub fn diff(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let Some(rank) = t.rank() else { return one(None, None) };
    refuse!(if rank == 0, "diff expects input to be at least one-dimensional");
    let n = a.int(1);
    refuse!(if let Some(n) = n, n < 0, "order must be non-negative but got {n}");
    let Some(dim) = a.int(2) else { return one(None, None) };
    let dim = wrap_dim(dim, rank)?;
    let (mut length, mut dtype, mut known) = (t.size(dim), t.dtype, true);
    for i in [3, 4] {
        let Some(other) = a.optional_tensor(i)? else { continue };
        let Some(sizes) = &other.sizes else {
            known = false;
            continue;
        };
        refuse!(if sizes.len() != rank, "diff expects prepend or append to be the same dimension as input");
        refuse!(if let Some(d) = (0..rank).find(|d| *d != dim && t.size(*d).differs(sizes[*d])),
            "diff expects the shape of tensor to prepend or append to match that of input except along the \
             differencing dimension; input.size({d}) = {}, but got tensor.size({d}) = {}", t.size(d), sizes[d]);
        length = length.plus(sizes[dim]);
        dtype = dtype.zip(other.dtype).map(|(x, y)| promote_types(x, y)).transpose()?;
    }
    if n == Some(0) {
        return one(t.dtype, t.sizes);
    }
    let Some(mut sizes) = t.sizes.filter(|_| known) else { return one(None, None) };
    sizes[dim] = length.minus(n).most(0);
    one(dtype, Some(sizes))
}

pub fn bincount(a: &[Meta]) -> RuleResult {
    let (t, weights) = (a.tensor(0)?, a.optional_tensor(1)?);
    kernel("bincount_cpu", t.dtype, DType::is_int)?;
    refuse!(if t.rank_not(1).is_some(), "bincount only supports 1-d non-negative integral inputs.");
    refuse!(if a.int(2).is_some_and(|n| n < 0), "minlength should be >= 0");
    refuse!(if weights.as_ref().is_some_and(|w| w.rank_not(1).is_some() || w.size(0).differs(t.size(0))),
        "weights should be 1-d and have the same length as input");
    let dtype = match weights {
        None => Some(DType::I64),
        Some(w) => w.dtype.map(|d| if d == DType::F32 { DType::F32 } else { DType::F64 }),
    };
    one(dtype, Some(smallvec![Size::Unknown]))
}

pub fn histc(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(if let Some(n) = a.int(1), n <= 0, "torch.histogram(): bins must be > 0, but got {n} for dimension 0");
    no_aminmax(&t)?;
    one(t.dtype, Some(smallvec![a.size(1)]))
}

/// `nanmean`: as the sum.
pub fn nanmean(a: &[Meta]) -> RuleResult {
    refuse!(if let Some(d) = a.tensor(0)?.dtype_not(DType::is_inexact),
        "nanmean(): expected input to have floating point or complex dtype but got {d}");
    sum_dims(a)
}

/// Whether each element is among others; either side may be a number.
pub fn isin(a: &[Meta]) -> RuleResult {
    for meta in a.iter().take(2) {
        if let Meta::Tensor(t) = meta {
            refuse!(NotImplemented if let Some(d) = t.dtype_not(|d| !d.is_complex() && d != DType::Bool),
                "Unsupported input type encountered for isin(): {d}");
        }
    }
    let sizes = match a.meta(0) {
        Meta::Tensor(t) => t.sizes.clone(),
        Meta::Unknown => None,
        _ => Some(Sizes::new()),
    };
    one(Some(DType::Bool), sizes)
}

fn quantile_of(a: &[Meta], name: &str, tensor_q: bool) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(if t.is_empty(), "{name}() input tensor must be non-empty");
    refuse!(if t.dtype_not(|d| matches!(d, DType::F32 | DType::F64)).is_some(),
        "{name}() input tensor must be either float or double dtype");
    let mut lead = Some(Sizes::new());
    if tensor_q {
        let q = a.tensor(1)?;
        refuse!(if q.rank().is_some_and(|r| r > 1), "{name}() q must be a scalar or 1D tensor");
        refuse!(if unlike(&q, &t).is_some(), "{name}() q tensor must be same dtype as the input tensor");
        lead = q.sizes;
    } else {
        refuse!(if let Some(q) = a.float(1), !(0.0..=1.0).contains(&q),
            "{name}() q must be in the range [0, 1] but got {q}");
    }
    refuse!(if let Some(mode) = a.str(4), !matches!(mode, "linear" | "lower" | "higher" | "midpoint" | "nearest"),
        "{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {mode}");
    let rest = reduced(&t, a, Dims(2, 3))?;
    one(t.dtype, lead.zip(rest).map(|(l, r)| l.into_iter().chain(r).collect()))
}

rules! {
    quantile = quantile_of, "quantile", true; quantile_scalar = quantile_of, "quantile", false;
    nanquantile = quantile_of, "nanquantile", true; nanquantile_scalar = quantile_of, "nanquantile", false;
}

/// The integral along a dimension, which goes away or (cumulative) loses one.
fn trapezoid_of(a: &[Meta], name: &str, with_x: bool, cumulative: bool) -> RuleResult {
    let y = a.tensor(0)?;
    refuse!(Index if y.rank() == Some(0),
        "Dimension specified as {} but tensor has no dimensions", a.int(2).unwrap_or(-1));
    let (Some(d), Some(mut sizes)) = (a.int(2), y.sizes.clone()) else { return one(None, None) };
    let at = wrap_dim(d, sizes.len())?;
    let back = sizes.len() - at;
    let fewer = |s: Size| s.minus(1).most(0);
    if with_x {
        let x = a.tensor(1)?;
        // Of nothing there is no sum.
        let nothing = !cumulative && sizes[at] == Size::Known(0);
        if let (Some(s), false) = (&x.sizes, nothing) {
            let i = if s.len() == 1 { 0 } else { wrap_dim(d, s.len())? };
            refuse!(if s.get(i).is_some_and(|s| s.differs(sizes[at])),
                "{name}: There must be one `x` value for each sample point");
            if s.len() > 1 {
                let (mut other, mut mine) = (s.clone(), sizes.clone());
                other[i] = fewer(other[i]);
                mine[at] = fewer(mine[at]);
                sizes = broadcast(&other, &mine)?;
                let i = sizes.len() - back;
                sizes[i] = y.size(at);
            }
        }
        refuse!(if x.dtype == Some(DType::Bool) || y.dtype == Some(DType::Bool),
            "{name}: received a bool input for `x` or `y`, but bool is not supported");
    } else {
        refuse!(if y.dtype == Some(DType::Bool), "{name}: received a bool input for `y`, but bool is not supported");
    }
    let at = sizes.len() - back;
    if cumulative {
        sizes[at] = fewer(sizes[at]);
    } else {
        sizes.remove(at);
    }
    one(common_dtype(a[..1 + usize::from(with_x)].iter())?.map(to_float), Some(sizes))
}

rules! {
    trapezoid_x = trapezoid_of, "trapezoid", true, false; trapezoid_dx = trapezoid_of, "trapezoid", false, false;
    cumulative_trapezoid_x = trapezoid_of, "cumulative_trapezoid", true, true;
    cumulative_trapezoid_dx = trapezoid_of, "cumulative_trapezoid", false, true;
}

/// Summed down to sizes that expand to the tensor's.
pub fn sum_to_size(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let (Some(to), Some(from)) = (a.sizes(1), &t.sizes) else { return one(t.dtype, a.sizes(1)) };
    let fits = to.len() <= from.len()
        && to.iter().zip(&from[from.len() - to.len()..]).all(|(t, f)| *t == Size::Known(1) || !t.differs(*f));
    refuse!(if !fits, "size {{{}}} is not expandable to size {{{}}}.", show(&to), show(from));
    one(t.dtype, Some(to))
}

/// One tensor like the first, of a float dtype, for each dimension that argument `dim` names.
fn gradients(a: &[Meta], dim: usize) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(NotImplemented if t.dtype == Some(DType::Bool),
        "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.");
    if let (Some(dims), Some(rank), Meta::List(_)) = (a.ints(dim), t.rank(), a.meta(dim)) {
        reduced_dims(&dims, rank)?;
    }
    // Where elements stand.
    for place in a.tensors(1).ok().flatten().iter().flatten() {
        refuse!(if let Some(r) = place.rank_not(1),
            "torch.gradient expected each element of spacing to have one dimension, but got an element with {r} dimensions!");
        no_negated_truth(place)?;
    }
    let count = match a.meta(dim) {
        Meta::None => t.rank(),
        Meta::Int(_) => Some(1),
        Meta::List(items) => Some(items.len()),
        _ => None,
    };
    let each = tensor(t.dtype.map(to_float), t.sizes);
    Ok(smallvec![count.map_or(Meta::Unknown, |n| Meta::List(vec![each; n]))])
}

rules! {
    /// (self, spacing, dim, edge_order).
    gradient = gradients, 2;
    /// (self, dim, edge_order).
    gradient_array = gradients, 1;
}

/// (self, …): a square as large as there are rows, or one number.
pub fn cov(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(if let Some(r) = t.rank(), r > 2,
        "cov(): expected input to have two or fewer dimensions but got an input with {r} dimensions");
    refuse!(if t.dtype == Some(DType::Bool), "cov(): bool dtype is not supported for input");
    refuse!(if let Some(d) = a.optional_tensor(2)?.and_then(|w| w.dtype_not(DType::is_int)),
        "cov(): expected fweights to have integral dtype but got fweights with {d} dtype");
    let sizes = t.sizes.map(|s| match s.as_slice() {
        [m, _] if *m != Size::Known(1) => smallvec![*m, *m],
        _ => Sizes::new(),
    });
    one(t.dtype.map(to_float), sizes)
}

/// Histograms, whose bins are borders at argument 1: (hist, bin_edges).
pub fn histogram_bins(a: &[Meta]) -> RuleResult {
    let (t, bins) = (a.tensor(0)?, a.tensor(1)?);
    check_borders(&t, std::slice::from_ref(&bins), a.optional_tensor(2)?)?;
    let edges = bins.numel();
    Ok(smallvec![tensor(t.dtype, Some(smallvec![edges.minus(1)])), tensor(bins.dtype, Some(smallvec![edges]))])
}

/// Histograms with a number of bins.
pub fn histogram(a: &[Meta]) -> RuleResult {
    let (dtype, bins) = (a.tensor(0)?.dtype, a.size(1));
    Ok(smallvec![tensor(dtype, Some(smallvec![bins])), tensor(dtype, Some(smallvec![bins.plus(1)]))])
}

/// (self, bins, …, weight): borders are vectors of the input's dtype, which the weights have too.
fn check_borders(t: &TensorMeta, borders: &[TensorMeta], weight: Option<TensorMeta>) -> Result<(), ShapeError> {
    let what = "torch.histogramdd";
    for (d, border) in borders.iter().enumerate() {
        refuse!(if let Some(r) = border.rank_not(1),
            "{what}: bins tensor should have one dimension, but got {r} dimensions in the bins tensor for dimension {d}");
        refuse!(if let Some((want, have)) = unlike_cpp(t, border),
            "{what}: input tensor and bins tensors should have the same dtype, but got input with dtype {want} and bins for dimension {d} with dtype {have}");
    }
    refuse!(if let Some((want, have)) = weight.and_then(|w| unlike_cpp(t, &w)),
        "{what}: if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got input({want}), and weight({have})");
    Ok(())
}

/// How many bins each dimension has: numbers, one number, or borders.
fn bins(a: &[Meta]) -> Result<Option<Sizes>, ShapeError> {
    if let Some(tensors) = a.tensors(1).ok().flatten().filter(|t| !t.is_empty()) {
        return Ok(Some(tensors.iter().map(|t| t.numel().minus(1)).collect()));
    }
    Ok(match (a.meta(1), a.tensor(0)?.last()) {
        (Meta::Int(n), Size::Known(d)) if (0..=64).contains(&d) => Some(smallvec![*n; d as usize]),
        (Meta::List(_), _) => a.sizes(1),
        _ => None,
    })
}

pub fn histogramdd_counts(a: &[Meta]) -> RuleResult {
    one(a.tensor(0)?.dtype, bins(a)?)
}

/// (self, bins, weight, density): a list of borders.
pub fn histogramdd_tensors(a: &[Meta]) -> RuleResult {
    check_borders(&a.tensor(0)?, &a.tensors(1)?.unwrap_or_default(), a.optional_tensor(2)?)?;
    histogramdd_counts(a)
}

/// (self, bins, range, weight, density): the same with the borders.
pub fn histogramdd_borders(a: &[Meta]) -> RuleResult {
    check_borders(&a.tensor(0)?, &a.tensors(1)?.unwrap_or_default(), a.optional_tensor(3)?)?;
    histogramdd(a)
}

pub fn histogramdd_edges(a: &[Meta]) -> RuleResult {
    let dtype = a.tensor(0)?.dtype;
    let edges = |bins: Sizes| bins.iter().map(|n| tensor(dtype, Some(smallvec![n.plus(1)]))).collect();
    Ok(smallvec![bins(a)?.map_or(Meta::Unknown, |bins| Meta::List(edges(bins)))])
}

pub fn histogramdd(a: &[Meta]) -> RuleResult {
    let (mut counts, edges) = (histogramdd_counts(a)?, histogramdd_edges(a)?);
    counts.extend(edges);
    Ok(counts)
}

/// (data, reduce, lengths, indices, offsets, axis, …).
pub fn segment_reduce(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    kernel("_segment_reduce_cpu", t.dtype, DType::is_float)?;
    let (lengths, offsets) = (a.optional_tensor(2)?, a.optional_tensor(4)?);
    let (Some(axis), Some(mut sizes)) = (a.int(5), t.sizes) else { return one(t.dtype, None) };
    let axis = wrap_dim(axis, sizes.len())?;
    refuse!(if sizes.is_empty(), "segment_reduce(): data has no dimensions");
    sizes[axis] = match (&lengths, &offsets) {
        (Some(l), _) => l.last(),
        (None, Some(o)) => o.last().minus(1),
        (None, None) => Size::Unknown,
    };
    one(t.dtype, Some(sizes))
}

/// (v, pow, dim): 1 in every dimension but one, which keeps its size.
pub fn norm_except_dim(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let (Some(sizes), Some(dim)) = (&t.sizes, a.int(2)) else { return one(t.dtype, None) };
    if dim == -1 {
        return one(t.dtype, Some(Sizes::new()));
    }
    let mut folded: SmallVec<[bool; 6]> = SmallVec::from_elem(true, sizes.len());
    let kept = wrap_dim(dim, sizes.len())?;
    folded.iter_mut().skip(kept).take(1).for_each(|f| *f = false);
    one(t.dtype.map(DType::to_real), Some(reduce_sizes(sizes, &folded, true)))
}

/// (self, dim, keepdim, …): 64 bits.
pub fn hash(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let sizes = reduced(&t, a, Dims(1, 2))?;
    if let Some(dims) = a.ints(1) {
        check_not_empty("hash_tensor", &t, &dims, true)?;
    }
    one(Some(DType::U64), sizes)
}
