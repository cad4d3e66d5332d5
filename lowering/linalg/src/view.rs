//! Views as values: permutations, reshapes and slices of tensors, and the joins that undo them.

use crate::emit::{DYNAMIC, Emit, Iterator, Slice, V};
use crate::index::{outside, place_of};
use crate::inner_sizes::is_inner;
use crate::lower::{Call, Item, Lower, Sizes, TensorValue, axis};
use crate::operator_call::refuse_where;
use crate::{Error, Lowering};
use sconce_analysis::Constant;
use sconce_exec::{Dim, DimOp, Form, Relation};
use sconce_ir::affine::identity;
use sconce_ir::{Attribute, ValueLike};
use sconce_schema::{DType, OpId, Trait, ops};
use smallvec::SmallVec;
use std::rc::Rc;

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::t, t),
    (ops::aten::numpy_T, t),
    (ops::aten::mT, transpose_last),
    (ops::aten::transpose_int, transpose),
    (ops::aten::swapaxes, transpose),
    (ops::aten::swapdims, transpose),
    (ops::aten::permute, permute),
    (ops::aten::view, reshape),
    (ops::aten::reshape, reshape),
    (ops::aten::_unsafe_view, reshape),
    (ops::aten::view_as, reshape_as),
    (ops::aten::reshape_as, reshape_as),
    (ops::aten::flatten_using_ints, flatten),
    (ops::aten::unflatten_int, unflatten),
    (ops::aten::unsqueeze, unsqueeze),
    (ops::aten::squeeze, squeeze),
    (ops::aten::squeeze_dim, squeeze_dim),
    (ops::aten::squeeze_dims, squeeze_dim),
    (ops::aten::expand, expand),
    (ops::aten::broadcast_to, expand),
    (ops::aten::expand_as, expand_as),
    (ops::aten::slice_Tensor, slice),
    (ops::aten::narrow, narrow),
    (ops::aten::select_int, select),
    (ops::aten::chunk, chunk),
    (ops::aten::split_Tensor, split),
    (ops::aten::split_sizes, split_sizes),
    (ops::aten::split_with_sizes, split_sizes),
    (ops::aten::unbind_int, unbind),
    (ops::aten::cat, cat),
    (ops::aten::concat, cat),
    (ops::aten::concatenate, cat),
    (ops::aten::stack, stack),
    (ops::aten::contiguous, same),
    (ops::aten::clone, same),
    (ops::aten::detach, same),
    (ops::aten::alias, same),
    (ops::aten::to_dtype, to_dtype),
    (ops::aten::type_as, type_as),
    (ops::aten::_to_copy, to_dtype),
];

fn one<'c>(t: TensorValue<'c>) -> Result<Vec<Item<'c>>, Error> {
    Ok(vec![Item::Tensor(t)])
}

/// The tensor with its dimensions permuted. A loop nest that later fuses into its users; products read the original.
pub(crate) fn permuted<'c>(l: &Lower<'c>, t: &TensorValue<'c>, order: &[usize]) -> Result<TensorValue<'c>, Error> {
    if order.iter().enumerate().all(|(i, d)| i == *d) {
        return Ok(t.clone());
    }
    let (base, order): (Rc<TensorValue<'c>>, SmallVec<[usize; 6]>) = match &t.permuted {
        // One that was made contiguous lies otherwise than the original.
        Some((base, inner)) if !t.row_major => (base.clone(), order.iter().map(|d| inner[*d]).collect()),
        _ => (Rc::new(t.clone()), order.into()),
    };
    if order.iter().enumerate().all(|(i, d)| i == *d) {
        return Ok((*base).clone());
    }
    let sizes: Sizes = order.iter().map(|d| base.sizes[*d]).collect();
    let out = l.empty(&sizes, base.dtype)?;
    let rank = sizes.len();
    let mut read = vec![None; rank];
    for (i, d) in order.iter().enumerate() {
        read[*d] = Some(i);
    }
    let maps = [l.e.map(rank, &read), l.e.map(rank, &identity(rank))];
    let value = l.e.structured(
        "linalg.generic",
        &[base.value],
        &[out],
        &maps,
        Some(&vec![Iterator::Parallel; rank]),
        &mut |_, a| Ok(vec![a[0]]),
    )?[0];
    // Of dimensions of size 1, too: their strides can be seen.
    Ok(TensorValue {
        strides: base.strides.permuted(&order),
        permuted: Some((base.clone(), order)),
        row_major: false,
        ..TensorValue::new(value, sizes, base.dtype)
    })
}

