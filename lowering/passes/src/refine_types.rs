//! `refine-types`: what shape rules know of ranks, sizes and dtypes becomes part of the types.

use sconce_analysis::refine::refine;
use sconce_ir::OperationRef;
use sconce_pass::{Pass, PassResult, PassRun};

/// Refines tensor types from those of arguments and literals, in program order.
pub struct RefineTypes;

impl Pass for RefineTypes {
    const NAME: &'static str = "refine-types";
    const DESCRIPTION: &'static str = "Infer ranks, sizes and dtypes by the operators' shape rules";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(op: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        refine(op)?;
        Ok(())
    }
}
