//! Rules of losses: one value per element, or their mean or sum.

use super::args::*;
use super::reduce::mean_of;

/// Elements, reduced by the reduction argument: 0, and what is no reduction, keeps them.
fn reduced(dtype: Option<DType>, sizes: Option<Sizes>, reduction: Int) -> RuleResult {
    one(dtype, reduction.and_then(|r| if matches!(r, 1 | 2) { Some(Sizes::new()) } else { sizes }))
}

pub fn poisson_nll_loss([x, y]: [TensorMeta; 2], _: Skip<1>, full: Flag, _: Skip<1>, reduction: Int) -> RuleResult {
    let (d, s) = joined([&y, &x])?;
    no_truth_values([&x, &y])?;
    if full == Some(true) {
        kernel("le_cpu", y.dtype, |d| !d.is_complex())?;
    }
    reduced(d.map(to_float), s, reduction)
}

pub fn binary_cross_entropy([x, y]: [TensorMeta; 2], weight: Maybe, reduction: Int) -> RuleResult {
    refuse!(if let Some((d, e)) = unlike(&x, &y), "Found dtype {e} but expected {d}");
    if let Some(w) = weight {
        fits_into(&x, &broadcast_all([&x, &w])?)?;
    }
    reduced(x.dtype, x.sizes, reduction)
}

/// What is broadcast has the sizes of what it is written to.
fn fits_into(target: &TensorMeta, all: &Option<Sizes>) -> Result<(), ShapeError> {
    refuse!(if let Some((have, all)) = mismatch(&target.sizes, all),
        "output with shape {have} doesn't match the broadcast shape {all}");
    Ok(())
}

pub fn binary_cross_entropy_with_logits([x, y]: [TensorMeta; 2], weights: [Maybe; 2], reduction: Int) -> RuleResult {
    kernel("log_sigmoid_cpu", x.dtype, DType::is_inexact)?;
    let common = common_of([&x, &y])?;
    converts(x.dtype.map(|d| common.unwrap_or(d)), y.dtype)?;
    reduced(common, broadcast_all([&x, &y].into_iter().chain(weights.iter().flatten()))?, reduction)
}

/// Gradient, input, target broadcast; the gradient has the input's dtype.
pub fn mse_loss_backward(all: [TensorMeta; 3]) -> RuleResult {
    let dtype = common_of(&all)?;
    converts(dtype, all[1].dtype)?;
    one(dtype, broadcast_all(&all)?)
}

/// The same where all have one dtype.
pub fn huber_loss_backward(all: [TensorMeta; 3]) -> RuleResult {
    for t in [&all[2], &all[0]] {
        refuse!(if let Some((d, want)) = unlike(t, &all[1]), "Found dtype {d} but expected {want}");
    }
    mse_loss_backward(all)
}

/// The ranks of three tensors that are not one.
fn ranks_differ(all: &[TensorMeta; 3]) -> Option<[usize; 3]> {
    let ranks = [all[0].rank()?, all[1].rank()?, all[2].rank()?];
    (ranks[0] != ranks[1] || ranks[1] != ranks[2]).then_some(ranks)
}

pub fn margin_ranking_loss(all: [TensorMeta; 3], _: Skip<1>, reduction: Int) -> RuleResult {
    refuse!(if ranks_differ(&all).is_some(),
        "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: {}, input2: {}, target: {} ",
        all[0].shown(), all[1].shown(), all[2].shown());
    no_negated_truth(&all[2])?;
    no_truth_values(&all[..2])?;
    let (dtype, sizes) = joined(&all)?;
    no_clamp(dtype)?;
    reduced(dtype, sizes, reduction)
}

fn no_clamp(dtype: Option<DType>) -> Result<(), ShapeError> {
    refuse!(NotImplemented if dtype.is_some_and(DType::is_complex), "clamp is not supported for complex types");
    Ok(())
}

pub fn triplet_margin_loss(all: [TensorMeta; 3], _: Skip<4>, reduction: Int) -> RuleResult {
    refuse!(if let Some([x, y, z]) = ranks_differ(&all),
        "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor {x}D, positive {y}D, and negative {z}D inputs");
    no_truth_values(&all)?;
    let (dtype, mut sizes) = joined(&all)?;
    sizes = sizes.map(|s| s[..s.len().saturating_sub(1)].into());
    // Distances are real.
    reduced(dtype.map(|d| to_float(d).to_real()), sizes, reduction)
}

