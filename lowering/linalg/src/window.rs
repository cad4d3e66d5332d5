//! Windows: convolutions and pools are a fold over the places of a window that moves over a padded tensor, read by one index map.
//!
//! `y[o] = fold over k of f(x[o · stride + k · dilation - padding], w[k])`, where `x` is `padding` outside of the tensor.

use crate::emit::{Emit, Iterator, V};
use crate::lower::{Call, Item, Lower, Sizes, TensorValue};
use crate::matmul::{multiply_add, sum_dtype};
use crate::pad::surrounded;
use crate::reduce::Fold;
use crate::scalar::cast;
use crate::view::{reshaped, with_unit};
use crate::{Error, Lowering};
use sconce_exec::{Dim, DimOp};
use sconce_ir::affine::Index;
use sconce_schema::geometry::convolution::{Convolution, Form, has_depthwise_kernel};
use sconce_schema::geometry::{Window, Windows};
use sconce_schema::{DType, OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::conv1d, |l, c| convolution(l, c, Form::Plain)),
    (ops::aten::conv2d, |l, c| convolution(l, c, Form::Plain)),
    (ops::aten::conv3d, |l, c| convolution(l, c, Form::Plain)),
    (ops::aten::convolution, |l, c| convolution(l, c, Form::General)),
    (ops::aten::_convolution, |l, c| convolution(l, c, Form::General)),
    (ops::aten::conv1d_padding, |l, c| convolution(l, c, Form::Named)),
    (ops::aten::conv2d_padding, |l, c| convolution(l, c, Form::Named)),
    (ops::aten::conv3d_padding, |l, c| convolution(l, c, Form::Named)),
    (ops::aten::conv_transpose1d, |l, c| convolution(l, c, Form::Transposed)),
    (ops::aten::conv_transpose2d_input, |l, c| convolution(l, c, Form::Transposed)),
    (ops::aten::conv_transpose3d_input, |l, c| convolution(l, c, Form::Transposed)),
];

/// How many windows there are: those that lie wholly on the padded tensor. Where none does the program is wrong.
pub(crate) fn count(l: &mut Lower<'_>, window: &Window, size: Dim) -> Result<Dim, Error> {
    let padded = size.plus(window.padding.0).plus(window.padding.1);
    l.at_most(window.reach(), padded, "no window lies on the tensor")?;
    Ok(window.count(size))
}

/// How many of each of the last dimensions.
pub(crate) fn counts(l: &mut Lower<'_>, windows: &Windows, sizes: &[Dim]) -> Result<Sizes, Error> {
    let last = &sizes[sizes.len() - windows.0.len()..];
    windows.0.iter().zip(last).map(|(w, size)| count(l, w, *size)).collect()
}

/// Windows that do not hang over the end: what those lack is padding.
pub(crate) fn whole(windows: &Windows, sizes: &[Dim]) -> Result<Windows, Error> {
    let last = &sizes[sizes.len() - windows.0.len()..];
    let whole: Option<_> = windows.0.iter().zip(last).map(|(w, size)| w.whole(*size)).collect();
    whole.map(Windows).ok_or_else(|| Error::Unsupported("ceil_mode on sizes that are not known".into()))
}

/// Where the windows of loops `over` and `within` read the last dimensions, of these sizes.
fn places(windows: &Windows, sizes: &[Dim], over: usize, within: usize) -> Vec<Index> {
    let place = |(d, (w, size)): (usize, (&Window, &Dim))| match w {
        // What is no window but its only place, or all there is, is found by one loop.
        Window { kernel: Dim::Known(1), stride: 1, .. } => Index::Loop(over + d),
        Window { kernel, dilation: 1, .. } if kernel == size => Index::Loop(within + d),
        _ => Index::Window { over: over + d, stride: w.stride, within: within + d, dilation: w.dilation },
    };
    let last = &sizes[sizes.len() - windows.0.len()..];
    windows.0.iter().zip(last).enumerate().map(place).collect()
}

/// What lies around the tensor, if anything does.
pub(crate) fn around(windows: &Windows) -> Option<Vec<(i64, i64)>> {
    let padding: Vec<_> = windows.0.iter().map(|w| w.padding).collect();
    padding.iter().any(|p| *p != (0, 0)).then_some(padding)
}

/// The place on a tensor of size `end` that element `k` of window `o` is, and whether it is one.
pub(crate) fn place_of<'c>(
    e: &Emit<'c>,
    window: &Window,
    o: V<'c>,
    k: V<'c>,
    end: V<'c>,
) -> Result<(V<'c>, V<'c>), Error> {
    let first = e.same("arith.muli", &[o, e.index(window.stride)?])?;
    let first = e.same("arith.subi", &[first, e.index(window.padding.0)?])?;
    let far = e.same("arith.muli", &[k, e.index(window.dilation)?])?;
    strided_place(e, e.same("arith.addi", &[first, far])?, 1, end)
}

