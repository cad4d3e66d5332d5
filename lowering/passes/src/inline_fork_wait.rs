//! `inline-fork-wait`: a task that is only waited for in the function that forks it is done where it was forked.

use crate::graph::{Rewriter, each_function, nodes, passed, root_block, spell_out};
use rustc_hash::FxHashSet;
use sconce_analysis::alias::id;
use sconce_analysis::operators::kind;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun};

/// The pass `inline-fork-wait`.
pub struct InlineForkWait;

impl Pass for InlineForkWait {
    const NAME: &'static str = "inline-fork-wait";
    const DESCRIPTION: &'static str = "Do what a fork does where it stands, if its future is only waited for";
    const PYTORCH: &'static str = "`InlineForkWait`";
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        let symbols = SymbolTable::of(root);
        let mut rewriter = Rewriter::new(root.context_ref());
        let mut inlined = Vec::new();
        each_function(root, |function| {
            for fork in nodes(function).into_iter().filter(|op| kind(*op) == "prim.fork") {
                inlined.extend(inline(&mut rewriter, &symbols, fork)?);
            }
            Ok(())
        })?;
        // A task's function is nobody else's, unless text says so.
        let named = named_functions(root);
        let left = |task: &OperationRef<'_, '_>| !task.symbol_name().is_some_and(|name| named.contains(name));
        inlined.sort_unstable_by_key(|task| id(*task));
        inlined.dedup_by_key(|task| id(*task));
        inlined.iter().filter(|task| left(task)).try_for_each(|task| task.erase().map_err(Failure::from))
    }
}

/// The function of the fork, if it is done in the fork's place now.
fn inline<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    symbols: &SymbolTable<'c, 'a>,
    fork: OperationRef<'c, 'a>,
) -> Result<Option<OperationRef<'c, 'a>>, Failure> {
    let path = fork.attr("torch.subgraph").and_then(attr::symbol_value).unwrap_or_default();
    let task = path.first().and_then(|name| symbols.get(name));
    let (Some(task), Some(future)) = (task, fork.result_value(0)) else { return Ok(None) };
    let Some(body) = root_block(task) else { return Ok(None) };
    let users: Vec<_> = future.uses().into_iter().map(|usage| usage.owner).collect();
    if passed(body).len() != 1 || users.iter().any(|user| kind(*user) != "aten.wait") {
        return Ok(None);
    }
    let at = Builder::before(fork);
    let copy = |_: &mut Rewriter<'c>, op: OperationRef<'c, 'a>, values: &[_]| Ok(at.insert(op.clone_with(values)));
    let results = spell_out(rewriter, &at, body, &fork.operand_values(), copy)?;
    let Some(value) = results.and_then(|results| results.first().copied()) else { return Ok(None) };
    for wait in users {
        if let Some(waited) = wait.result_value(0)
            && !rewriter.replace_uses(waited, value)?
        {
            return Err(Failure::new("a task's result is not of the type that is waited for"));
        }
        wait.erase()?;
    }
    fork.erase()?;
    Ok(Some(task))
}

/// The functions that operations of a module name.
pub(crate) fn named_functions(root: OperationRef<'_, '_>) -> FxHashSet<String> {
    let mut named = FxHashSet::default();
    root.walk_pre(&mut |op| {
        let paths = op.attrs().into_iter().filter_map(|(_, value)| attr::symbol_value(value));
        named.extend(paths.filter_map(|path| path.into_iter().next()));
        Walk::Advance
    });
    named
}
