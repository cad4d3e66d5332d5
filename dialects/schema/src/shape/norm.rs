//! Rules of normalisations and softmax: sizes stay; parameters must fit the channels or the normalised shape.

use super::args::*;
use super::{Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use crate::DType;
use crate::promotion::to_float;
use smallvec::{SmallVec, smallvec};

fn text(s: Size) -> String {
    s.known().map_or_else(|| "?".to_string(), |n| n.to_string())
}

fn floats_only(what: &str, d: Option<DType>) -> Result<(), ShapeError> {
    match d {
        Some(d) if !d.is_float() => not_implemented_for(what, d),
        _ => Ok(()),
    }
}

fn softmax_of(name: &str, t: &TensorMeta, dim: Option<i64>, dtype: Option<DType>) -> RuleResult {
    if let (Some(r), Some(d)) = (t.rank(), dim) {
        let at = wrap_dim(d, r)?;
        let last = if r > 0 && at == r - 1 { "_lastdim" } else { "" };
        if t.numel() != Size::Known(0) {
            floats_only(&format!("{name}{last}_kernel_impl"), dtype)?;
        }
    }
    one(dtype, t.sizes.clone())
}

/// `softmax.int`, `_safe_softmax`: the dtype argument is converted to first.
pub fn softmax(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let dtype = a.dtype(2).and_then(|d| d.or(t.dtype));
    softmax_of("softmax", &t, a.int(1), dtype)
}

pub fn log_softmax(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let dtype = a.dtype(2).and_then(|d| d.or(t.dtype));
    softmax_of("log_softmax", &t, a.int(1), dtype)
}

/// `_softmax`: the third argument asks for f32 from a half.
pub fn softmax_native(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    softmax_of("softmax", &t, a.int(1), if a.bool(2) == Some(true) { Some(DType::F32) } else { t.dtype })
}

pub fn log_softmax_native(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    softmax_of("log_softmax", &t, a.int(1), if a.bool(2) == Some(true) { Some(DType::F32) } else { t.dtype })
}

/// (self, mask, dim, mask_type): a mask of every element, of the keys of each sample, or of queries and keys.
pub fn masked_softmax(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (t, mask) = (args.tensor(0)?, args.tensor(1)?);
    if mask.dtype.is_some_and(|d| d != DType::Bool) {
        return error("Mask should be a boolean tensor");
    }
    if let (Some(2), Some(s), Some(m)) = (args.int(3), &t.sizes, &mask.sizes)
        && (s.len() != m.len() || s.iter().zip(m).any(|(x, y)| x.differs(*y)))
    {
        return error("For mask_type == 2 mask shape should match input shape");
    }
    super::like::first(a)
}

fn softmax_backward_of(name: &str, a: Args<'_>) -> RuleResult {
    let t = a.tensor(0)?;
    if let (Some(have), Some(want)) = (&t.sizes, &a.tensor(1)?.sizes)
        && (have.len() != want.len() || have.iter().zip(want).any(|(x, y)| x.differs(*y)))
    {
        return error(format!(
            "Expected tensor for argument #1 'grad' to have same size as tensor for argument #2 'output'; but {} does not equal {} (while checking arguments for {name})",
            show(have),
            show(want)
        ));
    }
    if let (Some(r), Some(d)) = (t.rank(), a.int(2)) {
        let at = wrap_dim(d, r)?;
        let last = if r > 0 && at == r - 1 { "_lastdim" } else { "" };
        floats_only(&format!("{name}{last}_kernel_impl"), t.dtype)?;
    }
    // Only a half input that was computed in f32 gets its own dtype back; other dtypes asked for are ignored.
    let half = a.dtype(3).flatten().filter(|d| *d == DType::F16 && t.dtype == Some(DType::F32));
    one(half.or(t.dtype), t.sizes)
}

pub fn softmax_backward(a: &[Meta]) -> RuleResult {
    softmax_backward_of("softmax_backward", Args(a))
}

pub fn log_softmax_backward(a: &[Meta]) -> RuleResult {
    softmax_backward_of("log_softmax_backward", Args(a))
}

/// The normalised shape is the input's tail; weight and bias have it. Returns how many dimensions lead.
fn check_normalized(
    t: &TensorMeta,
    shape: Option<Sizes>,
    weight: Option<&TensorMeta>,
    bias: Option<&TensorMeta>,
    star: &str,
) -> Result<Option<usize>, ShapeError> {
    let Some(shape) = shape else { return Ok(None) };
    if shape.is_empty() {
        return error(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []",
        );
    }
    for (p, name) in [(weight, "weight"), (bias, "bias")] {
        if let Some(s) = p.and_then(|p| p.sizes.as_ref())
            && (s.len() != shape.len() || s.iter().zip(&shape).any(|(a, b)| a.differs(*b)))
        {
            return error(format!(
                "Expected {name} to be of same shape as normalized_shape, but got {name} of shape {} and normalized_shape = {}",
                show(s),
                show(&shape)
            ));
        }
    }
    let Some(sizes) = &t.sizes else { return Ok(None) };
    let lead = sizes.len().checked_sub(shape.len());
    let fits = lead.is_some_and(|l| !sizes[l..].iter().zip(&shape).any(|(a, b)| a.differs(*b)));
    if !fits {
        let inner = show(&shape);
        return error(format!(
            "Given normalized_shape={inner}, expected input with shape [*{star}{}, but got input of size{}",
            &inner[1..],
            show(sizes)
        ));
    }
    Ok(lead)
}

/// Parameters have the input's dtype, or are f32 beside a half input.
fn check_parameter_dtype(t: &TensorMeta, p: Option<&TensorMeta>) -> Result<(), ShapeError> {
    if let (Some(have), Some(want)) = (p.and_then(|p| p.dtype), t.dtype)
        && have != want
        && !(want.is_float() && want.size() == 2 && have == DType::F32)
    {
        return error(format!(
            "expected scalar type {} but found {}",
            want.scalar_type_name(),
            have.scalar_type_name()
        ));
    }
    Ok(())
}

/// Where the first parameter has another dtype than the input, all are f32 beside a half input.
fn check_mixed(t: &TensorMeta, parameters: &[Option<&TensorMeta>]) -> Result<(), ShapeError> {
    let dtypes = || parameters.iter().flatten().filter_map(|p| p.dtype);
    let (Some(want), Some(first)) = (t.dtype, dtypes().next()) else { return Ok(()) };
    if first == want {
        return Ok(());
    }
    if dtypes().any(|d| d != DType::F32) {
        return error("mixed dtype (CPU): expect parameter to have scalar type of Float");
    }
    if !(want.is_float() && want.size() == 2) {
        return error("mixed dtype (CPU): all inputs must share same datatype.");
    }
    Ok(())
}

pub fn layer_norm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let (w, b) = (a.optional_tensor(2)?, a.optional_tensor(3)?);
    check_mixed(&t, &[w.as_ref(), b.as_ref()])?;
    check_normalized(&t, a.sizes(1), w.as_ref(), b.as_ref(), ", ")?;
    floats_only("LayerNormKernelImpl", t.dtype)?;
    check_parameter_dtype(&t, w.as_ref())?;
    check_parameter_dtype(&t, b.as_ref())?;
    one(t.dtype, t.sizes)
}

