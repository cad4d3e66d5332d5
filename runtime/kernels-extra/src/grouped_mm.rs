//! Products of groups of rows or columns: one matrix of each pair is cut at given offsets, and what no group covers is 0.

use sconce_kernels::engine::arguments::{optional_tensor, tensor_arg};
use sconce_kernels::engine::compose::tensor as op;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor, contiguous_strides};
use smallvec::smallvec;

/// `_grouped_mm`: which dimension the offsets cut follows from the ranks of the factors.
pub fn mm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    if !aligned(a) || !aligned(b) {
        return Err(Error::runtime("strides should be multiple of 16 bytes"));
    }
    let Some(offsets) = optional_tensor(args, 2)? else {
        return padded(&product(a, b)?).map(one);
    };
    let groups = groups(offsets, if a.dim() == 2 { (a, usize::from(b.dim() == 2)) } else { (b, 1) });
    let sizes = match (a.dim(), b.dim()) {
        (2, 2) => vec![groups.len() as i64, a.sizes()[0], b.sizes()[1]],
        (2, _) => vec![a.sizes()[0], b.sizes()[2]],
        _ => vec![a.sizes()[1], b.sizes()[1]],
    };
    let out = padded(&Tensor::zeros(&sizes, a.dtype())?)?;
    for (g, (start, end)) in groups.into_iter().enumerate() {
        let g = g as i64;
        let part = |t: &Tensor, dim: usize| if t.dim() == 2 { narrow(t, dim, start, end) } else { matrix(t, g) };
        let (left, right, place) = match (a.dim(), b.dim()) {
            (2, 2) => (part(a, 1)?, part(b, 0)?, matrix(&out, g)?),
            (2, _) => (part(a, 0)?, part(b, 0)?, narrow(&out, 0, start, end)?),
            _ => (part(a, 0)?, part(b, 1)?, narrow(&out, 1, start, end)?),
        };
        place.copy_bytes_from(&product(&left, &right)?)?;
    }
    Ok(one(out))
}

/// Rows, or columns where those lie one after the other, that begin at multiples of 16 bytes.
fn aligned(t: &Tensor) -> bool {
    let [.., rows, columns] = t.strides() else { return false };
    let leading = if *columns == 1 { *rows } else { *columns };
    leading * t.dtype().size() as i64 % 16 == 0
}

fn product(a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    op("aten::matmul", &[a.clone().into(), b.clone().into()])
}

fn one(t: Tensor) -> Outputs {
    smallvec![IValue::Tensor(t)]
}

/// From where to where each group reaches; offsets say the ends, and nothing reaches past the tensor.
fn groups(ends: &Tensor, (cut, dim): (&Tensor, usize)) -> Vec<(i64, i64)> {
    let size = cut.sizes()[dim];
    let mut start = 0;
    let ends = ends.to_f64().into_iter().map(|end| (end as i64).clamp(0, size));
    ends.map(|end| (std::mem::replace(&mut start, end).min(end), end)).collect()
}

fn narrow(t: &Tensor, dim: usize, start: i64, end: i64) -> Result<Tensor, Error> {
    let mut sizes = t.sizes().to_vec();
    sizes[dim] = end - start;
    Ok(t.as_strided(&sizes, t.strides(), t.storage_offset() + start * t.strides()[dim])?)
}

fn matrix(t: &Tensor, g: i64) -> Result<Tensor, Error> {
    Ok(t.as_strided(&t.sizes()[1..], &t.strides()[1..], t.storage_offset() + g * t.strides()[0])?)
}

/// The same numbers in rows that begin at multiples of 16 bytes, as PyTorch lays out the result.
fn padded(t: &Tensor) -> Result<Tensor, Error> {
    let step = 16 / t.dtype().size() as i64;
    let (mut whole, last) = (t.sizes().to_vec(), t.dim() - 1);
    whole[last] = (whole[last] + step - 1) / step * step;
    if whole == t.sizes() {
        return Ok(t.clone());
    }
    let out = Tensor::zeros(&whole, t.dtype())?.as_strided(t.sizes(), &contiguous_strides(&whole), 0)?;
    out.copy_bytes_from(t)?;
    Ok(out)
}