pub fn cosine_embedding_loss([x, y, t]: [TensorMeta; 3], _: Skip<1>, reduction: Int) -> RuleResult {
    refuse!(if t.rank().is_some_and(|r| r > 1), "0D or 1D target tensor expected, multi-target not supported");
    refuse!(if let Some(rank) = t.rank(), [&x, &y].iter().any(|t| t.rank_not(rank + 1).is_some()),
        "{rank}D target tensor expects {}D input tensors, but found inputs with sizes {} and {}.", rank + 1, x.shown(),
        y.shown());
    let (dtype, sizes) = joined([&x, &y])?;
    no_clamp(dtype)?;
    let samples = |s: Sizes| if s.len() == 2 { smallvec![s[0]] } else { Sizes::new() };
    let sizes = sizes.map(samples).zip(t.sizes).map(|(s, t)| broadcast(&s, &t)).transpose()?;
    reduced(dtype.map(to_float), sizes, reduction)
}

/// Class weights and targets of a negative log likelihood.
fn check_nll(t: &TensorMeta, target: &TensorMeta, weight: &Maybe) -> Result<(), ShapeError> {
    refuse!(if let Some(d) = target.dtype_not(|d| matches!(d, DType::I64 | DType::U8)),
        "expected target dtype to be Long or Byte, but got {d}");
    if let (Some(w), Some(r)) = (weight, t.rank()) {
        let classes = t.size(usize::from(r != 1));
        refuse!(if w.rank_not(1).is_some() || w.numel().differs(classes),
            "weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of shape: {}",
            w.shown());
    }
    Ok(())
}

/// The sizes of a loss for each target; classes are the last dimension of one or two.
fn nll(t: &TensorMeta, target: &TensorMeta, weight: &Maybe) -> Result<Option<Sizes>, ShapeError> {
    if let (Some(s), Some(q)) = (&t.sizes, &target.sizes) {
        refuse!(if s.is_empty() || s.len() > 2, "input tensor should be 1D or 2D");
        refuse!(if q.len() > 1, "0D or 1D target tensor expected, multi-target not supported");
        refuse!(Index if s.len() == 2 && q.is_empty(), "Dimension specified as 0 but tensor has no dimensions");
        refuse!(if s.len() == 2 && s[0].differs(q[0]), "size mismatch (got input: {}, target: {})", show(s), show(q));
    }
    check_nll(t, target, weight)?;
    kernel("nll_loss_out_frame", t.dtype, DType::is_float)?;
    Ok(if t.rank() == Some(1) { target.sizes.as_ref().map(|_| Sizes::new()) } else { target.sizes.clone() })
}

/// The same of pictures.
fn nll2d(t: &TensorMeta, target: &TensorMeta, weight: &Maybe) -> Result<Option<Sizes>, ShapeError> {
    refuse!(if let Some(r) = target.rank_not(3),
        "only batches of spatial targets supported (3D tensors) but got targets of dimension: {r}");
    refuse!(if let Some(r) = t.rank_not(4),
        "only batches of spatial inputs supported (4D tensors), but got input of dimension: {r}");
    refuse!(if let (Some(s), Some(q)) = (&t.sizes, &target.sizes), differ(&[s[0], s[2], s[3]], q),
        "size mismatch (got input: {} , target: {}", show(s), show(q));
    check_nll(t, target, weight)?;
    kernel("nll_loss2d_forward_out_frame", t.dtype, DType::is_float)?;
    Ok(target.sizes.clone())
}

type Nll = fn(&TensorMeta, &TensorMeta, &Maybe) -> Result<Option<Sizes>, ShapeError>;

/// The loss, and the weight of all targets.
fn nll_forward([t, target]: [TensorMeta; 2], weight: Maybe, reduction: Int, nll: Nll) -> RuleResult {
    let loss = reduced(t.dtype, nll(&t, &target, &weight)?, reduction);
    followed_by(loss, [tensor(t.dtype, Some(Sizes::new()))])
}

rules! {
    nll_loss_forward = nll_forward, nll as Nll; nll_loss2d_forward = nll_forward, nll2d as Nll;
    nll_loss_backward = nll_backward, nll as Nll, " "; nll_loss2d_backward = nll_backward, nll2d as Nll, "";
}

