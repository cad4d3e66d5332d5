//! `functionalize`: writes to tensors, lists and dictionaries that nothing else can see become values, in branches and loops and through views too.
//!
//! A *cell* is a tensor, list or dictionary that the function makes, with its views and what writes give back (`cell.rs`). Each write becomes the operator that
//! gives what it would leave (`form.rs`), which is the cell's next *version*; what is read behind it is read from that version, views taken anew (`views.rs`);
//! branches and loops pass versions on (`versions.rs`). Of a tensor that must have the same dtype and the same sizes (`same.rs`). A write that stays is remarked
//! upon, with the reason (`why.rs`).

mod cell;
mod form;
mod order;
mod same;
mod versions;
mod views;
mod why;

use crate::graph::{Rewriter, each_function, nodes};
use cell::{Cell, base_of};
use form::write_of;
use rustc_hash::FxHashSet;
use sconce_analysis::operators::{any_within, switches_gradients};
use sconce_analysis::{Aliases, Symbols};
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassOption, PassResult, PassRun, refusals};
pub use why::writes_that_stay;

/// The pass `functionalize`.
pub struct Functionalize;

impl Pass for Functionalize {
    const NAME: &'static str = "functionalize";
    const DESCRIPTION: &'static str =
        "Turn writes to tensors, lists and dictionaries that nothing else can see into values";
    const PYTORCH: &'static str = "`RemoveTensorMutation`, which stays in one block and takes types for granted";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] = &[
        PassOption::bool("remarks", "say why writes stay", true),
        PassOption::bool("containers", "lists and dictionaries too", true),
    ];
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            rewrite(function, run.bool("containers"))?;
            let says = run.bool("remarks");
            if says || refusals::are_wanted() {
                why::refuse(function, says);
            }
            Ok(())
        })
    }
}

/// What is known of a function as it was before anything is rewritten.
struct Known<'c, 'a, 'r> {
    aliases: &'r Aliases<'c>,
    symbols: &'r Symbols<'c, 'a, 'r>,
    /// Something in it prints, raises or may do anything.
    acts: bool,
    /// Something in it turns gradients on or off.
    switches: bool,
}

impl<'c: 'a, 'a, 'r> Known<'c, 'a, 'r> {
    fn of(function: OperationRef<'c, 'a>, aliases: &'r Aliases<'c>, symbols: &'r Symbols<'c, 'a, 'r>) -> Self {
        let acts = any_within(function, |op| op != function && aliases.acts(op));
        let switches = any_within(function, switches_gradients);
        Known { aliases, symbols, acts, switches }
    }
}

fn rewrite<'c: 'a, 'a>(function: OperationRef<'c, 'a>, containers: bool) -> PassResult {
    let base = |op: OperationRef<'c, 'a>| {
        let write = write_of(op).filter(|write| containers || !write.is_container)?;
        op.operand_value(write.written).map(base_of)
    };
    let mut seen = FxHashSet::default();
    let bases: Vec<_> = nodes(function).into_iter().filter_map(base).filter(|base| seen.insert(base.id())).collect();
    if bases.is_empty() {
        return Ok(());
    }
    // What may be rewritten is found before anything is: aliases and sizes are those of the function as it was.
    let aliases = Aliases::of(function);
    let symbols = Symbols::of(function, &aliases);
    let known = Known::of(function, &aliases, &symbols);
    let cells: Vec<_> = bases.into_iter().filter_map(|base| Cell::of(base, &known).ok()).collect();
    let mut rewriter = Rewriter::new(function.context_ref());
    cells.into_iter().try_for_each(|cell| versions::put(&mut rewriter, cell))
}
