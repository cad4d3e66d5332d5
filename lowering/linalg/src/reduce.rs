//! Reductions over dimensions: sums, extremes with and without their places, products, truth.

use crate::emit::{Emit, Iterator, V};
use crate::lower::{Call, Item, Lower, Sizes, TensorValue};
use crate::scalar::cast;
use crate::view::reshaped;
use crate::{Error, Lowering};
use sconce_analysis::Constant;
use sconce_exec::{Dim, DimOp};
use sconce_ir::ValueLike;
use sconce_ir::affine::identity;
use sconce_ir::attr::FastMath;
use sconce_schema::{DType, OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::sum, |l, c| folded(l, c, Fold::Sum, None)),
    (ops::aten::sum_dim_IntList, |l, c| folded(l, c, Fold::Sum, Some(1))),
    (ops::aten::mean, |l, c| folded(l, c, Fold::Mean, None)),
    (ops::aten::mean_dim, |l, c| folded(l, c, Fold::Mean, Some(1))),
    (ops::aten::prod, |l, c| folded(l, c, Fold::Product, None)),
    (ops::aten::prod_dim_int, |l, c| folded(l, c, Fold::Product, Some(1))),
    (ops::aten::amax, |l, c| folded(l, c, Fold::Max, Some(1))),
    (ops::aten::amin, |l, c| folded(l, c, Fold::Min, Some(1))),
    (ops::aten::max, |l, c| folded(l, c, Fold::Max, None)),
    (ops::aten::min, |l, c| folded(l, c, Fold::Min, None)),
    (ops::aten::any, |l, c| folded(l, c, Fold::Any, None)),
    (ops::aten::any_dim, |l, c| folded(l, c, Fold::Any, Some(1))),
    (ops::aten::any_dims, |l, c| folded(l, c, Fold::Any, Some(1))),
    (ops::aten::all, |l, c| folded(l, c, Fold::All, None)),
    (ops::aten::all_dim, |l, c| folded(l, c, Fold::All, Some(1))),
    (ops::aten::all_dims, |l, c| folded(l, c, Fold::All, Some(1))),
    (ops::aten::max_dim, |l, c| placed(l, c, true, true)),
    (ops::aten::min_dim, |l, c| placed(l, c, false, true)),
    (ops::aten::argmax, |l, c| placed(l, c, true, false)),
    (ops::aten::argmin, |l, c| placed(l, c, false, false)),
    (ops::aten::var, |l, c| deviation(l, c, Moments { dims: None, root: false })),
    (ops::aten::var_dim, |l, c| deviation(l, c, Moments { dims: Some(1), root: false })),
    (ops::aten::var_correction, |l, c| deviation(l, c, Moments { dims: Some(1), root: false })),
    (ops::aten::std, |l, c| deviation(l, c, Moments { dims: None, root: true })),
    (ops::aten::std_dim, |l, c| deviation(l, c, Moments { dims: Some(1), root: true })),
    (ops::aten::std_correction, |l, c| deviation(l, c, Moments { dims: Some(1), root: true })),
    (ops::aten::logsumexp, logsumexp),
    (ops::aten::linalg_vector_norm, vector_norm),
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fold {
    Sum,
    Mean,
    Product,
    Max,
    Min,
    Any,
    All,
}

impl Fold {
    /// The value of nothing.
    pub(crate) fn initial<'c>(self, e: &Emit<'c>, l: &Lower<'c>, dtype: DType) -> Result<V<'c>, Error> {
        let t = l.element(dtype)?;
        match self {
            Fold::Sum | Fold::Mean | Fold::Any => e.constant(0., t),
            Fold::Product | Fold::All => e.constant(1., t),
            Fold::Max | Fold::Min if dtype.is_float() => {
                e.constant(if self == Fold::Max { f64::NEG_INFINITY } else { f64::INFINITY }, t)
            }
            Fold::Max | Fold::Min => {
                let bits = if dtype == DType::Bool { 1 } else { 8 * dtype.size() as u32 };
                let smallest = if dtype.is_signed_int() { i64::MIN >> (64 - bits) } else { 0 };
                let largest = if dtype.is_signed_int() { i64::MAX >> (64 - bits) } else { -1 };
                e.int(if self == Fold::Max { smallest } else { largest }, t)
            }
        }
    }

