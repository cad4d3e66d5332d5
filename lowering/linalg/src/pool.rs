//! Pools: averages and extremes of windows, whose sizes may differ; extremes with their places too.

use crate::emit::{Emit, Iterator, V};
use crate::lower::{Call, Item, Lower, Sizes, TensorValue};
use crate::matmul::sum_dtype;
use crate::reduce::Fold;
use crate::scalar::cast;
use crate::view::reshaped;
use crate::window::{around, batched, counts, folded, place_of, whole};
use crate::{Error, Lowering};
use sconce_exec::{Dim, DimOp};
use sconce_ir::affine::Index;
use sconce_schema::geometry::pool::{self, Divisor};
use sconce_schema::geometry::{Window, Windows};
use sconce_schema::{DType, OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::max_pool1d, |l, c| max_pool(l, c, 1)),
    (ops::aten::max_pool2d, |l, c| max_pool(l, c, 2)),
    (ops::aten::max_pool3d, |l, c| max_pool(l, c, 3)),
    (ops::aten::avg_pool1d, |l, c| average_pool(l, c, 1)),
    (ops::aten::avg_pool2d, |l, c| average_pool(l, c, 2)),
    (ops::aten::avg_pool3d, |l, c| average_pool(l, c, 3)),
    (ops::aten::adaptive_avg_pool1d, |l, c| adaptive_average(l, c, 1)),
    (ops::aten::adaptive_avg_pool2d, |l, c| adaptive_average(l, c, 2)),
    (ops::aten::adaptive_avg_pool3d, |l, c| adaptive_average(l, c, 3)),
    (ops::aten::_adaptive_avg_pool2d, |l, c| adaptive_average(l, c, 2)),
    (ops::aten::_adaptive_avg_pool3d, |l, c| adaptive_average(l, c, 3)),
    (ops::aten::max_pool1d_with_indices, |l, c| placed_max_pool(l, c, 1)),
    (ops::aten::max_pool2d_with_indices, |l, c| placed_max_pool(l, c, 2)),
    (ops::aten::max_pool3d_with_indices, |l, c| placed_max_pool(l, c, 3)),
    (ops::aten::adaptive_max_pool1d, |l, c| adaptive_max(l, c, 1)),
    (ops::aten::adaptive_max_pool2d, |l, c| adaptive_max(l, c, 2)),
    (ops::aten::adaptive_max_pool3d, |l, c| adaptive_max(l, c, 3)),
];

/// Windows each of which has an element on the tensor.
fn near(windows: Windows) -> Result<Windows, Error> {
    let far = |w: &Window| w.kernel.known().is_none_or(|k| w.padding.0 > k / 2);
    if windows.0.iter().any(far) { Error::unsupported("padding of more than half a kernel") } else { Ok(windows) }
}

pub(crate) fn floats_only(x: &TensorValue<'_>) -> Result<(), Error> {
    if x.dtype.is_float() { Ok(()) } else { Error::unsupported(format!("a pool of {}", x.dtype)) }
}

/// `max_poolN d(self, kernel_size, stride, padding, dilation, ceil_mode)`
fn max_pool<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, rank: usize) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    floats_only(&x)?;
    let windows = near(c.parsed(|a| pool::max(a, rank))?)?;
    batched(l, &x, rank, &mut |l, x| {
        let largest = folded(l, x, &whole(&windows, &x.sizes)?, Fold::Max, x.dtype)?;
        l.kernel_does_better(largest.sizes.iter().chain(windows.0.iter().map(|w| &w.kernel)));
        Ok(largest)
    })
}

/// `avg_poolN d(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)`
fn average_pool<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, rank: usize) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    floats_only(&x)?;
    let (windows, divisor) = c.parsed(|a| Ok(pool::average(a, rank)?.zip(Divisor::of(a))))?;
    let windows = near(windows)?;
    batched(l, &x, rank, &mut |l, x| {
        let hanging = whole(&windows, &x.sizes)?;
        let alike = around(&windows) == around(&hanging);
        match divisor {
            Divisor::Given(n) => average(l, x, &hanging, Some(n)),
            Divisor::WithPadding if alike => average(l, x, &hanging, None),
            Divisor::Inside if around(&hanging).is_none() => average(l, x, &hanging, None),
            _ => uneven_average(l, x, (&windows, &hanging), divisor == Divisor::WithPadding),
        }
    })
}