fn t<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    one(permuted(l, x, &(0..x.rank()).rev().collect::<Vec<_>>())?)
}

fn swap<'c>(l: &Lower<'c>, x: &TensorValue<'c>, a: i64, b: i64) -> Result<Vec<Item<'c>>, Error> {
    let (a, b) = (x.axis(a)?, x.axis(b)?);
    let mut order: Vec<usize> = (0..x.rank()).collect();
    if a != b {
        order.swap(a, b);
    }
    one(permuted(l, x, &order)?)
}

fn transpose_last<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    if x.rank() < 2 {
        return Error::unsupported("mT of fewer than two dimensions");
    }
    swap(l, x, -2, -1)
}

fn transpose<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    swap(l, c.tensor(0)?, c.int(1)?, c.int(2)?)
}

fn permute<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let order = c.ints(1)?.into_iter().map(|d| x.axis(d)).collect::<Result<Vec<_>, _>>()?;
    let mut seen = order.clone();
    seen.sort_unstable();
    if order.len() != x.rank() || seen.iter().enumerate().any(|(i, d)| i != *d) {
        return Error::unsupported("the dimensions are no permutation");
    }
    one(permuted(l, x, &order)?)
}

fn product(sizes: &[Dim]) -> Dim {
    sizes.iter().fold(Dim::Known(1), |a, b| Dim::op(DimOp::Mul, a, *b))
}

/// `[[0, 1], [2]]` for collapse_shape and expand_shape.
fn reassociation<'c>(e: &Emit<'c>, groups: &[Vec<usize>]) -> Attribute<'c> {
    let group = |dims: &Vec<usize>| e.array(&dims.iter().map(|d| e.i64_attr(*d as i64)).collect::<Vec<_>>());
    e.array(&groups.iter().map(group).collect::<Vec<_>>())
}

/// Groups of dimensions of `long` whose products are the dimensions of `short`, if there are such.
fn grouping(long: &[Dim], short: &[Dim]) -> Option<Vec<Vec<usize>>> {
    let mut groups = Vec::new();
    let mut next = 0;
    for (place, want) in short.iter().enumerate() {
        let mut group = Vec::new();
        let mut have = Dim::Known(1);
        while next < long.len() && (group.is_empty() || have != *want) {
            have = Dim::op(DimOp::Mul, have, long[next]);
            group.push(next);
            next += 1;
        }
        // Trailing ones belong to the last group, earlier ones to the next.
        if place + 1 == short.len() {
            while next < long.len() && long[next] == Dim::Known(1) {
                group.push(next);
                next += 1;
            }
        }
        if have != *want || group.is_empty() {
            return None;
        }
        // MLIR allows one unknown size in a group.
        if group.iter().filter(|i| long[**i].known().is_none()).count() > 1 {
            return None;
        }
        groups.push(group);
    }
    (next == long.len() || (short.is_empty() && long.iter().all(|d| *d == Dim::Known(1)))).then_some(groups)
}