    pub(crate) fn combine<'c>(self, e: &Emit<'c>, x: V<'c>, sum: V<'c>, dtype: DType) -> Result<V<'c>, Error> {
        // PyTorch sums in an order of its own too: the order of partial sums is free.
        if dtype.is_float() && matches!(self, Fold::Sum | Fold::Mean | Fold::Product) {
            let flags = e.fast_math(FastMath { reassociates: true, contracts: false });
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
            (Fold::Sum | Fold::Mean, true) => "arith.addf",
            (Fold::Product, true) => "arith.mulf",
            (Fold::Max, true) => "arith.maximumf",
            (Fold::Min, true) => "arith.minimumf",
            (Fold::Sum | Fold::Mean, false) => "arith.addi",
            (Fold::Product, false) => "arith.muli",
            (Fold::Max, false) if dtype.is_signed_int() => "arith.maxsi",
            (Fold::Min, false) if dtype.is_signed_int() => "arith.minsi",
            (Fold::Max, false) => "arith.maxui",
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
            sizes.push(d.clone());
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
    dims.iter().fold(Dim::Known(1), |a, d| Dim::op(DimOp::Mul, a, x.sizes[*d].clone()))
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

/// The dimensions an argument names: None and the empty list are all of them.
pub(crate) fn dims<'c>(c: &Call<'_, 'c>, i: Option<usize>, x: &TensorValue<'c>) -> Result<Vec<usize>, Error> {
    let all = (0..x.rank()).collect();
    let Some(i) = i else { return Ok(all) };
    let Some(list) = c.optional_ints(i)? else { return Ok(all) };
    if list.is_empty() {
        return Ok(all);
    }
    let mut dims = list.into_iter().map(|d| x.axis(d)).collect::<Result<Vec<_>, _>>()?;
    dims.sort_unstable();
    let n = dims.len();
    dims.dedup();
    if dims.len() != n {
        return Error::unsupported("a dimension appears twice");
    }
    dims.retain(|d| *d < x.rank());
    Ok(dims)
}

fn folded<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, how: Fold, place: Option<usize>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let dims = dims(c, place, &x)?;
    let keep = match place {
        Some(i) => c.bool_or(i + 1, false)?,
        None => false,
    };
    let result = c.result_dtype(0)?;
    let dtype = match how {
        Fold::Any | Fold::All => DType::Bool,
        Fold::Max | Fold::Min => x.dtype,
        _ => crate::scalar::arithmetic_dtype(result),
    };
    let dtype = match how {
        Fold::Sum | Fold::Mean => sum_dtype(dtype, &count(&x, &dims)),
        _ => dtype,
    };
    if how == Fold::Mean && !dtype.is_float() {
        return Error::unsupported("the mean of integers");
    }
    if matches!(how, Fold::Max | Fold::Min) {
        for d in &dims {
            not_empty(l, &x.sizes[*d])?;
        }
    }
    let t = l.element(dtype)?;
    let out = fold(l, &x, &dims, keep, dtype, how, &|e, v| cast(e, v, x.dtype, dtype, t))?;
    let out = if how == Fold::Mean { divided(l, &out, &count(&x, &dims))? } else { out };
    Ok(vec![Item::Tensor(l.cast(&out, result)?)])
}

/// In which type so many elements are added: one after the other, f32 loses a digit with each tenfold, where PyTorch adds in a tree.
fn sum_dtype(dtype: DType, count: &Dim) -> DType {
    const FEW: i64 = 4096;
    let is_few = count.known().is_some_and(|n| n <= FEW);
    if dtype == DType::F32 && !is_few { DType::F64 } else { dtype }
}

/// The extreme of nothing is an error in the program, the variance of it no number.
fn not_empty(l: &mut Lower<'_>, d: &Dim) -> Result<(), Error> {
    l.at_most(Dim::Known(1), *d, "a fold of nothing")
}