/// The gradient is that of the loss's one number or of every target.
fn nll_backward(
    [grad, t, target]: [TensorMeta; 3],
    weight: Maybe,
    reduction: Int,
    _: Skip<1>,
    total: TensorMeta,
    nll: Nll,
    article: &str,
) -> RuleResult {
    let targets = nll(&t, &target, &weight)?;
    refuse!(if t.rank() == Some(1) && target.size(0).differs(Size::Known(1)),
        "size mismatch (got input: {}, target: {})", t.shown(), target.shown());
    refuse!(if total.numel().unequal(Size::Known(1)),
        "expected total_weight to be a {article}single element tensor, got: {} ({} elements)", total.shown(), total.numel());
    let every = reduction.zip(t.rank()).map(|(r, rank)| r == 0 && rank > 1);
    if let (Some(have), Some(want), Some(true)) = (&grad.sizes, &targets, every) {
        refuse!(if have.len() != want.len(),
            "grad_output must have same dimension as target ({}) but got dimension: {}", want.len(), show(have));
        refuse!(if differ(have, want), "grad_output sizes don't match target: {} and {}", show(have), show(want));
    }
    refuse!(if let (Some(have), Some(false)) = (&grad.sizes, every), (have.len() > 1 || product(have).differs(Size::Known(1))),
        "Expected a single element grad_output tensor, but got: {}", show(have));
    Ok(smallvec![t.like()])
}

/// The class dimension is the second, or the only one.
pub fn nll_loss_nd([t, target]: [TensorMeta; 2], weight: Maybe, reduction: Int) -> RuleResult {
    let (Some(s), Some(q)) = (&t.sizes, &target.sizes) else { return one(t.dtype, None) };
    refuse!(Value if s.is_empty(), "Expected 1 or more dimensions (got 0)");
    refuse!(Value if s.len() != 1 && !q.is_empty() && s[0].differs(q[0]),
        "Expected input batch_size ({}) to match target batch_size ({}).", s[0], q[0]);
    let sizes = match s.len() {
        1 | 2 => nll(&t, &target, &weight)?,
        4 => nll2d(&t, &target, &weight)?,
        _ => {
            let expected: Sizes = s[..1].iter().chain(&s[2..]).copied().collect();
            refuse!(Value if differ(q, &expected), "Expected target size {}, got {}", show(&expected), show(q));
            check_nll(&t, &target, &weight)?;
            target.sizes
        }
    };
    reduced(t.dtype, sizes, reduction)
}

pub fn cross_entropy_loss(
    [t, target]: [TensorMeta; 2],
    weight: Maybe,
    reduction: Int,
    ignored: Int,
    smoothing: Float,
) -> RuleResult {
    let (Some(s), Some(q)) = (&t.sizes, &target.sizes) else { return one(t.dtype, None) };
    refuse!(if let Some(smoothing) = smoothing, smoothing > 1.0,
        "label_smoothing must be between 0.0 and 1.0. Got: {smoothing}");
    // Targets of the input's sizes are probabilities, all others are classes.
    let alike = s.len() == q.len() && !s.iter().zip(q).any(|(x, y)| x.differs(*y));
    if alike && target.dtype.is_some() {
        refuse!(if let Some(d) = target.dtype_not(DType::is_float),
            "Expected floating point type for target with class probabilities, got {d}");
        refuse!(if ignored.is_some_and(|ignored| ignored >= 0),
            "ignore_index is not supported for floating point target");
        refuse!(if let Some(r) = reduction, !(0..=2).contains(&r),
            "Invalid reduction type encountered in cross_entropy: {r}");
        let mut sizes = s.clone();
        if !s.is_empty() {
            sizes.remove(usize::from(s.len() > 1));
        }
        return reduced(t.dtype, Some(sizes), reduction);
    }
    kernel("log_softmax_lastdim_kernel_impl", t.dtype, DType::is_float)?;
    nll_loss_nd([t, target], weight, reduction)
}

/// The dtype of the input, which is negated, then multiplied in place.
pub fn soft_margin_loss([x, y]: [TensorMeta; 2], reduction: Int) -> RuleResult {
    let (d, s) = joined([&x, &y])?;
    fits_into(&x, &s)?;
    no_negated_truth(&x)?;
    converts(d.map(to_float), x.dtype)?;
    reduced(x.dtype, s, reduction)
}

pub fn hinge_embedding_loss([x, y]: [TensorMeta; 2], _: Skip<1>, reduction: Int) -> RuleResult {
    let (d, s) = joined([&y, &x])?;
    no_clamp(d)?;
    no_truth_values([&x])?;
    // Integers have no mean.
    if reduction == Some(1) && d.is_some_and(|d| !d.is_float()) {
        mean_of(d, "Input")?;
    }
    reduced(d, s, reduction)
}

