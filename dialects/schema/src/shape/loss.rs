//! Rules of losses: one value per element, or their mean or sum.

use super::args::*;
use super::{ErrorKind, Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use crate::DType;
use smallvec::smallvec;

/// Broadcast elements, reduced by the reduction argument: 0 keeps them.
fn reduced(dtype: Option<DType>, sizes: Option<Sizes>, reduction: Option<i64>) -> RuleResult {
    one(
        dtype,
        match reduction {
            Some(1 | 2) => Some(Sizes::new()),
            // What is no reduction reduces nothing.
            Some(_) => sizes,
            None => None,
        },
    )
}

fn elementwise(a: Args<'_>, reduction: usize) -> Result<(Option<DType>, Option<Sizes>, Option<i64>), ShapeError> {
    let sizes = broadcast_all([&a.tensor(0)?, &a.tensor(1)?].into_iter())?;
    Ok((common_dtype(a.0[..2].iter())?, sizes, a.int(reduction)))
}

/// Only floats have this kernel.
fn floats(what: &str, d: Option<DType>) -> Result<(), ShapeError> {
    match d {
        Some(d) if !d.is_float() => not_implemented_for(what, d),
        _ => Ok(()),
    }
}

/// The same of an operator whose input is the second of the two that are multiplied first.
fn target_first(a: Args<'_>, reduction: usize) -> Result<(Option<DType>, Option<Sizes>, Option<i64>), ShapeError> {
    let sizes = broadcast_all([&a.tensor(1)?, &a.tensor(0)?].into_iter())?;
    Ok((common_dtype(a.0[..2].iter())?, sizes, a.int(reduction)))
}

/// What is computed in the common dtype is written to a tensor like the input.
fn as_input(a: Args<'_>, computed: Option<DType>) -> Result<Option<DType>, ShapeError> {
    let own = a.tensor(0)?.dtype;
    if let (Some(from), Some(to)) = (computed, own) {
        super::check_cast(from, to)?;
    }
    Ok(own)
}

fn no_complex(what: &str, d: Option<DType>) -> Result<(), ShapeError> {
    match d {
        Some(d) if d.is_complex() => not_implemented_for(what, d),
        _ => Ok(()),
    }
}

pub fn mse_loss(a: &[Meta]) -> RuleResult {
    let (d, s, r) = elementwise(Args(a), 2)?;
    floats("mse_cpu", d)?;
    reduced(d, s, r)
}

pub fn l1_loss(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (d, s, r) = elementwise(args, 2)?;
    if args.tensor(0)?.dtype == Some(DType::Bool) || args.tensor(1)?.dtype == Some(DType::Bool) {
        return not_implemented(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
        );
    }
    match d {
        Some(d) if r == Some(1) && !d.is_float() && !d.is_complex() => not_implemented(format!(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}",
            d.scalar_type_name()
        )),
        _ => reduced(d.map(DType::to_real), s, r),
    }
}

pub fn smooth_l1_loss(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    if let Some(beta) = args.float(3)
        && beta < 0.0
    {
        return error("smooth_l1_loss does not support negative values for beta.");
    }
    let (d, s, r) = elementwise(args, 2)?;
    floats("smooth_l1_cpu", d)?;
    reduced(d, s, r)
}

pub fn huber_loss(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    if let Some(delta) = args.float(3)
        && delta <= 0.0
    {
        return error("huber_loss does not support non-positive values for delta.");
    }
    let (d, s, r) = elementwise(args, 2)?;
    let own = as_input(args, d)?;
    floats("huber_cpu", d)?;
    reduced(own, s, r)
}

pub fn kl_div(a: &[Meta]) -> RuleResult {
    let (d, s, r) = target_first(Args(a), 2)?;
    if d.is_some_and(DType::is_complex) {
        return error("kl_div: Complex inputs not supported.");
    }
    reduced(d, s, r)
}

pub fn poisson_nll_loss(a: &[Meta]) -> RuleResult {
    let (d, s, r) = target_first(Args(a), 5)?;
    no_truth_values([Args(a).tensor(0)?, Args(a).tensor(1)?].iter())?;
    if Args(a).bool(3) == Some(true) {
        no_complex("le_cpu", Args(a).tensor(1)?.dtype)?;
    }
    reduced(d.map(crate::promotion::to_float), s, r)
}

