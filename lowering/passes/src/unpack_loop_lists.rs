//! `unpack-loop-lists`: a loop carries what a list of known length holds, instead of the list: the caches of a decoder's layers are tensors then, whose types are
//! known, and not elements of a list, of which nobody knows anything.
//!
//! A list is known where it is made in front of the loop and made again in each turn, of as many elements, and nothing writes to any of them. Each turn has a list of
//! its own then; that none of them is seen from outside makes sure that nobody can tell.

use crate::graph::{Aggregate, Rewriter, each_function, inputs, made_by, nodes, passed, script_type};
use sconce_analysis::Aliases;
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassOption, PassResult, PassRun, fuel};

/// The pass `unpack-loop-lists`.
pub struct UnpackLoopLists;

impl Pass for UnpackLoopLists {
    const NAME: &'static str = "unpack-loop-lists";
    const DESCRIPTION: &'static str = "Carry what lists of known length hold through loops, instead of the lists";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];
    const OPTIONS: &'static [PassOption] = &[PassOption::int("most", "elements of a list", 64)];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let most = usize::try_from(run.int("most")).unwrap_or(0);
        each_function(root, |function| {
            let loops = || nodes(function).into_iter().filter(|op| op.is("torch.prim.Loop"));
            if loops().all(|op| lists(op, most, None).is_empty()) {
                return Ok(());
            }
            let aliases = Aliases::of(function);
            let found: Vec<_> = loops().map(|op| (op, lists(op, most, Some(&aliases)))).collect();
            let mut rewriter = Rewriter::new(function.context_ref());
            for (mut op, lists) in found {
                // The last one first: places of those before it stay.
                for (index, length) in lists.into_iter().rev() {
                    let Some(result) = op.result_value(index) else { continue };
                    if let Some(list) = Aggregate::list(&mut rewriter, &script_type(result), length)
                        && fuel::spend("loop-list", op)
                    {
                        op = list.split_result(&mut rewriter, op, index)?;
                    }
                }
            }
            Ok(())
        })
    }
}

/// The lists that a loop carries, by their place among its results, and their lengths: where aliases are given, of those that nobody can tell from others.
fn lists<'c: 'a, 'a>(op: OperationRef<'c, 'a>, most: usize, aliases: Option<&Aliases<'c>>) -> Vec<(usize, usize)> {
    let Some(body) = op.body(0) else { return Vec::new() };
    let (operands, arguments, given) = (op.operand_values(), body.args(), passed(body));
    let length = |list: Value<'c, 'a>| Some(inputs(made_by(list, "prim.ListConstruct")?).len());
    let one = |(index, result): (usize, Value<'c, 'a>)| {
        let all = [*operands.get(2 + index)?, *arguments.get(1 + index)?, *given.get(1 + index)?, result];
        let n = length(all[0]).filter(|n| length(all[2]) == Some(*n) && *n <= most)?;
        let is_plain = |v: &Value<'c, 'a>| aliases.is_none_or(|known| !known.is_written(*v) && !known.escapes(*v));
        all.iter().all(is_plain).then_some((index, n))
    };
    op.result_values().into_iter().enumerate().filter_map(one).collect()
}
