//! `grow-loop-tensors`: a tensor that each turn of a loop joins another part to lies in one tensor that is as long as the last turn makes it: a decoder's cache of keys
//! and values grows in place, and is not copied for every token.
//!
//! What a turn sees of it is a slice. So it is done where nobody can tell one from a tensor of its own: where turns only read it, and nobody sees how it lies in memory.

use crate::graph::space::{self, Extent, Filled, Fills, Space, is_small, missing};
use crate::graph::{Counted, Rewriter, add_results, inputs, int, keep_results, made_by, passed, script_type};
use sconce_analysis::operators::source;
use sconce_analysis::types::TorchType;
use sconce_analysis::{Aliases, Symbols, Tensor, are_gaps_seen, is_layout_seen};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun};
use sconce_schema::Type as ScriptType;
use smallvec::SmallVec;

/// The pass `grow-loop-tensors`.
pub struct GrowLoopTensors;

impl Pass for GrowLoopTensors {
    const NAME: &'static str = "grow-loop-tensors";
    const DESCRIPTION: &'static str = "Let a tensor that turns of a loop join parts to grow in place";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] = &[space::MOST_BYTES];
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        space::fill::<GrowLoopTensors>(root, run)
    }
}

impl Fills for GrowLoopTensors {
    const CHANGE: &'static str = "grown-tensor";
    type Filled<'c: 'a, 'a> = Growing<'c, 'a>;
}

/// A tensor that a loop makes longer.
pub(crate) struct Growing<'c, 'a> {
    /// Among the loop's results.
    index: usize,
    /// What a turn finds.
    before: Value<'c, 'a>,
    /// What joins a part to it, and gives what the next turn finds.
    cat: OperationRef<'c, 'a>,
    grown: Value<'c, 'a>,
    part: Value<'c, 'a>,
    dim: usize,
    /// What the first turn finds.
    start: Value<'c, 'a>,
    /// How long that is, if it is known, and by how much it grows in each turn.
    first: Option<i64>,
    more: i64,
    turns: i64,
    /// As it is behind the last one.
    ty: Tensor,
    /// Other dimensions, whose size is not known.
    unknown: Vec<usize>,
}