pub fn binary_cross_entropy(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    if let (Some(d), Some(e)) = (x.dtype, y.dtype)
        && d != e
    {
        return error(format!("Found dtype {} but expected {}", e.scalar_type_name(), d.scalar_type_name()));
    }
    if let Some(w) = args.optional_tensor(2)? {
        fits_into(&x, [&x, &w].into_iter())?;
    }
    reduced(x.dtype, x.sizes, args.int(3))
}

/// What is broadcast has the sizes of what it is written to.
fn fits_into<'a>(target: &TensorMeta, all: impl Iterator<Item = &'a TensorMeta>) -> Result<(), ShapeError> {
    if let (Some(sizes), Some(have)) = (broadcast_all(all)?, &target.sizes)
        && (sizes.len() != have.len() || sizes.iter().zip(have).any(|(a, b)| a.differs(*b)))
    {
        return error(format!("output with shape {} doesn't match the broadcast shape {}", show(have), show(&sizes)));
    }
    Ok(())
}

pub fn binary_cross_entropy_with_logits(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    if let Some(d) = x.dtype
        && !d.is_float()
        && !d.is_complex()
    {
        return not_implemented_for("log_sigmoid_cpu", d);
    }
    if let (Some(d), Some(e)) = (x.dtype, y.dtype) {
        super::check_cast(common_dtype(a[..2].iter())?.unwrap_or(d), e)?;
    }
    let mut all = vec![x, y];
    for i in [2, 3] {
        all.extend(args.optional_tensor(i)?);
    }
    let sizes = broadcast_all(all.iter())?;
    reduced(common_dtype(a[..2].iter())?, sizes, args.int(4))
}

/// Gradient, input, target broadcast.
pub fn mse_loss_backward(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let all = [args.tensor(0)?, args.tensor(1)?, args.tensor(2)?];
    let dtype = common_dtype(a[..3].iter())?;
    // The gradient has the input's dtype.
    if let (Some(from), Some(to)) = (dtype, all[1].dtype) {
        super::check_cast(from, to)?;
    }
    one(dtype, broadcast_all(all.iter())?)
}

/// The same where all have one dtype.
pub fn huber_loss_backward(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let want = args.tensor(1)?.dtype;
    for i in [2, 0] {
        if let (Some(d), Some(want)) = (args.tensor(i)?.dtype, want)
            && d != want
        {
            return error(format!("Found dtype {} but expected {}", d.scalar_type_name(), want.scalar_type_name()));
        }
    }
    mse_loss_backward(a)
}

pub fn margin_ranking_loss(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let all = [args.tensor(0)?, args.tensor(1)?, args.tensor(2)?];
    if let (Some(x), Some(y), Some(z)) = (all[0].rank(), all[1].rank(), all[2].rank())
        && (x != y || y != z)
    {
        let show = |t: &TensorMeta| t.sizes.as_ref().map_or("?".into(), |s| show(s));
        return error(format!(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: {}, input2: {}, target: {} ",
            show(&all[0]),
            show(&all[1]),
            show(&all[2])
        ));
    }
    if all[2].dtype == Some(DType::Bool) {
        return not_implemented(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
        );
    }
    no_truth_values(all[..2].iter())?;
    let dtype = common_dtype(a[..3].iter())?;
    no_clamp(dtype)?;
    reduced(dtype, broadcast_all(all.iter())?, args.int(4))
}

fn no_clamp(dtype: Option<DType>) -> Result<(), ShapeError> {
    if dtype.is_some_and(DType::is_complex) {
        return not_implemented("clamp is not supported for complex types");
    }
    Ok(())
}

/// What is subtracted is no truth value.
fn no_truth_values<'a>(tensors: impl Iterator<Item = &'a TensorMeta>) -> Result<(), ShapeError> {
    let mut tensors = tensors;
    if tensors.any(|t| t.dtype == Some(DType::Bool)) {
        return not_implemented(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
        );
    }
    Ok(())
}

