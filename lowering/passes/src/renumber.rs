//! `renumber`: values without a name are numbered in the order in which they come to be, all values counted.

use crate::graph::{block_ops, each_function, inner_blocks, root_block};
use sconce_analysis::operators::is_silent;
use sconce_import::text::names;
use sconce_ir::location::name;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun};

/// The pass `renumber`.
pub struct Renumber;

impl Pass for Renumber {
    const NAME: &'static str = "renumber";
    const DESCRIPTION: &'static str = "Number the values that have no name in their order";
    const PYTORCH: &'static str = "`Canonicalize`; with `names=0` without its `keep_unique_names`";
    const OPTIONS: &'static [PassOption] = &[PassOption::bool(
        "names",
        "names stay; else those in blocks do, and the function's own values are numbered",
        true,
    )];
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let mut numbers = Numbers { context: function.context_ref(), next: 0 };
            root_block(function).map_or(Ok(()), |block| numbers.block(block, run.bool("names")))
        })
    }
}

struct Numbers<'c> {
    context: &'c Context,
    next: usize,
}

impl<'c: 'a, 'a> Numbers<'c> {
    /// Numbers what a block is given and makes; `named`: its own values keep their names.
    fn block(&mut self, block: BlockRef<'c, 'a>, named: bool) -> PassResult {
        // An argument's place is its own: others come in the place of those that are there.
        let arguments = block.args();
        for argument in &arguments {
            let renamed = block.add_arg(argument.r#type(), self.location(argument.loc(), 1, named));
            argument.replace_all_uses_with(renamed);
        }
        (0..arguments.len()).rev().try_for_each(|at| block.erase_arg(at).map_err(Failure::from))?;
        for op in block_ops(block).into_iter().filter(|op| !is_silent(*op)) {
            op.set_loc(self.location(op.location(), op.result_values().len(), named));
            inner_blocks(op).into_iter().try_for_each(|inner| self.block(inner, true))?;
        }
        Ok(())
    }

    /// A location that says of so many values what they are called now.
    fn location(&mut self, location: Location<'c>, values: usize, named: bool) -> Location<'c> {
        let said = names::read(location, values).names;
        let place = match name(location) {
            Some((_, place)) if !said.is_empty() => place,
            _ => location,
        };
        let mut called = Vec::new();
        for at in 0..values {
            let is_number = |name: &String| name.bytes().all(|b| b.is_ascii_digit());
            let kept = said.get(at).filter(|name| named && !is_number(name)).cloned();
            called.push(kept.unwrap_or_else(|| self.next.to_string()));
            self.next += 1;
        }
        names::named(self.context, &called.iter().map(String::as_str).collect::<Vec<_>>(), place)
    }
}
