//! Complex conjugates: in a tensor of their own, or written back.

use crate::engine::cast::{Value, convert_into, with_element};
use crate::engine::elementwise::empty_like;
use crate::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;

/// The complex conjugate, in a tensor of its own.
pub fn conjugated(t: &Tensor) -> Result<Tensor, Error> {
    let out = empty_like(t, t.dtype())?;
    out.copy_bytes_from(t)?;
    let imaginary = crate::tensor::view::imaginary_part(&out)?;
    with_element!(imaginary.dtype(), "conj", T => {
        let base = imaginary.storage_ptr().cast::<T>();
        for o in imaginary.offsets() {
            // SAFETY: offsets of a tensor lie in its storage, and T is its element type.
            unsafe {
                let p = base.offset(o as isize);
                *p = crate::tensor::gather_scatter::combine(crate::tensor::gather_scatter::Combine::Mul, *p, (-1i64).to::<T>());
            }
        }
    });
    Ok(out)
}

/// (self): a real tensor is its own conjugate.
pub fn conj(t: &Tensor) -> Result<Tensor, Error> {
    Ok(if t.dtype().is_complex() { conjugated(t)? } else { t.clone() })
}

/// (self): the tensor itself; nothing happens to a real one.
pub fn conj_inplace(t: &Tensor) -> Result<Tensor, Error> {
    if t.dtype().is_complex() {
        crate::engine::derived::check_no_overlap(t)?;
        convert_into(t, &conjugated(t)?)?;
        t.bump_version();
    }
    Ok(t.clone())
}

/// The last two dimensions exchanged and conjugated: a view of a real tensor, a copy of a complex one.
pub fn m_h(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let out = crate::tensor::view::m_t(call, args)?;
    match &out[..] {
        [IValue::Tensor(t)] if t.dtype().is_complex() => Ok(smallvec![IValue::Tensor(conjugated(t)?)]),
        _ => Ok(out),
    }
}