/// Statistics of half inputs are kept in f32.
fn statistics_dtype(d: Option<DType>) -> Option<DType> {
    d.map(|d| if d.is_float() && d.size() == 2 { DType::F32 } else { d })
}

pub fn native_layer_norm(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let lead = {
        let t = args.tensor(0)?;
        let (w, b) = (args.optional_tensor(2)?, args.optional_tensor(3)?);
        check_mixed(&t, &[w.as_ref(), b.as_ref()])?;
        check_normalized(&t, args.sizes(1), w.as_ref(), b.as_ref(), ", ")?
    };
    let out = layer_norm(&a[..a.len().min(4)])?;
    let t = args.tensor(0)?;
    let sizes = match (lead, &t.sizes) {
        (Some(l), Some(s)) => {
            Some(s.iter().enumerate().map(|(i, s)| if i < l { *s } else { Size::Known(1) }).collect::<Sizes>())
        }
        _ => None,
    };
    let stats = tensor(statistics_dtype(t.dtype), sizes);
    Ok(smallvec![out[0].clone(), stats.clone(), stats])
}

fn masked(mask: &Meta, i: usize, result: Meta) -> Meta {
    match mask {
        Meta::List(flags) => match flags.get(i) {
            Some(Meta::Bool(true)) => result,
            Some(Meta::Bool(false)) => Meta::None,
            _ => Meta::Unknown,
        },
        _ => Meta::Unknown,
    }
}

