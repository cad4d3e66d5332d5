//! `remove-list-mutation`: a list that is only made longer before anybody reads it is made at once: `x = []; x.append(a)` becomes `x = [a]`.

use crate::graph::{Rewriter, each_function, erase_all, inputs, made_by, nodes, script_type};
use rustc_hash::FxHashSet;
use sconce_analysis::Aliases;
use sconce_analysis::operators::{is_silent, kind, source};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun, fuel};
use std::cmp::Ordering;

/// The pass `remove-list-mutation`.
pub struct RemoveListMutation;

impl Pass for RemoveListMutation {
    const NAME: &'static str = "remove-list-mutation";
    const DESCRIPTION: &'static str = "Make lists at once that are only made longer before they are read";
    const PYTORCH: &'static str = "`RemoveListMutation`, of `append`";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, rewrite)
    }
}

fn rewrite<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> PassResult {
    let mut seen = FxHashSet::default();
    let lists: Vec<_> = nodes(function)
        .into_iter()
        .filter(|op| is_append(*op))
        .filter_map(|append| inputs(append).first().copied())
        .filter(|list| seen.insert(list.id()) && made_by(*list, "prim.ListConstruct").is_some())
        .collect();
    if lists.is_empty() {
        return Ok(());
    }
    let aliases = Aliases::of(function);
    let fresh: Vec<_> = lists.into_iter().filter(|list| aliases.is_fresh(*list)).collect();
    let mut rewriter = Rewriter::new(function.context_ref());
    fresh.into_iter().try_for_each(|list| merge(&mut rewriter, list))
}

fn is_append(op: OperationRef<'_, '_>) -> bool {
    kind(op) == "aten.append"
}

/// Puts what is appended into the list's making, as long as nobody sees the list in between.
fn merge<'c: 'a, 'a>(rewriter: &mut Rewriter<'c>, list: Value<'c, 'a>) -> PassResult {
    let Some(made) = made_by(list, "prim.ListConstruct") else { return Ok(()) };
    let appends = first_appends(made, list);
    let Some(last) = appends.last().filter(|last| fuel::spend("append", **last)) else { return Ok(()) };
    let appended = appends.iter().filter_map(|append| append.operand_value(1));
    let items: Vec<Value<'c, 'a>> = made.operand_values().into_iter().chain(appended).collect();
    let ty = script_type(list);
    let at = Builder::before(*last);
    let longer = rewriter.node(&at, "prim::ListConstruct", made.location(), &items, (list.r#type(), &ty))?;
    let Some(value) = longer.result_value(0) else { return Ok(()) };
    for cast in list.uses().into_iter().map(|u| u.owner).filter(|op| is_silent(*op)) {
        cast.move_behind(longer);
    }
    for append in &appends {
        for result in append.result_values() {
            rewriter.replace_uses(result, value)?;
        }
    }
    erase_all(&appends)?;
    list.replace_all_uses_with(value);
    made.erase().map_err(Failure::from)
}

/// The operations that make a list longer before anything else uses it, in order.
fn first_appends<'c: 'a, 'a>(made: OperationRef<'c, 'a>, list: Value<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let Some((names, mut users)) = made.block_ref().and_then(|home| uses_in(home, list)) else { return Vec::new() };
    users.sort_by(|a, b| match (a == b, a.is_before_in_block(*b)) {
        (true, _) => Ordering::Equal,
        (false, true) => Ordering::Less,
        (false, false) => Ordering::Greater,
    });
    users.dedup();
    let is_of = |v: &Value<'c, 'a>| names.contains(&source(*v).id());
    let only_longer = |op: &OperationRef<'c, 'a>| {
        let operands = op.operand_values();
        is_append(*op) && operands.first().is_some_and(is_of) && !operands.iter().skip(1).any(is_of)
    };
    users.into_iter().take_while(only_longer).collect()
}

/// The values that are a list, and the operations of a block that use one, or hold what does; none if it is used elsewhere.
fn uses_in<'c: 'a, 'a>(
    home: BlockRef<'c, 'a>,
    list: Value<'c, 'a>,
) -> Option<(FxHashSet<usize>, Vec<OperationRef<'c, 'a>>)> {
    let (mut names, mut users) = (FxHashSet::from_iter([list.id()]), Vec::new());
    let mut values = vec![list];
    while let Some(value) = values.pop() {
        for usage in value.uses() {
            let op = usage.owner;
            let given_back = is_append(op) && usage.operand == 0;
            if (given_back || is_silent(op))
                && let Some(result) = op.result_value(0)
            {
                names.insert(result.id());
                values.push(result);
            }
            if !is_silent(op) {
                users.push(std::iter::successors(Some(op), |op| op.parent()).find(|op| op.block_ref() == Some(home))?);
            }
        }
    }
    Some((names, users))
}