/// The elements in row-major order under other sizes; the caller made sure that their number is the same.
pub(crate) fn reshaped<'c>(l: &mut Lower<'c>, x: &TensorValue<'c>, sizes: &[Dim]) -> Result<TensorValue<'c>, Error> {
    if x.sizes[..] == *sizes {
        return Ok(TensorValue { permuted: None, ..x.clone() });
    }
    let value = if sizes.len() < x.rank()
        && let Some(groups) = grouping(&x.sizes, sizes)
    {
        collapse(l, x.value, sizes, x.dtype, &groups)?
    } else if sizes.len() > x.rank()
        && let Some(groups) = grouping(sizes, &x.sizes)
    {
        expand_value(l, x.value, sizes, x.dtype, &groups)?
    } else if sizes.iter().chain(&x.sizes).all(|d| d.known().is_some()) && x.rank() > 0 && !sizes.is_empty() {
        let flat = [product(&x.sizes)];
        let value = collapse(l, x.value, &flat, x.dtype, &[(0..x.rank()).collect()])?;
        expand_value(l, value, sizes, x.dtype, &[(0..sizes.len()).collect()])?
    } else {
        let t = l.tensor_type(sizes, x.dtype)?;
        let list = l.e.tensor_type(&[Some(sizes.len() as i64)], l.e.index_type());
        let values = sizes.iter().map(|d| l.size(d)).collect::<Result<Vec<_>, _>>()?;
        let list = l.e.one("tensor.from_elements", &values, list, &[])?;
        l.e.one("tensor.reshape", &[x.value, list], t, &[])?
    };
    let strides = x.strides.reshaped(&x.sizes, sizes);
    Ok(TensorValue { strides, ..TensorValue::new(value, sizes.into(), x.dtype) })
}

/// The first argument under other sizes, if the operator may copy it or need not.
fn view_or_copy<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, sizes: &[Dim]) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    if c.entry.has(Trait::Strides) {
        l.takes_no_copy(x, sizes)?;
    }
    one(reshaped(l, x, sizes)?)
}

fn collapse<'c>(l: &Lower<'c>, v: V<'c>, sizes: &[Dim], dtype: DType, groups: &[Vec<usize>]) -> Result<V<'c>, Error> {
    let t = l.tensor_type(sizes, dtype)?;
    l.e.one("tensor.collapse_shape", &[v], t, &[("reassociation", reassociation(&l.e, groups))])
}

fn expand_value<'c>(
    l: &Lower<'c>,
    v: V<'c>,
    sizes: &[Dim],
    dtype: DType,
    groups: &[Vec<usize>],
) -> Result<V<'c>, Error> {
    let t = l.tensor_type(sizes, dtype)?;
    let mut operands = vec![v];
    operands.extend(l.dynamic_sizes(sizes)?);
    let known: Vec<i64> = sizes.iter().map(|d| d.known().unwrap_or(DYNAMIC)).collect();
    let attributes = [("reassociation", reassociation(&l.e, groups)), ("static_output_shape", l.e.i64_array(&known))];
    l.e.one("tensor.expand_shape", &operands, t, &attributes)
}

/// Sizes in which one may be -1.
fn inferred<'c>(l: &mut Lower<'c>, have: &[Dim], want: &[Dim]) -> Result<Sizes, Error> {
    let total = product(have);
    let Some(place) = want.iter().position(|d| *d == Dim::Known(-1)) else {
        if want.iter().any(|d| matches!(d, Dim::Known(n) if *n < 0)) {
            return Error::unsupported("a negative size");
        }
        let asked = product(want);
        l.equal(&total, &asked)?;
        return Ok(want.into());
    };
    let mut rest: Vec<Dim> = want.to_vec();
    rest.remove(place);
    // Sizes that occur on both sides cancel, so that unknown ones need no division.
    let mut left: Vec<Dim> = have.to_vec();
    rest.retain(|d| match left.iter().position(|x| x == d && *d != Dim::Known(0)) {
        Some(i) if d.known().is_none() => {
            left.remove(i);
            false
        }
        _ => true,
    });
    let (total, divisor) = (product(&left), product(&rest));
    if divisor == Dim::Known(0) {
        return Error::unsupported("-1 beside a size of 0");
    }
    let quotient = Dim::op(DimOp::FloorDiv, total, divisor);
    l.equal(&Dim::op(DimOp::Mul, quotient, divisor), &total)?;
    let mut sizes: Sizes = want.into();
    sizes[place] = quotient;
    Ok(sizes)
}

fn reshape<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let sizes = inferred(l, &x.sizes, &c.sizes(1)?)?;
    view_or_copy(l, c, &sizes)
}

fn reshape_as<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, like) = (c.tensor(0)?, c.tensor(1)?);
    l.equal(&product(&x.sizes), &product(&like.sizes))?;
    view_or_copy(l, c, &like.sizes)
}

