//! What an operator computes when nothing faster stands in for it.
//!
//! One file per family in the room of its kind, the same name as the family's records in `dialects/td/ops`. Pointwise operators have no code here: their
//! kernel is their record's scalar expression. `cargo xtask codegen` writes `table/`: which function is meant by the `module::function` of a record's `kernel`.

mod container;
mod dispatch;
pub mod engine;
pub mod linalg;
pub mod nn;
mod pointwise;
pub mod quantized;
mod table;
pub mod tensor;
pub mod vision;

pub use container::{direct, prim, text};
pub use dispatch::bound::Bound;
pub use dispatch::composite;
pub use dispatch::{call, call_by_name, lookup, named_kernel};
pub(crate) use engine::arguments::arg;
pub use engine::calling::{Call, Destinations, Error, Kernel, Outputs, not_implemented};
pub use engine::declared::{HasKernel, register};
pub use engine::extra::extend;
pub use engine::typed::kernel;
pub use engine::{cast, defaults, derived, elementwise, grad, number, parallel, scratch, transcendental};
