//! What reduces tensors and is no fold of one record: equality of all elements, sums to given sizes, medians and modes.

use crate::engine::arguments::{one, result, tensor_arg};
use crate::engine::cast;
use crate::engine::folds::{Itself, Ordered, Sum, first};
use crate::engine::lanes::{mask, with_acc};
use crate::engine::rows::{self, Rows, with_real_work, with_work};
use crate::tensor::fold::{Mask, folded, positions};
use crate::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;

/// Same sizes and the same elements, dtypes apart.
pub fn equal(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let dtype = crate::engine::promote::result_type(args[..2].iter())?;
    let same = a.sizes() == b.sizes()
        && with_acc!(dtype, T => cast::to_vec::<T>(&cast::convert(a, dtype)?)? == cast::to_vec::<T>(&cast::convert(b, dtype)?)?);
    Ok(smallvec![IValue::Bool(same)])
}

pub fn sum_to_size(call: &Call<'_>, t: &Tensor) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let lead = t.dim() - sizes.len();
    let mask: Mask = (0..t.dim()).map(|d| d < lead || (sizes[d - lead] == 1 && t.sizes()[d] != 1)).collect();
    if !mask.contains(&true) {
        return one(t.clone());
    }
    let rows = Rows::new(t, &mask);
    one(with_work!(dtype, W => folded::<W, _, _>(call, 0, &rows, &Sum(Itself), |s| s)?))
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

pub fn median(call: &Call<'_>, t: &Tensor) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    if t.numel() == 0 {
        let empty = if dtype.is_float() { f64::NAN } else { i64::MIN as f64 };
        return one(cast::from_vec(vec![empty], &sizes, dtype)?);
    }
    one(with_real_work!(t.dtype(), W => {
        let all = rows::read::<W>(t)?;
        cast::from_vec(vec![all[middle(&all)]], &sizes, dtype)?
    }))
}

pub fn median_dim(call: &Call<'_>, t: &Tensor, dim: i64) -> Result<Outputs, Error> {
    let mask = mask(&[dim], t.dim())?;
    with_real_work!(t.dtype(), W => positions::<W>(call, t, &mask, middle))
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

pub fn mode(call: &Call<'_>, t: &Tensor, dim: i64) -> Result<Outputs, Error> {
    let mask = mask(&[dim], t.dim())?;
    with_real_work!(t.dtype(), W => positions::<W>(call, t, &mask, most_frequent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_median() {
        assert_eq!(middle(&[4i64, 1, 3, 2]), 3);
    }
}
