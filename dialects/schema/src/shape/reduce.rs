//! Rules of what reduces and is no fold of one record: orders of lanes, counts, differences and integrals.

use super::args::*;
use super::view::replaced;
use crate::geometry::Reduction;

/// Sizes after folding dimensions, of which none and an empty list are all.
fn reduced(t: &TensorMeta, dims: Dims, keepdim: Flag) -> Result<Option<Sizes>, ShapeError> {
    let (Some(sizes), Some(dims)) = (&t.sizes, dims) else { return Ok(None) };
    let folded = reduced_dims(&dims, sizes.len())?;
    Ok(keepdim.map(|keepdim| Reduction { folded, keepdim }.sizes(sizes)))
}

/// Integers and bool are summed in i64.
pub(super) fn widened(d: DType) -> DType {
    if d.is_int() || d == DType::Bool { DType::I64 } else { d }
}

/// A dimension without elements has no order.
pub(super) fn no_elements(name: &str, sizes: &[Size], dim: usize) -> Result<(), ShapeError> {
    refuse!(Index if sizes.get(dim) == Some(&Size::Known(0)),
        "{name}: Expected reduction dim {dim} to have non-zero size.");
    Ok(())
}

/// An empty tensor has no largest element.
pub(super) fn check_not_empty(name: &str, t: &TensorMeta, dims: &[i64], hint: bool) -> Result<(), ShapeError> {
    let Some(sizes) = t.sizes.as_ref().filter(|_| t.is_empty()) else { return Ok(()) };
    let what = format!("{name}: Expected reduction dim to be specified for input.numel() == 0.");
    refuse!(if dims.is_empty() && hint, "{what} Specify the reduction dim with the 'dim' argument.");
    refuse!(Index if dims.is_empty(), "{what}");
    dims.iter().try_for_each(|d| no_elements(name, sizes, wrap_dim(*d, sizes.len())?))
}

/// A sum, in the dtype that is asked for or the one that sums have.
fn summed(t: TensorMeta, dims: Dims, keepdim: Flag, dtype: Asked) -> RuleResult {
    one(dtype.or(t.dtype.map(widened)), reduced(&t, dims, keepdim)?)
}

pub fn nansum(t: TensorMeta, dims: Dims, keepdim: Flag, dtype: Asked) -> RuleResult {
    refuse!(NotImplemented if t.dtype.is_some_and(DType::is_complex), "nansum on CPU does not support complex inputs");
    // Only floats have NaN; anything else is just summed.
    if t.dtype.is_some_and(DType::is_float) {
        kernel("nansum_cpu", dtype.given(), DType::is_float)?;
    }
    summed(t, dims, keepdim, dtype)
}

/// The dtype of a mean in this one.
pub(super) fn mean_of(dtype: Option<DType>, kind: &str) -> Result<Option<DType>, ShapeError> {
    refuse!(NotImplemented if let Some(d) = dtype, !d.is_inexact(),
        "mean(): could not infer output dtype. {kind} dtype must be either a floating point or complex dtype. Got: {}",
        d.scalar_type_name());
    Ok(dtype)
}

/// Operands and their relative and absolute tolerances can be compared.
pub(super) fn check_close(
    [x, y]: [TensorMeta; 2],
    tolerances: [Float; 2],
    nan: bool,
) -> Result<Option<Sizes>, ShapeError> {
    refuse!(if let Some((d, e)) = unlike(&x, &y), "{d} did not match {e}");
    for (value, name) in tolerances.into_iter().zip(["rtol", "atol"]) {
        refuse!(if let Some(v) = value, v < 0.0 || nan && v.is_nan(),
            "{name} must be greater than or equal to zero, but got {v}");
    }
    broadcast_all([&x, &y])
}

