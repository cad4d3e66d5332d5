//! A loop whose number of turns is not known becomes one that does several in a turn, and one for those that are left.
//!
//! Where somebody reads the counter both count for themselves, and carry it: a turn of the first is several of the loop's.

use crate::graph::{Rewriter, block_ops, passed, script_type};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, PassResult};
use sconce_schema::Type as ScriptType;
use sconce_tensor::IValue;

/// Puts the two loops in the place of one that ends by its number of turns alone.
pub(super) fn unroll<'c: 'a, 'a>(op: OperationRef<'c, 'a>, factor: i64) -> PassResult {
    let mut rewriter = Rewriter::new(op.context_ref());
    let (at, operands) = (Builder::before(op), op.operand_values());
    let trips = operands[0];
    let counts = op.body(0).is_some_and(|body| body.args().first().is_some_and(|counter| !counter.is_unused()));
    let counter = if counts { Some(number(&mut rewriter, &at, 0, trips)?) } else { None };
    let several = number(&mut rewriter, &at, factor, trips)?;
    let turns = integer(&mut rewriter, &at, "aten::__round_to_zero_floordiv", [trips, several])?;
    let several = number(&mut rewriter, &at, factor, trips)?;
    let done = integer(&mut rewriter, &at, "aten::mul", [turns, several])?;
    let left = integer(&mut rewriter, &at, "aten::sub", [trips, done])?;
    let carried: Vec<_> = counter.into_iter().chain(operands[2..].iter().copied()).collect();
    let first = copy(&mut rewriter, &at, op, (turns, counts), &carried, factor)?;
    let second = copy(&mut rewriter, &at, op, (left, counts), &first.result_values(), 1)?;
    for (old, new) in op.result_values().into_iter().zip(second.result_values().into_iter().skip(usize::from(counts))) {
        old.replace_all_uses_with(new);
    }
    op.erase().map_err(Failure::from)
}

/// The loop with its counter carried in front of what it carries, if it counts, and its body so many times.
fn copy<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    at: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    (trips, counts): (Value<'c, 'a>, bool),
    carried: &[Value<'c, 'a>],
    times: i64,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let context = op.context_ref();
    let body = op.body(0).ok_or_else(|| Failure::new("a loop without a body"))?;
    let old = body.args();
    let operands: Vec<_> = [trips, op.operand_values()[1]].into_iter().chain(carried.iter().copied()).collect();
    let own = usize::from(counts);
    let arguments: Vec<_> =
        (old[..1].iter().chain(&old[..own]).chain(&old[1..])).map(|v| (v.r#type(), v.loc())).collect();
    let results: Vec<_> = carried.iter().take(own).map(|v| v.r#type()).chain(op.result_types()).collect();
    let mut state = OpState::new(op.op_name(), op.location()).operands(&operands).results(&results);
    for (name, value) in op.attrs() {
        state = state.attr(name, if counts { with_counter(context, name, value) } else { value });
    }
    let made = at.insert(state.block_region(&arguments).create()?);
    let block = made.body(0).ok_or_else(|| Failure::new("a loop without a body"))?;
    let (inner, new) = (Builder::at_end(context, block), block.args());
    let (mut counter, mut now) = (new[own], new[1 + own..].to_vec());
    let mut goes_on = op.operand_values()[1];
    for _ in 0..times {
        let given = std::iter::once(counter).chain(now.iter().copied());
        let mut values: Vec<(Value<'c, 'a>, Value<'c, 'a>)> = old.iter().copied().zip(given).collect();
        for op in block_ops(body) {
            let copy = inner.insert(op.clone_with(&values));
            values.extend(op.result_values().into_iter().zip(copy.result_values()));
        }
        let mapped = |v: &Value<'c, 'a>| values.iter().find(|(old, _)| old == v).map_or(*v, |(_, new)| *new);
        let passed = passed(body);
        goes_on = mapped(&passed[0]);
        now = passed[1..].iter().map(mapped).collect();
        if counts {
            let one = number(rewriter, &inner, 1, trips)?;
            counter = integer(rewriter, &inner, "aten::add", [counter, one])?;
        }
    }
    let counter = counts.then_some(counter);
    let passed: Vec<_> = std::iter::once(goes_on).chain(counter).chain(now).collect();
    let end = body.terminator_op().ok_or_else(|| Failure::new("a loop's body without an end"))?;
    inner.op(end.op_name(), end.location()).operands(&passed).build()?;
    Ok(made)
}

/// What is said of types, with nothing to say of the counter.
fn with_counter<'c>(context: &'c Context, name: &str, value: Attribute<'c>) -> Attribute<'c> {
    let nothing = attr::array(context, &[]);
    let put = |value: Attribute<'c>, at: usize| {
        let mut types = attr::array_value(value).unwrap_or_default();
        types.insert(at.min(types.len()), nothing);
        attr::array(context, &types)
    };
    match name {
        "torch.types" => put(value, 0),
        "torch.block_types" => {
            let blocks = attr::array_value(value).unwrap_or_default();
            attr::array(context, &blocks.into_iter().map(|block| put(block, 1)).collect::<Vec<_>>())
        }
        _ => value,
    }
}

/// An integer constant.
pub(super) fn number<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    at: &Builder<'c, 'a>,
    n: i64,
    like: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let made = rewriter.constant(at, &IValue::Int(n), &ScriptType::Int, like)?;
    made.ok_or_else(|| Failure::new("an integer is no constant of the dialect"))
}

/// What an operator of integers gives.
pub(super) fn integer<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    at: &Builder<'c, 'a>,
    kind: &str,
    operands: [Value<'c, 'a>; 2],
) -> Result<Value<'c, 'a>, Failure> {
    let ty = (operands[0].r#type(), &script_type(operands[0]));
    let op = rewriter.node(at, kind, Location::unknown(at.context()), &operands, ty)?;
    op.result_value(0).ok_or_else(|| Failure::new("arithmetic without a result"))
}
