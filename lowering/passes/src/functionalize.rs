//! `functionalize`: writes to tensors that nothing else can see become values, in branches and loops and through views too.
//!
//! A *cell* is a tensor that the function makes, with its views and what writes give back (`cell.rs`). Each write becomes its functional form, whose result is the
//! cell's next *version*; what is read behind it is read from that version, views taken anew (`views.rs`); branches and loops pass versions on (`versions.rs`). The
//! functional form must give what the write would leave: the same dtype, and the same sizes. A write that stays is remarked upon, with the reason.

mod cell;
mod versions;
mod views;

use crate::graph::{Rewriter, each_function, nodes};
use cell::{Cell, base_of, is_write};
use rustc_hash::FxHashSet;
use sconce_analysis::Aliases;
use sconce_analysis::operators::schema_name;
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassOption, PassResult, PassRun};

/// The pass `functionalize`.
pub struct Functionalize;

impl Pass for Functionalize {
    const NAME: &'static str = "functionalize";
    const DESCRIPTION: &'static str = "Turn writes to tensors that nothing else can see into new tensors";
    const PYTORCH: &'static str = "`RemoveTensorMutation`, which stays in one block and takes types for granted";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] = &[PassOption::bool("remarks", "say why writes stay", true)];
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        each_function(root, |function| rewrite(function, run.bool("remarks")))
    }
}

fn rewrite<'c: 'a, 'a>(function: OperationRef<'c, 'a>, remarks: bool) -> PassResult {
    let writes: Vec<_> = nodes(function).into_iter().filter(|op| is_write(*op)).collect();
    if writes.is_empty() {
        return Ok(());
    }
    let aliases = Aliases::of(function);
    let mut rewriter = Rewriter::new(function.context_ref());
    let (mut seen, mut stay) = (FxHashSet::default(), Vec::new());
    // What may be rewritten is found before anything is: aliases are those of the function as it was.
    let mut cells = Vec::new();
    for write in &writes {
        let base = write.operand_value(0).map(base_of);
        let Some(base) = base.filter(|base| seen.insert(base.id())) else { continue };
        cells.push(base);
    }
    for base in cells {
        match Cell::of(base, &aliases) {
            Ok(cell) => versions::put(&mut rewriter, cell)?,
            Err(why) => stay.push((base.id(), why)),
        }
    }
    for write in nodes(function).into_iter().filter(|op| remarks && is_write(*op)) {
        let base = write.operand_value(0).map(|v| base_of(v).id());
        if let Some((_, why)) = stay.iter().find(|(known, _)| Some(*known) == base) {
            let name = schema_name(write).unwrap_or_default();
            write.emit_remark(&format!("{name} stays a write: {why}"));
        }
    }
    Ok(())
}
