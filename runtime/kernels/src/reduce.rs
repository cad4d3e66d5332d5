//! Reductions and scans: every result element is a function of one lane, computed in the lane's accumulation type.

use crate::cast;
use crate::compute::Compute;
use crate::folds::{Count, ExtremeOf, Largest, Ordered, Product, Smallest, SumOf, extreme, first, itself, total_of};
use crate::lanes::{
    Acc, Lanes, arg, bool_arg, float_arg, from_lanes, int_arg, ints_arg, mask, optional_tensor, result, result_dtype,
    tensor_arg, with_acc, with_float_acc, wrap,
};
use crate::rows::{self, Fold, Output, Rows, Work, with_real_work, with_work};
use crate::scratch;
use crate::transcendental;
use crate::{Call, Error, Outputs};
use sconce_tensor::{Bool, DType, IValue, Tensor};
use smallvec::{SmallVec, smallvec};

type Mask = SmallVec<[bool; 6]>;

/// Elements of a lane worth a thread where each costs a few instructions.
const FEW: usize = 1 << 15;

/// Runs a body with `$t` bound to the type that a floating dtype is worked on in.
macro_rules! with_float_work {
    ($dtype:expr, $t:ident => $body:expr) => {{
        let dtype: DType = $dtype;
        if dtype.is_complex() {
            type $t = num_complex::Complex<f64>;
            $body
        } else if dtype == DType::F64 {
            type $t = f64;
            $body
        } else {
            type $t = f32;
            $body
        }
    }};
}

fn everything(t: &Tensor) -> Mask {
    SmallVec::from_elem(true, t.dim())
}

fn dims(t: &Tensor, args: &[IValue], i: usize) -> Result<Mask, Error> {
    mask(&ints_arg(args, i)?, t.dim())
}

/// Folds each lane of `t` to one element of result number `i`.
macro_rules! fold {
    ($call:expr, $i:expr, $t:expr, $mask:expr, $T:ident => $f:expr) => {{
        let (sizes, dtype) = result($call.metas, $i)?;
        let lanes = Lanes::<$T>::over($t, $mask)?;
        let data: Vec<_> = lanes.iter().map($f).collect();
        cast::from_vec(data, &sizes, dtype)?
    }};
}

fn one(t: Tensor) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Tensor(t)])
}

fn two(a: Tensor, b: Tensor) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Tensor(a), IValue::Tensor(b)])
}

/// The pairwise sum of a lane in its accumulation type.
pub fn total<T: Acc>(lane: &[T]) -> T {
    if lane.len() <= 64 {
        return lane.iter().fold(T::ZERO, |s, x| s.add(*x));
    }
    let (a, b) = lane.split_at(lane.len() / 2);
    total(a).add(total(b))
}

/// A contiguous tensor for result number `i`.
fn space(call: &Call<'_>, i: usize) -> Result<Tensor, Error> {
    let (sizes, dtype) = result(call.metas, i)?;
    call.contiguous_output(i, &sizes, dtype)
}

/// Result number `i`: every lane of `rows` folded, then finished by a function of the state.
fn folded<W: Work, F: Fold<W>, R: Work>(
    call: &Call<'_>,
    i: usize,
    rows: &Rows,
    f: &F,
    finish: impl Fn(F::State) -> R,
) -> Result<Tensor, Error> {
    let states = rows::fold::<W, F>(rows, f)?;
    let mut values = scratch::buffer::<R>(states.len());
    values.iter_mut().zip(states.iter()).for_each(|(v, s)| *v = finish(*s));
    let out = space(call, i)?;
    rows::write(&out, &values)?;
    Ok(out)
}

/// The tensor as a sum of this dtype sees it: elements are first converted to the result's dtype, which for the widest types reading does.
pub(crate) fn converted(t: &Tensor, dtype: DType) -> Result<Tensor, Error> {
    let wide = matches!(dtype, DType::F32 | DType::F64 | DType::I64 | DType::C128);
    if wide && dtype.is_complex() >= t.dtype().is_complex() { Ok(t.clone()) } else { cast::convert(t, dtype) }
}

fn sum_over(call: &Call<'_>, t: &Tensor, mask: &Mask) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    let t = converted(t, dtype)?;
    let rows = Rows::new(&t, mask);
    one(with_work!(dtype, W => folded::<W, _, _>(call, 0, &rows, &SumOf(itself::<W>), |s| s)?))
}

pub fn sum(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    sum_over(call, t, &everything(t))
}

pub fn sum_dims(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    sum_over(call, t, &dims(t, args, 1)?)
}

fn prims_mask(t: &Tensor, args: &[IValue]) -> Result<Mask, Error> {
    if arg(args, 1)?.is_none() {
        return Ok(everything(t));
    }
    let list = ints_arg(args, 1)?;
    if list.is_empty() { Ok(SmallVec::from_elem(false, t.dim())) } else { mask(&list, t.dim()) }
}

pub fn prims_sum(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    sum_over(call, t, &prims_mask(t, args)?)
}

pub fn prims_prod(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    prod_over(call, t, &prims_mask(t, args)?)
}

fn prod_over(call: &Call<'_>, t: &Tensor, mask: &Mask) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    let t = converted(t, dtype)?;
    let rows = Rows::new(&t, mask);
    one(with_work!(dtype, W => folded::<W, _, _>(call, 0, &rows, &Product, |s| s)?))
}

