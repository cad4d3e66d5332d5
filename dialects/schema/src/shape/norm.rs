//! Rules of normalisations and softmax: sizes stay; parameters must fit the channels or the normalised shape.

use super::args::*;
use super::like::like;
use super::reduce::inexact;

/// The kernel has two names, one for the last dimension.
fn softmax_kernel(name: &str, t: &TensorMeta, dim: Int, dtype: Option<DType>) -> Result<(), ShapeError> {
    let (Some(r), Some(d)) = (t.rank(), t.dimension(dim)?) else { return Ok(()) };
    let last = if d + 1 == r { "_lastdim" } else { "" };
    kernel(&format!("{name}{last}_kernel_impl"), dtype, DType::is_float)
}

fn softmax_of(t: &TensorMeta, dim: Int, name: &str, dtype: Option<DType>) -> RuleResult {
    // Of nothing nothing is computed.
    softmax_kernel(name, t, dim, dtype.filter(|_| !t.is_empty()))?;
    one(dtype, t.sizes.clone())
}

/// What a half is widened to, where that is asked for.
fn widened(t: &TensorMeta, asked: Flag) -> Option<DType> {
    if asked == Some(true) { Some(DType::F32) } else { t.dtype }
}

rules! {
    /// `softmax.int`, `_safe_softmax`: the dtype is converted to first.
    softmax = |t: TensorMeta, dim: Int, to: Asked| softmax_of(&t, dim, "softmax", to.or(t.dtype));
    log_softmax = |t: TensorMeta, dim: Int, to: Asked| softmax_of(&t, dim, "log_softmax", to.or(t.dtype));
    /// `_softmax`, `_log_softmax`.
    softmax_native = |t: TensorMeta, dim: Int, wide: Flag| softmax_of(&t, dim, "softmax", widened(&t, wide));
    log_softmax_native = |t: TensorMeta, dim: Int, wide: Flag| softmax_of(&t, dim, "log_softmax", widened(&t, wide));
    softmax_backward = softmax_backward_of, "softmax_backward"; log_softmax_backward = softmax_backward_of, "log_softmax_backward";
}

/// A mask of every element, of the keys of each sample, or of queries and keys.
pub fn masked_softmax([t, mask]: [TensorMeta; 2], _: Skip<1>, mask_type: Int) -> RuleResult {
    refuse!(if mask.dtype.is_some_and(|d| d != DType::Bool), "Mask should be a boolean tensor");
    refuse!(if mask_type == Some(2) && mismatch(&t.sizes, &mask.sizes).is_some(),
        "For mask_type == 2 mask shape should match input shape");
    like(t)
}

fn softmax_backward_of([t, output]: [TensorMeta; 2], dim: Int, dtype: Asked, name: &str) -> RuleResult {
    refuse!(if let Some((have, want)) = mismatch(&t.sizes, &output.sizes),
        "Expected tensor for argument #1 'grad' to have same size as tensor for argument #2 'output'; but {have} does not equal {want} (while checking arguments for {name})");
    softmax_kernel(name, &t, dim, t.dtype)?;
    // Only a half input that was computed in f32 gets its own dtype back; other dtypes asked for are ignored.
    let half = dtype.given().filter(|d| *d == DType::F16 && t.dtype == Some(DType::F32));
    one(half.or(t.dtype), t.sizes)
}

/// The normalised shape is the input's tail; parameters with names have it. Returns how many dimensions lead.
fn check_normalized(
    t: &TensorMeta,
    shape: &List,
    parameters: &[(&str, &Maybe)],
    star: &str,
) -> Result<Option<usize>, ShapeError> {
    refuse!(if shape.as_ref().is_some_and(|s| s.is_empty()),
        "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []");
    for (name, p) in parameters {
        refuse!(if let Some((have, want)) = p.as_ref().and_then(|p| mismatch(&p.sizes, shape)),
            "Expected {name} to be of same shape as normalized_shape, but got {name} of shape {have} and normalized_shape = {want}");
    }
    let (Some(sizes), Some(shape)) = (&t.sizes, shape) else { return Ok(None) };
    let lead = sizes.len().checked_sub(shape.len());
    refuse!(if lead.is_none_or(|l| differ(&sizes[l..], shape)),
        "Given normalized_shape={0}, expected input with shape [*{star}{1}, but got input of size{2}", show(shape),
        &show(shape)[1..], show(sizes));
    Ok(lead)
}

fn is_half(d: DType) -> bool {
    d.is_float() && d.size() == 2
}

