//! Padding that takes from the tensor: at each place of the result stands the element of a place that is reflected, clamped or taken around; and what cuts off.

use crate::emit::V;
use crate::lower::{Call, Item, Lower, Sizes, TensorValue};
use crate::{Error, Lowering};
use sconce_analysis::Constant;
use sconce_exec::{Dim, DimOp};
use sconce_schema::{OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::reflection_pad1d, |l, c| padded(l, c, Border::Reflect)),
    (ops::aten::reflection_pad2d, |l, c| padded(l, c, Border::Reflect)),
    (ops::aten::reflection_pad3d, |l, c| padded(l, c, Border::Reflect)),
    (ops::aten::replication_pad1d, |l, c| padded(l, c, Border::Replicate)),
    (ops::aten::replication_pad2d, |l, c| padded(l, c, Border::Replicate)),
    (ops::aten::replication_pad3d, |l, c| padded(l, c, Border::Replicate)),
    (ops::aten::_pad_circular, |l, c| padded(l, c, Border::Circular)),
    (ops::aten::pad, pad),
];

/// Why padding is refused.
const BEYOND: &str = "padding of more than there is";

/// What stands beyond the ends of a dimension.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Border {
    Reflect,
    Replicate,
    Circular,
}

/// `pad(self, pad, mode, value)`
fn pad<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let border = match c.constant(2)? {
        Constant::Str(mode) if mode == "reflect" => Border::Reflect,
        Constant::Str(mode) if mode == "replicate" => Border::Replicate,
        Constant::Str(mode) if mode == "circular" => Border::Circular,
        _ => return crate::window::constant_pad(l, c),
    };
    padded(l, c, border)
}

/// `(self, padding)`: pairs of the last dimension first.
fn padded<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, border: Border) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let pairs = c.ints(1)?;
    if pairs.len() % 2 != 0 || pairs.len() / 2 > x.rank() {
        return Error::unsupported("padding of more dimensions than there are");
    }
    let first = x.rank() - pairs.len() / 2;
    let padding: Vec<(i64, i64)> = pairs.chunks(2).rev().map(|pair| (pair[0], pair[1])).collect();
    let mut sizes = Sizes::from(&x.sizes[..first]);
    for ((before, behind), size) in padding.iter().zip(&x.sizes[first..]) {
        // What is reflected is there once, what is taken around too.
        let most = Dim::Known(*before.max(behind) + i64::from(border == Border::Reflect));
        let least = if border == Border::Replicate { Dim::Known(1) } else { most };
        l.at_most(least, *size, BEYOND)?;
        let padded = Dim::op(DimOp::Add, size.clone(), Dim::Known(before + behind));
        l.at_most(Dim::Known(1), padded, BEYOND)?;
        sizes.push(padded);
    }
    let ends = l.index_sizes(&x.sizes)?;
    let made = crate::rearrange::moved(l, &x, &sizes, &mut |e, place| {
        let (zero, one) = (e.index(0)?, e.index(1)?);
        for (d, (before, behind)) in padding.iter().enumerate() {
            if (*before, *behind) == (0, 0) {
                continue;
            }
            let (i, n) = (&mut place[first + d], ends[first + d]);
            let there: V<'c> = e.same("arith.subi", &[*i, e.index(*before)?])?;
            let last = e.same("arith.subi", &[n, one])?;
            *i = match border {
                Border::Replicate => e.same("arith.minsi", &[e.same("arith.maxsi", &[there, zero])?, last])?,
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
    })?;
    Ok(vec![Item::Tensor(made)])
}

/// A tensor with `value` around it, where the numbers around may be negative: so many are cut off.
pub(crate) fn constant<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    padding: &[(i64, i64)],
    value: V<'c>,
) -> Result<TensorValue<'c>, Error> {
    let first = x.rank() - padding.len();
    let mut sizes = Sizes::from(&x.sizes[..first]);
    for ((before, behind), size) in padding.iter().zip(&x.sizes[first..]) {
        let padded = Dim::op(DimOp::Add, size.clone(), Dim::Known(before + behind));
        l.at_most(Dim::Known(0), padded, BEYOND)?;
        l.at_most(Dim::Known(1), *size, BEYOND)?;
        sizes.push(padded);
    }
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
