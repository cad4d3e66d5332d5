//! The same elements at other places: reversed, rolled, repeated, written into a part of a tensor.

use crate::emit::V;
use crate::lower::{Call, Item, Lower, Sizes, TensorValue};
use crate::view::{Start, clamped_range, expanded, indexed, is_put_back, part_from, permuted, reshaped, with_unit};
use crate::{Error, Lowering};
use sconce_exec::{Dim, DimOp};
use sconce_schema::{DType, OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::flip, flip),
    (ops::aten::fliplr, |l, c| reversed(l, c, &[1])),
    (ops::aten::flipud, |l, c| reversed(l, c, &[0])),
    (ops::aten::roll, roll),
    (ops::aten::repeat, repeat),
    (ops::aten::tile, repeat),
    (ops::aten::repeat_interleave_self_int, repeat_interleave),
    (ops::aten::diagonal, diagonal),
    (ops::aten::movedim_int, movedim),
    (ops::aten::moveaxis_int, movedim),
    (ops::aten::select_scatter, select_scatter),
    (ops::aten::slice_scatter, slice_scatter),
    (ops::aten::pixel_shuffle, pixel_shuffle),
    (ops::aten::pixel_unshuffle, pixel_unshuffle),
    (ops::aten::channel_shuffle, channel_shuffle),
    (ops::aten::copy, copy),
    (ops::aten::item, item),
    (ops::aten::_local_scalar_dense, item),
];

/// The element of each place of the result: `from` makes the place in `x` of that in the result, whose dimensions are as many.
pub(crate) fn moved<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    sizes: &[Dim],
    from: &mut dyn FnMut(&crate::emit::Emit<'c>, &mut Vec<V<'c>>) -> Result<(), Error>,
) -> Result<TensorValue<'c>, Error> {
    let value = x.value;
    l.computed(sizes, x.dtype, &mut |e, place| {
        let mut place = place.to_vec();
        from(e, &mut place)?;
        e.element_at(value, &place)
    })
}

fn one<'c>(t: TensorValue<'c>) -> Result<Vec<Item<'c>>, Error> {
    Ok(vec![Item::Tensor(t)])
}

fn flip<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    reversed(l, c, &c.ints(1)?)
}

fn reversed<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, dims: &[i64]) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let dims = dims.iter().map(|d| x.axis(*d)).collect::<Result<Vec<_>, _>>()?;
    let ends = l.index_sizes(&x.sizes)?;
    let last = l.e.index(1)?;
    one(moved(l, x, &x.sizes, &mut |e, place| {
        for d in dims.iter().filter(|d| **d < ends.len()) {
            let end = e.same("arith.subi", &[ends[*d], last])?;
            place[*d] = e.same("arith.subi", &[end, place[*d]])?;
        }
        Ok(())
    })?)
}

/// `roll(self, shifts, dims)`; without dimensions the elements are rolled as if in one row.
fn roll<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let (shifts, dims) = (c.ints(1)?, c.optional_ints(2)?.unwrap_or_default());
    let (flat, dims) = if dims.is_empty() {
        let count = x.sizes.iter().fold(Dim::Known(1), |n, d| Dim::op(DimOp::Mul, n, *d));
        (reshaped(l, &x, &[count])?, vec![0])
    } else {
        (x.clone(), dims.iter().map(|d| x.axis(*d)).collect::<Result<Vec<_>, _>>()?)
    };
    if shifts.len() != dims.len() || flat.rank() == 0 {
        return Error::unsupported("other shifts than dimensions");
    }
    let ends = l.index_sizes(&flat.sizes)?;
    let rolled = moved(l, &flat, &flat.sizes, &mut |e, place| {
        for (d, shift) in dims.iter().zip(&shifts) {
            // The remainder is that of mathematics: never negative.
            let there = e.same("arith.subi", &[place[*d], e.index(*shift)?])?;
            let rest = e.same("arith.remsi", &[there, ends[*d]])?;
            let negative = e.cmpi("slt", rest, e.index(0)?)?;
            place[*d] = e.select(negative, e.same("arith.addi", &[rest, ends[*d]])?, rest)?;
        }
        Ok(())
    })?;
    one(reshaped(l, &rolled, &x.sizes)?)
}

fn repeat<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let mut x = c.tensor(0)?.clone();
    let mut times = c.sizes(1)?;
    // What has fewer dimensions gets more in front; of `tile` either may.
    while x.rank() < times.len() {
        x = with_unit(l, &x, 0)?;
    }
    while times.len() < x.rank() {
        if c.entry.op() != ops::aten::tile {
            return Error::unsupported("fewer repetitions than dimensions");
        }
        times.insert(0, Dim::Known(1));
    }
    let sizes: Sizes = x.sizes.iter().zip(&times).map(|(d, n)| Dim::op(DimOp::Mul, *d, *n)).collect();
    for n in &times {
        l.at_most(Dim::Known(0), *n, "a negative number of repetitions")?;
    }
    let ends = l.index_sizes(&x.sizes)?;
    one(moved(l, &x, &sizes, &mut |e, place| {
        for (d, n) in times.iter().enumerate() {
            if x.sizes[d] == Dim::Known(1) {
                place[d] = e.index(0)?;
            } else if *n != Dim::Known(1) {
                place[d] = e.same("arith.remui", &[place[d], ends[d]])?;
            }
        }
        Ok(())
    })?)
}

