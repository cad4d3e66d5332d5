//! Windows: convolutions and pools are a fold over the places of a window that moves over a padded tensor, read by one index map; padding alone is its first half.
//!
//! `y[o] = fold over k of f(x[o · stride + k · dilation - padding], w[k])`, where `x` is `padding` outside of the tensor.

use crate::emit::{Emit, Iterator, V};
use crate::lower::{Call, Item, Lower, Sizes, TensorValue};
use crate::matmul::{multiply_add, sum_dtype};
use crate::reduce::Fold;
use crate::scalar::cast;
use crate::view::{reshaped, with_unit};
use crate::{Error, Lowering};
use sconce_analysis::Constant;
use sconce_exec::{Dim, DimOp};
use sconce_ir::affine::Index;
use sconce_schema::{DType, OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::conv1d, |l, c| convolution(l, c, 1)),
    (ops::aten::conv2d, |l, c| convolution(l, c, 2)),
    (ops::aten::conv3d, |l, c| convolution(l, c, 3)),
    (ops::aten::convolution, general_convolution),
    (ops::aten::_convolution, general_convolution),
    (ops::aten::conv1d_padding, |l, c| convolution(l, c, 1)),
    (ops::aten::conv2d_padding, |l, c| convolution(l, c, 2)),
    (ops::aten::conv3d_padding, |l, c| convolution(l, c, 3)),
    (ops::aten::conv_transpose1d, |l, c| transposed_convolution(l, c, 1)),
    (ops::aten::conv_transpose2d_input, |l, c| transposed_convolution(l, c, 2)),
    (ops::aten::conv_transpose3d_input, |l, c| transposed_convolution(l, c, 3)),
    (ops::aten::constant_pad_nd, constant_pad),
];

/// How windows lie on the last dimensions of a tensor.
#[derive(Clone)]
pub(crate) struct Window {
    /// Places of a window.
    pub(crate) kernel: Sizes,
    pub(crate) stride: Vec<i64>,
    pub(crate) dilation: Vec<i64>,
    /// Before and behind.
    pub(crate) padding: Vec<(i64, i64)>,
}

impl Window {
    pub(crate) fn rank(&self) -> usize {
        self.stride.len()
    }

    /// How far a window reaches: `dilation · (kernel - 1) + 1`.
    fn reach(&self, d: usize) -> Dim {
        let steps = Dim::op(DimOp::Sub, self.kernel[d].clone(), Dim::Known(1));
        let reach = Dim::op(DimOp::Mul, steps, Dim::Known(self.dilation[d]));
        Dim::op(DimOp::Add, reach, Dim::Known(1))
    }

    /// How many windows there are: those that lie wholly on the padded tensor. Where none does the program is wrong.
    pub(crate) fn count(&self, l: &mut Lower<'_>, size: &Dim, d: usize) -> Result<Dim, Error> {
        let (before, behind) = self.padding[d];
        let padded = Dim::op(DimOp::Add, size.clone(), Dim::Known(before + behind));
        let reach = self.reach(d);
        l.at_most(reach, padded, "no window lies on the tensor")?;
        let free = Dim::op(DimOp::Sub, padded, reach);
        let steps = Dim::op(DimOp::FloorDiv, free, Dim::Known(self.stride[d]));
        Ok(Dim::op(DimOp::Add, steps, Dim::Known(1)))
    }

    /// With `ceil_mode` a last window may hang over the end, if it begins on the tensor or on the padding in front: what it lacks is padding.
    pub(crate) fn hang_over(&mut self, sizes: &[Dim]) -> Result<(), Error> {
        for (d, size) in sizes.iter().enumerate() {
            let known = (size.known(), self.reach(d).known());
            let (Some(size), Some(reach)) = known else {
                return Error::unsupported("ceil_mode on sizes that are not known");
            };
            let (before, behind) = self.padding[d];
            let free = size + before + behind - reach;
            let mut last = (free + self.stride[d] - 1).div_euclid(self.stride[d]);
            if last * self.stride[d] >= size + before {
                last -= 1;
            }
            self.padding[d].1 = behind.max(last * self.stride[d] + reach - size - before);
        }
        Ok(())
    }

