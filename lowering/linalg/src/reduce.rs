//! One value for many elements, as a loop that carries it: what a fold begins with, and how it goes on.

use crate::Error;
use crate::emit::{Emit, Iterator, V};
use crate::lower::{Lower, Sizes, TensorValue};
use sconce_exec::{Dim, DimOp};
use sconce_ir::ValueLike;
use sconce_ir::affine::identity;
use sconce_ir::attr::FastMath;
use sconce_schema::DType;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fold {
    Sum,
    Product,
    Max,
    Min,
    /// The largest, of floats, whose user notices by himself that one is no number: it may be passed over.
    MaxOfNumbers,
    Any,
    All,
}

impl Fold {
    /// The value of nothing.
    pub(crate) fn initial<'c>(self, e: &Emit<'c>, l: &Lower<'c>, dtype: DType) -> Result<V<'c>, Error> {
        let t = l.element(dtype)?;
        match self {
            Fold::Sum | Fold::Any => e.constant(0., t),
            Fold::Product | Fold::All => e.constant(1., t),
            Fold::Max | Fold::MaxOfNumbers | Fold::Min if dtype.is_float() => {
                e.constant(if self == Fold::Min { f64::INFINITY } else { f64::NEG_INFINITY }, t)
            }
            Fold::Max | Fold::MaxOfNumbers | Fold::Min => {
                let bits = if dtype == DType::Bool { 1 } else { 8 * dtype.size() as u32 };
                let smallest = if dtype.is_signed_int() { i64::MIN >> (64 - bits) } else { 0 };
                let largest = if dtype.is_signed_int() { i64::MAX >> (64 - bits) } else { -1 };
                e.int(if self == Fold::Min { largest } else { smallest }, t)
            }
        }
    }

    pub(crate) fn combine<'c>(self, e: &Emit<'c>, x: V<'c>, sum: V<'c>, dtype: DType) -> Result<V<'c>, Error> {
        // PyTorch sums in an order of its own too: the order of partial sums is free.
        let allowed = match self {
            Fold::Sum | Fold::Product => Some(FastMath { reassociates: true, contracts: false, numbers: false }),
            Fold::MaxOfNumbers => Some(FastMath { reassociates: true, contracts: false, numbers: true }),
            _ => None,
        };
        if let Some(allowed) = allowed.filter(|_| dtype.is_float()) {
            let flags = e.fast_math(allowed);
            return e.one(self.operation(dtype), &[x, sum], x.r#type(), &[("fastmath", flags)]);
        }
        e.same(self.operation(dtype), &[x, sum])
    }

    /// The same where the order of what is folded is said.
    pub(crate) fn in_order<'c>(self, e: &Emit<'c>, sum: V<'c>, x: V<'c>, dtype: DType) -> Result<V<'c>, Error> {
        e.same(self.operation(dtype), &[sum, x])
    }

    fn operation(self, dtype: DType) -> &'static str {
        match (self, dtype.is_float()) {
            (Fold::Sum, true) => "arith.addf",
            (Fold::Product, true) => "arith.mulf",
            (Fold::Max | Fold::MaxOfNumbers, true) => "arith.maximumf",
            (Fold::Min, true) => "arith.minimumf",
            (Fold::Sum, false) => "arith.addi",
            (Fold::Product, false) => "arith.muli",
            (Fold::Max | Fold::MaxOfNumbers, false) if dtype.is_signed_int() => "arith.maxsi",
            (Fold::Min, false) if dtype.is_signed_int() => "arith.minsi",
            (Fold::Max | Fold::MaxOfNumbers, false) => "arith.maxui",
            (Fold::Min, false) => "arith.minui",
            (Fold::Any, _) => "arith.ori",
            (Fold::All, _) => "arith.andi",
        }
    }
}

/// Folds dimensions; those kept have size 1 if `keep`. `element` gives the folded value (of type `dtype`) of an input element.
pub(crate) fn fold<'c>(
    l: &Lower<'c>,
    x: &TensorValue<'c>,
    dims: &[usize],
    keep: bool,
    dtype: DType,
    how: Fold,
    element: &dyn Fn(&Emit<'c>, V<'c>) -> Result<V<'c>, Error>,
) -> Result<TensorValue<'c>, Error> {
    let mut sizes = Sizes::new();
    let mut places = Vec::new();
    let mut iterators = Vec::new();
    for (i, d) in x.sizes.iter().enumerate() {
        let folded = dims.contains(&i);
        iterators.push(if folded { Iterator::Reduction } else { Iterator::Parallel });
        if !folded {
            sizes.push(*d);
            places.push(Some(i));
        } else if keep {
            sizes.push(Dim::Known(1));
            places.push(None);
        }
    }
    let initial = how.initial(&l.e, l, dtype)?;
    let out = l.filled(&sizes, dtype, initial)?;
    let rank = x.rank();
    let maps = [l.e.map(rank, &identity(rank)), l.e.map(rank, &places)];
    let value = l.e.structured("linalg.generic", &[x.value], &[out], &maps, Some(&iterators), &mut |e, a| {
        Ok(vec![how.combine(e, element(e, a[0])?, a[1], dtype)?])
    })?[0];
    Ok(TensorValue::new(value, sizes, dtype))
}

/// The number of elements that are folded into one.
pub(crate) fn count(x: &TensorValue<'_>, dims: &[usize]) -> Dim {
    dims.iter().fold(Dim::Known(1), |a, d| Dim::op(DimOp::Mul, a, x.sizes[*d]))
}

/// The tensor divided by a size.
pub(crate) fn divided<'c>(l: &Lower<'c>, x: &TensorValue<'c>, by: &Dim) -> Result<TensorValue<'c>, Error> {
    let t = l.element(x.dtype)?;
    let divisor = match by.known() {
        Some(_) => None,
        None => {
            let n = l.e.one("arith.index_cast", &[l.size(by)?], l.e.int_type(64), &[])?;
            Some(l.e.one("arith.sitofp", &[n], t, &[])?)
        }
    };
    l.elementwise(&[x], &x.sizes, x.dtype, &mut |e, a| {
        let n = match (divisor, by.known()) {
            (Some(n), _) => n,
            (None, n) => e.constant(n.unwrap_or_default() as f64, t)?,
        };
        e.same("arith.divf", &[a[0], n])
    })
}

/// In which type so many elements are added: one after the other, f32 loses a digit with each tenfold, where PyTorch adds in a tree.
pub(crate) fn sum_dtype(dtype: DType, count: &Dim) -> DType {
    const FEW: i64 = 4096;
    let is_few = count.known().is_some_and(|n| n <= FEW);
    if dtype == DType::F32 && !is_few { DType::F64 } else { dtype }
}
