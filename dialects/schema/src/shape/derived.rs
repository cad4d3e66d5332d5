//! Rules that no record names: a pointwise operator's follows from its scalar expression, an in-place or `out=` form's from the functional one.

use super::args::*;
use crate::op::{OpEntry, Operands};
use crate::scalar::{Choice, Compute, ScalarExpr};
use crate::{Argument, DType, Trait, Type, foreach};

/// What an operator's results are, or why the call is wrong; `None` when nobody has written a rule.
///
/// Arguments in schema order, defaults filled in.
pub fn infer(entry: &OpEntry, args: &[Meta]) -> Option<RuleResult> {
    if let Err(e) = entry.limits.bounds.iter().try_for_each(|b| b.check(args.float(b.argument.into()))) {
        return Some(Err(e));
    }
    if let Some(rule) = entry.shape {
        // Kernels are chosen after sizes were looked at.
        return Some(rule(args).and_then(|metas| {
            refuse_operands(entry, args)?;
            check_alike(entry, args)?;
            refuse_result(entry, false, metas.tensor(0).ok().and_then(|t| t.dtype))?;
            Ok(metas)
        }));
    }
    if let Some(fold) = entry.fold {
        return Some(super::fold::rule(entry, fold, args));
    }
    if let Some(each) = foreach::each(entry) {
        return elements(&each, args);
    }
    if let Some(functional) = entry.functional_entry() {
        let target = written_arguments(entry).first().and_then(|&at| args.tensor(at).ok());
        let inner = functional_args(
            entry,
            functional,
            args,
            |given| *given == Meta::None,
            |option| match target.as_ref().and_then(|t| t.dtype) {
                Some(dtype) if &*option.name == "dtype" => Meta::Int(Size::Known(dtype.number())),
                _ => Meta::from_default(option),
            },
        )?;
        if functional.shape.is_none()
            && let Some(expr) = functional.scalar
        {
            // That the result does not fit is found before that there is no kernel; but where there is none for the dtype nothing widens it.
            let refused = refuse_dtype(functional, expr, &inner);
            let kept = |mut metas: SmallVec<[Meta; 2]>| {
                let common = promoted(expr, &inner).ok().flatten();
                if let (Err(_), Some(Meta::Tensor(t)), Some(common)) = (&refused, metas.first_mut(), common) {
                    t.dtype = Some(common);
                }
                metas
            };
            let result = refuse_operands(entry, args)
                .and_then(|()| refuse_operands(functional, &inner))
                .and_then(|()| check_alpha(functional, expr, &inner))
                .and_then(|()| pointwise(expr, &inner))
                .map(kept)
                .and_then(|metas| written(entry, args, &metas))
                .and_then(|metas| refused.clone().map(|()| metas))
                .and_then(|metas| check_bounds(functional, expr, &inner).map(|()| metas));
            return Some(result);
        }
        let result = infer(functional, &inner)?;
        return Some(result.and_then(|metas| written(entry, args, &metas)));
    }
    let expr = entry.scalar?;
    let result =
        refuse_operands(entry, args).and_then(|()| check_alpha(entry, expr, args)).and_then(|()| pointwise(expr, args));
    let result = result.and_then(|metas| refuse_dtype(entry, expr, args).map(|()| metas));
    Some(result.and_then(|metas| check_bounds(entry, expr, args).map(|()| metas)))
}

/// The rule of an operator on lists: that of its element's operator, for each.
fn elements(each: &foreach::Each, args: &[Meta]) -> Option<RuleResult> {
    let lengths = each.arguments.iter().flatten().filter_map(|&(at, list)| match args.get(at) {
        Some(Meta::List(items)) if list => Some(items.len()),
        _ => None,
    });
    let count = lengths.min()?;
    let mut results = Vec::with_capacity(count);
    for i in 0..count {
        let mut element = Vec::with_capacity(each.arguments.len());
        for (source, argument) in each.arguments.iter().zip(&each.entry.schema().arguments) {
            element.push(match source {
                Some((at, true)) => match args.get(*at)? {
                    Meta::List(items) => items.get(i)?.clone(),
                    // Elements of a tensor are numbers of which nothing is known here.
                    Meta::Tensor(_) => Meta::Float(1.0),
                    _ => return None,
                },
                Some((at, false)) => args.get(*at)?.clone(),
                None => Meta::from_default(argument),
            });
        }
        match infer(each.entry, &element)? {
            Ok(metas) => results.push(metas.into_iter().next()?),
            Err(e) => return Some(Err(e)),
        }
    }
    Some(Ok(smallvec![Meta::List(results)]))
}

