//! Reductions, scans and losses from their records: loops that fold elements, and what is made of the states.

use crate::creation::wide;
use crate::emit::{Emit, Iterator, V};
use crate::lower::{Call, Item, Lower, Sizes, TensorValue};
use crate::reduce::{Fold, count, divided, fold, sum_dtype};
use crate::scalar::{arithmetic_dtype, cast};
use crate::view::reshaped;
use crate::{Error, pointwise};
use sconce_analysis::Constant;
use sconce_exec::Dim;
use sconce_ir::affine::identity;
use sconce_schema::DType;
use sconce_schema::fold::{Fold as Record, Norm, Reducer};
use sconce_schema::geometry::Reduction;
use sconce_schema::scalar::Node;

/// Lowers a call whose record has a fold.
pub fn lower<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, record: &Record) -> Result<Vec<Item<'c>>, Error> {
    if record.is_sequential() {
        return Error::unsupported("a state that goes from element to element");
    }
    if let Some(at) = record.reduction {
        return loss(l, c, record, c.int(at.into())?);
    }
    let x = match *record.element.nodes {
        [Node::Arg(_)] => c.tensor(0)?.clone(),
        _ => pointwise::computed(l, c, record.element, c.tensor(0)?.dtype)?,
    };
    if record.running {
        let d = x.axis(c.int(record.dims.map_or(1, usize::from))?)?;
        return match *record.reducers {
            [reducer @ (Reducer::Max | Reducer::Min), ..] => running_extremes(l, &x, d, reducer == Reducer::Max),
            [Reducer::Sum] => running(l, c, &x, d, Fold::Sum),
            [Reducer::Product] => running(l, c, &x, d, Fold::Product),
            _ => Error::unsupported("this running fold"),
        };
    }
    let named = record.dims.map(|i| c.optional_ints(i.into())).transpose()?.flatten();
    let keepdim = record.keepdim.map_or(Ok(false), |i| c.bool_or(i.into(), false))?;
    let over = record.reduction(x.rank(), named.as_deref(), keepdim).map_err(|e| Error::Unsupported(e.message))?;
    let setting = record.setting.map(usize::from);
    match *record.reducers {
        [_, Reducer::ArgMax] => placed(l, &x, &over, true, true),
        [_, Reducer::ArgMin] => placed(l, &x, &over, false, true),
        [Reducer::ArgMax] => placed(l, &x, &over, true, false),
        [Reducer::ArgMin] => placed(l, &x, &over, false, false),
        [Reducer::Variance, ..] => deviation(l, c, &x, &over, setting, false),
        [Reducer::Deviation, ..] => deviation(l, c, &x, &over, setting, true),
        [Reducer::LogSumExp] => log_sum_exp(l, c, &x, &over),
        [Reducer::Norm] => {
            let order = setting.filter(|i| !c.is_none(*i)).map_or(Ok(2.), |i| c.float(i))?;
            norm(l, c, &x, &over, order)
        }
        _ => {
            let each = record.reducers.iter().enumerate();
            each.map(|(i, r)| Ok(Item::Tensor(reduced(l, &x, &over, *r, c.result_dtype(i)?)?))).collect()
        }
    }
}

/// A loss: its elements, their mean or their sum.
fn loss<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, record: &Record, asked: i64) -> Result<Vec<Item<'c>>, Error> {
    let result = c.result_dtype(0)?;
    let Some(reducer) = Record::asked(asked) else {
        return Ok(vec![Item::Tensor(pointwise::computed(l, c, record.element, result)?)]);
    };
    // Halves are not rounded before they are added.
    let x = pointwise::computed(l, c, record.element, arithmetic_dtype(result))?;
    let over = Reduction { folded: x.sizes.iter().map(|_| true).collect(), keepdim: false };
    Ok(vec![Item::Tensor(reduced(l, &x, &over, reducer, result)?)])
}

