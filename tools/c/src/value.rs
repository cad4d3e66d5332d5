//! Values of programs, built and looked into: a handle holds its value, and what is taken out of it is a handle of its own.

use crate::error::{Failure, SconceError, SconceStatus, ask, call, free};
use crate::given::{answer, given, hand_out, items};
use crate::tensor::SconceTensor;
use sconce::operator_library::interface::SconceKind;
use sconce::tensor::{Dict, DictKey, IValue};
use sconce::value_text::{MAX_DEPTH, common_type, format_value};
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::ptr::null;
use std::sync::OnceLock;

/// A value of a program. Plain values and strings never change. A tensor shares its memory, and a list or dictionary is the program's own where a program has it:
/// one that was an argument or a result shows what the program does to it later. Any number of threads may read one handle at once.
pub struct SconceValue {
    pub(crate) value: IValue,
    /// How deep containers that were built here lie in it.
    depth: usize,
    /// A string as C reads it, once it was asked for.
    text: OnceLock<Box<[u8]>>,
}

/// Text that the library made.
pub struct SconceText {
    /// Ends with a 0.
    bytes: Vec<u8>,
}

fn ended(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() + 1);
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(0);
    bytes
}

impl SconceValue {
    pub(crate) fn new(value: IValue) -> SconceValue {
        SconceValue { value, depth: 0, text: OnceLock::new() }
    }

    /// What lies in this one.
    fn inner(&self, value: IValue) -> SconceValue {
        SconceValue { depth: self.depth.saturating_sub(1), ..SconceValue::new(value) }
    }

    /// That it is something else than what is asked for.
    fn not(&self, expected: &str) -> Failure {
        Failure::Misuse(format!("the value is of type {}; {expected} is expected", self.value.kind()))
    }

    /// What is at an index of a container.
    fn at<T>(&self, index: usize, length: usize, found: Option<T>) -> Result<T, Failure> {
        found.ok_or_else(|| Failure::Misuse(format!("there is no item {index} in a {} of {length}", self.value.kind())))
    }
}

/// A container of values that stand in an array.
///
/// # Safety
/// There are as many, each NULL or a handle.
unsafe fn contained<'a>(
    values: *const Option<&'a SconceValue>,
    count: usize,
    name: &str,
) -> Result<(Vec<IValue>, usize), Failure> {
    // SAFETY: the caller's promise.
    let handles: &[Option<&'a SconceValue>] = unsafe { items(values, count, name) }?;
    let (mut out, mut depth) = (Vec::with_capacity(count), 0);
    for (i, handle) in handles.iter().enumerate() {
        let handle = given(*handle, &format!("{name}[{i}]"))?;
        out.push(handle.value.clone());
        depth = depth.max(handle.depth);
    }
    if depth >= MAX_DEPTH {
        return Err(Failure::Misuse(format!("containers inside {MAX_DEPTH} others")));
    }
    Ok((out, depth + 1))
}

/// The values of arguments.
///
/// # Safety
/// There are as many, each NULL or a handle.
pub(crate) unsafe fn arguments(
    values: *const Option<&SconceValue>,
    count: usize,
    name: &str,
) -> Result<Vec<IValue>, Failure> {
    // SAFETY: the caller's promise.
    let handles = unsafe { items(values, count, name) }?;
    let value = |(i, handle): (usize, &Option<&SconceValue>)| {
        given(*handle, &format!("{name}[{i}]")).map(|handle| handle.value.clone())
    };
    handles.iter().enumerate().map(value).collect()
}

/// Makes `None`. As all values it is the caller's, freed by sconce_value_free.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_from_none(
    value: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || hand_out(value, || Ok(SconceValue::new(IValue::None))))
}

/// Makes a bool.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_from_bool(
    from: bool,
    value: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || hand_out(value, || Ok(SconceValue::new(from.into()))))
}

/// Makes an int. Where a parameter is a float or complex it becomes one.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_from_int(
    from: i64,
    value: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || hand_out(value, || Ok(SconceValue::new(from.into()))))
}

/// Makes a float, which TorchScript keeps as a double.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_from_double(
    from: f64,
    value: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || hand_out(value, || Ok(SconceValue::new(from.into()))))
}

/// Makes a complex number.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_from_complex(
    real: f64,
    imaginary: f64,
    value: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || hand_out(value, || Ok(SconceValue::new(IValue::complex(real, imaginary)))))
}

/// Makes a string of a copy of `length` bytes, which must be UTF-8 and may have zeros inside.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sconce_value_from_string(
    from: *const c_char,
    length: usize,
    value: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        hand_out(value, || {
            // SAFETY: the caller's text is as long as it says.
            let bytes = unsafe { items(from.cast::<u8>(), length, "the string") }?;
            let text = std::str::from_utf8(bytes)
                .map_err(|e| Failure::Misuse(format!("the string is not UTF-8 from byte {} on", e.valid_up_to())))?;
            Ok(SconceValue::new(IValue::text([text])))
        })
    })
}