impl<'c: 'a, 'a> Filled<'c, 'a> for Growing<'c, 'a> {
    /// None where the loop carries something that code cannot be given: what is copied for each turn may as well be copied to where it is needed.
    fn all(counted: &Counted<'c, 'a>, most: usize) -> Vec<Self> {
        let results = counted.op.result_values();
        if results.iter().any(|v| TorchType::of(v.r#type()) == TorchType::Other) {
            return Vec::new();
        }
        let growing = results.into_iter().enumerate().filter_map(|(i, result)| Growing::of(counted, i, result));
        growing.filter(|tensor| is_small(&tensor.ty, most)).collect()
    }

    fn has_unknown(&self) -> bool {
        !self.unknown.is_empty()
    }

    fn allowed(
        mut found: Vec<Self>,
        _: &Counted<'c, 'a>,
        aliases: &Aliases<'c>,
        symbols: Option<&Symbols<'c, 'a, '_>>,
    ) -> Vec<Self> {
        let is_written = |tensor: &Self| [tensor.grown, tensor.before].into_iter().any(|v| aliases.has_writers(v));
        found.retain(|tensor| !is_written(tensor) && tensor.is_alike(symbols));
        found
    }

    fn put(self, op: OperationRef<'c, 'a>, rewriter: &mut Rewriter<'c>) -> Result<OperationRef<'c, 'a>, Failure> {
        let ty = self.ty.to_type(op.context_ref()).ok_or_else(missing)?;
        let script = sconce_torch::types::from_mlir(ty).ok_or_else(missing)?;
        let (count, location) = (op.result_values().len(), self.cat.location());
        let (space, length) = self.space(op, (ty, &script), rewriter)?;
        let op = add_results(rewriter, op, &[(ty, script.clone())], &[space])?;
        let body = op.body(0).ok_or_else(|| Failure::new("a loop without a block"))?;
        let arguments = body.args();
        let (turn, before, whole) = (arguments[0], arguments[1 + self.index], arguments[1 + count]);
        let next = body.ops().into_iter().next().ok_or_else(missing)?;
        let mut first = Space { at: Builder::before(next), location, like: turn, rewriter };
        let [start, end] = self.places(&mut first, turn, length)?;
        let list = self.cat.operand_value(0).and_then(ValueExt::defining_op);
        let is_read = before.uses().into_iter().any(|usage| Some(usage.owner) != list);
        let found = if is_read { Some(self.part_until(&mut first, whole, start, before)?) } else { None };
        let mut last = Space { at: Builder::before(self.cat), ..first };
        let (dim, one) = (last.number(self.dim as i64)?, last.number(1)?);
        let put = last.made("aten::slice_scatter", &[whole, self.part, dim, start, end, one], (ty, &script))?;
        // What the loop passed on is dropped with its place.
        let terminator = body.terminator_op().ok_or_else(|| Failure::new("a block without an end"))?;
        let mut given = terminator.operand_values();
        given[1 + self.index] = put;
        given.push(put);
        terminator.set_operand_values(&given);
        if !self.grown.is_unused() {
            let grown = self.part_until(&mut last, put, end, self.grown)?;
            self.grown.replace_all_uses_with(grown);
        }
        self.cat.erase()?;
        list.into_iter().filter(|op| op.is_unused()).try_for_each(OpExt::erase)?;
        if let Some(found) = found {
            before.replace_all_uses_with(found);
        }
        if let (Some(old), Some(new)) = (op.result_value(self.index), op.result_value(count)) {
            rewriter.replace_uses(old, new)?;
        }
        let order: Vec<usize> = (0..=count).filter(|i| *i != self.index).collect();
        keep_results(op, &order)
    }
}

