//! `mlir-opt`, `mlir-translate` and the language server as functions for thin mains. A panic in a callback becomes a message and a failure.

use crate::pass::panic_text;
use crate::{ffi, raw};
use melior::Context;
use melior::ir::Module;
use mlir_sys::{MlirContext, MlirModule, MlirOperation, MlirStringRef};
use std::ffi::{CString, OsString, c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::os::unix::ffi::OsStringExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// Makes MLIR text of an input file that is none, or foreign text of MLIR: `Ok(None)` leaves the contents as they are.
pub type Import = fn(name: &str, contents: &[u8]) -> Result<Option<String>, String>;

/// An option of a [`Writer`].
#[derive(Clone, Copy, Debug)]
pub struct WriterOption {
    /// `--name=value`
    pub name: &'static str,
    /// For the help.
    pub help: &'static str,
    /// When it is not given.
    pub default: &'static str,
}

static IMPORT: OnceLock<Import> = OnceLock::new();
static EXPORT: OnceLock<Import> = OnceLock::new();

/// The arguments as C wants them: NUL-terminated, the list too.
struct Arguments {
    _owned: Vec<CString>,
    pointers: Vec<*mut c_char>,
}

impl Arguments {
    fn new(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let owned: Vec<CString> =
            arguments.into_iter().map(|argument| CString::new(argument.into_vec()).unwrap_or_default()).collect();
        let mut pointers: Vec<*mut c_char> = owned.iter().map(|argument| argument.as_ptr().cast_mut()).collect();
        pointers.push(std::ptr::null_mut());
        Arguments { _owned: owned, pointers }
    }

    fn count(&self) -> c_int {
        c_int::try_from(self.pointers.len() - 1).unwrap_or(c_int::MAX)
    }
}

/// The whole of `mlir-opt` with everything that is registered. `import` sees the input before MLIR does; with `--graph-text`, `export` makes what is printed of
/// MLIR bytecode. Returns the exit status: 0, 1 for bad input, 2 for bad usage.
pub fn opt_main(arguments: impl IntoIterator<Item = OsString>, version: &str, import: Import, export: Import) -> i32 {
    unsafe extern "C" fn importing(
        name: MlirStringRef,
        contents: MlirStringRef,
        emit: ffi::Sink,
        user: *mut c_void,
    ) -> c_int {
        // SAFETY: MLIR's buffers live through the call; sink and user came together.
        unsafe { converted(&IMPORT, name, contents, emit, user) }
    }
    unsafe extern "C" fn exporting(
        name: MlirStringRef,
        contents: MlirStringRef,
        emit: ffi::Sink,
        user: *mut c_void,
    ) -> c_int {
        // SAFETY: as above.
        unsafe { converted(&EXPORT, name, contents, emit, user) }
    }
    IMPORT.get_or_init(|| import);
    EXPORT.get_or_init(|| export);
    let mut arguments = Arguments::new(arguments);
    let (version, pointers) = (raw::str_ref(version), arguments.pointers.as_mut_ptr());
    // SAFETY: the arguments live through the call; the callbacks do not unwind.
    unsafe { ffi::sconceOptMain(arguments.count(), pointers, version, Some(importing), Some(exporting)) }
}

/// What a callback says: 0 where the contents stay as they are, 1 where the sink got others, 2 for an error that was printed.
///
/// # Safety
/// The texts live through the call, and sink and user came together.
unsafe fn converted(
    by: &OnceLock<Import>,
    name: MlirStringRef,
    contents: MlirStringRef,
    emit: ffi::Sink,
    user: *mut c_void,
) -> c_int {
    // SAFETY: the caller says so.
    let (name, contents) = unsafe { (raw::as_str(name), raw::as_bytes(contents)) };
    let Some(convert) = by.get() else { return 0 };
    match catch_unwind(AssertUnwindSafe(|| convert(name, contents))) {
        Ok(Ok(None)) => 0,
        Ok(Ok(Some(text))) => {
            // SAFETY: sink and user came together, and the text lives through the call.
            unsafe { emit(raw::str_ref(&text), user) };
            1
        }
        Ok(Err(message)) => {
            eprintln!("{message}");
            2
        }
        Err(panic) => {
            eprintln!("{name}: error: internal error: {}", panic_text(panic.as_ref()));
            2
        }
    }
}

/// A foreign text that [`translate_main`] reads.
pub trait Reader {
    /// The module that a text says. The message of an error is printed; of one that was given to MLIR's diagnostics it is empty.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn read<'c>(context: &'c Context, contents: &[u8], name: &str) -> Result<Module<'c>, String>;
}

/// A foreign text that [`translate_main`] writes.
pub trait Writer {
    /// The text of a module, by the value of the writer's option; messages as of [`Reader::read`].
    ///
    /// # Errors
    /// What the text cannot say.
    fn write(module: &Module<'_>, option: &str) -> Result<String, String>;
}

/// Adds `--name FILE` to [`translate_main`], reading a foreign text.
pub fn register_reader<R: Reader>(name: &str, description: &str) {
    unsafe extern "C" fn callback<R: Reader>(
        context: MlirContext,
        contents: MlirStringRef,
        name: MlirStringRef,
    ) -> MlirOperation {
        // SAFETY: context and buffers live through the call.
        let (context, contents, name) = unsafe { (raw::context(context), raw::as_bytes(contents), raw::as_str(name)) };
        let message = match catch_unwind(AssertUnwindSafe(|| R::read(context, contents, name))) {
            Ok(Ok(module)) => {
                let raw = module.as_operation().to_raw();
                // The caller owns the operation now.
                std::mem::forget(module);
                return raw;
            }
            Ok(Err(message)) => message,
            Err(panic) => format!("internal error: {}", panic_text(panic.as_ref())),
        };
        if !message.is_empty() {
            eprintln!("error: {message}");
        }
        MlirOperation { ptr: std::ptr::null_mut() }
    }
    // SAFETY: the texts are copied; the callback does not unwind.
    unsafe { ffi::sconceRegisterReader(raw::str_ref(leak(name)), raw::str_ref(leak(description)), callback::<R>) }
}

/// Adds `--name FILE` to [`translate_main`], writing a foreign text.
pub fn register_writer<W: Writer>(name: &str, description: &str, option: WriterOption) {
    unsafe extern "C" fn callback<W: Writer>(
        module: MlirModule,
        option: MlirStringRef,
        emit: ffi::Sink,
        user: *mut c_void,
    ) -> bool {
        // SAFETY: module and option live through the call; the module stays its owner's.
        let (module, option) = unsafe { (ManuallyDrop::new(Module::from_raw(module)), raw::as_str(option)) };
        let message = match catch_unwind(AssertUnwindSafe(|| W::write(&module, option))) {
            Ok(Ok(text)) => {
                // SAFETY: sink and user came together, and the text lives through the call.
                unsafe { emit(raw::str_ref(&text), user) };
                return true;
            }
            Ok(Err(message)) => message,
            Err(panic) => format!("internal error: {}", panic_text(panic.as_ref())),
        };
        if !message.is_empty() {
            eprintln!("error: {message}");
        }
        false
    }
    // SAFETY: the texts are copied or live for ever; the callback does not unwind.
    unsafe {
        ffi::sconceRegisterWriter(
            raw::str_ref(leak(name)),
            raw::str_ref(leak(description)),
            raw::str_ref(option.name),
            raw::str_ref(option.help),
            raw::str_ref(option.default),
            callback::<W>,
        );
    }
}

/// MLIR's tables of translations keep the address of a name.
fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// The whole of `mlir-translate` with the registered readers and writers. Returns the exit status.
pub fn translate_main(arguments: impl IntoIterator<Item = OsString>, version: &str) -> i32 {
    let mut arguments = Arguments::new(arguments);
    // SAFETY: the arguments live through the call.
    unsafe { ffi::sconceTranslateMain(arguments.count(), arguments.pointers.as_mut_ptr(), raw::str_ref(version)) }
}

/// The language server on standard input and output. Returns the exit status.
pub fn lsp_main(arguments: impl IntoIterator<Item = OsString>) -> i32 {
    let mut arguments = Arguments::new(arguments);
    // SAFETY: the arguments live through the call.
    unsafe { ffi::sconceLspMain(arguments.count(), arguments.pointers.as_mut_ptr()) }
}