/// The window below `end` whose element `k` is a place, and whether there is one.
pub(crate) fn window_of<'c>(
    e: &Emit<'c>,
    window: &Window,
    place: V<'c>,
    k: V<'c>,
    end: V<'c>,
) -> Result<(V<'c>, V<'c>), Error> {
    let far = e.same("arith.muli", &[k, e.index(window.dilation)?])?;
    let at = e.same("arith.addi", &[place, e.index(window.padding.0)?])?;
    strided_place(e, e.same("arith.subi", &[at, far])?, window.stride, end)
}

/// The operator on a batch of one where the tensor has no batch: what `run` gives loses it again.
pub(crate) fn batched<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    rank: usize,
    run: &mut dyn FnMut(&mut Lower<'c>, &TensorValue<'c>) -> Result<TensorValue<'c>, Error>,
) -> Result<Vec<Item<'c>>, Error> {
    let made = if x.rank() == rank + 1 {
        let one = with_unit(l, x, 0)?;
        let made = run(l, &one)?;
        let sizes: Sizes = made.sizes[1..].into();
        reshaped(l, &made, &sizes)?
    } else if x.rank() == rank + 2 {
        run(l, x)?
    } else {
        return Error::unsupported(format!("{} dimensions where {rank} have windows", x.rank()));
    };
    Ok(vec![Item::Tensor(made)])
}

/// A convolution of any form: `y[o] = sum over c, k of x[c, o · stride + k · dilation - padding] · w[o, c, k]`, or the other way around.
fn convolution<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, form: Form) -> Result<Vec<Item<'c>>, Error> {
    let (x, weight, bias) = (c.tensor(0)?.clone(), c.tensor(1)?.clone(), c.optional_tensor(2)?.cloned());
    let how = c.parsed(|a| Convolution::of(form, a))?;
    let rank = how.windows.0.len();
    if weight.dtype != x.dtype || !x.dtype.is_float() {
        return Error::unsupported(format!("a convolution of {} with a weight of {}", x.dtype, weight.dtype));
    }
    if bias.as_ref().is_some_and(|bias| bias.rank() != 1 || bias.dtype != x.dtype) {
        return Error::unsupported("a bias that is no vector of the same dtype");
    }
    batched(l, &x, rank, &mut |l, x| {
        let made = if how.transposed { transposed(l, x, &weight, &how)? } else { products(l, x, &weight, &how)? };
        biased(l, made, bias.as_ref())
    })
}

/// A result of a convolution, with a batch, with its bias.
fn biased<'c>(
    l: &mut Lower<'c>,
    made: TensorValue<'c>,
    bias: Option<&TensorValue<'c>>,
) -> Result<TensorValue<'c>, Error> {
    let Some(bias) = bias else { return Ok(made) };
    let mut sizes: Sizes = smallvec::SmallVec::from_elem(Dim::Known(1), made.rank() - 1);
    sizes[0] = l.equal(&bias.sizes[0], &made.sizes[1])?;
    let bias = reshaped(l, bias, &sizes)?;
    let (dtype, wide) = (made.dtype, sum_dtype(made.dtype));
    let (t, narrow) = (l.element(wide)?, l.element(dtype)?);
    l.elementwise(&[&made, &bias], &made.sizes, dtype, &mut |e, a| {
        let sum = e.same("arith.addf", &[cast(e, a[0], dtype, wide, t)?, cast(e, a[1], dtype, wide, t)?])?;
        cast(e, sum, wide, dtype, narrow)
    })
}

