//! A loop over numbers is the interpreter's as a whole: it has no result that could be placed, and the interpreter keeps numbers without tags.

use crate::module::Builder;
use crate::plan::holds;
use sconce_interpreter::liveness::{self, Set};
use sconce_interpreter::program::{Function, Instruction, Op, Operand, Parameter, Pc, Register};
use sconce_interpreter::register_types;
use sconce_schema::Type;

/// A loop from the instruction that leaves it up to the one that it leaves to.
pub(crate) struct NumberLoop {
    pub start: Pc,
    pub end: Pc,
    /// Takes `inputs`, gives `outputs`.
    pub function: Function,
    pub inputs: Box<[Register]>,
    pub outputs: Box<[Register]>,
}

/// The outermost loops of a function that compute nothing but numbers.
pub(crate) fn number_loops(builder: &Builder<'_>, f: &Function) -> Vec<NumberLoop> {
    let mut found: Vec<(Pc, Pc)> = Vec::new();
    for (pc, i) in (0..).zip(&f.code) {
        if let Op::LoopUnless(end) = i.op
            && found.last().is_none_or(|(_, last)| pc >= *last)
            && is_number_loop(builder, f, pc, end)
        {
            found.push((pc, end));
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    let blocks = liveness::blocks(f);
    let block = |pc: Pc| blocks.binary_search_by_key(&(pc as usize), |b| b.start).ok();
    let live = |pc: Pc| Some(&blocks[block(pc)?].live_in[..]);
    let types = register_types(&builder.program, f);
    let outlined = |(start, end)| outlined(f, start, end, live(start)?, live(end)?, &types);
    found.into_iter().filter_map(outlined).collect()
}

/// Whether these instructions are a loop that is entered at its head, ends only where its head says, and touches no tensor.
fn is_number_loop(builder: &Builder<'_>, f: &Function, start: Pc, end: Pc) -> bool {
    let Some(body) = f.code.get(start as usize..end as usize).filter(|_| (end as usize) < f.code.len()) else {
        return false;
    };
    let inside = |pc: Pc| pc > start && pc < end;
    let stays = |i: &Instruction| i.op.target().is_none_or(|t| t == start || inside(t) || t == end);
    let is_entered = |(pc, i): (Pc, &Instruction)| !(start..end).contains(&pc) && i.op.target().is_some_and(inside);
    body.last().is_some_and(|i| i.op == Op::Jump(start))
        && body.iter().all(|i| stays(i) && is_of_numbers(builder, i.op))
        && !(0..).zip(&f.code).any(is_entered)
}

fn is_of_numbers(builder: &Builder<'_>, op: Op) -> bool {
    match op {
        Op::Call(o) => builder.bound(o).is_some_and(|bound| {
            let schema = bound.entry().schema();
            let arguments = schema.arguments.iter().map(|a| &a.ty);
            !arguments.chain(schema.returns.iter().map(|r| &r.ty)).any(holds)
        }),
        Op::Jump(_) | Op::JumpUnless(_) | Op::LoopUnless(_) | Op::Next | Op::Move | Op::Drop => true,
        Op::Constant(_) | Op::Uninitialized | Op::Raise | Op::IsInstance(_) | Op::UncheckedCast(_) => true,
        _ => false,
    }
}

/// The loop as a function over the same registers: what lives at its head comes in, what it writes and lives behind it goes out. Constants that nobody else writes are
/// made inside, so that they are known there.
fn outlined(
    f: &Function,
    start: Pc,
    end: Pc,
    before: &[Register],
    behind: &[Register],
    types: &[Option<Type>],
) -> Option<NumberLoop> {
    let body = f.code.get(start as usize..end as usize)?;
    let mut touched = Set::new(f.registers as usize);
    let mut written = Set::new(f.registers as usize);
    for i in body {
        f.inputs(i).iter().for_each(|o| touched.insert(o.register()));
        f.outputs(i).iter().for_each(|r| written.insert(*r));
    }
    touched.add(&written);
    let mut constants = vec![None; f.registers as usize];
    let mut writers = vec![0u32; f.registers as usize];
    for i in &f.code {
        for r in f.outputs(i) {
            writers[*r as usize] += 1;
            constants[*r as usize] = if let Op::Constant(_) = i.op { Some(i.op) } else { None };
        }
    }
    let constant = |r: Register| constants[r as usize].filter(|_| writers[r as usize] == 1);
    let (known, inputs): (Vec<Register>, Vec<Register>) =
        before.iter().copied().filter(|r| touched.contains(*r)).partition(|r| constant(*r).is_some());
    let outputs: Box<[Register]> = behind.iter().copied().filter(|r| written.contains(*r)).collect();
    let ty = |r: &Register| types.get(*r as usize).cloned().flatten().unwrap_or(Type::Any);
    let mut function = Function {
        name: f.name.clone(),
        registers: f.registers,
        value_names: f.value_names.clone(),
        parameters: inputs.iter().map(|r| Parameter::new(format!("{r}"), ty(r))).collect(),
        results: outputs.iter().map(ty).collect(),
        ..Function::default()
    };
    function.push(Op::Load, inputs.iter().copied(), [], None);
    for r in known {
        function.push(constant(r)?, [r], [], None);
    }
    let first = function.code.len() as Pc;
    for (i, place) in body.iter().zip(f.places.get(start as usize..)?) {
        let pc = function.push(i.op, f.outputs(i).iter().copied(), f.inputs(i).iter().copied(), *place);
        if let Some(target) = i.op.target() {
            function.set_target(pc, target - start + first);
        }
    }
    function.push(Op::Store, [], outputs.iter().map(|r| Operand::moved(*r)), None);
    Some(NumberLoop { start, end, function, inputs: inputs.into(), outputs })
}
