//! What differentiated graphs and decompositions ask: sizes that differ, lists as tensors, the ends of a dtype.

use sconce_kernels::engine::arguments::arg;
use sconce_kernels::engine::cast;
use sconce_kernels::{Call, Error, Outputs, kernels};
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::smallvec;

/// The first sizes if the two differ, else None.
pub fn size_if_not_equal(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let equal = arg(args, 0)?.as_int_list()? == arg(args, 1)?.as_int_list()?;
    Ok(smallvec![if equal { IValue::None } else { args[0].clone() }])
}

/// Integers of 32 bits from a list.
pub fn list_to_tensor(x: Sizes) -> Tensor {
    let items: Vec<i32> = x.iter().map(|v| *v as i32).collect();
    let n = items.len() as i64;
    Tensor::from_vec(items, &[n])
}

/// A list from integers of 32 bits.
pub fn tensor_to_list(t: &Tensor) -> Result<IValue, Error> {
    if t.dim() == 0 {
        return Err(Error::runtime("Dimension specified as 0 but tensor has no dimensions"));
    }
    if t.numel() > 0 && t.dtype() != DType::I32 {
        return Err(Error::runtime(format!("expected scalar type Int but found {}", t.dtype().scalar_type_name())));
    }
    let items = if t.numel() == 0 { Vec::new() } else { cast::to_vec::<i64>(t)? };
    Ok(IValue::int_list(&items))
}

/// The largest and the smallest number of a dtype.
fn extreme(_: &Call<'_>, args: &[IValue], largest: bool) -> Result<Outputs, Error> {
    let dtype = arg(args, 0)?.as_dtype()?;
    let integer = |low: i64, high: i64| IValue::Int(if largest { high } else { low });
    let float = |high: f64| IValue::Double(if largest { high } else { -high });
    Ok(smallvec![match dtype {
        DType::Bool => IValue::Bool(largest),
        DType::U8 => integer(0, 255),
        DType::I8 => integer(-128, 127),
        DType::I16 => integer(i16::MIN.into(), i16::MAX.into()),
        DType::I32 => integer(i32::MIN.into(), i32::MAX.into()),
        DType::I64 => integer(i64::MIN, i64::MAX),
        DType::F16 => float(65504.0),
        DType::BF16 => float(sconce_tensor::bf16::MAX.into()),
        DType::F32 => float(f32::MAX.into()),
        DType::F64 => float(f64::MAX),
        other => return Err(Error::runtime(format!("{other} has no largest and no smallest number"))),
    }])
}

kernels! { maximum_value = extreme, true; minimum_value = extreme, false; }
