//! torch-to-torch passes: each keeps what the program computes, and is named as on the command line.
#![forbid(unsafe_code)]

mod dce;
mod graph_passes;
mod refine_types;
mod specialize_inputs;

pub use dce::Dce;
pub use graph_passes::{
    CanonicalizeOutputs, ConstantPooling, ConstantPropagation, LiftParameters, LowerSimpleTuples, PIPELINES, TorchCse,
    TorchInline,
};
pub use refine_types::RefineTypes;
use sconce_pass::{PassRow, row};
pub use specialize_inputs::{SpecializeInputs, parse_inputs};

/// The passes of this crate.
pub static PASSES: &[PassRow] = &[
    row::<CanonicalizeOutputs>(),
    row::<ConstantPooling>(),
    row::<ConstantPropagation>(),
    row::<Dce>(),
    row::<LiftParameters>(),
    row::<LowerSimpleTuples>(),
    row::<RefineTypes>(),
    row::<SpecializeInputs>(),
    row::<TorchCse>(),
    row::<TorchInline>(),
];
