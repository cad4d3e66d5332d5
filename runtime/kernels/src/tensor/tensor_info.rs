//! What a program asks of a tensor without computing: sizes, strides, dtype, device, its only element.

use crate::engine::arguments::tensor_arg;
use crate::engine::calling::kernels;
use crate::engine::lanes::dimension;
use crate::engine::layout::{has_format, is_dense};
use crate::engine::number::{Number, first_element, item_of, truth_of};
use crate::{Call, Error, Outputs};
use sconce_schema::types::Device;
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::smallvec;
use std::sync::Arc;

/// A dimension that must exist: a tensor of rank 0 has none.
fn existing_dimension(t: &Tensor, dim: i64) -> Result<usize, Error> {
    if t.dim() == 0 {
        return Err(Error::index(format!("Dimension specified as {dim} but tensor has no dimensions")));
    }
    dimension(dim, t.dim())
}

pub fn size(t: &Tensor) -> IValue {
    IValue::int_list(t.sizes())
}

pub fn size_int(t: &Tensor, dim: i64) -> Result<i64, Error> {
    Ok(t.sizes()[existing_dimension(t, dim)?])
}

pub fn stride(t: &Tensor) -> IValue {
    IValue::int_list(t.strides())
}

pub fn stride_int(t: &Tensor, dim: i64) -> Result<i64, Error> {
    Ok(t.strides()[existing_dimension(t, dim)?])
}

/// `len(t)`.
pub fn len(t: &Tensor) -> Result<Outputs, Error> {
    match t.sizes().first() {
        Some(n) => Ok(smallvec![IValue::Int(*n)]),
        None => Err(Error::Raised { class: "TypeError", message: "len() of a 0-d tensor".to_owned() }),
    }
}

/// What is said of the first argument alone.
#[inline(always)]
fn said(_: &Call<'_>, args: &[IValue], say: fn(&Tensor) -> IValue) -> Result<Outputs, Error> {
    Ok(smallvec![say(tensor_arg(args, 0)?)])
}

kernels! {
    dim = said, |t| (t.dim() as i64).into(); numel = said, |t| (t.numel() as i64).into();
    storage_offset = said, |t| t.storage_offset().into();
    element_size = said, |t| (t.dtype().size() as i64).into();
    nbytes = said, |t| ((t.dtype().size() * t.numel()) as i64).into();
    dtype = said, |t| t.dtype().into();
    /// Strided, the only layout here.
    layout = said, |_| 0i64.into();
    requires_grad = said, |t| t.requires_grad().into(); is_leaf = said, |t| t.is_leaf().into();
    is_complex = said, |t| t.dtype().is_complex().into(); is_floating_point = said, |t| t.dtype().is_float().into();
    is_signed = said, |t| (t.dtype().is_inexact() || t.dtype().is_signed_int()).into();
    is_cpu = said, |t| (&*t.device().kind == "cpu").into(); is_cuda = said, |t| (&*t.device().kind == "cuda").into();
    is_meta = said, |t| (&*t.device().kind == "meta").into(); is_nested = said, |t| t.lengths().is_some().into();
    /// Properties no tensor of this runtime has: quantised, sparse, on another device.
    never = said, |_| false.into();
    /// The index of the device a tensor is on; the CPU has none.
    get_device = said, |_| (-1i64).into();
    is_non_overlapping_and_dense = said, |t| is_dense(t).into();
}

pub fn is_nonzero(t: &Tensor) -> Result<bool, Error> {
    truth_of(t)
}

/// (self, other): the same sizes.
pub fn is_same_size(t: &Tensor, other: &Tensor) -> bool {
    t.sizes() == other.sizes()
}

/// (self, other): the same elements of the same storage.
pub fn is_set_to(a: &Tensor, b: &Tensor) -> bool {
    a.shares_storage(b) && (a.storage_offset(), a.sizes(), a.strides()) == (b.storage_offset(), b.sizes(), b.strides())
}

/// (self, memory_format): the strides alone say the format, also where dimensions of size 1 leave it open.
pub fn is_strides_like_format(t: &Tensor, format: i64) -> bool {
    format >= 2 && has_format(t, format) && !t.is_contiguous()
}

/// (tensor or number, tensor or number): the dtype of their sum.
pub fn result_type(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = sconce_schema::shape::common_dtype(
        args.iter().map(crate::engine::derived::meta_of).collect::<Vec<_>>().iter(),
    )?;
    Ok(smallvec![dtype.map_or(IValue::None, IValue::from)])
}

/// (dtype, dtype).
pub fn promote_types(type1: DType, type2: DType) -> Result<IValue, Error> {
    let dtype = sconce_schema::promotion::promote_types(type1, type2).map_err(|e| Error::runtime(e.to_string()))?;
    Ok(IValue::from(dtype))
}

/// `t.item()`.
pub fn item(t: &Tensor) -> Result<IValue, Error> {
    Ok(item_of(t)?.to_value())
}

/// `_local_scalar_dense`: the first element.
pub fn local_scalar_dense(t: &Tensor) -> Result<IValue, Error> {
    if t.numel() == 0 {
        return Err(Error::runtime("_local_scalar_dense: Empty tensor not supported"));
    }
    Ok(first_element(t)?.to_value())
}

pub fn is_contiguous(t: &Tensor, format: Option<i64>) -> bool {
    has_format(t, format.unwrap_or(0))
}

/// The sizes as a tensor.
pub fn shape_as_tensor(t: &Tensor) -> Tensor {
    let sizes = t.sizes().to_vec();
    let n = sizes.len() as i64;
    Tensor::from_vec(sizes, &[n])
}

