//! Counting: how often values occur.

use sconce_kernels::engine::arguments::{float_arg, int_arg, one, optional_tensor, result, result_dtype, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::folds::extreme;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Tensor};

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
