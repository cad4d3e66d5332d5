//! Derivatives of sums over bags of rows.

use sconce_kernels::engine::arguments::arg;
use sconce_kernels::engine::cast::{self, to_vec};
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;

/// Rows that are named, each of which there is.
fn rows_of(indices: &Tensor, rows: i64) -> Result<Vec<i64>, Error> {
    let picked = to_vec::<i64>(indices)?;
    match picked.iter().find(|v| !(0..rows).contains(*v)) {
        Some(v) => Err(Error::index(format!("index {v} is out of range"))),
        None => Ok(picked),
    }
}

/// The bag of each index: as given, or made from where bags begin where the forward call gave none.
fn bags_of(given: &Tensor, offsets: &Tensor, count: usize) -> Result<Vec<usize>, Error> {
    if given.numel() == count {
        return Ok(to_vec::<i64>(given)?.iter().map(|b| *b as usize).collect());
    }
    let starts = to_vec::<i64>(offsets)?;
    Ok((0..count).map(|i| starts.iter().rposition(|s| *s <= i as i64).unwrap_or(0)).collect())
}

/// Numbers of a matrix and the length of its rows.
fn matrix(t: &Tensor) -> Result<(Vec<f64>, usize), Error> {
    if t.dim() != 2 {
        return Err(Error::runtime(format!("a matrix is expected, got a tensor of dimension {}", t.dim())));
    }
    Ok((to_vec::<f64>(t)?, t.sizes()[1] as usize))
}

/// (grad, indices, offsets, offset2bag, bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode, sparse, per_sample_weights,
/// padding_idx): what each row gets from the bags it is in.
pub fn bag_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let at = |i: usize| arg(args, i).and_then(|v| Ok(v.as_tensor()?));
    let (grad, width) = matrix(at(0)?)?;
    let (rows, mode, padding) = (arg(args, 6)?.as_int()?, arg(args, 8)?.as_int()?, arg(args, 11)?.as_int()?);
    if arg(args, 9)?.as_bool()? {
        return Err(Error::runtime("sparse gradients are not supported"));
    }
    let indices = at(1)?;
    let picked = rows_of(indices, rows)?;
    let bags = bags_of(at(3)?, at(2)?, picked.len())?;
    let count = grad.len().checked_div(width).unwrap_or(0);
    if bags.iter().any(|b| *b >= count) {
        return Err(Error::runtime("an index is in a bag that has no gradient"));
    }
    let lengths = to_vec::<f64>(at(4)?)?;
    let weights = match arg(args, 10)?.optional() {
        Some(w) => Some(to_vec::<f64>(w.as_tensor()?)?),
        None => None,
    };
    if weights.as_ref().is_some_and(|w| w.len() != picked.len()) {
        return Err(Error::runtime("per_sample_weights must have one element per index"));
    }
    let by_frequency = arg(args, 7)?.as_bool()?;
    let frequency = |row: i64| picked.iter().filter(|r| **r == row).count() as f64;
    let mut out = vec![0.0; rows as usize * width];
    if mode == 2 {
        let winners = to_vec::<i64>(at(5)?)?;
        for (k, (g, row)) in grad.iter().zip(&winners).enumerate() {
            let slot = usize::try_from(*row).ok().and_then(|r| out.get_mut(r * width + k % width));
            *slot.ok_or_else(|| Error::runtime("a maximum lies outside the rows"))? += g;
        }
    } else {
        for (i, (&row, &bag)) in picked.iter().zip(&bags).enumerate().filter(|(_, (r, _))| **r != padding) {
            let mut scale = weights.as_ref().map_or(1.0, |w| w[i]);
            if mode == 1 {
                scale /= lengths.get(bag).copied().unwrap_or(1.0);
            }
            if by_frequency {
                scale /= frequency(row);
            }
            let start = row as usize * width;
            for (slot, g) in out[start..start + width].iter_mut().zip(&grad[bag * width..]) {
                *slot += g * scale;
            }
        }
    }
    Ok(smallvec![IValue::Tensor(cast::from_vec(out, &[rows, width as i64], at(0)?.dtype())?)])
}

/// (grad, weight, indices, offsets, offset2bag, mode, padding_idx): for each index its row times its bag's gradient.
pub fn bag_weights_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let at = |i: usize| arg(args, i).and_then(|v| Ok(v.as_tensor()?));
    if arg(args, 5)?.as_int()? != 0 {
        return Err(Error::runtime("embedding_bag_backward: per_sample_weights only supported for mode='sum'"));
    }
    let ((grad, width), (weight, _), padding) = (matrix(at(0)?)?, matrix(at(1)?)?, arg(args, 6)?.as_int()?);
    let picked = rows_of(at(2)?, at(1)?.sizes()[0])?;
    let bags = bags_of(at(4)?, at(3)?, picked.len())?;
    if bags.iter().any(|b| (b + 1) * width > grad.len()) {
        return Err(Error::runtime("an index is in a bag that has no gradient"));
    }
    let row = |data: &[f64], i: usize| data[i * width..(i + 1) * width].to_vec();
    let out: Vec<f64> = picked
        .iter()
        .zip(&bags)
        .map(|(&r, &bag)| {
            if r == padding {
                return 0.0;
            }
            row(&grad, bag).iter().zip(row(&weight, r as usize)).map(|(g, w)| g * w).sum()
        })
        .collect();
    let n = out.len() as i64;
    Ok(smallvec![IValue::Tensor(cast::from_vec(out, &[n], at(0)?.dtype())?)])
}