pub fn triplet_margin_loss(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let all = [args.tensor(0)?, args.tensor(1)?, args.tensor(2)?];
    if let (Some(x), Some(y), Some(z)) = (all[0].rank(), all[1].rank(), all[2].rank())
        && (x != y || y != z)
    {
        return error(format!(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor {x}D, positive {y}D, and negative {z}D inputs"
        ));
    }
    no_truth_values(all.iter())?;
    let sizes = broadcast_all(all.iter())?.map(|mut s| {
        s.pop();
        s
    });
    // Distances are real.
    reduced(common_dtype(a[..3].iter())?.map(|d| crate::promotion::to_float(d).to_real()), sizes, args.int(7))
}

pub fn cosine_embedding_loss(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (x, y, t) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let rank = t.rank();
    if rank.is_some_and(|r| r > 1) {
        return error("0D or 1D target tensor expected, multi-target not supported");
    }
    if let Some(rank) = rank
        && [&x, &y].iter().any(|t| t.rank().is_some_and(|r| r != rank + 1))
    {
        return error(format!(
            "{rank}D target tensor expects {}D input tensors, but found inputs with sizes {} and {}.",
            rank + 1,
            show(x.sizes.as_deref().unwrap_or(&[])),
            show(y.sizes.as_deref().unwrap_or(&[]))
        ));
    }
    let dtype = common_dtype(a[..2].iter())?;
    if dtype.is_some_and(DType::is_complex) {
        return not_implemented("clamp is not supported for complex types");
    }
    let sizes = broadcast_all([&x, &y].into_iter())?.map(|s| if s.len() == 2 { smallvec![s[0]] } else { Sizes::new() });
    let sizes = match (&sizes, &t.sizes) {
        (Some(s), Some(t)) => Some(broadcast(s, t)?),
        _ => None,
    };
    reduced(dtype.map(crate::promotion::to_float), sizes, args.int(4))
}

/// Class weights and targets of a negative log likelihood.
fn check_nll(t: &TensorMeta, target: &TensorMeta, weight: Option<&TensorMeta>) -> Result<(), ShapeError> {
    if let Some(d) = target.dtype
        && !matches!(d, DType::I64 | DType::U8)
    {
        return error(format!("expected target dtype to be Long or Byte, but got {}", d.scalar_type_name()));
    }
    if let (Some(w), Some(r)) = (weight, t.rank()) {
        let classes = if r == 1 { t.size(0) } else { t.size(1) };
        if w.rank().is_some_and(|r| r != 1) || w.numel().differs(classes) {
            return error(format!(
                "weight tensor should be defined either for all {} classes or no classes but got weight tensor of shape: {}",
                classes.known().unwrap_or_default(),
                show(w.sizes.as_deref().unwrap_or(&[]))
            ));
        }
    }
    Ok(())
}

fn nll(a: Args<'_>) -> Result<(TensorMeta, Option<Sizes>), ShapeError> {
    let (t, target) = (a.tensor(0)?, a.tensor(1)?);
    if let (Some(s), Some(q)) = (&t.sizes, &target.sizes) {
        if s.is_empty() || s.len() > 2 {
            return error("input tensor should be 1D or 2D");
        }
        if q.len() > 1 {
            return error("0D or 1D target tensor expected, multi-target not supported");
        }
        if s.len() == 2 && q.is_empty() {
            return index_error("Dimension specified as 0 but tensor has no dimensions");
        }
        if s.len() == 2 && s[0].differs(q[0]) {
            return error(format!("size mismatch (got input: {}, target: {})", show(s), show(q)));
        }
    }
    check_nll(&t, &target, a.optional_tensor(2)?.as_ref())?;
    if let Some(d) = t.dtype
        && !d.is_float()
    {
        return not_implemented_for("nll_loss_out_frame", d);
    }
    let sizes = target.sizes.clone().map(|q| if t.rank() == Some(1) { Sizes::new() } else { q });
    Ok((t, sizes))
}

pub fn nll_loss_forward(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (t, sizes) = nll(a)?;
    let out = reduced(t.dtype, sizes, a.int(3))?;
    Ok(smallvec![out[0].clone(), tensor(t.dtype, Some(Sizes::new()))])
}

