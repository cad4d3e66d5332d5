//! Tuples, optionals and enum members: operators on values of any type that run no tensor code.

use crate::engine::number::Number;
use crate::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::smallvec;

/// The value, which must not be None.
pub fn unwrap_optional(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    match std::mem::take(args.first_mut().unwrap_or(&mut IValue::None)) {
        IValue::None => Err(Error::runtime("Unwrapping null optional")),
        v => Ok(smallvec![v]),
    }
}

/// Autocasting, which no program can turn on here.
pub fn never() -> bool {
    false
}

/// What autocasting would compute in, had it been turned on.
pub fn autocast_dtype(device_type: &str) -> Result<IValue, Error> {
    let dtype = match device_type {
        "cpu" => DType::BF16,
        "cuda" => DType::F16,
        other => return Err(Error::runtime(format!("get_autocast_dtype: no dtype is known for the device {other:?}"))),
    };
    Ok(dtype.into())
}

/// The value as it is (`unchecked_cast`), the tensor itself (`positive`, `resolve_neg`, `cpu`).
pub fn identity(x: &IValue) -> IValue {
    x.clone()
}

/// `y if c else z`, both computed.
pub fn if_then_else(condition: bool, x: &IValue, y: &IValue) -> IValue {
    if condition { x.clone() } else { y.clone() }
}

/// `t[i]`.
pub fn tuple_index(tup: &IValue, i: i64) -> Result<Outputs, Error> {
    let items = &tup.as_tuple()?.items;
    let at = if i < 0 { i.wrapping_add(items.len() as i64) } else { i };
    match usize::try_from(at).ok().and_then(|at| items.get(at)) {
        Some(v) => Ok(smallvec![v.clone()]),
        None => Err(Error::index("Tuple index out of range")),
    }
}

pub fn tuple_unpack(tup: &IValue) -> Result<Outputs, Error> {
    Ok(tup.as_tuple()?.items.iter().cloned().collect())
}

pub fn uninitialized() -> IValue {
    IValue::Uninitialized
}

pub fn enum_name(given: &IValue) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::str(&*given.as_enum()?.name)])
}

pub fn enum_value(given: &IValue) -> Result<IValue, Error> {
    Ok(given.as_enum()?.value.clone())
}

/// An assertion on a number: false or zero raises the message.
pub fn assert_scalar(x: Number, assert_msg: &str) -> Result<Outputs, Error> {
    if x.to_bool() {
        return Ok(Outputs::new());
    }
    Err(Error::runtime(assert_msg))
}

/// An assertion on a tensor of one element.
pub fn assert_tensor(x: &Tensor, message: Option<&str>) -> Result<(), Error> {
    match crate::engine::number::truth_of(x)? {
        true => Ok(()),
        false => Err(Error::runtime(message.unwrap_or("Expected Tensor with single nonzero value, but got zero"))),
    }
}

/// The same without a message.
pub fn assert_async(x: &Tensor) -> Result<(), Error> {
    assert_tensor(x, None)
}

/// `warnings.warn`: a warning is no part of what a program computes or prints, and the runtime owns no channel for it.
pub fn warn(_message: &str) {}

/// An item of a `ModuleList` by its number, of a `ModuleDict` by its key: the attribute of that name.
pub fn module_container_index(x: &IValue, ind: &IValue) -> Result<IValue, Error> {
    let object = x.as_object()?;
    let name = match ind {
        IValue::Int(i) => i.to_string(),
        other => other.as_str()?.to_owned(),
    };
    let item = object.slot_of(&name).and_then(|slot| object.get(slot));
    item.ok_or_else(|| Error::runtime(no_field(&object.class, &name)))
}

/// PyTorch's words for an object without such an attribute; the address it adds says nothing.
pub fn no_field(class: &str, name: &str) -> String {
    format!("{class} (of Python compilation unit at: 0x0) does not have a field with name '{name}'")
}