/// Sums of windows by how many elements each has: on the tensor, or on its padding too where that counts; what hangs over the end never does.
fn uneven_average<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    (windows, hanging): (&Windows, &Windows),
    counts_padding: bool,
) -> Result<TensorValue<'c>, Error> {
    let dtype = sum_dtype(x.dtype);
    let sum = folded(l, x, hanging, Fold::Sum, dtype)?;
    // By dimension: stride, padding in front, places, and between which places elements count.
    let mut rows = Vec::new();
    for (window, size) in windows.0.iter().zip(&x.sizes[2..]) {
        let (before, behind) = if counts_padding { window.padding } else { (0, 0) };
        let (stride, padding) = (l.e.index(window.stride)?, l.e.index(window.padding.0)?);
        rows.push((stride, padding, l.size(&window.kernel)?, l.e.index(-before)?, l.size(&size.plus(behind))?));
    }
    let t = l.element(dtype)?;
    let mean = l.elementwise(&[&sum], &sum.sizes, dtype, &mut |e, a| {
        let mut count = e.index(1)?;
        for (d, (stride, padding, places, from, to)) in rows.iter().enumerate() {
            let at = e.one("linalg.index", &[], e.index_type(), &[("dim", e.i64_attr(2 + d as i64))])?;
            let first = e.same("arith.subi", &[e.same("arith.muli", &[at, *stride])?, *padding])?;
            let last = e.same("arith.minsi", &[e.same("arith.addi", &[first, *places])?, *to])?;
            let first = e.same("arith.maxsi", &[first, *from])?;
            count = e.same("arith.muli", &[count, e.same("arith.subi", &[last, first])?])?;
        }
        let count = e.one("arith.index_cast", &[count], e.int_type(64), &[])?;
        e.same("arith.divf", &[a[0], e.one("arith.sitofp", &[count], t, &[])?])
    })?;
    l.cast(&mean, x.dtype)
}

/// Sums of windows by how many elements they have, or by another number.
fn average<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    windows: &Windows,
    divisor: Option<i64>,
) -> Result<TensorValue<'c>, Error> {
    let places = windows.0.iter().fold(Dim::Known(1), |n, w| n.times(w.kernel));
    let sum = folded(l, x, windows, Fold::Sum, sum_dtype(x.dtype))?;
    let mean = crate::reduce::divided(l, &sum, &divisor.map_or(places, Dim::Known))?;
    l.cast(&mean, x.dtype)
}

/// `adaptive_avg_poolN d(self, output_size)`
fn adaptive_average<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, rank: usize) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    floats_only(&x)?;
    let counts = adaptive_counts(c, &x, rank)?;
    let sizes = &x.sizes[x.rank() - rank..];
    // Where all windows are as large, they are those of another pool.
    let even = sizes.iter().zip(&counts).map(|(size, count)| match (size.known(), count) {
        (None, 1) => Some(*size),
        (Some(n), count) if n % count == 0 && n > 0 => Some(Dim::Known(n / count)),
        _ => None,
    });
    let window = |kernel: Dim| Window { stride: kernel.known().unwrap_or(1), ..Window::plain(kernel) };
    let even: Option<_> = even.map(|kernel| kernel.map(window)).collect();
    if let Some(windows) = even.map(Windows) {
        return batched(l, &x, rank, &mut |l, x| average(l, x, &windows, None));
    }
    batched(l, &x, rank, &mut |l, x| {
        let windows = Adaptive::of(l, x, &counts)?;
        let dtype = sum_dtype(x.dtype);
        let (t, from) = (l.element(dtype)?, x.dtype);
        let sum = l.computed_fold(&windows.sizes, &windows.most, Fold::Sum, dtype, &mut |e, place, within| {
            let (there, inside) = windows.place(e, place, within)?;
            let v = cast(e, e.element_at(x.value, &there)?, from, dtype, t)?;
            e.select(inside, v, e.constant(0., t)?)
        })?;
        let word = l.e.int_type(64);
        let mean = l.elementwise(&[&sum], &sum.sizes, dtype, &mut |e, a| {
            let mut count = e.index(1)?;
            for d in 0..rank {
                let at = e.one("linalg.index", &[], e.index_type(), &[("dim", e.i64_attr(2 + d as i64))])?;
                let (from, to) = windows.ends(e, d, at)?;
                count = e.same("arith.muli", &[count, e.same("arith.subi", &[to, from])?])?;
            }
            let count = e.one("arith.index_cast", &[count], word, &[])?;
            e.same("arith.divf", &[a[0], e.one("arith.sitofp", &[count], t, &[])?])
        })?;
        l.cast(&mean, x.dtype)
    })
}

