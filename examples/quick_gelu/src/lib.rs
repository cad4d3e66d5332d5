//! `clip::quick_gelu`, the activation of CLIP's transformers, x · σ(αx), as an operator of one's own: everything that Sconce knows of it is said here.
//!
//! [`register`] comes before the first context and the first program; the README walks through what follows.
#![forbid(unsafe_code)]

mod approximate;
mod kernel;
mod lowering;

use sconce_pass::{PassRow, PipelineRow, row};
use sconce_schema::shape::{ErrorKind, Meta, RuleResult, ShapeError, TensorMeta};
use sconce_schema::{Numerics, OpEntry, OpRecord};

/// The rewrite rules, as text for `egraph`.
pub const RULES: &str = include_str!("../quick_gelu.rules");

/// The passes.
pub static PASSES: &[PassRow] = &[row::<approximate::ApproximateGelu>()];

/// The pipelines.
static PIPELINES: &[PipelineRow] =
    &[("clip-activations", "Values with quick GELU for GELU", "functionalize,clip-approximate-gelu,cse")];

/// What the operator's record says.
const RECORD: OpRecord = OpRecord {
    schema_text: "clip::quick_gelu(Tensor x, float alpha=1.702) -> Tensor",
    shape: Some(shape),
    numerics: Numerics::Close,
    ..OpRecord::DEFAULT
};

/// The result is as the argument, which holds floats.
fn shape(args: &[Meta]) -> RuleResult {
    let Some(Meta::Tensor(x)) = args.first() else { return Ok([Meta::Unknown].into_iter().collect()) };
    if let Some(dtype) = x.dtype.filter(|d| !d.is_float()) {
        let message = format!("quick_gelu: expected a tensor of floats, not of {}", dtype.scalar_type_name());
        return Err(ShapeError { kind: ErrorKind::Runtime, message });
    }
    Ok([Meta::Tensor(TensorMeta { wrapped_number: false, ..x.clone() })].into_iter().collect())
}

/// Makes the operator known to everything: the dialect, the interpreter, regions, and pipelines as text. Once more does nothing.
///
/// # Errors
/// A name is taken by something else.
pub fn register() -> Result<&'static OpEntry, Box<dyn std::error::Error>> {
    sconce_torch::register()?;
    sconce_compiler::passes::register()?;
    let entry = sconce_torch::declare(RECORD)?;
    sconce_kernels::register(entry, kernel::quick_gelu)?;
    sconce_linalg::register(entry, lowering::quick_gelu)?;
    sconce_pass::register_with_pipelines(PASSES, PIPELINES)?;
    Ok(entry)
}