/// Extremes with the place of the first one; NaN counts as the extreme.
fn placed<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, largest: bool, values: bool) -> Result<Vec<Item<'c>>, Error> {
    let mut x = c.tensor(0)?.clone();
    let mut keep = c.bool_or(2, false)?;
    let dim = match c.constant(1)? {
        Constant::None => {
            if keep {
                return Error::unsupported("argmax of everything with keepdim");
            }
            let all = count(&x, &(0..x.rank()).collect::<Vec<_>>());
            x = reshaped(l, &x, &[all])?;
            0
        }
        _ => x.axis(c.int(1)?)?,
    };
    if x.rank() == 0 {
        keep = false;
        x = reshaped(l, &x, &[Dim::Known(1)])?;
    }
    if x.dtype == DType::Bool {
        return Error::unsupported("the place of an extreme of bool");
    }
    not_empty(l, &x.sizes[dim])?;
    let how = if largest { Fold::Max } else { Fold::Min };
    let mut sizes = Sizes::new();
    let mut places = Vec::new();
    let mut iterators = vec![Iterator::Parallel; x.rank()];
    iterators[dim] = Iterator::Reduction;
    for (i, d) in x.sizes.iter().enumerate() {
        if i != dim {
            sizes.push(d.clone());
            places.push(Some(i));
        } else if keep {
            sizes.push(Dim::Known(1));
            places.push(None);
        }
    }
    let l: &Lower<'c> = l;
    let rank = x.rank();
    let float = x.dtype.is_float();
    let outs = [
        l.filled(&sizes, x.dtype, how.initial(&l.e, l, x.dtype)?)?,
        l.filled(&sizes, DType::I64, l.e.int(0, l.e.int_type(64))?)?,
    ];
    let kept = l.e.map(rank, &places);
    let maps = [l.e.map(rank, &identity(rank)), kept, kept];
    let results = l.e.structured("linalg.generic", &[x.value], &outs, &maps, Some(&iterators), &mut |e, a| {
        let position = e.one("linalg.index", &[], e.index_type(), &[("dim", e.i64_attr(dim as i64))])?;
        let position = e.one("arith.index_cast", &[position], e.int_type(64), &[])?;
        let better = if float {
            let beats = e.cmpf(if largest { "ogt" } else { "olt" }, a[0], a[1])?;
            let (nan, had) = (e.cmpf("uno", a[0], a[0])?, e.cmpf("ord", a[1], a[1])?);
            let first_nan = e.same("arith.andi", &[nan, had])?;
            e.same("arith.ori", &[beats, first_nan])?
        } else {
            let signed = x.dtype.is_signed_int();
            e.cmpi(if largest { ["ugt", "sgt"] } else { ["ult", "slt"] }[usize::from(signed)], a[0], a[1])?
        };
        Ok(vec![e.select(better, a[0], a[1])?, e.select(better, position, a[2])?])
    })?;
    let place = Item::Tensor(TensorValue::new(results[1], sizes.clone(), DType::I64));
    if !values {
        return Ok(vec![place]);
    }
    Ok(vec![Item::Tensor(TensorValue::new(results[0], sizes, x.dtype)), place])
}

/// What an operator of variances is asked.
#[derive(Clone, Copy)]
struct Moments {
    /// The argument that names the dimensions.
    dims: Option<usize>,
    /// The deviation, which is the variance's root.
    root: bool,
}

/// `var(self, unbiased)`, `var.dim(self, dim, unbiased, keepdim)`, `var.correction(self, dim, correction, keepdim)` and their kin: sums of squares around the mean.
fn deviation<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, asked: Moments) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let result = c.result_dtype(0)?;
    if !x.dtype.is_float() {
        return Error::unsupported(format!("the variance of {}", x.dtype));
    }
    let dims = dims(c, asked.dims, &x)?;
    let keep = asked.dims.is_some() && c.bool_or(3, false)?;
    let place = asked.dims.map_or(1, |i| i + 1);
    let correction = match c.constant(place)? {
        Constant::None | Constant::Bool(true) => 1.,
        Constant::Bool(false) => 0.,
        _ => c.float(place)?,
    };
    let dtype = crate::creation::wide(x.dtype);
    let (t, n) = (l.element(dtype)?, count(&x, &dims));
    // Of nothing it is NaN, whatever the correction.
    not_empty(l, &n)?;
    let wide = l.cast(&x, dtype)?;
    let sum = fold(l, &wide, &dims, true, dtype, Fold::Sum, &|_, v| Ok(v))?;
    let mean = divided(l, &sum, &n)?;
    let centred = l.elementwise(&[&wide, &mean], &x.sizes, dtype, &mut |e, a| e.same("arith.subf", &[a[0], a[1]]))?;
    let squares = fold(l, &centred, &dims, keep, dtype, Fold::Sum, &|e, v| e.same("arith.mulf", &[v, v]))?;
    let word = l.e.int_type(64);
    let n = l.e.one("arith.index_cast", &[l.size(&n)?], word, &[])?;
    let n = l.e.one("arith.sitofp", &[n], t, &[])?;
    let (zero, less) = (l.e.constant(0., t)?, l.e.constant(correction, t)?);
    // Fewer than none are none: the quotient is then infinite, or NaN.
    let free = l.e.same("arith.maximumf", &[l.e.same("arith.subf", &[n, less])?, zero])?;
    let narrow = l.element(result)?;
    let made = l.elementwise(&[&squares], &squares.sizes, result, &mut |e, a| {
        let variance = e.same("arith.divf", &[a[0], free])?;
        let v = if asked.root { e.same("math.sqrt", &[variance])? } else { variance };
        cast(e, v, dtype, result, narrow)
    })?;
    Ok(vec![Item::Tensor(made)])
}