/// Parameters have the input's dtype, or are f32 beside a half input.
fn check_parameter_dtype(t: &TensorMeta, p: &Maybe) -> Result<(), ShapeError> {
    match p {
        Some(p) if !(p.dtype == Some(DType::F32) && t.dtype.is_some_and(is_half)) => scalar_type(t, p),
        _ => Ok(()),
    }
}

/// Where the first parameter has another dtype than the input, all are f32 beside a half input.
fn check_mixed(t: &TensorMeta, parameters: &[&Maybe]) -> Result<(), ShapeError> {
    let dtypes = || parameters.iter().filter_map(|p| p.as_ref()?.dtype);
    let Some((want, _)) = different(t.dtype, dtypes().next()) else { return Ok(()) };
    refuse!(if dtypes().any(|d| d != DType::F32), "mixed dtype (CPU): expect parameter to have scalar type of Float");
    refuse!(if !is_half(want), "mixed dtype (CPU): all inputs must share same datatype.");
    Ok(())
}

/// Statistics of half inputs are kept in f32.
fn statistics_dtype(d: Option<DType>) -> Option<DType> {
    d.map(|d| if is_half(d) { DType::F32 } else { d })
}

/// Sums are at least f32.
pub(super) fn sums_dtype(d: Option<DType>) -> Option<DType> {
    d.map(|d| if d == DType::F64 { d } else { DType::F32 })
}

/// The leading dimensions, and ones for those that were normalised together.
fn leading(t: &TensorMeta, lead: Option<usize>) -> Option<Sizes> {
    let (lead, s) = (lead?, t.sizes.as_ref()?);
    Some(s.iter().enumerate().map(|(i, s)| if i < lead { *s } else { Size::Known(1) }).collect())
}

pub fn native_layer_norm(t: TensorMeta, shape: List, [w, b]: [Maybe; 2]) -> RuleResult {
    check_mixed(&t, &[&w, &b])?;
    let lead = check_normalized(&t, &shape, &[("weight", &w), ("bias", &b)], ", ")?;
    kernel("LayerNormKernelImpl", t.dtype, DType::is_float)?;
    check_parameter_dtype(&t, &w)?;
    check_parameter_dtype(&t, &b)?;
    let stats = tensor(statistics_dtype(t.dtype), leading(&t, lead));
    Ok(smallvec![t.like(), stats.clone(), stats])
}

/// The result, and one number for each group.
pub fn fused_rms_norm(t: TensorMeta, shape: List) -> RuleResult {
    let lead = t.rank().zip(shape).map(|(r, n)| r.saturating_sub(n.len()));
    Ok(smallvec![t.like(), tensor(sums_dtype(t.dtype), leading(&t, lead))])
}

/// Those of some results that the flags of a list argument ask for.
pub(super) fn masked<const N: usize>(mask: &Meta, results: [Meta; N]) -> RuleResult {
    let flag = |i: usize| if let Meta::List(flags) = mask { flags.bool(i) } else { None };
    let asked = |(i, result)| match flag(i) {
        Some(true) => result,
        Some(false) => Meta::None,
        None => Meta::Unknown,
    };
    Ok(results.into_iter().enumerate().map(asked).collect())
}

pub fn native_layer_norm_backward(
    [grad, t]: [TensorMeta; 2],
    shape: List,
    statistics: [Maybe; 2],
    [w, b]: [Maybe; 2],
    mask: Meta,
) -> RuleResult {
    check_normalized(&t, &shape, &[("weight", &w), ("bias", &b)], ", ")?;
    kernel("LayerNormBackwardKernelImpl", t.dtype, DType::is_float)?;
    for p in [&Some(grad)].into_iter().chain(&statistics).chain([&w, &b]) {
        check_parameter_dtype(&t, p)?;
    }
    let parameter = |p: &Maybe| p.as_ref().map_or(Meta::None, TensorMeta::like);
    let mut results = masked(&mask, [t.like(), parameter(&w), parameter(&b)])?;
    // What is not there has no gradient, whoever asks.
    for (result, _) in results[1..].iter_mut().zip([&w, &b]).filter(|(_, p)| p.is_none()) {
        *result = Meta::None;
    }
    Ok(results)
}

pub fn rms_norm(t: TensorMeta, shape: List, weight: Maybe) -> RuleResult {
    refuse!(if let (Some(least), Some(rank)) = (shape.as_ref().map(|s| s.len()), t.rank()), rank < least,
        "Input tensor must have at least {least} dimensions, but got {rank}");
    check_normalized(&t, &shape, &[("weight", &weight)], "")?;
    kernel("rms_norm", t.dtype, DType::is_inexact)?;
    like(t)
}

