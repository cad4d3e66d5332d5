//! `select-loop-slices`: what a loop takes from the list of a tensor's slices, one in each turn, is the slice: `for x in xs` is `xs[0]`, `xs[1]` and so on, without a
//! list that code cannot be given.
//!
//! A slice that is not there is another error of a tensor than of a list: so the list has to be as long as there are turns.

use crate::graph::{Counted, Rewriter, each_function, inputs, int, made_by, nodes, script_type, walk};
use sconce_analysis::operators::{kind, source};
use sconce_analysis::{Aliases, Tensor};
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassResult, PassRun, fuel};

/// The pass `select-loop-slices`.
pub struct SelectLoopSlices;

impl Pass for SelectLoopSlices {
    const NAME: &'static str = "select-loop-slices";
    const DESCRIPTION: &'static str = "Take a tensor's slice where a loop takes it from the list of them";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let loops: Vec<_> = nodes(function).into_iter().filter_map(Counted::of).collect();
            let found: Vec<_> = loops.iter().flat_map(Slice::all).collect();
            if found.is_empty() {
                return Ok(());
            }
            let aliases = Aliases::of(function);
            let mut rewriter = Rewriter::new(function.context_ref());
            for slice in found {
                if !aliases.is_written(slice.list) && fuel::spend("loop-slice", slice.op) {
                    slice.put(&mut rewriter)?;
                }
            }
            Ok(())
        })
    }
}

/// An element that a loop takes of a list.
struct Slice<'c, 'a> {
    op: OperationRef<'c, 'a>,
    list: Value<'c, 'a>,
    turn: Value<'c, 'a>,
    whole: Value<'c, 'a>,
    dim: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Slice<'c, 'a> {
    fn all(counted: &Counted<'c, 'a>) -> Vec<Self> {
        walk(counted.body).into_iter().filter_map(|op| Slice::of(op, counted)).collect()
    }

    fn of(op: OperationRef<'c, 'a>, counted: &Counted<'c, 'a>) -> Option<Self> {
        let turn = *counted.body.args().first()?;
        let [list, place] = inputs(op)[..] else { return None };
        if kind(op) != "aten.__getitem__" || place != turn {
            return None;
        }
        let unbind = made_by(list, "aten.unbind")?;
        let [whole, dim] = inputs(unbind)[..] else { return None };
        let sizes = Tensor::of(whole.r#type())?.sizes?;
        let at = int(dim)?;
        let at = usize::try_from(if at < 0 { at.checked_add(sizes.len() as i64)? } else { at }).ok()?;
        let is_long = counted.turns.is_some_and(|turns| sizes.get(at).copied().flatten().is_some_and(|n| turns <= n));
        let is_counted = at == 0 && counted.along.is_some_and(|along| source(along) == whole);
        (is_long || is_counted).then_some(Slice { op, list, turn, whole, dim })
    }

    fn put(self, rewriter: &mut Rewriter<'c>) -> PassResult {
        let Some(result) = self.op.result_value(0) else { return Ok(()) };
        let (at, ty) = (Builder::before(self.op), (result.r#type(), &script_type(result)));
        let operands = [self.whole, self.dim, self.turn];
        let slice = rewriter.node(&at, "aten::select", self.op.location(), &operands, ty)?;
        if let Some(slice) = slice.result_value(0) {
            result.replace_all_uses_with(slice);
        }
        self.op.erase()?;
        if let Some(unbind) = self.list.defining_op().filter(|op| op.is_unused()) {
            unbind.erase()?;
        }
        Ok(())
    }
}