fn flatten<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    if x.rank() == 0 {
        return one(reshaped(l, x, &[Dim::Known(1)])?);
    }
    let (a, b) = (x.axis(c.int(1)?)?, x.axis(c.int(2)?)?);
    if a > b {
        return Error::unsupported("flatten from a later to an earlier dimension");
    }
    let mut sizes: Sizes = x.sizes[..a].into();
    sizes.push(product(&x.sizes[a..=b]));
    sizes.extend(x.sizes[b + 1..].iter().cloned());
    one(reshaped(l, x, &sizes)?)
}

fn unflatten<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let d = x.axis(c.int(1)?)?;
    let parts = inferred(l, &x.sizes[d..=d], &c.sizes(2)?)?;
    let mut sizes: Sizes = x.sizes[..d].into();
    sizes.extend(parts);
    sizes.extend(x.sizes[d + 1..].iter().cloned());
    one(reshaped(l, x, &sizes)?)
}

pub(crate) fn with_unit<'c>(l: &mut Lower<'c>, x: &TensorValue<'c>, place: usize) -> Result<TensorValue<'c>, Error> {
    let mut sizes = x.sizes.clone();
    sizes.insert(place, Dim::Known(1));
    // One group holds the new dimension; which one is free.
    let groups: Vec<Vec<usize>> = if x.rank() == 0 {
        Vec::new()
    } else {
        let host = place.min(x.rank() - 1);
        (0..x.rank())
            .map(|i| match i.cmp(&host) {
                std::cmp::Ordering::Less => vec![i],
                std::cmp::Ordering::Equal => vec![i, i + 1],
                std::cmp::Ordering::Greater => vec![i + 1],
            })
            .collect()
    };
    let value = expand_value(l, x.value, &sizes, x.dtype, &groups)?;
    let strides = x.strides.reshaped(&x.sizes, &sizes);
    Ok(TensorValue { strides, ..TensorValue::new(value, sizes, x.dtype) })
}

fn unsqueeze<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let place = axis(c.int(1)?, x.rank() + 1)?;
    one(with_unit(l, x, place)?)
}

fn without<'c>(l: &mut Lower<'c>, x: &TensorValue<'c>, drop: impl Fn(usize) -> bool) -> Result<Vec<Item<'c>>, Error> {
    let sizes: Sizes = x.sizes.iter().enumerate().filter(|(i, _)| !drop(*i)).map(|(_, d)| *d).collect();
    one(reshaped(l, x, &sizes)?)
}

fn squeeze<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    if x.sizes.iter().any(|d| d.known().is_none()) {
        return Error::unsupported("squeeze of unknown sizes: the rank of the result is not known");
    }
    without(l, x, |i| x.sizes[i] == Dim::Known(1))
}

fn squeeze_dim<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let dims = c.ints(1)?.into_iter().map(|d| x.axis(d)).collect::<Result<Vec<_>, _>>()?;
    if dims.iter().any(|d| x.sizes.get(*d).is_some_and(|s| s.known().is_none())) {
        return Error::unsupported("squeeze of an unknown size: the rank of the result is not known");
    }
    without(l, x, |i| dims.contains(&i) && x.sizes[i] == Dim::Known(1))
}

pub(crate) fn expanded<'c>(l: &mut Lower<'c>, x: &TensorValue<'c>, sizes: &[Dim]) -> Result<TensorValue<'c>, Error> {
    if x.sizes[..] == *sizes {
        return Ok(x.clone());
    }
    let l: &Lower<'c> = l;
    let made = l.elementwise(&[x], sizes, x.dtype, &mut |_, a| Ok(a[0]))?;
    Ok(TensorValue { strides: x.strides.expanded(&x.sizes, sizes), ..made })
}

fn expand<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let mut sizes: Sizes = c.sizes(1)?.into();
    let Some(skip) = sizes.len().checked_sub(x.rank()) else { return Error::unsupported("expand to fewer dimensions") };
    for (i, d) in x.sizes.iter().enumerate() {
        let want = &sizes[skip + i];
        if *want == Dim::Known(-1) {
            sizes[skip + i] = *d;
        } else if *d != Dim::Known(1) {
            sizes[skip + i] = l.equal(d, &want.clone())?;
        }
    }
    if sizes.iter().any(|d| matches!(d, Dim::Known(n) if *n < 0)) {
        return Error::unsupported("a negative size");
    }
    one(expanded(l, x, &sizes)?)
}