fn check_groups(c: Size, rest: Size, groups: Int, shape: &[Size]) -> Result<(), ShapeError> {
    for (n, what) in [(groups, "num groups"), (c.known(), "number of channels"), (rest.known(), "HxW")] {
        refuse!(if let Some(n) = n, n <= 0, "Expected {what} to be greater than 0, got {n}");
    }
    refuse!(if let (Some(g), Some(c)) = (groups, c.known()), c % g != 0,
        "Expected number of channels in input to be divisible by num_groups, but got input of shape {} and num_groups={g}",
        show(shape));
    Ok(())
}

pub fn group_norm(t: Ranked, groups: Int, parameters: [Maybe; 2]) -> RuleResult {
    let sizes = &t.sizes;
    refuse!(if sizes.len() < 2, "Expected at least 2 dimensions for input tensor but received {}", sizes.len());
    check_groups(sizes[1], product(&sizes[2..]), groups, sizes)?;
    for (p, name) in parameters.iter().zip(["weight", "bias"]) {
        refuse!(if let Some(s) = p.as_ref().and_then(|p| p.sizes.as_ref()), differ(s, &sizes[1..2]),
            "Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape {} and input of shape {}",
            show(s), show(sizes));
    }
    kernel("GroupNormKernelImpl", t.dtype, DType::is_float)?;
    check_parameter_dtype(&t, &parameters[0])?;
    Ok(smallvec![t.like()])
}

pub fn native_group_norm(
    t: TensorMeta,
    weight: Maybe,
    _: Skip<1>,
    [n, c, rest]: [Size; 3],
    groups: Size,
) -> RuleResult {
    check_groups(c, rest, groups.known(), &[n, c])?;
    refuse!(if n.times(c).times(rest).differs(t.numel()) && n.known().is_none_or(|n| n >= 0),
        "Expected X.numel() == N * C * HxW to be true, but got false.");
    countable(smallvec![n, groups])?;
    // Of nothing nothing is computed.
    kernel("GroupNormKernelImpl", t.dtype, |d| d.is_float() || t.is_empty())?;
    check_parameter_dtype(&t, &weight)?;
    let stats = tensor(statistics_dtype(t.dtype), Some(smallvec![n, groups]));
    Ok(smallvec![t.like(), stats.clone(), stats])
}

pub fn native_group_norm_backward(
    [grad, t, mean, rstd]: [TensorMeta; 4],
    weight: Maybe,
    [n, c, rest, groups]: [Size; 4],
    mask: Meta,
) -> RuleResult {
    refuse!(if unlike(&grad, &t).is_some(), "Expected scalar types of X and dY are same.");
    let (total, each) = (n.times(c).times(rest), n.times(groups));
    for (t, name, want, product) in [
        (&grad, "dY", total, "N * C * HxW"),
        (&t, "X", total, "N * C * HxW"),
        (&mean, "mean", each, "N * group"),
        (&rstd, "rstd", each, "N * group"),
    ] {
        refuse!(if t.numel().unequal(want), "Expected {name}.numel() == {product} to be true, but got false.");
    }
    // The same elements in a row.
    let flat = |t: TensorMeta| Some(TensorMeta { sizes: Some(smallvec![t.numel()]), ..t });
    check_parameters(&t, &[&flat(mean), &flat(rstd), &weight])?;
    let parameter = tensor(t.dtype, Some(smallvec![c]));
    masked(&mask, [t.like(), parameter.clone(), parameter])
}

/// Vectors of the input's dtype, or all of f32 beside a half input; the first one says which.
fn check_parameters(t: &TensorMeta, ordered: &[&Maybe]) -> Result<(), ShapeError> {
    check_mixed(t, ordered)?;
    let all = || ordered.iter().filter_map(|p| p.as_ref());
    let first = all().find_map(|p| p.dtype);
    if let Some(other) = all().find(|p| different(p.dtype, first).is_some()) {
        refuse!(if let (Some(want), Some(have)) = (t.dtype, other.dtype),
            "expected scalar type {} but found {}", want.scalar_type_name(), have.scalar_type_name());
    }
    refuse!(if let Some(r) = all().filter_map(|p| p.rank()).find(|r| *r > 1),
        "TensorAccessor expected 1 dims but tensor has {r}");
    Ok(())
}

