//! The library people hold: load a TorchScript program, call it, look at its state and at every stage on its way to machine code.
//!
//! ```
//! use sconce::{IValue, Module, Tensor};
//!
//! let text = "graph(%x : Tensor):
//!   %y : Tensor = aten::relu(%x)
//!   return (%y)
//! ";
//! let mut module = Module::from_bytes("relu.txt", text.as_bytes())?;
//! let y = module.call("relu", &[Tensor::from_vec(vec![-1f32, 2.], &[2]).into()])?;
//! assert_eq!(y.as_tensor()?.to_vec::<f32>(), [0., 2.]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | there is |
//! |---|---|
//! | load a file, bytes or source | [`Module::load`], [`Module::from_bytes`], [`Engine::load`], [`Engine::compile_source`] |
//! | choose how programs are compiled and run, and what calls may use | [`Engine::builder`], [`Options`], [`limits::CallLimits`] |
//! | call | [`Module::call`], [`Module::call_named`]; from any number of threads |
//! | call many times at once, or without a thread that waits | [`Module::call_many`], [`Module::call_async`] |
//! | keep state for one caller | [`Module::session`] |
//! | read and set parameters, buffers and attributes | [`Module::state_dict`], [`Module::attr`], [`Module::set_attr`] |
//! | make and read tensors | [`Tensor`], [`tensor`]; with the feature `ndarray` arrays of that crate |
//! | learn why something failed | [`Error::kind`], [`Error::place`], [`Error::traceback`] |
//! | see what was compiled, and why the rest was not | [`Module::report`], [`Module::refusals`], [`Module::show`] |
//! | give an operator of one's own a kernel | [`Engine::register`] |
//! | load operators that a shared library has | [`load_operators`] |
//! | write the program in another form | [`Module::written`] |
//!
//! # Features
//!
//! `exported-programs` (archives of `torch.export`), `text-state` (texts with tensors in a file beside them) and `extra-kernels` (operators that models hardly call)
//! are on; `ndarray` is not. `compiler` builds the program `sconce-compiler`, which alone links MLIR and LLVM: the library asks it by
//! [`request::Worker`], and does without where there is none.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

/// The Rust of the book runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
mod embedding {}

pub mod ahead;
mod attributes;
mod beside;
mod builder;
pub mod cache;
mod calls;
mod capture;
pub mod check;
pub mod cli;
pub mod compare;
mod compile;
pub mod engine;
mod error;
mod exported;
pub mod files;
mod foreign;
pub mod freeze;
mod later;
pub mod limits;
mod load;
mod many;
pub mod module;
#[cfg(feature = "viewer")]
mod observed;
mod planned;
mod profiled;
pub mod report;
mod session;
mod shadow;
mod similar;
mod source;
pub mod state;
mod storages;
mod tensor_text;
mod texts;
mod trace;
mod traceback;
pub mod value_json;
pub mod value_text;
mod work;
pub mod written;

/// Makes the kernels known that are in a crate of their own, if this is built with them. [`Engine::new`] does it; who calls operators without an engine begins
/// with it.
pub fn install_kernels() {
    #[cfg(feature = "extra-kernels")]
    sconce_kernels_extra::install();
}

/// Loads a shared library that has operators, and makes them known to the whole process, as `torch.ops.load_library` does: programs that are loaded from now on may call
/// them. Gives their names. It stays loaded; the same file again does nothing. [`operator_library`] says more, the book's page "Operators of your own" how one is written.
///
/// The library's code runs in this process: no program can name one, and who names one here trusts it as this program.
///
/// # Errors
/// There is no such file ([`ErrorKind::Io`]); it is no library of operators, was made for another version of the interface, or has an operator that is refused, which the text
/// names ([`ErrorKind::Load`]): then it has none.
pub fn load_operators(path: &std::path::Path) -> Result<Vec<String>, Error> {
    Ok(operator_library::load(path)?)
}

pub use builder::EngineBuilder;
pub use engine::{Engine, Options, Stage};
pub use error::{Error, ErrorKind, Location};
pub use later::PendingCall;
pub use module::Module;
pub use planned::{PlannedCall, StaticOptions};
pub use session::Session;
pub use shadow::Mismatch;
pub use source::SourceOptions;

// What the library shows of the crates that it is made of, so that who uses it names no other.
pub use sconce_archive as archive;
pub use sconce_capture::{Captured, DynamicSize};
pub use sconce_exec::operator_library;
pub use sconce_executor as executor;
pub use sconce_export as export;
pub use sconce_export_program as export_program;
pub use sconce_fx as fx;
pub use sconce_graph as graph;
pub use sconce_interpreter as interpreter;
pub use sconce_interpreter::{Cause, RunError, TraceEntry};
pub use sconce_kernels as kernels;
pub use sconce_kernels::parallel::{set_threads, threads};
pub use sconce_request as request;
pub use sconce_schema as schema;
pub use sconce_schema::Type;
pub use sconce_static::Options as PlanOptions;
pub use sconce_tensor as tensor;
pub use sconce_tensor::mersenne::manual_seed;
pub use sconce_tensor::{DType, Dict, IValue, List, Object, Tensor, Tuple};
