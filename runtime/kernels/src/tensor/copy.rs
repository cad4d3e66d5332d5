//! Copies and conversions: which strides a copy gets, when none is made, and `copy_` into any view.

use crate::engine::arguments::{bool_arg, dtype_at, format_at, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::cast::{Value, convert_into, with_element};
use crate::engine::elementwise::{like_strides, repeats};
use crate::engine::layout::{CONTIGUOUS, PRESERVE, empty_for, format_strides, has_format, resize_strided};
use crate::engine::number::Number;
use crate::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Sizes, Tensor, TensorMetadata};
use smallvec::smallvec;

/// Result 0 of a call: a copy, laid as [`empty_for`] says.
fn copy_as(call: &Call<'_>, t: &Tensor, dtype: DType, format: Option<i64>) -> Result<Tensor, Error> {
    let strides = match format.unwrap_or(PRESERVE) {
        PRESERVE => like_strides(t),
        format => format_strides(t.sizes(), format)?,
    };
    let out = call.output(0, t.sizes(), &strides, dtype)?;
    convert_into(&out, t)?;
    Ok(out)
}

/// The tensor itself if nothing is to change, else a copy.
fn to(call: &Call<'_>, t: &Tensor, dtype: DType, copy: bool, format: Option<i64>) -> Result<Outputs, Error> {
    let keeps = match format.unwrap_or(PRESERVE) {
        PRESERVE => true,
        format => {
            format_strides(t.sizes(), format)?;
            has_format(t, format)
        }
    };
    let out = if dtype == t.dtype() && !copy && keeps { t.clone() } else { copy_as(call, t, dtype, format)? };
    Ok(smallvec![IValue::Tensor(out)])
}

fn only_cpu(device: Option<&IValue>) -> Result<(), Error> {
    match device.and_then(IValue::optional) {
        Some(d) if &*d.as_device()?.kind != "cpu" => {
            Err(Error::runtime(format!("tensors on {} are not supported; use the CPU", d.as_device()?.kind)))
        }
        _ => Ok(()),
    }
}

/// (self, *, memory_format).
pub fn clone(call: &Call<'_>, t: &Tensor, memory_format: Option<i64>) -> Result<Tensor, Error> {
    copy_as(call, t, t.dtype(), memory_format)
}

/// (self, *, memory_format): the tensor itself if it has that format.
pub fn contiguous(call: &Call<'_>, t: &Tensor, memory_format: Option<i64>) -> Result<Tensor, Error> {
    let format = memory_format.unwrap_or(CONTIGUOUS);
    if format == PRESERVE {
        return Err(Error::runtime("preserve memory format is unsupported by the contiguous operator"));
    }
    format_strides(t.sizes(), format)?;
    let out = if has_format(t, format) { t.clone() } else { copy_as(call, t, t.dtype(), Some(format))? };
    Ok(out)
}

/// (self): a copy (`lift_fresh_copy`, `alias_copy`).
pub fn plain_copy(t: &Tensor) -> Result<Tensor, Error> {
    Ok(t.copy()?)
}

/// (self, *, dtype, layout, device, pin_memory, non_blocking, memory_format): always a copy.
pub fn to_copy(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    only_cpu(args.get(3))?;
    let t = tensor_arg(args, 0)?;
    let dtype = dtype_at(args, 1)?.unwrap_or(t.dtype());
    Ok(smallvec![IValue::Tensor(copy_as(call, t, dtype, format_at(args, 6)?)?)])
}

/// Where `to` has its device, dtype, copy and memory format.
fn to_place(call: &Call<'_>, args: &[IValue], [device, dtype, copy, format]: [usize; 4]) -> Result<Outputs, Error> {
    only_cpu(args.get(device))?;
    let t = tensor_arg(args, 0)?;
    to(call, t, dtype_at(args, dtype)?.unwrap_or(t.dtype()), bool_arg(args, copy)?, format_at(args, format)?)
}

