//! `remove-dropout`: dropout outside of training gives its input itself, and goes.

use crate::graph::{Rewriter, constant, each_function, inputs, nodes};
use sconce_analysis::operators::kind;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun};
use sconce_tensor::IValue;

/// The pass `remove-dropout`.
pub struct RemoveDropout;

/// Operators that give their first argument itself where the third, `train`, is false.
const DROPOUTS: &[&str] = &["aten.dropout", "aten.alpha_dropout", "aten.feature_dropout", "aten.feature_alpha_dropout"];

impl Pass for RemoveDropout {
    const NAME: &'static str = "remove-dropout";
    const DESCRIPTION: &'static str = "Remove dropout that is not in training";
    const PYTORCH: &'static str = "`removeDropout`, of functions";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let rewriter = Rewriter::new(function.context_ref());
            nodes(function).into_iter().filter(|op| is_dropout(kind(*op))).try_for_each(|op| remove(&rewriter, op))
        })
    }
}

fn is_dropout(kind: &str) -> bool {
    DROPOUTS.contains(&kind.strip_suffix('_').unwrap_or(kind))
}

fn remove<'c: 'a, 'a>(rewriter: &Rewriter<'c>, op: OperationRef<'c, 'a>) -> PassResult {
    let ([input, _, train], Some(result)) = (&inputs(op)[..], op.result_value(0)) else { return Ok(()) };
    if !matches!(constant(*train), Some(IValue::Bool(false))) || !rewriter.replace_uses(result, *input)? {
        return Ok(());
    }
    op.erase().map_err(Failure::from)
}
