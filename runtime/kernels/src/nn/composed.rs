//! Operators that are a few others in a row.

use crate::engine::arguments::{arg, bool_arg, float_arg, optional_tensor, tensor_arg};
use crate::engine::cast;
use crate::engine::compose::{all, tensor as op};
use crate::nn::attention::Masks;
use crate::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;

fn v(t: &Tensor) -> IValue {
    IValue::Tensor(t.clone())
}

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
    let (out, weights) = crate::nn::attention::attention(q, k, x, &masks, scale, bool_arg(args, 8)?)?;
    Ok(smallvec![cast::convert(&out, q.dtype())?.into(), cast::convert(&weights, q.dtype())?.into()])
}

fn scale_of(args: &[IValue], i: usize, q: &Tensor) -> Result<f64, Error> {
    let width = q.sizes().last().copied().unwrap_or(1) as f64;
    Ok(arg(args, i)?.optional().map(IValue::as_double).transpose()?.unwrap_or(1.0 / width.sqrt()))
}

/// (self, indices, max_norm, norm_type): the named rows, no longer than the norm allows.
pub fn embedding_renorm(t: &Tensor, indices: &Tensor, max: f64, p: f64) -> Result<Tensor, Error> {
    let out = t.copy()?;
    crate::nn::embedding::check_indices(indices, "embedding_renorm_")?;
    if out.dim() != 2 {
        return Err(Error::runtime(format!(
            "Expected 2-dimensional tensor, but got {}-dimensional tensor for argument #1 'self' (while checking arguments \
             for embedding_renorm_)",
            out.dim()
        )));
    }
    let mut rows = cast::to_vec::<i64>(indices)?;
    rows.sort_unstable();
    rows.dedup();
    for row in rows {
        let row = op("aten::select.int", &[v(&out), IValue::Int(0), IValue::Int(row)])?;
        let norm = op("aten::linalg_vector_norm", &[v(&row), IValue::Double(p)])?;
        let norm = cast::to_vec::<f64>(&norm)?.first().copied().unwrap_or(0.0);
        if norm > max {
            all("aten::mul_.Scalar", &[row.into(), IValue::Double(max / (norm + 1e-7))])?;
        }
    }
    Ok(out)
}
