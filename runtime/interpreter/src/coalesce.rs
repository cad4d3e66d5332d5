//! Registers whose values never live at the same time become one, so that a branch or loop finds what it hands on where it belongs.

use crate::liveness::{self, Set};
use crate::program::{Function, Instruction, Op, Operand, Register};

/// Most bits that the table of what lives together may have.
const MAX_TABLE: usize = 1 << 26;

/// Gives one register to the two sides of a move wherever that changes nothing, and then to the result and the first operand of instructions that may pass this on
/// (`passes`), where it is their last. The code stays as long as it is; such moves are from a register to itself. `alike` says which registers may be one.
pub(crate) fn coalesce(
    f: &mut Function,
    alike: impl Fn(Register, Register) -> bool,
    passes: impl Fn(&Function, &Instruction) -> bool,
) {
    let registers = f.registers as usize;
    let mut pairs = sides(f, &alike, |i| if i.op == Op::Move { usize::MAX } else { 0 });
    let passed = sides(f, &alike, |i| usize::from(passes(f, i)));
    let too_many = |n: usize| n.saturating_mul(2 * registers) > MAX_TABLE;
    if !too_many(pairs.len() + passed.len()) {
        pairs.extend(passed);
    }
    let mut candidates: Vec<Register> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
    candidates.sort_unstable();
    candidates.dedup();
    if candidates.is_empty() || candidates.len() * registers > MAX_TABLE {
        return;
    }
    let index = |r: Register| candidates.binary_search(&r).ok();
    let mut together: Vec<Set> = vec![Set::new(registers); candidates.len()];
    let mut live = Set::new(registers);
    for block in liveness::blocks(f) {
        live.insert_all(&block.live_out);
        for i in f.code[block.start..block.end].iter().rev() {
            let outputs = f.outputs(i);
            for r in outputs {
                if let Some(c) = index(*r) {
                    together[c].add(&live);
                    outputs.iter().for_each(|o| together[c].insert(*o));
                    together[c].remove(*r);
                }
            }
            liveness::before(f, i, &mut live);
        }
        live.remove_all(&block.live_in);
    }
    let mut class: Vec<usize> = (0..candidates.len()).collect();
    let mut members: Vec<Vec<Register>> = candidates.iter().map(|r| vec![*r]).collect();
    for (to, from) in pairs {
        let (Some(a), Some(b)) = (index(to), index(from)) else { continue };
        let (a, b) = (class[a], class[b]);
        let meets = |x: usize, y: usize| members[y].iter().any(|r| together[x].contains(*r));
        if a == b || meets(a, b) || meets(b, a) {
            continue;
        }
        let row = together[b].clone();
        together[a].add(&row);
        let moved = std::mem::take(&mut members[b]);
        for r in &moved {
            if let Some(c) = index(*r) {
                class[c] = a;
            }
        }
        members[a].extend(moved);
    }
    let name = |r: Register| index(r).map_or(r, |c| candidates[class[c]]);
    for o in &mut f.operands {
        *o = if o.is_move() { Operand::moved(name(o.register())) } else { Operand::copy(name(o.register())) };
    }
    f.outputs.iter_mut().for_each(|r| *r = name(*r));
}

/// The registers of results and operands that may be one: of each instruction as many as `first` says, operands that are moved.
fn sides(
    f: &Function,
    alike: impl Fn(Register, Register) -> bool,
    first: impl Fn(&Instruction) -> usize,
) -> Vec<(Register, Register)> {
    let of = |i| f.outputs(i).iter().zip(f.inputs(i)).take(first(i)).map(move |(to, from)| (i.op, *to, *from));
    let wanted = |(op, to, from): &(Op, Register, Operand)| {
        *to != from.register() && (*op == Op::Move || from.is_move()) && alike(*to, from.register())
    };
    f.code.iter().flat_map(of).filter(wanted).map(|(_, to, from)| (to, from.register())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Parameter;
    use sconce_schema::Type;

    #[test]
    fn what_a_loop_carries_stays_in_place_and_what_is_read_after_does_not() {
        // 0 n, 1 carried, 2 its next value, 3 its value before, read after the next one is made
        let mut f =
            Function { registers: 4, parameters: vec![Parameter::new("n", Type::Any); 2], ..Function::default() };
        f.push(Op::Load, [0, 1], [], None);
        let top = f.push(Op::JumpUnless(0), [], [Operand::copy(0)], None);
        f.push(Op::TupleConstruct, [2], [Operand::copy(1)], None);
        f.push(Op::Move, [3], [Operand::moved(1)], None);
        f.push(Op::Print, [], [Operand::moved(3)], None);
        f.push(Op::Move, [1], [Operand::moved(2)], None);
        f.push(Op::Jump(top), [], [], None);
        let end = f.push(Op::Store, [], [], None);
        f.set_target(top, end);
        coalesce(&mut f, |_, _| true, |_, _| false);
        let moves: Vec<(u32, u32)> =
            f.code.iter().filter(|i| i.op == Op::Move).map(|i| (f.outputs(i)[0], f.inputs(i)[0].register())).collect();
        // 3 and 1 are one; 2 is made while 1 lives.
        assert_eq!(moves[0].0, moves[0].1);
        assert_ne!(moves[1].0, moves[1].1);
    }

    #[test]
    fn what_is_passed_on_stays_in_its_register_unless_it_is_read_again() {
        for again in [false, true] {
            let operand = if again { Operand::copy(0) } else { Operand::moved(0) };
            let mut f =
                Function { registers: 3, parameters: vec![Parameter::new("t", Type::Any)], ..Function::default() };
            f.push(Op::Load, [0], [], None);
            let passing = f.push(Op::TupleConstruct, [1], [operand], None);
            f.push(Op::TupleConstruct, [2], [Operand::moved(1)], None);
            let results = if again { vec![Operand::moved(2), Operand::moved(0)] } else { vec![Operand::moved(2)] };
            f.push(Op::Store, [], results, None);
            coalesce(&mut f, |_, _| true, |_, i| i.op == Op::TupleConstruct);
            let i = f.code[passing as usize];
            assert_eq!(f.outputs(&i)[0] == f.inputs(&i)[0].register(), !again);
        }
    }
}