fn expand_as<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, like) = (c.tensor(0)?, c.tensor(1)?);
    let sizes = l.broadcast(&[&x.sizes, &like.sizes])?;
    one(expanded(l, x, &sizes)?)
}

/// Elements `start, start + step, …` (`count` of them) of a dimension.
fn sliced<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    d: usize,
    start: &Start<'c>,
    count: &Dim,
    step: i64,
) -> Result<TensorValue<'c>, Error> {
    let mut sizes = x.sizes.clone();
    sizes[d] = *count;
    if step == 1 && sizes == x.sizes {
        return Ok(TensorValue { permuted: None, ..x.clone() });
    }
    let value = extract(l, x, d, start, &sizes, step)?;
    Ok(TensorValue { strides: x.strides.stepped(d, step), ..TensorValue::new(value, sizes, x.dtype) })
}

/// `tensor.extract_slice` along one dimension.
fn extract<'c>(
    l: &Lower<'c>,
    x: &TensorValue<'c>,
    d: usize,
    start: &Start<'c>,
    window: &[Dim],
    step: i64,
) -> Result<V<'c>, Error> {
    if window.contains(&Dim::Known(0)) {
        // Where nothing is, MLIR has no place that a slice could begin at.
        return l.empty(window, x.dtype);
    }
    l.e.extract_slice(x.value, &part_from(l, d, start, window, step)?)
}

/// Where a part begins.
#[derive(Clone, Copy)]
pub(crate) enum Start<'c> {
    /// At a size, which callers can compute.
    Size(Dim),
    /// At an `index` of the code's own, as that of a loop's turn is.
    Place(V<'c>),
}

impl Start<'_> {
    pub(crate) fn known(n: i64) -> Self {
        Start::Size(Dim::Known(n))
    }
}

/// A part of these sizes that is whole in all dimensions but one.
pub(crate) fn part_from<'c>(
    l: &Lower<'c>,
    d: usize,
    start: &Start<'c>,
    sizes: &[Dim],
    step: i64,
) -> Result<Slice<'c>, Error> {
    let mut offsets = vec![Dim::Known(0); sizes.len()];
    if let Start::Size(start) = start {
        offsets[d] = *start;
    }
    let mut part = l.slice(&offsets, sizes, (d, step))?;
    if let Start::Place(start) = start {
        part.offsets[d] = DYNAMIC;
        part.dynamic_offsets.push(*start);
    }
    Ok(part)
}

/// Where an index of a dimension points to, counted from behind if negative; where it points out of it, the call is refused.
pub(crate) fn indexed<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, i: usize, size: Dim) -> Result<Start<'c>, Error> {
    const BEYOND: &str = "a position beyond the size";
    if let Item::Number { value, dim, .. } = *c.argument(i)?
        && dim.is_none_or(is_inner)
    {
        if let Some(dim) = dim
            && l.is_at_most(Dim::Known(0), dim)
            && l.is_at_most(dim.plus(1), size)
        {
            return l.size(&dim).map(Start::Place);
        }
        l.at_most(Dim::Known(1), size, BEYOND)?;
        let t = value.r#type();
        let end = l.e.one("arith.index_cast", &[l.size(&size)?], t, &[])?;
        let low = l.e.same("arith.subi", &[l.e.int(0, t)?, end])?;
        let wrong = outside(&l.e, value, low, end)?;
        refuse_where(l, wrong)?;
        return place_of(&l.e, value, l.size(&size)?).map(Start::Place);
    }
    let index = c.dim(i)?;
    Ok(Start::Size(match index.known() {
        Some(n) if n < 0 => {
            l.at_most(Dim::Known(n.saturating_neg()), size, BEYOND)?;
            Dim::op(DimOp::Add, size, index)
        }
        Some(n) => {
            l.at_most(Dim::Known(n.saturating_add(1)), size, BEYOND)?;
            index
        }
        None => {
            l.guard(Relation::AtMost, Dim::Known(0), index)?;
            l.at_most(Dim::op(DimOp::Add, index, Dim::Known(1)), size, BEYOND)?;
            index
        }
    }))
}