fn nll2d(a: Args<'_>) -> Result<(TensorMeta, Option<Sizes>), ShapeError> {
    let (t, target) = (a.tensor(0)?, a.tensor(1)?);
    if let Some(r) = target.rank()
        && r != 3
    {
        return error(format!(
            "only batches of spatial targets supported (3D tensors) but got targets of dimension: {r}"
        ));
    }
    if let Some(r) = t.rank()
        && r != 4
    {
        return error(format!(
            "only batches of spatial inputs supported (4D tensors), but got input of dimension: {r}"
        ));
    }
    if let (Some(s), Some(q)) = (&t.sizes, &target.sizes)
        && (s[0].differs(q[0]) || s[2].differs(q[1]) || s[3].differs(q[2]))
    {
        return error(format!("size mismatch (got input: {} , target: {}", show(s), show(q)));
    }
    check_nll(&t, &target, a.optional_tensor(2)?.as_ref())?;
    if let Some(d) = t.dtype
        && !d.is_float()
    {
        return not_implemented_for("nll_loss2d_forward_out_frame", d);
    }
    Ok((t, target.sizes))
}

pub fn nll_loss2d_forward(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (t, sizes) = nll2d(a)?;
    let out = reduced(t.dtype, sizes, a.int(3))?;
    Ok(smallvec![out[0].clone(), tensor(t.dtype, Some(Sizes::new()))])
}

/// (grad_output, then what the loss was called with, then total_weight): whether the gradient is that of the loss's one number or of every target.
fn nll_gradients(a: &[Meta], targets: Option<Sizes>, every: bool, article: &str) -> RuleResult {
    let args = Args(a);
    let (grad, total) = (args.tensor(0)?, args.tensor(6)?);
    if total.numel().differs(Size::Known(1)) {
        let sizes = total.sizes.unwrap_or_default();
        let count = product(&sizes).known().unwrap_or_default();
        return error(format!(
            "expected total_weight to be a {article}single element tensor, got: {} ({count} elements)",
            show(&sizes)
        ));
    }
    match (grad.sizes, targets) {
        (Some(have), Some(want)) if every => {
            if have.len() != want.len() {
                let text = format!(
                    "grad_output must have same dimension as target ({}) but got dimension: {}",
                    want.len(),
                    show(&have)
                );
                return error(text);
            }
            if have.iter().zip(&want).any(|(a, b)| a.differs(*b)) {
                return error(format!("grad_output sizes don't match target: {} and {}", show(&have), show(&want)));
            }
        }
        (Some(have), _) if !every && (have.len() > 1 || product(&have).differs(Size::Known(1))) => {
            return error(format!("Expected a single element grad_output tensor, but got: {}", show(&have)));
        }
        _ => {}
    }
    super::like::second(a)
}

pub fn nll_loss_backward(a: &[Meta]) -> RuleResult {
    let (t, targets) = nll(Args(&a[1..]))?;
    let (vector, target) = (t.rank() == Some(1), Args(a).tensor(2)?);
    if let (true, Some(q), Some(s)) = (vector, &target.sizes, &t.sizes)
        && q.first().is_some_and(|n| n.differs(Size::Known(1)))
    {
        return error(format!("size mismatch (got input: {}, target: {})", show(s), show(q)));
    }
    let every = Args(a).int(4) == Some(0) && t.rank() == Some(2);
    nll_gradients(a, targets, every, " ")
}

pub fn nll_loss2d_backward(a: &[Meta]) -> RuleResult {
    let (_, targets) = nll2d(Args(&a[1..]))?;
    nll_gradients(a, targets, Args(a).int(4) == Some(0), "")
}

/// The class dimension is the second, or the only one.
pub fn nll_loss_nd(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (t, target) = (args.tensor(0)?, args.tensor(1)?);
    let (Some(s), Some(q)) = (&t.sizes, &target.sizes) else { return one(t.dtype, None) };
    if s.is_empty() {
        return value_error("Expected 1 or more dimensions (got 0)");
    }
    if s.len() != 1 && !q.is_empty() && s[0].differs(q[0]) {
        return value_error(format!(
            "Expected input batch_size ({}) to match target batch_size ({}).",
            s[0].known().unwrap_or_default(),
            q[0].known().unwrap_or_default()
        ));
    }
    match s.len() {
        1 | 2 => {
            let (t, sizes) = nll(args)?;
            reduced(t.dtype, sizes, args.int(3))
        }
        4 => {
            let (t, sizes) = nll2d(args)?;
            reduced(t.dtype, sizes, args.int(3))
        }
        _ => {
            let mut expected: Sizes = smallvec![s[0]];
            expected.extend_from_slice(&s[2..]);
            if q.len() != expected.len() || q.iter().zip(&expected).any(|(a, b)| a.differs(*b)) {
                return value_error(format!("Expected target size {}, got {}", show(&expected), show(q)));
            }
            check_nll(&t, &target, args.optional_tensor(2)?.as_ref())?;
            reduced(t.dtype, Some(q.clone()), args.int(3))
        }
    }
}