/// Refusals that look at the first result's dtype, but those that are not asked of an empty operand where it is one.
pub(super) fn refuse_result(entry: &OpEntry, empty: bool, dtype: Option<DType>) -> Result<(), ShapeError> {
    let mut asked = entry.limits.refuses.iter().filter(|r| r.of == Operands::Result && !(r.unless_empty && empty));
    dtype.map_or(Ok(()), |dtype| asked.try_for_each(|r| r.check(dtype)))
}

/// Refusals that look at single operands.
pub(super) fn refuse_operands(entry: &OpEntry, args: &[Meta]) -> Result<(), ShapeError> {
    // A number counts where it takes part in promotion.
    let promotes = |i: usize| entry.scalar.is_some_and(|e| e.promotes.iter().any(|p| usize::from(*p) == i));
    for refusal in entry.limits.refuses {
        let refused =
            |p: &u16| tensor_at(args, usize::from(*p)).is_some_and(|t| t.dtype.is_some_and(|d| refusal.is_of(d)));
        for (i, meta) in args.iter().enumerate() {
            let looked_at = match refusal.of {
                Operands::Any => true,
                Operands::Arguments(places) => {
                    places.iter().any(|p| usize::from(*p) == i) && places.iter().all(refused)
                }
                Operands::Promoted | Operands::Result => false,
            };
            let dtype = match meta {
                Meta::Tensor(t) if looked_at && !(refusal.unless_empty && t.is_empty()) => t.dtype,
                Meta::Bool(_) if refusal.of == Operands::Any && promotes(i) => Some(DType::Bool),
                _ => None,
            };
            dtype.map_or(Ok(()), |dtype| refusal.check(dtype))?;
        }
    }
    Ok(())
}

/// Arguments that have one dtype have it.
fn check_alike(entry: &OpEntry, args: &[Meta]) -> Result<(), ShapeError> {
    for alike in entry.limits.alike {
        let mut dtypes = alike.arguments.iter().filter_map(|at| tensor_at(args, usize::from(*at))?.dtype);
        let Some(want) = dtypes.next() else { continue };
        if let Some(have) = dtypes.find(|have| *have != want) {
            let text = alike.text.replace("{want}", want.scalar_type_name()).replace("{have}", have.scalar_type_name());
            return error(text.replace("{cpp want}", want.cpp_name()).replace("{cpp have}", have.cpp_name()));
        }
    }
    Ok(())
}

/// Refusals of the promoted dtype: PyTorch has no kernel for it.
pub(super) fn refuse_dtype(entry: &OpEntry, expr: &ScalarExpr, args: &[Meta]) -> Result<(), ShapeError> {
    let common = match promoted(expr, args) {
        // Complex numbers of bfloat16, which are half ones.
        Err(e) => {
            let operands = expr.promotes.iter().map(|&i| args.meta(usize::from(i)));
            comparison_dtype(expr, operands).map(|_| Some(DType::C32)).ok_or(e)?
        }
        Ok(common) => common,
    };
    let Some(common) = common else { return Ok(()) };
    entry.limits.refuses.iter().filter(|r| r.of == Operands::Promoted).try_for_each(|r| r.check(common))?;
    // Complex halves are added, multiplied and compared, nothing else.
    if common == DType::C32 && expr.compute == Compute::Float {
        let name = entry.base_name().rsplit("::").next().unwrap_or_default();
        return not_implemented_for(&format!("{name}_cpu"), common);
    }
    Ok(())
}

/// The functional form's arguments: found by name among those of the in-place or `out=` form, else by position; options that only the
/// functional form has are what `option` says, and so is the dtype that a form leaves to its destination.
pub fn functional_args<T: Clone>(
    entry: &OpEntry,
    functional: &OpEntry,
    args: &[T],
    is_none: impl Fn(&T) -> bool,
    option: impl Fn(&Argument) -> T,
) -> Option<SmallVec<[T; 8]>> {
    let have = &entry.schema().arguments;
    let inputs: SmallVec<[usize; 8]> = (0..have.len()).filter(|&i| !have[i].is_out()).collect();
    let mut inner = SmallVec::new();
    for (i, want) in functional.schema().arguments.iter().enumerate() {
        let named = have.iter().position(|a| a.name == want.name);
        let placed = || inputs.get(i).copied().filter(|_| !want.kwarg_only);
        let given = match named.or_else(placed) {
            Some(at) => Some(args.get(at)?),
            None => None,
        };
        let left = |given: &T| entry.has(Trait::Destined) && &*want.name == "dtype" && is_none(given);
        inner.push(match given {
            Some(given) if !left(given) => given.clone(),
            _ => option(want),
        });
    }
    Some(inner)
}

