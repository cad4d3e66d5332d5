//! Every pass and every named pipeline that there is, handed to MLIR: what pipelines as text can name.

use sconce_egraph::cost::Compiles;
use sconce_ir::Error;
use sconce_pass::{Failure, PassRow, PipelineRow};
use sconce_schema::OpEntry;

/// Operators become compiled code by way of linalg.
struct ByLinalg;

impl Compiles for ByLinalg {
    fn compiles(entry: &OpEntry) -> bool {
        sconce_linalg::way(entry) == Some(sconce_linalg::Way::Code)
    }
}

static EGRAPH: &[PassRow] = &[sconce_egraph::pass::<ByLinalg>()];

/// The passes and pipelines of every crate that has some; a pipeline names what stands before it.
static PASSES: &[(&[PassRow], &[PipelineRow])] = &[
    (sconce_pass::PASSES, &[]),
    // Pipelines name passes that stand before them.
    (EGRAPH, &[]),
    (sconce_passes::PASSES, sconce_passes::PIPELINES),
    (sconce_regions::PASSES, &[]),
    (sconce_linalg::PASSES, sconce_linalg::PIPELINES),
    (sconce_cpu::PASSES, sconce_cpu::PIPELINES),
    (sconce_gpu::PASSES, sconce_gpu::PIPELINES),
];

/// Registers them; once more does nothing.
///
/// # Errors
/// A name that belongs to an upstream pass, or a pipeline that does not parse.
pub fn register() -> Result<(), Error> {
    PASSES.iter().try_for_each(|(passes, pipelines)| sconce_pass::register_with_pipelines(passes, pipelines))
}

/// The passes, in the order of the crates.
pub fn rows() -> impl Iterator<Item = &'static PassRow> {
    PASSES.iter().flat_map(|(passes, _)| passes.iter())
}

/// The pipelines with a name.
pub fn pipelines() -> impl Iterator<Item = &'static PipelineRow> {
    PASSES.iter().flat_map(|(_, pipelines)| pipelines.iter())
}

/// The passes that a pipeline runs, in order, each a pipeline of its own; pipelines with a name are taken apart.
///
/// # Errors
/// Brackets that do not match.
pub fn steps(pipeline: &str) -> Result<Vec<String>, Failure> {
    let named = |name: &str| pipelines().find(|row| row.0 == name).map(|row| row.2.to_owned());
    sconce_validate::steps(pipeline, &named)
}