    /// Where the windows of loops `over` and `within` read the last dimensions.
    fn places(&self, over: usize, within: usize) -> Vec<Index> {
        let place = |d: usize| Index::Window {
            over: over + d,
            stride: self.stride[d],
            within: within + d,
            dilation: self.dilation[d],
        };
        (0..self.rank()).map(place).collect()
    }

    /// Lies something around the tensor?
    pub(crate) fn is_padded(&self) -> bool {
        self.padding.iter().any(|p| *p != (0, 0))
    }
}

/// The tensor with `value` before and behind its last dimensions.
fn padded<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    padding: &[(i64, i64)],
    value: V<'c>,
) -> Result<TensorValue<'c>, Error> {
    let first = x.rank() - padding.len();
    let mut sizes = x.sizes.clone();
    let mut offsets = vec![0; x.rank()];
    for (d, (before, behind)) in padding.iter().enumerate() {
        sizes[first + d] = Dim::op(DimOp::Add, sizes[first + d].clone(), Dim::Known(before + behind));
        offsets[first + d] = *before;
    }
    let out = l.filled(&sizes, x.dtype, value)?;
    if x.sizes.contains(&Dim::Known(0)) {
        return Ok(TensorValue::new(out, sizes, x.dtype));
    }
    let dynamic = l.dynamic_sizes(&x.sizes)?;
    let known: Vec<i64> = x.sizes.iter().map(|s| s.known().unwrap_or(crate::emit::DYNAMIC)).collect();
    let attributes = [
        ("operandSegmentSizes", l.e.i32_array(&[1, 1, 0, dynamic.len() as i32, 0])),
        ("static_offsets", l.e.i64_array(&offsets)),
        ("static_sizes", l.e.i64_array(&known)),
        ("static_strides", l.e.i64_array(&vec![1; x.rank()])),
    ];
    let operands: Vec<V<'c>> = [x.value, out].into_iter().chain(dynamic).collect();
    let t = l.tensor_type(&sizes, x.dtype)?;
    let value = l.e.one("tensor.insert_slice", &operands, t, &attributes)?;
    Ok(TensorValue::new(value, sizes, x.dtype))
}

/// A list of as many ints as there are dimensions: one stands for all, none for `otherwise`.
pub(crate) fn spread(list: Option<Vec<i64>>, rank: usize, otherwise: &[i64]) -> Result<Vec<i64>, Error> {
    match list {
        None => Ok(otherwise.to_vec()),
        Some(list) if list.is_empty() => Ok(otherwise.to_vec()),
        Some(list) if list.len() == 1 => Ok(vec![list[0]; rank]),
        Some(list) if list.len() == rank => Ok(list),
        Some(list) => Error::unsupported(format!("{} numbers for {rank} dimensions", list.len())),
    }
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

pub(crate) fn positive(numbers: &[i64], what: &str) -> Result<(), Error> {
    if numbers.iter().all(|n| *n > 0) { Ok(()) } else { Error::unsupported(format!("a {what} that is not positive")) }
}

/// `convN d(input, weight, bias, stride, padding, dilation, groups)`
fn convolution<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, rank: usize) -> Result<Vec<Item<'c>>, Error> {
    let groups = c.optional_int(6)?.unwrap_or(1);
    convolve(l, c, rank, groups)
}

/// `convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, …)`
fn general_convolution<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let rank = c.tensor(1)?.rank();
    let groups = c.int(8)?;
    match rank.checked_sub(2) {
        Some(rank @ 1..=3) if c.bool_or(6, false)? => transposed(l, c, rank, c.optional_ints(7)?, groups),
        Some(rank @ 1..=3) => convolve(l, c, rank, groups),
        _ => Error::unsupported("a convolution of this rank"),
    }
}

fn convolve<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, rank: usize, groups: i64) -> Result<Vec<Item<'c>>, Error> {
    let (x, weight, bias) = (c.tensor(0)?.clone(), c.tensor(1)?.clone(), c.optional_tensor(2)?.cloned());
    let stride = spread(c.optional_ints(3)?, rank, &vec![1; rank])?;
    let dilation = spread(c.optional_ints(5)?, rank, &vec![1; rank])?;
    let padding = padding(c, rank, &weight, &dilation)?;
    positive(&stride, "stride")?;
    positive(&dilation, "dilation")?;
    positive(&[groups], "number of groups")?;
    if weight.rank() != rank + 2 || weight.dtype != x.dtype || !x.dtype.is_float() {
        return Error::unsupported(format!("a convolution of {} with a weight of {}", x.dtype, weight.dtype));
    }
    if bias.as_ref().is_some_and(|bias| bias.rank() != 1 || bias.dtype != x.dtype) {
        return Error::unsupported("a bias that is no vector of the same dtype");
    }
    let window = Window { kernel: weight.sizes[2..].into(), stride, dilation, padding };
    batched(l, &x, rank, &mut |l, x| {
        let made = products(l, x, &weight, &window, groups)?;
        biased(l, made, bias.as_ref())
    })
}

