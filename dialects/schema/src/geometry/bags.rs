//! Bags of rows: what they are reduced to, and which row counts for nothing.

use crate::dtype::DType;
use crate::promotion::promote_types;
use crate::shape::args::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Sum,
    Mean,
    Max,
}

/// What a call says of its bags.
pub struct Bags {
    pub mode: Mode,
    /// Of indices and offsets.
    pub integer: DType,
    /// The row that counts for nothing; -1 is none.
    pub padding: i64,
}

impl Bags {
    /// Of (weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx). A padding of -1 is the last row
    /// where `last` says so, else none.
    pub fn of(a: &[Meta], last: bool) -> Result<Option<Bags>, ShapeError> {
        let (weight, indices, offsets) = (a.tensor(0)?, a.tensor(1)?, a.tensor(2)?);
        let (Some(i), Some(o)) = (indices.dtype, offsets.dtype) else { return Ok(None) };
        // Integers of two kinds become the wider kind first.
        let integer = promote_types(i, o).map_err(|e| ShapeError::runtime(e.to_string()))?;
        refuse!(if !matches!(integer, DType::I64 | DType::I32),
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {} \
             instead (while checking arguments for embedding_bag)", integer.tensor_type_name());
        let mode = match a.int(4) {
            Some(0) => Mode::Sum,
            Some(1) => Mode::Mean,
            Some(2) => Mode::Max,
            Some(_) => return error("`mode` must be sum, mean, or max."),
            None => return Ok(None),
        };
        refuse!(if let Some(n) = weight.rank().filter(|n| *n != 2), "weight has to be a 2D Tensor, but got Tensor of dimension {n}");
        let samples = a.optional_tensor(6)?;
        refuse!(if samples.is_some() && mode != Mode::Sum,
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum'");
        let padding = match (a.int(8), weight.size(0).known()) {
            (None, _) => -1,
            (Some(_), None) => return Ok(None),
            (Some(p), Some(rows)) => {
                refuse!(if !(-rows..rows).contains(&p),
                    "padding_idx must be within the number of embeddings, -{rows} through {}, but got {p}", rows - 1);
                if p < 0 && (p != -1 || last) { p + rows } else { p }
            }
        };
        refuse!(if let Some(samples) = samples, let (Some(w), Some(s)) = (weight.dtype, samples.dtype), w != s,
            "Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 'per_sample_weights'; but type {} \
             does not equal {} (while checking arguments for embedding_bag)", w.tensor_type_name(), s.tensor_type_name());
        refuse!(if let Some(n) = offsets.rank().filter(|n| *n != 1), indices.rank() != Some(2),
            "offsets has to be a 1D Tensor, but got Tensor of dimension {n}");
        Ok(Some(Bags { mode, integer, padding }))
    }
}