/// Checks that the functional form's results can be written to the arguments the schema marks, and says what those are then.
pub fn written(entry: &OpEntry, args: &[Meta], metas: &[Meta]) -> RuleResult {
    let targets = written_arguments(entry);
    let mut results = SmallVec::new();
    for (i, (meta, &at)) in metas.iter().zip(&targets).enumerate() {
        // What is written to the tensors of a list is checked when it is written.
        let (Meta::Tensor(value), false) = (meta, matches!(args.get(at), Some(Meta::List(_)))) else { continue };
        let target = args.tensor(at)?;
        let keeps_sizes = entry.has(Trait::InPlace) && !entry.has(Trait::Resizes);
        let kept = if keeps_sizes { &target.sizes } else { &None };
        refuse!(if let Some((have, want)) = mismatch(kept, &value.sizes),
            "output with shape {have} doesn't match the broadcast shape {want}");
        if let (Some(have), Some(want)) = (target.dtype, value.dtype) {
            // Of further results (statistics) a rule knows the dtype of what is traced; they are looked at when they are written.
            refuse!(if i == 0 && takes_only_its_dtype(entry) && want != have,
                "Expected out tensor to have dtype {}, but got {} instead", want.cpp_name(), have.cpp_name());
            let read = args.tensor(0).ok().and_then(|t| t.dtype);
            // The size and the angle of a complex number are converted to any float.
            let real = read.is_some_and(DType::is_complex) && want.is_float() && !have.is_complex();
            refuse!(if entry.has(Trait::SameDType) && want != have && read != Some(have) && !real,
                "Found dtype {} but expected {}", have.scalar_type_name(), want.scalar_type_name());
            check_asked(entry, args, have)?;
            check_cast(want, have)?;
        }
        let sizes = if keeps_sizes { target.sizes.or(value.sizes.clone()) } else { value.sizes.clone() };
        results.push(tensor(target.dtype, sizes));
    }
    Ok(results)
}

/// Elementwise operators and reductions convert to an `out=` tensor's dtype; the others, and forms that PyTorch generates, insist on their own.
pub fn takes_only_its_dtype(entry: &OpEntry) -> bool {
    let insists =
        ["matmul", "conv", "pool", "upsample", "norm", "linalg", "fft", "rnn", "sort"].contains(&entry.family);
    // Forms that write lists are generated, all of them.
    let lists = || entry.schema().arguments.iter().any(|a| a.is_out() && matches!(a.ty, Type::List(_)));
    entry.has(Trait::OwnDType) || (entry.has(Trait::Out) && !entry.has(Trait::AnyDType) && (insists || lists()))
}

/// A dtype that the caller asks for is the destination's.
fn check_asked(entry: &OpEntry, args: &[Meta], have: DType) -> Result<(), ShapeError> {
    let asked = argument(entry, args, "dtype").and_then(|m| m.dtype().flatten());
    let Some((want, have)) = different(asked, Some(have)) else { return Ok(()) };
    let (want, have) = (want.cpp_name(), have.cpp_name());
    refuse!(if entry.has(Trait::InPlace),
        "Bad in-place call: input tensor dtype {have} and output tensor dtype {want} should match");
    error(format!("Expected out tensor to have dtype {want}, but got {have} instead"))
}

/// The argument of a name.
fn argument<'a>(entry: &OpEntry, args: &'a [Meta], name: &str) -> Option<&'a Meta> {
    args.get(entry.schema().arguments.iter().position(|a| &*a.name == name)?)
}

/// The dtype that an expression's operands have together.
fn promoted(expr: &ScalarExpr, args: &[Meta]) -> Result<Option<DType>, ShapeError> {
    common_dtype(expr.promotes.iter().map(|&i| args.meta(usize::from(i))))
}

/// `alpha` is a number that the common dtype holds.
fn check_alpha(entry: &OpEntry, expr: &ScalarExpr, args: &[Meta]) -> Result<(), ShapeError> {
    // A positional one is a setting of the operator, as `elu` has, and no factor.
    let factor = |a: &Argument| &*a.name == "alpha" && a.kwarg_only;
    let Some(at) = entry.schema().arguments.iter().position(factor) else { return Ok(()) };
    let Some(common) = promoted(expr, args)? else { return Ok(()) };
    let alpha = args.meta(at);
    refuse!(if matches!(alpha, Meta::Bool(_)) && common != DType::Bool,
        "Boolean alpha only supported for Boolean results.");
    refuse!(if matches!(alpha, Meta::Float(_) | Meta::AnyFloat) && (common.is_int() || common == DType::Bool),
        "For integral input tensors, argument alpha must not be a floating point number.");
    refuse!(if matches!(alpha, Meta::Complex(..)) && !common.is_complex(),
        "For non-complex input tensors, argument alpha must not be a complex number.");
    Ok(())
}