pub fn native_layer_norm_backward(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (grad, t) = (a.tensor(0)?, a.tensor(1)?);
    let (w, b) = (a.optional_tensor(5)?, a.optional_tensor(6)?);
    check_normalized(&t, a.sizes(2), w.as_ref(), b.as_ref(), ", ")?;
    floats_only("LayerNormBackwardKernelImpl", t.dtype)?;
    let statistics = [Some(a.tensor(3)?), Some(a.tensor(4)?)];
    for p in [&Some(grad), &statistics[0], &statistics[1], &w, &b] {
        check_parameter_dtype(&t, p.as_ref())?;
    }
    let parameter = |p: &Option<TensorMeta>| {
        let p = p.clone();
        tensor(p.as_ref().map_or(t.dtype, |p| p.dtype), p.map_or(a.sizes(2), |p| p.sizes))
    };
    let mask = a.get(7);
    let or_none =
        |p: &Option<TensorMeta>, i: usize| if p.is_none() { Meta::None } else { masked(mask, i, parameter(p)) };
    Ok(smallvec![masked(mask, 0, tensor(t.dtype, t.sizes.clone())), or_none(&w, 1), or_none(&b, 2)])
}

pub fn rms_norm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let w = a.optional_tensor(2)?;
    if let (Some(least), Some(rank)) = (a.sizes(1).map(|s| s.len()), t.rank())
        && rank < least
    {
        return error(format!("Input tensor must have at least {least} dimensions, but got {rank}"));
    }
    check_normalized(&t, a.sizes(1), w.as_ref(), None, "")?;
    if let Some(d) = t.dtype
        && !d.is_float()
        && !d.is_complex()
    {
        return not_implemented_for("rms_norm", d);
    }
    one(t.dtype, t.sizes)
}

fn check_groups(
    n: Size,
    c: Size,
    rest: Size,
    groups: Option<i64>,
    shape: impl Fn() -> String,
) -> Result<(), ShapeError> {
    let _ = n;
    if let Some(g) = groups
        && g <= 0
    {
        return error(format!("Expected num groups to be greater than 0, got {g}"));
    }
    if let Some(c) = c.known()
        && c <= 0
    {
        return error(format!("Expected number of channels to be greater than 0, got {c}"));
    }
    if let Some(r) = rest.known()
        && r <= 0
    {
        return error(format!("Expected HxW to be greater than 0, got {r}"));
    }
    if let (Some(g), Some(c)) = (groups, c.known())
        && c % g != 0
    {
        return error(format!(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape {} and num_groups={g}",
            shape()
        ));
    }
    Ok(())
}

fn check_channels(name: &str, p: Option<&TensorMeta>, c: Size, shape: &str) -> Result<(), ShapeError> {
    if let Some(p) = p
        && let Some(s) = &p.sizes
        && (s.len() != 1 || s[0].differs(c))
    {
        return error(format!(
            "Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape {} and input of shape {shape}",
            show(s)
        ));
    }
    Ok(())
}