/// `logsumexp(self, dim, keepdim)`: around the largest element, where that is a number.
fn logsumexp<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let result = c.result_dtype(0)?;
    if !x.dtype.is_float() {
        return Error::unsupported(format!("logsumexp of {}", x.dtype));
    }
    let dims = dims(c, Some(1), &x)?;
    let keep = c.bool_or(2, false)?;
    for d in &dims {
        not_empty(l, &x.sizes[*d])?;
    }
    let dtype = crate::scalar::arithmetic_dtype(x.dtype);
    let t = l.element(dtype)?;
    let wide = l.cast(&x, dtype)?;
    let largest = fold(l, &wide, &dims, true, dtype, Fold::Max, &|_, v| Ok(v))?;
    let centre = l.elementwise(&[&largest], &largest.sizes, dtype, &mut |e, a| {
        let infinite = e.cmpf("oeq", e.same("math.absf", &[a[0]])?, e.constant(f64::INFINITY, t)?)?;
        e.select(infinite, e.constant(0., t)?, a[0])
    })?;
    let centred = l.elementwise(&[&wide, &centre], &x.sizes, dtype, &mut |e, a| e.same("arith.subf", &[a[0], a[1]]))?;
    let sum = fold(l, &centred, &dims, keep, dtype, Fold::Sum, &|e, v| e.same("math.exp", &[v]))?;
    let centre = reshaped(l, &centre, &sum.sizes)?;
    let narrow = l.element(result)?;
    let made = l.elementwise(&[&sum, &centre], &sum.sizes, result, &mut |e, a| {
        let v = e.same("arith.addf", &[e.same("math.log", &[a[0]])?, a[1]])?;
        cast(e, v, dtype, result, narrow)
    })?;
    Ok(vec![Item::Tensor(made)])
}

/// `linalg_vector_norm(self, ord, dim, keepdim, dtype)` of the orders 0, 1, 2 and both infinities.
fn vector_norm<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let result = c.result_dtype(0)?;
    if !x.dtype.is_float() {
        return Error::unsupported(format!("a norm of {}", x.dtype));
    }
    let (order, dims, keep) = (c.float(1)?, dims(c, Some(2), &x)?, c.bool_or(3, false)?);
    let how = match order {
        0. | 1. | 2. => Fold::Sum,
        f64::INFINITY => Fold::Max,
        f64::NEG_INFINITY => Fold::Min,
        other => return Error::unsupported(format!("a norm of order {other}")),
    };
    if how != Fold::Sum {
        for d in &dims {
            not_empty(l, &x.sizes[*d])?;
        }
    }
    let x = l.cast(&x, result)?;
    let narrow = l.element(result)?;
    let dtype = if how == Fold::Sum { crate::creation::wide(result) } else { result };
    let t = l.element(dtype)?;
    let made = fold(l, &x, &dims, keep, dtype, how, &|e, v| {
        let v = cast(e, v, result, dtype, t)?;
        match order {
            0. => e.select(e.cmpf("une", v, e.constant(0., t)?)?, e.constant(1., t)?, e.constant(0., t)?),
            2. => e.same("arith.mulf", &[v, v]),
            _ => e.same("math.absf", &[v]),
        }
    })?;
    let made = l.elementwise(&[&made], &made.sizes, result, &mut |e, a| {
        let v = if order == 2. { e.same("math.sqrt", &[a[0]])? } else { a[0] };
        cast(e, v, dtype, result, narrow)
    })?;
    Ok(vec![Item::Tensor(made)])
}
