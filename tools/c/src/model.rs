//! Models: a loaded program and the names of its methods; any number of threads may use one.

use crate::error::{Failure, SconceError, SconceStatus, ask, call, free};
use crate::given::{self, c_text, given, hand_out, items, text};
use crate::method::SconceMethod;
use sconce::limits::CallLimits;
use sconce::{Engine, Module, Options};
use std::ffi::{CString, c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr::null;
use std::sync::Arc;
use std::time::Duration;

/// How programs are loaded, and what their calls may use. One thread at a time may change it; a model keeps a copy.
#[derive(Default)]
pub struct SconceOptions {
    limits: CallLimits,
}

/// A loaded program. Any number of threads may use one handle at once, also to call its methods; what a method writes to the module's state the others see.
pub struct SconceModel {
    module: Arc<Module>,
    methods: Vec<CString>,
}

/// Makes options that limit nothing but calls inside calls. On success `*options` is the caller's, freed by sconce_options_free.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_options_new(
    options: Option<&mut MaybeUninit<*mut SconceOptions>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || hand_out(options, || Ok(SconceOptions::default())))
}

fn set(
    options: Option<&mut SconceOptions>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
    change: impl FnOnce(&mut CallLimits),
) -> SconceStatus {
    call(error, || {
        change(&mut given(options, "options")?.limits);
        Ok(())
    })
}

/// Bounds the instructions of each call, by all tasks of the call together; docs/limits.md says what operators cost.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_options_set_fuel(
    options: Option<&mut SconceOptions>,
    instructions: u64,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    set(options, error, |limits| limits.fuel = Some(instructions))
}

/// Bounds how deep calls may lie in each other inside each call; 1000 unless set.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_options_set_depth(
    options: Option<&mut SconceOptions>,
    calls: usize,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    set(options, error, |limits| limits.depth = calls)
}

/// Bounds the time of each call, in nanoseconds. It is looked at between instructions: an operator that runs is waited for.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_options_set_time(
    options: Option<&mut SconceOptions>,
    nanoseconds: u64,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    set(options, error, |limits| limits.time = Some(Duration::from_nanos(nanoseconds)))
}

/// Bounds the memory of tensors, in bytes: of all tensors of the process, from the next load with these options on. What goes beyond fails as an operator does.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_options_set_memory(
    options: Option<&mut SconceOptions>,
    bytes: usize,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    set(options, error, |limits| limits.memory = Some(bytes))
}

/// Frees options; models that were loaded with them stay. NULL is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_options_free(options: Option<Box<SconceOptions>>) {
    free(options);
}

/// Where programs are loaded with such options.
fn engine(options: Option<&SconceOptions>) -> Result<Engine, Failure> {
    let limits = options.map(|o| o.limits.clone()).unwrap_or_default();
    Ok(Engine::new(Options { limits, ..Options::default() })?)
}

impl SconceModel {
    fn new(module: Module) -> SconceModel {
        let methods = module.methods().into_iter().map(c_text).collect();
        SconceModel { module: Arc::new(module), methods }
    }
}

/// Loads a program from a file: an archive of TorchScript, TorchScript source, graph text or a compiled `.sconce` program, by what is in it. The file may be
/// changed or removed afterwards.
///
/// `options` may be NULL. On success `*model` is the caller's, freed by sconce_model_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sconce_model_load(
    path: *const c_char,
    options: Option<&SconceOptions>,
    model: Option<&mut MaybeUninit<*mut SconceModel>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        hand_out(model, || {
            // SAFETY: the caller's text ends with a 0.
            let path = unsafe { given::path(path) }?;
            Ok(SconceModel::new(engine(options)?.load(path)?))
        })
    })
}

/// The same from memory: `length` bytes, of which nothing is needed afterwards. `name` is for messages, and its ending tells texts apart: `model.py`, `relu.txt`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sconce_model_load_bytes(
    name: *const c_char,
    bytes: *const c_void,
    length: usize,
    options: Option<&SconceOptions>,
    model: Option<&mut MaybeUninit<*mut SconceModel>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        hand_out(model, || {
            // SAFETY: the caller's text ends with a 0.
            let name = unsafe { text(name, "name") }?;
            // SAFETY: the caller's bytes are as many as they say.
            let bytes = unsafe { items(bytes.cast::<u8>(), length, "bytes") }?;
            Ok(SconceModel::new(engine(options)?.load_named(name, bytes)?))
        })
    })
}

/// How many methods a module has; of a program without one, how many functions. 0 of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_model_method_count(model: Option<&SconceModel>) -> usize {
    ask(0, || Some(model?.methods.len()))
}

/// The name of a method, from 0. It lives as long as the model; NULL of an index out of range.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_model_method_name(model: Option<&SconceModel>, index: usize) -> *const c_char {
    ask(null(), || Some(model?.methods.get(index)?.as_ptr()))
}

/// Finds a method by its name, which may lead through submodules: `layers.0.forward`. `name` may be NULL: then it is `forward`; of a program without a module
/// the function that it was compiled for, else its first.
///
/// On success `*method` is the caller's, freed by sconce_method_free; it outlives the model's handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sconce_model_method(
    model: Option<&SconceModel>,
    name: *const c_char,
    method: Option<&mut MaybeUninit<*mut SconceMethod>>,
    error: Option<&mut MaybeUninit<*mut SconceError>>,
) -> SconceStatus {
    call(error, || {
        let module = &given(model, "model")?.module;
        hand_out(method, || {
            let name = match name.is_null() {
                true => module.function_or_default(None)?,
                // SAFETY: the caller's text ends with a 0.
                false => unsafe { text(name, "name") }?.to_owned(),
            };
            SconceMethod::new(module.clone(), name)
        })
    })
}

/// Frees a handle; methods that were found stay. NULL is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_model_free(model: Option<Box<SconceModel>>) {
    free(model);
}
