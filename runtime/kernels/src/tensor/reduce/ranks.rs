//! Reductions that order a lane: medians, quantiles and the most frequent value.

use super::*;
use crate::engine::lanes::permute;

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
    let (qs, several) = match arg(args, 1)? {
        IValue::Tensor(q) => (cast::to_vec::<f64>(q)?, q.dim() == 1),
        v => (vec![v.as_double()?], false),
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
    let data = by_lane.iter().flat_map(|s| qs.iter().map(|q| quantile_of(s, *q, &mode))).collect::<Vec<f64>>();
    let mut laid = sizes;
    if !several {
        return one(cast::from_vec(data, &laid, dtype)?);
    }
    // The quantiles of a lane lie side by side, as PyTorch leaves them.
    laid.rotate_left(1);
    let order: Vec<usize> = std::iter::once(laid.len() - 1).chain(0..laid.len() - 1).collect();
    one(permute(&cast::from_vec(data, &laid, dtype)?, &order)?)
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
    crate::tensor::tie_order::sort(&mut order, |&a, &b| lane[a] < lane[b]);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_median() {
        assert_eq!(middle(&[4i64, 1, 3, 2]), 3);
    }
}
