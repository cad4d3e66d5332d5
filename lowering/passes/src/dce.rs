//! `dce`: removes operations whose results nobody uses and that do nothing else, results of control flow that nobody reads, and operands of forks likewise.
//!
//! A write counts only if what it changes is read later or is known outside; so a write to a list that nobody reads goes with the list.

use crate::graph::{block_ops, each_function, inner_blocks, keep_results, passed, root_block};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::Aliases;
use sconce_analysis::alias::{Locations, id};
use sconce_analysis::operators::{is_silent, kind};
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassResult, PassRun, fuel};

/// The pass `dce`.
pub struct Dce;

impl Pass for Dce {
    const NAME: &'static str = "dce";
    const DESCRIPTION: &'static str =
        "Remove what nobody uses, writes that nobody sees and results of control flow that nobody reads";
    const PYTORCH: &'static str = "`EliminateDeadCode`";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        if root.is("builtin.module") {
            fork_operands(root)?;
        }
        each_function(root, eliminate_dead_code)
    }
}

/// See the module's page; operands of forks stay.
pub(crate) fn eliminate_dead_code<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> PassResult {
    let Some(root) = root_block(function) else { return Ok(()) };
    let mut marking = Marking {
        aliases: Aliases::of(function),
        marked: FxHashSet::default(),
        blocks: FxHashSet::default(),
        live: FxHashSet::default(),
        locations: Locations::default(),
        effects: FxHashMap::default(),
    };
    passed(root).into_iter().for_each(|value| marking.use_value(value));
    marking.block(root);
    sweep(root, &marking.marked)
}

/// Operands of a fork that its function does not use.
fn fork_operands(module: OperationRef<'_, '_>) -> PassResult {
    let symbols = SymbolTable::of(module);
    let mut forks = Vec::new();
    module.walk_pre(&mut |op| {
        if kind(op) == "prim.fork" {
            forks.push(op);
        }
        Walk::Advance
    });
    for fork in forks {
        let path = fork.attr("torch.subgraph").and_then(attr::symbol_value).unwrap_or_default();
        let target = path.first().and_then(|name| symbols.get(name));
        let Some((target, body)) = target.and_then(|f| Some((f, root_block(f)?))) else { continue };
        let operands = fork.operand_values();
        let used: Vec<bool> = body.args().iter().map(|v| !v.is_unused()).collect();
        if used.len() != operands.len() || used.iter().all(|used| *used) {
            continue;
        }
        let left: Vec<Value<'_, '_>> =
            operands.into_iter().zip(&used).filter(|(_, used)| **used).map(|(v, _)| v).collect();
        fork.set_operand_values(&left);
        for index in (0..used.len()).rev().filter(|i| !used[*i]) {
            body.erase_arg(index)?;
        }
        crate::graph::set_arguments(target, &used);
    }
    Ok(())
}

struct Marking<'c> {
    aliases: Aliases<'c>,
    /// Operations that stay.
    marked: FxHashSet<usize>,
    /// Blocks of which it was seen what they pass on.
    blocks: FxHashSet<usize>,
    live: FxHashSet<usize>,
    /// What live values may be.
    locations: Locations,
    effects: FxHashMap<usize, bool>,
}

impl<'c: 'a, 'a> Marking<'c> {
    fn use_value(&mut self, value: Value<'c, 'a>) {
        if self.live.insert(value.id()) {
            self.aliases.collect(value, &mut self.locations);
        }
    }

    /// Marks what is needed in a block; was there anything new?
    fn block(&mut self, block: BlockRef<'c, 'a>) -> bool {
        let mut any = false;
        let ops = block_ops(block);
        for op in &ops {
            if self.has_effects(*op) {
                any |= self.operation(*op);
            }
        }
        any |= self.passed_on(block);
        for op in ops.into_iter().rev() {
            for inner in inner_blocks(op) {
                // What one turn needs, the turn before must give.
                while self.block(inner) {
                    any = true;
                    if !op.is("torch.prim.Loop") {
                        break;
                    }
                }
            }
            any |= self.if_live(op);
        }
        any
    }

