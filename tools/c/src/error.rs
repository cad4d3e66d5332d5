//! How a call went: a status, and an error that is the caller's; no panic leaves the library.

use crate::given::c_text;
use sconce::{Error, ErrorKind};
use std::any::Any;
use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};

/// How a call went. Numbers are never used again for something else; later versions may have more of them.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SconceStatus {
    /// It did what was asked.
    Ok = 0,
    /// The caller broke a rule of this interface: NULL where something is needed, an index out of range, a value of another kind, text that is not UTF-8.
    Misuse = 1,
    /// A file that cannot be read.
    Io = 2,
    /// A file or bytes that hold no program, are damaged, or hold what is not supported.
    Load = 3,
    /// Source or graph text that is wrong or not supported.
    Source = 4,
    /// Arguments that do not fit the method, or elements that no tensor can have.
    Argument = 5,
    /// The program has nothing of that name.
    NotFound = 6,
    /// The program raised an exception: the error has class, message and traceback, as of every run that ended early.
    Raised = 7,
    /// An operator refused its inputs, or there was no memory for its result.
    Operator = 8,
    /// The program calls an operator that this library does not have.
    MissingOperator = 9,
    /// The call wanted more than its limits allow: fuel or depth.
    Limit = 10,
    /// The call was stopped, since its time was over.
    Cancelled = 11,
    /// Every task of the program waits for another.
    Deadlock = 12,
    /// Something that only a compiler can do.
    NoCompiler = 13,
    /// A compiler refused, failed, or answered something else.
    Compile = 14,
    /// The program has no such thing, or it cannot be written so.
    Unsupported = 15,
    /// Something else, which the message says.
    Other = 16,
    /// A mistake in the library. Handles stay usable; please report it.
    Internal = 17,
}

impl From<ErrorKind> for SconceStatus {
    fn from(kind: ErrorKind) -> SconceStatus {
        match kind {
            ErrorKind::Io => SconceStatus::Io,
            ErrorKind::Load => SconceStatus::Load,
            ErrorKind::Source => SconceStatus::Source,
            ErrorKind::Argument => SconceStatus::Argument,
            ErrorKind::NotFound => SconceStatus::NotFound,
            ErrorKind::Raised => SconceStatus::Raised,
            ErrorKind::Operator => SconceStatus::Operator,
            ErrorKind::MissingOperator => SconceStatus::MissingOperator,
            ErrorKind::Limit => SconceStatus::Limit,
            ErrorKind::Cancelled => SconceStatus::Cancelled,
            ErrorKind::Deadlock => SconceStatus::Deadlock,
            ErrorKind::NoCompiler => SconceStatus::NoCompiler,
            ErrorKind::Compile => SconceStatus::Compile,
            ErrorKind::Unsupported => SconceStatus::Unsupported,
            // One that the library has got since.
            _ => SconceStatus::Other,
        }
    }
}

/// Why a call failed. It is the caller's, who frees it with sconce_error_free. Any number of threads may read it.
pub struct SconceError {
    status: SconceStatus,
    text: CString,
    message: CString,
    class: CString,
    frames: Vec<Frame>,
}

/// A function that was running.
struct Frame {
    function: CString,
    file: Option<CString>,
    line: u32,
}

/// A failure inside the library, before it is handed out.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What rule was broken.
    Misuse(String),
    /// Memory or elements that no tensor can be of.
    Tensor(sconce::tensor::Error),
    Library(Error),
    /// What a panic said.
    Panic(String),
}

impl From<Error> for Failure {
    fn from(e: Error) -> Failure {
        Failure::Library(e)
    }
}

impl From<sconce::tensor::Error> for Failure {
    fn from(e: sconce::tensor::Error) -> Failure {
        Failure::Tensor(e)
    }
}

impl SconceError {
    /// An error of which there is no more than a text.
    fn plain(status: SconceStatus, text: &str) -> SconceError {
        let text = c_text(text);
        SconceError { status, message: text.clone(), text, class: CString::default(), frames: Vec::new() }
    }

    fn of_library(error: &Error) -> SconceError {
        let whole = error.to_string();
        let plain = SconceError::plain(error.kind().into(), whole.trim());
        let Some(run) = error.run() else { return plain };
        let frames = run.trace.iter().map(|entry| {
            let place = entry.place.as_ref();
            Frame {
                function: c_text(&entry.function),
                file: place.map(|(_, source)| c_text(source.name())),
                line: place.map_or(0, |(place, _)| place.line),
            }
        });
        SconceError { message: c_text(&run.message), class: c_text(&run.class), frames: frames.collect(), ..plain }
    }
}

impl From<Failure> for SconceError {
    fn from(failure: Failure) -> SconceError {
        match failure {
            Failure::Misuse(what) => SconceError::plain(SconceStatus::Misuse, &what),
            Failure::Tensor(e) => SconceError::plain(SconceStatus::Argument, &e.to_string()),
            Failure::Library(e) => SconceError::of_library(&e),
            Failure::Panic(said) => {
                SconceError::plain(SconceStatus::Internal, &format!("a mistake in the library: {said}"))
            }
        }
    }
}

/// What a panic said.
fn said(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic without words")
}