/// One state for each lane, which the result is.
fn reduced<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    over: &Reduction,
    reducer: Reducer,
    result: DType,
) -> Result<TensorValue<'c>, Error> {
    let dims: Vec<usize> = over.dims().collect();
    let n = count(x, &dims);
    let (how, dtype) = match reducer {
        Reducer::Sum | Reducer::Mean => (Fold::Sum, sum_dtype(arithmetic_dtype(result), &n)),
        Reducer::Product => (Fold::Product, arithmetic_dtype(result)),
        Reducer::Max => (Fold::Max, x.dtype),
        Reducer::Min => (Fold::Min, x.dtype),
        Reducer::Any => (Fold::Any, DType::Bool),
        Reducer::All => (Fold::All, DType::Bool),
        Reducer::Count => (Fold::Sum, DType::I64),
        other => return Error::unsupported(format!("no code for {}", other.name())),
    };
    if reducer == Reducer::Mean && !dtype.is_float() {
        return Error::unsupported("the mean of integers");
    }
    if reducer.needs_elements() {
        for d in &dims {
            not_empty(l, &x.sizes[*d])?;
        }
    }
    let t = l.element(dtype)?;
    let truth = l.element(DType::Bool)?;
    let out = fold(l, x, &dims, over.keepdim, dtype, how, &|e, v| match reducer {
        Reducer::Count => cast(e, cast(e, v, x.dtype, DType::Bool, truth)?, DType::Bool, dtype, t),
        _ => cast(e, v, x.dtype, dtype, t),
    })?;
    let out = if reducer == Reducer::Mean { divided(l, &out, &n)? } else { out };
    l.cast(&out, result)
}

/// The extreme of nothing is an error in the program, the variance of it no number.
fn not_empty(l: &mut Lower<'_>, d: &Dim) -> Result<(), Error> {
    l.at_most(Dim::Known(1), *d, "a fold of nothing")
}

/// Multiply-adds of a product that take as long as to look whether one element is an extreme.
const STEPS_OF_A_PLACE: i64 = 64;

/// Extremes with the place of the first one; NaN counts as the extreme.
fn placed<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    over: &Reduction,
    largest: bool,
    values: bool,
) -> Result<Vec<Item<'c>>, Error> {
    let mut over = over.clone();
    let mut x = x.clone();
    if over.dims().count() != 1 {
        if over.kept().next().is_some() || (over.keepdim && x.rank() > 0) {
            return Error::unsupported("places among several dimensions that stay");
        }
        let all = count(&x, &over.dims().collect::<Vec<_>>());
        x = reshaped(l, &x, &[all])?;
        over = Reduction { folded: [true].into_iter().collect(), keepdim: false };
    }
    let dim = over.dims().next().unwrap_or_default();
    if x.dtype == DType::Bool {
        return Error::unsupported("the place of an extreme of bool");
    }
    not_empty(l, &x.sizes[dim])?;
    // Where an extreme is takes a kernel two passes of vectors, and code a step for each element, which waits for the one before.
    let steps: Sizes = x.sizes.iter().map(|size| l.most(*size).unwrap_or(*size)).collect();
    l.kernel_does_better(steps.iter().chain([&Dim::Known(STEPS_OF_A_PLACE)]));
    let how = if largest { Fold::Max } else { Fold::Min };
    let places: Vec<Option<usize>> =
        (0..x.rank()).filter(|d| over.keepdim || *d != dim).map(|d| (d != dim).then_some(d)).collect();
    let sizes: Sizes = places.iter().map(|p| p.map_or(Dim::Known(1), |d| x.sizes[d])).collect();
    let mut iterators = vec![Iterator::Parallel; x.rank()];
    iterators[dim] = Iterator::Reduction;
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

