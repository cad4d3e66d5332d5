//! Rows of packed embeddings, and sums of them: only the rows that are asked for become floats.

use super::packed::Packed;
use super::{integers, numbers, one, quantizer};
use crate::engine::arguments::{arg, bool_arg, tensor_arg};
use crate::engine::cast;
use crate::engine::compose::tensor as op;
use crate::{Call, Error, Outputs};
use sconce_schema::packed::EMBEDDING;
use sconce_tensor::{IValue, Quantizer, Tensor};

/// The rows with these numbers, as floats.
fn rows(packed: &Packed, indices: &Tensor) -> Result<Tensor, Error> {
    let weight = packed.tensor("_weight")?;
    let q = quantizer(&weight)?;
    let flat = op("aten::reshape", &[indices.clone().into(), IValue::int_list(&[-1])])?;
    let picked = op("aten::index_select", &[integers(&weight).into(), IValue::Int(0), flat.clone().into()])?;
    let at = cast::to_vec::<i64>(&flat)?;
    let of = |all: &[f64]| {
        at.iter().map(|i| usize::try_from(*i).ok().and_then(|i| all.get(i)).copied()).collect::<Option<Vec<f64>>>()
    };
    let q = of(q.scales()).zip(of(q.zero_points())).and_then(|(s, z)| Quantizer::per_channel(q.scheme(), s, z, 0));
    let q = q.ok_or_else(|| Error::index("index out of range in self"))?;
    numbers(&picked.reread(weight.dtype(), Some(q)))
}

/// (weight, indices, pruned_weights).
pub fn lookup(packed: &IValue, indices: &Tensor) -> Result<Outputs, Error> {
    let rows = rows(&Packed::of(packed, &EMBEDDING)?, indices)?;
    let mut sizes = indices.sizes().to_vec();
    sizes.push(rows.sizes()[1]);
    one(op("aten::reshape", &[rows.into(), IValue::int_list(&sizes)])?)
}

/// (weight, indices, offsets, scale_grad_by_freq, mode, pruned_weights, per_sample_weights, compressed_indices_mapping, include_last_offset).
pub fn bag(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let packed = Packed::at(args, 0, &EMBEDDING)?;
    let indices = tensor_arg(args, 1)?;
    if bool_arg(args, 5)? && !arg(args, 7)?.is_none() {
        return Err(Error::runtime("quantized::embedding_bag_byte: weights whose rows are pruned are not supported"));
    }
    let rows = rows(&packed, indices)?;
    // Each row once, in the order in which the bags name them.
    let count = i64::try_from(indices.numel()).unwrap_or(i64::MAX);
    let order = op("aten::arange", &[IValue::Int(count)])?;
    let (order, offsets) = match (arg(args, 2)?.optional(), indices.dim()) {
        (Some(offsets), 1) => (order, offsets.as_tensor()?.clone()),
        (None, 2) => {
            let width = indices.sizes()[1];
            let starts = (0..indices.sizes()[0]).map(|i| i * width).collect::<Vec<i64>>();
            let n = starts.len() as i64;
            (order, Tensor::from_vec(starts, &[n]))
        }
        (offsets, rank) => {
            let given = if offsets.is_some() { "with" } else { "without" };
            return Err(Error::runtime(format!(
                "quantized::embedding_bag_byte: expected indices of rank 1 with offsets, or of rank 2 without, got rank {rank} {given} offsets"
            )));
        }
    };
    let weights = match arg(args, 6)?.optional() {
        Some(w) => op("aten::reshape", &[w.clone(), IValue::int_list(&[-1])])?.into(),
        None => IValue::None,
    };
    let inner = [
        rows.into(),
        order.into(),
        IValue::Tensor(cast::convert(&offsets, sconce_tensor::DType::I64)?),
        IValue::Bool(false),
        IValue::Int(0),
        IValue::Bool(false),
        weights,
        arg(args, 8)?.clone(),
    ];
    one(op("aten::embedding_bag", &inner)?)
}