/// Makes a value of a tensor, over the same memory. The handle of the tensor stays the caller's.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_from_tensor(
    tensor: Option<&SconceTensor>,
    value: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        let tensor = given(tensor, "tensor")?;
        hand_out(value, || Ok(SconceValue::new(tensor.shared().into())))
    })
}

/// Makes a list of `count` values, whose handles stay the caller's. Its elements have the type that the values have in common; an empty list is of whatever type
/// the parameter has that it is given to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sconce_value_from_list(
    values: *const Option<&SconceValue>,
    count: usize,
    value: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        hand_out(value, || {
            // SAFETY: the caller's array has as many handles as it says.
            let (items, depth) = unsafe { contained(values, count, "values") }?;
            Ok(SconceValue { depth, ..SconceValue::new(IValue::list(common_type(&items), items)) })
        })
    })
}

/// Makes a tuple of `count` values, whose handles stay the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sconce_value_from_tuple(
    values: *const Option<&SconceValue>,
    count: usize,
    value: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        hand_out(value, || {
            // SAFETY: the caller's array has as many handles as it says.
            let (items, depth) = unsafe { contained(values, count, "values") }?;
            Ok(SconceValue { depth, ..SconceValue::new(IValue::tuple(items)) })
        })
    })
}

/// Makes a dictionary of `count` keys and as many values, whose handles stay the caller's. Keys are strings, numbers, bools or tensors; of two equal ones the later
/// counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sconce_value_from_dict(
    keys: *const Option<&SconceValue>,
    values: *const Option<&SconceValue>,
    count: usize,
    value: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        hand_out(value, || {
            // SAFETY: the caller's arrays have as many handles as they say.
            let (keys, _) = unsafe { contained(keys, count, "keys") }?;
            // SAFETY: as above.
            let (values, depth) = unsafe { contained(values, count, "values") }?;
            let dict = Dict::new(common_type(&keys), common_type(&values));
            for (k, v) in keys.iter().zip(values) {
                dict.write().insert(key(k)?, v);
            }
            Ok(SconceValue { depth, ..SconceValue::new(IValue::Dict(dict)) })
        })
    })
}

fn key(value: &IValue) -> Result<DictKey, Failure> {
    let kind = value.kind();
    DictKey::from_value(value).ok_or_else(|| {
        Failure::Misuse(format!("a {kind} is no key: a string, a number, a bool or a tensor is expected"))
    })
}

/// What a value is; SCONCE_KIND_NOTHING of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_kind(value: Option<&SconceValue>) -> SconceKind {
    ask(SconceKind::Nothing, || Some(SconceKind::of(&value?.value)))
}

fn read<T>(
    value: Option<&SconceValue>,
    to: Option<&mut MaybeUninit<T>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
    found: impl FnOnce(&SconceValue) -> Result<T, Failure>,
) -> SconceStatus {
    call(error, || answer(to, found(given(value, "value")?)?))
}

/// Reads a bool.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_as_bool(
    value: Option<&SconceValue>,
    to: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    read(value, to, error, |value| value.value.as_bool().map_err(|_| value.not("a bool")))
}

/// Reads an int.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_as_int(
    value: Option<&SconceValue>,
    to: Option<&mut MaybeUninit<i64>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    read(value, to, error, |value| value.value.as_int().map_err(|_| value.not("an int")))
}

/// Reads a float; an int or bool is converted.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_as_double(
    value: Option<&SconceValue>,
    to: Option<&mut MaybeUninit<f64>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    read(value, to, error, |value| value.value.as_double().map_err(|_| value.not("a float")))
}

/// Reads a complex number.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_as_complex(
    value: Option<&SconceValue>,
    real: Option<&mut MaybeUninit<f64>>,
    imaginary: Option<&mut MaybeUninit<f64>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        let value = given(value, "value")?;
        let IValue::Complex(number) = &value.value else { return Err(value.not("a complex number")) };
        answer(real, number.re)?;
        answer(imaginary, number.im)
    })
}

/// Reads a string: UTF-8 that ends with a 0 and may have others inside, and its bytes without that end; `length` may be NULL. It lives as long as the handle.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_as_string(
    value: Option<&SconceValue>,
    to: Option<&mut MaybeUninit<*const c_char>>,
    length: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        let value = given(value, "value")?;
        let string = value.value.as_str().map_err(|_| value.not("a string"))?;
        let text = value.text.get_or_init(|| ended(string).into());
        if let Some(place) = length {
            place.write(string.len());
        }
        answer(to, text.as_ptr().cast())
    })
}

