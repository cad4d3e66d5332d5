//! A program of `torch.export` becomes the program in Core ATen that PyTorch's `ExportedProgram.run_decompositions()` makes of it, node for node.
//!
//! The program is run once on metadata alone. Each call of an operator that Core ATen does not have is replaced by its definition
//! (`frontend/prelude/core_aten`), whose questions about ranks, sizes, dtypes and strides are answered while it runs. Writes become values: what a
//! write leaves of a buffer or an input is a result of its own in front of the others. What nothing uses is left out, and names are given as FX gives them.
#![forbid(unsafe_code)]

mod arguments;
mod asserts;
mod batches;
mod builtins;
mod definitions;
mod error;
mod eval;
mod functional;
mod names;
mod numbers;
mod program;
mod results;
mod sizes;
mod strides;
mod tracer;
mod value;
mod walk;

pub use error::Error;
pub use program::core_aten;