pub fn prod(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    prod_over(call, t, &everything(t))
}

pub fn prod_dim(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    prod_over(call, t, &mask(&[int_arg(args, 1)?], t.dim())?)
}

fn mean_over(call: &Call<'_>, t: &Tensor, mask: &Mask) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    let t = converted(t, dtype)?;
    let rows = Rows::new(&t, mask);
    let n = rows.length() as f64;
    one(with_float_work!(dtype, W => folded::<W, _, _>(call, 0, &rows, &SumOf(itself::<W>), |s| s / n)?))
}

pub fn mean(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    mean_over(call, t, &everything(t))
}

pub fn mean_dims(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    mean_over(call, t, &dims(t, args, 1)?)
}

/// How many elements of each lane are true, as `finish` sees it.
fn counted<R: Work>(call: &Call<'_>, t: &Tensor, mask: &Mask, finish: impl Fn(i64) -> R) -> Result<Outputs, Error> {
    let rows = Rows::new(t, mask);
    one(with_work!(t.dtype(), W => folded::<W, _, _>(call, 0, &rows, &Count(|x: W| x.truth()), finish)?))
}

fn truth_over(call: &Call<'_>, t: &Tensor, mask: &Mask, all: bool) -> Result<Outputs, Error> {
    let length: i64 = (0..t.dim()).filter(|d| mask[*d]).map(|d| t.sizes()[d]).product();
    counted(call, t, mask, |n| i64::from(if all { n == length } else { n > 0 }))
}

/// `all` and `any` in their three forms.
macro_rules! truth {
    ($all:literal: $whole:ident, $dim:ident, $dims:ident) => {
        pub fn $whole(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
            let t = tensor_arg(args, 0)?;
            truth_over(call, t, &everything(t), $all)
        }
        pub fn $dim(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
            let t = tensor_arg(args, 0)?;
            truth_over(call, t, &mask(&[int_arg(args, 1)?], t.dim())?, $all)
        }
        pub fn $dims(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
            let t = tensor_arg(args, 0)?;
            truth_over(call, t, &prims_mask(t, args)?, $all)
        }
    };
}
truth!(true: all, all_dim, all_dims);
truth!(false: any, any_dim, any_dims);

pub fn count_nonzero(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    counted(call, t, &dims(t, args, 1)?, |n| n)
}

/// Same sizes and the same elements, dtypes apart.
pub fn equal(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let dtype = crate::promote::result_type(args[..2].iter())?;
    let same = a.sizes() == b.sizes()
        && with_acc!(dtype, T => cast::to_vec::<T>(&cast::convert(a, dtype)?)? == cast::to_vec::<T>(&cast::convert(b, dtype)?)?);
    Ok(smallvec![IValue::Bool(same)])
}

pub fn allclose(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let (rtol, atol) = (float_arg(args, 2)?, float_arg(args, 3)?);
    let equal_nan = bool_arg(args, 4)?;
    let sizes = sconce_tensor::broadcast_sizes(a.sizes(), b.sizes())?;
    let (a, b) = (a.expand(&sizes)?, b.expand(&sizes)?);
    let close = with_acc!(a.dtype(), T => {
        let (x, y) = (cast::to_vec::<T>(&a)?, cast::to_vec::<T>(&b)?);
        x.iter().zip(&y).all(|(x, y)| {
            let nan = |v: &T| !same_as_itself(v);
            let difference = x.sub(*y).magnitude();
            x == y
                || (equal_nan && nan(x) && nan(y))
                || (difference.is_finite() && difference <= atol + (rtol * y.magnitude()).abs())
        })
    });
    Ok(smallvec![IValue::Bool(close)])
}

fn extreme_over(call: &Call<'_>, i: usize, t: &Tensor, mask: &Mask, largest: bool) -> Result<Tensor, Error> {
    let rows = Rows::new(t, mask);
    let empty = rows.length() == 0;
    with_real_work!(t.dtype(), W => {
        let finish = |s: W| if empty { W::ZERO } else { s };
        if largest { folded::<W, _, _>(call, i, &rows, &Largest, finish) } else { folded::<W, _, _>(call, i, &rows, &Smallest, finish) }
    })
}

pub fn max(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    one(extreme_over(call, 0, t, &everything(t), true)?)
}

pub fn min(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    one(extreme_over(call, 0, t, &everything(t), false)?)
}

pub fn amax(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    one(extreme_over(call, 0, t, &dims(t, args, 1)?, true)?)
}

pub fn amin(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    one(extreme_over(call, 0, t, &dims(t, args, 1)?, false)?)
}

pub fn aminmax(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let mask = dims(t, args, 1)?;
    two(extreme_over(call, 0, t, &mask, false)?, extreme_over(call, 1, t, &mask, true)?)
}

/// Values in result 0, positions in result 1, by a function from lane to position.
fn positions<W: Work>(
    call: &Call<'_>,
    t: &Tensor,
    mask: &Mask,
    at: impl Fn(&[W]) -> usize + Sync,
) -> Result<Outputs, Error> {
    let (values, indices) = (space(call, 0)?, space(call, 1)?);
    let (v, p) = (Rows::elements(&values), Rows::elements(&indices));
    let (to_values, to_indices) = (Output::<W>::new(&v)?, Output::<i64>::new(&p)?);
    rows::each::<W>(&Rows::new(t, mask), FEW, |i, lane| {
        let at = at(lane);
        to_values.write(i, &lane[at..=at]);
        to_indices.write(i, &[at as i64]);
    })?;
    two(values, indices)
}