/// The padding of a convolution, before and behind: numbers, or `valid` for none and `same` for as many windows as there are places.
fn padding(
    c: &Call<'_, '_>,
    rank: usize,
    weight: &TensorValue<'_>,
    dilation: &[i64],
) -> Result<Vec<(i64, i64)>, Error> {
    let word = match c.constant(4)? {
        Constant::Str(word) => word,
        _ => {
            let padding = spread(c.optional_ints(4)?, rank, &vec![0; rank])?;
            if padding.iter().any(|p| *p < 0) {
                return Error::unsupported("negative padding");
            }
            return Ok(padding.iter().map(|p| (*p, *p)).collect());
        }
    };
    match word.as_str() {
        "valid" => Ok(vec![(0, 0); rank]),
        "same" if weight.rank() == rank + 2 => {
            let around = weight.sizes[2..].iter().zip(dilation).map(|(k, d)| {
                let all = (k.known()? - 1).checked_mul(*d)?;
                Some((all / 2, all - all / 2))
            });
            let around: Option<Vec<_>> = around.collect();
            around.ok_or_else(|| Error::Unsupported("padding by a kernel of unknown size".into()))
        }
        other => Error::unsupported(format!("padding '{other}'")),
    }
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

/// `conv_transposeN d(input, weight, bias, stride, padding, output_padding, groups, dilation)`
fn transposed_convolution<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, rank: usize) -> Result<Vec<Item<'c>>, Error> {
    let groups = c.optional_int(6)?.unwrap_or(1);
    transposed(l, c, rank, c.optional_ints(5)?, groups)
}

