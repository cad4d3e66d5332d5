//! A pass written in Rust is declared once, here or in a crate above, and is then an MLIR pass like any other: in pipelines as text, on `sconce-opt`'s
//! command line with its options and help, in dumps, timings and reproducers.
//!
//! ```
//! use sconce_ir::prelude::*;
//! use sconce_pass::{Pass, PassOption, PassResult, PassRow, PassRun, row};
//!
//! /// Gives each function an attribute.
//! struct Tag;
//!
//! impl Pass for Tag {
//!     const NAME: &'static str = "example-tag";
//!     const DESCRIPTION: &'static str = "Give each function an attribute";
//!     const ANCHOR: Option<&'static str> = Some("func.func");
//!     const OPTIONS: &'static [PassOption] = &[PassOption::str("with", "the attribute's name", "tagged")];
//!
//!     fn run(op: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
//!         op.set_attr(run.str("with"), attr::unit(op.context_ref()));
//!         Ok(())
//!     }
//! }
//!
//! static PASSES: &[PassRow] = &[row::<Tag>()];
//! sconce_pass::register(PASSES)?;
//!
//! let context = context::new(false);
//! let module = parse_module(&context, b"func.func private @f()", "f.mlir")?;
//! run_on_module(&module, "func.func(example-tag{with=seen},canonicalize),cse")?;
//! assert!(print(module.as_operation(), &PrintOptions::default()).contains("attributes {seen}"));
//! # Ok::<(), sconce_ir::Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod fuel;
mod op_stats;
pub mod refusals;

pub use op_stats::OpStats;
pub use sconce_ir::pass::{OptionKind, PassOption, PassRow, PassRun, exists, register_pipeline};
use sconce_ir::{Error, OperationRef};
use std::fmt;

/// Why a pass failed: one text, which becomes a diagnostic at the operation. Any error converts, so `?` works on all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    /// With this text.
    pub fn new(message: impl Into<String>) -> Self {
        Failure(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure(error.to_string())
    }
}

/// What a pass returns.
pub type PassResult = Result<(), Failure>;

/// A transformation or analysis with a name. It must not keep state between runs: it runs on several operations at once.
pub trait Pass {
    /// The name in pipelines; Sconce's begin with the dialect they work on (`torch-…`, `sconce-…`).
    const NAME: &'static str;
    /// One line for the help.
    const DESCRIPTION: &'static str;
    /// What PyTorch calls the same, as a reader of its source finds it; empty if it has none.
    const PYTORCH: &'static str = "";
    /// The operation it runs on; `None`: any.
    const ANCHOR: Option<&'static str> = Some("builtin.module");
    /// Options.
    const OPTIONS: &'static [PassOption] = &[];
    /// Dialects of operations that it may create although the input has none of them.
    const DIALECTS: &'static [&'static str] = &[];
    /// Do programs compute the same bits after it? Otherwise the same but for rounding.
    const KEEPS_BITS: bool = true;

    /// Changes `op` and what is inside it, and nothing outside.
    ///
    /// # Errors
    ///
    /// A [`Failure`] stops the pipeline; it is shown at `op`. Emit more precise diagnostics before returning it.
    fn run(op: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult;
}

/// The row that declares `P` to the registry.
pub const fn row<P: Pass>() -> PassRow {
    PassRow {
        name: P::NAME,
        description: P::DESCRIPTION,
        pytorch: P::PYTORCH,
        anchor: P::ANCHOR,
        options: P::OPTIONS,
        dialects: P::DIALECTS,
        keeps_bits: P::KEEPS_BITS,
        run: adapt::<P>,
    }
}

fn adapt<P: Pass>(op: OperationRef<'_, '_>, run: &PassRun<'_>) -> Result<(), String> {
    if !fuel::begin(P::NAME) {
        return Ok(());
    }
    refusals::begin(P::NAME, op);
    P::run(op, run).map_err(|failure| failure.0)
}

/// Hands passes to MLIR. Before any pipeline that names them is parsed; once more does nothing.
///
/// # Errors
///
/// [`Error::Invalid`] when a name belongs to an upstream pass.
pub fn register(rows: &'static [PassRow]) -> Result<(), Error> {
    sconce_ir::pass::register(rows)
}

/// A pipeline with a name, a line for the help, and its passes as text.
pub type PipelineRow = (&'static str, &'static str, &'static str);

/// Hands a crate's passes and pipelines to MLIR; pipelines may name passes and pipelines that were handed over before.
///
/// # Errors
///
/// As [`register`]; [`Error::Invalid`] when a pipeline's text does not parse.
pub fn register_with_pipelines(passes: &'static [PassRow], pipelines: &[PipelineRow]) -> Result<(), Error> {
    register(passes)?;
    pipelines.iter().try_for_each(|(name, description, passes)| register_pipeline(name, description, passes))
}

/// The passes of this crate.
pub static PASSES: &[PassRow] = &[row::<OpStats>()];