kernels! {
    /// (self, device, dtype, non_blocking, copy, memory_format); of devices as values without the last.
    to_device = to_place, [1, 2, 4, 5]; to_prim_device = to_place, [1, 2, 4, 5];
    /// (self, dtype, non_blocking, copy, memory_format), of no device; also without the last (`prim_dtype`).
    to_dtype = to_place, [usize::MAX, 1, 3, 4];
    /// (self, *, dtype, layout, device, pin_memory, non_blocking, copy, memory_format).
    to_dtype_layout = to_place, [3, 1, 6, 7];
    cast_byte = cast_to, DType::U8; cast_char = cast_to, DType::I8; cast_short = cast_to, DType::I16;
    cast_int = cast_to, DType::I32; cast_long = cast_to, DType::I64; cast_half = cast_to, DType::F16;
    cast_float = cast_to, DType::F32; cast_double = cast_to, DType::F64;
}

/// (self, other, non_blocking, copy, memory_format).
pub fn to_other(
    call: &Call<'_>,
    t: &Tensor,
    other: &Tensor,
    _: &IValue,
    copy: bool,
    memory_format: Option<i64>,
) -> Result<Outputs, Error> {
    to(call, t, other.dtype(), copy, memory_format)
}

/// (self, non_blocking, copy).
pub fn to_prim_other(call: &Call<'_>, t: &Tensor, _: &IValue, copy: bool) -> Result<Outputs, Error> {
    to(call, t, t.dtype(), copy, None)
}

/// (self, other).
pub fn type_as(call: &Call<'_>, t: &Tensor, other: &Tensor) -> Result<Outputs, Error> {
    to(call, t, other.dtype(), false, None)
}

/// (self, dtype, …): a strided tensor is dense already.
pub fn to_dense(call: &Call<'_>, t: &Tensor, given: Option<DType>) -> Result<Outputs, Error> {
    to(call, t, given.unwrap_or(t.dtype()), false, None)
}

/// (a, dtype): the tensor itself or a conversion (`prims::convert_element_type`).
pub fn convert_element_type(call: &Call<'_>, t: &Tensor, dtype: DType) -> Result<Tensor, Error> {
    copy_as(call, t, dtype, None)
}

/// (self, non_blocking).
fn cast_to(call: &Call<'_>, args: &[IValue], dtype: DType) -> Result<Outputs, Error> {
    to(call, tensor_arg(args, 0)?, dtype, false, None)
}

/// Writes `source`, broadcast and converted, to the elements of `target`.
pub fn write(target: &Tensor, source: &Tensor) -> Result<(), Error> {
    if target.is(source) {
        return Ok(());
    }
    let common = sconce_tensor::broadcast_sizes(target.sizes(), source.sizes())?;
    if *common != *target.sizes() {
        return Err(Error::runtime(format!(
            "output with shape {:?} doesn't match the broadcast shape {:?}",
            target.sizes(),
            &common[..]
        )));
    }
    convert_into(target, &source.expand(&common)?)?;
    target.bump_version();
    Ok(())
}

/// The same as PyTorch's `copy_` does it, which refuses to write elements that share memory or that the source has elsewhere. A tensor may be
/// copied to itself, whatever it is.
pub fn copy_into(target: &Tensor, source: &Tensor) -> Result<(), Error> {
    let place = |t: &Tensor| (t.storage_offset(), t.dtype(), Sizes::from(t.sizes()), Sizes::from(t.strides()));
    if target.shares_storage(source) {
        if target.is(source) || place(target) == place(source) {
            return Ok(());
        }
        crate::engine::derived::check_apart(target, source)?;
    }
    crate::engine::derived::check_no_overlap(target)?;
    write(target, source)
}

/// (self, src, non_blocking): into the tensor itself.
pub fn copy_inplace(t: &Tensor, src: &IValue) -> Result<Tensor, Error> {
    match src {
        IValue::Tensor(source) => copy_into(t, source)?,
        number => {
            crate::engine::derived::check_no_overlap(t)?;
            fill(t, Number::from_value(number)?)?;
        }
    }
    Ok(t.clone())
}

