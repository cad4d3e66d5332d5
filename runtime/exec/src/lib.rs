//! Compiled regions at run time: a call runs native code only if every guard of the region holds, else the interpreter runs the region.
//!
//! No MLIR and no LLVM: objects and PTX come in as bytes.

pub mod dim;
pub mod native;
pub mod spec;

pub use dim::{Actual, Dim, DimOp, Guard, Relation};
pub use native::{Entry, NativeRegion};
pub use spec::{InputSpec, OutputSpec, RegionSpec};
