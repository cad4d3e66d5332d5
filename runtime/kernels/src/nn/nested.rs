//! Nested tensors, as far as a transformer's encoder makes them: matrices of one width and different lengths, kept padded with zeros and told by
//! their lengths. The few operators that take one know what is padding; all others refuse it.

use crate::Error;
use crate::engine::cast;
use crate::engine::compose::tensor as op;
use sconce_tensor::{Bool, DType, IValue, Sizes, Tensor};
use std::sync::Arc;

/// The rows of a mask over the first two dimensions of matrices in a batch: true where there is an element.
fn rows(t: &Tensor, mask: &Tensor) -> Result<Vec<Vec<bool>>, Error> {
    if mask.dtype() != DType::Bool {
        let given = mask.dtype().scalar_type_name();
        return Err(Error::runtime(format!("Expected mask to be of ScalarType Bool, but got {given} instead.")));
    }
    if mask.dim() != 2 {
        return Err(Error::runtime("Padding mask should be 2D"));
    }
    if t.dim() != 3 {
        return Err(Error::runtime("Input should be a 3D tensor, N * L * D"));
    }
    if t.sizes()[..2] != *mask.sizes() {
        return Err(Error::runtime("Padding mask size should match with the first two dimensions of the input"));
    }
    let flat = cast::to_vec::<Bool>(mask)?;
    let width = usize::try_from(mask.sizes()[1]).unwrap_or(0).max(1);
    Ok(flat.chunks(width).map(|row| row.iter().map(|b| b.get()).collect()).collect())
}

/// Whether no element stands behind a gap.
fn aligned(rows: &[Vec<bool>]) -> bool {
    rows.iter().all(|row| row.windows(2).all(|pair| pair[0] || !pair[1]))
}

/// (t, mask): whether a nested tensor can be made of what the mask shows.
pub fn left_aligned(t: &Tensor, mask: &Tensor) -> Result<bool, Error> {
    Ok(aligned(&rows(t, mask)?))
}

/// (t, mask, mask_check): the matrices as a nested tensor.
pub fn from_mask(t: &Tensor, given: &Tensor, mask_check: bool) -> Result<IValue, Error> {
    let rows = rows(t, given)?;
    if mask_check && !aligned(&rows) {
        return Err(Error::runtime("Mask must be left-aligned without gaps"));
    }
    let mut lengths: Vec<i64> = rows.iter().map(|row| row.iter().filter(|b| **b).count() as i64).collect();
    // Matrices without rows have no rows in the mask either.
    lengths.resize(usize::try_from(t.sizes()[0]).unwrap_or(0), 0);
    Ok(cut(t, &lengths.into())?.into())
}

/// True where a sequence of `most` elements is beyond its length.
pub fn padding(lengths: &[i64], most: i64) -> Tensor {
    let hidden = lengths.iter().flat_map(|n| (0..most).map(move |i| Bool::new(i >= *n))).collect();
    Tensor::from_vec(hidden, &[lengths.len() as i64, most])
}

/// Matrices of these lengths: what is beyond them becomes zeros.
pub fn cut(t: &Tensor, lengths: &Arc<[i64]>) -> Result<Tensor, Error> {
    Ok(filled(t, lengths, 0.0)?.with_lengths(lengths.clone()))
}

/// A copy with this number beyond the lengths.
fn filled(t: &Tensor, lengths: &[i64], number: f64) -> Result<Tensor, Error> {
    let hidden = op("aten::unsqueeze", &[padding(lengths, t.sizes()[1]).into(), IValue::Int(2)])?;
    op("aten::masked_fill.Scalar", &[t.alias().into(), hidden.into(), IValue::Double(number)])
}

/// The matrices in one tensor, filled up to the longest or to a size.
pub fn to_padded(t: &Tensor, number: f64, output_size: Option<Sizes>) -> Result<Tensor, Error> {
    let Some(lengths) = t.lengths() else {
        let message = "Could not run 'aten::to_padded_tensor' with arguments from the 'CPU' backend.".into();
        return Err(Error::Raised { class: "NotImplementedError", message });
    };
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let least = [t.sizes()[0], longest, t.sizes()[2]];
    let wanted = output_size.unwrap_or_else(|| least.as_slice().into());
    if wanted.len() != least.len() {
        let message = format!(
            "Length of output_size does not match NestedTensor dims. Broadcasting is not supported. Got {} for {}",
            wanted.len(),
            least.len()
        );
        return Err(Error::runtime(message));
    }
    if wanted.iter().zip(least).any(|(w, l)| *w < l) || wanted[0] != least[0] {
        return Err(Error::runtime(
            "Value in output_size is less than NestedTensor padded size. Truncation is not supported.",
        ));
    }
    let whole = filled(t, lengths, number)?;
    let whole = op("aten::slice.Tensor", &[whole.into(), IValue::Int(1), IValue::Int(0), IValue::Int(longest)])?;
    let pad = IValue::int_list(&[0, wanted[2] - least[2], 0, wanted[1] - longest]);
    op("aten::constant_pad_nd", &[whole.into(), pad, IValue::Double(number)])
}
