//! `peephole`: small rewrites whose result is plain to see: tests for None of what cannot be None, casts to what a value is, `x * 1`, the length of a
//! list that was made here.
//!
//! Unlike PyTorch's, it keeps `x == x` on floats, which is false for NaN, and tests for None of values of any type.

mod lists;
mod scalars;
mod tensors;

use crate::dce::eliminate_dead_code;
use crate::graph::{Rewriter, block_ops, constant, each_function, inner_blocks, int, nodes, root_block, script_type};
use rustc_hash::FxHashSet;
use sconce_analysis::Aliases;
use sconce_analysis::effects::may_resize;
use sconce_analysis::operators::{is_silent, kind, source};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun, fuel};
use sconce_schema::Type as ScriptType;
use sconce_tensor::IValue;

/// The pass `peephole`.
pub struct Peephole;

impl Pass for Peephole {
    const NAME: &'static str = "peephole";
    const DESCRIPTION: &'static str =
        "Small rewrites: tests for None, casts to what a value is, neutral elements, lengths of known lists";
    const PYTORCH: &'static str = "`PeepholeOptimize`";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] =
        &[PassOption::bool("shapes", "also by the sizes and dtypes that types of tensors tell", true)];
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        each_function(root, |function| peephole(function, run.bool("shapes")))
    }
}

/// See the module's page. Dead code goes with what changes.
pub(crate) fn peephole<'c: 'a, 'a>(function: OperationRef<'c, 'a>, shapes: bool) -> PassResult {
    let Some(root) = root_block(function) else { return Ok(()) };
    let written = {
        let aliases = Aliases::of(function);
        let values = |op: OperationRef<'c, 'a>| op.operand_values().into_iter().chain(op.result_values());
        nodes(function)
            .into_iter()
            .flat_map(values)
            .map(source)
            .filter(|v| aliases.has_writers(*v))
            .map(|v| v.id())
            .collect()
    };
    let resizes =
        nodes(function).into_iter().any(|op| op.region_refs().is_empty() && !op.is_terminator() && may_resize(op));
    let rewriter = Rewriter::new(function.context_ref());
    let mut rewrites = Rewrites { rewriter, function, shapes, resizes, written, changed: false };
    for rewrite in [Rewrites::tensors, Rewrites::lists, Rewrites::scalars] {
        rewrites.block(root, rewrite)?;
    }
    if rewrites.changed { eliminate_dead_code(function) } else { Ok(()) }
}

struct Rewrites<'c, 'a> {
    rewriter: Rewriter<'c>,
    function: OperationRef<'c, 'a>,
    shapes: bool,
    /// Something may give a tensor that is written to other sizes.
    resizes: bool,
    /// Values of which something writes to what they may be, by [`ValueExt::id`].
    written: FxHashSet<usize>,
    changed: bool,
}

/// What an operation's result is instead.
enum New<'c, 'a> {
    Value(Value<'c, 'a>),
    Constant(IValue),
}

/// What a rewrite finds: nothing, or what stands for the only result.
type Found<'c, 'a> = Result<Option<New<'c, 'a>>, Failure>;

impl<'c: 'a, 'a> Rewrites<'c, 'a> {
    fn block(
        &mut self,
        block: BlockRef<'c, 'a>,
        rewrite: fn(&mut Self, OperationRef<'c, 'a>) -> Found<'c, 'a>,
    ) -> PassResult {
        for op in block_ops(block).into_iter().filter(|op| !is_silent(*op)) {
            for inner in inner_blocks(op) {
                self.block(inner, rewrite)?;
            }
            let found = rewrite(self, op)?;
            if let (Some(new), [result]) = (found, &op.result_values()[..])
                && fuel::spend(kind(op), op)
            {
                self.replace(op, *result, new)?;
            }
        }
        Ok(())
    }

    fn replace(&mut self, op: OperationRef<'c, 'a>, old: Value<'c, 'a>, new: New<'c, 'a>) -> PassResult {
        self.changed = true;
        if old.is_unused() {
            return Ok(());
        }
        let value = match new {
            New::Value(value) => Some(value),
            New::Constant(value) => {
                let ty = sconce_import::constants::type_of(&value);
                self.rewriter.constant(&Builder::before(op), &value, &ty, old)?
            }
        };
        if let Some(value) = value {
            self.rewriter.replace_uses(old, value)?;
        }
        Ok(())
    }

    fn is_written(&self, value: Value<'c, 'a>) -> bool {
        self.written.contains(&source(value).id())
    }

    fn ints(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> bool {
        script_type(a) == ScriptType::Int && script_type(b) == ScriptType::Int
    }
}

/// The only result of an operation.
fn only_result<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    match op.result_values()[..] {
        [result] => Some(result),
        _ => None,
    }
}

/// Is the constant this integer?
fn is_int(value: Value<'_, '_>, wanted: i64) -> bool {
    int(value) == Some(wanted)
}

/// Is the constant this truth?
fn is_bool(value: Value<'_, '_>, wanted: bool) -> bool {
    matches!(constant(value), Some(IValue::Bool(b)) if b == wanted)
}
