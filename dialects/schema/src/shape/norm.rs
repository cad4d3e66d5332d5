//! Rules of normalisations and softmax: sizes stay; parameters must fit the channels or the normalised shape.

use super::args::*;
use super::reduce::inexact;

/// The kernel has two names, one for the last dimension.
fn softmax_kernel(name: &str, t: &TensorMeta, dim: Option<i64>, dtype: Option<DType>) -> Result<(), ShapeError> {
    let (Some(r), Some(d)) = (t.rank(), dim) else { return Ok(()) };
    let last = if wrap_dim(d, r)? + 1 == r { "_lastdim" } else { "" };
    kernel(&format!("{name}{last}_kernel_impl"), dtype, DType::is_float)
}

fn softmax_of(a: &[Meta], name: &str, dtype: Option<DType>) -> RuleResult {
    let t = a.tensor(0)?;
    // Of nothing nothing is computed.
    softmax_kernel(name, &t, a.int(1), dtype.filter(|_| !t.is_empty()))?;
    one(dtype, t.sizes)
}

/// The dtype argument is converted to first.
fn softmax_as(a: &[Meta], name: &str) -> RuleResult {
    softmax_of(a, name, a.dtype_or(2, a.tensor(0)?.dtype))
}

/// The third argument asks for f32 from a half.
fn softmax_widened(a: &[Meta], name: &str) -> RuleResult {
    softmax_of(a, name, if a.bool(2) == Some(true) { Some(DType::F32) } else { a.tensor(0)?.dtype })
}

rules! {
    /// `softmax.int`, `_safe_softmax`.
    softmax = softmax_as, "softmax"; log_softmax = softmax_as, "log_softmax";
    /// `_softmax`, `_log_softmax`.
    softmax_native = softmax_widened, "softmax"; log_softmax_native = softmax_widened, "log_softmax";
    softmax_backward = softmax_backward_of, "softmax_backward"; log_softmax_backward = softmax_backward_of, "log_softmax_backward";
}

/// (self, mask, dim, mask_type): a mask of every element, of the keys of each sample, or of queries and keys.
pub fn masked_softmax(a: &[Meta]) -> RuleResult {
    let (t, mask) = (a.tensor(0)?, a.tensor(1)?);
    refuse!(if mask.dtype.is_some_and(|d| d != DType::Bool), "Mask should be a boolean tensor");
    refuse!(if a.int(3) == Some(2) && mismatch(&t.sizes, &mask.sizes).is_some(),
        "For mask_type == 2 mask shape should match input shape");
    super::like::first(a)
}

fn softmax_backward_of(a: &[Meta], name: &str) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(if let Some((have, want)) = mismatch(&t.sizes, &a.tensor(1)?.sizes),
        "Expected tensor for argument #1 'grad' to have same size as tensor for argument #2 'output'; but {have} does not equal {want} (while checking arguments for {name})");
    softmax_kernel(name, &t, a.int(2), t.dtype)?;
    // Only a half input that was computed in f32 gets its own dtype back; other dtypes asked for are ignored.
    let half = a.dtype(3).flatten().filter(|d| *d == DType::F16 && t.dtype == Some(DType::F32));
    one(half.or(t.dtype), t.sizes)
}

/// The normalised shape is the input's tail; parameters with names have it. Returns how many dimensions lead.
fn check_normalized(
    t: &TensorMeta,
    shape: Option<Sizes>,
    parameters: &[(&str, &Option<TensorMeta>)],
    star: &str,
) -> Result<Option<usize>, ShapeError> {
    let Some(shape) = shape else { return Ok(None) };
    refuse!(if shape.is_empty(),
        "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []");
    let shape = Some(shape);
    for (name, p) in parameters {
        refuse!(if let Some((have, want)) = p.as_ref().and_then(|p| mismatch(&p.sizes, &shape)),
            "Expected {name} to be of same shape as normalized_shape, but got {name} of shape {have} and normalized_shape = {want}");
    }
    let (Some(sizes), Some(shape)) = (&t.sizes, shape) else { return Ok(None) };
    let lead = sizes.len().checked_sub(shape.len());
    let inner = show(&shape);
    refuse!(if lead.is_none_or(|l| differ(&sizes[l..], &shape)),
        "Given normalized_shape={inner}, expected input with shape [*{star}{}, but got input of size{}", &inner[1..],
        show(sizes));
    Ok(lead)
}

fn is_half(d: DType) -> bool {
    d.is_float() && d.size() == 2
}