/// `repeat_interleave(self, repeats, dim, output_size)`
fn repeat_interleave<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let mut x = c.tensor(0)?.clone();
    let times = c.int(1)?;
    if times < 0 {
        return Error::unsupported("a negative number of repetitions");
    }
    let d = match c.optional_int(2)? {
        Some(d) => x.axis(d)?,
        None => {
            let count = x.sizes.iter().fold(Dim::Known(1), |n, d| Dim::op(DimOp::Mul, n, *d));
            x = reshaped(l, &x, &[count])?;
            0
        }
    };
    if x.rank() == 0 {
        return Error::unsupported("repetitions along a dimension of rank 0");
    }
    let sizes = Lower::with_size(&x.sizes, d, Dim::op(DimOp::Mul, x.sizes[d], Dim::Known(times)));
    one(moved(l, &x, &sizes, &mut |e, place| {
        place[d] = e.same("arith.divui", &[place[d], e.index(times.max(1))?])?;
        Ok(())
    })?)
}

/// `diagonal(self, offset, dim1, dim2)`: the diagonal's dimension is the last.
fn diagonal<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let (offset, a, b) = (c.int(1)?, x.axis(c.int(2)?)?, x.axis(c.int(3)?)?);
    if a == b || x.rank() < 2 {
        return Error::unsupported("a diagonal of one dimension");
    }
    let (down, right) = ((-offset).max(0), offset.max(0));
    let rest = |d: usize, skipped: i64| Dim::op(DimOp::Sub, x.sizes[d], Dim::Known(skipped));
    let length = Dim::op(DimOp::Max, Dim::op(DimOp::Min, rest(a, down), rest(b, right)), Dim::Known(0));
    let others: Vec<usize> = (0..x.rank()).filter(|d| *d != a && *d != b).collect();
    let mut sizes: Sizes = others.iter().map(|d| x.sizes[*d]).collect();
    sizes.push(length);
    let (rank, value) = (x.rank(), x.value);
    let made = l.computed(&sizes, x.dtype, &mut |e, place| {
        let along = place[place.len() - 1];
        let mut there = vec![along; rank];
        for (d, i) in others.iter().zip(place) {
            there[*d] = *i;
        }
        there[a] = e.same("arith.addi", &[along, e.index(down)?])?;
        there[b] = e.same("arith.addi", &[along, e.index(right)?])?;
        e.element_at(value, &there)
    })?;
    one(TensorValue { row_major: false, strides: x.strides.diagonal(&others, [a, b]), ..made })
}

fn movedim<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let (from, to) = (x.axis(c.int(1)?)?, x.axis(c.int(2)?)?);
    let mut order: Vec<usize> = (0..x.rank()).collect();
    if from < order.len() {
        let d = order.remove(from);
        order.insert(to, d);
    }
    one(permuted(l, x, &order)?)
}

/// `select_scatter(self, src, dim, index)`
fn select_scatter<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, source) = (c.tensor(0)?.clone(), c.tensor(1)?.clone());
    let d = x.axis(c.int(2)?)?;
    if source.rank() + 1 != x.rank() {
        return Error::unsupported("a part of another rank");
    }
    let at = indexed(l, c, 3, x.sizes[d])?;
    let part = if is_put_back(&at, &source.sizes) { source } else { with_unit(l, &source, d)? };
    one(inserted(l, &x, &part, d, &at, 1)?)
}

/// `slice_scatter(self, src, dim, start, end, step)`
fn slice_scatter<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, source) = (c.tensor(0)?.clone(), c.tensor(1)?.clone());
    if x.rank() == 0 || source.rank() != x.rank() {
        return Error::unsupported("a part of another rank");
    }
    let d = x.axis(c.int(2)?)?;
    let (start, length, step) = clamped_range(l, c, &x.sizes[d].clone(), [3, 4, 5])?;
    let count = l.equal(&source.sizes[d], &length)?;
    let part = TensorValue { sizes: Lower::with_size(&source.sizes, d, count), ..source };
    one(inserted(l, &x, &part, d, &Start::Size(start), step)?)
}