pub fn cross_entropy_loss(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (t, target) = (args.tensor(0)?, args.tensor(1)?);
    let (Some(s), Some(q)) = (&t.sizes, &target.sizes) else { return one(t.dtype, None) };
    let same = s.len() == q.len() && !s.iter().zip(q).any(|(a, b)| a.differs(*b));
    if args.float(5).is_some_and(|smoothing| smoothing > 1.0) {
        return error(format!(
            "label_smoothing must be between 0.0 and 1.0. Got: {}",
            args.float(5).unwrap_or_default()
        ));
    }
    // Targets of the input's sizes are probabilities, all others are classes.
    if same && let Some(d) = target.dtype {
        if !d.is_float() {
            return error(format!(
                "Expected floating point type for target with class probabilities, got {}",
                d.scalar_type_name()
            ));
        }
        if args.int(4).is_some_and(|ignored| ignored >= 0) {
            return error("ignore_index is not supported for floating point target");
        }
        if let Some(r) = args.int(3)
            && !(0..=2).contains(&r)
        {
            return error(format!("Invalid reduction type encountered in cross_entropy: {r}"));
        }
        let class = if s.len() == 1 { 0 } else { 1 };
        let sizes: Sizes = s.iter().enumerate().filter(|(d, _)| *d != class).map(|(_, s)| *s).collect();
        return reduced(t.dtype, Some(sizes), args.int(3));
    }
    if t.dtype.is_some_and(|d| !d.is_float()) {
        return Err(ShapeError {
            kind: ErrorKind::NotImplemented,
            message: format!(
                "\"log_softmax_lastdim_kernel_impl\" not implemented for '{}'",
                t.dtype.map_or("", DType::scalar_type_name)
            ),
        });
    }
    nll_loss_nd(a)
}

/// `soft_margin_loss`: the dtype of the input.
pub fn soft_margin_loss(a: &[Meta]) -> RuleResult {
    let (d, s, r) = elementwise(Args(a), 2)?;
    // The input is negated, then multiplied in place.
    let input = Args(a).tensor(0)?;
    if let (Some(all), Some(own)) = (&s, &input.sizes)
        && (all.len() != own.len() || all.iter().zip(own).any(|(x, y)| x.differs(*y)))
    {
        return error(format!("output with shape {} doesn't match the broadcast shape {}", show(own), show(all)));
    }
    if input.dtype == Some(DType::Bool) {
        return not_implemented(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
        );
    }
    reduced(as_input(Args(a), d.map(crate::promotion::to_float))?, s, r)
}

pub fn hinge_embedding_loss(a: &[Meta]) -> RuleResult {
    let (d, s, r) = target_first(Args(a), 3)?;
    no_clamp(d)?;
    no_truth_values([Args(a).tensor(0)?].iter())?;
    // Integers have no mean.
    match d {
        Some(d) if r == Some(1) && !d.is_float() => not_implemented(format!(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}",
            d.scalar_type_name()
        )),
        d => reduced(d, s, r),
    }
}

/// Samples of a matrix, or of one vector: one value each, reduced by the reduction argument.
fn of_samples(t: &TensorMeta, reduction: Option<i64>) -> RuleResult {
    let samples = t.sizes.as_ref().map(|s| s[..s.len().saturating_sub(1)].into());
    reduced(t.dtype, samples, reduction)
}

fn samples(what: &str, t: &TensorMeta, target: &TensorMeta) -> Result<(), ShapeError> {
    if let Some(d) = t.dtype
        && !d.is_float()
    {
        return not_implemented_for(what, d);
    }
    if let Some(d) = target.dtype
        && d != DType::I64
    {
        return error(format!("expected scalar type Long but found {}", d.scalar_type_name()));
    }
    match t.rank() {
        Some(r) if r > 2 => error(format!(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but got: {}",
            show(t.sizes.as_deref().unwrap_or(&[]))
        )),
        _ => Ok(()),
    }
}

