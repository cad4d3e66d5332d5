//! What is known of an operator is said here once: its schema, its types, its dtypes, its scalar meaning and its shape rule.
//!
//! Nothing here knows MLIR or holds a tensor, so every reader, the runtime and the tests can use it.
#![forbid(unsafe_code)]

pub mod dtype;
pub mod op;
pub mod shape;
pub mod types;

pub use dtype::DType;
pub use op::{Argument, FunctionSchema, OpEntry};
pub use types::Type;