/// How a call of channel norms differs from others.
#[derive(Clone, Copy)]
struct Channels {
    /// So many samples have channels for themselves, with parameters repeated for them.
    times: Size,
    /// It computes statistics, for which there has to be something to compute them of.
    trains: bool,
    /// One running statistic that is only written stands for all.
    shared: bool,
}

const EVALUATED: Channels = Channels { times: Size::Known(1), trains: false, shared: false };

/// Weight, bias, running mean and variance: how calls give parameters of channels.
type Parameters = [Maybe; 4];

/// Parameters of batch norm have one element per channel and the input's dtype. Returns how many channels there are.
fn check_channels(t: &TensorMeta, [w, b, mean, var]: &Parameters, call: Channels) -> Result<Size, ShapeError> {
    refuse!(if call.trains && t.is_empty(),
        "input tensor must have at least one element, but got input_sizes = {}", t.shown());
    if let Some(r) = t.rank() {
        existing_dimension(1, r)?;
    }
    let channels = t.size(1);
    // Of nothing nothing is computed, and nothing is looked at.
    if t.is_empty() {
        return Ok(channels);
    }
    for (name, p) in [("running_mean", mean), ("running_var", var), ("weight", w), ("bias", b)] {
        let Some(p) = p else { continue };
        let (want, have) = (channels.times(call.times), p.numel().times(call.times));
        let one = name.starts_with("running") && call.shared && p.numel() == Size::Known(1);
        refuse!(if have.differs(want) && !one, "{name} should contain {want} elements not {have}");
    }
    kernel("batch_norm", t.dtype, DType::is_float)?;
    check_parameters(t, &[w, b, mean, var])?;
    Ok(channels)
}

pub fn batch_norm(t: TensorMeta, parameters: Parameters, training: Flag) -> RuleResult {
    for (p, name) in parameters[2..].iter().zip(["running_mean", "running_var"]) {
        refuse!(if training == Some(false) && !t.is_empty() && p.is_none(),
            "{name} must be defined in evaluation mode");
    }
    check_channels(&t, &parameters, EVALUATED)?;
    like(t)
}

pub fn instance_norm(t: TensorMeta, parameters: Parameters, own: Flag) -> RuleResult {
    let running = &parameters[2..];
    let absent = running.iter().filter(|p| p.is_none()).count();
    refuse!(if own == Some(false) && absent > 0,
        "Expected running_mean and running_var to be defined when use_input_stats is false");
    check_channels(&t, &parameters, Channels { times: t.size(0), ..EVALUATED })?;
    refuse!(if absent == 1 && running.iter().flatten().all(|p| p.dtype.is_some()),
        "running_mean and running_var must either both be None or neither be None");
    like(t)
}

/// The result and statistics of the channels, which are there where they are computed.
fn with_statistics(t: &TensorMeta, channels: Size, training: Flag) -> RuleResult {
    let count = match training {
        Some(true) => channels,
        Some(false) => Size::Known(0),
        None => Size::Unknown,
    };
    let stats = tensor(statistics_dtype(t.dtype), Some(smallvec![count]));
    Ok(smallvec![t.like(), stats.clone(), stats])
}

/// `native_batch_norm`, `_native_batch_norm_legit`.
pub fn native_batch_norm(t: TensorMeta, parameters: Parameters, training: Flag) -> RuleResult {
    let call = Channels { trains: training == Some(true), ..EVALUATED };
    with_statistics(&t, check_channels(&t, &parameters, call)?, training)
}

/// `_native_batch_norm_legit`: what is traced has statistics also where they are not computed, and of running statistics the first are kept.
pub fn native_batch_norm_legit(t: TensorMeta, parameters: Parameters, training: Flag) -> RuleResult {
    let trains = training == Some(true);
    let channels = check_channels(&t, &parameters, Channels { trains, shared: trains, ..EVALUATED })?;
    with_statistics(&t, channels, Some(true))
}

pub fn native_batch_norm_no_training(t: TensorMeta, parameters: Parameters) -> RuleResult {
    check_channels(&t, &parameters, EVALUATED)?;
    // What is traced hands the running statistics on; computed at once, there are none.
    let statistic = |s: &Maybe| tensor(statistics_dtype(t.dtype), s.as_ref().and_then(|s| s.sizes.clone()));
    Ok(smallvec![t.like(), statistic(&parameters[2]), statistic(&parameters[3])])
}