rules! {
    equal = |_: Skip<1>| Ok(smallvec![Meta::Unknown]);
    allclose = |both: [TensorMeta; 2], tolerances: [Float; 2]| check_close(both, tolerances, false).map(|_| smallvec![Meta::Unknown]);
    /// Elements stand one from another.
    gradient_array = |t: TensorMeta, dims: Meta| gradient(t, Meta::None, dims);
    /// Histograms with a number of bins, over one dimension and several.
    histogram = |t: TensorMeta, n: Size| {
        Ok(smallvec![tensor(t.dtype, Some(smallvec![n])), tensor(t.dtype, Some(smallvec![n.plus(1)]))])
    };
    histogramdd_counts = |t: TensorMeta, bins: Meta| Ok(histogramdd(t, bins)?.drain(..1).collect());
    histogramdd_edges = |t: TensorMeta, bins: Meta| Ok(histogramdd(t, bins)?.drain(1..).collect());
    mode = placed, "mode()"; median = middle, "median_cpu"; nanmedian = middle, "median_cpu";
}

/// Values and their positions.
pub(super) fn values_and_indices(t: &TensorMeta, sizes: Option<Sizes>) -> RuleResult {
    Ok(smallvec![t.with_sizes(sizes.clone()), tensor(Some(DType::I64), sizes)])
}

fn placed(t: TensorMeta, dim: Dims, keepdim: Flag, name: &str) -> RuleResult {
    let sizes = reduced(&t, dim.clone(), keepdim)?;
    dim.map_or(Ok(()), |dim| check_not_empty(name, &t, &dim, true))?;
    values_and_indices(&t, sizes)
}

fn middle(t: TensorMeta, name: &str) -> RuleResult {
    kernel(name, t.dtype, |d| !d.is_complex() && d != DType::Bool)?;
    one(t.dtype, Some(Sizes::new()))
}

pub fn median_dim(t: TensorMeta, dim: Dims, keepdim: Flag) -> RuleResult {
    let results = placed(t.clone(), dim, keepdim, "median()")?;
    middle(t, "median_out")?;
    Ok(results)
}

/// No order of complex numbers.
fn no_aminmax(t: &TensorMeta) -> Result<(), ShapeError> {
    refuse!(Type if let Some(d) = t.dtype_not(|d| !d.is_complex()), "aminmax not implemented for {d}");
    Ok(())
}

pub fn aminmax(t: TensorMeta, dim: Meta, keepdim: Flag) -> RuleResult {
    no_aminmax(&t)?;
    if dim.is_none() {
        aminmax_all(t.clone())?;
    } else if let (Some(sizes), Some(at)) = (&t.sizes, t.dimension(dim.int())?) {
        no_elements("aminmax", sizes, at)?;
    }
    aminmax_dim(t, dim.ints(), keepdim)
}

/// Two results of the input's dtype.
pub fn aminmax_dim(t: TensorMeta, dim: Dims, keepdim: Flag) -> RuleResult {
    let extreme = tensor(t.dtype, reduced(&t, dim, keepdim)?);
    Ok(smallvec![extreme.clone(), extreme])
}

