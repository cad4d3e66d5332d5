//! The kernel of every operator whose record has a fold: each lane of elements becomes one value, or the values up to each of its elements.

use crate::engine::arguments::{arg, int_arg, ints_arg, one, result, result_dtype, tensor_arg};
use crate::engine::cast::{self, Value};
use crate::engine::compute::Compute;
use crate::engine::folds::{
    Itself, Largest, Ordered, Product, Smallest, SquareFrom, Sum, extreme, extremes_of_columns, itself, total,
    total_of, total_of_powers,
};
use crate::engine::functions;
use crate::engine::lanes::{Acc, Lanes, with_acc, wrap};
use crate::engine::number::Number;
use crate::engine::rows::{self, Change, Fold as Folding, Output, Rows, Work, Writer, with_real_work, with_work};
use crate::engine::scratch;
use crate::{Call, Error, Outputs, pointwise};
use num_complex::Complex;
use sconce_schema::fold::{Fold, Norm, Reducer};
use sconce_schema::scalar::Node;
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::SmallVec;

pub type Mask = SmallVec<[bool; 6]>;

/// Elements of a lane worth a thread where each costs a few instructions.
pub const FEW: usize = 1 << 15;

/// Runs a body with `$t` bound to the type that a floating dtype is worked on in.
macro_rules! with_float_work {
    ($dtype:expr, $t:ident => $body:expr) => {{
        let dtype: DType = $dtype;
        if dtype.is_complex() {
            type $t = Complex<f64>;
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

pub fn evaluate(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let missing = || Error::Missing { op: call.entry.name.to_string(), needs: None };
    let fold = call.entry.fold.ok_or_else(missing)?;
    if let Some(at) = fold.reduction {
        return loss(call, fold, args, int_arg(args, at.into())?);
    }
    let made;
    let t = match *fold.element.nodes {
        [Node::Arg(_)] => tensor_arg(args, 0)?,
        _ => {
            let dtype = unrounded(tensor_arg(args, 0)?.dtype());
            made = pointwise::elements(call.entry, fold.element, args, dtype)?;
            &made
        }
    };
    if fold.running {
        let dim = fold.dims.ok_or_else(missing)?;
        return running(call, fold.reducers, t, wrap(int_arg(args, dim.into())?, t.dim())?);
    }
    let mask = folded_dims(fold, t, args)?;
    match *fold.reducers {
        [reducer @ (Reducer::Max | Reducer::Min), Reducer::ArgMax | Reducer::ArgMin] => {
            with_real_work!(t.dtype(), W => extremes::<W>(call, t, &mask, reducer == Reducer::Max))
        }
        [reducer @ (Reducer::ArgMax | Reducer::ArgMin)] => {
            with_real_work!(t.dtype(), W => extremes::<W>(call, t, &mask, reducer == Reducer::ArgMax))
        }
        [reducer @ (Reducer::Variance | Reducer::Deviation), ..] => {
            deviations(call, t, &mask, reducer == Reducer::Deviation, correction(fold, args)?)
        }
        [Reducer::LogSumExp] => log_sum_exp(call, t, &mask),
        [Reducer::Norm] => norm(call, t, &mask, order(fold, args)?),
        [reducer] => one(reduced(call, 0, reducer, t, &mask)?),
        _ => {
            let mut outputs = Outputs::new();
            for (i, reducer) in fold.reducers.iter().enumerate() {
                outputs.push(IValue::Tensor(reduced(call, i, *reducer, t, &mask)?));
            }
            Ok(outputs)
        }
    }
}

/// The dtype of elements that are to be folded: halves are not rounded before.
fn unrounded(dtype: DType) -> DType {
    if dtype.is_float() && dtype.size() == 2 { DType::F32 } else { dtype }
}

/// Which dimensions the call folds.
fn folded_dims(fold: &Fold, t: &Tensor, args: &[IValue]) -> Result<Mask, Error> {
    match fold.dims.map(usize::from) {
        // Whether they stay the rule has said.
        Some(at) if !arg(args, at)?.is_none() => Ok(fold.reduction(t.dim(), Some(&ints_arg(args, at)?), false)?.folded),
        _ => Ok(SmallVec::from_elem(true, t.dim())),
    }
}

/// A contiguous tensor for result number `i`.
pub fn space(call: &Call<'_>, i: usize) -> Result<Tensor, Error> {
    let (sizes, dtype) = result(call.metas, i)?;
    call.contiguous_output(i, &sizes, dtype)
}

/// Result number `i`: every lane of `rows` folded, then finished by a function of the state.
pub fn folded<W: Work, F: Folding<W>, R: Work>(
    call: &Call<'_>,
    i: usize,
    rows: &Rows,
    f: &F,
    finish: impl Fn(F::State) -> R,
) -> Result<Tensor, Error> {
    finished(call, i, &rows::fold::<W, F>(rows, f)?, finish)
}

/// Result number `i`: what a function makes of each lane's state.
fn finished<S: Copy, R: Work>(
    call: &Call<'_>,
    i: usize,
    states: &[S],
    finish: impl Fn(S) -> R,
) -> Result<Tensor, Error> {
    let mut values = scratch::buffer::<R>(states.len());
    values.iter_mut().zip(states).for_each(|(v, s)| *v = finish(*s));
    let out = space(call, i)?;
    rows::write(&out, &values)?;
    Ok(out)
}

/// The tensor as a sum of this dtype sees it: elements are first converted to the result's dtype, which for the widest types reading does.
pub(crate) fn converted(t: &Tensor, dtype: DType) -> Result<Tensor, Error> {
    let wide = matches!(dtype, DType::F32 | DType::F64 | DType::I64 | DType::C128);
    if wide && dtype.is_complex() >= t.dtype().is_complex() { Ok(t.clone()) } else { cast::convert(t, dtype) }
}

/// Result number `i` of those that are one state for each lane.
fn reduced(call: &Call<'_>, i: usize, reducer: Reducer, t: &Tensor, mask: &Mask) -> Result<Tensor, Error> {
    if !matches!(reducer, Reducer::Max | Reducer::Min | Reducer::Any | Reducer::All | Reducer::Count) {
        return added(call, i, reducer, &converted(t, result_dtype(call.metas, i)?)?, mask);
    }
    // Truth is asked of integers: of others it is found first.
    let extreme = matches!(reducer, Reducer::Max | Reducer::Min);
    let t = if extreme || t.dtype().is_int() { t } else { &cast::convert(t, DType::Bool)? };
    let rows = Rows::new(t, mask);
    let length = rows.length();
    match reducer {
        Reducer::Max | Reducer::Min => with_real_work!(t.dtype(), W => {
            let finish = |s: W| if length == 0 { W::ZERO } else { s };
            match reducer {
                Reducer::Max => folded::<W, _, _>(call, i, &rows, &Largest, finish),
                _ => folded::<W, _, _>(call, i, &rows, &Smallest, finish),
            }
        }),
        _ => {
            let finish = |n: i64| match reducer {
                Reducer::Any => i64::from(n > 0),
                Reducer::All => i64::from(n == length as i64),
                _ => n,
            };
            folded::<i64, _, _>(call, i, &rows, &Sum(|x: i64| i64::from(x != 0)), finish)
        }
    }
}

/// Result number `i`: the sum, mean or product of lanes, of elements as they are.
fn added(call: &Call<'_>, i: usize, reducer: Reducer, t: &Tensor, mask: &Mask) -> Result<Tensor, Error> {
    let rows = Rows::new(t, mask);
    let dtype = result_dtype(call.metas, i)?;
    match reducer {
        Reducer::Product => {
            let t = cast::convert(t, dtype)?;
            let rows = Rows::new(&t, mask);
            with_acc!(dtype, W => folded::<W, _, _>(call, i, &rows, &Product, |s| s))
        }
        Reducer::Mean => {
            let n = rows.length() as f64;
            with_float_work!(dtype, W => folded::<W, _, _>(call, i, &rows, &Sum(Itself), |s| s / n))
        }
        _ => with_work!(dtype, W => folded::<W, _, _>(call, i, &rows, &Sum(Itself), |s| s)),
    }
}

/// Chosen elements of lanes: their values in result 0, where there are two, and their positions in the last.
struct Chosen<W> {
    outputs: Outputs,
    values: Option<Writer<W>>,
    positions: Writer<i64>,
}

impl<W: Work> Chosen<W> {
    fn new(call: &Call<'_>) -> Result<Chosen<W>, Error> {
        let positions = space(call, call.metas.len().saturating_sub(1))?;
        let values = (call.metas.len() > 1).then(|| space(call, 0)).transpose()?;
        Ok(Chosen {
            values: values.as_ref().map(Writer::new).transpose()?,
            positions: Writer::new(&positions)?,
            outputs: values.into_iter().chain([positions]).map(IValue::Tensor).collect(),
        })
    }
    /// Of lanes from `first` on.
    fn write(&self, first: usize, values: &[W], positions: &[i64]) {
        self.positions.write(first, positions);
        if let Some(to) = &self.values {
            to.write(first, values);
        }
    }
}

/// Values and positions, or positions alone, by a function from lane to position.
pub fn positions<W: Work>(
    call: &Call<'_>,
    t: &Tensor,
    mask: &Mask,
    at: impl Fn(&[W]) -> usize + Sync,
) -> Result<Outputs, Error> {
    let chosen = Chosen::new(call)?;
    rows::each::<W>(&Rows::new(t, mask), FEW, |i, lane| {
        let at = at(lane);
        chosen.write(i, &lane[at..=at], &[at as i64]);
    })?;
    Ok(chosen.outputs)
}

/// Each lane's largest (smallest) element.
fn extremes<W: Ordered>(call: &Call<'_>, t: &Tensor, mask: &Mask, largest: bool) -> Result<Outputs, Error> {
    let rows = Rows::new(t, mask);
    if !rows.has_columns::<W>() || rows.length() == 0 || u32::try_from(rows.length()).is_err() {
        return positions::<W>(call, t, mask, |lane| extreme(lane, largest));
    }
    let chosen = Chosen::<W>::new(call)?;
    rows::columns::<W>(&rows, &rows, FEW, |c| {
        extremes_of_columns(c, largest, |values, at| {
            let at: SmallVec<[i64; rows::ACROSS]> = at.iter().map(|k| i64::from(*k)).collect();
            chosen.write(c.first(), values, &at);
        });
    });
    Ok(chosen.outputs)
}

/// The logarithm of sums of exponentials, around each lane's largest element where that is a number.
fn log_sum_exp(call: &Call<'_>, t: &Tensor, mask: &Mask) -> Result<Outputs, Error> {
    let shift_of = |high: f64| if high.is_finite() { high } else { 0.0 };
    if t.dtype().is_complex() {
        type C = Complex<f64>;
        let (sizes, dtype) = result(call.metas, 0)?;
        let of = |lane: &[C]| {
            let shift = shift_of(lane.iter().map(|x| x.re).fold(f64::NEG_INFINITY, f64::max));
            lane.iter().map(|x| functions::exp(*x - shift)).sum::<C>().ln() + shift
        };
        return one(cast::from_vec(Lanes::<C>::over(t, mask)?.iter().map(of).collect(), &sizes, dtype)?);
    }
    let out = space(call, 0)?;
    let to = Rows::elements(&out);
    let to = Output::<f64>::new(&to)?;
    let rows = Rows::new(t, mask);
    if t.dtype() == DType::F64 || !t.dtype().is_float() {
        rows::each::<f64>(&rows, FEW / 16, |i, lane| {
            let shift = shift_of(rows::fold_slice(&Largest, lane));
            to.write(i, &[total_of(lane, |x: f64| (x - shift).exp()).ln() + shift]);
        })?;
    } else {
        rows::each::<f32>(&rows, FEW / 4, |i, lane| {
            let shift = shift_of(f64::from(rows::fold_slice(&Largest, lane))) as f32;
            to.write(i, &[total_of_powers(lane, shift).ln() + f64::from(shift)]);
        })?;
    }
    one(out)
}

/// The order of a norm; none is 2.
fn order(fold: &Fold, args: &[IValue]) -> Result<f64, Error> {
    match fold.setting.map(|i| arg(args, i.into())).transpose()? {
        None | Some(IValue::None) => Ok(2.0),
        Some(IValue::Complex(c)) => Ok(c.re),
        Some(v) => Ok(v.as_double()?),
    }
}

fn norm(call: &Call<'_>, t: &Tensor, mask: &Mask, order: f64) -> Result<Outputs, Error> {
    let t = if t.dtype().is_complex() { &magnitudes(t)? } else { t };
    let rows = Rows::new(t, mask);
    let magnitude = |xs: &mut [f64]| xs.iter_mut().for_each(|x| *x = x.abs());
    let sums = |change: Change<'_, f64>| rows::fold_changed(&rows, change, &Sum(Itself));
    one(match Norm::of(order) {
        // Most norms are these: they have loops of their own.
        Norm::Squares if t.dtype() == DType::F64 => {
            folded::<f64, _, _>(call, 0, &rows, &Sum(SquareFrom(0.0)), f64::sqrt)?
        }
        Norm::Squares => folded::<f32, _, _>(call, 0, &rows, &Sum(SquareFrom(0.0)), f64::sqrt)?,
        Norm::Magnitudes if t.dtype() == DType::F64 => folded::<f64, _, _>(call, 0, &rows, &Sum(f64::abs), |s| s)?,
        Norm::Magnitudes => folded::<f32, _, _>(call, 0, &rows, &Sum(f64::abs), |s| s)?,
        Norm::Count => {
            let count = |xs: &mut [f64]| xs.iter_mut().for_each(|x| *x = f64::of_bool(x.truth()));
            finished(call, 0, &sums(&count)?, |n| n)?
        }
        Norm::Powers(p) => {
            let power = |xs: &mut [f64]| xs.iter_mut().for_each(|x| *x = x.abs().powf(p));
            finished(call, 0, &sums(&power)?, |s| s.powf(1.0 / p))?
        }
        Norm::Largest => {
            // Of nothing it is 0.
            let finish = |s: f64| if s < 0.0 { 0.0 } else { s };
            finished(call, 0, &rows::fold_changed(&rows, &magnitude, &Largest)?, finish)?
        }
        Norm::Smallest => finished(call, 0, &rows::fold_changed(&rows, &magnitude, &Smallest)?, |s| s)?,
    })
}

/// The absolute values of complex numbers.
fn magnitudes(t: &Tensor) -> Result<Tensor, Error> {
    let values = rows::read::<Complex<f64>>(t)?;
    Ok(Tensor::from_vec(values.iter().map(|x| x.magnitude()).collect(), t.sizes()))
}

/// What is taken from the number of elements that squares are divided by; none is 1.
fn correction(fold: &Fold, args: &[IValue]) -> Result<f64, Error> {
    match fold.setting.map(|i| arg(args, i.into())).transpose()?.and_then(IValue::optional) {
        None => Ok(1.0),
        Some(v) => Number::from_value(v)?.to_f64(),
    }
}

/// Mean and the sum of squared distances from it, divided by `n - correction`.
fn moments<W: Work>(lane: &[W], correction: f64) -> (W::Sum, f64) {
    let n = lane.len() as f64;
    let mut mean = total(lane).scale(1.0 / n);
    if !lane.is_empty() && !mean.magnitude().is_finite() {
        // PyTorch moves the mean from element to element, away from an infinity by infinitely much.
        let moved = |mean: W::Sum, (x, n): (&W, u32)| mean.add(itself(*x).sub(mean).scale(1.0 / f64::from(n)));
        mean = lane.iter().zip(1..).fold(W::Sum::default(), moved);
    }
    if lane.is_empty() {
        return (mean, f64::NAN);
    }
    (mean, total_of(lane, SquareFrom(mean)) / (n - correction).max(0.0))
}

/// Variances or their roots, from the mean of each lane in a second pass over it; the means too where there is a second result.
fn deviations(call: &Call<'_>, t: &Tensor, mask: &Mask, root: bool, correction: f64) -> Result<Outputs, Error> {
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
                let mean = rows::fold::<W, _>(&lane, &Sum(Itself))?[0].scale(1.0 / n);
                let squares = Sum(SquareFrom(mean));
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
        let mut outputs = one(first)?;
        if call.metas.len() > 1 {
            let second = space(call, 1)?;
            rows::write(&second, &means)?;
            outputs.push(IValue::Tensor(second));
        }
        Ok(outputs)
    })
}

/// A loss: its elements, their mean or their sum.
fn loss(call: &Call<'_>, fold: &Fold, args: &mut [IValue], reduction: i64) -> Result<Outputs, Error> {
    let Some(reducer) = Fold::asked(reduction) else {
        return pointwise::evaluate_as(call, fold.element, args);
    };
    let dtype = unrounded(result_dtype(call.metas, 0)?);
    if let Some((sum, n)) = pointwise::sum(call.entry, fold.element, args, dtype)? {
        let out = space(call, 0)?;
        rows::write(&out, &[if reducer == Reducer::Mean { sum / n as f64 } else { sum }])?;
        return one(out);
    }
    let t = pointwise::elements(call.entry, fold.element, args, dtype)?;
    one(added(call, 0, reducer, &t, &SmallVec::from_elem(true, t.dim()))?)
}

/// Each element's result is the fold of those up to it.
fn running(call: &Call<'_>, reducers: &[Reducer], t: &Tensor, dim: usize) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    match *reducers {
        [Reducer::Max, ..] => running_extremes(call, t, dim, true),
        [Reducer::Min, ..] => running_extremes(call, t, dim, false),
        [Reducer::LogSumExp] if dtype.is_complex() => {
            let start = Complex::new(f64::NEG_INFINITY, 0.0);
            along::<Complex<f64>>(call, t, dim, FEW / 64, |from, to| steps(from, to, start, log_add_complex))
        }
        [Reducer::LogSumExp] => {
            along::<f64>(call, t, dim, FEW / 64, |from, to| steps(from, to, f64::NEG_INFINITY, log_add))
        }
        [Reducer::Product] => with_work!(dtype, W => {
            let t = converted(t, dtype)?;
            along::<W>(call, &t, dim, FEW, |from, to| steps(from, to, <W as Work>::Sum::ONE, |a, x| Acc::mul(a, itself::<W>(x))))
        }),
        _ if dtype == DType::F32 => along::<f32>(call, t, dim, FEW, running_sums),
        _ => with_work!(dtype, W => {
            let t = converted(t, dtype)?;
            along::<W>(call, &t, dim, FEW, |from, to| steps(from, to, <W as Work>::Sum::ZERO, |a, x| Acc::add(a, itself::<W>(x))))
        }),
    }
}

/// A lane's states, one for each element.
fn steps<W: Work, S: Value>(from: &[W], to: &mut [W], start: S, step: impl Fn(S, W) -> S) {
    let mut state = start;
    for (x, y) in from.iter().zip(to) {
        state = step(state, *x);
        *y = state.to();
    }
}

/// Result 0: each lane of `t` along a dimension as `f` makes it from the lane.
fn along<W: Work>(
    call: &Call<'_>,
    t: &Tensor,
    dim: usize,
    elements: usize,
    f: impl Fn(&[W], &mut [W]) + Sync,
) -> Result<Outputs, Error> {
    let out = space(call, 0)?;
    rows::map(&Rows::along(t, dim), &Rows::along(&out, dim), elements, |_, from, to| f(from, to))?;
    one(out)
}

/// Running sums in f64, of four parts at once: each addition waits for the one before it.
fn running_sums(from: &[f32], to: &mut [f32]) {
    let quarter = if from.len() < 64 { 0 } else { from.len() / 4 };
    let mut sums = [0f64; 4];
    for part in 1..4 {
        sums[part] = sums[part - 1] + total_of(&from[(part - 1) * quarter..part * quarter], Itself);
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

/// Running extremes and where they were last reached.
fn running_extremes(call: &Call<'_>, t: &Tensor, dim: usize, largest: bool) -> Result<Outputs, Error> {
    let (values, indices) = (space(call, 0)?, space(call, 1)?);
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
    Ok([values, indices].map(IValue::Tensor).into_iter().collect())
}

/// `log(exp(a) + exp(b))` without overflow.
fn log_add(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if a.is_nan() || b.is_nan() {
        return f64::NAN;
    }
    if low == high && !high.is_finite() { high } else { high + (low - high).exp().ln_1p() }
}

/// `ln(eᵃ + eᵇ)` as the greater of the two plus what the other adds: its angle is continued, not brought back to one turn.
fn log_add_complex(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
    if a.is_nan() || b.is_nan() {
        return Complex::new(f64::NAN, f64::NAN);
    }
    let (less, greater) = if b.re < a.re { (b, a) } else { (a, b) };
    if less.re == greater.re && less.re.is_infinite() {
        return if less.re < 0.0 { less } else { Complex::new(f64::INFINITY, f64::NAN) };
    }
    let z = functions::exp(less - greater);
    // ln(1 + z), without loss where z is small.
    let ln_1p = Complex::new(0.5 * (z.re * (2.0 + z.re) + z.im * z.im).ln_1p(), z.im.atan2(1.0 + z.re));
    greater + ln_1p
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_add_keeps_infinities() {
        assert_eq!(log_add(f64::NEG_INFINITY, f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert_eq!(log_add(f64::INFINITY, 1.0), f64::INFINITY);
        assert!((log_add(0.0, 0.0) - std::f64::consts::LN_2).abs() < 1e-15);
    }

    #[test]
    fn the_first_nan_is_the_extreme() {
        assert_eq!(extreme(&[1.0, 3.0, f64::NAN, 4.0, f64::NAN], true), 2);
        assert_eq!(extreme(&[3.0, 1.0, 1.0], false), 1);
    }
}
