//! Reductions and scans: every result element is a function of one lane, computed in the lane's accumulation type.

mod counts;
mod deviations;
mod ranks;
mod scans;

pub use counts::*;
pub use deviations::*;
pub use ranks::*;
pub use scans::*;

use crate::engine::arguments::one;
use crate::engine::arguments::{
    arg, bool_arg, float_arg, int_arg, ints_arg, optional_tensor, result, result_dtype, tensor_arg,
};
use crate::engine::cast;
use crate::engine::compute::Compute;
use crate::engine::folds::total_by;
use crate::engine::folds::{
    Count, ExtremeOf, Largest, Ordered, Product, Smallest, SumOf, extreme, first, itself, total_of,
};
use crate::engine::lanes::{Acc, Lanes, from_lanes, mask, with_acc, with_float_acc, wrap};
use crate::engine::number::Number;
use crate::engine::rows::{self, Fold, Output, Rows, Work, with_real_work, with_work};
use crate::engine::scratch;
use crate::engine::transcendental;
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
use with_float_work;

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
use fold;

fn two(a: Tensor, b: Tensor) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Tensor(a), IValue::Tensor(b)])
}

/// The pairwise sum of a lane in its accumulation type.
pub fn total<T: Acc>(lane: &[T]) -> T {
    total_by(lane, |x| x)
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
    let dtype = crate::engine::promote::result_type(args[..2].iter())?;
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
use with_ordered;

pub fn logsumexp(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let mask = dims(t, args, 1)?;
    if t.dtype().is_complex() {
        type C = num_complex::Complex<f64>;
        return one(fold!(call, 0, t, &mask, C => |lane: &[C]| {
            let high = lane.iter().map(|x| x.re).fold(f64::NEG_INFINITY, f64::max);
            let shift = if high.is_finite() { high } else { 0.0 };
            lane.iter().map(|x| crate::engine::functions::exp(*x - shift)).sum::<C>().ln() + shift
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

/// False for NaN.
#[allow(clippy::eq_op, reason = "NaN is what differs from itself")]
fn same_as_itself<T: PartialEq>(x: &T) -> bool {
    x == x
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
    }
}