/// The windows of a convolution the other way around: `y[o] = sum over c, k of x[c, (o + padding - k · dilation) / stride] · w[c, o, k]`, where that is a place of x.
fn transposed<'c>(
    l: &mut Lower<'c>,
    c: &Call<'_, 'c>,
    rank: usize,
    more: Option<Vec<i64>>,
    groups: i64,
) -> Result<Vec<Item<'c>>, Error> {
    let (x, weight, bias) = (c.tensor(0)?.clone(), c.tensor(1)?.clone(), c.optional_tensor(2)?.cloned());
    let dilated = if c.entry.schema().arguments.get(7).is_some_and(|a| &*a.name == "dilation") { 7 } else { 5 };
    let stride = spread(c.optional_ints(3)?, rank, &vec![1; rank])?;
    let padding = spread(c.optional_ints(4)?, rank, &vec![0; rank])?;
    let dilation = spread(c.optional_ints(dilated)?, rank, &vec![1; rank])?;
    let more = spread(more, rank, &vec![0; rank])?;
    positive(&stride, "stride")?;
    positive(&dilation, "dilation")?;
    positive(&[groups], "number of groups")?;
    if weight.rank() != rank + 2 || weight.dtype != x.dtype || !x.dtype.is_float() {
        return Error::unsupported(format!("a convolution of {} with a weight of {}", x.dtype, weight.dtype));
    }
    if bias.as_ref().is_some_and(|bias| bias.rank() != 1 || bias.dtype != x.dtype) {
        return Error::unsupported("a bias that is no vector of the same dtype");
    }
    let (Some(channels), each) = (weight.sizes[0].known().filter(|n| n % groups == 0), weight.sizes[1].clone()) else {
        return Error::unsupported("a number of channels that is not known, or no multiple of the groups");
    };
    let per_group = Dim::Known(channels / groups);
    batched(l, &x, rank, &mut |l, x| {
        l.equal(&x.sizes[1], &Dim::Known(channels))?;
        let mut sizes: Sizes =
            [x.sizes[0].clone(), Dim::op(DimOp::Mul, each.clone(), Dim::Known(groups))].into_iter().collect();
        let mut within: Sizes = [per_group.clone()].into_iter().collect();
        for d in 0..rank {
            let (Some(size), Some(kernel)) = (x.sizes[2 + d].known(), weight.sizes[2 + d].known()) else {
                return Error::unsupported("a transposed convolution of sizes that are not known");
            };
            let made = (size - 1) * stride[d] - 2 * padding[d] + dilation[d] * (kernel - 1) + more[d] + 1;
            if made < 1 || size < 1 {
                return Error::unsupported("no window lies on the tensor");
            }
            sizes.push(Dim::Known(made));
            within.push(Dim::Known(kernel));
        }
        let work = sizes.iter().chain(&within).try_fold(1_i64, |n, s| n.checked_mul(s.known()?));
        l.multiply_adds = l.multiply_adds.zip(work).map(|(all, one)| all.saturating_add(one));
        let dtype = sum_dtype(x.dtype);
        let (t, from) = (l.element(dtype)?, x.dtype);
        let (ends, each, per_group) = (l.index_sizes(&x.sizes[2..])?, l.size(&each)?, l.size(&per_group)?);
        let made = l.computed_fold(&sizes, &within, Fold::Sum, dtype, &mut |e, place, tap| {
            // Which group a filter is of, and which of its channels is read.
            let group = e.same("arith.divui", &[place[1], each])?;
            let filter = e.same("arith.remui", &[place[1], each])?;
            let channel = e.same("arith.addi", &[e.same("arith.muli", &[group, per_group])?, tap[0]])?;
            let (mut there, mut inside) = (vec![place[0], channel], e.int(1, e.int_type(1))?);
            for d in 0..rank {
                let far = e.same("arith.muli", &[tap[1 + d], e.index(dilation[d])?])?;
                let at = e.same("arith.subi", &[e.same("arith.addi", &[place[2 + d], e.index(padding[d])?])?, far])?;
                let (i, good) = strided_place(e, at, stride[d], ends[d])?;
                inside = e.same("arith.andi", &[inside, good])?;
                there.push(i);
            }
            let factor: Vec<_> = [channel, filter].into_iter().chain(tap[1..].iter().copied()).collect();
            let v = cast(e, e.element_at(x.value, &there)?, from, dtype, t)?;
            let w = cast(e, e.element_at(weight.value, &factor)?, from, dtype, t)?;
            e.select(inside, e.same("arith.mulf", &[v, w])?, e.constant(0., t)?)
        })?;
        let made = l.cast(&made, x.dtype)?;
        biased(l, made, bias.as_ref())
    })
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
    window: &Window,
    groups: i64,
) -> Result<TensorValue<'c>, Error> {
    let rank = window.rank();
    let (batch, channels) = (x.sizes[0].clone(), weight.sizes[1].clone());
    l.equal(&x.sizes[1], &Dim::op(DimOp::Mul, channels.clone(), Dim::Known(groups)))?;
    let Some(filters) = weight.sizes[0].known().filter(|n| n % groups == 0) else {
        return Error::unsupported("a number of filters that is not known, or no multiple of the groups");
    };
    let each = Dim::Known(filters / groups);
    let mut over = Sizes::new();
    for d in 0..rank {
        let size = x.sizes[2 + d].clone();
        over.push(window.count(l, &size, d)?);
    }
    let zero = l.e.constant(0., l.element(x.dtype)?)?;
    let x = if window.is_padded() { padded(l, x, &window.padding, zero)? } else { x.clone() };
    let groups = Dim::Known(groups);
    let mut wide: Sizes = [batch.clone(), groups.clone(), channels.clone()].into_iter().collect();
    wide.extend(x.sizes[2..].iter().cloned());
    let read = reshaped(l, &x, &wide)?;
    let mut filters_of: Sizes = [groups.clone(), each.clone(), channels.clone()].into_iter().collect();
    filters_of.extend(window.kernel.iter().cloned());
    let factors = reshaped(l, weight, &filters_of)?;
    let mut sizes: Sizes = [batch.clone(), groups, each].into_iter().collect();
    sizes.extend(over.iter().cloned());
    let work = sizes.iter().chain([&channels]).chain(&window.kernel).try_fold(1_i64, |n, s| n.checked_mul(s.known()?));
    l.multiply_adds = l.multiply_adds.zip(work).map(|(all, one)| all.saturating_add(one));
    // Loops: batch, group, filter, windows; channel, places.
    let (first, inner) = (3, 3 + rank);
    let loops = inner + 1 + rank;
    let dims = |list: &[usize]| list.iter().copied().map(Index::Loop).collect::<Vec<_>>();
    let mut x_places = dims(&[0, 1, inner]);
    x_places.extend(window.places(first, inner + 1));
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
    window: &Window,
    how: Fold,
    dtype: DType,
) -> Result<TensorValue<'c>, Error> {
    let rank = window.rank();
    let mut sizes: Sizes = x.sizes[..2].into();
    for d in 0..rank {
        let size = x.sizes[2 + d].clone();
        sizes.push(window.count(l, &size, d)?);
    }
    // Windows that overlap and leave places out at once are read by no vectors: `sconce bench --compile now`, and `off`, of max_pool2d(x, 3, 2) of 64x112x112 takes
    // 1,002 us and 684; of max_pool2d(x, 2) 105 and 351, of avg_pool2d(x, 3, 1, 1) 565 and 2,273.
    let overlaps = |d: usize| window.stride[d] > 1 && window.kernel[d].known().is_none_or(|k| k > window.stride[d]);
    if (0..rank).any(overlaps) {
        let work = sizes.iter().chain(&window.kernel).try_fold(1_i64, |n, s| n.checked_mul(s.known()?));
        l.multiply_adds = l.multiply_adds.zip(work).map(|(all, one)| all.saturating_add(one));
    }
    let outside = how.initial(&l.e, l, x.dtype)?;
    let x = if window.is_padded() { padded(l, x, &window.padding, outside)? } else { x.clone() };
    let inner = 2 + rank;
    let loops = inner + rank;
    let dims = |from: usize, to: usize| (from..to).map(Index::Loop).collect::<Vec<_>>();
    let mut x_places = dims(0, 2);
    x_places.extend(window.places(2, inner));
    // Nobody reads it: it says how many places a window has.
    let places = l.empty(&window.kernel, dtype)?;
    let maps = [x_places, dims(inner, loops), dims(0, inner)].map(|places| l.e.index_map(loops, &places));
    let kind = |i: usize| if i < inner { Iterator::Parallel } else { Iterator::Reduction };
    let iterators: Vec<Iterator> = (0..loops).map(kind).collect();
    let initial = how.initial(&l.e, l, dtype)?;
    let out = l.filled(&sizes, dtype, initial)?;
    let t = l.element(dtype)?;
    let from = x.dtype;
    let value =
        l.e.structured("linalg.generic", &[x.value, places], &[out], &maps, Some(&iterators), &mut |e, v| {
            Ok(vec![how.combine(e, cast(e, v[0], from, dtype, t)?, v[2], dtype)?])
        })?[0];
    Ok(TensorValue::new(value, sizes, dtype))
}

