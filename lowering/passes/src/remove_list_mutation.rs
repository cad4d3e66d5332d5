//! `remove-list-mutation`: a list that is only made longer before anybody reads it is made at once: `x = []; x.append(a)` becomes `x = [a]`.

use crate::graph::{Rewriter, block_ops, each_function, inputs, is_same, made_by, nodes, script_type};
use sconce_analysis::Aliases;
use sconce_analysis::operators::{is_silent, kind};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun, fuel};

/// The pass `remove-list-mutation`.
pub struct RemoveListMutation;

impl Pass for RemoveListMutation {
    const NAME: &'static str = "remove-list-mutation";
    const DESCRIPTION: &'static str = "Make lists at once that are only made longer before they are read";
    const PYTORCH: &'static str = "`RemoveListMutation`, of `append`";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let mut rewriter = Rewriter::new(function.context_ref());
            let appends = nodes(function).into_iter().filter(|op| kind(*op) == "aten.append");
            appends.into_iter().try_for_each(|append| merge(&mut rewriter, function, append))
        })
    }
}

/// Puts what is appended into the list's making, if nobody sees the list before.
fn merge<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    function: OperationRef<'c, 'a>,
    append: OperationRef<'c, 'a>,
) -> PassResult {
    let (Some(list), Some(item)) = (inputs(append).first().copied(), append.operand_value(1)) else { return Ok(()) };
    let Some(made) = made_by(list, "prim.ListConstruct") else { return Ok(()) };
    let (Some(block), Some(home)) = (append.block_ref(), made.block_ref()) else { return Ok(()) };
    let stands = block == home && seen_from(block, append, list) && Aliases::of(function).is_fresh(list);
    if !stands || !fuel::spend("append", append) {
        return Ok(());
    }
    let items: Vec<Value<'c, 'a>> = made.operand_values().into_iter().chain([item]).collect();
    let ty = script_type(list);
    let at = Builder::before(append);
    let longer = rewriter.node(&at, "prim::ListConstruct", made.location(), &items, (list.r#type(), &ty))?;
    let Some(value) = longer.result_value(0) else { return Ok(()) };
    for cast in list.uses().into_iter().map(|u| u.owner).filter(|op| is_silent(*op)) {
        cast.move_behind(longer);
    }
    for result in append.result_values() {
        rewriter.replace_uses(result, value)?;
    }
    append.erase()?;
    list.replace_all_uses_with(value);
    made.erase().map_err(Failure::from)
}

/// Is a list used by this operation of a block and behind it only?
fn seen_from<'c: 'a, 'a>(block: BlockRef<'c, 'a>, from: OperationRef<'c, 'a>, list: Value<'c, 'a>) -> bool {
    let ops = block_ops(block);
    let place = |op: OperationRef<'c, 'a>| ops.iter().position(|other| op.is_within(*other) || is_same(op, *other));
    let is_end = |user| block.terminator_op().is_some_and(|end| is_same(end, user));
    let Some(first) = place(from) else { return false };
    let later = |user: OperationRef<'c, 'a>| is_end(user) || place(user).is_some_and(|at| at >= first);
    list.uses().into_iter().all(|usage| match usage.owner.result_value(0).filter(|_| is_silent(usage.owner)) {
        Some(cast) => cast.uses().into_iter().all(|usage| later(usage.owner)),
        None => later(usage.owner),
    })
}