    /// What a block passes on is needed where its operation's results are.
    fn passed_on(&mut self, block: BlockRef<'c, 'a>) -> bool {
        let Some(owner) = block.parent_op().filter(|op| !op.is("func.func")) else { return false };
        if !self.blocks.insert(block.to_raw().ptr as usize) {
            return false;
        }
        let (passed, results) = (passed(block), owner.result_values());
        if owner.is("torch.prim.Loop") {
            let carried = block.args();
            for ((result, input), value) in results.iter().zip(&carried[1..]).zip(&passed[1..]) {
                if self.live.contains(&result.id()) || !input.is_unused() {
                    self.use_value(*value);
                }
            }
            self.use_value(passed[0]);
            return true;
        }
        let is_if = owner.is("torch.prim.If");
        for (i, value) in passed.into_iter().enumerate() {
            if !is_if || results.get(i).is_some_and(|result| self.live.contains(&result.id())) {
                self.use_value(value);
            }
        }
        true
    }

    fn if_live(&mut self, op: OperationRef<'c, 'a>) -> bool {
        let live = op.result_values().iter().any(|v| self.live.contains(&v.id()))
            || !self.marked.contains(&id(op)) && self.aliases.writes_to_any(op, &self.locations);
        live && self.operation(op)
    }

    fn operation(&mut self, op: OperationRef<'c, 'a>) -> bool {
        if !self.marked.insert(id(op)) {
            return false;
        }
        // What holds a live operation is live.
        if let Some(around) = op.parent().filter(|around| !around.is("func.func")) {
            self.operation(around);
        }
        op.operand_values().into_iter().for_each(|v| self.use_value(v));
        if !op.region_refs().is_empty() && inner_blocks(op).is_empty() {
            // Nothing goes from what another dialect's operation holds.
            op.walk_pre(&mut |inner| {
                inner.operand_values().into_iter().for_each(|v| self.use_value(v));
                Walk::Advance
            });
        }
        true
    }

    fn has_effects(&mut self, op: OperationRef<'c, 'a>) -> bool {
        if let Some(known) = self.effects.get(&id(op)) {
            return *known;
        }
        let inner = inner_blocks(op);
        let opaque = inner.is_empty() && !op.region_refs().is_empty();
        let has = self.aliases.acts(op)
            || opaque && !op.is_effect_free()
            || inner.into_iter().flat_map(block_ops).any(|op| self.has_effects(op))
            || self.aliases.writes_to_wildcard(op);
        self.effects.insert(id(op), has);
        has
    }
}

fn sweep<'c: 'a, 'a>(block: BlockRef<'c, 'a>, marked: &FxHashSet<usize>) -> PassResult {
    for op in block_ops(block).into_iter().rev() {
        let stays = marked.contains(&id(op)) && !is_silent(op);
        let op = match live_results(op) {
            Some(live) => keep_results(op, &live)?,
            None => op,
        };
        inner_blocks(op).into_iter().try_for_each(|inner| sweep(inner, marked))?;
        if !stays && op.is_unused() && fuel::spend("erase", op) {
            op.erase()?;
        }
    }
    Ok(())
}

/// Which results of control flow somebody reads, if it is not all.
fn live_results(op: OperationRef<'_, '_>) -> Option<Vec<usize>> {
    let results = op.result_values();
    let carried = match op.op_name() {
        "torch.prim.If" => Vec::new(),
        "torch.prim.Loop" => op.body(0)?.args(),
        _ => return None,
    };
    let is_live = |i: &usize| !results[*i].is_unused() || carried.get(i + 1).is_some_and(|v| !v.is_unused());
    let live: Vec<usize> = (0..results.len()).filter(is_live).collect();
    (live.len() < results.len()).then_some(live)
}