impl<'c: 'a, 'a> Growing<'c, 'a> {
    fn of(counted: &Counted<'c, 'a>, index: usize, result: Value<'c, 'a>) -> Option<Self> {
        let turns = counted.turns?;
        let before = *counted.body.args().get(1 + index)?;
        let end = counted.body.terminator_op()?;
        let grown = source(*passed(counted.body).get(1 + index)?);
        let cat = made_by(grown, "aten.cat").filter(|op| op.block_ref() == Some(counted.body))?;
        let [list, along] = inputs(cat)[..] else { return None };
        let both = made_by(list, "prim.ListConstruct")
            .filter(|both| both.result_values().into_iter().all(ValueExt::has_one_use))?;
        let [first, part] = inputs(both)[..] else { return None };
        let given = end.operand_values().into_iter().filter(|v| source(*v) == grown).count();
        if first != before || given != 1 {
            return None;
        }
        let start = source(*counted.op.operand_values().get(2 + index)?);
        let (found, joined, whole) =
            (Tensor::of(start.r#type())?, Tensor::of(part.r#type())?, Tensor::of(grown.r#type())?);
        let (sizes, part_sizes) = (found.sizes?, joined.sizes?);
        let dim = int(along)?;
        let dim = if dim < 0 { dim.checked_add(part_sizes.len() as i64)? } else { dim };
        let dim = usize::try_from(dim).ok().filter(|d| *d < part_sizes.len())?;
        let differ =
            |(d, (a, b)): (usize, (&Option<i64>, &Option<i64>))| d != dim && a.zip(*b).is_some_and(|(a, b)| a != b);
        let is_like = sizes.len() == part_sizes.len()
            && !sizes.iter().zip(&part_sizes).enumerate().any(differ)
            && [found.dtype, joined.dtype].iter().all(|dtype| dtype.is_some() && *dtype == whole.dtype)
            && whole.dtype.is_some_and(|dtype| !dtype.is_quantized());
        let (first, more) = (*sizes.get(dim)?, part_sizes[dim]?);
        let last = first.unwrap_or(0).checked_add(turns.checked_mul(more)?)?;
        // What is joined of images may lie channel by channel, as they do.
        if !is_like
            || are_gaps_seen(grown, end)
            || are_gaps_seen(before, both)
            || part_sizes.len() > 3 && is_layout_seen(result)
        {
            return None;
        }
        let unknown = (0..sizes.len()).filter(|d| *d != dim && sizes[*d].zip(part_sizes[*d]).is_none()).collect();
        let mut all: SmallVec<_> = sizes.iter().zip(&part_sizes).map(|(a, b)| a.or(*b)).collect();
        all[dim] = first.map(|_| last);
        let ty = Tensor { sizes: Some(all), ..whole };
        Some(Growing { index, before, cat, grown, part, dim, start, first, more, turns, ty, unknown })
    }

    /// Whether parts are as large as what the first turn finds, where types do not say it.
    fn is_alike(&self, symbols: Option<&Symbols<'c, 'a, '_>>) -> bool {
        let sizes = |v| symbols.and_then(|symbols| symbols.meta(v).sizes());
        let same = |d: &usize| {
            let size = |v| sizes(v)?.get(*d).copied();
            size(self.start).zip(size(self.part)).is_some_and(|(a, b)| a.same(b))
        };
        self.unknown.iter().all(same)
    }

    /// The whole tensor in front of the loop, which begins with what the first turn finds, and how long that is.
    fn space(
        &self,
        op: OperationRef<'c, 'a>,
        ty: (Type<'c>, &ScriptType),
        rewriter: &mut Rewriter<'c>,
    ) -> Result<(Value<'c, 'a>, Value<'c, 'a>), Failure> {
        let (at, location) = (Builder::before(op), self.cat.location());
        let mut front = Space { at, location, like: self.part, rewriter };
        let length = front.extent(self.first.map_or(Extent::Of(self.start, self.dim), Extent::Known))?;
        let mut extents = Vec::new();
        for (d, size) in self.ty.sizes.iter().flatten().enumerate() {
            extents.push(match size {
                Some(n) => Extent::Known(*n),
                None if d != self.dim => Extent::Of(self.start, d),
                None => {
                    let more = front.number(self.turns.saturating_mul(self.more))?;
                    Extent::Value(front.integer("aten::add", &[length, more])?)
                }
            });
        }
        let space = front.empty(&extents, self.ty.dtype, ty)?;
        if self.first == Some(0) {
            return Ok((space, length));
        }
        let (dim, zero, one) = (front.number(self.dim as i64)?, front.number(0)?, front.number(1)?);
        let operands = [space, self.start, dim, zero, length, one];
        Ok((front.made("aten::slice_scatter", &operands, ty)?, length))
    }

    /// Where the part of a turn begins and ends.
    fn places(
        &self,
        at: &mut Space<'c, 'a, '_>,
        turn: Value<'c, 'a>,
        length: Value<'c, 'a>,
    ) -> Result<[Value<'c, 'a>; 2], Failure> {
        let more = at.number(self.more)?;
        let moved = if self.more == 1 { turn } else { at.integer("aten::mul", &[turn, more])? };
        let first = self.first.map_or(Ok(length), |first| at.number(first))?;
        let start = at.integer("aten::add", &[moved, first])?;
        Ok([start, at.integer("aten::add", &[start, more])?])
    }

    /// The first so many elements of the whole tensor, with the type of the value in whose place they are.
    fn part_until(
        &self,
        at: &mut Space<'c, 'a, '_>,
        whole: Value<'c, 'a>,
        end: Value<'c, 'a>,
        like: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let (dim, zero, one) = (at.number(self.dim as i64)?, at.number(0)?, at.number(1)?);
        at.made("aten::slice", &[whole, dim, zero, end, one], (like.r#type(), &script_type(like)))
    }
}