fn extreme_dim(call: &Call<'_>, args: &[IValue], largest: bool) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let mask = mask(&[int_arg(args, 1)?], t.dim())?;
    with_real_work!(t.dtype(), W => positions::<W>(call, t, &mask, |lane| extreme(lane, largest)))
}

pub fn max_dim(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    extreme_dim(call, args, true)
}

pub fn min_dim(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    extreme_dim(call, args, false)
}

fn arg_extreme(call: &Call<'_>, args: &[IValue], largest: bool) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let mask = dims(t, args, 1)?;
    let out = space(call, 0)?;
    let to = Rows::elements(&out);
    let to = Output::<i64>::new(&to)?;
    with_real_work!(t.dtype(), W => rows::each::<W>(&Rows::new(t, &mask), FEW, |i, lane| {
        to.write(i, &[extreme(lane, largest) as i64]);
    })?);
    one(out)
}

pub fn argmax(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    arg_extreme(call, args, true)
}

pub fn argmin(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    arg_extreme(call, args, false)
}

/// Runs a body with `$t` bound to the accumulation type of a real dtype.
macro_rules! with_ordered {
    ($dtype:expr, $t:ident => $body:expr) => {
        if $dtype.is_float() {
            type $t = f64;
            $body
        } else {
            type $t = i64;
            $body
        }
    };
}

/// Position of the lower median; the first NaN if there is one.
fn middle<W: Ordered>(lane: &[W]) -> usize {
    if let Some(i) = first(lane, |x| x.nan()) {
        return i;
    }
    let mut order: Vec<usize> = (0..lane.len()).collect();
    let at = (lane.len() - 1) / 2;
    // Of equals the first: as if sorted stably.
    *order.select_nth_unstable_by(at, |&a, &b| lane[a].order(lane[b]).then(a.cmp(&b))).1
}

pub fn median(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let mask = everything(t);
    if t.numel() == 0 {
        let (sizes, dtype) = result(call.metas, 0)?;
        let empty = if dtype.is_float() { f64::NAN } else { i64::MIN as f64 };
        return one(cast::from_vec(vec![empty], &sizes, dtype)?);
    }
    one(with_ordered!(t.dtype(), T => fold!(call, 0, t, &mask, T => |lane: &[T]| lane[middle(lane)])))
}

pub fn median_dim(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let mask = mask(&[int_arg(args, 1)?], t.dim())?;
    with_real_work!(t.dtype(), W => positions::<W>(call, t, &mask, middle))
}

/// Result 0: each lane of `t` along a dimension as `f` makes it from the lane.
fn along<W: Work>(
    call: &Call<'_>,
    t: &Tensor,
    dim: i64,
    elements: usize,
    f: impl Fn(&[W], &mut [W]) + Sync,
) -> Result<Outputs, Error> {
    let dim = wrap(dim, t.dim())?;
    let out = space(call, 0)?;
    rows::map(&Rows::along(t, dim), &Rows::along(&out, dim), elements, |_, from, to| f(from, to))?;
    one(out)
}

pub fn cumsum(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    let t = converted(tensor_arg(args, 0)?, dtype)?;
    let dim = int_arg(args, 1)?;
    if dtype == DType::F32 {
        return along::<f32>(call, &t, dim, FEW, running_sums);
    }
    with_work!(dtype, W => along::<W>(call, &t, dim, FEW, |from, to| {
        let mut sum = <W as Work>::Sum::ZERO;
        for (x, y) in from.iter().zip(to) {
            sum = sum.add(itself(*x));
            *y = cast::Value::to(sum);
        }
    }))
}

/// Running sums in f64, of four parts at once: each addition waits for the one before it.
fn running_sums(from: &[f32], to: &mut [f32]) {
    let quarter = if from.len() < 64 { 0 } else { from.len() / 4 };
    let mut sums = [0f64; 4];
    for part in 1..4 {
        sums[part] = sums[part - 1] + total_of(&from[(part - 1) * quarter..part * quarter], f64::from);
    }
    let (a, rest) = to.split_at_mut(quarter);
    let (b, rest) = rest.split_at_mut(quarter);
    let (c, d) = rest.split_at_mut(quarter);
    let (x, y, z, w) = (from, &from[quarter..], &from[2 * quarter..], &from[3 * quarter..]);
    for i in 0..quarter {
        sums[0] += f64::from(x[i]);
        sums[1] += f64::from(y[i]);
        sums[2] += f64::from(z[i]);
        sums[3] += f64::from(w[i]);
        (a[i], b[i], c[i], d[i]) = (sums[0] as f32, sums[1] as f32, sums[2] as f32, sums[3] as f32);
    }
    for i in quarter..d.len() {
        sums[3] += f64::from(w[i]);
        d[i] = sums[3] as f32;
    }
}