/// Sums of squares around the mean.
fn deviation<'c>(
    l: &mut Lower<'c>,
    c: &Call<'_, 'c>,
    x: &TensorValue<'c>,
    over: &Reduction,
    setting: Option<usize>,
    root: bool,
) -> Result<Vec<Item<'c>>, Error> {
    let result = c.result_dtype(0)?;
    if !x.dtype.is_float() {
        return Error::unsupported(format!("the variance of {}", x.dtype));
    }
    let dims: Vec<usize> = over.dims().collect();
    let correction = match setting.map(|i| c.constant(i)).transpose()? {
        None | Some(Constant::None | Constant::Bool(true)) => 1.,
        Some(Constant::Bool(false)) => 0.,
        Some(_) => c.float(setting.unwrap_or_default())?,
    };
    let dtype = wide(x.dtype);
    let (t, n) = (l.element(dtype)?, count(x, &dims));
    // Of nothing it is NaN, whatever the correction.
    not_empty(l, &n)?;
    let wide = l.cast(x, dtype)?;
    let sum = fold(l, &wide, &dims, true, dtype, Fold::Sum, &|_, v| Ok(v))?;
    let mean = divided(l, &sum, &n)?;
    let centred = l.elementwise(&[&wide, &mean], &x.sizes, dtype, &mut |e, a| e.same("arith.subf", &[a[0], a[1]]))?;
    let squares = fold(l, &centred, &dims, over.keepdim, dtype, Fold::Sum, &|e, v| e.same("arith.mulf", &[v, v]))?;
    let word = l.e.int_type(64);
    let n = l.e.one("arith.index_cast", &[l.size(&n)?], word, &[])?;
    let n = l.e.one("arith.sitofp", &[n], t, &[])?;
    let (zero, less) = (l.e.constant(0., t)?, l.e.constant(correction, t)?);
    // Fewer than none are none: the quotient is then infinite, or NaN.
    let free = l.e.same("arith.maximumf", &[l.e.same("arith.subf", &[n, less])?, zero])?;
    let narrow = l.element(result)?;
    let made = l.elementwise(&[&squares], &squares.sizes, result, &mut |e, a| {
        let variance = e.same("arith.divf", &[a[0], free])?;
        let v = if root { e.same("math.sqrt", &[variance])? } else { variance };
        cast(e, v, dtype, result, narrow)
    })?;
    Ok(vec![Item::Tensor(made)])
}

/// Around the largest element, where that is a number.
fn log_sum_exp<'c>(
    l: &mut Lower<'c>,
    c: &Call<'_, 'c>,
    x: &TensorValue<'c>,
    over: &Reduction,
) -> Result<Vec<Item<'c>>, Error> {
    let result = c.result_dtype(0)?;
    if !x.dtype.is_float() {
        return Error::unsupported(format!("logsumexp of {}", x.dtype));
    }
    let (dims, keep) = (over.dims().collect::<Vec<_>>(), over.keepdim);
    for d in &dims {
        not_empty(l, &x.sizes[*d])?;
    }
    let dtype = arithmetic_dtype(x.dtype);
    let t = l.element(dtype)?;
    let wide = l.cast(x, dtype)?;
    // A NaN is in the sum, too.
    let largest = fold(l, &wide, &dims, true, dtype, Fold::MaxOfNumbers, &|_, v| Ok(v))?;
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

/// A norm of some order, as the fold that it is.
fn norm<'c>(
    l: &mut Lower<'c>,
    c: &Call<'_, 'c>,
    x: &TensorValue<'c>,
    over: &Reduction,
    order: f64,
) -> Result<Vec<Item<'c>>, Error> {
    let result = c.result_dtype(0)?;
    if !x.dtype.is_float() {
        return Error::unsupported(format!("a norm of {}", x.dtype));
    }
    let dims: Vec<usize> = over.dims().collect();
    let norm = Norm::of(order);
    if Norm::needs_elements(order) {
        for d in &dims {
            not_empty(l, &x.sizes[*d])?;
        }
    }
    let x = l.cast(x, result)?;
    if norm.reducer() == Reducer::Count {
        return Ok(vec![Item::Tensor(reduced_count(l, &x, over)?)]);
    }
    let (how, dtype) = match norm.reducer() {
        Reducer::Max => (Fold::Max, result),
        Reducer::Min => (Fold::Min, result),
        _ => (Fold::Sum, wide(result)),
    };
    let element = norm.element();
    let made =
        fold(l, &x, &dims, over.keepdim, dtype, how, &|e, v| pointwise::of_one(l, e, &element, v, result, dtype))?;
    let (t, narrow) = (l.element(dtype)?, l.element(result)?);
    let made = l.elementwise(&[&made], &made.sizes, result, &mut |e, a| {
        let v = match norm {
            Norm::Squares => e.same("math.sqrt", &[a[0]])?,
            Norm::Powers(p) => e.same("math.powf", &[a[0], e.constant(1. / p, t)?])?,
            _ => a[0],
        };
        cast(e, v, dtype, result, narrow)
    })?;
    Ok(vec![Item::Tensor(made)])
}

