//! `constant-pooling`: one operation for each constant, at the start of the function, the one found last first.

use crate::graph::{constant, each_function, erase_all, has_identity, is_constant, is_same, nodes, root_block};
use rustc_hash::{FxBuildHasher, FxHashMap};
use sconce_analysis::Aliases;
use sconce_analysis::operators::kind;
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassResult, PassRun};
use sconce_tensor::IValue;
use sconce_torch::NAMED_CONSTANT;
use std::hash::BuildHasher;

/// The pass `constant-pooling`.
pub struct ConstantPooling;

impl Pass for ConstantPooling {
    const NAME: &'static str = "constant-pooling";
    const DESCRIPTION: &'static str = "Keep one operation for each constant, at the start of the function";
    const PYTORCH: &'static str = "`ConstantPooling`";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, pool)
    }
}

fn pool<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> PassResult {
    let (kept, merged) = choose(function);
    for (op, into) in &merged {
        for (old, new) in op.result_values().into_iter().zip(into.result_values()) {
            old.replace_all_uses_with(new);
        }
    }
    erase_all(&merged.into_iter().map(|(op, _)| op).collect::<Vec<_>>())?;
    let mut first = root_block(function).and_then(BlockExt::first_op);
    for op in kept {
        if let Some(first) = first.filter(|first| !is_same(*first, op)) {
            op.move_in_front_of(first);
        }
        first = Some(op);
    }
    Ok(())
}

type Op<'c, 'a> = OperationRef<'c, 'a>;

/// Constants that stay, in the order they were found, and those that another stands for.
fn choose<'c: 'a, 'a>(function: Op<'c, 'a>) -> (Vec<Op<'c, 'a>>, Vec<(Op<'c, 'a>, Op<'c, 'a>)>) {
    let mut aliases = None;
    let mut known: FxHashMap<Vec<usize>, Vec<Op<'c, 'a>>> = FxHashMap::default();
    let (mut kept, mut merged) = (Vec::new(), Vec::new());
    for op in nodes(function).into_iter().filter(|op| is_constant(*op)) {
        if !is_comparable(op) {
            kept.push(op);
            continue;
        }
        let same = known.entry(key(op)).or_default();
        match same.iter().find(|other| is_equal(op, **other)).copied() {
            None => {
                same.push(op);
                kept.push(op);
            }
            Some(other) if may_share(function, &mut aliases, op, other) => merged.push((op, other)),
            // PyTorch leaves such a constant where it stands; in front it is as good.
            Some(_) => kept.push(op),
        }
    }
    (kept, merged)
}

/// Is it a constant that is equal to itself, of a value that is known?
fn is_comparable(op: Op<'_, '_>) -> bool {
    if matches!(kind(op), "func.constant" | "tensor.literal" | "vtensor.literal" | NAMED_CONSTANT) {
        return true;
    }
    match op.result_value(0).and_then(constant) {
        Some(IValue::Double(x)) => !x.is_nan(),
        other => other.is_some_and(|value| !has_identity(&value)),
    }
}

/// What equal constants share: types, attributes, and a sum of what tensors hold, by which few that differ are the same.
fn key(op: Op<'_, '_>) -> Vec<usize> {
    let mut key: Vec<usize> = op.result_types().into_iter().map(|t| t.to_raw().ptr as usize).collect();
    key.push(op.op_name().as_ptr() as usize);
    for (name, value) in op.attrs().into_iter().filter(|(name, _)| *name != "torch.text") {
        key.push(name.as_ptr() as usize);
        key.push(match attr::elements(value) {
            Some(elements) => FxBuildHasher.hash_one((elements.splat, elements.bytes)) as usize,
            None => value.to_raw().ptr as usize,
        });
    }
    key
}

/// Have two constants of one key the same elements?
fn is_equal<'c>(a: Op<'c, '_>, b: Op<'c, '_>) -> bool {
    if a.attr("value") == b.attr("value") {
        return true;
    }
    match (a.attr("value").and_then(attr::elements), b.attr("value").and_then(attr::elements)) {
        (Some(a), Some(b)) => a.r#type == b.r#type && a.splat == b.splat && a.bytes == b.bytes,
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// May two constants, of values that can change perhaps, become one?
fn may_share<'c: 'a, 'a>(
    function: Op<'c, 'a>,
    aliases: &mut Option<Aliases<'c>>,
    a: Op<'c, 'a>,
    b: Op<'c, 'a>,
) -> bool {
    let aliases = aliases.get_or_insert_with(|| Aliases::of(function));
    a.result_values()
        .into_iter()
        .zip(b.result_values())
        .all(|(a, b)| !aliases.has_writers(a) && !aliases.has_writers(b) && !aliases.both_escape(a, b))
}