pub fn cumprod(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    let t = converted(tensor_arg(args, 0)?, dtype)?;
    let dim = int_arg(args, 1)?;
    with_work!(dtype, W => along::<W>(call, &t, dim, FEW, |from, to| {
        let mut product = <W as Work>::Sum::ONE;
        for (x, y) in from.iter().zip(to) {
            product = product.mul(itself(*x));
            *y = cast::Value::to(product);
        }
    }))
}

/// Running maximum and where it was last reached.
pub fn cummax(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    running_extreme(call, args, true)
}

pub fn cummin(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    running_extreme(call, args, false)
}

fn running_extreme(call: &Call<'_>, args: &[IValue], largest: bool) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let dim = wrap(int_arg(args, 1)?, t.dim())?;
    let (sizes, strides) = (t.sizes(), sconce_tensor::contiguous_strides(t.sizes()));
    let (values, indices) = (call.output(0, sizes, &strides, t.dtype())?, call.output(1, sizes, &strides, DType::I64)?);
    let (v, p) = (Rows::along(&values, dim), Rows::along(&indices, dim));
    with_real_work!(t.dtype(), W => {
        let (to_values, to_indices) = (Output::<W>::new(&v)?, Output::<i64>::new(&p)?);
        rows::each::<W>(&Rows::along(t, dim), FEW, |i, lane| {
            let mut running = scratch::buffer::<W>(lane.len());
            let mut at = scratch::buffer::<i64>(lane.len());
            let mut best = 0;
            for (k, x) in lane.iter().enumerate() {
                let y = lane[best];
                let keeps = (y.nan() && !x.nan()) || if largest { *x < y } else { *x > y };
                if !keeps {
                    best = k;
                }
                at[k] = best as i64;
                running[k] = lane[best];
            }
            to_values.write(i, &running);
            to_indices.write(i, &at);
        })?;
    });
    two(values, indices)
}

/// `log(exp(a) + exp(b))` without overflow.
fn log_add(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if a.is_nan() || b.is_nan() {
        return f64::NAN;
    }
    if low == high && !high.is_finite() { high } else { high + (low - high).exp().ln_1p() }
}

pub fn logcumsumexp(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    let (t, dim) = (tensor_arg(args, 0)?, int_arg(args, 1)?);
    if dtype.is_complex() {
        type C = num_complex::Complex<f64>;
        return along::<C>(call, t, dim, FEW / 64, |from, to| {
            let high = from.iter().map(|x| x.re).fold(f64::NEG_INFINITY, f64::max);
            let shift = if high.is_finite() { high } else { 0.0 };
            let mut sum = C::ZERO;
            for (x, y) in from.iter().zip(to) {
                sum += crate::special::exp(*x - shift);
                *y = sum.ln() + shift;
            }
        });
    }
    along::<f64>(call, t, dim, FEW / 64, |from, to| {
        let mut sum = f64::NEG_INFINITY;
        for (x, y) in from.iter().zip(to) {
            sum = log_add(sum, *x);
            *y = sum;
        }
    })
}

pub fn logsumexp(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let mask = dims(t, args, 1)?;
    if t.dtype().is_complex() {
        type C = num_complex::Complex<f64>;
        return one(fold!(call, 0, t, &mask, C => |lane: &[C]| {
            let high = lane.iter().map(|x| x.re).fold(f64::NEG_INFINITY, f64::max);
            let shift = if high.is_finite() { high } else { 0.0 };
            lane.iter().map(|x| crate::special::exp(*x - shift)).sum::<C>().ln() + shift
        }));
    }
    let out = space(call, 0)?;
    let to = Rows::elements(&out);
    let to = Output::<f64>::new(&to)?;
    let rows = Rows::new(t, &mask);
    let shift_of = |high: f64| if high.is_finite() { high } else { 0.0 };
    if t.dtype() == DType::F64 || !t.dtype().is_float() {
        rows::each::<f64>(&rows, FEW / 16, |i, lane| {
            let shift = shift_of(rows::fold_slice(&Largest, lane));
            to.write(i, &[total_of(lane, |x: f64| (x - shift).exp()).ln() + shift]);
        })?;
    } else {
        rows::each::<f32>(&rows, FEW / 4, |i, lane| {
            let shift = shift_of(f64::from(rows::fold_slice(&Largest, lane))) as f32;
            let sum = total_of(
                lane,
                #[inline(always)]
                |x: f32| f64::from(transcendental::exp(x - shift)),
            );
            to.write(i, &[sum.ln() + f64::from(shift)]);
        })?;
    }
    one(out)
}

/// Mean and the sum of squared distances from it, divided by `n - correction`.
fn moments<W: Work>(lane: &[W], correction: f64) -> (W::Sum, f64) {
    let n = lane.len() as f64;
    let mut mean = crate::folds::total(lane).scale(1.0 / n);
    if !lane.is_empty() && !mean.magnitude().is_finite() {
        // PyTorch moves the mean from element to element, away from an infinity by infinitely much.
        let moved = |mean: W::Sum, (x, n): (&W, u32)| mean.add(itself(*x).sub(mean).scale(1.0 / f64::from(n)));
        mean = lane.iter().zip(1..).fold(W::Sum::default(), moved);
    }
    if lane.is_empty() {
        return (mean, f64::NAN);
    }
    let squares = total_of(
        lane,
        #[inline(always)]
        |x: W| itself(x).sub(mean).square(),
    );
    (mean, squares / (n - correction).max(0.0))
}

