//! Operators of shared libraries: a library is loaded when somebody names it and never because of what a program says, all of its operators are taken or none, and
//! from then on they are operators like others.
//!
//! A library is C: [`interface`] is its header. It knows nothing of this process but what it is handed, so it links with nothing.

mod call;
pub mod interface;
mod registry;

use interface::{SconceOperatorCall, SconceRegisterOperators};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use registry::{Added, Registry};
use sconce_kernels::{Call, Error, Outputs};
use sconce_schema::{FunctionSchema, OpEntry};
use sconce_tensor::IValue;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};

/// The function that a library has ([`SconceRegisterOperators`]).
const ENTRY: &CStr = c"sconce_register_operators";

/// Why a library's operators cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// There is no such file.
    #[error("{path}: {source}")]
    Io {
        /// As it was given.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is no library of this machine, or lacks something that it links with.
    #[error("{path}: it cannot be loaded as a library: {why}")]
    Unloadable {
        /// As it was given.
        path: String,
        /// What the dynamic linker says.
        why: String,
    },
    /// It is no library of operators.
    #[error("{path}: it has no function {}, which a library of operators has", ENTRY.to_string_lossy())]
    NoEntry {
        /// As it was given.
        path: String,
    },
    /// One of its operators is refused, or it failed by itself.
    #[error("{path}: {why}")]
    Refused {
        /// As it was given.
        path: String,
        /// What is wrong with it.
        why: String,
    },
}

/// What an operator does.
type Function = unsafe extern "C" fn(*mut SconceOperatorCall) -> i32;

/// An operator of a library.
struct Registered {
    function: Function,
    context: *mut c_void,
    /// The library's file name.
    library: String,
}

// SAFETY: the interface says that the function is called from any thread, and nothing else is done with the context.
unsafe impl Send for Registered {}
// SAFETY: as above.
unsafe impl Sync for Registered {}

/// By the operator's number. They stay: a program that has one may be called as long as the process lives.
static REGISTERED: RwLock<BTreeMap<u32, &'static Registered>> = RwLock::new(BTreeMap::new());

fn registered(id: u32) -> Option<&'static Registered> {
    REGISTERED.read().unwrap_or_else(PoisonError::into_inner).get(&id).copied()
}

/// Loads a shared library and makes its operators known to the whole process, as `torch.ops.load_library` does: frontends resolve calls of them, and programs that are
/// loaded from now on run them. Gives their names. A library that was loaded before is not loaded again. It stays loaded.
///
/// The library's code runs, now and in calls: name only files that are trusted as this program is.
///
/// # Errors
/// There is no such library, it has not the entry, it was made for another version of the interface, or one of its operators is refused: its schema is wrong, or
/// somebody else has its name. Then none of its operators is known.
pub fn load(path: &Path) -> Result<Vec<String>, LibraryError> {
    static LOADED: Mutex<BTreeMap<PathBuf, Vec<String>>> = Mutex::new(BTreeMap::new());
    let shown = path.display().to_string();
    // The linker looks for bare names elsewhere.
    let file = path.canonicalize().map_err(|source| LibraryError::Io { path: shown.clone(), source })?;
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(names) = loaded.get(&file) {
        return Ok(names.clone());
    }
    let added = added(&file, &shown)?;
    let library = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    let mut names = Vec::with_capacity(added.len());
    for operator in added {
        let name = operator.schema.full_name();
        know(operator, &library).map_err(|why| LibraryError::Refused { path: shown.clone(), why })?;
        names.push(name);
    }
    loaded.insert(file, names.clone());
    Ok(names)
}

/// What the library in a file adds, none of it known yet.
fn added(file: &Path, shown: &str) -> Result<Vec<Added>, LibraryError> {
    let unloadable = |e: libloading::Error| {
        let cause = std::error::Error::source(&e).map(ToString::to_string);
        LibraryError::Unloadable { path: shown.to_owned(), why: cause.unwrap_or_else(|| e.to_string()) }
    };
    // SAFETY: whoever named the file trusts the code that runs when it is loaded.
    let library = unsafe { Library::open(Some(file), RTLD_NOW | RTLD_LOCAL) }.map_err(unloadable)?;
    // SAFETY: the function of this name is of this type in every library of operators.
    let entry = unsafe { library.get::<SconceRegisterOperators>(ENTRY.to_bytes_with_nul()) };
    let entry = entry.map_err(|_| LibraryError::NoEntry { path: shown.to_owned() })?;
    let mut registry = Registry::default();
    let registering = registry.shown();
    // SAFETY: as above; what it is given lives until it returns.
    let status = unsafe { entry(&raw const registering) };
    // Its functions are called as long as the process lives; one that failed may have begun threads.
    std::mem::forget(library);
    let failed = || (status != 0).then(|| format!("{} gave {status}", ENTRY.to_string_lossy()));
    match registry.failure.take().or_else(failed) {
        Some(why) => Err(LibraryError::Refused { path: shown.to_owned(), why }),
        None => Ok(registry.operators),
    }
}

/// Makes an operator known that was looked at.
fn know(operator: Added, library: &str) -> Result<(), String> {
    let entry = sconce_schema::register(&operator.schema.to_string()).map_err(|e| e.to_string())?;
    sconce_kernels::register(entry, run).map_err(|e| e.to_string())?;
    let Added { function, context, .. } = operator;
    let made: &'static Registered = Box::leak(Box::new(Registered { function, context, library: library.to_owned() }));
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).insert(entry.id, made);
    Ok(())
}

/// Who has an operator of this name, and as what; nobody where its schema alone is known, and is the same.
fn owner(schema: &FunctionSchema) -> Option<String> {
    let entry: &'static OpEntry = sconce_schema::lookup(&schema.full_name())?;
    let whose = match registered(entry.id) {
        Some(other) => other.library.clone(),
        None if sconce_kernels::lookup(entry).is_none() && *entry.schema() == *schema => return None,
        None => "this program".to_owned(),
    };
    Some(format!("{whose} (`{}`)", entry.schema_text))
}

/// The kernel of every operator of a library.
fn run(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let missing = || Error::Missing { op: call.entry.name.to_owned(), needs: None };
    call::run(call.entry, registered(call.entry.id).ok_or_else(missing)?, args)
}

/// The text at an address that a library gave, or what is wrong with it.
///
/// # Safety
/// It is NULL, or ends with a 0 and stays what it is as long as the text is used.
unsafe fn text<'a>(at: *const c_char) -> Result<&'a str, String> {
    if at.is_null() {
        return Err("is NULL".to_owned());
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(at) };
    text.to_str().map_err(|e| format!("is not UTF-8 from byte {} on", e.valid_up_to()))
}