fn reduced_count<'c>(l: &mut Lower<'c>, x: &TensorValue<'c>, over: &Reduction) -> Result<TensorValue<'c>, Error> {
    let counted = reduced(l, x, over, Reducer::Count, DType::I64)?;
    l.cast(&counted, x.dtype)
}

/// The place before along a dimension, or the same where there is none, and whether there is none.
fn before<'c>(e: &Emit<'c>, place: &[V<'c>], d: usize) -> Result<(Vec<V<'c>>, V<'c>), Error> {
    let (zero, one) = (e.index(0)?, e.index(1)?);
    let first = e.cmpi("eq", place[d], zero)?;
    let mut there = place.to_vec();
    there[d] = e.same("arith.maxsi", &[e.same("arith.subi", &[place[d], one])?, zero])?;
    Ok((there, first))
}

/// Each element of the result is a fold of those up to it.
fn running<'c>(
    l: &mut Lower<'c>,
    c: &Call<'_, 'c>,
    x: &TensorValue<'c>,
    d: usize,
    how: Fold,
) -> Result<Vec<Item<'c>>, Error> {
    let result = c.result_dtype(0)?;
    if result == DType::Bool {
        return Error::unsupported("cumulative folds of bool");
    }
    if x.rank() == 0 {
        return Ok(vec![Item::Tensor(l.cast(x, result)?)]);
    }
    let dtype = wide(result);
    let t = l.element(dtype)?;
    // A kernel runs along several rows at once: 564 us of 1024 x 1024, and 1,066 here.
    l.kernel_does_better(&x.sizes);
    // PyTorch converts first, then folds in the wider type.
    let x = l.cast(x, result)?;
    let initial = how.initial(&l.e, l, dtype)?;
    let out = l.empty(&x.sizes, dtype)?;
    let made = l.sequential(&x.sizes.clone(), &[out], &mut |e, place, carried| {
        let (there, first) = before(e, place, d)?;
        let sum = e.select(first, initial, e.element_at(carried[0], &there)?)?;
        let v = cast(e, e.element_at(x.value, place)?, result, dtype, t)?;
        Ok(vec![e.inserted_at(how.in_order(e, sum, v, dtype)?, carried[0], place)?])
    })?;
    let made = TensorValue::new(made[0], x.sizes.clone(), dtype);
    Ok(vec![Item::Tensor(l.cast(&made, result)?)])
}

/// Extremes and the place of the last among equals; once NaN, always NaN.
fn running_extremes<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    d: usize,
    largest: bool,
) -> Result<Vec<Item<'c>>, Error> {
    if x.rank() == 0 || x.dtype == DType::Bool {
        return Error::unsupported("cumulative extremes of rank 0, or of bool");
    }
    let word = l.e.int_type(64);
    let outs = [l.empty(&x.sizes, x.dtype)?, l.empty(&x.sizes, DType::I64)?];
    let (float, signed) = (x.dtype.is_float(), x.dtype.is_signed_int());
    let made = l.sequential(&x.sizes.clone(), &outs, &mut |e, place, carried| {
        let (there, first) = before(e, place, d)?;
        let (had, v) = (e.element_at(carried[0], &there)?, e.element_at(x.value, place)?);
        let better = if float {
            let beats = e.cmpf(if largest { "uge" } else { "ule" }, v, had)?;
            // Nothing but NaN comes behind NaN; an unordered comparison is true where either is.
            let (is, was) = (e.cmpf("uno", v, v)?, e.cmpf("ord", had, had)?);
            e.same("arith.andi", &[beats, e.same("arith.ori", &[is, was])?])?
        } else {
            e.cmpi(if largest { ["uge", "sge"] } else { ["ule", "sle"] }[usize::from(signed)], v, had)?
        };
        let better = e.same("arith.ori", &[better, first])?;
        let at = e.one("arith.index_cast", &[place[d]], word, &[])?;
        let value = e.select(better, v, had)?;
        let index = e.select(better, at, e.element_at(carried[1], &there)?)?;
        Ok(vec![e.inserted_at(value, carried[0], place)?, e.inserted_at(index, carried[1], place)?])
    })?;
    let tensor = |v: V<'c>, dtype: DType| Item::Tensor(TensorValue::new(v, x.sizes.clone(), dtype));
    Ok(vec![tensor(made[0], x.dtype), tensor(made[1], DType::I64)])
}
