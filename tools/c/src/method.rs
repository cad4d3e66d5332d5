//! Methods of a model: what they take and give, and their calls, from any number of threads.

use crate::error::{Failure, SconceError, SconceStatus, ask, call, free};
use crate::given::{c_text, given, hand_out, items, text};
use crate::value::{SconceValue, arguments};
use sconce::{IValue, Module};
use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;
use std::ptr::null;
use std::sync::Arc;

/// A method of a model, or a function of a program. Any number of threads may use one handle at once.
pub struct SconceMethod {
    module: Arc<Module>,
    name: String,
    shown_name: CString,
    parameters: Vec<Parameter>,
    results: Vec<CString>,
}

struct Parameter {
    name: CString,
    ty: CString,
    has_default: bool,
}

impl SconceMethod {
    /// # Errors
    /// There is no such method, or it does not compile.
    pub(crate) fn new(module: Arc<Module>, name: String) -> Result<SconceMethod, Failure> {
        let parameters = module.own_parameters(&name)?.iter().map(|p| Parameter {
            name: c_text(&p.name),
            ty: c_text(&p.ty.annotation_str()),
            has_default: p.default.is_some(),
        });
        let parameters = parameters.collect();
        let results = module.function(&name)?.results.iter().map(|ty| c_text(&ty.annotation_str())).collect();
        Ok(SconceMethod { shown_name: c_text(&name), module, name, parameters, results })
    }
}

/// The name that the method was found by. It lives as long as the handle; NULL of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_method_name(method: Option<&SconceMethod>) -> *const c_char {
    ask(null(), || Some(method?.shown_name.as_ptr()))
}

/// How many parameters it has, without the module itself; 0 of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_method_parameter_count(method: Option<&SconceMethod>) -> usize {
    ask(0, || Some(method?.parameters.len()))
}

/// The name of a parameter, from 0. It lives as long as the handle; NULL of an index out of range.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_method_parameter_name(method: Option<&SconceMethod>, index: usize) -> *const c_char {
    ask(null(), || Some(method?.parameters.get(index)?.name.as_ptr()))
}

/// The type of a parameter as TorchScript writes it: `Tensor`, `List[int]`. It lives as long as the handle; NULL of an index out of range.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_method_parameter_type(method: Option<&SconceMethod>, index: usize) -> *const c_char {
    ask(null(), || Some(method?.parameters.get(index)?.ty.as_ptr()))
}

/// Whether a parameter may be left out, since the program declares a value for it; false of an index out of range.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_method_parameter_has_default(method: Option<&SconceMethod>, index: usize) -> bool {
    ask(false, || Some(method?.parameters.get(index)?.has_default))
}

/// How many results it gives; several come as a tuple. 0 of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_method_result_count(method: Option<&SconceMethod>) -> usize {
    ask(0, || Some(method?.results.len()))
}

/// The type of a result as TorchScript writes it, from 0. It lives as long as the handle; NULL of an index out of range.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_method_result_type(method: Option<&SconceMethod>, index: usize) -> *const c_char {
    ask(null(), || Some(method?.results.get(index)?.as_ptr()))
}

/// Arguments of a call; arrays without entries may be NULL. Handles stay the caller's. No member is ever added.
#[repr(C)]
pub struct SconceArguments<'a> {
    /// Those by position.
    positional: *const Option<&'a SconceValue>,
    positional_count: usize,
    /// Names of those by name.
    names: *const *const c_char,
    /// As many values.
    named: *const Option<&'a SconceValue>,
    named_count: usize,
}

/// A call's arguments, by position and by name.
type Given<'a> = (Vec<IValue>, Vec<(&'a str, IValue)>);

impl<'a> SconceArguments<'a> {
    /// # Safety
    /// The arrays have as many entries as they say, and texts end with a 0.
    unsafe fn values(&self) -> Result<Given<'a>, Failure> {
        // SAFETY: the caller's promise.
        let positional = unsafe { arguments(self.positional, self.positional_count, "positional") }?;
        // SAFETY: as above.
        let values = unsafe { arguments(self.named, self.named_count, "named") }?;
        // SAFETY: as above.
        let names = unsafe { items(self.names, self.named_count, "names") }?;
        let mut named = Vec::with_capacity(values.len());
        for ((i, name), value) in names.iter().enumerate().zip(values) {
            // SAFETY: as above.
            named.push((unsafe { text(*name, &format!("names[{i}]")) }?, value));
        }
        Ok((positional, named))
    }
}

/// Calls a method; declared defaults stand for arguments that are not given. `arguments` may be NULL where there are none. Any number of threads may call at once,
/// as long as none writes to an argument that another uses.
///
/// On success `*result` is the caller's, freed by sconce_value_free: `None` of a method that gives nothing, a tuple of one that gives several. The error of a
/// run that fails has a traceback. One that wants more than the model's options allow gives SCONCE_STATUS_LIMIT, and where its time is over SCONCE_STATUS_CANCELLED.
/// What the program prints goes to standard output.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sconce_method_call(
    method: Option<&SconceMethod>,
    arguments: Option<&SconceArguments<'_>>,
    result: Option<&mut MaybeUninit<*mut SconceValue>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        let method = given(method, "method")?;
        hand_out(result, || {
            // SAFETY: the caller's arrays are as long as they say.
            let given = arguments.map(|arguments| unsafe { arguments.values() }).transpose()?;
            let (positional, named) = given.unwrap_or_default();
            Ok(SconceValue::new(method.module.call_named(&method.name, &positional, &named)?))
        })
    })
}

/// Frees a handle. NULL is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_method_free(method: Option<Box<SconceMethod>>) {
    free(method);
}