/// `constant_pad_nd(self, pad, value)`, `pad(self, pad, mode, value)`: pairs of the last dimension first.
pub(crate) fn constant_pad<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let pairs = c.ints(1)?;
    let value = match c.constant(2)? {
        Constant::Str(mode) if mode == "constant" => 3,
        Constant::Str(mode) => return Error::unsupported(format!("padding that is not constant but {mode}")),
        _ => 2,
    };
    let value = match c.constant(value)? {
        Constant::None => 0.,
        Constant::Bool(b) => f64::from(u8::from(*b)),
        _ => c.float(value)?,
    };
    if pairs.len() % 2 != 0 || pairs.len() / 2 > x.rank() {
        return Error::unsupported("padding of more dimensions than there are");
    }
    if !x.dtype.is_float() && value.fract() != 0. {
        return Error::unsupported(format!("padding of {} with a fraction", x.dtype));
    }
    let padding: Vec<(i64, i64)> = pairs.chunks(2).rev().map(|pair| (pair[0], pair[1])).collect();
    let value = l.e.constant(value, l.element(x.dtype)?)?;
    let takes_away = pairs.iter().any(|n| *n < 0);
    Ok(vec![Item::Tensor(if takes_away {
        crate::pad::constant(l, &x, &padding, value)?
    } else {
        padded(l, &x, &padding, value)?
    })])
}
