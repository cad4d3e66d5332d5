//! Cumulative folds: each element of a result is a fold of those up to it along one dimension.

use crate::creation::wide;
use crate::emit::{Emit, V};
use crate::lower::{Call, Item, Lower, TensorValue};
use crate::reduce::Fold;
use crate::scalar::cast;
use crate::{Error, Lowering};
use sconce_schema::{DType, OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::cumsum, |l, c| cumulative(l, c, Fold::Sum)),
    (ops::aten::cumprod, |l, c| cumulative(l, c, Fold::Product)),
    (ops::aten::cummax, |l, c| extremes(l, c, true)),
    (ops::aten::cummin, |l, c| extremes(l, c, false)),
];

/// The place before along a dimension, or the same where there is none, and whether there is none.
fn before<'c>(e: &Emit<'c>, place: &[V<'c>], d: usize) -> Result<(Vec<V<'c>>, V<'c>), Error> {
    let (zero, one) = (e.index(0)?, e.index(1)?);
    let first = e.cmpi("eq", place[d], zero)?;
    let mut there = place.to_vec();
    there[d] = e.same("arith.maxsi", &[e.same("arith.subi", &[place[d], one])?, zero])?;
    Ok((there, first))
}

/// `(self, dim, dtype)`
fn cumulative<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, how: Fold) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let d = x.axis(c.int(1)?)?;
    let result = c.result_dtype(0)?;
    if result == DType::Bool {
        return Error::unsupported("cumulative folds of bool");
    }
    if x.rank() == 0 {
        return Ok(vec![Item::Tensor(l.cast(&x, result)?)]);
    }
    let dtype = wide(result);
    let t = l.element(dtype)?;
    // PyTorch converts first, then folds in the wider type.
    let x = l.cast(&x, result)?;
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

/// `(self, dim)`: extremes and the place of the last among equals; once NaN, always NaN.
fn extremes<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, largest: bool) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let d = x.axis(c.int(1)?)?;
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