pub fn group_norm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let (w, b) = (a.optional_tensor(2)?, a.optional_tensor(3)?);
    let Some(sizes) = &t.sizes else { return one(t.dtype, None) };
    if sizes.len() < 2 {
        return error(format!("Expected at least 2 dimensions for input tensor but received {}", sizes.len()));
    }
    let shape = || show(sizes);
    check_groups(sizes[0], sizes[1], product(&sizes[2..]), a.int(1), shape)?;
    check_channels("weight", w.as_ref(), sizes[1], &shape())?;
    check_channels("bias", b.as_ref(), sizes[1], &shape())?;
    floats_only("GroupNormKernelImpl", t.dtype)?;
    check_parameter_dtype(&t, w.as_ref())?;
    one(t.dtype, t.sizes)
}

pub fn native_group_norm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let (n, c, rest) = (a.size(3), a.size(4), a.size(5));
    let groups = a.int(6);
    check_groups(n, c, rest, groups, || format!("[{}, {}]", text(n), text(c)))?;
    if let (Some(want), Some(have)) = (n.times(c).times(rest).known(), t.numel().known())
        && want != have
        && n.known().is_none_or(|n| n >= 0)
    {
        return error("Expected X.numel() == N * C * HxW to be true, but got false.");
    }
    if let Some(n) = n.known()
        && n < 0
    {
        return error(format!("Trying to create tensor with negative dimension {n}: [{n}, {}]", groups.unwrap_or(1)));
    }
    // Of nothing nothing is computed.
    if t.numel() != Size::Known(0) {
        floats_only("GroupNormKernelImpl", t.dtype)?;
    }
    check_parameter_dtype(&t, a.optional_tensor(1)?.as_ref())?;
    let stats = tensor(statistics_dtype(t.dtype), Some(smallvec![n, groups.map_or(Size::Unknown, Size::Known)]));
    Ok(smallvec![tensor(t.dtype, t.sizes), stats.clone(), stats])
}

/// The same elements in a row.
fn flat(t: &TensorMeta) -> TensorMeta {
    TensorMeta { sizes: Some(smallvec![t.numel()]), ..t.clone() }
}

pub fn native_group_norm_backward(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (grad, t) = (a.tensor(0)?, a.tensor(1)?);
    let (n, c, rest) = (a.size(5), a.size(6), a.size(7));
    if let (Some(d), Some(e)) = (grad.dtype, t.dtype)
        && d != e
    {
        return error("Expected scalar types of X and dY are same.");
    }
    let total = n.times(c).times(rest);
    for (t, name) in [(&grad, "dY"), (&t, "X")] {
        if t.numel().differs(total) {
            return error(format!("Expected {name}.numel() == N * C * HxW to be true, but got false."));
        }
    }
    let groups = a.int(8).map_or(Size::Unknown, Size::Known);
    for (i, name) in [(2, "mean"), (3, "rstd")] {
        if a.tensor(i)?.numel().differs(n.times(groups)) {
            return error(format!("Expected {name}.numel() == N * group to be true, but got false."));
        }
    }
    let weight = a.optional_tensor(4)?;
    let (mean, rstd) = (flat(&a.tensor(2)?), flat(&a.tensor(3)?));
    check_parameters(&t, &[Some(&mean), Some(&rstd), weight.as_ref()])?;
    let parameter = || tensor(t.dtype, Some(smallvec![c]));
    let mask = a.get(9);
    Ok(smallvec![
        masked(mask, 0, tensor(t.dtype, t.sizes.clone())),
        masked(mask, 1, parameter()),
        masked(mask, 2, parameter())
    ])
}

