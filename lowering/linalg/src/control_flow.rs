//! Branches and loops of plain numbers as `scf.if` and `scf.while`: everything inside gives numbers, so that a turn of the loop is a few instructions.
//!
//! A loop asks the runtime now and then whether it may go on ([`TURNS`]): fuel and cancelling work as in the interpreter.

use crate::Error;
use crate::convert::{Scope, lower_op, makes_constant};
use crate::emit::{Body, Emit, V};
use crate::lower::{Item, Lower};
use crate::numbers::{Number, dtype_of};
use sconce_exec::calls::{TURNS, TURNS_AT_ONCE};
use sconce_ir::{
    BlockExt, BlockRef, OpExt, OperationLike, OperationRef, RegionExt, Type, Value, ValueExt, ValueLike, attr,
};
use sconce_schema::DType;
use sconce_torch::types::spelled;
use std::cell::RefCell;

/// The kind of the operation that stands for a value which nobody has set, and nobody reads before somebody does.
pub const UNINITIALIZED: &str = "prim.Uninitialized";

/// Any number, in place of one that nobody has set.
pub fn unset<'c>(l: &Lower<'c>, ty: Type<'c>) -> Result<Item<'c>, Error> {
    let dtype = number_dtype(ty)?;
    let t = l.element(dtype)?;
    Ok(Number { value: l.e.constant(0., t)?, dtype }.item())
}

/// Whether it is a branch or a loop.
pub fn is_control_flow(op: OperationRef<'_, '_>) -> bool {
    op.is("torch.prim.If") || op.is("torch.prim.Loop")
}

/// Values of outside that the operation uses, in its blocks too.
pub fn used_values<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut used = op.operand_values();
    let mut inside = Vec::new();
    let mut work: Vec<BlockRef<'c, 'a>> = op.region_refs().into_iter().flat_map(|region| region.blocks()).collect();
    while let Some(block) = work.pop() {
        inside.extend(block.args());
        for op in block.ops() {
            used.extend(op.operand_values());
            inside.extend(op.result_values());
            work.extend(op.region_refs().into_iter().flat_map(|region| region.blocks()));
        }
    }
    let mut seen: Vec<Value<'c, 'a>> = Vec::new();
    used.retain(|v| {
        let is_new = !inside.contains(v) && !seen.contains(v);
        if is_new {
            seen.push(*v);
        }
        is_new
    });
    used
}

/// What a value of outside is.
type Outside<'o, 'c, 'a> = dyn Fn(Value<'c, 'a>) -> Option<Item<'c>> + 'o;

/// Lowers a branch or a loop whose results are plain numbers.
pub fn lower<'c, 'a>(
    l: &mut Lower<'c>,
    op: OperationRef<'c, 'a>,
    outside: &Outside<'_, 'c, 'a>,
) -> Result<Vec<Item<'c>>, Error> {
    let results = op.result_types().into_iter().map(number_dtype).collect::<Result<Vec<_>, _>>()?;
    let types = results.iter().map(|dtype| l.element(*dtype)).collect::<Result<Vec<_>, _>>()?;
    let operands = op.operand_values().into_iter().map(|v| number(l, v, outside)).collect::<Result<Vec<_>, _>>()?;
    let flow = Flow { op, operands, types, outside };
    let values = if op.is("torch.prim.If") { flow.branch(l)? } else { flow.turns(l)? };
    Ok(values.into_iter().zip(results).map(|(value, dtype)| Number { value, dtype }.item()).collect())
}

/// A branch or a loop that is lowered.
struct Flow<'o, 'c, 'a> {
    op: OperationRef<'c, 'a>,
    operands: Vec<V<'c>>,
    /// Of its results.
    types: Vec<Type<'c>>,
    outside: &'o Outside<'o, 'c, 'a>,
}

fn number_dtype(ty: Type<'_>) -> Result<DType, Error> {
    dtype_of(ty).ok_or_else(|| Error::Unsupported(format!("it gives a value of type {}", spelled(ty))))
}