fn variance_over(
    call: &Call<'_>,
    t: &Tensor,
    mask: &Mask,
    correction: f64,
    root: bool,
    with_mean: bool,
) -> Result<Outputs, Error> {
    let spread = |v: f64| if root { v.sqrt() } else { v };
    let rows = Rows::new(t, mask);
    with_float_work!(t.dtype(), W => {
        let mut spreads = scratch::buffer::<f64>(rows.count());
        let mut means = scratch::buffer::<<W as Work>::Sum>(rows.count());
        if rows.is_long() {
            // One lane after the other, each on all threads.
            let n = rows.length() as f64;
            for i in 0..rows.count() {
                let lane = rows.only(i);
                let mean = rows::fold::<W, _>(&lane, &SumOf(itself::<W>))?[0].scale(1.0 / n);
                let squares = SumOf(#[inline(always)] |x: W| itself(x).sub(mean).square());
                spreads[i] = spread(rows::fold::<W, _>(&lane, &squares)?[0] / (n - correction).max(0.0));
                means[i] = mean;
            }
        } else {
            let (to_spreads, to_means) = (rows::Shared::new(&mut spreads), rows::Shared::new(&mut means));
            rows::each::<W>(&rows, FEW, |i, lane| {
                let (mean, variance) = moments(lane, correction);
                to_spreads.set(i, spread(variance));
                to_means.set(i, mean);
            })?;
        }
        let first = space(call, 0)?;
        rows::write(&first, &spreads)?;
        if !with_mean {
            return one(first);
        }
        let second = space(call, 1)?;
        rows::write(&second, &means)?;
        two(first, second)
    })
}

/// The four families of deviations in their three forms: whole tensor, dimensions with `unbiased`, dimensions with a correction.
macro_rules! deviations {
    ($($root:literal $mean:literal: $whole:ident, $dim:ident, $correction:ident;)*) => { $(
        pub fn $whole(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
            let t = tensor_arg(args, 0)?;
            let correction = if bool_arg(args, 1)? { 1.0 } else { 0.0 };
            variance_over(call, t, &everything(t), correction, $root, $mean)
        }
        pub fn $dim(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
            let t = tensor_arg(args, 0)?;
            let correction = if bool_arg(args, 2)? { 1.0 } else { 0.0 };
            variance_over(call, t, &dims(t, args, 1)?, correction, $root, $mean)
        }
        pub fn $correction(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
            let t = tensor_arg(args, 0)?;
            let correction = if arg(args, 2)?.is_none() { 1.0 } else { float_arg(args, 2)? };
            variance_over(call, t, &dims(t, args, 1)?, correction, $root, $mean)
        }
    )* };
}
deviations! {
    false false: var, var_dim, var_correction;
    true false: std, std_dim, std_correction;
    false true: var_mean, var_mean_dim, var_mean_correction;
    true true: std_mean, std_mean_dim, std_mean_correction;
}

/// `prims.var`: dimensions, then the correction.
pub fn prims_var(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let correction = if arg(args, 2)?.is_none() { 1.0 } else { float_arg(args, 2)? };
    variance_over(call, t, &prims_mask(t, args)?, correction, false, false)
}

/// The p-norm of the magnitudes.
pub fn norm_of<T: Acc>(lane: &[T], p: f64) -> f64 {
    let sizes = lane.iter().map(|x| x.magnitude());
    if p == 0.0 {
        sizes.filter(|x| *x != 0.0).count() as f64
    } else if p == 1.0 {
        total(&sizes.collect::<Vec<f64>>())
    } else if p == 2.0 {
        total(&sizes.map(|x| x * x).collect::<Vec<f64>>()).sqrt()
    } else if p == f64::INFINITY {
        sizes.fold(0.0, |a, b| if a.is_nan() || a > b { a } else { b })
    } else if p == f64::NEG_INFINITY {
        sizes.fold(f64::INFINITY, |a, b| if a.is_nan() || a < b { a } else { b })
    } else {
        total(&sizes.map(|x| x.powf(p)).collect::<Vec<f64>>()).powf(1.0 / p)
    }
}

fn norm_over(call: &Call<'_>, t: &Tensor, mask: &Mask, p: f64) -> Result<Outputs, Error> {
    if t.numel() == 0 && (p < 0.0 || p == f64::INFINITY) {
        let lanes = Lanes::<f64>::over(t, mask)?;
        if lanes.count > 0 {
            return Err(Error::runtime(format!(
                "linalg.vector_norm cannot compute the {} norm on an empty tensor because the operation does not have an identity",
                if p == f64::INFINITY { "inf".to_string() } else { format!("{p}") }
            )));
        }
    }
    let rows = Rows::new(t, mask);
    with_float_work!(t.dtype(), W => one(if p == 0.0 {
        folded::<W, _, _>(call, 0, &rows, &Count(|x: W| x.truth()), |n| n)?
    } else if p == 1.0 {
        folded::<W, _, _>(call, 0, &rows, &SumOf(magnitude::<W>), |s| s)?
    } else if p == 2.0 {
        folded::<W, _, _>(call, 0, &rows, &SumOf(square::<W>), f64::sqrt)?
    } else if p.is_infinite() {
        folded::<W, _, _>(call, 0, &rows, &ExtremeOf { of: magnitude::<W>, largest: p > 0.0 }, |s| s)?
    } else {
        folded::<W, _, _>(call, 0, &rows, &SumOf(|x: W| magnitude(x).powf(p)), |s: f64| s.powf(1.0 / p))?
    }))
}

#[inline(always)]
fn magnitude<W: Work>(x: W) -> f64 {
    itself(x).magnitude()
}

#[inline(always)]
fn square<W: Work>(x: W) -> f64 {
    itself(x).square()
}

/// The order of a norm; None is 2.
fn order(args: &[IValue], i: usize) -> Result<f64, Error> {
    if arg(args, i)?.is_none() { Ok(2.0) } else { float_arg(args, i) }
}

pub fn norm_all(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    norm_over(call, t, &everything(t), order(args, 1)?)
}

/// `norm.ScalarOpt_dim` and `linalg_vector_norm`: order, dimensions.
pub fn norm_dims(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    norm_over(call, t, &dims(t, args, 2)?, order(args, 1)?)
}

pub fn frobenius_norm_dim(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    norm_over(call, t, &dims(t, args, 1)?, 2.0)
}

pub fn trace(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let n = t.sizes()[0].min(t.sizes()[1]);
    let diagonal = t.as_strided(&[n], &[t.strides()[0] + t.strides()[1]], t.storage_offset())?;
    one(with_acc!(t.dtype(), T => fold!(call, 0, &diagonal, &[true], T => total::<T>)))
}

/// Differences of neighbours, `n` times.
pub fn diff(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let dim = wrap(int_arg(args, 2)?, t.dim())?;
    let n = int_arg(args, 1)?;
    if n == 0 {
        return one(t.copy()?);
    }
    let mut pieces = Vec::new();
    for piece in [optional_tensor(args, 3)?, Some(t), optional_tensor(args, 4)?].into_iter().flatten() {
        pieces.push(cast::convert(piece, dtype)?);
    }
    one(with_acc!(dtype, T => {
        let lanes: Vec<Lanes<T>> = pieces.iter().map(|p| Lanes::along(p, dim)).collect::<Result<_, _>>()?;
        let mut data: Vec<T> = Vec::new();
        for i in 0..lanes[0].count {
            let mut lane: Vec<T> = Vec::new();
            for l in &lanes {
                lane.extend_from_slice(&l.data[i * l.length..(i + 1) * l.length]);
            }
            for _ in 0..n.min(lane.len() as i64) {
                // Of truth values the difference is whether they differ; every step is cut to the dtype.
                lane = lane.windows(2).map(|w| w[1].sub(w[0])).collect();
            }
            data.extend(lane);
        }
        from_lanes(data, &sizes, dim, dtype)?
    }))
}

/// How often each integer occurs, or the sum of the weights at its places.
pub fn bincount(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    let values = cast::to_vec::<i64>(tensor_arg(args, 0)?)?;
    let least = int_arg(args, 2)?;
    let message = "bincount only supports 1-d non-negative integral inputs.";
    if values.iter().any(|v| *v < 0) {
        return Err(Error::runtime(message));
    }
    let length = values.iter().map(|v| v.saturating_add(1)).max().unwrap_or(0).max(least);
    // A single huge value would ask for all memory: the allocation says no.
    let out = Tensor::zeros(&[length], if dtype == DType::I64 { DType::I64 } else { DType::F64 })?;
    match optional_tensor(args, 1)? {
        Some(weights) => {
            let mut sums = out.to_vec::<f64>();
            for (v, w) in values.iter().zip(cast::to_vec::<f64>(weights)?) {
                sums[*v as usize] += w;
            }
            one(cast::from_vec(sums, &[length], dtype)?)
        }
        None => {
            let mut counts = out.to_vec::<i64>();
            for v in &values {
                counts[*v as usize] += 1;
            }
            one(Tensor::from_vec(counts, &[length]))
        }
    }
}

pub fn histc(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let values = cast::to_vec::<f64>(tensor_arg(args, 0)?)?;
    let (mut low, mut high) = (float_arg(args, 2)?, float_arg(args, 3)?);
    let bins = sizes[0];
    if low == high && !values.is_empty() {
        low = values[extreme(&values, false)];
        high = values[extreme(&values, true)];
    }
    if low == high {
        low -= 1.0;
        high += 1.0;
    }
    if !low.is_finite() || !high.is_finite() {
        return Err(Error::runtime(format!("range of [{low}, {high}] is not finite")));
    }
    if low > high {
        return Err(Error::runtime("torch.histc: max must be larger than min"));
    }
    let mut counts = Tensor::zeros(&[bins], DType::F64)?.to_vec::<f64>();
    for v in values {
        if v >= low && v <= high {
            let at = ((v - low) * bins as f64 / (high - low)) as usize;
            counts[at.min(bins as usize - 1)] += 1.0;
        }
    }
    one(cast::from_vec(counts, &sizes, dtype)?)
}

/// NaN counts as nothing.
pub fn nansum(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let mask = dims(t, args, 1)?;
    let dtype = result_dtype(call.metas, 0)?;
    let t = converted(t, dtype)?;
    let rows = Rows::new(&t, &mask);
    one(with_work!(dtype, W => folded::<W, _, _>(call, 0, &rows, &SumOf(number_or_zero::<W>), |s| s)?))
}

/// NaN as nothing.
#[inline(always)]
fn number_or_zero<W: Work>(x: W) -> W::Sum {
    if same_as_itself(&x) { itself(x) } else { <W as Work>::Sum::ZERO }
}

/// The mean of what is not NaN.
pub fn nanmean(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let mask = dims(t, args, 1)?;
    let dtype = result_dtype(call.metas, 0)?;
    let t = converted(t, dtype)?;
    let rows = Rows::new(&t, &mask);
    one(with_float_work!(dtype, W => {
        let counts = rows::fold::<W, _>(&rows, &Count(|x: W| same_as_itself(&x)))?;
        let mut sums = rows::fold::<W, _>(&rows, &SumOf(number_or_zero::<W>))?;
        sums.iter_mut().zip(counts.iter()).for_each(|(s, n)| *s = *s / *n as f64);
        let out = space(call, 0)?;
        rows::write(&out, &sums)?;
        out
    }))
}

/// False for NaN.
#[allow(clippy::eq_op, reason = "NaN is what differs from itself")]
fn same_as_itself<T: PartialEq>(x: &T) -> bool {
    x == x
}

/// Median of what is not NaN; NaN if nothing is left.
pub fn nanmedian(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let (sizes, dtype) = result(call.metas, 0)?;
    if !dtype.is_float() {
        return median(call, args);
    }
    let rest: Vec<f64> = cast::to_vec::<f64>(t)?.into_iter().filter(same_as_itself).collect();
    let value = if rest.is_empty() { f64::NAN } else { rest[middle(&rest)] };
    one(cast::from_vec(vec![value], &sizes, dtype)?)
}

pub fn aminmax_all(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let mask = everything(t);
    two(extreme_over(call, 0, t, &mask, false)?, extreme_over(call, 1, t, &mask, true)?)
}

/// `prims.amax`: None is all dimensions, an empty list none.
pub fn prims_amax(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    one(extreme_over(call, 0, t, &prims_mask(t, args)?, true)?)
}

pub fn prims_amin(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    one(extreme_over(call, 0, t, &prims_mask(t, args)?, false)?)
}

/// An argument as numbers: a tensor's elements, or one number.
fn elements<T: Acc>(v: &IValue, dtype: DType) -> Result<Vec<T>, Error> {
    match v {
        IValue::Tensor(t) => cast::to_vec::<T>(&cast::convert(t, dtype)?),
        v => {
            let number = match v {
                IValue::Int(i) => cast::from_vec(vec![*i], &[], dtype)?,
                v => cast::from_vec(vec![v.as_double()?], &[], dtype)?,
            };
            cast::to_vec::<T>(&number)
        }
    }
}

/// Whether each element is among the test elements.
pub fn isin(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let invert = bool_arg(args, 3)?;
    let dtype = crate::promote::result_type(args[..2].iter())?;
    let data: Vec<Bool> = with_ordered!(dtype, T => {
        let mut tests = elements::<T>(arg(args, 1)?, dtype)?;
        tests.retain(same_as_itself);
        let less = |a: &T, b: &T| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal);
        tests.sort_by(less);
        elements::<T>(arg(args, 0)?, dtype)?
            .iter()
            .map(|x| Bool::new((same_as_itself(x) && tests.binary_search_by(|t| less(t, x)).is_ok()) != invert))
            .collect()
    });
    one(Tensor::from_vec(data, &sizes))
}

