//! Counting: how often values occur, and whether they do.

use super::*;

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
    let dtype = crate::engine::promote::result_type(args[..2].iter())?;
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