/// How many windows an adaptive pool has in each dimension; None leaves a size as it is.
fn adaptive_counts(c: &Call<'_, '_>, x: &TensorValue<'_>, rank: usize) -> Result<Vec<i64>, Error> {
    let counts = c.ints(1)?;
    if counts.len() != rank || x.rank() < rank + 1 || counts.iter().any(|n| *n < 1) {
        return Error::unsupported("an adaptive pool without sizes");
    }
    Ok(counts)
}

/// Windows of an adaptive pool: number `o` of `m` on `n` elements is `o · n / m .. ceil((o + 1) · n / m)`.
struct Adaptive<'c> {
    /// Of the result.
    sizes: Sizes,
    /// As many places as the largest windows have.
    most: Sizes,
    counts: Vec<V<'c>>,
    ends: Vec<V<'c>>,
}

impl<'c> Adaptive<'c> {
    fn of(l: &mut Lower<'c>, x: &TensorValue<'c>, counts: &[i64]) -> Result<Self, Error> {
        let (mut sizes, mut most) = (Sizes::from(&x.sizes[..2]), Sizes::new());
        for (size, count) in x.sizes[2..].iter().zip(counts) {
            l.at_most(Dim::Known(1), *size, "an adaptive pool of nothing")?;
            let each = Dim::op(DimOp::FloorDiv, *size, Dim::Known(*count));
            most.push(Dim::op(DimOp::Add, each, Dim::Known(2)));
            sizes.push(Dim::Known(*count));
        }
        let ends = l.index_sizes(&x.sizes[2..])?;
        let counts = counts.iter().map(|n| l.e.index(*n)).collect::<Result<_, _>>()?;
        Ok(Adaptive { sizes, most, counts, ends })
    }

    fn ends(&self, e: &Emit<'c>, d: usize, o: V<'c>) -> Result<(V<'c>, V<'c>), Error> {
        let (n, m, one) = (self.ends[d], self.counts[d], e.index(1)?);
        let from = e.same("arith.divui", &[e.same("arith.muli", &[o, n])?, m])?;
        let next = e.same("arith.muli", &[e.same("arith.addi", &[o, one])?, n])?;
        let to = e.same("arith.addi", &[next, e.same("arith.subi", &[m, one])?])?;
        Ok((from, e.same("arith.divui", &[to, m])?))
    }

    /// The place of the tensor that a place within a window is, and whether it is within.
    fn place(&self, e: &Emit<'c>, place: &[V<'c>], within: &[V<'c>]) -> Result<(Vec<V<'c>>, V<'c>), Error> {
        let (mut there, mut inside) = (place[..2].to_vec(), e.int(1, e.int_type(1))?);
        for (d, k) in within.iter().enumerate() {
            let (from, to) = self.ends(e, d, place[2 + d])?;
            let i = e.same("arith.addi", &[from, *k])?;
            inside = e.same("arith.andi", &[inside, e.cmpi("ult", i, to)?])?;
            there.push(e.same("arith.minsi", &[i, e.same("arith.subi", &[to, e.index(1)?])?])?);
        }
        Ok((there, inside))
    }
}

