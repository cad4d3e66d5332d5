//! Variances and standard deviations: from the mean of each lane, in a second pass over it.

use super::*;

/// Mean and the sum of squared distances from it, divided by `n - correction`.
fn moments<W: Work>(lane: &[W], correction: f64) -> (W::Sum, f64) {
    let n = lane.len() as f64;
    let mut mean = crate::engine::folds::total(lane).scale(1.0 / n);
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
            let correction = arg(args, 2)?.optional().map_or(Ok(1.0), |v| Number::from_value(v)?.to_f64())?;
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
