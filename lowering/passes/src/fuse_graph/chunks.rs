//! `prim::ConstantChunk` in groups: a chunk of something pointwise is the same of chunks of its operands, and chunks that only the group reads are its own.

use super::block::Scene;
use super::group::Group;
use super::{is_pointwise, tensors};
use crate::graph::{Rewriter, inputs, script_type};
use rustc_hash::FxHashSet;
use sconce_analysis::Tensor;
use sconce_analysis::alias::id;
use sconce_analysis::operators::{kind, source};
use sconce_import::text::node_kind;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, PassResult};

/// What one chunk became: chunks of tensors that have to be equally large.
pub(super) struct Chain<'c, 'a> {
    /// In the order that PyTorch has them in.
    chunks: Vec<OperationRef<'c, 'a>>,
    /// Everything that was made for it, also what has become something else.
    pub made: FxHashSet<usize>,
}

/// Takes the chunk before what it is a chunk of, if that is pointwise and nobody else's.
pub(super) fn go_first<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    scene: &mut Scene<'_, 'c, 'a>,
    group: &mut Group<'c, 'a>,
    chunk: OperationRef<'c, 'a>,
) -> Result<bool, Failure> {
    let whole = inputs(chunk).first().copied().filter(|_| kind(chunk) == "prim.ConstantChunk");
    let Some((whole, producer)) = whole.and_then(|v| Some((v, v.defining_op()?))) else { return Ok(false) };
    let (Some(from), Some(until)) = (scene.place(producer), scene.place(group.root)) else { return Ok(false) };
    let Some(at) = scene.place(chunk) else { return Ok(false) };
    let alone = scene.uses_left(whole) == 1;
    if !is_pointwise(producer) || !alone || !is_only_read(scene, group, chunk) || !scene.is_quiet(from, until) {
        return Ok(false);
    }
    let parts = distinct(tensors(producer));
    if !may_grow(&parts) {
        return Ok(false);
    }
    let before = Builder::before(chunk);
    let mut made = Vec::new();
    for part in &parts {
        made.push(chunk_of(rewriter, &before, chunk, *part)?);
    }
    let mut pieces = Vec::new();
    for (index, piece) in chunk.result_values().into_iter().enumerate() {
        let operands = operands_of(producer, &parts, &made, index);
        let name = node_kind(producer).ok_or_else(|| Failure::new("an operator without a name"))?;
        let ty = (piece.r#type(), &script_type(piece));
        let new = rewriter.node(&before, &name, producer.location(), &operands, ty)?;
        if let Some(result) = new.result_value(0) {
            piece.replace_all_uses_with(result);
            group.given.iter_mut().filter(|v| **v == piece).for_each(|v| *v = result);
        }
        pieces.push(new);
    }
    // Later places first, so that they come in behind each other.
    made.iter().chain(&pieces).for_each(|op| scene.put_behind(*op, at));
    remember(group, chunk, &made, &pieces);
    scene.remove(chunk);
    scene.remove(producer);
    Ok(true)
}

/// Do all that read the chunks belong to the group?
fn is_only_read<'c: 'a, 'a>(scene: &Scene<'_, 'c, 'a>, group: &Group<'c, 'a>, chunk: OperationRef<'c, 'a>) -> bool {
    let inside = |usage: &Use<'c, 'a>| group.has(usage.owner) || scene.is_gone(usage.owner);
    chunk.result_values().into_iter().all(|v| v.uses().iter().all(inside))
}

fn distinct<'c: 'a, 'a>(values: Vec<Value<'c, 'a>>) -> Vec<Value<'c, 'a>> {
    let mut all = Vec::new();
    values.into_iter().for_each(|v| {
        if !all.contains(&v) {
            all.push(v)
        }
    });
    all
}

