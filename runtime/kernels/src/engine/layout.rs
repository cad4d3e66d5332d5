//! How tensors lie: memory formats, the strides that each asks for, and tensors given other sizes.

use crate::Error;
use crate::engine::elementwise::{channels_last_strides, empty_like, empty_strided, lies_dense};
use sconce_tensor::{DType, Sizes, Tensor, TensorMetadata, contiguous_strides};
use smallvec::smallvec;

/// Memory formats by PyTorch's numbers.
pub const CONTIGUOUS: i64 = 0;
pub const PRESERVE: i64 = 1;
pub const CHANNELS_LAST: i64 = 2;
pub const CHANNELS_LAST_3D: i64 = 3;

/// The dimensions of a memory format whose channels lie innermost, the fastest first.
fn order(format: i64) -> Option<&'static [usize]> {
    match format {
        CHANNELS_LAST => Some(&[1, 3, 2, 0]),
        CHANNELS_LAST_3D => Some(&[1, 4, 3, 2, 0]),
        _ => None,
    }
}

/// Strides of a memory format.
pub fn format_strides(sizes: &[i64], format: i64) -> Result<Sizes, Error> {
    let Some(order) = order(format) else { return Ok(contiguous_strides(sizes)) };
    if sizes.len() != order.len() {
        let name = if format == CHANNELS_LAST { "channels_last" } else { "channels_last_3d" };
        return Err(Error::runtime(format!("required rank {} tensor to use {name} format", order.len())));
    }
    let mut strides: Sizes = smallvec![0; sizes.len()];
    let mut step = 1i64;
    for &d in order {
        strides[d] = step;
        step = step.saturating_mul(sizes[d].max(1));
    }
    Ok(strides)
}

/// Strides of a result in the memory format that the input suggests.
pub fn strides_like(like: &Tensor, sizes: &[i64]) -> Sizes {
    match suggested_format(like) {
        0 => contiguous_strides(sizes),
        _ => channels_last_strides(sizes),
    }
}

/// The same elements with these strides.
pub fn laid_out(t: Tensor, strides: &[i64]) -> Result<Tensor, Error> {
    if t.strides() == strides {
        return Ok(t);
    }
    let laid = empty_strided(t.sizes(), strides, t.dtype())?;
    laid.copy_bytes_from(&t)?;
    Ok(laid)
}

/// A tensor for a copy of `t`: the strides of `t` where the format says to keep them and they are dense.
pub fn empty_for(t: &Tensor, dtype: DType, format: Option<i64>) -> Result<Tensor, Error> {
    match format.unwrap_or(PRESERVE) {
        PRESERVE => empty_like(t, dtype),
        format => empty_strided(t.sizes(), &format_strides(t.sizes(), format)?, dtype),
    }
}

/// Gives a tensor other sizes and the strides of a dense tensor. A storage that is too small grows, for all that view it.
pub fn resize_strided(t: &Tensor, sizes: &[i64], strides: Sizes) -> Result<(), Error> {
    let old = t.metadata();
    let element = t.dtype().size();
    let too_large = || sconce_tensor::Error::TooLarge { sizes: sizes.to_vec(), bytes_per_element: element };
    let count = sconce_tensor::numel(sizes).ok_or_else(too_large)?;
    let end = count.checked_add(old.offset as usize).and_then(|n| n.checked_mul(element)).ok_or_else(too_large)?;
    if count > 0 && end > old.storage.bytes() {
        if !old.storage.is_resizable() {
            return Err(Error::runtime("Trying to resize storage that is not resizable"));
        }
        // SAFETY: no pointer into the storage is alive here; that no other thread uses it is the program's affair, as for every write.
        if !unsafe { old.storage.grow(end) } {
            return Err(too_large().into());
        }
    }
    let metadata = TensorMetadata { sizes: sizes.into(), strides, ..old };
    // SAFETY: that no other thread uses the tensor now is the program's affair, as for every write, and nothing here holds a slice of it.
    Ok(unsafe { t.set_metadata(metadata) }?)
}

/// Some permutation of the dimensions is row-major without gaps; so is nothing.
pub fn is_dense(t: &Tensor) -> bool {
    t.numel() == 0 || lies_dense(t.sizes(), t.strides())
}

/// Whether the strides are those of a memory format (0 contiguous, 1 preserve, 2 channels last, 3 channels last in 3-d).
pub fn has_format(t: &Tensor, format: i64) -> bool {
    let Some(order) = order(format) else { return t.is_contiguous() };
    if t.dim() != order.len() {
        return false;
    }
    let mut step = 1;
    for &d in order {
        let (size, stride) = (t.sizes()[d], t.strides()[d]);
        if size != 1 {
            if stride != step {
                return false;
            }
            step = step.saturating_mul(size);
        }
    }
    true
}

/// The memory format that results of the tensor take: 2 or 3 where its channels lie innermost, also with gaps, else 0.
pub fn suggested_format(t: &Tensor) -> i64 {
    let format = t.dim() as i64 - 2;
    let Some(order) = order(format).filter(|_| t.strides()[1] != 0) else { return 0 };
    let mut least = 0;
    for &d in order {
        let (size, stride) = (t.sizes()[d], t.strides()[d]);
        // A batch of pictures of one element is taken for contiguous.
        if size == 0 || stride < least || (d == 0 && least == t.strides()[1]) {
            return 0;
        }
        least = if size > 1 { stride.saturating_mul(size) } else { stride };
    }
    format
}

/// Gives an `out=` tensor other sizes, contiguous.
pub fn resize(target: &Tensor, sizes: &[i64]) -> Result<(), Error> {
    resize_strided(target, sizes, contiguous_strides(sizes))
}

/// A fresh tensor of zeros with any strides.
pub fn with_strides(sizes: &[i64], strides: &[i64], dtype: DType) -> Result<Tensor, Error> {
    let last = sizes.iter().zip(strides).try_fold(0i64, |n, (size, stride)| {
        (*stride >= 0).then_some(())?;
        n.checked_add((size - 1).checked_mul(*stride)?)
    });
    let Some(last) = last else {
        return Err(Error::runtime(format!("strides {strides:?} are negative or too large")));
    };
    let elements = if sizes.contains(&0) { 0 } else { last.saturating_add(1) };
    let storage = Tensor::zeros(&[elements], dtype)?.storage();
    let (sizes, strides) = (sizes.into(), strides.into());
    Ok(Tensor::new(TensorMetadata { storage, dtype, sizes, strides, offset: 0, quantizer: None })?)
}