/// A value between the ordered elements of a lane.
fn quantile_of(sorted: &[f64], q: f64, mode: &str) -> f64 {
    if sorted.is_empty() {
        return f64::NAN;
    }
    let rank = q * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[rank.floor() as usize], sorted[rank.ceil() as usize]);
    match mode {
        "lower" => low,
        "higher" => high,
        "midpoint" => low + (high - low) * 0.5,
        "nearest" => sorted[rank.round_ties_even() as usize],
        _ if low == high => low,
        _ => low + (high - low) * (rank - rank.floor()),
    }
}

fn quantiles(call: &Call<'_>, args: &[IValue], skip_nan: bool) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let qs = match arg(args, 1)? {
        IValue::Tensor(q) => cast::to_vec::<f64>(q)?,
        v => vec![v.as_double()?],
    };
    if qs.iter().any(|q| !(0.0..=1.0).contains(q)) {
        return Err(Error::runtime("quantile() q values must be in the range [0, 1]"));
    }
    let mode = arg(args, 4)?.as_str()?.to_string();
    let lanes = Lanes::<f64>::over(t, &dims(t, args, 2)?)?;
    let mut by_lane = Vec::with_capacity(lanes.count);
    for lane in lanes.iter() {
        let mut sorted: Vec<f64> = lane.iter().copied().filter(same_as_itself).collect();
        let nan = sorted.len() < lane.len() && !skip_nan;
        sorted.sort_by(f64::total_cmp);
        by_lane.push(if nan { Vec::new() } else { sorted });
    }
    let data = qs.iter().flat_map(|q| by_lane.iter().map(|s| quantile_of(s, *q, &mode))).collect::<Vec<f64>>();
    one(cast::from_vec(data, &sizes, dtype)?)
}

