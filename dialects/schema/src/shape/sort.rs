//! Sizes of sorting, searching and picking the unique; how many are unique is the kernel's to see.

use super::args::*;
use super::reduce::{no_elements, values_and_indices};
use super::view::replaced;

fn no_complex(t: &TensorMeta, name: &str) -> Result<(), ShapeError> {
    refuse!(Type if t.dtype.is_some_and(DType::is_complex), " {name} does not support complex dtypes on CPU");
    Ok(())
}

fn sorted(t: TensorMeta, dim: Int) -> RuleResult {
    t.dimension(dim)?;
    no_complex(&t, "Sort")?;
    values_and_indices(&t, t.sizes.clone())
}

rules! {
    sort = sorted; sort_stable = |t: TensorMeta, _: Skip<1>, dim: Int| sorted(t, dim);
    msort = |t: TensorMeta| Ok(sorted(t, None)?.drain(..1).collect());
    argsort = |t: TensorMeta, dim: Int| Ok(sorted(t, dim)?.drain(1..).collect());
    argsort_stable = |t: TensorMeta, _: Skip<1>, dim: Int| Ok(sorted(t, dim)?.drain(1..).collect());
    /// Values, inverse, counts.
    unique = |t: TensorMeta| picked(&t, None);
    unique_dim = |t: TensorMeta, dim: Int| picked(&t, dim);
}

pub fn topk(t: TensorMeta, k: Size, dim: Int) -> RuleResult {
    let (Some(sizes), Some(d)) = (&t.sizes, t.dimension(dim)?) else { return values_and_indices(&t, None) };
    no_complex(&t, "topk")?;
    refuse!(NotImplemented if t.dtype == Some(DType::Bool), "topk does not support bool dtypes on CPU");
    let have = sizes.get(d).copied().unwrap_or(Size::Known(1));
    refuse!(if let Some(k) = k.known(), (k < 0 || have.known().is_some_and(|n| k > n)),
        "selected index k out of range");
    values_and_indices(&t, Some(replaced(sizes, d, k)))
}

pub fn kthvalue(t: TensorMeta, k: Int, dim: Int, keepdim: Flag) -> RuleResult {
    let (Some(sizes), Some(d)) = (&t.sizes, t.dimension(dim)?) else { return values_and_indices(&t, None) };
    no_elements("kthvalue()", sizes, d)?;
    let have = sizes.get(d).copied().unwrap_or(Size::Known(1));
    refuse!(if let (Some(k), Some(n)) = (k, have.known()), (k <= 0 || k > n),
        "kthvalue(): selected number k out of range for dimension {d}");
    let folded: SmallVec<[bool; 6]> = (0..sizes.len()).map(|i| i == d).collect();
    values_and_indices(&t, keepdim.map(|keep| reduce_sizes(sizes, &folded, keep)))
}

fn positions(small: Flag, sizes: Option<Sizes>) -> RuleResult {
    one(small.map(|small| if small { DType::I32 } else { DType::I64 }), sizes)
}

/// What is looked for may be a number.
pub fn bucketize(value: Meta, boundaries: TensorMeta, small: Flag) -> RuleResult {
    refuse!(if let Some(rank) = boundaries.rank_not(1),
        "boundaries tensor must be 1 dimension, but got dim({rank})");
    positions(small, sizes_of_value(&value))
}

fn sizes_of_value(value: &Meta) -> Option<Sizes> {
    match value {
        Meta::Tensor(t) if !t.wrapped_number => t.sizes.clone(),
        Meta::Unknown => None,
        _ => Some(smallvec![]),
    }
}

/// The same, where sequences may have the value's leading dimensions.
pub fn searchsorted(sequence: TensorMeta, value: Meta, small: Flag) -> RuleResult {
    let sizes = sizes_of_value(&value);
    let number = !matches!(&value, Meta::Tensor(t) if !t.wrapped_number) && !value.is_unknown();
    refuse!(if let (Some(rank), true) = (sequence.rank_not(1), number),
        "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor dim({rank}) and input value's dim(0) numel(1)");
    refuse!(if let (Some(s), Some(v)) = (&sequence.sizes, &sizes),
        s.len() != 1 && (s.len() != v.len() || (1..s.len()).any(|d| s[d - 1].differs(v[d - 1]))),
        "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, but we got boundaries tensor {} and input value tensor {}",
        show(s), show(v));
    positions(small, sizes)
}

fn picked(t: &TensorMeta, dim: Int) -> RuleResult {
    t.dimension(dim)?;
    Ok(smallvec![t.with_sizes(None), tensor(Some(DType::I64), None), tensor(Some(DType::I64), None)])
}