/// `x` with `part` at places `start, start + step, …` of a dimension, which it may lack; in the others they are as large.
fn inserted<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    part: &TensorValue<'c>,
    d: usize,
    start: &Start<'c>,
    step: i64,
) -> Result<TensorValue<'c>, Error> {
    let part = l.cast(part, x.dtype)?;
    let mut window = part.sizes.clone();
    if part.rank() < x.rank() {
        window.insert(d, Dim::Known(1));
    }
    for i in (0..x.rank()).filter(|i| *i != d) {
        l.equal(&x.sizes[i], &window[i])?;
    }
    if window.contains(&Dim::Known(0)) {
        return Ok(x.clone());
    }
    let place = part_from(l, d, start, &window, step)?;
    let value = l.e.insert_slice(part.value, x.value, &place)?;
    Ok(TensorValue::new(value, x.sizes.clone(), x.dtype))
}

/// The last three dimensions `[c, h, w]` of a tensor and those before.
fn image<'c>(x: &TensorValue<'c>) -> Result<(Sizes, [Dim; 3]), Error> {
    let Some(first) = x.rank().checked_sub(3) else { return Error::unsupported("fewer than three dimensions") };
    let [c, h, w] = [0, 1, 2].map(|i| x.sizes[first + i]);
    Ok((x.sizes[..first].into(), [c, h, w]))
}

fn multiple(d: &Dim, of: i64) -> Result<Dim, Error> {
    match d.known() {
        Some(n) if of > 0 && n % of == 0 => Ok(Dim::Known(n / of)),
        _ => Error::unsupported("a size that is not known to be a multiple"),
    }
}

/// Splits, permutes and joins the last dimensions; `order` counts from the first of the split ones.
fn regrouped<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    outer: &[Dim],
    split: &[Dim],
    order: &[usize],
    joined: &[Dim],
) -> Result<Vec<Item<'c>>, Error> {
    let with = |tail: &[Dim]| outer.iter().chain(tail).cloned().collect::<Sizes>();
    let x = reshaped(l, x, &with(split))?;
    let order: Vec<usize> = (0..outer.len()).chain(order.iter().map(|d| outer.len() + d)).collect();
    let x = permuted(l, &x, &order)?;
    let made = reshaped(l, &x, &with(joined))?;
    one(TensorValue { row_major: true, ..made })
}

fn pixel_shuffle<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, r) = (c.tensor(0)?.clone(), c.int(1)?);
    let (outer, [channels, h, w]) = image(&x)?;
    let (channels, factor) = (multiple(&channels, r.saturating_mul(r))?, Dim::Known(r));
    let times = |d: &Dim| Dim::op(DimOp::Mul, *d, factor);
    let split = [channels, factor, factor, h, w];
    regrouped(l, &x, &outer, &split, &[0, 3, 1, 4, 2], &[channels, times(&h), times(&w)])
}

fn pixel_unshuffle<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, r) = (c.tensor(0)?.clone(), c.int(1)?);
    let (outer, [channels, h, w]) = image(&x)?;
    let (h, w, factor) = (multiple(&h, r)?, multiple(&w, r)?, Dim::Known(r));
    let split = [channels, h, factor, w, factor];
    let more = Dim::op(DimOp::Mul, channels, Dim::Known(r.saturating_mul(r)));
    regrouped(l, &x, &outer, &split, &[0, 2, 4, 1, 3], &[more, h, w])
}

fn channel_shuffle<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, groups) = (c.tensor(0)?.clone(), c.int(1)?);
    if x.rank() < 3 {
        return Error::unsupported("fewer than three dimensions");
    }
    let each = multiple(&x.sizes[1], groups)?;
    let rest = x.sizes[2..].iter().cloned();
    let split: Vec<Dim> = [Dim::Known(groups), each].into_iter().chain(rest.clone()).collect();
    let order: Vec<usize> = [1, 0].into_iter().chain(2..split.len()).collect();
    let joined: Vec<Dim> = [x.sizes[1]].into_iter().chain(rest).collect();
    regrouped(l, &x, &x.sizes[..1], &split, &order, &joined)
}

/// `copy(self, src)`: the elements of the second in the sizes and the dtype of the first.
fn copy<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (like, source) = (c.tensor(0)?.clone(), c.tensor(1)?.clone());
    let sizes = l.broadcast(&[&like.sizes, &source.sizes])?;
    if sizes.len() != like.rank() {
        return Error::unsupported("copy of more dimensions");
    }
    let cast = l.cast(&source, like.dtype)?;
    one(expanded(l, &cast, &sizes)?)
}

/// The one element of a tensor as a number.
fn item<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let element = reshaped(l, &x, &[])?;
    if x.sizes.iter().any(|d| *d != Dim::Known(1)) {
        return Error::unsupported("the element of a tensor that is not known to have one");
    }
    let dtype = match x.dtype {
        DType::Bool => DType::Bool,
        d if d.is_float() => DType::F64,
        _ => DType::I64,
    };
    let value = l.e.element_at(element.value, &[])?;
    let value = crate::scalar::cast(&l.e, value, x.dtype, dtype, l.element(dtype)?)?;
    Ok(vec![Item::Number { value, dtype, dim: None }])
}