pub fn quantile(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    quantiles(call, args, false)
}

pub fn nanquantile(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    quantiles(call, args, true)
}

/// Position of the smallest most frequent value; of its occurrences the one that PyTorch's unstable sort leaves last.
fn most_frequent<T: Ordered>(lane: &[T]) -> usize {
    let mut order: Vec<usize> = (0..lane.len()).collect();
    crate::introsort::sort(&mut order, |&a, &b| lane[a] < lane[b]);
    let (mut best, mut most, mut run) = (0, 0, 0);
    for (i, &at) in order.iter().enumerate() {
        run = if i > 0 && lane[order[i - 1]] == lane[at] { run + 1 } else { 1 };
        if run > most {
            (best, most) = (at, run);
        }
    }
    best
}

pub fn mode(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let mask = mask(&[int_arg(args, 1)?], t.dim())?;
    with_real_work!(t.dtype(), W => positions::<W>(call, t, &mask, most_frequent))
}

/// Position of the median of what is not NaN.
fn middle_of_numbers(lane: &[f64]) -> usize {
    let mut order: Vec<usize> = (0..lane.len()).filter(|&i| same_as_itself(&lane[i])).collect();
    if order.is_empty() {
        return 0;
    }
    order.sort_by(|&a, &b| lane[a].total_cmp(&lane[b]));
    order[(order.len() - 1) / 2]
}