/// A tensor without dimensions counts less where dtypes are promoted, and has none any more once it is expanded: dtypes must be one.
fn may_grow(parts: &[Value<'_, '_>]) -> bool {
    let dtypes: Vec<_> = parts.iter().map(|v| Tensor::of(v.r#type()).and_then(|t| t.dtype)).collect();
    parts.len() == 1 || dtypes.first().is_some_and(|first| first.is_some() && dtypes.iter().all(|d| d == first))
}

/// The same chunk of another tensor; its parts are of the old ones' types.
fn chunk_of<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    at: &Builder<'c, 'a>,
    chunk: OperationRef<'c, 'a>,
    whole: Value<'c, 'a>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let types: Vec<_> = chunk.result_values().into_iter().map(|v| (v.r#type(), script_type(v))).collect();
    let made = rewriter.node_with(at, "prim::ConstantChunk", chunk.location(), &[], &[whole], &types)?;
    if let Some(attributes) = chunk.attr("torch.attributes") {
        made.set_attr("torch.attributes", attributes);
    }
    Ok(made)
}

/// The operands of what computes one piece.
fn operands_of<'c: 'a, 'a>(
    producer: OperationRef<'c, 'a>,
    parts: &[Value<'c, 'a>],
    made: &[OperationRef<'c, 'a>],
    index: usize,
) -> Vec<Value<'c, 'a>> {
    let part = |v: Value<'c, 'a>| {
        let at = parts.iter().position(|part| *part == source(v));
        at.and_then(|at| made.get(at)?.result_value(index)).unwrap_or(v)
    };
    producer.operand_values().into_iter().map(part).collect()
}

/// What was made belongs to the chain of the chunk that it replaces, behind what is there.
fn remember<'c: 'a, 'a>(
    group: &mut Group<'c, 'a>,
    chunk: OperationRef<'c, 'a>,
    made: &[OperationRef<'c, 'a>],
    pieces: &[OperationRef<'c, 'a>],
) {
    let known = group.chains.iter().position(|chain| chain.chunks.contains(&chunk));
    let at = known.unwrap_or_else(|| {
        group.chains.push(Chain { chunks: Vec::new(), made: FxHashSet::default() });
        group.chains.len() - 1
    });
    if let Some(chain) = group.chains.get_mut(at) {
        chain.chunks.retain(|other| *other != chunk);
        chain.chunks.extend(made);
        chain.made.extend(made.iter().chain(pieces).map(|op| id(*op)));
    }
}

/// Takes in the chunks that only the group reads, and makes those of a chain equally large; they stand in the group in this order.
pub(super) fn absorb<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    scene: &mut Scene<'_, 'c, 'a>,
    group: &mut Group<'c, 'a>,
) -> Result<Vec<OperationRef<'c, 'a>>, Failure> {
    let chains: Vec<Vec<OperationRef<'c, 'a>>> = group.chains.iter().map(|chain| chain.chunks.clone()).collect();
    for chunks in &chains {
        broadcast(rewriter, group.root, chunks)?;
    }
    let order = |op: OperationRef<'c, 'a>| chains.iter().flatten().position(|other| *other == op);
    let made = group.given.iter().filter_map(|v| v.defining_op()).filter(|op| kind(*op) == "prim.ConstantChunk");
    let mut chunks: Vec<_> = made.filter_map(|op| Some(((order(op), scene.place(op)?), op))).collect();
    chunks.sort_by_key(|(key, _)| *key);
    chunks.dedup_by_key(|(key, _)| *key);
    let until = scene.place(group.root).unwrap_or_default();
    let is_own = |((_, from), op): &((_, _), OperationRef<'c, 'a>)| {
        is_only_read(scene, group, *op) && scene.is_quiet(*from, until)
    };
    let chunks: Vec<_> = chunks.into_iter().filter(is_own).map(|(_, op)| op).collect();
    for chunk in chunks.iter().rev() {
        group.needs_instead(*chunk, inputs(*chunk));
    }
    Ok(chunks)
}

/// Chunks of the tensors as large as all of them together make them.
fn broadcast<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    root: OperationRef<'c, 'a>,
    chunks: &[OperationRef<'c, 'a>],
) -> PassResult {
    let tensors: Vec<_> = chunks.iter().filter_map(|chunk| inputs(*chunk).first().copied()).collect();
    let Some(first) = tensors.first().copied() else { return Ok(()) };
    let Some(any) = rewriter.any_tensor(first) else { return Ok(()) };
    let Some((ty, list)) = rewriter.list_of_tensors(first) else { return Ok(()) };
    let (at, place) = (Builder::before(root), root.location());
    let lone = |op: OperationRef<'c, 'a>| op.result_value(0).ok_or_else(|| Failure::new("a list without a value"));
    let whole = lone(rewriter.node(&at, "prim::ListConstruct", place, &tensors, (ty, &list))?)?;
    let large = lone(rewriter.node(&at, "aten::broadcast_tensors", place, &[whole], (ty, &list))?)?;
    let types = vec![any; chunks.len()];
    let parts = rewriter.node_with(&at, "prim::ListUnpack", place, &[], &[large], &types)?;
    for (chunk, part) in chunks.iter().zip(parts.result_values()) {
        chunk.set_operand_value(0, part);
    }
    Ok(())
}