/// Runs what C called: the one place where panics end.
fn contained<T>(run: impl FnOnce() -> T) -> Result<T, SconceError> {
    // What a handle holds is not changed, or behind a lock that outlives panics.
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let error = Failure::Panic(said(&*payload).to_owned()).into();
        // Whatever it is, dropping it must not panic again.
        std::mem::forget(payload);
        error
    })
}

/// A call that can fail. Where the caller wants to know why, its place has the error, or NULL if there was none.
pub(crate) fn call(
    error: Option<&mut MaybeUninit<*mut SconceError>>,
    run: impl FnOnce() -> Result<(), Failure>,
) -> SconceStatus {
    let failed = contained(|| run().map_err(SconceError::from)).and_then(|done| done).err();
    let status = failed.as_ref().map_or(SconceStatus::Ok, |e| e.status);
    if let Some(place) = error {
        place.write(failed.map_or(null_mut(), |e| Box::into_raw(Box::new(e))));
    }
    status
}

/// A question that cannot fail but for handles that are NULL and indices out of range: then, and after a panic, the answer is `otherwise`.
pub(crate) fn ask<T>(otherwise: T, answer: impl FnOnce() -> Option<T>) -> T {
    contained(answer).ok().flatten().unwrap_or(otherwise)
}

/// Frees what was handed out; NULL is nothing.
pub(crate) fn free<T>(handle: Option<Box<T>>) {
    // There is nobody to tell of a panic in it.
    let _ = contained(|| drop(handle));
}

/// The status of the call that made the error; SCONCE_STATUS_OK of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_error_status(error: Option<&SconceError>) -> SconceStatus {
    ask(SconceStatus::Ok, || Some(error?.status))
}

/// All that there is to say, as PyTorch's exceptions have it: of a run that failed with its traceback and the lines of the source. It lives as long as the error;
/// of NULL it is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_error_text(error: Option<&SconceError>) -> *const c_char {
    ask(null(), || Some(error?.text.as_ptr()))
}

/// The message alone: of a run that failed without its traceback and class. It lives as long as the error; of NULL it is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_error_message(error: Option<&SconceError>) -> *const c_char {
    ask(null(), || Some(error?.message.as_ptr()))
}

/// The class of the exception that ended a run, such as `RuntimeError` or `builtins.ValueError`; of other errors the empty text. It lives as long as the error;
/// of NULL it is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_error_class(error: Option<&SconceError>) -> *const c_char {
    ask(null(), || Some(error?.class.as_ptr()))
}

/// How many functions of the program were running when a run failed; 0 of other errors and of NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_error_frame_count(error: Option<&SconceError>) -> usize {
    ask(0, || Some(error?.frames.len()))
}

/// The name of a function that was running; 0 is the outermost. It lives as long as the error; NULL of an index out of range.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_error_frame_function(error: Option<&SconceError>, index: usize) -> *const c_char {
    ask(null(), || Some(error?.frames.get(index)?.function.as_ptr()))
}

/// The file of the place where that function was. It lives as long as the error; NULL where the program does not say, and of an index out of range.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_error_frame_file(error: Option<&SconceError>, index: usize) -> *const c_char {
    ask(null(), || Some(error?.frames.get(index)?.file.as_ref()?.as_ptr()))
}

/// The line of the place where that function was, from 1; 0 where the program does not say, and of an index out of range.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_error_frame_line(error: Option<&SconceError>, index: usize) -> u32 {
    ask(0, || Some(error?.frames.get(index)?.line))
}

/// Frees an error, and every text that it gave. NULL is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn sconce_error_free(error: Option<Box<SconceError>>) {
    free(error);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(run: impl FnOnce() -> Result<(), Failure>) -> (SconceStatus, String) {
        let mut place = MaybeUninit::uninit();
        let status = call(Some(&mut place), run);
        // SAFETY: `call` writes it, and what it wrote is a box or null.
        let error = unsafe { place.assume_init().as_ref() };
        let text = error.map_or(String::new(), |e| e.text.to_string_lossy().into_owned());
        // SAFETY: it was boxed by `call`, and nobody uses it any more.
        sconce_error_free(unsafe { error.map(|e| Box::from_raw(std::ptr::from_ref(e).cast_mut())) });
        (status, text)
    }

    #[test]
    fn a_panic_is_an_error_of_the_library() {
        let (status, text) = told(|| panic!("index {}", 7));
        assert_eq!((status, &*text), (SconceStatus::Internal, "a mistake in the library: index 7"));
        let (status, text) = told(|| std::panic::panic_any(7));
        assert_eq!((status, &*text), (SconceStatus::Internal, "a mistake in the library: a panic without words"));
        assert_eq!(ask(3, || panic!("in a question")), 3);
        struct Worse;
        impl Drop for Worse {
            fn drop(&mut self) {
                panic!("in a drop");
            }
        }
        free(Some(Box::new(Worse)));
    }

    #[test]
    fn a_failure_is_told_once_and_success_clears_its_place() {
        assert_eq!(told(|| Ok(())), (SconceStatus::Ok, String::new()));
        let broken = || Err(Failure::Misuse("model is NULL".into()));
        assert_eq!(told(broken), (SconceStatus::Misuse, "model is NULL".to_owned()));
        assert_eq!(call(None, broken), SconceStatus::Misuse);
    }
}
