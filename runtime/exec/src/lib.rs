//! Compiled regions at run time: a call runs native code only if every guard of the region holds, else the interpreter runs the region.
//!
//! No MLIR and no LLVM: objects and PTX come in as bytes.

pub mod bind;
pub mod calls;
mod checks;
pub mod code;
mod cpu;
pub mod dim;
pub mod gpu;
pub mod native;
pub mod object;
pub mod operator_library;
pub mod parallel;
pub mod plan;
pub mod spec;
mod temporaries;

pub use bind::{BoundRegion, Origin, bind_regions};
pub use calls::{Argument, OperatorCall};
pub use code::{cpu_code, load_cpu, load_ptx, ptx_code};
pub use cpu::host_features;
pub use dim::{Actual, Dim, DimOp, Form, Guard, Relation, Source};
pub use gpu::{GpuError, GpuRegion};
pub use native::{Entry, NativeRegion};
pub use object::{ENTRY, LoadError, check_object, load};
pub use parallel::PARALLEL_FOR;
pub use plan::{Launch, Place, Plan, PlanArgument};
pub use spec::{InputSpec, OutputSpec, RegionSpec, Temporaries};