/// A position counted from the front or the back, clamped to the dimension. Of one that is not known callers see to it that it is counted from the front, unless the code
/// computes it.
fn clamped<'c>(l: &mut Lower<'c>, position: Dim, size: Dim) -> Result<Dim, Error> {
    const NOTHING: Dim = Dim::Known(0);
    let position = match position.known() {
        Some(0) => return Ok(NOTHING),
        Some(n) if n < 0 => Dim::op(DimOp::Max, size.plus(position), NOTHING),
        Some(_) => position,
        None if l.is_at_most(NOTHING, position) => position,
        None => match l.outer_part(position) {
            None if is_inner(position) => return l.inner_position(position, size),
            outer => {
                l.guard(Relation::AtMost, NOTHING, outer.unwrap_or(position))?;
                position
            }
        },
    };
    Ok(if l.is_at_most(position, size) { position } else { Dim::op(DimOp::Min, position, size) })
}

fn slice<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    if x.rank() == 0 {
        return Error::unsupported("slice of rank 0");
    }
    let d = x.axis(c.int(1)?)?;
    let (start, count, step) = clamped_range(l, c, &x.sizes[d].clone(), [2, 3, 4])?;
    one(sliced(l, x, d, &Start::Size(start), &count, step)?)
}

/// Start, number and step of the positions that three arguments say of a dimension, as Python slices.
pub(crate) fn clamped_range<'c>(
    l: &mut Lower<'c>,
    c: &Call<'_, 'c>,
    size: &Dim,
    [start, end, step]: [usize; 3],
) -> Result<(Dim, Dim, i64), Error> {
    let mut bound = |i: usize, default: Dim| -> Result<Dim, Error> {
        let position = match c.arguments.get(i) {
            None | Some(Item::Constant(Constant::None)) => return Ok(default),
            Some(_) => c.dim(i)?,
        };
        clamped(l, position, *size)
    };
    let start = bound(start, Dim::Known(0))?;
    // The usual end is the largest int.
    let end = if matches!(c.arguments.get(end), Some(Item::Constant(Constant::Int(i64::MAX)))) {
        *size
    } else {
        bound(end, *size)?
    };
    let step = if c.arguments.len() > step { c.int(step)? } else { 1 };
    if step <= 0 {
        return Error::unsupported("a slice step that is not positive");
    }
    if step > i32::MAX.into() {
        // Strides may wrap around, which is an error.
        return Error::unsupported("a slice step beyond 32 bits");
    }
    if start == *size {
        // Wherever such a slice stops: MLIR refuses one that begins beyond the last place, though nothing is taken from there.
        return Ok((start, Dim::Known(0), step));
    }
    let length = Dim::op(DimOp::Sub, end, start);
    let length = if l.is_at_most(start, end) { length } else { Dim::op(DimOp::Max, length, Dim::Known(0)) };
    let length = match length.form() {
        // x - 0 and the like cannot be negative.
        Form::Op(DimOp::Max, Dim::Known(0), whole) if whole == *size => whole,
        _ => length,
    };
    let rounded = Dim::op(DimOp::Add, length, Dim::Known(step - 1));
    Ok((start, Dim::op(DimOp::FloorDiv, rounded, Dim::Known(step)), step))
}

fn narrow<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let d = x.axis(c.int(1)?)?;
    let (start, length) = (c.int(2)?, c.int(3)?);
    if start < 0 || length < 0 {
        return Error::unsupported("narrow from the back");
    }
    l.at_most(Dim::Known(start.saturating_add(length)), x.sizes[d], "a position beyond the size")?;
    one(sliced(l, x, d, &Start::known(start), &Dim::Known(length), 1)?)
}

/// Whether a member at an index is taken, and put, in one step: in loops, where what is written to is then seen to be what was read.
pub(crate) fn is_put_back(index: &Start<'_>, sizes: &[Dim]) -> bool {
    matches!(index, Start::Place(_)) && sizes.iter().all(|d| d.known().is_some())
}

