//! Padding: at each place of the result stands the element of a place that is reflected, clamped or taken around, or a constant; and what cuts off.

use crate::emit::V;
use crate::lower::{Call, Item, Lower, Sizes, TensorValue};
use crate::{Error, Lowering};
use sconce_analysis::Constant;
use sconce_exec::Dim;
use sconce_schema::geometry::padding::{Border, Form, Padding};
use sconce_schema::{OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::reflection_pad1d, |l, c| pad(l, c, Form::Of(Border::Reflect))),
    (ops::aten::reflection_pad2d, |l, c| pad(l, c, Form::Of(Border::Reflect))),
    (ops::aten::reflection_pad3d, |l, c| pad(l, c, Form::Of(Border::Reflect))),
    (ops::aten::replication_pad1d, |l, c| pad(l, c, Form::Of(Border::Replicate))),
    (ops::aten::replication_pad2d, |l, c| pad(l, c, Form::Of(Border::Replicate))),
    (ops::aten::replication_pad3d, |l, c| pad(l, c, Form::Of(Border::Replicate))),
    (ops::aten::_pad_circular, |l, c| pad(l, c, Form::Of(Border::Circular))),
    (ops::aten::constant_pad_nd, |l, c| pad(l, c, Form::Of(Border::Constant))),
    (ops::aten::pad, |l, c| pad(l, c, Form::Mode)),
    (ops::aten::_pad_enum, |l, c| pad(l, c, Form::Mode)),
];

/// Why padding is refused.
const BEYOND: &str = "padding of more than there is";

fn pad<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, form: Form) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let Padding { border, pairs } = c.parsed(|a| Padding::of(form, a))?;
    if pairs.len() > x.rank() {
        return Error::unsupported("padding of more dimensions than there are");
    }
    if border != Border::Constant {
        return Ok(vec![Item::Tensor(own_elements(l, &x, border, &pairs)?)]);
    }
    let at = if form == Form::Mode { 3 } else { 2 };
    let value = match c.constant(at)? {
        Constant::None => 0.,
        Constant::Bool(b) => f64::from(u8::from(*b)),
        _ => c.float(at)?,
    };
    if !x.dtype.is_float() && value.fract() != 0. {
        return Error::unsupported(format!("padding of {} with a fraction", x.dtype));
    }
    let value = l.e.constant(value, l.element(x.dtype)?)?;
    let cuts = pairs.iter().any(|(before, behind)| *before < 0 || *behind < 0);
    Ok(vec![Item::Tensor(if cuts { cut(l, &x, &pairs, value)? } else { surrounded(l, &x, &pairs, value)? })])
}

/// The sizes of a tensor with so many elements before and behind the last dimensions.
fn lengthened(x: &TensorValue<'_>, padding: &[(i64, i64)]) -> Sizes {
    let mut sizes = x.sizes.clone();
    for (size, (before, behind)) in sizes.iter_mut().rev().zip(padding.iter().rev()) {
        *size = size.plus(*before).plus(*behind);
    }
    sizes
}

/// The same where a dimension must have so many elements of its own, and as many as `all` with those around it.
fn limited(
    l: &mut Lower<'_>,
    x: &TensorValue<'_>,
    padding: &[(i64, i64)],
    own: impl Fn(i64, i64) -> i64,
    all: i64,
) -> Result<Sizes, Error> {
    let sizes = lengthened(x, padding);
    for (d, (before, behind)) in (x.rank() - padding.len()..).zip(padding) {
        l.at_most(Dim::Known(own(*before, *behind)), x.sizes[d], BEYOND)?;
        l.at_most(Dim::Known(all), sizes[d], BEYOND)?;
    }
    Ok(sizes)
}

/// A tensor with elements of its own around it.
fn own_elements<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    border: Border,
    padding: &[(i64, i64)],
) -> Result<TensorValue<'c>, Error> {
    let first = x.rank() - padding.len();
    let sizes = limited(l, x, padding, |before, behind| border.least(before, behind), 1)?;
    let ends = l.index_sizes(&x.sizes)?;
    crate::rearrange::moved(l, x, &sizes, &mut |e, place| {
        let (zero, one) = (e.index(0)?, e.index(1)?);
        for (d, (before, behind)) in padding.iter().enumerate() {
            if (*before, *behind) == (0, 0) {
                continue;
            }
            let (i, n) = (&mut place[first + d], ends[first + d]);
            let there: V<'c> = e.same("arith.subi", &[*i, e.index(*before)?])?;
            let last = e.same("arith.subi", &[n, one])?;
            *i = match border {
                Border::Constant | Border::Replicate => {
                    e.same("arith.minsi", &[e.same("arith.maxsi", &[there, zero])?, last])?
                }
                Border::Reflect => {
                    let positive = e.same("arith.maxsi", &[there, e.same("arith.subi", &[zero, there])?])?;
                    let turned = e.same("arith.subi", &[e.same("arith.addi", &[last, last])?, positive])?;
                    e.same("arith.minsi", &[positive, turned])?
                }
                Border::Circular => {
                    let low = e.select(e.cmpi("slt", there, zero)?, e.same("arith.addi", &[there, n])?, there)?;
                    e.select(e.cmpi("sge", low, n)?, e.same("arith.subi", &[low, n])?, low)?
                }
            };
        }
        Ok(())
    })
}

/// A tensor with `value` before and behind its last dimensions.
pub(crate) fn surrounded<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    padding: &[(i64, i64)],
    value: V<'c>,
) -> Result<TensorValue<'c>, Error> {
    let sizes = lengthened(x, padding);
    let out = l.filled(&sizes, x.dtype, value)?;
    if x.sizes.contains(&Dim::Known(0)) {
        return Ok(TensorValue::new(out, sizes, x.dtype));
    }
    let mut offsets = vec![Dim::Known(0); x.rank() - padding.len()];
    offsets.extend(padding.iter().map(|(before, _)| Dim::Known(*before)));
    let value = l.e.insert_slice(x.value, out, &l.slice(&offsets, &x.sizes, (0, 1))?)?;
    Ok(TensorValue::new(value, sizes, x.dtype))
}

/// The same where the numbers around may be negative: so many are cut off.
fn cut<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    padding: &[(i64, i64)],
    value: V<'c>,
) -> Result<TensorValue<'c>, Error> {
    let first = x.rank() - padding.len();
    let sizes = limited(l, x, padding, |_, _| 1, 0)?;
    let ends = l.index_sizes(&x.sizes)?;
    l.computed(&sizes, x.dtype, &mut |e, place| {
        let (zero, one) = (e.index(0)?, e.index(1)?);
        let mut inside = e.int(1, e.int_type(1))?;
        let mut there = place.to_vec();
        for (d, (before, _)) in padding.iter().enumerate() {
            let i = e.same("arith.subi", &[place[first + d], e.index(*before)?])?;
            inside = e.same("arith.andi", &[inside, e.cmpi("ult", i, ends[first + d])?])?;
            let last = e.same("arith.subi", &[ends[first + d], one])?;
            there[first + d] = e.same("arith.minsi", &[e.same("arith.maxsi", &[i, zero])?, last])?;
        }
        e.select(inside, e.element_at(x.value, &there)?, value)
    })
}
