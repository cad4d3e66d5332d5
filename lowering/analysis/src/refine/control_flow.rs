//! What branches and loops give has the type that all their ways have in common, whatever way is taken and how often.

use super::{Metas, cast_before, meta_of_type, set_tensor_type};
use crate::operators::{kind, source};
use crate::types::Tensor;
use sconce_ir::{BlockExt, BlockRef, Error, OpExt, OperationRef, RegionExt, Value, ValueExt, ValueLike};
use sconce_schema::shape::{Meta, Size, TensorMeta};

/// Turns of a loop that are followed until what is known before a turn is known after it: what a turn takes away is a dtype, a rank or a size of a tensor,
/// and nearly always in the first.
const TURNS: usize = 4;
/// Loops within loops that are followed: each is for every turn of those around it.
const NESTED: usize = 3;

/// What is known of a tensor that is one of two.
fn either(a: &TensorMeta, b: &TensorMeta) -> TensorMeta {
    let sizes = a.sizes.as_ref().zip(b.sizes.as_ref()).filter(|(a, b)| a.len() == b.len());
    let size = |(a, b): (&Size, &Size)| match (a, b) {
        (Size::Known(a), Size::Known(b)) if a == b => Size::Known(*a),
        _ => Size::Unknown,
    };
    TensorMeta {
        dtype: a.dtype.filter(|dtype| b.dtype == Some(*dtype)),
        sizes: sizes.map(|(a, b)| a.iter().zip(b).map(size).collect()),
        device: None,
        wrapped_number: false,
    }
}

/// What is known of a value that is one of two; nothing is known of one that is not made on the way at hand.
pub(super) fn join(a: Option<Meta>, b: Option<Meta>) -> Option<Meta> {
    match (a, b) {
        (None, known) | (known, None) => known,
        (Some(Meta::Tensor(a)), Some(Meta::Tensor(b))) => Some(Meta::Tensor(either(&a, &b))),
        _ => Some(Meta::Unknown),
    }
}

/// Values that a block passes on.
fn passed<'c, 'a>(block: BlockRef<'c, 'a>) -> Option<(OperationRef<'c, 'a>, usize)> {
    let end = block.ops().into_iter().last()?;
    match end.op_name() {
        "torch.prim.If.yield" => Some((end, 0)),
        "torch.prim.Loop.condition" => Some((end, 1)),
        _ => None,
    }
}

fn only_block<'c, 'a>(op: OperationRef<'c, 'a>, region: usize) -> Option<BlockRef<'c, 'a>> {
    op.region_refs().get(region)?.blocks().first().copied()
}

impl Metas {
    /// What is known of a value that a block passes on; nothing of one that is never made, since an error comes first.
    fn passes_on(&self, v: Value<'_, '_>) -> Option<Meta> {
        let v = source(v);
        let is_never_made = v.defining_op().is_some_and(|op| kind(op) == "prim.Uninitialized");
        if is_never_made { None } else { Some(self.meta(v)) }
    }

    /// What is known of what a block passes on, and of all that is in it, under what is assumed of its arguments.
    fn follow(&self, block: BlockRef<'_, '_>, nested: usize) -> Vec<Option<Meta>> {
        for op in block.ops() {
            let metas = match op.op_name() {
                "torch.prim.If" => self.follow_branches(op, nested),
                "torch.prim.Loop" if nested < NESTED => self.follow_loop(op, nested + 1),
                _ if !op.region_refs().is_empty() => continue,
                _ => self.results(op).unwrap_or_default().into_iter().map(Some).collect(),
            };
            for (v, meta) in op.result_values().into_iter().zip(metas) {
                if let Some(Meta::Tensor(meta)) = meta {
                    self.assume(v, &meta);
                }
            }
        }
        let Some((end, first)) = passed(block) else { return Vec::new() };
        end.operand_values().into_iter().skip(first).map(|v| self.passes_on(v)).collect()
    }

    /// Both ways of a branch.
    fn follow_branches(&self, op: OperationRef<'_, '_>, nested: usize) -> Vec<Option<Meta>> {
        let [a, b] = [0, 1].map(|way| only_block(op, way).map(|block| self.follow(block, nested)));
        a.unwrap_or_default().into_iter().zip(b.unwrap_or_default()).map(|(a, b)| join(a, b)).collect()
    }

