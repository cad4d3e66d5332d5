//! Rows of an embedding in training: what comes back to them, and how long they may be.

use sconce_kernels::Error;
use sconce_kernels::engine::cast::{self, Value, with_element};
use sconce_kernels::engine::compose::{all, tensor as op};
use sconce_kernels::tensor::index::plain_indices;
use sconce_tensor::{DType, IValue, Tensor};

/// Rows are named by integers of 32 or 64 bits.
fn check_indices(indices: &Tensor, what: &str) -> Result<(), Error> {
    if matches!(indices.dtype(), DType::I32 | DType::I64) {
        return Ok(());
    }
    Err(Error::runtime(format!(
        "Expected tensor for argument #2 'indices' to have one of the following scalar types: Long, Int; but got {} \
         instead (while checking arguments for {what})",
        indices.dtype().scalar_type_name()
    )))
}

/// (grad_output, indices, num_weights, padding_idx, scale_grad_by_freq).
pub fn dense_backward(
    grad: &Tensor,
    indices: &Tensor,
    rows: i64,
    padding: i64,
    by_frequency: bool,
) -> Result<Tensor, Error> {
    if indices.numel() as i64 * grad.sizes().last().copied().unwrap_or(1) != grad.numel() as i64 {
        return Err(Error::runtime(format!(
            "shape '[{}, {}]' is invalid for input of size {}",
            indices.numel(),
            grad.sizes().last().copied().unwrap_or(1),
            grad.numel()
        )));
    }
    check_indices(indices, "embedding_backward")?;
    let picked = plain_indices(indices, rows, |_| Error::index("index out of range in self"))?;
    let columns = grad.sizes().last().copied().unwrap_or(1);
    let frequency = |row: i64| picked.iter().filter(|r| **r == row).count() as f64;
    with_element!(grad.dtype(), "embedding_dense_backward", T => {
        let values = grad.to_vec::<T>();
        let mut slots = Tensor::zeros(&[rows, columns], grad.dtype())?.to_vec::<T>();
        for (line, row) in values.chunks_exact(columns.max(1) as usize).zip(picked.iter()).filter(|(_, r)| **r != padding) {
            let scale = if by_frequency { 1.0 / frequency(*row) } else { 1.0 };
            let start = (row * columns) as usize;
            for (slot, v) in slots[start..].iter_mut().zip(line) {
                *slot = accumulated(*slot, *v, scale);
            }
        }
        Ok(Tensor::from_vec(slots, &[rows, columns]))
    })
}

/// `a + b * scale` in the dtype's own arithmetic.
fn accumulated<T: Value>(a: T, b: T, scale: f64) -> T {
    if T::DTYPE == DType::F64 {
        (a.to::<f64>() + b.to::<f64>() * scale).to()
    } else {
        (a.to::<f32>() + b.to::<f32>() * scale as f32).to()
    }
}

/// (self, indices, max_norm, norm_type): the named rows, no longer than the norm allows.
pub fn embedding_renorm(t: &Tensor, indices: &Tensor, max: f64, p: f64) -> Result<Tensor, Error> {
    let out = t.copy()?;
    check_indices(indices, "embedding_renorm_")?;
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
        let row = op("aten::select.int", &[out.alias().into(), IValue::Int(0), IValue::Int(row)])?;
        let norm = op("aten::linalg_vector_norm", &[row.alias().into(), IValue::Double(p)])?;
        let norm = cast::to_vec::<f64>(&norm)?.first().copied().unwrap_or(0.0);
        if norm > max {
            all("aten::mul_.Scalar", &[row.into(), IValue::Double(max / (norm + 1e-7))])?;
        }
    }
    Ok(out)
}