/// Vectors of the input's dtype, or all of f32 beside a half input; the first one says which.
fn check_parameters(t: &TensorMeta, ordered: &[Option<&TensorMeta>]) -> Result<(), ShapeError> {
    check_mixed(t, ordered)?;
    let first = ordered.iter().flatten().find_map(|p| p.dtype);
    for p in ordered.iter().flatten() {
        if let (Some(want), Some(first), Some(have)) = (t.dtype, first, p.dtype)
            && have != first
        {
            return error(format!(
                "expected scalar type {} but found {}",
                want.scalar_type_name(),
                have.scalar_type_name()
            ));
        }
    }
    match ordered.iter().flatten().filter_map(|p| p.rank()).find(|r| *r > 1) {
        Some(r) => error(format!("TensorAccessor expected 1 dims but tensor has {r}")),
        None => Ok(()),
    }
}

/// Parameters of batch norm have one element per channel and the input's dtype.
fn check_batch_norm(t: &TensorMeta, parameters: &[(&str, Option<TensorMeta>)]) -> Result<Size, ShapeError> {
    check_channel_norm(t, parameters, Size::Known(1), false)
}

/// The same of a call that computes statistics, for which there has to be something to compute them of.
fn check_training(t: &TensorMeta, parameters: &[(&str, Option<TensorMeta>)], shared: bool) -> Result<Size, ShapeError> {
    if t.numel() == Size::Known(0) {
        let sizes = t.sizes.clone().unwrap_or_default();
        return error(format!("input tensor must have at least one element, but got input_sizes = {}", show(&sizes)));
    }
    check_channel_norm(t, parameters, Size::Known(1), shared)
}

/// The same for channels that `times` samples have each for themselves, with parameters repeated for them.
fn check_channel_norm(
    t: &TensorMeta,
    parameters: &[(&str, Option<TensorMeta>)],
    times: Size,
    shared: bool,
) -> Result<Size, ShapeError> {
    if let Some(0) = t.rank() {
        return index_error("Dimension specified as 1 but tensor has no dimensions");
    }
    if let Some(r) = t.rank() {
        wrap_dim(1, r)?;
    }
    let channels = t.size(1);
    // Of nothing nothing is computed, and nothing is looked at.
    if t.numel() == Size::Known(0) {
        return Ok(channels);
    }
    for (name, p) in parameters {
        let Some(p) = p else { continue };
        let (want, have) = (channels.times(times), p.numel().times(times));
        // One running statistic that is only written stands for all.
        let one = name.starts_with("running") && shared && p.numel() == Size::Known(1);
        if have.differs(want) && !one {
            return error(format!("{name} should contain {} elements not {}", text(want), text(have)));
        }
    }
    floats_only("batch_norm", t.dtype)?;
    let by_name = |name: &str| parameters.iter().find(|(n, _)| *n == name).and_then(|(_, p)| p.as_ref());
    let ordered = ["weight", "bias", "running_mean", "running_var"].map(by_name);
    check_parameters(t, &ordered)?;
    Ok(channels)
}

fn named<'a>(
    a: Args<'_>,
    list: &[(&'a str, usize)],
) -> Result<SmallVec<[(&'a str, Option<TensorMeta>); 4]>, ShapeError> {
    list.iter().map(|(name, i)| Ok((*name, a.optional_tensor(*i)?))).collect()
}

pub fn batch_norm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if a.bool(5) == Some(false) && t.numel() != Size::Known(0) {
        for (i, name) in [(3, "running_mean"), (4, "running_var")] {
            if a.is_none(i) {
                return error(format!("{name} must be defined in evaluation mode"));
            }
        }
    }
    let p = named(a, &[("running_mean", 3), ("running_var", 4), ("weight", 1), ("bias", 2)])?;
    check_batch_norm(&t, &p)?;
    one(t.dtype, t.sizes)
}

pub fn instance_norm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if a.bool(5) == Some(false) && (a.is_none(3) || a.is_none(4)) {
        return error("Expected running_mean and running_var to be defined when use_input_stats is false");
    }
    let p = named(a, &[("running_mean", 3), ("running_var", 4), ("weight", 1), ("bias", 2)])?;
    check_channel_norm(&t, &p, t.size(0), false)?;
    if a.is_none(3) != a.is_none(4) && !a.is_unknown(3) && !a.is_unknown(4) {
        return error("running_mean and running_var must either both be None or neither be None");
    }
    one(t.dtype, t.sizes)
}

