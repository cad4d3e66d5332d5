//! Scans: every result element is a function of a lane up to there, or of its neighbours.

use super::*;
use num_complex::Complex;

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

/// `ln(eᵃ + eᵇ)` as the greater of the two plus what the other adds: its angle is continued, not brought back to one turn.
fn log_add_complex(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
    if a.is_nan() || b.is_nan() {
        return Complex::new(f64::NAN, f64::NAN);
    }
    let (less, greater) = if b.re < a.re { (b, a) } else { (a, b) };
    if less.re == greater.re && less.re.is_infinite() {
        return if less.re < 0.0 { less } else { Complex::new(f64::INFINITY, f64::NAN) };
    }
    let z = crate::engine::functions::exp(less - greater);
    // ln(1 + z), without loss where z is small.
    let ln_1p = Complex::new(0.5 * (z.re * (2.0 + z.re) + z.im * z.im).ln_1p(), z.im.atan2(1.0 + z.re));
    greater + ln_1p
}

pub fn logcumsumexp(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = result_dtype(call.metas, 0)?;
    let (t, dim) = (tensor_arg(args, 0)?, int_arg(args, 1)?);
    if dtype.is_complex() {
        type C = num_complex::Complex<f64>;
        return along::<C>(call, t, dim, FEW / 64, |from, to| {
            let mut sum = C::new(f64::NEG_INFINITY, 0.0);
            for (x, y) in from.iter().zip(to) {
                sum = log_add_complex(sum, *x);
                *y = sum;
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
                // Of truth values the difference is whether they differ; every step is cut to the dtype. PyTorch multiplies what it subtracts by 1,
                // which an infinite complex number does not survive.
                let one = crate::engine::cast::Value::to::<T>(1i64);
                lane = lane.windows(2).map(|w| w[1].sub(w[0].mul(one))).collect();
            }
            data.extend(lane);
        }
        from_lanes(data, &sizes, dim, dtype)?
    }))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_add_keeps_infinities() {
        assert_eq!(log_add(f64::NEG_INFINITY, f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert_eq!(log_add(f64::INFINITY, 1.0), f64::INFINITY);
        assert!((log_add(0.0, 0.0) - std::f64::consts::LN_2).abs() < 1e-15);
    }
}