/// (self, src, non_blocking): what `copy_` would leave, in a tensor of its own.
pub fn copy(t: &Tensor, src: &Tensor) -> Result<Tensor, Error> {
    // Strides with gaps are kept; where elements share memory there is nothing to keep.
    let out = if repeats(t) {
        empty_for(t, t.dtype(), None)?
    } else {
        crate::engine::layout::with_strides(t.sizes(), t.strides(), t.dtype())?
    };
    write(&out, src)?;
    Ok(out)
}

/// Writes a number to every element; one that the dtype cannot hold is refused. A single half need only fit the f32 that it is rounded from, as
/// PyTorch's way for single elements has it.
pub fn fill(t: &Tensor, n: Number) -> Result<(), Error> {
    let half = t.dtype().is_float() && t.dtype().size() == 2;
    with_element!(t.dtype(), "fill_cpu", T => t.fill::<T>(if half && t.numel() == 1 {
        crate::engine::number::element::<f32>(n)?.to::<T>()
    } else {
        crate::engine::number::element::<T>(n)?
    }));
    t.bump_version();
    Ok(())
}

/// (self, size, memory_format): the tensor itself gets other sizes; elements that were there stay, new ones are any.
pub fn resize_inplace(t: &Tensor, size: Sizes, memory_format: Option<i64>) -> Result<Tensor, Error> {
    resize_to(t, &size, memory_format)?;
    Ok(t.clone())
}

/// (self, size, memory_format): a resized copy.
pub fn resize(t: &Tensor, size: Sizes, memory_format: Option<i64>) -> Result<Tensor, Error> {
    let copy = t.copy()?;
    resize_to(&copy, &size, memory_format)?;
    Ok(copy)
}

fn resize_to(t: &Tensor, sizes: &[i64], format: Option<i64>) -> Result<(), Error> {
    if sizes.iter().any(|s| *s < 0) {
        return Err(Error::runtime("numel: integer multiplication overflow"));
    }
    if t.sizes() == sizes && format.is_none() {
        return Ok(());
    }
    resize_strided(t, sizes, format_strides(sizes, format.unwrap_or(CONTIGUOUS))?)
}

/// (self, template, memory_format): the tensor itself gets the other's sizes.
pub fn resize_as_inplace(t: &Tensor, the_template: &Tensor, memory_format: Option<i64>) -> Result<Tensor, Error> {
    // The template may be the tensor itself, so its sizes are copied before they change.
    let sizes: Sizes = the_template.sizes().into();
    resize_to(t, &sizes, memory_format)?;
    Ok(t.clone())
}

/// (self, source): the tensor itself becomes another reading of the source's storage.
pub fn set_source(t: &Tensor, source: &Tensor) -> Result<Tensor, Error> {
    // Elements of another dtype are read as the tensor's own.
    let metadata = TensorMetadata { dtype: t.dtype(), ..source.metadata() };
    let reach = |(n, s): (&i64, &i64)| (n - 1).max(0).saturating_mul(*s);
    let last = metadata.sizes.iter().zip(&metadata.strides).map(reach).fold(metadata.offset, i64::saturating_add);
    let needed = last.saturating_add(1).saturating_mul(t.dtype().size() as i64);
    if !metadata.sizes.contains(&0) && needed > metadata.storage.bytes() as i64 {
        return Err(Error::runtime(format!(
            "setStorage: sizes {:?}, strides {:?}, storage offset {}, and itemsize {} requiring a storage size of {needed} are out of bounds for storage of size {}",
            &metadata.sizes[..],
            &metadata.strides[..],
            metadata.offset,
            t.dtype().size(),
            metadata.storage.bytes()
        )));
    }
    if !t.is(source) {
        // SAFETY: that no other thread uses the tensor now is the program's affair, as for every write, and nothing here holds a slice of it.
        unsafe { t.set_metadata(metadata) }?;
    }
    Ok(t.clone())
}