/// Reads a tensor, over the same memory. On success `*tensor` is the caller's, freed by sconce_tensor_free; it outlives the value.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_as_tensor(
    value: Option<&SconceValue>,
    tensor: Option<&mut MaybeUninit<*mut SconceTensor>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        let value = given(value, "value")?;
        hand_out(tensor, || Ok(SconceTensor::new(value.value.as_tensor().map_err(|_| value.not("a tensor"))?)))
    })
}

/// How many items a list, tuple or dictionary has.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_length(
    value: Option<&SconceValue>,
    length: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    read(value, length, error, |value| match &value.value {
        IValue::List(list) => Ok(list.len()),
        IValue::Tuple(tuple) => Ok(tuple.items.len()),
        IValue::Dict(dict) => Ok(dict.read().len()),
        _ => Err(value.not("a list, tuple or dictionary")),
    })
}

/// Takes an item of a list or tuple, from 0. On success `*item` is the caller's, freed by sconce_value_free; it outlives the container.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_item(
    value: Option<&SconceValue>,
    index: usize,
    item: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        let value = given(value, "value")?;
        hand_out(item, || {
            let (found, length) = match &value.value {
                IValue::List(list) => {
                    let items = list.read();
                    (items.get(index).cloned(), items.len())
                }
                IValue::Tuple(tuple) => (tuple.items.get(index).cloned(), tuple.items.len()),
                _ => return Err(value.not("a list or tuple")),
            };
            Ok(value.inner(value.at(index, length, found)?))
        })
    })
}

/// Takes an entry of a dictionary, from 0 in the order of insertion. On success `*key` and `*item` are the caller's, freed by sconce_value_free.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_entry(
    value: Option<&SconceValue>,
    index: usize,
    key: Option<&mut MaybeUninit<*mut SconceValue>>,
    item: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        let value = given(value, "value")?;
        let (key, item) = (given(key, "the key's place")?, given(item, "the item's place")?);
        let IValue::Dict(dict) = &value.value else { return Err(value.not("a dictionary")) };
        let (found, length) = {
            let entries = dict.read();
            (entries.get_index(index).map(|(k, v)| (k.to_value(), v.clone())), entries.len())
        };
        let (k, v) = value.at(index, length, found)?;
        hand_out(Some(key), || Ok(value.inner(k)))?;
        hand_out(Some(item), || Ok(value.inner(v)))
    })
}

/// Takes the item that a dictionary has for a key; `*item` is NULL where it has none. It is the caller's, freed by sconce_value_free.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_lookup(
    value: Option<&SconceValue>,
    of: Option<&SconceValue>,
    item: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        let value = given(value, "value")?;
        let IValue::Dict(dict) = &value.value else { return Err(value.not("a dictionary")) };
        let wanted = key(&given(of, "the key")?.value)?;
        let found = dict.read().get(&wanted).cloned();
        match found {
            Some(found) => hand_out(item, || Ok(value.inner(found))),
            None => answer(item, std::ptr::null_mut()),
        }
    })
}

/// A value as Python prints it. On success `*text` is the caller's, freed by sconce_text_free.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_to_text(
    value: Option<&SconceValue>,
    text: Option<&mut MaybeUninit<*mut SconceText>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        let value = given(value, "value")?;
        hand_out(text, || Ok(SconceText { bytes: ended(&format_value(&value.value)) }))
    })
}

/// Frees a handle; other handles of what is in it stay. NULL is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_value_free(value: Option<Box<SconceValue>>) {
    free(value);
}

/// The text: UTF-8 that ends with a 0. It lives as long as the handle; NULL of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_text_data(text: Option<&SconceText>) -> *const c_char {
    ask(null(), || Some(text?.bytes.as_ptr().cast()))
}

/// The bytes of a text, without the 0 at its end; 0 of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_text_length(text: Option<&SconceText>) -> usize {
    ask(0, || Some(text?.bytes.len() - 1))
}

/// Frees a text. NULL is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_text_free(text: Option<Box<SconceText>>) {
    free(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_are_built_to_a_depth_that_fits_a_stack() {
        let mut inner = Box::new(SconceValue::new(IValue::Int(1)));
        for depth in 0..=MAX_DEPTH {
            let mut made = MaybeUninit::uninit();
            let handles = [Some(&*inner)];
            // SAFETY: an array of one handle.
            let status = unsafe { sconce_value_from_list(handles.as_ptr(), 1, Some(&mut made), None) };
            let expected = if depth < MAX_DEPTH { SconceStatus::Ok } else { SconceStatus::Misuse };
            assert_eq!(status, expected, "{depth}");
            if status == SconceStatus::Ok {
                // SAFETY: it was made just now.
                inner = unsafe { Box::from_raw(made.assume_init()) };
            }
        }
        assert_eq!(inner.inner(IValue::None).depth, MAX_DEPTH - 1);
    }
}