/// `_aminmax`: smallest and largest element.
pub fn aminmax_all(t: TensorMeta) -> RuleResult {
    no_aminmax(&t)?;
    refuse!(if t.is_empty(),
        "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
    let extreme = tensor(t.dtype, Some(Sizes::new()));
    Ok(smallvec![extreme.clone(), extreme])
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

/// A norm without its root.
pub fn powsum(t: TensorMeta, _: Skip<1>, dims: Dims, keepdim: Flag, dtype: Asked) -> RuleResult {
    let dtype = dtype.0.map(|asked| norm_dtype(&t, asked)).transpose()?.flatten();
    one(dtype, reduced(&t, dims, keepdim)?)
}

pub fn trace(t: TensorMeta) -> RuleResult {
    refuse!(if let Some(r) = t.rank_not(2), "trace: expected a matrix, but got tensor with dim {r}");
    one(t.dtype.map(widened), Some(Sizes::new()))
}

/// What goes before and after the tensor fits it everywhere but along the dimension.
pub fn diff(t: TensorMeta, n: Int, dim: Int, around: [Maybe; 2]) -> RuleResult {
    let Some(own) = &t.sizes else { return one(None, None) };
    let rank = own.len();
    refuse!(if rank == 0, "diff expects input to be at least one-dimensional");
    refuse!(if let Some(n) = n, n < 0, "order must be non-negative but got {n}");
    let Some(dim) = t.dimension(dim)? else { return one(None, None) };
    let (mut length, mut dtype, mut known) = (t.size(dim), t.dtype, true);
    for other in around.into_iter().flatten() {
        let Some(sizes) = other.sizes else {
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
    one(dtype.filter(|_| known), known.then(|| replaced(own, dim, length.minus(n).most(0))))
}

pub fn bincount(t: TensorMeta, weights: Maybe, minlength: Int) -> RuleResult {
    kernel("bincount_cpu", t.dtype, DType::is_int)?;
    refuse!(if t.rank_not(1).is_some(), "bincount only supports 1-d non-negative integral inputs.");
    refuse!(if minlength.is_some_and(|n| n < 0), "minlength should be >= 0");
    refuse!(if weights.as_ref().is_some_and(|w| w.rank_not(1).is_some() || w.size(0).differs(t.size(0))),
        "weights should be 1-d and have the same length as input");
    let dtype = match weights {
        None => Some(DType::I64),
        Some(w) => w.dtype.map(|d| if d == DType::F32 { DType::F32 } else { DType::F64 }),
    };
    one(dtype, Some(smallvec![Size::Unknown]))
}

pub fn histc(t: TensorMeta, bins: Size) -> RuleResult {
    refuse!(if let Some(n) = bins.known(), n <= 0, "torch.histogram(): bins must be > 0, but got {n} for dimension 0");
    no_aminmax(&t)?;
    one(t.dtype, Some(smallvec![bins]))
}

/// As the sum.
pub fn nanmean(t: TensorMeta, dims: Dims, keepdim: Flag, dtype: Asked) -> RuleResult {
    refuse!(if let Some(d) = t.dtype_not(DType::is_inexact),
        "nanmean(): expected input to have floating point or complex dtype but got {d}");
    summed(t, dims, keepdim, dtype)
}

/// Whether each element is among others; either side may be a number.
pub fn isin(both: [Meta; 2]) -> RuleResult {
    for t in both.iter().filter_map(|meta| if let Meta::Tensor(t) = meta { Some(t) } else { None }) {
        refuse!(NotImplemented if let Some(d) = t.dtype_not(|d| !d.is_complex() && d != DType::Bool),
            "Unsupported input type encountered for isin(): {d}");
    }
    let sizes = match &both[0] {
        Meta::Tensor(t) => t.sizes.clone(),
        elements => (!elements.is_unknown()).then(Sizes::new),
    };
    one(Some(DType::Bool), sizes)
}

fn quantiles(t: TensorMeta, q: Meta, dims: Dims, keepdim: Flag, mode: Text, name: &str) -> RuleResult {
    refuse!(if t.is_empty(), "{name}() input tensor must be non-empty");
    refuse!(if t.dtype_not(|d| matches!(d, DType::F32 | DType::F64)).is_some(),
        "{name}() input tensor must be either float or double dtype");
    let mut lead = (!q.is_unknown()).then(Sizes::new);
    if let Meta::Tensor(q) = &q {
        refuse!(if q.rank().is_some_and(|r| r > 1), "{name}() q must be a scalar or 1D tensor");
        refuse!(if unlike(q, &t).is_some(), "{name}() q tensor must be same dtype as the input tensor");
        lead = q.sizes.clone();
    }
    refuse!(if let Some(q) = q.float(), !(0.0..=1.0).contains(&q),
        "{name}() q must be in the range [0, 1] but got {q}");
    refuse!(if let Some(mode) = mode, !matches!(&*mode, "linear" | "lower" | "higher" | "midpoint" | "nearest"),
        "{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {mode}");
    let rest = reduced(&t, dims, keepdim)?;
    one(t.dtype, lead.zip(rest).map(|(l, r)| l.into_iter().chain(r).collect()))
}

rules! {
    quantile = quantiles, "quantile"; quantile_scalar = quantiles, "quantile";
    nanquantile = quantiles, "nanquantile"; nanquantile_scalar = quantiles, "nanquantile";
}

/// The integral along a dimension, which goes away or (cumulative) loses one.
fn trapezoid_of(y: TensorMeta, x: Meta, dim: Int, name: &str, with_x: bool, cumulative: bool) -> RuleResult {
    refuse!(Index if y.rank() == Some(0),
        "Dimension specified as {} but tensor has no dimensions", dim.unwrap_or(-1));
    let (Some(d), Some(mut sizes)) = (dim, y.sizes.clone()) else { return one(None, None) };
    let at = wrap_dim(d, sizes.len())?;
    let back = sizes.len() - at;
    let fewer = |s: Size| s.minus(1).most(0);
    let x = with_x.then(|| if let Meta::Tensor(x) = x { x } else { TensorMeta::new(None, None) });
    // Of nothing there is no sum.
    let nothing = !cumulative && sizes[at] == Size::Known(0);
    if let (Some(s), false) = (x.as_ref().and_then(|x| x.sizes.as_ref()), nothing) {
        let i = if s.len() == 1 { 0 } else { wrap_dim(d, s.len())? };
        refuse!(if s.get(i).is_some_and(|s| s.differs(sizes[at])),
            "{name}: There must be one `x` value for each sample point");
        if s.len() > 1 {
            sizes = broadcast(&replaced(s, i, fewer(s[i])), &replaced(&sizes, at, fewer(sizes[at])))?;
            let i = sizes.len() - back;
            sizes[i] = y.size(at);
        }
    }
    let which = if with_x { "`x` or `y`" } else { "`y`" };
    refuse!(if x.iter().chain([&y]).any(|t| t.dtype == Some(DType::Bool)),
        "{name}: received a bool input for {which}, but bool is not supported");
    let at = sizes.len() - back;
    if cumulative {
        sizes[at] = fewer(sizes[at]);
    } else {
        sizes.remove(at);
    }
    one(common_of(x.iter().chain([&y]))?.map(to_float), Some(sizes))
}

rules! {
    trapezoid_x = trapezoid_of, "trapezoid", true, false; trapezoid_dx = trapezoid_of, "trapezoid", false, false;
    cumulative_trapezoid_x = trapezoid_of, "cumulative_trapezoid", true, true;
    cumulative_trapezoid_dx = trapezoid_of, "cumulative_trapezoid", false, true;
}

/// Summed down to sizes that expand to the tensor's.
pub fn sum_to_size(t: TensorMeta, size: List) -> RuleResult {
    if let (Some(to), Some(from)) = (&size, &t.sizes) {
        let fits = to.len() <= from.len()
            && to.iter().zip(&from[from.len() - to.len()..]).all(|(t, f)| *t == Size::Known(1) || !t.differs(*f));
        refuse!(if !fits, "size {{{}}} is not expandable to size {{{}}}.", show(to), show(from));
    }
    one(t.dtype, size)
}

/// One tensor like the first, of a float dtype, for each dimension that is named.
pub fn gradient(t: TensorMeta, spacing: Meta, dims: Meta) -> RuleResult {
    refuse!(NotImplemented if t.dtype == Some(DType::Bool),
        "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.");
    if let (Some(list), Some(rank), Meta::List(_)) = (dims.ints(), t.rank(), &dims) {
        reduced_dims(&list, rank)?;
    }
    // Where elements stand.
    for place in spacing.tensors().iter().flatten() {
        refuse!(if let Some(r) = place.rank_not(1),
            "torch.gradient expected each element of spacing to have one dimension, but got an element with {r} dimensions!");
        no_negated_truth(place)?;
    }
    let count = match dims {
        Meta::None => t.rank(),
        Meta::Int(_) => Some(1),
        Meta::List(items) => Some(items.len()),
        _ => None,
    };
    let each = tensor(t.dtype.map(to_float), t.sizes);
    Ok(smallvec![count.map_or(Meta::Unknown, |n| Meta::List(vec![each; n]))])
}

/// A square as large as there are rows, or one number.
pub fn cov(t: TensorMeta, _: Skip<1>, weights: Maybe) -> RuleResult {
    refuse!(if let Some(r) = t.rank(), r > 2,
        "cov(): expected input to have two or fewer dimensions but got an input with {r} dimensions");
    refuse!(if t.dtype == Some(DType::Bool), "cov(): bool dtype is not supported for input");
    refuse!(if let Some(d) = weights.and_then(|w| w.dtype_not(DType::is_int)),
        "cov(): expected fweights to have integral dtype but got fweights with {d} dtype");
    let sizes = t.sizes.map(|s| match s.as_slice() {
        [m, _] if *m != Size::Known(1) => smallvec![*m, *m],
        _ => Sizes::new(),
    });
    one(t.dtype.map(to_float), sizes)
}

/// Histograms, whose bins are borders: (hist, bin_edges).
pub fn histogram_bins([t, bins]: [TensorMeta; 2], weight: Maybe) -> RuleResult {
    check_borders(&t, std::slice::from_ref(&bins), weight)?;
    let edges = bins.numel();
    Ok(smallvec![tensor(t.dtype, Some(smallvec![edges.minus(1)])), tensor(bins.dtype, Some(smallvec![edges]))])
}

/// Borders are vectors of the input's dtype, which the weights have too.
fn check_borders(t: &TensorMeta, borders: &[TensorMeta], weight: Maybe) -> Result<(), ShapeError> {
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
fn counts(t: &TensorMeta, bins: &Meta) -> Option<Sizes> {
    match (bins.tensors().filter(|borders| !borders.is_empty()), bins, t.last()) {
        (Some(borders), ..) => Some(borders.iter().map(|border| border.numel().minus(1)).collect()),
        (_, Meta::Int(n), Size::Known(d)) if (0..=64).contains(&d) => Some(smallvec![*n; d as usize]),
        (_, Meta::List(_), _) => bins.list(),
        _ => None,
    }
}

/// Borders, and then weights.
pub fn histogramdd_tensors(t: TensorMeta, bins: Meta, weight: Maybe) -> RuleResult {
    check_borders(&t, &bins.tensors().unwrap_or_default(), weight)?;
    Ok(histogramdd(t, bins)?.drain(..1).collect())
}

/// The same with the borders, where a range stands before the weights.
pub fn histogramdd_borders(t: TensorMeta, bins: Meta, _: Skip<1>, weight: Maybe) -> RuleResult {
    check_borders(&t, &bins.tensors().unwrap_or_default(), weight)?;
    histogramdd(t, bins)
}

pub fn histogramdd(t: TensorMeta, bins: Meta) -> RuleResult {
    let counts = counts(&t, &bins);
    let edges = |n: &Size| tensor(t.dtype, Some(smallvec![n.plus(1)]));
    let edges = counts.as_ref().map_or(Meta::Unknown, |counts| Meta::List(counts.iter().map(edges).collect()));
    Ok(smallvec![tensor(t.dtype, counts), edges])
}

pub fn segment_reduce(t: TensorMeta, _: Skip<1>, lengths: Maybe, _: Skip<1>, offsets: Maybe, axis: Int) -> RuleResult {
    kernel("_segment_reduce_cpu", t.dtype, DType::is_float)?;
    let (Some(axis), Some(sizes)) = (t.dimension(axis)?, &t.sizes) else { return one(t.dtype, None) };
    refuse!(if sizes.is_empty(), "segment_reduce(): data has no dimensions");
    let segments = match (&lengths, &offsets) {
        (Some(l), _) => l.last(),
        (None, Some(o)) => o.last().minus(1),
        (None, None) => Size::Unknown,
    };
    one(t.dtype, Some(replaced(sizes, axis, segments)))
}

/// 1 in every dimension but one, which keeps its size.
pub fn norm_except_dim(t: Ranked, _: Skip<1>, dim: i64) -> RuleResult {
    if dim == -1 {
        return one(t.dtype, Some(Sizes::new()));
    }
    let kept = wrap_dim(dim, t.sizes.len())?;
    let size = |d: usize| if d == kept { t.sizes[d] } else { Size::Known(1) };
    one(t.dtype.map(DType::to_real), Some((0..t.sizes.len()).map(size).collect()))
}

/// 64 bits.
pub fn hash(t: TensorMeta, dims: Dims, keepdim: Flag) -> RuleResult {
    let sizes = reduced(&t, dims.clone(), keepdim)?;
    dims.map_or(Ok(()), |dims| check_not_empty("hash_tensor", &t, &dims, true))?;
    one(Some(DType::U64), sizes)
}
