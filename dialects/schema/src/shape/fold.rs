//! The rule of every operator whose record has a fold: which dimensions remain, in which dtype elements are folded, and what an empty tensor may not be asked for.

use super::args::*;
use super::derived::{refuse_dtype, refuse_operands, refuse_result};
use super::reduce::{check_not_empty, mean_of, norm_dtype, widened};
use crate::OpEntry;
use crate::fold::{Fold, Norm, Reducer};
use crate::geometry::Reduction;
use crate::scalar::Choice;

pub(super) fn rule(entry: &OpEntry, fold: &Fold, a: &[Meta]) -> RuleResult {
    if let Some(reduction) = fold.reduction {
        return loss(entry, fold, a, a.int(reduction.into()));
    }
    let t = a.tensor(0)?;
    refuse_operands(entry, a)?;
    let mut dtypes: SmallVec<[Option<DType>; 2]> = SmallVec::new();
    for reducer in fold.reducers {
        dtypes.push(folded_in(entry, fold, *reducer, &t, a)?);
    }
    let sizes = match (fold.running, fold.dims.map(usize::from)) {
        (true, Some(dim)) => {
            t.rank().zip(a.int(dim)).map(|(rank, dim)| wrap_dim(dim, rank)).transpose()?;
            t.sizes.clone()
        }
        (_, dims) => remaining(fold, &t, dims, a)?,
    };
    if fold.reducers.iter().any(|r| r.needs_elements()) && !fold.running && !is_primitive(entry) {
        some_elements(entry, fold, &t, a)?;
    }
    if let ([Reducer::Norm], Some(order)) = (fold.reducers, order(fold, a)) {
        let asked = sizes.as_ref().and_then(|s| product(s).known()).is_some_and(|n| n > 0);
        refuse!(if t.is_empty() && asked && Norm::needs_elements(order),
            "linalg.vector_norm cannot compute the {order} norm on an empty tensor because the operation does not have an identity");
    }
    // Of a number there is nothing to run over.
    let nothing = t.is_empty() || (fold.running && t.rank() == Some(0));
    refuse_result(entry, nothing, dtypes.first().copied().flatten())?;
    Ok(dtypes.into_iter().map(|dtype| tensor(dtype, sizes.clone())).collect())
}

/// What PyTorch makes its own operators of, which neither widens nor asks.
fn is_primitive(entry: &OpEntry) -> bool {
    entry.name.starts_with("prims::")
}

/// The sizes of a tensor's results.
fn remaining(fold: &Fold, t: &TensorMeta, dims: Option<usize>, a: &[Meta]) -> Result<Option<Sizes>, ShapeError> {
    let Some(at) = dims else { return Ok(Some(Sizes::new())) };
    let (Some(sizes), Some(dims)) = (&t.sizes, a.ints(at)) else { return Ok(None) };
    let dims = (!a.is_none(at)).then_some(&*dims);
    let reduction = fold.reduction(sizes.len(), dims, false)?;
    let keepdim = fold.keepdim.map_or(Some(false), |k| a.bool(k.into()));
    Ok(keepdim.map(|keepdim| Reduction { keepdim, ..reduction }.sizes(sizes)))
}

/// The dtype of a result.
fn folded_in(
    entry: &OpEntry,
    fold: &Fold,
    reducer: Reducer,
    t: &TensorMeta,
    a: &[Meta],
) -> Result<Option<DType>, ShapeError> {
    use Reducer::*;
    let Some(asked) = fold.dtype.map_or(Some(None), |i| a.dtype(i.into())) else { return Ok(None) };
    let own = |f: fn(DType) -> DType| Ok(asked.or(t.dtype.map(f)));
    match reducer {
        Sum | Product if !is_primitive(entry) => own(widened),
        Mean if fold.reducers.len() == 1 => {
            mean_of(asked.or(t.dtype), if asked.is_some() { "Optional" } else { "Input" })
        }
        Any | All => own(|d| if d == DType::U8 { d } else { DType::Bool }),
        Count | ArgMax | ArgMin => Ok(Some(DType::I64)),
        Variance | Deviation => {
            let what =
                if fold.reducers.len() == 1 { "std and var" } else { entry.base_name().trim_start_matches("aten::") };
            refuse!(NotImplemented if t.dtype.is_some_and(|d| !d.is_inexact()) && !is_primitive(entry),
                "{what} only support floating point and complex dtypes");
            own(DType::to_real)
        }
        LogSumExp if !fold.running => {
            // The greatest elements, which are taken out first, lie as if no dimension went.
            if let (Meta::List(dims), Some(false), Some(rank)) = (a.meta(1), a.bool(2), t.rank()) {
                refuse!(if dims.is_empty() && rank > 0,
                    "output with shape [] doesn't match the broadcast shape {}", show(&vec![Size::Known(1); rank]));
            }
            own(to_float)
        }
        Norm if fold.dtype.is_none() => {
            refuse!(NotImplemented if let Some(d) = t.dtype_not(DType::is_inexact),
                "norm(): input dtype should be either floating point or complex. Got {d} instead.");
            own(DType::to_real)
        }
        Norm => norm_dtype(t, asked),
        Sum | Mean | Product | Max | Min | LogSumExp | Loss => own(|d| d),
    }
}

/// The order of a norm, if it is known; None is 2.
fn order(fold: &Fold, a: &[Meta]) -> Option<f64> {
    fold.setting.map_or(Some(2.0), |i| if a.is_none(i.into()) { Some(2.0) } else { a.float(i.into()) })
}

/// An empty tensor has no extreme; where it has some lanes, they must have elements.
fn some_elements(entry: &OpEntry, fold: &Fold, t: &TensorMeta, a: &[Meta]) -> Result<(), ShapeError> {
    let dims = fold.dims.map_or(Some(SmallVec::new()), |i| a.ints(i.into()));
    let name = format!("{}()", entry.base_name().trim_start_matches("aten::"));
    dims.map_or(Ok(()), |dims| check_not_empty(&name, t, &dims, !fold.reducers[0].places()))
}

/// A loss: elements of operands that broadcast in the order in which they promote, kept by reduction 0 and by what is no reduction.
fn loss(entry: &OpEntry, fold: &Fold, a: &[Meta], reduction: Option<i64>) -> RuleResult {
    let operands = fold.element.promotes.iter().map(|i| a.tensor(usize::from(*i)));
    let sizes = broadcast_all(&operands.collect::<Result<SmallVec<[TensorMeta; 3]>, _>>()?)?;
    let common = common_dtype(fold.element.promotes.iter().map(|i| a.meta((*i).into())))?;
    let own = fold.like.map(|i| a.tensor(i.into())).transpose()?.and_then(|t| t.dtype);
    common.zip(own).map_or(Ok(()), |(from, to)| check_cast(from, to))?;
    refuse_operands(entry, a)?;
    refuse_dtype(entry, fold.element, a)?;
    let made = fold.element.specialize(|_| Choice::Value).ok().zip(common).map(|(e, common)| e.result_dtype(common));
    if reduction == Some(1) {
        mean_of(made, "Input")?;
    }
    let dtype = if fold.like.is_some() { own } else { made };
    one(dtype, reduction.and_then(|r| if Fold::asked(r).is_some() { Some(Sizes::new()) } else { sizes }))
}