    /// What is known of what a loop carries, before its first turn and after each.
    fn follow_loop(&self, op: OperationRef<'_, '_>, nested: usize) -> Vec<Option<Meta>> {
        let carried = || op.operand_values().into_iter().skip(2);
        let Some(block) = only_block(op, 0) else { return Vec::new() };
        let mut known: Vec<Option<Meta>> = carried().map(|v| self.passes_on(v)).collect();
        let arguments = || block.args().into_iter().skip(1);
        let assume = |known: &[Option<Meta>]| {
            for (v, meta) in arguments().zip(known) {
                match meta {
                    Some(Meta::Tensor(meta)) => self.assume(v, meta),
                    _ => self.forget(v),
                }
            }
        };
        for _ in 0..TURNS {
            assume(&known);
            let turn = self.follow(block, nested);
            let next: Vec<Option<Meta>> = known.iter().cloned().zip(turn).map(|(a, b)| join(a, b)).collect();
            if next == known {
                return known;
            }
            known = next;
            // What follows from what was assumed does not hold.
            self.forget_block(block);
        }
        let nothing = vec![None; known.len()];
        assume(&nothing);
        known.iter().map(|_| Some(Meta::Unknown)).collect()
    }

    /// Takes back what was worked out of a block.
    fn forget_block(&self, block: BlockRef<'_, '_>) {
        block.args().into_iter().for_each(|v| self.forget(v));
        for op in block.ops() {
            op.result_values().into_iter().for_each(|v| self.forget(v));
            for region in op.region_refs() {
                region.blocks().into_iter().for_each(|inner| self.forget_block(inner));
            }
        }
    }

    /// What a tensor's type says, with what is known besides; its sizes where both say them.
    fn assume(&self, v: Value<'_, '_>, known: &TensorMeta) {
        let Meta::Tensor(mut meta) = meta_of_type(v) else { return };
        meta.dtype = known.dtype.or(meta.dtype);
        meta.sizes = match (known.sizes.clone(), meta.sizes) {
            (Some(known), Some(typed)) if known.len() == typed.len() => {
                let size = |(k, t): (&Size, &Size)| if matches!(k, Size::Known(_)) { k.clone() } else { t.clone() };
                Some(known.iter().zip(&typed).map(size).collect())
            }
            (known, typed) => known.or(typed),
        };
        self.assumed.borrow_mut().insert(v.id(), meta);
    }

    fn forget(&self, v: Value<'_, '_>) {
        self.assumed.borrow_mut().remove(&v.id());
        self.known.borrow_mut().remove(&v.id());
    }
}

/// Gives the results of a branch, whose blocks have their types, what both ways have in common.
pub(super) fn refine_branch(op: OperationRef<'_, '_>, known: &Metas) -> Result<bool, Error> {
    let ends: Vec<_> = (0..2).filter_map(|way| passed(only_block(op, way)?)).map(|(end, _)| end).collect();
    let [a, b] = ends[..] else { return Ok(false) };
    let ways = a.operand_values().into_iter().zip(b.operand_values());
    let metas = ways.map(|(a, b)| join(known.passes_on(a), known.passes_on(b)));
    let mut changed = false;
    for (at, meta) in metas.enumerate().collect::<Vec<_>>() {
        let (Some(Meta::Tensor(meta)), Some(result)) = (meta, op.result_value(at)) else { continue };
        if !says_more(result, &meta)? {
            continue;
        }
        changed = true;
        for end in [a, b] {
            cast_before(end, at, result.r#type())?;
        }
    }
    Ok(changed)
}

/// Gives what a loop carries the types that it has in every turn.
pub(super) fn refine_loop(op: OperationRef<'_, '_>, known: &Metas) -> Result<bool, Error> {
    let Some(block) = only_block(op, 0) else { return Ok(false) };
    let Some((end, first)) = passed(block) else { return Ok(false) };
    let metas = known.follow_loop(op, 0);
    known.forget_block(block);
    let mut changed = false;
    for (at, meta) in metas.into_iter().enumerate() {
        let values = op.result_value(at).zip(block.args().get(at + 1).copied());
        let (Some(Meta::Tensor(meta)), Some((result, argument))) = (meta, values) else { continue };
        if argument.r#type() != result.r#type() || !says_more(argument, &meta)? {
            continue;
        }
        changed = true;
        Tensor::of(argument.r#type()).map_or(Ok(false), |ty| set_tensor_type(result, &ty))?;
        cast_before(op, at + 2, argument.r#type())?;
        cast_before(end, at + first, argument.r#type())?;
    }
    Ok(changed)
}

/// Gives a value a type that says this too.
fn says_more(v: Value<'_, '_>, known: &TensorMeta) -> Result<bool, Error> {
    let Some(have) = Tensor::of(v.r#type()) else { return Ok(false) };
    set_tensor_type(v, &super::refined(&have, known))
}
