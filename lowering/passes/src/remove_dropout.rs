//! `remove-dropout`: dropout outside of training gives its input itself, and goes.

use crate::graph::{Rewriter, constant, each_function, inputs, nodes};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun, fuel};
use sconce_schema::{Trait, Type as ScriptType};
use sconce_tensor::IValue;

/// The pass `remove-dropout`.
pub struct RemoveDropout;

impl Pass for RemoveDropout {
    const NAME: &'static str = "remove-dropout";
    const DESCRIPTION: &'static str = "Remove dropout that is not in training";
    const PYTORCH: &'static str = "`removeDropout`, of functions";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let rewriter = Rewriter::new(function.context_ref());
            nodes(function).into_iter().filter(|op| is_dropout(*op)).try_for_each(|op| remove(&rewriter, op))
        })
    }
}

/// Does the operator draw numbers if its last argument, `train`, says so, and else give its first argument itself, to be written to or not?
fn is_dropout(op: OperationRef<'_, '_>) -> bool {
    let Some(entry) = sconce_torch::entry(op).filter(|entry| entry.has(Trait::Random)) else { return false };
    let schema = entry.schema();
    let trains = schema.arguments.last().is_some_and(|last| &*last.name == "train" && last.ty == ScriptType::Bool);
    trains && schema.returns.len() == 1 && (entry.has(Trait::MayView) || schema.is_in_place())
}

fn remove<'c: 'a, 'a>(rewriter: &Rewriter<'c>, op: OperationRef<'c, 'a>) -> PassResult {
    let operands = inputs(op);
    let ([input, .., train], Some(result)) = (&operands[..], op.result_value(0)) else { return Ok(()) };
    if !fuel::spend("dropout", op)
        || !matches!(constant(*train), Some(IValue::Bool(false)))
        || !rewriter.replace_uses(result, *input)?
    {
        return Ok(());
    }
    op.erase().map_err(Failure::from)
}
