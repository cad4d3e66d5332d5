//! Softmax and its logarithm: sums of exponentials in f64, each taken from the largest element of its lane.

use super::*;
use crate::engine::calling::kernels;

/// Elements worth a thread where each costs an exponential.
const EXPONENTIALS: usize = 1 << 14;

/// Softmax of one lane in place, or its logarithm.
pub fn softmax_lane(lane: &mut [f64], log: bool) {
    if log {
        let shift = f64::log_sum_exp(lane);
        return lane.iter_mut().for_each(|x| *x -= shift);
    }
    let high = fold_slice(&Largest, lane);
    lane.iter_mut().for_each(|x| *x = (*x - high).exp());
    let sum = total(lane);
    lane.iter_mut().for_each(|x| *x /= sum);
}

/// The same for lanes side by side.
fn softmax_columns(c: &Columns<'_, f32>, log: bool, safe: bool) {
    let (mut high, mut sums) = ([f32::LOWEST; ACROSS], [0f64; ACROSS]);
    let (high, sums) = (&mut high[..c.lanes()], &mut sums[..c.lanes()]);
    vectorize_widest(
        #[inline(always)]
        || {
            for k in 0..c.length() {
                high.iter_mut().zip(c.line(k)).for_each(|(h, x)| *h = Largest.step(*h, *x));
            }
            if safe {
                high.iter_mut().for_each(|h| *h = if *h == f32::NEG_INFINITY { 0.0 } else { *h });
            }
            for k in 0..c.length() {
                let powers = c.line(k).iter().zip(high.iter()).map(|(x, h)| transcendental::exp(*x - *h));
                if log {
                    sums.iter_mut().zip(powers).for_each(|(s, p)| *s += f64::from(p));
                } else {
                    for ((y, s), p) in c.result(k).iter_mut().zip(sums.iter_mut()).zip(powers) {
                        *y = p;
                        *s += f64::from(p);
                    }
                }
            }
        },
    );
    // What is taken from a logarithm, or what an exponential is multiplied by.
    for (s, h) in sums.iter_mut().zip(high.iter()) {
        *s = match (log, *s) {
            (true, s) => f64::from(*h) + s.ln(),
            (false, 0.0) => 0.0,
            (false, s) => 1.0 / s,
        };
    }
    vectorize_widest(
        #[inline(always)]
        || {
            for k in 0..c.length() {
                if log {
                    for ((y, x), s) in c.result(k).iter_mut().zip(c.line(k)).zip(sums.iter()) {
                        *y = (f64::from(*x) - s) as f32;
                    }
                } else {
                    c.result(k).iter_mut().zip(sums.iter()).for_each(|(y, s)| *y = (f64::from(*y) * s) as f32);
                }
            }
        },
    );
}

fn softmax_of(call: &Call<'_>, args: &[IValue], log: bool, safe: bool) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = converted(tensor_arg(args, 0)?, dtype)?;
    let dim = wrap(int_arg(args, 1)?, t.dim())?;
    let out = call.contiguous_output(0, &sizes, dtype)?;
    let (from, to) = (Rows::along(&t, dim), Rows::along(&out, dim));
    if rows::columns::<f32>(&from, &to, EXPONENTIALS, |c| softmax_columns(c, log, safe)) {
        return one(out);
    }
    with_float!(dtype, W => {
        rows::map::<W>(&from, &to, EXPONENTIALS, |_, from, to| {
            if safe && from.iter().all(|x| *x == W::NEG_INFINITY) { to.fill(0.0) } else { W::softmax(from, to, log) }
        })?;
    });
    one(out)
}

kernels! {
    softmax = softmax_of, false, false; log_softmax = softmax_of, true, false;
    /// A lane of nothing but minus infinity gives zeros.
    safe_softmax = softmax_of, false, true;
}