pub fn native_batch_norm_backward(
    [grad, t]: [TensorMeta; 2],
    parameters: [Maybe; 5],
    train: Flag,
    _: Skip<1>,
    mask: Meta,
) -> RuleResult {
    let weight = &parameters[0];
    if train == Some(true) {
        check_channels(&t, &[weight.clone(), None, None, None], EVALUATED)?;
    }
    check_parameter_dtype(&t, &Some(grad))?;
    check_parameters(&t, &parameters.each_ref())?;
    let parameter = tensor(weight.as_ref().map_or(t.dtype, |p| p.dtype), Some(smallvec![t.size(1)]));
    masked(&mask, [t.like(), parameter.clone(), parameter])
}

pub fn cosine_similarity([x, y]: [TensorMeta; 2], dim: Int, eps: Float) -> RuleResult {
    let dtype = common_of([&x, &y])?;
    refuse!(if let Some(d) = dtype, !d.is_float(),
        "expected common dtype to be floating point, yet common dtype is {}", d.scalar_type_name());
    refuse!(if let Some(eps) = eps, eps < 0.0, "eps must be non-negative, got: {eps}");
    one(dtype, without(broadcast_all([&x, &y])?, dim)?)
}

pub fn pairwise_distance([x, y]: [TensorMeta; 2], _: Skip<2>, keepdim: Flag) -> RuleResult {
    no_truth_values([&x, &y])?;
    let dtype = common_of([&x, &y])?.map(to_float).map(DType::to_real);
    let (Some(mut sizes), Some(keep)) = (broadcast_all([&x, &y])?, keepdim) else { return one(dtype, None) };
    sizes.pop();
    sizes.extend(keep.then_some(Size::Known(1)));
    one(dtype, Some(sizes))
}

pub fn renorm(t: TensorMeta, p: Float, dim: Int, maxnorm: Float) -> RuleResult {
    inexact("linalg.vector_norm", &t)?;
    refuse!(if p.is_some_and(|p| p <= 0.0), "renorm: non-positive-norm not supported");
    refuse!(if let Some(m) = maxnorm, m < 0.0, "renorm: expected maxnorm to be >= 0 but got {m}");
    refuse!(if let Some(r) = t.rank(), r < 2, "renorm: input needs at least 2 dimensions, got {r} dimensions");
    t.dimension(dim)?;
    like(t)
}

/// The reserve that only other devices use.
fn reserve() -> Meta {
    tensor(Some(DType::U8), Some(smallvec![Size::Known(0)]))
}

/// The running statistics are results too.
fn with_running(results: RuleResult, running: &[Maybe]) -> RuleResult {
    followed_by(results, running.iter().flatten().map(TensorMeta::like))
}

rules! {
    layer_norm = |t: TensorMeta, shape: List, both: [Maybe; 2]| Ok(native_layer_norm(t, shape, both)?.drain(..1).collect());
    native_batch_norm_no_stats = |t: TensorMeta, [w, b]: [Maybe; 2]| native_batch_norm(t, [w, b, None, None], Some(true));
    /// Trained; in others a flag says whether, and results are also the way taken, or the running statistics, or both.
    batch_norm_with_update = |t: TensorMeta, p: Parameters| followed_by(native_batch_norm(t, p, Some(true)), [reserve()]);
    batch_norm_index = |t: TensorMeta, p: Parameters, training: Flag| {
        followed_by(native_batch_norm(t, p, training), [reserve(), Meta::Int(Size::Known(0))])
    };
    batch_norm_functional = |t: TensorMeta, p: Parameters, training: Flag| {
        with_running(native_batch_norm(t, p.clone(), training), &p[2..])
    };
    batch_norm_with_update_functional = |t: TensorMeta, p: Parameters| {
        with_running(followed_by(native_batch_norm(t, p.clone(), Some(true)), [reserve()]), &p[2..])
    };
}

pub fn weight_norm([v, g]: [TensorMeta; 2]) -> RuleResult {
    refuse!(if v.rank() == Some(0), "_weight_norm_interface: v must have at least one dimension");
    Ok(smallvec![v.like(), g.like()])
}

/// Means and variances of the channels.
pub fn batch_norm_statistics(t: TensorMeta, running: [Maybe; 2]) -> RuleResult {
    kernel("batch_norm_update_stats_cpu", t.dtype, DType::is_float)?;
    check_mixed(&t, &running.each_ref())?;
    let sizes = t.sizes.as_ref().map(|s| s.get(1).copied().into_iter().collect::<Sizes>());
    let each = tensor(sums_dtype(t.dtype), sizes);
    Ok(smallvec![each.clone(), each])
}
