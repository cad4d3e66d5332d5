//! From linalg on tensors to PTX: one thread per result element, one kernel per loop nest, and a plan of the launches.
//!
//! Sizes must be known: a launch plan is numbers. Functions that PTX lacks are polynomials; what would need CUDA's own library is refused.

mod compile;
mod instructions;
mod launch;
mod pass;
mod plan;

pub use compile::{Compiled, compile, compile_region, compile_regions, load};
pub use pass::{CHIPS, PASSES, PIPELINES, PrintRegionPtx};

/// Why a region has no GPU code.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Unsupported(String),
    #[error(transparent)]
    Lowering(#[from] sconce_linalg::Error),
    #[error(transparent)]
    Mlir(#[from] sconce_ir::Error),
}