/// `min` and `max` bound a result: one of them is there, and the common dtype holds the numbers, or its range ends before they matter.
fn check_bounds(entry: &OpEntry, expr: &ScalarExpr, args: &[Meta]) -> Result<(), ShapeError> {
    let bounds = [argument(entry, args, "min"), argument(entry, args, "max")];
    if bounds == [None, None] {
        return Ok(());
    }
    refuse!(if bounds == [Some(&Meta::None); 2], "torch.clamp: At least one of 'min' or 'max' must not be None");
    let [low, high] = bounds.map(|bound| bound.filter(|m| !m.is_none()));
    let Some(common) = promoted(expr, args)? else { return Ok(()) };
    if common == DType::Bool {
        let tensors = [low, high].into_iter().flatten().any(|m| matches!(m, Meta::Tensor(_) | Meta::Unknown));
        return match (low, high) {
            (Some(_), Some(_)) if tensors => not_implemented_for("clamp_cpu", common),
            _ if tensors => Ok(()),
            (Some(_), Some(_)) => not_implemented_for("clamp_scalar_cpu", common),
            (Some(_), None) => not_implemented_for("clamp_min_scalar_cpu", common),
            (None, _) => not_implemented_for("clamp_max_scalar_cpu", common),
        };
    }
    if common.is_int() {
        let (least, most) = common.int_range();
        for (which, bound, beyond) in [("min", low, i128::MIN..=most), ("max", high, least..=i128::MAX)] {
            refuse!(if let Some(Meta::Int(Size::Known(n))) = bound, !beyond.contains(&i128::from(*n)),
                "Clamp {which} value {n} is outside the representable range of {}", common.scalar_type_name());
        }
    }
    Ok(())
}

/// Positions of the arguments that the schema marks as written, in order.
pub fn written_arguments(entry: &OpEntry) -> SmallVec<[usize; 2]> {
    let arguments = &entry.schema().arguments;
    let outs: SmallVec<[usize; 2]> = (0..arguments.len()).filter(|&i| arguments[i].is_out()).collect();
    // Running statistics and the like are written by the functional form.
    if !outs.is_empty() { outs } else { (0..arguments.len()).filter(|&i| arguments[i].is_written()).collect() }
}

/// A comparison of bfloat16 with complex numbers, which have no common dtype, is done in complex floats.
pub fn comparison_dtype<'a>(expr: &ScalarExpr, operands: impl Iterator<Item = &'a Meta>) -> Option<DType> {
    let (mut bfloat, mut complex) = (false, false);
    for m in operands {
        let dtype = if let Meta::Tensor(t) = m { t.dtype } else { None };
        bfloat |= dtype == Some(DType::BF16);
        complex |= dtype.is_some_and(DType::is_complex) || matches!(m, Meta::Complex(..));
    }
    let last = expr.nodes.len().checked_sub(1)?;
    (bfloat && complex && expr.is_truth(last as crate::scalar::Ref)).then_some(DType::C64)
}

/// The rule of a scalar expression: operands broadcast; dtypes of the promoting arguments are promoted.
pub fn pointwise(expr: &ScalarExpr, args: &[Meta]) -> RuleResult {
    let sizes = broadcast_all((0..args.len()).filter_map(|i| tensor_at(args, i)))?;
    let common = match promoted(expr, args) {
        Err(e) => Some(comparison_dtype(expr, expr.promotes.iter().map(|&i| args.meta(usize::from(i)))).ok_or(e)?),
        Ok(common) => common,
    };
    let choice = |i: crate::scalar::ArgIndex| match args.get(usize::from(i)) {
        Some(Meta::None) => Choice::None,
        Some(Meta::Str(text)) => Choice::Text(text),
        _ => Choice::Value,
    };
    let dtype = match expr.specialize(choice) {
        Ok(expr) => match (common, expr.nodes.len().checked_sub(1)) {
            (Some(common), _) => Some(expr.result_dtype(common)),
            (None, Some(last)) if expr.is_truth(last as crate::scalar::Ref) => Some(DType::Bool),
            (None, _) => None,
        },
        // A mode of which nothing is known, or one that no case names: whoever computes says so.
        Err(_) => None,
    };
    // An argument of which nothing is known may be a tensor that widens the result.
    one(dtype, if args.contains(&Meta::Unknown) { None } else { sizes })
}