fn number<'c, 'a>(l: &Lower<'c>, v: Value<'c, 'a>, outside: &Outside<'_, 'c, 'a>) -> Result<V<'c>, Error> {
    let item = outside(v).or_else(|| sconce_analysis::constant(v).map(Item::Constant));
    let number = item.map(|item| Number::of(l, &item)).transpose()?.flatten();
    number.map(|n| n.value).ok_or_else(|| Error::Unsupported(format!("a value of type {}", spelled(v.r#type()))))
}

impl<'c, 'a> Flow<'_, 'c, 'a> {
    /// Lowers the operations of block `i` into another, and gives what its terminator passes on.
    fn block(&self, l: &mut Lower<'c>, e: &Emit<'c>, i: usize, arguments: &[V<'c>]) -> Result<Vec<V<'c>>, Error> {
        let block = self.op.body(i).ok_or_else(|| Error::Unsupported("a branch or loop without a block".into()))?;
        let around = std::mem::replace(&mut l.e, *e);
        let made = self.operations(l, block, arguments);
        l.e = around;
        made
    }

    fn operations(&self, l: &mut Lower<'c>, block: BlockRef<'c, 'a>, arguments: &[V<'c>]) -> Result<Vec<V<'c>>, Error> {
        let mut scope = Scope::new();
        for (argument, value) in block.args().into_iter().zip(arguments) {
            let dtype = number_dtype(argument.r#type())?;
            scope.insert(argument.id(), Number { value: *value, dtype }.item());
        }
        for op in block.ops() {
            let known = |v: Value<'c, 'a>| scope.get(&v.id()).cloned().or_else(|| (self.outside)(v));
            if op.is_terminator() {
                return op.operand_values().into_iter().map(|v| number(l, v, &known)).collect();
            }
            if !makes_constant(op) {
                op.result_types().into_iter().try_for_each(|t| number_dtype(t).map(|_| ()))?;
            }
            l.e.location = op.location();
            let items = lower_op(l, op, &known)?;
            scope.extend(op.result_values().into_iter().map(ValueExt::id).zip(items));
        }
        Error::unsupported("a block without terminator")
    }

    fn branch(&self, l: &mut Lower<'c>) -> Result<Vec<V<'c>>, Error> {
        let [condition] = self.operands[..] else { return Error::unsupported("a branch by other than one value") };
        let (e, l) = (l.e, RefCell::new(l));
        let arm = |i: usize| {
            let l = &l;
            move |e: &Emit<'c>, _: &[V<'c>]| {
                let made = self.block(&mut l.borrow_mut(), e, i, &[])?;
                e.op("scf.yield", &made, &[], &[]).map(|_| ())
            }
        };
        let bodies = &mut [
            Body { arguments: Vec::new(), build: &mut arm(0) },
            Body { arguments: Vec::new(), build: &mut arm(1) },
        ];
        Ok(e.with_regions("scf.if", &[condition], &self.types, &[], bodies)?.result_values())
    }

    /// `(i, goes on, carried…)` from turn to turn, while it goes on and `i` is below the number of turns.
    fn turns(&self, l: &mut Lower<'c>) -> Result<Vec<V<'c>>, Error> {
        let Some((most, start)) = self.operands.split_first().filter(|(_, start)| !start.is_empty()) else {
            return Error::unsupported("a loop without operands");
        };
        let (e, word, truth) = (l.e, l.element(DType::I64)?, l.element(DType::Bool)?);
        let all: Vec<Type<'c>> = [word, truth].iter().chain(&self.types).copied().collect();
        let start: Vec<V<'c>> = [e.int(0, word)?].iter().chain(start).copied().collect();
        l.asks_for_turns = true;
        l.only_on_processor = true;
        let mut before = |e: &Emit<'c>, a: &[V<'c>]| {
            let below = e.cmpi("slt", a[0], *most)?;
            let more = may_go_on(e, a[0], e.same("arith.andi", &[below, a[1]])?)?;
            let passed: Vec<V<'c>> = [more].iter().chain(a).copied().collect();
            e.op("scf.condition", &passed, &[], &[]).map(|_| ())
        };
        let mut after = |e: &Emit<'c>, a: &[V<'c>]| {
            let arguments: Vec<V<'c>> = a[..1].iter().chain(&a[2..]).copied().collect();
            let made = self.block(l, e, 0, &arguments)?;
            let next = e.same("arith.addi", &[a[0], e.int(1, word)?])?;
            let passed: Vec<V<'c>> = [next].iter().chain(&made).copied().collect();
            e.op("scf.yield", &passed, &[], &[]).map(|_| ())
        };
        let bodies = &mut [
            Body { arguments: all.clone(), build: &mut before },
            Body { arguments: all.clone(), build: &mut after },
        ];
        Ok(e.with_regions("scf.while", &start, &all, &[], bodies)?.result_values().split_off(2))
    }
}

/// Whether the turn is wanted and, once in so many turns, whether the runtime lets the loop go on.
fn may_go_on<'c>(e: &Emit<'c>, turn: V<'c>, wanted: V<'c>) -> Result<V<'c>, Error> {
    let (word, truth) = (turn.r#type(), wanted.r#type());
    let last = e.int(TURNS_AT_ONCE - 1, word)?;
    let asks = e.cmpi("eq", e.same("arith.andi", &[turn, last])?, last)?;
    let asks = e.same("arith.andi", &[asks, wanted])?;
    let mut ask = |e: &Emit<'c>, _: &[V<'c>]| {
        let turns = e.int(TURNS_AT_ONCE, word)?;
        let more = e.one("func.call", &[turns], truth, &[("callee", attr::symbol(e.context, TURNS))])?;
        e.op("scf.yield", &[more], &[], &[]).map(|_| ())
    };
    let mut unasked = |e: &Emit<'c>, _: &[V<'c>]| e.op("scf.yield", &[wanted], &[], &[]).map(|_| ());
    let bodies =
        &mut [Body { arguments: Vec::new(), build: &mut ask }, Body { arguments: Vec::new(), build: &mut unasked }];
    let op = e.with_regions("scf.if", &[asks], &[truth], &[], bodies)?;
    op.result_value(0).ok_or_else(|| Error::Internal("a branch without a result".into()))
}