/// The windows of a convolution the other way around: `y[o] = sum over c, k of x[c, (o + padding - k · dilation) / stride] · w[c, o, k]`, where that is a place of x.
fn transposed<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    weight: &TensorValue<'c>,
    how: &Convolution,
) -> Result<TensorValue<'c>, Error> {
    let (groups, each) = (how.groups, weight.sizes[1]);
    let Some(channels) = weight.sizes[0].known().filter(|n| n % groups == 0) else {
        return Error::unsupported("a number of channels that is not known, or no multiple of the groups");
    };
    let per_group = Dim::Known(channels / groups);
    l.equal(&x.sizes[1], &Dim::Known(channels))?;
    let mut sizes: Sizes = [x.sizes[0], each.times(groups)].into_iter().collect();
    sizes.extend(how.sizes(&x.sizes[2..]));
    let mut within: Sizes = [per_group].into_iter().collect();
    within.extend(how.windows.list(|w| w.kernel));
    let known = |d: &Dim| d.known().is_some_and(|n| n > 0);
    if !sizes[2..].iter().chain(&within[1..]).chain(&x.sizes[2..]).all(known) {
        return Error::unsupported("a transposed convolution of sizes that are not known, or of nothing");
    }
    l.kernel_does_better(sizes.iter().chain(&within));
    let dtype = sum_dtype(x.dtype);
    let (t, from) = (l.element(dtype)?, x.dtype);
    let (ends, each, per_group) = (l.index_sizes(&x.sizes[2..])?, l.size(&each)?, l.size(&per_group)?);
    let made = l.computed_fold(&sizes, &within, Fold::Sum, dtype, &mut |e, place, tap| {
        // Which group a filter is of, and which of its channels is read.
        let group = e.same("arith.divui", &[place[1], each])?;
        let filter = e.same("arith.remui", &[place[1], each])?;
        let channel = e.same("arith.addi", &[e.same("arith.muli", &[group, per_group])?, tap[0]])?;
        let (mut there, mut inside) = (vec![place[0], channel], e.int(1, e.int_type(1))?);
        for (d, window) in how.windows.0.iter().enumerate() {
            let (i, good) = window_of(e, window, place[2 + d], tap[1 + d], ends[d])?;
            inside = e.same("arith.andi", &[inside, good])?;
            there.push(i);
        }
        let factor: Vec<_> = [channel, filter].into_iter().chain(tap[1..].iter().copied()).collect();
        let v = cast(e, e.element_at(x.value, &there)?, from, dtype, t)?;
        let w = cast(e, e.element_at(weight.value, &factor)?, from, dtype, t)?;
        e.select(inside, e.same("arith.mulf", &[v, w])?, e.constant(0., t)?)
    })?;
    l.cast(&made, x.dtype)
}

/// `at / stride` as a place below `end`, and whether it is one: `at` is no multiple of the stride, or outside, elsewhere.
pub(crate) fn strided_place<'c>(e: &Emit<'c>, at: V<'c>, stride: i64, end: V<'c>) -> Result<(V<'c>, V<'c>), Error> {
    let (zero, step) = (e.index(0)?, e.index(stride)?);
    let low = e.same("arith.maxsi", &[at, zero])?;
    let (i, rest) = (e.same("arith.divui", &[low, step])?, e.same("arith.remui", &[low, step])?);
    let good = e.same("arith.andi", &[e.cmpi("sge", at, zero)?, e.cmpi("eq", rest, zero)?])?;
    let good = e.same("arith.andi", &[good, e.cmpi("ult", i, end)?])?;
    let last = e.same("arith.subi", &[end, e.index(1)?])?;
    Ok((e.same("arith.minsi", &[i, last])?, good))
}

