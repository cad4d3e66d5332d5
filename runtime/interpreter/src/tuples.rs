//! Tuples of plain numbers that never leave a function are taken apart: each item is a register of its own, and nothing is built.

use crate::infer::{Known, constants, item};
use crate::program::{Function, Instruction, Op, Operand, Program, Register};
use sconce_kernels::direct::Kind;
use sconce_schema::Type;

/// Rewrites the function where it can; the code stays as long as it is. Whether anything changed.
pub(crate) fn take_apart(program: &Program, f: &mut Function, known: &[Known]) -> bool {
    let mut items: Vec<u32> = known.iter().map(plain_items).collect();
    if items.iter().all(|n| *n == 0) {
        return false;
    }
    let constants = constants(f);
    // A tuple that meets anything else stays whole, and so does what it is moved to or from.
    loop {
        let mut whole: Vec<Register> = Vec::new();
        for i in &f.code {
            stays(program, f, i, &items, &constants, |r| whole.push(r));
        }
        let before = whole.len();
        whole.retain(|r| items[*r as usize] > 0);
        if before == 0 || whole.is_empty() {
            break;
        }
        whole.iter().for_each(|r| items[*r as usize] = 0);
    }
    if items.iter().all(|n| *n == 0) {
        return false;
    }
    let mut first = vec![0; items.len()];
    let mut registers = f.registers;
    for (r, n) in items.iter().enumerate() {
        first[r] = registers;
        registers += n;
    }
    let mut out = Function { registers, operands: Vec::new(), outputs: Vec::new(), ..f.clone() };
    out.value_names.clear();
    let apart = |r: Register| (items[r as usize] > 0).then(|| first[r as usize]..first[r as usize] + items[r as usize]);
    for (pc, i) in f.code.iter().enumerate() {
        let (inputs, outputs) = (f.inputs(i), f.outputs(i));
        let same = |o: &Operand, r: Register| if o.is_move() { Operand::moved(r) } else { Operand::copy(r) };
        let (mut op, mut ins, mut outs) = (i.op, inputs.to_vec(), outputs.to_vec());
        match i.op {
            Op::Constant(_) => {
                if let Some(parts) = apart(outputs[0]) {
                    outs = parts.collect();
                }
            }
            Op::TupleConstruct => {
                if let Some(parts) = apart(outputs[0]) {
                    (op, outs) = (Op::Move, parts.collect());
                }
            }
            Op::TupleUnpack => {
                if let Some(parts) = apart(inputs[0].register()) {
                    (op, ins) = (Op::Move, parts.map(|r| same(&inputs[0], r)).collect());
                }
            }
            Op::TupleIndex => {
                let at = constants[inputs[1].register() as usize];
                let at = item(program, at, items[inputs[0].register() as usize]);
                if let (Some(parts), Some(at)) = (apart(inputs[0].register()), at) {
                    (op, ins) = (Op::Move, vec![Operand::copy(parts.start + at)]);
                }
            }
            Op::Move if inputs.len() == 1 && apart(inputs[0].register()).is_none() && apart(outputs[0]).is_some() => {
                (op, outs) = (Op::TupleUnpack, apart(outputs[0]).into_iter().flatten().collect());
            }
            Op::Move if inputs.len() == 1 && apart(inputs[0].register()).is_some() && apart(outputs[0]).is_none() => {
                (op, ins) = (
                    Op::TupleConstruct,
                    apart(inputs[0].register()).into_iter().flatten().map(Operand::copy).collect(),
                );
            }
            Op::Move | Op::Drop => {
                let parts = |r: Register| apart(r).map_or_else(|| vec![r], Iterator::collect);
                ins = inputs.iter().flat_map(|o| parts(o.register()).into_iter().map(|r| same(o, r))).collect();
                outs = outputs.iter().flat_map(|r| parts(*r)).collect();
            }
            _ => {}
        }
        let at = (out.operands.len() as u32, out.outputs.len() as u32);
        out.operands.extend(ins);
        out.outputs.extend(outs);
        let ends = (out.operands.len() as u32, out.outputs.len() as u32);
        out.code[pc] = Instruction { op, inputs: (at.0, ends.0), outputs: (at.1, ends.1) };
    }
    *f = out;
    true
}

/// The number of items of a tuple of plain numbers; 0 for everything else.
fn plain_items(known: &Known) -> u32 {
    match known {
        Known::Is(Type::Tuple(items)) if items.iter().all(|t| Kind::of(t).is_some()) => items.len() as u32,
        _ => 0,
    }
}

/// Names the registers of an instruction that must stay whole tuples for it.
fn stays(
    program: &Program,
    f: &Function,
    i: &Instruction,
    items: &[u32],
    constants: &[Option<u32>],
    mut whole: impl FnMut(Register),
) {
    let (inputs, outputs) = (f.inputs(i), f.outputs(i));
    let n = |r: Register| items[r as usize];
    match i.op {
        Op::TupleConstruct => {
            inputs.iter().for_each(|o| whole(o.register()));
            if n(outputs[0]) as usize != inputs.len() {
                whole(outputs[0]);
            }
        }
        Op::TupleUnpack => {
            outputs.iter().for_each(|r| whole(*r));
            if n(inputs[0].register()) as usize != outputs.len() {
                whole(inputs[0].register());
            }
        }
        Op::TupleIndex => {
            whole(outputs[0]);
            whole(inputs[1].register());
            if item(program, constants[inputs[1].register() as usize], n(inputs[0].register())).is_none() {
                whole(inputs[0].register());
            }
        }
        // A constant gives each of its items, if it has several: of one, it could not be told from the item.
        Op::Constant(_) => {
            if n(outputs[0]) == 1 {
                whole(outputs[0]);
            }
        }
        // One tuple that is moved to or from a whole one is built or unpacked there.
        Op::Move if inputs.len() == 1 && (n(outputs[0]) == 0 || n(inputs[0].register()) == 0) => {}
        Op::Move => {
            for (r, o) in outputs.iter().zip(inputs) {
                if n(*r) != n(o.register()) {
                    whole(*r);
                    whole(o.register());
                }
            }
        }
        Op::Drop => {}
        _ => {
            inputs.iter().for_each(|o| whole(o.register()));
            outputs.iter().for_each(|r| whole(*r));
        }
    }
}
