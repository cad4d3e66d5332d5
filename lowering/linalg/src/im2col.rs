//! Windows as columns: `im2col` lays each window of a picture into a column, `col2im` sums columns back into a picture.

use crate::emit::{Emit, V};
use crate::lower::{Call, Item, Lower, Sizes};
use crate::matmul::sum_dtype;
use crate::pool::floats_only;
use crate::reduce::Fold;
use crate::scalar::cast;
use crate::view::{reshaped, with_unit};
use crate::window::{counts, place_of, window_of};
use crate::{Error, Lowering};
use sconce_exec::Dim;
use sconce_schema::geometry::convolution::blocks;
use sconce_schema::{OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[(ops::aten::im2col, im2col), (ops::aten::col2im, col2im)];

/// A position in one row as positions in rows of `columns`.
fn split<'c>(e: &Emit<'c>, i: V<'c>, columns: V<'c>) -> Result<[V<'c>; 2], Error> {
    Ok([e.same("arith.divui", &[i, columns])?, e.same("arith.remui", &[i, columns])?])
}

/// `im2col(self, kernel_size, dilation, padding, stride)`: `[n, c · k, windows]`.
fn im2col<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let windows = c.parsed(|a| blocks(a, [1, 2, 3, 4]))?;
    let unbatched = x.rank() == 3;
    let x = if unbatched { with_unit(l, &x, 0)? } else { x };
    if x.rank() != 4 {
        return Error::unsupported("columns of other than a picture");
    }
    let (over, kernel) = (counts(l, &windows, &x.sizes)?, windows.list(|w| w.kernel));
    let places = kernel[0].times(kernel[1]);
    let sizes = [x.sizes[0], x.sizes[1].times(places), over[0].times(over[1])];
    let (ends, columns) = (l.index_sizes(&x.sizes[2..])?, l.size(&over[1])?);
    let (all, across, t) = (l.size(&places)?, l.size(&kernel[1])?, l.element(x.dtype)?);
    let made = l.computed(&sizes, x.dtype, &mut |e, place| {
        let [channel, k] = split(e, place[1], all)?;
        let (k, o) = (split(e, k, across)?, split(e, place[2], columns)?);
        let (mut there, mut inside) = (vec![place[0], channel], e.int(1, e.int_type(1))?);
        for d in 0..2 {
            let (i, good) = place_of(e, &windows.0[d], o[d], k[d], ends[d])?;
            inside = e.same("arith.andi", &[inside, good])?;
            there.push(i);
        }
        e.select(inside, e.element_at(x.value, &there)?, e.constant(0., t)?)
    })?;
    let flat: Sizes = made.sizes[1..].into();
    Ok(vec![Item::Tensor(if unbatched { reshaped(l, &made, &flat)? } else { made })])
}

/// `col2im(self, output_size, kernel_size, dilation, padding, stride)`: sums of what `im2col` puts in columns.
fn col2im<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    floats_only(&x)?;
    let windows = c.parsed(|a| blocks(a, [2, 3, 4, 5]))?;
    let unbatched = x.rank() == 2;
    let x = if unbatched { with_unit(l, &x, 0)? } else { x };
    let picture: Vec<Dim> = c.ints(1)?.into_iter().map(Dim::Known).collect();
    let (Some(rows), 2, 3) = (x.sizes.get(1).and_then(|d| d.known()), picture.len(), x.rank()) else {
        return Error::unsupported("columns whose number is not known");
    };
    let sides = windows.list(|w| w.kernel);
    let kernel: Vec<i64> = sides.iter().filter_map(|d| d.known()).collect();
    let over = counts(l, &windows, &picture)?;
    let channels = rows / (kernel[0] * kernel[1]).max(1);
    if channels * kernel[0] * kernel[1] != rows {
        return Error::unsupported("columns that are no multiple of a window");
    }
    l.equal(&x.sizes[2], &over[0].times(over[1]))?;
    let sizes = [x.sizes[0], Dim::Known(channels), picture[0], picture[1]];
    let dtype = sum_dtype(x.dtype);
    let (t, from, ends) = (l.element(dtype)?, x.dtype, l.index_sizes(&over)?);
    let made = l.computed_fold(&sizes, &sides, Fold::Sum, dtype, &mut |e, place, within| {
        let (mut inside, mut column) = (e.int(1, e.int_type(1))?, e.index(0)?);
        let mut row = place[1];
        for d in 0..2 {
            let (i, good) = window_of(e, &windows.0[d], place[2 + d], within[d], ends[d])?;
            inside = e.same("arith.andi", &[inside, good])?;
            column = e.same("arith.addi", &[e.same("arith.muli", &[column, ends[d]])?, i])?;
            row = e.same("arith.addi", &[e.same("arith.muli", &[row, e.index(kernel[d])?])?, within[d]])?;
        }
        let v = cast(e, e.element_at(x.value, &[place[0], row, column])?, from, dtype, t)?;
        e.select(inside, v, e.constant(0., t)?)
    })?;
    let made = l.cast(&made, x.dtype)?;
    let flat: Sizes = made.sizes[1..].into();
    Ok(vec![Item::Tensor(if unbatched { reshaped(l, &made, &flat)? } else { made })])
}
