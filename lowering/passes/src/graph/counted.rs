//! Loops whose turns are counted: which never end early.

use super::{constant, inputs, int, made_by, passed};
use sconce_analysis::Tensor;
use sconce_analysis::operators::kind;
use sconce_ir::prelude::*;
use sconce_tensor::IValue;

/// A loop that makes as many turns as its first operand says: more than one, or a number that is not known.
pub(crate) struct Counted<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub body: BlockRef<'c, 'a>,
    pub turns: Option<i64>,
    /// The same as a value.
    pub count: Value<'c, 'a>,
    /// The tensor whose slices along its first dimension are counted.
    pub along: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Counted<'c, 'a> {
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let always = |v: Value<'c, 'a>| matches!(constant(v), Some(IValue::Bool(true)));
        let body = op.body(0).filter(|_| op.is("torch.prim.Loop"))?;
        let operands = op.operand_values();
        let goes_on = always(*operands.get(1)?) && passed(body).first().copied().is_some_and(always);
        let (turns, along) = (int(operands[0]), slices_counted(operands[0]));
        let several = turns.is_none_or(|n| n > 1);
        (goes_on && several).then_some(Counted { op, body, turns, count: operands[0], along })
    }

    /// Whether a value is there before the loop.
    pub fn is_before(&self, value: Value<'c, 'a>) -> bool {
        let block = value.defining_op().and_then(OpExt::block_ref).or_else(|| Some(value.block_argument()?.0));
        let outer = std::iter::successors(block, |block| block.parent_op()?.block_ref());
        !outer.into_iter().any(|block| block == self.body)
    }
}

/// The tensor of whose slices along its first dimension a list is.
fn unbound<'c: 'a, 'a>(list: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    match inputs(made_by(list, "aten.unbind")?)[..] {
        [whole, dim] if int(dim) == Some(0) => Some(whole),
        _ => None,
    }
}

/// The tensor whose slices along its first dimension a number counts.
fn slices_counted<'c: 'a, 'a>(number: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let op = number.defining_op()?;
    match (kind(op), &inputs(op)[..]) {
        ("aten.size", [whole, dim]) if int(*dim) == Some(0) => Some(*whole),
        ("aten.len", [list]) if Tensor::of(list.r#type()).is_some() => Some(*list),
        ("aten.len", [list]) => unbound(*list),
        _ => None,
    }
}