fn selected<'c>(l: &mut Lower<'c>, x: &TensorValue<'c>, d: usize, index: &Start<'c>) -> Result<TensorValue<'c>, Error> {
    let mut sizes = x.sizes.clone();
    sizes.remove(d);
    if is_put_back(index, &sizes) {
        let window = Lower::with_size(&x.sizes, d, Dim::Known(1));
        let value = l.e.extract_member(x.value, &part_from(l, d, index, &window, 1)?, d)?;
        let strides = x.strides.reshaped(&window, &sizes);
        return Ok(TensorValue { strides, ..TensorValue::new(value, sizes, x.dtype) });
    }
    // In two steps: a slice that drops a dimension of size 1 beside unknown ones is more than bufferization can sort out.
    let window = sliced(l, x, d, index, &Dim::Known(1), 1)?;
    reshaped(l, &window, &sizes)
}

fn select<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    if x.rank() == 0 {
        return Error::unsupported("select of rank 0");
    }
    let d = x.axis(c.int(1)?)?;
    let index = indexed(l, c, 2, x.sizes[d])?;
    one(selected(l, x, d, &index)?)
}

/// Slices of these lengths, one after the other.
fn pieces<'c>(l: &mut Lower<'c>, x: &TensorValue<'c>, d: usize, lengths: &[i64]) -> Result<Vec<Item<'c>>, Error> {
    let mut start = 0;
    let mut out = Vec::new();
    for length in lengths {
        out.push(Item::Tensor(sliced(l, x, d, &Start::known(start), &Dim::Known(*length), 1)?));
        start += length;
    }
    Ok(vec![Item::List(out)])
}

fn known_size(x: &TensorValue<'_>, d: usize) -> Result<i64, Error> {
    x.sizes.get(d).ok_or_else(|| Error::Unsupported("rank 0 cannot be cut".into()))?.known().ok_or_else(|| {
        Error::Unsupported("the size that is cut is not known: the number of pieces is not either".into())
    })
}

/// Lengths of pieces of `length` that make up `size`.
fn even(size: i64, length: i64) -> Result<Vec<i64>, Error> {
    if length <= 0 || size / length > 4096 {
        return Error::unsupported("pieces of no length, or too many of them");
    }
    if size == 0 {
        return Ok(vec![0]);
    }
    Ok((0..size).step_by(length as usize).map(|s| length.min(size - s)).collect())
}

fn chunk<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let n = c.int(1)?;
    let d = x.axis(if c.arguments.len() > 2 { c.int(2)? } else { 0 })?;
    if n <= 0 || n > 4096 {
        return Error::unsupported(format!("{n} chunks"));
    }
    if x.rank() > 0 && x.sizes[d].known().is_none() {
        // Equal pieces, if the size is a multiple; else the call is left to the interpreter.
        let size = x.sizes[d];
        let length = Dim::op(DimOp::FloorDiv, size, Dim::Known(n));
        l.equal(&Dim::op(DimOp::Mul, length, Dim::Known(n)), &size)?;
        let mut out = Vec::new();
        for i in 0..n {
            let start = Dim::op(DimOp::Mul, length, Dim::Known(i));
            out.push(Item::Tensor(sliced(l, x, d, &Start::Size(start), &length, 1)?));
        }
        return Ok(vec![Item::List(out)]);
    }
    let size = known_size(x, d)?;
    let lengths = if size == 0 { vec![0; n as usize] } else { even(size, (size + n - 1) / n)? };
    pieces(l, x, d, &lengths)
}

fn split<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let d = x.axis(if c.arguments.len() > 2 { c.int(2)? } else { 0 })?;
    let lengths = even(known_size(x, d)?, c.int(1)?)?;
    pieces(l, x, d, &lengths)
}

fn split_sizes<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let d = x.axis(if c.arguments.len() > 2 { c.int(2)? } else { 0 })?;
    let lengths = c.ints(1)?;
    if lengths.iter().any(|n| *n < 0) {
        return Error::unsupported("a negative length");
    }
    let total = lengths
        .iter()
        .try_fold(0i64, |a, b| a.checked_add(*b))
        .ok_or_else(|| Error::Unsupported("lengths overflow".into()))?;
    let size = x.sizes.get(d).cloned().ok_or_else(|| Error::Unsupported("rank 0 cannot be cut".into()))?;
    l.equal(&size, &Dim::Known(total))?;
    pieces(l, x, d, &lengths)
}

