//! From linalg on tensors to machine code: destinations, fusion, buffers, products, vector functions, loops, LLVM.
//!
//! A stage's text is what `sconce show` prints; each is the module that the next one starts from.

mod collapse_loops;
pub mod entry;
pub mod family;
mod fuse_outer_loops;
mod loops;
mod machine_code;
mod outline_parallel_loops;
mod pass;
mod pipeline;
mod prefetch_rows;
mod regions;
mod stack_buffers;
mod stages;
mod structured;
mod view;

pub use pass::{PASSES, PrintRegionCode};
pub use pipeline::{CodeOptions, Compiled, Numerics, Stage, compile};
pub use regions::{RegionObject, RegionResult, compile_regions};
pub use sconce_exec::ENTRY;
pub use stages::PIPELINES;

/// What goes wrong only where this crate is wrong.
fn internal(e: impl std::fmt::Display) -> sconce_linalg::Error {
    sconce_linalg::Error::Internal(e.to_string())
}
