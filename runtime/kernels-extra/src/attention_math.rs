//! Attention with its weights as a second result.

use sconce_kernels::engine::arguments::{arg, bool_arg, float_arg, optional_tensor, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::nn::attention::{Masks, attention};
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;

/// (query, key, value, attn_mask, dropout_p, is_causal, dropout_mask, scale, enable_gqa): the result and the weights.
pub fn attention_math(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (q, k, x) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let mask = optional_tensor(args, 3)?;
    let dropout = float_arg(args, 4)?;
    if dropout != 0.0 && optional_tensor(args, 6)?.is_some() {
        return Err(Error::runtime("scaled dot product attention with a given dropout mask is not supported"));
    }
    if mask.is_some() && bool_arg(args, 5)? {
        return Err(Error::runtime(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True",
        ));
    }
    let scale = scale_of(args, 7, q)?;
    let masks = Masks { mask, causal: bool_arg(args, 5)?, dropout };
    let (out, weights) = attention(q, k, x, &masks, scale, bool_arg(args, 8)?)?;
    Ok(smallvec![cast::convert(&out, q.dtype())?.into(), cast::convert(&weights, q.dtype())?.into()])
}

fn scale_of(args: &[IValue], i: usize, q: &Tensor) -> Result<f64, Error> {
    let width = q.sizes().last().copied().unwrap_or(1) as f64;
    Ok(arg(args, i)?.optional().map(IValue::as_double).transpose()?.unwrap_or(1.0 / width.sqrt()))
}