/// Finds a place of a tensor by those of the result and within a window, and whether it counts.
type Locate<'b, 'c> = dyn FnMut(&Emit<'c>, &[V<'c>], &[V<'c>]) -> Result<(Vec<V<'c>>, V<'c>), Error> + 'b;

/// The largest element of each window and its place in the last dimensions as if in one row: of the first among equals, or of the last NaN.
fn placed_max<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    sizes: &[Dim],
    within: &[Dim],
    locate: &mut Locate<'_, 'c>,
) -> Result<[TensorValue<'c>; 2], Error> {
    l.only_on_processor = true;
    let (inner, loops) = (sizes.len(), sizes.len() + within.len());
    let places = l.empty(within, x.dtype)?;
    let word = l.e.int_type(64);
    let least = Fold::Max.initial(&l.e, l, x.dtype)?;
    let outs = [l.filled(sizes, x.dtype, least)?, l.filled(sizes, DType::I64, l.e.int(-1, word)?)?];
    let dims = |from: usize, to: usize| (from..to).map(Index::Loop).collect::<Vec<_>>();
    let maps = [dims(inner, loops), dims(0, inner), dims(0, inner)].map(|places| l.e.index_map(loops, &places));
    let kind = |i: usize| if i < inner { Iterator::Parallel } else { Iterator::Reduction };
    let iterators: Vec<Iterator> = (0..loops).map(kind).collect();
    let ends = l.index_sizes(&x.sizes[x.rank() - within.len()..])?;
    let (float, signed) = (x.dtype.is_float(), x.dtype.is_signed_int());
    let made = l.e.structured("linalg.generic", &[places], &outs, &maps, Some(&iterators), &mut |e, a| {
        let indices = e.loop_indices(loops)?;
        let (there, inside) = locate(e, &indices[..inner], &indices[inner..])?;
        let mut flat = e.index(0)?;
        for (i, end) in there[there.len() - ends.len()..].iter().zip(&ends) {
            flat = e.same("arith.addi", &[e.same("arith.muli", &[flat, *end])?, *i])?;
        }
        let flat = e.one("arith.index_cast", &[flat], word, &[])?;
        let v = e.element_at(x.value, &there)?;
        let better = if float {
            e.same("arith.ori", &[e.cmpf("ogt", v, a[1])?, e.cmpf("uno", v, v)?])?
        } else {
            e.cmpi(if signed { "sgt" } else { "ugt" }, v, a[1])?
        };
        let first = e.cmpi("slt", a[2], e.int(0, word)?)?;
        let better = e.same("arith.andi", &[inside, e.same("arith.ori", &[better, first])?])?;
        Ok(vec![e.select(better, v, a[1])?, e.select(better, flat, a[2])?])
    })?;
    let tensor = |v: V<'c>, dtype: DType| TensorValue::new(v, sizes.into(), dtype);
    Ok([tensor(made[0], x.dtype), tensor(made[1], DType::I64)])
}

/// The same of a tensor that may have no batch.
fn placed_batched<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    rank: usize,
    run: &mut dyn FnMut(&mut Lower<'c>, &TensorValue<'c>) -> Result<[TensorValue<'c>; 2], Error>,
) -> Result<Vec<Item<'c>>, Error> {
    let mut indices = None;
    let mut made = batched(l, x, rank, &mut |l, x| {
        let [values, places] = run(l, x)?;
        indices = Some(places);
        Ok(values)
    })?;
    let Some(mut indices) = indices else { return Error::unsupported("no places") };
    if x.rank() == rank + 1 {
        let sizes: Sizes = indices.sizes[1..].into();
        indices = reshaped(l, &indices, &sizes)?;
    }
    made.push(Item::Tensor(indices));
    Ok(made)
}

/// `max_poolN d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)`
fn placed_max_pool<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, rank: usize) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let windows = near(c.parsed(|a| pool::max(a, rank))?)?;
    placed_batched(l, &x, rank, &mut |l, x| {
        let windows = whole(&windows, &x.sizes)?;
        let mut sizes = Sizes::from(&x.sizes[..2]);
        sizes.extend(counts(l, &windows, &x.sizes)?);
        let ends = l.index_sizes(&x.sizes[2..])?;
        placed_max(l, x, &sizes, &windows.list(|w| w.kernel), &mut |e, place, within| {
            let (mut there, mut inside) = (place[..2].to_vec(), e.int(1, e.int_type(1))?);
            for (d, k) in within.iter().enumerate() {
                let (i, good) = place_of(e, &windows.0[d], place[2 + d], *k, ends[d])?;
                inside = e.same("arith.andi", &[inside, good])?;
                there.push(i);
            }
            Ok((there, inside))
        })
    })
}

/// `adaptive_max_poolN d(self, output_size)`
fn adaptive_max<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, rank: usize) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let counts = adaptive_counts(c, &x, rank)?;
    placed_batched(l, &x, rank, &mut |l, x| {
        let windows = Adaptive::of(l, x, &counts)?;
        placed_max(l, x, &windows.sizes, &windows.most, &mut |e, place, within| windows.place(e, place, within))
    })
}
