//! `torch-cse`: the same computation of the same operands is done once, where nothing writes to what it reads or gives.

use crate::graph::{
    Form, block_ops, constant, each_function, erase_all, has_identity, inner_blocks, inputs, is_constant, root_block,
};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::Aliases;
use sconce_analysis::operators::{is_silent, kind, operator_name};
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassResult, PassRun, fuel};
use sconce_schema::Trait;

/// The pass `torch-cse`.
pub struct TorchCse;

impl Pass for TorchCse {
    const NAME: &'static str = "torch-cse";
    const DESCRIPTION: &'static str = "Compute the same of the same operands once, where nothing writes to it";
    const PYTORCH: &'static str = "`EliminateCommonSubexpression`";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, eliminate_common_subexpressions)
    }
}

/// See the module's page.
pub(crate) fn eliminate_common_subexpressions<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> PassResult {
    let Some(root) = root_block(function) else { return Ok(()) };
    let mut search = Search {
        aliases: Aliases::of(function),
        scopes: Vec::new(),
        stands_for: FxHashMap::default(),
        shown: FxHashSet::default(),
        merged: Vec::new(),
    };
    search.block(root);
    for (op, into) in &search.merged {
        for (old, new) in op.result_values().into_iter().zip(into.result_values()) {
            old.replace_all_uses_with(new);
        }
    }
    erase_all(&search.merged.iter().map(|(op, _)| *op).collect::<Vec<_>>())
}

/// An operation's name and operands, and what else tells it apart.
type Key = (String, Vec<usize>, Form);

struct Search<'c, 'a> {
    aliases: Aliases<'c>,
    /// Computations that were met, innermost block last.
    scopes: Vec<FxHashMap<Key, OperationRef<'c, 'a>>>,
    /// Results of operations that go, and what stands for them.
    stands_for: FxHashMap<usize, usize>,
    /// What stands for a value that can be seen from outside, so that it can be seen itself.
    shown: FxHashSet<usize>,
    merged: Vec<(OperationRef<'c, 'a>, OperationRef<'c, 'a>)>,
}

impl<'c: 'a, 'a> Search<'c, 'a> {
    fn block(&mut self, block: BlockRef<'c, 'a>) {
        self.scopes.push(FxHashMap::default());
        for op in block_ops(block).into_iter().filter(|op| !is_silent(*op)) {
            if op.region_refs().is_empty() {
                self.operation(op);
            } else {
                inner_blocks(op).into_iter().for_each(|inner| self.block(inner));
            }
        }
        self.scopes.pop();
    }

    fn operation(&mut self, op: OperationRef<'c, 'a>) {
        if !self.is_candidate(op) {
            return;
        }
        let key = self.key(op);
        match self.scopes.iter().rev().find_map(|s| s.get(&key)).copied() {
            Some(other) if self.may_share(op, other) && fuel::spend("merge", op) => {
                for (old, new) in op.result_values().into_iter().zip(other.result_values()) {
                    self.stands_for.insert(old.id(), new.id());
                    if self.aliases.escapes(old) {
                        self.shown.insert(new.id());
                    }
                }
                self.merged.push((op, other));
            }
            Some(_) => {}
            None => {
                if let Some(scope) = self.scopes.last_mut() {
                    scope.insert(key, op);
                }
            }
        }
    }

    /// Operands are compared as what stands for them.
    fn key(&self, op: OperationRef<'c, 'a>) -> Key {
        let operands = inputs(op).into_iter().map(|v| self.stands_for.get(&v.id()).copied().unwrap_or(v.id()));
        (operator_name(op), operands.collect(), Form::of(op))
    }

    fn is_candidate(&self, op: OperationRef<'c, 'a>) -> bool {
        let kind = kind(op);
        if matches!(kind, "prim.Print" | "prim.RaiseException" | "prim.CreateObject" | "prim.fork")
            || self.aliases.acts(op)
            || is_constant(op) && !is_known(op)
        {
            return false;
        }
        let unsteady = |entry: &sconce_schema::OpEntry| entry.has(Trait::Random) || entry.has(Trait::Effect);
        if kind.starts_with("aten.") && sconce_torch::entry(op).is_none_or(unsteady) {
            return false;
        }
        let touched = op.operand_values().into_iter().chain(op.result_values());
        !touched.into_iter().any(|v| self.aliases.has_writers(v))
    }

    fn may_share(&self, a: OperationRef<'c, 'a>, b: OperationRef<'c, 'a>) -> bool {
        // What a turn of a loop gives away is another object than what the next one does.
        let is_one = is_constant(a) || !stands_in_loop(a, b);
        let mut results = a.result_values().into_iter().zip(b.result_values());
        results.all(|(x, y)| {
            let is_seen = || self.shown.contains(&y.id()) || self.aliases.escapes(y);
            !self.aliases.escapes(x) || is_one && !is_seen()
        })
    }
}

/// Does an operation stand in a loop that another one stands outside of?
fn stands_in_loop<'c: 'a, 'a>(inner: OperationRef<'c, 'a>, outer: OperationRef<'c, 'a>) -> bool {
    let home = outer.block_ref();
    let mut at = inner;
    while at.block_ref() != home {
        match at.parent() {
            Some(parent) if parent.is("torch.prim.Loop") => return true,
            Some(parent) => at = parent,
            None => return false,
        }
    }
    false
}

/// Is the value of a constant one that can be compared, and that an equal one may stand for?
fn is_known(op: OperationRef<'_, '_>) -> bool {
    op.is("func.constant") || op.result_value(0).and_then(constant).is_some_and(|value| !has_identity(&value))
}