fn batch_norm_results(t: &TensorMeta, channels: Size, training: Option<bool>) -> RuleResult {
    let count = match training {
        Some(true) => channels,
        Some(false) => Size::Known(0),
        None => Size::Unknown,
    };
    let stats = tensor(statistics_dtype(t.dtype), Some(smallvec![count]));
    Ok(smallvec![tensor(t.dtype, t.sizes.clone()), stats.clone(), stats])
}

/// `native_batch_norm`, `_native_batch_norm_legit`.
pub fn native_batch_norm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let p = named(a, &[("running_mean", 3), ("running_var", 4), ("weight", 1), ("bias", 2)])?;
    let channels = match a.bool(5) {
        Some(true) => check_training(&t, &p, false)?,
        _ => check_batch_norm(&t, &p)?,
    };
    batch_norm_results(&t, channels, a.bool(5))
}

/// `_native_batch_norm_legit`: what is traced has statistics also where they are not computed, and of running statistics the first are kept.
pub fn native_batch_norm_legit(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let p = named(a, &[("running_mean", 3), ("running_var", 4), ("weight", 1), ("bias", 2)])?;
    let channels = match a.bool(5) {
        Some(true) => check_training(&t, &p, true)?,
        _ => check_batch_norm(&t, &p)?,
    };
    batch_norm_results(&t, channels, Some(true))
}

pub fn native_batch_norm_no_stats(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let channels = check_training(&t, &named(a, &[("weight", 1), ("bias", 2)])?, false)?;
    batch_norm_results(&t, channels, Some(true))
}

pub fn native_batch_norm_no_training(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let p = named(a, &[("running_mean", 3), ("running_var", 4), ("weight", 1), ("bias", 2)])?;
    check_batch_norm(&t, &p)?;
    // What is traced hands the running statistics on; computed at once, there are none.
    let statistic = |i: usize| a.tensor(i).map(|s| tensor(statistics_dtype(t.dtype), s.sizes));
    Ok(smallvec![tensor(t.dtype, t.sizes.clone()), statistic(3)?, statistic(4)?])
}

pub fn native_batch_norm_backward(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(1)?;
    let p = named(a, &[("weight", 2), ("running_mean", 3), ("running_var", 4), ("save_mean", 5), ("save_invstd", 6)])?;
    if a.bool(7) == Some(true) {
        check_batch_norm(&t, &p[..1])?;
    }
    check_parameter_dtype(&t, Some(&a.tensor(0)?))?;
    let parameters: Vec<Option<&TensorMeta>> = p.iter().map(|(_, p)| p.as_ref()).collect();
    check_parameters(&t, &parameters)?;
    let channels = t.size(1);
    let mask = a.get(9);
    let dtype = p[0].1.as_ref().map_or(t.dtype, |p| p.dtype);
    let parameter = || tensor(dtype, Some(smallvec![channels]));
    Ok(smallvec![
        masked(mask, 0, tensor(t.dtype, t.sizes.clone())),
        masked(mask, 1, parameter()),
        masked(mask, 2, parameter())
    ])
}

pub fn cosine_similarity(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    let dtype = common_dtype(a.0[..2].iter())?;
    if let Some(d) = dtype
        && !d.is_float()
    {
        return error(format!(
            "expected common dtype to be floating point, yet common dtype is {}",
            d.scalar_type_name()
        ));
    }
    if let Some(eps) = a.float(3)
        && eps < 0.0
    {
        return error(format!("eps must be non-negative, got: {eps}"));
    }
    let sizes = broadcast_all([&x, &y].into_iter())?;
    let (Some(sizes), Some(d)) = (sizes, a.int(2)) else { return one(dtype, None) };
    let mask = reduced_dims(&[d], sizes.len())?;
    one(dtype, Some(reduce_sizes(&sizes, &mask, false)))
}