/// Samples of a matrix, or of one vector: one value each, reduced by the reduction argument.
fn of_samples(t: &TensorMeta, reduction: Int) -> RuleResult {
    let samples = t.sizes.as_ref().map(|s| s[..s.len().saturating_sub(1)].into());
    reduced(t.dtype, samples, reduction)
}

fn samples(what: &str, t: &TensorMeta, target: &TensorMeta) -> Result<(), ShapeError> {
    kernel(what, t.dtype, DType::is_float)?;
    refuse!(if let Some(d) = target.dtype_not(|d| d == DType::I64), "expected scalar type Long but found {d}");
    refuse!(if t.rank().is_some_and(|r| r > 2),
        "Expected non-empty vector or matrix with optional 0-dim batch size, but got: {}", t.shown());
    Ok(())
}

/// How many samples there are: the rows of a matrix.
fn count(t: &TensorMeta) -> Size {
    t.rank().map_or(Size::Unknown, |r| if r < 2 { Size::Known(1) } else { t.size(0) })
}

pub fn multi_margin_loss([t, target]: [TensorMeta; 2], _: Skip<3>, reduction: Int) -> RuleResult {
    samples("multi_margin_loss", &t, &target)?;
    refuse!(if let (Some(n), Some(m)) = (count(&t).known(), target.numel().known()),
        (target.rank().is_some_and(|r| r > 1) || n != m),
        "inconsistent target size, expected {n} but got {}", target.shown());
    of_samples(&t, reduction)
}

/// The loss must be one.
pub fn multi_margin_loss_backward(_: Skip<1>, [t, target]: [TensorMeta; 2]) -> RuleResult {
    samples("multi_margin_loss_backward", &t, &target)?;
    let count = count(&t);
    refuse!(if t.rank().is_some() && (target.rank().is_some_and(|r| r > 1) || target.numel().differs(count)),
        "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch size). Expected target size {}, but got {}. Input has shape {}.",
        show(&[count]), target.shown(), t.shown());
    Ok(smallvec![t.like()])
}

pub fn multilabel_margin_loss_backward(
    _: Skip<1>,
    [t, target]: [TensorMeta; 2],
    _: Skip<1>,
    marks: TensorMeta,
) -> RuleResult {
    labels(&t, &target)?;
    refuse!(if let Some((have, want)) = mismatch(&target.sizes, &marks.sizes),
        "Expected tensor for argument #3 'target' to have same size as tensor for argument #5 'is_target'; but {have} does not equal {want} (while checking arguments for multilabel_margin_loss_backward_cpu_template)");
    Ok(smallvec![t.like()])
}

fn labels(t: &TensorMeta, target: &TensorMeta) -> Result<(), ShapeError> {
    samples("multilabel_margin_loss_forward_out_frame", t, target)?;
    refuse!(if t.numel().unequal(target.numel()),
        "inconsistent target size: {} for input of size: {}", target.shown(), t.shown());
    Ok(())
}

/// The loss, and which classes are targets.
pub fn multilabel_margin_loss_forward([t, target]: [TensorMeta; 2], reduction: Int) -> RuleResult {
    labels(&t, &target)?;
    followed_by(of_samples(&t, reduction), [tensor(t.dtype, target.sizes)])
}

rules! {
    multilabel_margin_loss = |both: [TensorMeta; 2], reduction: Int| {
        Ok(multilabel_margin_loss_forward(both, reduction)?.drain(..1).collect())
    };
}

pub fn ctc_loss(t: TensorMeta, _: Skip<4>, reduction: Int) -> RuleResult {
    let samples = t.sizes.as_ref().map(|s| if s.len() == 3 { smallvec![s[1]] } else { Sizes::new() });
    reduced(t.dtype, samples, reduction)
}

/// Losses and the forward table, as wide as the longest label list.
pub fn ctc_loss_parts(t: TensorMeta) -> RuleResult {
    let (losses, table) = match t.sizes.as_deref() {
        Some([frames, batch, _]) => (Some(smallvec![*batch]), Some(smallvec![*batch, *frames, Size::Unknown])),
        _ => (None, None),
    };
    Ok(smallvec![tensor(t.dtype, losses), tensor(t.dtype, table)])
}