fn unbind<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let d = x.axis(if c.arguments.len() > 1 { c.int(1)? } else { 0 })?;
    let size = known_size(x, d)?;
    if size > 4096 {
        return Error::unsupported("too many pieces");
    }
    let items = (0..size).map(|i| selected(l, x, d, &Start::known(i)).map(Item::Tensor)).collect::<Result<_, _>>()?;
    Ok(vec![Item::List(items)])
}

/// The tensors one after the other along a dimension of a fresh tensor.
fn joined<'c>(
    l: &mut Lower<'c>,
    parts: &[TensorValue<'c>],
    d: usize,
    sizes: Sizes,
    dtype: DType,
    unit: bool,
) -> Result<Vec<Item<'c>>, Error> {
    let mut out = l.empty(&sizes, dtype)?;
    let mut start = Dim::Known(0);
    for part in parts {
        let mut part = l.cast(part, dtype)?;
        if unit {
            // Of the result's rank: an insertion that adds a dimension beside unknown ones is more than bufferization can sort out.
            part = with_unit(l, &part, d)?;
        }
        let length = part.sizes[d];
        if part.sizes.contains(&Dim::Known(0)) {
            // An insertion of nothing would have to lie within what there is none of.
            start = Dim::op(DimOp::Add, start, length);
            continue;
        }
        // What is known of the part: of the others more may be.
        let place = part_from(l, d, &Start::Size(start), &part.sizes, 1)?;
        out = l.e.insert_slice(part.value, out, &place)?;
        start = Dim::op(DimOp::Add, start, length);
    }
    one(TensorValue::new(out, sizes, dtype))
}

fn cat<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let mut parts = c.tensors(0)?;
    let dtype = c.result_dtype(0)?;
    // PyTorch skips tensors of shape [0], whatever the others' rank.
    if parts.iter().any(|p| p.rank() != 1) {
        parts.retain(|p| !(p.rank() == 1 && p.sizes[0] == Dim::Known(0)));
    }
    let Some(first) = parts.first() else { return Error::unsupported("cat of nothing") };
    let d = first.axis(if c.arguments.len() > 1 { c.int(1)? } else { 0 })?;
    if first.rank() == 0 || parts.iter().any(|p| p.rank() != first.rank()) {
        return Error::unsupported("cat of tensors of different ranks, or of rank 0");
    }
    let mut sizes = first.sizes.clone();
    for p in &parts[1..] {
        for i in 0..sizes.len() {
            sizes[i] = if i == d {
                Dim::op(DimOp::Add, sizes[i], p.sizes[i])
            } else {
                l.equal(&sizes[i].clone(), &p.sizes[i])?
            };
        }
    }
    joined(l, &parts, d, sizes, dtype, false)
}

fn stack<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let parts = c.tensors(0)?;
    let dtype = c.result_dtype(0)?;
    let Some(first) = parts.first() else { return Error::unsupported("stack of nothing") };
    let d = axis(if c.arguments.len() > 1 { c.int(1)? } else { 0 }, first.rank() + 1)?;
    let mut sizes = first.sizes.clone();
    for p in &parts[1..] {
        if p.rank() != sizes.len() {
            return Error::unsupported("stack of tensors of different ranks");
        }
        for i in 0..sizes.len() {
            sizes[i] = l.equal(&sizes[i].clone(), &p.sizes[i])?;
        }
    }
    sizes.insert(d, Dim::Known(parts.len() as i64));
    joined(l, &parts, d, sizes, dtype, true)
}

fn same<'c>(_: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    one(c.tensor(0)?.clone())
}

fn to_dtype<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    one(l.cast(c.tensor(0)?, c.result_dtype(0)?)?)
}

fn type_as<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    one(l.cast(c.tensor(0)?, c.tensor(1)?.dtype)?)
}