pub fn pairwise_distance(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    if x.dtype == Some(DType::Bool) || y.dtype == Some(DType::Bool) {
        return not_implemented(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
        );
    }
    let dtype = common_dtype(a.0[..2].iter())?.map(to_float).map(DType::to_real);
    let sizes = broadcast_all([&x, &y].into_iter())?;
    let (Some(mut sizes), Some(keep)) = (sizes, a.bool(4)) else { return one(dtype, None) };
    sizes.pop();
    if keep {
        sizes.push(Size::Known(1));
    }
    one(dtype, Some(sizes))
}

pub fn renorm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    if let Some(d) = t.dtype
        && !d.is_float()
        && !d.is_complex()
    {
        return not_implemented(format!(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {}",
            d.scalar_type_name()
        ));
    }
    if let Some(p) = a.float(1)
        && p <= 0.0
    {
        return error("renorm: non-positive-norm not supported");
    }
    if let Some(m) = a.float(3)
        && m < 0.0
    {
        return error(format!("renorm: expected maxnorm to be >= 0 but got {m}"));
    }
    if let Some(r) = t.rank() {
        if r < 2 {
            return error(format!("renorm: input needs at least 2 dimensions, got {r} dimensions"));
        }
        if let Some(d) = a.int(2) {
            wrap_dim(d, r)?;
        }
    }
    one(t.dtype, t.sizes)
}

pub fn weight_norm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (v, g) = (a.tensor(0)?, a.tensor(1)?);
    if v.rank() == Some(0) {
        return error("_weight_norm_interface: v must have at least one dimension");
    }
    Ok(smallvec![tensor(v.dtype, v.sizes), tensor(g.dtype, g.sizes)])
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

/// The statistics are results.
pub fn batch_norm_functional(a: &[Meta]) -> RuleResult {
    let mut out = native_batch_norm(a)?;
    for i in [3, 4] {
        let t = Args(a).tensor(i)?;
        out.push(tensor(t.dtype, t.sizes));
    }
    Ok(out)
}

/// The same of a training call that hands out the reserve too.
pub fn batch_norm_with_update_functional(a: &[Meta]) -> RuleResult {
    let mut out = batch_norm_with_update(a)?;
    for i in [3, 4] {
        let t = Args(a).tensor(i)?;
        out.push(tensor(t.dtype, t.sizes));
    }
    Ok(out)
}

/// (input, running_mean, running_var, momentum): means and variances of the channels.
pub fn batch_norm_statistics(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    if let Some(d) = t.dtype
        && !d.is_float()
    {
        return not_implemented_for("batch_norm_update_stats_cpu", d);
    }
    check_mixed(&t, &[Args(a).optional_tensor(1)?.as_ref(), Args(a).optional_tensor(2)?.as_ref()])?;
    let sizes = t.sizes.as_ref().map(|s| s.get(1).copied().into_iter().collect::<Sizes>());
    let dtype = t.dtype.map(|d| if d == DType::F64 { d } else { DType::F32 });
    Ok(smallvec![tensor(dtype, sizes.clone()), tensor(dtype, sizes)])
}

/// (input, normalized_shape, weight, eps): the result, and one number for each group.
pub fn fused_rms_norm(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    let scale = match (&t.sizes, Args(a).sizes(1)) {
        (Some(s), Some(n)) => Some(
            s.iter()
                .enumerate()
                .map(|(d, s)| if d + n.len() >= t.rank().unwrap_or(0) { Size::Known(1) } else { *s })
                .collect(),
        ),
        _ => None,
    };
    Ok(smallvec![
        tensor(t.dtype, t.sizes),
        tensor(t.dtype.map(|d| if d == DType::F64 { d } else { DType::F32 }), scale)
    ])
}