/// Sums of products of windows, `x` with a batch: `[n, g, o, y…] = sum over c, k… of x[n, g, c, window] · w[g, o, c, k…]`.
fn products<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    weight: &TensorValue<'c>,
    how: &Convolution,
) -> Result<TensorValue<'c>, Error> {
    let (windows, groups, rank) = (&how.windows, how.groups, how.windows.0.len());
    let (batch, channels) = (x.sizes[0], weight.sizes[1]);
    l.equal(&x.sizes[1], &Dim::op(DimOp::Mul, channels, Dim::Known(groups)))?;
    let Some(filters) = weight.sizes[0].known().filter(|n| n % groups == 0) else {
        return Error::unsupported("a number of filters that is not known, or no multiple of the groups");
    };
    let each = Dim::Known(filters / groups);
    let over = counts(l, windows, &x.sizes)?;
    let zero = l.e.constant(0., l.element(x.dtype)?)?;
    let x = around(windows).map_or_else(|| Ok(x.clone()), |padding| surrounded(l, x, &padding, zero))?;
    let groups = Dim::Known(groups);
    let mut wide: Sizes = [batch, groups, channels].into_iter().collect();
    wide.extend(x.sizes[2..].iter().cloned());
    let read = reshaped(l, &x, &wide)?;
    let mut filters_of: Sizes = [groups, each, channels].into_iter().collect();
    filters_of.extend_from_slice(&weight.sizes[2..]);
    let factors = reshaped(l, weight, &filters_of)?;
    let mut sizes: Sizes = [batch, groups, each].into_iter().collect();
    sizes.extend(over.iter().cloned());
    // Single channels of which the runtime's kernel has no way of its own are folded as they lie.
    let sides = windows.0.iter().map(|w| Some([w.kernel.known()?, w.stride, w.dilation]));
    let sides = sides.collect::<Option<Vec<_>>>().and_then(|sides| sides.try_into().ok());
    let is_single = groups != Dim::Known(1) && channels == Dim::Known(1);
    let is_folded = is_single && !(each == Dim::Known(1) && sides.is_some_and(has_depthwise_kernel));
    let taps: Sizes = sizes.iter().chain([&channels]).chain(&weight.sizes[2..]).copied().collect();
    if !is_folded || taps.iter().any(|size| size.known().is_none()) {
        l.kernel_does_better(&taps);
    }
    // Loops: batch, group, filter, windows; channel, places.
    let (first, inner) = (3, 3 + rank);
    let loops = inner + 1 + rank;
    let dims = |list: &[usize]| list.iter().copied().map(Index::Loop).collect::<Vec<_>>();
    let mut x_places = dims(&[0, 1, inner]);
    x_places.extend(places(windows, &x.sizes, first, inner + 1));
    let w_places = dims(&[&[1, 2, inner][..], &(inner + 1..loops).collect::<Vec<_>>()].concat());
    let y_places = dims(&(0..inner).collect::<Vec<_>>());
    let maps = [x_places, w_places, y_places].map(|places| l.e.index_map(loops, &places));
    let kind = |i: usize| if i < inner { Iterator::Parallel } else { Iterator::Reduction };
    let iterators: Vec<Iterator> = (0..loops).map(kind).collect();
    let dtype = sum_dtype(x.dtype);
    let out = l.filled(&sizes, dtype, l.e.constant(0., l.element(dtype)?)?)?;
    let l: &mut Lower<'c> = l;
    let reader: &Lower<'c> = l;
    let ins = [read.value, factors.value];
    let value = reader.e.structured("linalg.generic", &ins, &[out], &maps, Some(&iterators), &mut |e, v| {
        multiply_add(e, v, x.dtype, dtype, reader)
    })?[0];
    let made = l.cast(&TensorValue::new(value, sizes, dtype), x.dtype)?;
    let mut flat: Sizes = [batch, Dim::Known(filters)].into_iter().collect();
    flat.extend(over);
    reshaped(l, &made, &flat)
}

/// A fold of each window of each channel, `x` with a batch; `element` gives the value (of type `dtype`) of one of its elements.
pub(crate) fn folded<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    windows: &Windows,
    how: Fold,
    dtype: DType,
) -> Result<TensorValue<'c>, Error> {
    let (rank, kernel) = (windows.0.len(), windows.list(|w| w.kernel));
    let mut sizes: Sizes = x.sizes[..2].into();
    sizes.extend(counts(l, windows, &x.sizes)?);
    // Of windows that overlap and leave places out at once only tiles of known sizes read vectors.
    let overlaps = |w: &Window| w.stride > 1 && w.kernel.known().is_none_or(|k| k > w.stride);
    if windows.0.iter().any(overlaps) && sizes.iter().chain(&kernel).any(|s| s.known().is_none()) {
        l.kernel_does_better(sizes.iter().chain(&kernel));
    }
    let outside = how.initial(&l.e, l, x.dtype)?;
    let x = around(windows).map_or_else(|| Ok(x.clone()), |padding| surrounded(l, x, &padding, outside))?;
    let inner = 2 + rank;
    let loops = inner + rank;
    let dims = |from: usize, to: usize| (from..to).map(Index::Loop).collect::<Vec<_>>();
    let mut x_places = dims(0, 2);
    x_places.extend(places(windows, &x.sizes, 2, inner));
    // Nobody reads it: it says how many places a window has.
    let nobody = l.empty(&kernel, dtype)?;
    let maps = [x_places, dims(inner, loops), dims(0, inner)].map(|places| l.e.index_map(loops, &places));
    let kind = |i: usize| if i < inner { Iterator::Parallel } else { Iterator::Reduction };
    let iterators: Vec<Iterator> = (0..loops).map(kind).collect();
    let initial = how.initial(&l.e, l, dtype)?;
    let out = l.filled(&sizes, dtype, initial)?;
    let t = l.element(dtype)?;
    let from = x.dtype;
    let value =
        l.e.structured("linalg.generic", &[x.value, nobody], &[out], &maps, Some(&iterators), &mut |e, v| {
            Ok(vec![how.combine(e, cast(e, v[0], from, dtype, t)?, v[2], dtype)?])
        })?[0];
    Ok(TensorValue::new(value, sizes, dtype))
}