/// Parameters have the input's dtype, or are f32 beside a half input.
fn check_parameter_dtype(t: &TensorMeta, p: &Option<TensorMeta>) -> Result<(), ShapeError> {
    match p {
        Some(p) if !(p.dtype == Some(DType::F32) && t.dtype.is_some_and(is_half)) => scalar_type(t, p),
        _ => Ok(()),
    }
}

/// Where the first parameter has another dtype than the input, all are f32 beside a half input.
fn check_mixed(t: &TensorMeta, parameters: &[&Option<TensorMeta>]) -> Result<(), ShapeError> {
    let dtypes = || parameters.iter().filter_map(|p| p.as_ref()?.dtype);
    let Some((want, _)) = different(t.dtype, dtypes().next()) else { return Ok(()) };
    refuse!(if dtypes().any(|d| d != DType::F32), "mixed dtype (CPU): expect parameter to have scalar type of Float");
    refuse!(if !is_half(want), "mixed dtype (CPU): all inputs must share same datatype.");
    Ok(())
}

/// A layer's input (self, normalized_shape, weight, bias, …), and how many of its dimensions lead.
fn check_layer(a: &[Meta]) -> Result<(TensorMeta, Option<usize>), ShapeError> {
    let (t, w, b) = (a.tensor(0)?, a.optional_tensor(2)?, a.optional_tensor(3)?);
    check_mixed(&t, &[&w, &b])?;
    let lead = check_normalized(&t, a.sizes(1), &[("weight", &w), ("bias", &b)], ", ")?;
    kernel("LayerNormKernelImpl", t.dtype, DType::is_float)?;
    check_parameter_dtype(&t, &w)?;
    check_parameter_dtype(&t, &b)?;
    Ok((t, lead))
}

pub fn layer_norm(a: &[Meta]) -> RuleResult {
    Ok(smallvec![check_layer(a)?.0.like()])
}

/// Statistics of half inputs are kept in f32.
fn statistics_dtype(d: Option<DType>) -> Option<DType> {
    d.map(|d| if is_half(d) { DType::F32 } else { d })
}

/// The leading dimensions, and ones for those that were normalised together.
fn leading(t: &TensorMeta, lead: Option<usize>) -> Option<Sizes> {
    let (lead, s) = (lead?, t.sizes.as_ref()?);
    Some(s.iter().enumerate().map(|(i, s)| if i < lead { *s } else { Size::Known(1) }).collect())
}

pub fn native_layer_norm(a: &[Meta]) -> RuleResult {
    let (t, lead) = check_layer(a)?;
    let stats = tensor(statistics_dtype(t.dtype), leading(&t, lead));
    Ok(smallvec![t.like(), stats.clone(), stats])
}

