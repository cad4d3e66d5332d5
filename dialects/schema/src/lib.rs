//! What is known of an operator is said here once: its schema, its types, its dtypes, its scalar meaning and its shape rule.
//!
//! Nothing here knows MLIR or holds a tensor, so every reader, the runtime and the tests can use it.
#![forbid(unsafe_code)]

pub mod dtype;
#[macro_use]
mod macros;

pub mod dim;
pub mod effect;
pub mod fold;
#[cfg(feature = "table")]
pub mod foreach;
mod function_schema;
pub mod fusion;
pub mod geometry;
pub mod init;
pub mod layout;
pub mod op;
#[cfg(feature = "table")]
pub mod overload;
pub mod packed;
pub mod promotion;
#[cfg(feature = "table")]
mod registry;
pub mod resample;
pub mod scalar;
pub mod shape;
#[cfg(feature = "table")]
mod table;
pub mod text;
#[cfg(feature = "table")]
mod trial_order;
pub mod types;
#[cfg(feature = "table")]
pub mod work;

pub use dtype::DType;
pub use effect::Effect;
pub use layout::{Layout, MemoryFormat};
pub use op::{Argument, FunctionSchema, Numerics, OpEntry, OpId, OpRecord, Trait};
#[cfg(feature = "table")]
pub use registry::{CUSTOM_FAMILY, RegisterError, declare, entry, lookup, overloads, register, table};
#[cfg(feature = "table")]
pub use table::names as ops;
pub use types::Type;