pub fn nanmedian_dim(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    if !t.dtype().is_float() {
        return median_dim(call, args);
    }
    let mask = mask(&[int_arg(args, 1)?], t.dim())?;
    positions::<f64>(call, t, &mask, middle_of_numbers)
}

fn trapezoid(call: &Call<'_>, args: &[IValue], with_x: bool, cumulative: bool) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let y = tensor_arg(args, 0)?;
    let dim = wrap(int_arg(args, 2)?, y.dim())?;
    let from_end = y.dim() - dim;
    let wide = if dtype.is_complex() { DType::C128 } else { DType::F64 };
    with_float_acc!(wide, T => {
        let mut full: sconce_tensor::Sizes = y.sizes().into();
        let mut x = None;
        if with_x {
            let t = tensor_arg(args, 1)?;
            let t = if t.dim() == 1 {
                // One coordinate per sample, the same for every lane.
                let mut s: sconce_tensor::Sizes = SmallVec::from_elem(1, y.dim());
                let mut st: sconce_tensor::Sizes = SmallVec::from_elem(0, y.dim());
                s[dim] = t.sizes()[0];
                st[dim] = t.strides()[0];
                t.as_strided(&s, &st, t.storage_offset())?
            } else {
                t.clone()
            };
            full = sconce_tensor::broadcast_sizes(y.sizes(), t.sizes())?;
            x = Some(t.expand(&full)?);
        }
        let at = full.len() - from_end;
        let y = Lanes::<T>::along(&y.expand(&full)?, at)?;
        let x = x.map(|x| Lanes::<T>::along(&x, at)).transpose()?;
        let step = if with_x { 0.0 } else { float_arg(args, 1)? };
        let mut data: Vec<T> = Vec::new();
        for (i, lane) in y.iter().enumerate() {
            let xs = x.as_ref().map(|x| &x.data[i * x.length..(i + 1) * x.length]);
            let mut sum = T::ZERO;
            for k in 1..lane.len() {
                let width = match xs {
                    Some(x) => x[k] - x[k - 1],
                    None => T::ONE * step,
                };
                sum = sum.add((lane[k] + lane[k - 1]) * width * 0.5);
                if cumulative {
                    data.push(sum);
                }
            }
            if !cumulative {
                data.push(sum);
            }
        }
        if cumulative {
            return one(from_lanes(data, &sizes, at, dtype)?);
        }
        one(cast::from_vec(data, &sizes, dtype)?)
    })
}

pub fn trapezoid_x(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    trapezoid(call, args, true, false)
}
pub fn trapezoid_dx(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    trapezoid(call, args, false, false)
}
pub fn cumulative_trapezoid_x(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    trapezoid(call, args, true, true)
}
pub fn cumulative_trapezoid_dx(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    trapezoid(call, args, false, true)
}

pub fn sum_to_size(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let lead = t.dim() - sizes.len();
    let mask: Mask = (0..t.dim()).map(|d| d < lead || (sizes[d - lead] == 1 && t.sizes()[d] != 1)).collect();
    if !mask.contains(&true) {
        return one(t.clone());
    }
    let rows = Rows::new(t, &mask);
    one(with_work!(dtype, W => folded::<W, _, _>(call, 0, &rows, &SumOf(itself::<W>), |s| s)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_nan_is_the_extreme() {
        assert_eq!(extreme(&[1.0, 3.0, f64::NAN, 4.0, f64::NAN], true), 2);
        assert_eq!(extreme(&[3.0, 1.0, 1.0], false), 1);
        assert_eq!(middle(&[4i64, 1, 3, 2]), 3);
    }

    #[test]
    fn log_add_keeps_infinities() {
        assert_eq!(log_add(f64::NEG_INFINITY, f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert_eq!(log_add(f64::INFINITY, 1.0), f64::INFINITY);
        assert!((log_add(0.0, 0.0) - std::f64::consts::LN_2).abs() < 1e-15);
    }
}