/// (input, normalized_shape, weight, eps): the result, and one number for each group.
pub fn fused_rms_norm(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let lead = t.rank().zip(a.sizes(1)).map(|(r, n)| r.saturating_sub(n.len()));
    let scale = tensor(t.dtype.map(|d| if d == DType::F64 { d } else { DType::F32 }), leading(&t, lead));
    Ok(smallvec![t.like(), scale])
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

pub fn native_layer_norm_backward(a: &[Meta]) -> RuleResult {
    let t = a.tensor(1)?;
    let (w, b) = (a.optional_tensor(5)?, a.optional_tensor(6)?);
    check_normalized(&t, a.sizes(2), &[("weight", &w), ("bias", &b)], ", ")?;
    kernel("LayerNormBackwardKernelImpl", t.dtype, DType::is_float)?;
    for p in [&Some(a.tensor(0)?), &Some(a.tensor(3)?), &Some(a.tensor(4)?), &w, &b] {
        check_parameter_dtype(&t, p)?;
    }
    let parameter = |p: &Option<TensorMeta>| p.as_ref().map_or(Meta::None, TensorMeta::like);
    let mut results = masked(a.meta(7), [t.like(), parameter(&w), parameter(&b)])?;
    // What is not there has no gradient, whoever asks.
    for (result, _) in results[1..].iter_mut().zip([&w, &b]).filter(|(_, p)| p.is_none()) {
        *result = Meta::None;
    }
    Ok(results)
}

pub fn rms_norm(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(if let (Some(least), Some(rank)) = (a.sizes(1).map(|s| s.len()), t.rank()), rank < least,
        "Input tensor must have at least {least} dimensions, but got {rank}");
    check_normalized(&t, a.sizes(1), &[("weight", &a.optional_tensor(2)?)], "")?;
    kernel("rms_norm", t.dtype, DType::is_inexact)?;
    one(t.dtype, t.sizes)
}

fn check_groups(c: Size, rest: Size, groups: Option<i64>, shape: &[Size]) -> Result<(), ShapeError> {
    refuse!(if let Some(g) = groups, g <= 0, "Expected num groups to be greater than 0, got {g}");
    refuse!(if let Some(c) = c.known(), c <= 0, "Expected number of channels to be greater than 0, got {c}");
    refuse!(if let Some(r) = rest.known(), r <= 0, "Expected HxW to be greater than 0, got {r}");
    refuse!(if let (Some(g), Some(c)) = (groups, c.known()), c % g != 0,
        "Expected number of channels in input to be divisible by num_groups, but got input of shape {} and num_groups={g}",
        show(shape));
    Ok(())
}

pub fn group_norm(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let Some(sizes) = &t.sizes else { return one(t.dtype, None) };
    refuse!(if sizes.len() < 2, "Expected at least 2 dimensions for input tensor but received {}", sizes.len());
    check_groups(sizes[1], product(&sizes[2..]), a.int(1), sizes)?;
    for (i, name) in [(2, "weight"), (3, "bias")] {
        refuse!(if let Some(p) = a.optional_tensor(i)?, let Some(s) = &p.sizes, differ(s, &sizes[1..2]),
            "Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape {} and input of shape {}",
            show(s), show(sizes));
    }
    kernel("GroupNormKernelImpl", t.dtype, DType::is_float)?;
    check_parameter_dtype(&t, &a.optional_tensor(2)?)?;
    one(t.dtype, t.sizes)
}

pub fn native_group_norm(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let (n, c, rest, groups) = (a.size(3), a.size(4), a.size(5), a.size(6));
    check_groups(c, rest, groups.known(), &[n, c])?;
    refuse!(if n.times(c).times(rest).differs(t.numel()) && n.known().is_none_or(|n| n >= 0),
        "Expected X.numel() == N * C * HxW to be true, but got false.");
    refuse!(if let Some(n) = n.known(), n < 0,
        "Trying to create tensor with negative dimension {n}: [{n}, {}]", groups.known().unwrap_or(1));
    // Of nothing nothing is computed.
    kernel("GroupNormKernelImpl", t.dtype, |d| d.is_float() || t.is_empty())?;
    check_parameter_dtype(&t, &a.optional_tensor(1)?)?;
    let stats = tensor(statistics_dtype(t.dtype), Some(smallvec![n, groups]));
    Ok(smallvec![t.like(), stats.clone(), stats])
}

pub fn native_group_norm_backward(a: &[Meta]) -> RuleResult {
    let (grad, t) = (a.tensor(0)?, a.tensor(1)?);
    let (n, c, rest) = (a.size(5), a.size(6), a.size(7));
    refuse!(if unlike(&grad, &t).is_some(), "Expected scalar types of X and dY are same.");
    let total = n.times(c).times(rest);
    for (t, name) in [(&grad, "dY"), (&t, "X")] {
        refuse!(if t.numel().unequal(total), "Expected {name}.numel() == N * C * HxW to be true, but got false.");
    }
    for (i, name) in [(2, "mean"), (3, "rstd")] {
        refuse!(if a.tensor(i)?.numel().unequal(n.times(a.size(8))),
            "Expected {name}.numel() == N * group to be true, but got false.");
    }
    // The same elements in a row.
    let flat = |t: TensorMeta| Some(TensorMeta { sizes: Some(smallvec![t.numel()]), ..t });
    check_parameters(&t, &[&flat(a.tensor(2)?), &flat(a.tensor(3)?), &a.optional_tensor(4)?])?;
    let parameter = tensor(t.dtype, Some(smallvec![c]));
    masked(a.meta(9), [t.like(), parameter.clone(), parameter])
}

/// Vectors of the input's dtype, or all of f32 beside a half input; the first one says which.
fn check_parameters(t: &TensorMeta, ordered: &[&Option<TensorMeta>]) -> Result<(), ShapeError> {
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

/// Parameters by their names in messages.
type Named = SmallVec<[(&'static str, Option<TensorMeta>); 4]>;

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

/// Parameters of batch norm have one element per channel and the input's dtype. Returns how many channels there are.
fn check_channels(t: &TensorMeta, parameters: &Named, call: Channels) -> Result<Size, ShapeError> {
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
    for (name, p) in parameters.iter().filter_map(|(name, p)| Some((name, p.as_ref()?))) {
        let (want, have) = (channels.times(call.times), p.numel().times(call.times));
        let one = name.starts_with("running") && call.shared && p.numel() == Size::Known(1);
        refuse!(if have.differs(want) && !one, "{name} should contain {want} elements not {have}");
    }
    kernel("batch_norm", t.dtype, DType::is_float)?;
    let by_name = |name: &str| parameters.iter().find(|(n, _)| *n == name).map_or(&None, |(_, p)| p);
    check_parameters(t, &["weight", "bias", "running_mean", "running_var"].map(by_name))?;
    Ok(channels)
}

fn named(a: &[Meta], list: &[(&'static str, usize)]) -> Result<Named, ShapeError> {
    list.iter().map(|(name, i)| Ok((*name, a.optional_tensor(*i)?))).collect()
}

/// Of calls (input, weight, bias, running_mean, running_var, …).
const USUAL: &[(&str, usize)] = &[("running_mean", 3), ("running_var", 4), ("weight", 1), ("bias", 2)];

pub fn batch_norm(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    for (i, name) in [(3, "running_mean"), (4, "running_var")] {
        refuse!(if a.bool(5) == Some(false) && !t.is_empty() && a.is_none(i),
            "{name} must be defined in evaluation mode");
    }
    check_channels(&t, &named(a, USUAL)?, EVALUATED)?;
    one(t.dtype, t.sizes)
}

pub fn instance_norm(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    refuse!(if a.bool(5) == Some(false) && (a.is_none(3) || a.is_none(4)),
        "Expected running_mean and running_var to be defined when use_input_stats is false");
    check_channels(&t, &named(a, USUAL)?, Channels { times: t.size(0), ..EVALUATED })?;
    refuse!(if a.is_none(3) != a.is_none(4) && !a.is_unknown(3) && !a.is_unknown(4),
        "running_mean and running_var must either both be None or neither be None");
    one(t.dtype, t.sizes)
}

/// The result and statistics of the channels, which are there where they are computed.
fn with_statistics(t: &TensorMeta, channels: Size, training: Option<bool>) -> RuleResult {
    let count = match training {
        Some(true) => channels,
        Some(false) => Size::Known(0),
        None => Size::Unknown,
    };
    let stats = tensor(statistics_dtype(t.dtype), Some(smallvec![count]));
    Ok(smallvec![t.like(), stats.clone(), stats])
}

/// `native_batch_norm`, `_native_batch_norm_legit`.
pub fn native_batch_norm(a: &[Meta]) -> RuleResult {
    let (t, training) = (a.tensor(0)?, a.bool(5));
    let call = Channels { trains: training == Some(true), ..EVALUATED };
    with_statistics(&t, check_channels(&t, &named(a, USUAL)?, call)?, training)
}

/// `_native_batch_norm_legit`: what is traced has statistics also where they are not computed, and of running statistics the first are kept.
pub fn native_batch_norm_legit(a: &[Meta]) -> RuleResult {
    let (t, trains) = (a.tensor(0)?, a.bool(5) == Some(true));
    let channels = check_channels(&t, &named(a, USUAL)?, Channels { trains, shared: trains, ..EVALUATED })?;
    with_statistics(&t, channels, Some(true))
}

pub fn native_batch_norm_no_stats(a: &[Meta]) -> RuleResult {
    let (t, parameters) = (a.tensor(0)?, named(a, &[("weight", 1), ("bias", 2)])?);
    with_statistics(&t, check_channels(&t, &parameters, Channels { trains: true, ..EVALUATED })?, Some(true))
}

pub fn native_batch_norm_no_training(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    check_channels(&t, &named(a, USUAL)?, EVALUATED)?;
    // What is traced hands the running statistics on; computed at once, there are none.
    let statistic = |i: usize| a.tensor(i).map(|s| tensor(statistics_dtype(t.dtype), s.sizes));
    Ok(smallvec![t.like(), statistic(3)?, statistic(4)?])
}

pub fn native_batch_norm_backward(a: &[Meta]) -> RuleResult {
    let t = a.tensor(1)?;
    let list = [("weight", 2), ("running_mean", 3), ("running_var", 4), ("save_mean", 5), ("save_invstd", 6)];
    let p = named(a, &list)?;
    if a.bool(7) == Some(true) {
        check_channels(&t, &named(a, &list[..1])?, EVALUATED)?;
    }
    check_parameter_dtype(&t, &Some(a.tensor(0)?))?;
    check_parameters(&t, &p.iter().map(|(_, p)| p).collect::<Vec<_>>())?;
    let parameter = tensor(p[0].1.as_ref().map_or(t.dtype, |p| p.dtype), Some(smallvec![t.size(1)]));
    masked(a.meta(9), [t.like(), parameter.clone(), parameter])
}

pub fn cosine_similarity(a: &[Meta]) -> RuleResult {
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    let dtype = common_dtype(a[..2].iter())?;
    refuse!(if let Some(d) = dtype, !d.is_float(),
        "expected common dtype to be floating point, yet common dtype is {}", d.scalar_type_name());
    refuse!(if let Some(eps) = a.float(3), eps < 0.0, "eps must be non-negative, got: {eps}");
    let (Some(sizes), Some(d)) = (broadcast_all([&x, &y])?, a.int(2)) else { return one(dtype, None) };
    one(dtype, Some(reduce_sizes(&sizes, &reduced_dims(&[d], sizes.len())?, false)))
}

pub fn pairwise_distance(a: &[Meta]) -> RuleResult {
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    no_truth_values([&x, &y])?;
    let dtype = common_dtype(a[..2].iter())?.map(to_float).map(DType::to_real);
    let sizes = broadcast_all([&x, &y])?;
    let (Some(mut sizes), Some(keep)) = (sizes, a.bool(4)) else { return one(dtype, None) };
    sizes.pop();
    if keep {
        sizes.push(Size::Known(1));
    }
    one(dtype, Some(sizes))
}

pub fn renorm(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    inexact("linalg.vector_norm", &t)?;
    refuse!(if let Some(p) = a.float(1), p <= 0.0, "renorm: non-positive-norm not supported");
    refuse!(if let Some(m) = a.float(3), m < 0.0, "renorm: expected maxnorm to be >= 0 but got {m}");
    if let Some(r) = t.rank() {
        refuse!(if r < 2, "renorm: input needs at least 2 dimensions, got {r} dimensions");
        if let Some(d) = a.int(2) {
            wrap_dim(d, r)?;
        }
    }
    one(t.dtype, t.sizes)
}

pub fn weight_norm(a: &[Meta]) -> RuleResult {
    let (v, g) = (a.tensor(0)?, a.tensor(1)?);
    refuse!(if v.rank() == Some(0), "_weight_norm_interface: v must have at least one dimension");
    Ok(smallvec![v.like(), g.like()])
}

/// The reserve that only other devices use.
fn reserve() -> Meta {
    tensor(Some(DType::U8), Some(smallvec![Size::Known(0)]))
}

/// (input, weight, bias, running_mean, running_var, momentum, eps): trained.
pub fn batch_norm_with_update(a: &[Meta]) -> RuleResult {
    let mut metas = a.to_vec();
    metas.insert(metas.len().min(5), Meta::Bool(true));
    let mut out = native_batch_norm(&metas)?;
    out.push(reserve());
    Ok(out)
}

/// (input, …, cudnn_enabled): also the way taken.
pub fn batch_norm_index(a: &[Meta]) -> RuleResult {
    let mut out = native_batch_norm(a)?;
    out.extend([reserve(), Meta::Int(Size::Known(0))]);
    Ok(out)
}

fn with_running(a: &[Meta], mut results: SmallVec<[Meta; 2]>) -> RuleResult {
    results.extend([a.tensor(3)?.like(), a.tensor(4)?.like()]);
    Ok(results)
}

/// The statistics are results.
pub fn batch_norm_functional(a: &[Meta]) -> RuleResult {
    with_running(a, native_batch_norm(a)?)
}

/// The same of a training call that hands out the reserve too.
pub fn batch_norm_with_update_functional(a: &[Meta]) -> RuleResult {
    with_running(a, batch_norm_with_update(a)?)
}

/// (input, running_mean, running_var, momentum): means and variances of the channels.
pub fn batch_norm_statistics(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    kernel("batch_norm_update_stats_cpu", t.dtype, DType::is_float)?;
    check_mixed(&t, &[&a.optional_tensor(1)?, &a.optional_tensor(2)?])?;
    let sizes = t.sizes.as_ref().map(|s| s.get(1).copied().into_iter().collect::<Sizes>());
    let dtype = t.dtype.map(|d| if d == DType::F64 { d } else { DType::F32 });
    Ok(smallvec![tensor(dtype, sizes.clone()), tensor(dtype, sizes)])
}