/// `t.device`.
pub fn device(a: &Tensor) -> IValue {
    IValue::Device(a.shared_device())
}

/// `torch.device("cuda:1")`, `torch.device("cuda", 1)`.
pub fn make_device(text: &str, given: Option<i64>) -> Result<IValue, Error> {
    let invalid = || Error::runtime(format!("Invalid device string: '{text}'"));
    let (kind, index) = match text.split_once(':') {
        Some((kind, digits)) => (kind, Some(digits.parse::<i32>().map_err(|_| invalid())?)),
        None => (text, None),
    };
    // As the message lists them.
    const KINDS: &str = "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone";
    if !KINDS.split(", ").any(|known| known == kind) {
        return Err(Error::runtime(format!("Expected one of {KINDS} device type at start of device string: {kind}")));
    }
    let index = match given {
        Some(i) => Some(i32::try_from(i).map_err(|_| invalid())?),
        None => index,
    };
    if kind.is_empty() || !kind.bytes().all(|c| c.is_ascii_lowercase() || c == b'_') {
        return Err(invalid());
    }
    Ok(IValue::Device(Arc::new(Device { kind: kind.into(), index })))
}

/// `device.type`.
pub fn device_type(x: &IValue) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::str(&*x.as_device()?.kind)])
}

/// `device.index`.
pub fn device_index(x: &IValue) -> Result<IValue, Error> {
    Ok(x.as_device()?.index.map_or(IValue::None, |i| IValue::Int(i64::from(i))))
}

/// Nothing, or an error that says which of sizes, strides and dtype is another one.
pub fn assert_tensor_metadata(t: &Tensor, size: &IValue, stride: &IValue, dtype: Option<DType>) -> Result<(), Error> {
    if let Some(want) = dtype.filter(|want| *want != t.dtype()) {
        return Err(mismatch("dtype", want.graph_name(), t.dtype().graph_name()));
    }
    for (given, name, have) in [(size, "sizes", t.sizes()), (stride, "strides", t.strides())] {
        if let Some(list) = given.optional() {
            let want = list.as_int_list()?;
            if *want != *have {
                return Err(mismatch(name, &format!("{want:?}"), &format!("{have:?}")));
            }
        }
    }
    Ok(())
}

fn mismatch(what: &str, want: &str, have: &str) -> Error {
    Error::runtime(format!("Tensor {what} mismatch! Expected: {want}, Got: {have}"))
}

/// A symbolic size is in bounds; here sizes are numbers, so it is checked.
pub fn sym_constrain_range(size: Number, min: Option<i64>, max: Option<i64>) -> Result<(), Error> {
    let (size, min, max) = (size.to_i64()?, min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
    if size < min || size > max {
        return Err(Error::runtime(format!("Invalid value range for {size} between [{min}, {max}].")));
    }
    Ok(())
}

/// Tensors that two programs cannot tell apart by dtype: `torch.can_cast`.
pub fn can_cast(from: DType, to: DType) -> bool {
    let class = |d: DType| match d {
        DType::Bool => 0,
        d if d.is_complex() => 3,
        d if d.is_float() => 2,
        _ => 1,
    };
    class(from) <= class(to)
}

/// The least and the greatest number, and zero.
pub fn extent(t: &Tensor) -> Result<(f64, f64), Error> {
    if t.dtype().is_complex() {
        return Err(crate::not_implemented("min_all", t.dtype()));
    }
    let numbers = crate::engine::cast::to_vec::<f64>(t)?;
    if numbers.is_empty() {
        return Err(Error::runtime(
            "min(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.",
        ));
    }
    let least = |a: f64, b: f64| if b.is_nan() || b < a { b } else { a };
    let most = |a: f64, b: f64| if b.is_nan() || b > a { b } else { a };
    let (low, high) = (numbers.iter().copied().fold(0.0, least), numbers.iter().copied().fold(0.0, most));
    if low.is_nan() || high.is_nan() {
        return Err(Error::runtime("In ChooseQuantizationParams, min should be less than or equal to max"));
    }
    Ok((low, high))
}

/// Scales are not smaller.
const LEAST_SCALE: f64 = 6.1e-5f32 as f64;

/// Scale and zero point that map the numbers between two, and zero, to the integers of a range.
pub fn affine_parameters(low: f64, high: f64, least: f64, most: f64) -> (f64, i64) {
    let (mut low, mut high) = (low.min(0.0), high.max(0.0));
    let mut scale = (high - low) / (most - least);
    if scale as f32 == 0.0 || (1.0 / scale as f32).is_infinite() {
        scale = 0.1;
    }
    if scale < LEAST_SCALE {
        // The range grows with the scale, in floats of 32 bits.
        let growth = (LEAST_SCALE / scale) as f32;
        (low, high) = (f64::from(low as f32 * growth), f64::from(high as f32 * growth));
        scale = LEAST_SCALE;
    }
    // The end of the range that loses less decides.
    let (from_low, from_high) = (least - low / scale, most - high / scale);
    let (lost_low, lost_high) = (least.abs() + (low / scale).abs(), most.abs() + (high / scale).abs());
    let zero = if lost_low < lost_high { from_low } else { from_high };
    (scale, zero.clamp(least, most).round_ties_even() as i64)
}

/// (self, reduce_range): scale and zero point that map the numbers, and zero, to bytes (to 7 bits when the range is to be reduced).
pub fn choose_qparams(t: &Tensor, reduce_range: bool) -> Result<(f64, i64), Error> {
    let (low, high) = extent(t)?;
    Ok(affine_parameters(low, high, 0.0, if reduce_range { 127.0 } else { 255.0 }))
}