/// (self, target, p, margin, weight, reduction).
pub fn multi_margin_loss(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (t, target) = (args.tensor(0)?, args.tensor(1)?);
    samples("multi_margin_loss", &t, &target)?;
    if let Some(s) = &t.sizes {
        let count = if s.len() < 2 { Some(1) } else { s[0].known() };
        if let (Some(n), Some(m)) = (count, target.numel().known())
            && (target.rank().is_some_and(|r| r > 1) || n != m)
        {
            return error(format!(
                "inconsistent target size, expected {n} but got {}",
                show(target.sizes.as_deref().unwrap_or(&[]))
            ));
        }
    }
    of_samples(&t, args.int(5))
}

/// (grad_output, self, target, …): the loss must be one.
pub fn multi_margin_loss_backward(a: &[Meta]) -> RuleResult {
    let (t, target) = (Args(a).tensor(1)?, Args(a).tensor(2)?);
    samples("multi_margin_loss_backward", &t, &target)?;
    if let (Some(s), Some(given)) = (&t.sizes, &target.sizes) {
        let count = if s.len() < 2 { Size::Known(1) } else { s[0] };
        if given.len() > 1 || product(given).differs(count) {
            return error(format!(
                "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch size). Expected target size {}, but got {}. Input has shape {}.",
                show(&[count]),
                show(given),
                show(s)
            ));
        }
    }
    super::like::second(a)
}

/// (grad_output, self, target, reduction, is_target).
pub fn multilabel_margin_loss_backward(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (t, target, marks) = (args.tensor(1)?, args.tensor(2)?, args.tensor(4)?);
    labels(&t, &target)?;
    if let (Some(have), Some(want)) = (&target.sizes, &marks.sizes)
        && (have.len() != want.len() || have.iter().zip(want).any(|(x, y)| x.differs(*y)))
    {
        return error(format!(
            "Expected tensor for argument #3 'target' to have same size as tensor for argument #5 'is_target'; but {} does not equal {} (while checking arguments for multilabel_margin_loss_backward_cpu_template)",
            show(have),
            show(want)
        ));
    }
    super::like::second(a)
}

fn labels(t: &TensorMeta, target: &TensorMeta) -> Result<(), ShapeError> {
    samples("multilabel_margin_loss_forward_out_frame", t, target)?;
    match (t.numel().known(), target.numel().known()) {
        (Some(n), Some(m)) if n != m => error(format!(
            "inconsistent target size: {} for input of size: {}",
            show(target.sizes.as_deref().unwrap_or(&[])),
            show(t.sizes.as_deref().unwrap_or(&[]))
        )),
        _ => Ok(()),
    }
}

/// (self, target, reduction).
pub fn multilabel_margin_loss(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (t, target) = (args.tensor(0)?, args.tensor(1)?);
    labels(&t, &target)?;
    of_samples(&t, args.int(2))
}

/// The same, and which classes are targets.
pub fn multilabel_margin_loss_forward(a: &[Meta]) -> RuleResult {
    let mut out = multilabel_margin_loss(a)?;
    let (t, target) = (Args(a).tensor(0)?, Args(a).tensor(1)?);
    out.push(tensor(t.dtype, target.sizes));
    Ok(out)
}

/// (log_probs, targets, input_lengths, target_lengths, blank, reduction, …).
pub fn ctc_loss(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    let samples = t.sizes.as_ref().map(|s| if s.len() == 3 { smallvec![s[1]] } else { Sizes::new() });
    reduced(t.dtype, samples, args.int(5))
}

/// (log_probs, targets, …): losses and the forward table, as wide as the longest label list.
pub fn ctc_loss_parts(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    let (losses, table) = match t.sizes.as_deref() {
        Some([frames, batch, _]) => (Some(smallvec![*batch]), Some(smallvec![*batch, *frames, super::Size::Unknown])),
        _ => (None, None),
    };
    Ok(smallvec![tensor(t.dtype, losses), tensor(t.dtype, table)])
}
