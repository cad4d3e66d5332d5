//! `refine-integer-values`: where an integer was compared with a constant and found equal, it is that constant.
//!
//! That holds in the branch that the comparison leads to, and behind a branch whose other side always raises. `not`, and the branches that `and` and `or` are, are seen
//! through.

use crate::graph::{Rewriter, block_ops, each_function, inner_blocks, inputs, int, passed, root_block, script_type};
use rustc_hash::FxHashMap;
use sconce_analysis::operators::{is_silent, kind, source};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun, fuel};
use sconce_schema::Type as ScriptType;
use sconce_tensor::IValue;

/// The pass `refine-integer-values`.
pub struct RefineIntegerValues;

impl Pass for RefineIntegerValues {
    const NAME: &'static str = "refine-integer-values";
    const DESCRIPTION: &'static str = "Make constants of integers where a comparison says what they are";
    const PYTORCH: &'static str = "`RefineIntegerValues`";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let mut rewriter = Rewriter::new(function.context_ref());
            root_block(function).map_or(Ok(()), |block| refine(&mut rewriter, block, &Facts::default()))
        })
    }
}

/// Values that are known to be these integers, by [`ValueExt::id`].
type Facts = FxHashMap<usize, i64>;

/// What holds where a condition is true, and where it is not.
#[derive(Clone, Default)]
struct Sides {
    yes: Facts,
    no: Facts,
}

impl Sides {
    fn of(condition: Value<'_, '_>) -> Sides {
        let Some(op) = source(condition).defining_op() else { return Sides::default() };
        match (kind(op), &inputs(op)[..]) {
            (kind @ ("aten.eq" | "aten.ne"), [a, b]) => {
                let is_int = |v: &Value<'_, '_>| script_type(*v) == ScriptType::Int && int(*v).is_none();
                let fact = int(*b).map(|n| (*a, n)).or_else(|| int(*a).map(|n| (*b, n)));
                let facts: Facts = fact.filter(|(v, _)| is_int(v)).map(|(v, n)| (v.id(), n)).into_iter().collect();
                let (yes, no) = if kind == "aten.eq" { (facts, Facts::default()) } else { (Facts::default(), facts) };
                Sides { yes, no }
            }
            ("aten.__not__", [of]) => {
                let Sides { yes, no } = Sides::of(*of);
                Sides { yes: no, no: yes }
            }
            ("prim.If", [of]) => Sides::of_branch(op, *of, condition).unwrap_or_default(),
            _ => Sides::default(),
        }
    }

    /// `a and b` is `b if a else False`, `a or b` is `True if a else b`.
    fn of_branch(op: OperationRef<'_, '_>, first: Value<'_, '_>, result: Value<'_, '_>) -> Option<Sides> {
        let at = source(result).result_index()?;
        let [yes, no] = inner_blocks(op)[..] else { return None };
        let (then, other) = (passed(yes).get(at).copied()?, passed(no).get(at).copied()?);
        let is = |v, wanted| matches!(crate::graph::constant(v), Some(IValue::Bool(b)) if b == wanted);
        let both = |mut a: Facts, b: Facts| {
            a.extend(b);
            a
        };
        let first = Sides::of(first);
        if is(other, false) {
            Some(Sides { yes: both(first.yes, Sides::of(then).yes), no: Facts::default() })
        } else if is(then, true) {
            Some(Sides { yes: Facts::default(), no: both(first.no, Sides::of(other).no) })
        } else {
            None
        }
    }
}

fn refine<'c: 'a, 'a>(rewriter: &mut Rewriter<'c>, block: BlockRef<'c, 'a>, known: &Facts) -> PassResult {
    let mut known = known.clone();
    for op in block_ops(block).into_iter().filter(|op| !is_silent(*op)) {
        let condition = op.operand_value(0).filter(|_| op.is("torch.prim.If"));
        let sides = condition.map(Sides::of).unwrap_or_default();
        put_constants(rewriter, op, &known)?;
        for (at, inner) in inner_blocks(op).into_iter().enumerate() {
            let mut inside = known.clone();
            if condition.is_some() {
                inside.extend(if at == 0 { &sides.yes } else { &sides.no });
            }
            refine(rewriter, inner, &inside)?;
        }
        if let ([yes, no], true) = (&inner_blocks(op)[..], condition.is_some()) {
            if raises(*yes) {
                known.extend(&sides.no);
            } else if raises(*no) {
                known.extend(&sides.yes);
            }
        }
    }
    block.terminator_op().map_or(Ok(()), |end| put_constants(rewriter, end, &known))
}

/// Does a block never come to its end?
fn raises(block: BlockRef<'_, '_>) -> bool {
    block_ops(block).into_iter().any(|op| kind(op) == "prim.RaiseException")
}

/// An operation uses constants in the place of values that are known to be them, each value's own.
fn put_constants<'c: 'a, 'a>(rewriter: &mut Rewriter<'c>, op: OperationRef<'c, 'a>, known: &Facts) -> PassResult {
    let mut made: FxHashMap<usize, Value<'c, 'a>> = FxHashMap::default();
    for (at, operand) in op.operand_values().into_iter().enumerate() {
        let Some(n) = known.get(&operand.id()) else { continue };
        if !fuel::spend("integer", op) {
            continue;
        }
        let constant = match made.get(&operand.id()) {
            Some(constant) => *constant,
            None => {
                let made = rewriter.constant(&Builder::before(op), &IValue::Int(*n), &ScriptType::Int, operand)?;
                made.ok_or_else(|| Failure::new("an integer is no constant of the dialect"))?
            }
        };
        made.insert(operand.id(), constant);
        op.set_operand_value(at, constant);
    }
    Ok(())
}
