//! `remove-expands`: an expansion that a tracer saw (`implicit=True`) goes where only operators read it that broadcast by themselves.

use crate::graph::{constant, each_function, inputs, nodes};
use sconce_analysis::Aliases;
use sconce_analysis::operators::kind;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun, fuel};
use sconce_tensor::IValue;

/// The pass `remove-expands`.
pub struct RemoveExpands;

impl Pass for RemoveExpands {
    const NAME: &'static str = "remove-expands";
    const DESCRIPTION: &'static str = "Remove expansions that a tracer saw, in front of operators that broadcast";
    const PYTORCH: &'static str = "`RemoveExpands`, which asks nobody whether he broadcasts";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let found: Vec<_> = nodes(function).into_iter().filter(|op| kind(*op) == "aten.expand").collect();
            if found.is_empty() {
                return Ok(());
            }
            let aliases = Aliases::of(function);
            found.into_iter().try_for_each(|op| remove(op, &aliases))
        })
    }
}

fn remove<'c: 'a, 'a>(op: OperationRef<'c, 'a>, aliases: &Aliases<'c>) -> PassResult {
    let [_, _, implicit] = inputs(op)[..] else { return Ok(()) };
    let (Some(tensor), Some(expanded)) = (op.operand_value(0), op.result_value(0)) else { return Ok(()) };
    let is_implicit = matches!(constant(implicit), Some(IValue::Bool(true)));
    // Of two operands that both were expanded, each needs the other's sizes: with one of them left, the sum has them.
    let broadcasts = |user: OperationRef<'c, 'a>| {
        let others = user.operand_values().into_iter().filter(|v| *v != expanded);
        sconce_torch::entry(user).is_some_and(|entry| entry.scalar.is_some())
            && others.into_iter().any(|v| has_sizes_of(v, expanded))
    };
    let all = is_implicit
        && !aliases.has_writers(expanded)
        && expanded.uses().into_iter().all(|usage| broadcasts(usage.owner));
    if !all || !fuel::spend("expand", op) {
        return Ok(());
    }
    // Who broadcasts takes a tensor of any size.
    for usage in expanded.uses() {
        usage.owner.set_operand_value(usage.operand, tensor);
    }
    op.erase().map_err(Failure::from)
}

/// Are two tensors known to have the same sizes?
fn has_sizes_of(a: Value<'_, '_>, b: Value<'_, '_>) -> bool {
    let known =
        |v: Value<'_, '_>| sconce_analysis::Tensor::of(v.r#type())?.sizes?.into_iter().collect::<Option<Vec<i64>>>();
    known(a).is_some_and(|sizes| known(b) == Some(sizes))
}
