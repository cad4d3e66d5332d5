//! Where values die: the last use of a register on every path is a move, and a value that only one branch needs is dropped at the other's entry.
//!
//! Works on finished code: liveness by basic blocks, backwards to a fixed point, then one walk that marks moves and inserts drops.

use sconce_interpreter::liveness::{self, Set};
use sconce_interpreter::program::{Function, Op, Operand, Pc, Place, Register};

/// Marks the last uses in a function whose operands are all copies, and inserts drops. Jump targets are adjusted.
pub(crate) fn mark(f: &mut Function) {
    let registers = f.registers as usize;
    let blocks = liveness::blocks(f);
    // What a predecessor leaves alive and a block does not need dies at the block's entry.
    let mut dying: Vec<Vec<Register>> = vec![Vec::new(); blocks.len()];
    for b in &blocks {
        for &s in &b.successors {
            let needed = &blocks[s].live_in;
            dying[s].extend(b.live_out.iter().filter(|r| needed.binary_search(r).is_err()));
        }
    }
    let mut drops: Vec<(usize, bool, Vec<Register>)> = Vec::new();
    let mut moves: Vec<usize> = Vec::new();
    let mut live = Set::new(registers);
    for (block, mut dying) in blocks.iter().zip(dying) {
        dying.sort_unstable();
        dying.dedup();
        if !dying.is_empty() {
            drops.push((block.start, true, dying));
        }
        live.insert_all(&block.live_out);
        for at in (block.start..block.end).rev() {
            let i = f.code[at];
            let unused: Vec<Register> = f.outputs(&i).iter().copied().filter(|r| !live.contains(*r)).collect();
            if !unused.is_empty() {
                drops.push((at + 1, false, unused));
            }
            for &r in f.outputs(&i) {
                live.remove(r);
            }
            // Of several reads by one instruction the last moves.
            for k in (i.inputs.0..i.inputs.1).rev() {
                let r = f.operands[k as usize].register();
                if !live.contains(r) {
                    moves.push(k as usize);
                    live.insert(r);
                }
            }
        }
        live.remove_all(&block.live_in);
    }
    for k in moves {
        f.operands[k] = Operand::moved(f.operands[k].register());
    }
    insert(f, drops);
}

/// Inserts drops in front of instructions. Jumps to an instruction run the drops that belong to the entry of its block, but not those that
/// belong to the instruction before it.
fn insert(f: &mut Function, mut drops: Vec<(usize, bool, Vec<Register>)>) {
    if drops.is_empty() {
        return;
    }
    // Behind an instruction first, then at the next block's entry.
    drops.sort_by_key(|(at, entry, _)| (*at, *entry));
    let code = std::mem::take(&mut f.code);
    let places = std::mem::take(&mut f.places);
    let mut moved_to: Vec<Pc> = Vec::with_capacity(code.len());
    let mut pending = drops.into_iter().peekable();
    for (at, (instruction, place)) in code.into_iter().zip(places).enumerate() {
        let mut entry = None;
        while let Some((_, is_entry, registers)) = pending.next_if(|(p, ..)| *p == at) {
            // A drop carries no place: nothing can fail there.
            let none: Option<Place> = None;
            let pc = f.push(Op::Drop, [], registers.into_iter().map(Operand::moved), none);
            if is_entry {
                entry = Some(pc);
            }
        }
        moved_to.push(entry.unwrap_or(f.code.len() as Pc));
        f.code.push(instruction);
        f.places.push(place);
    }
    for i in &mut f.code {
        if let Op::Jump(t) | Op::JumpUnless(t) | Op::LoopUnless(t) = &mut i.op {
            *t = moved_to[*t as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sconce_interpreter::Program;
    use sconce_interpreter::program::Parameter;
    use sconce_schema::Type;

    fn function(parameters: u32, registers: u32) -> Function {
        let parameter = |_| Parameter::new("p", Type::Any);
        let mut f = Function { registers, ..Function::default() };
        f.parameters = (0..parameters).map(parameter).collect();
        f.results = vec![Type::Any];
        f.push(Op::Load, 0..parameters, [], None);
        f
    }
    fn listing(f: Function) -> String {
        let program = Program { functions: vec![f], ..Program::default() };
        program.verify().unwrap();
        program.full_listing().lines().skip(1).map(|l| format!("{l}\n")).collect()
    }
    fn copies<const N: usize>(r: [Register; N]) -> [Operand; N] {
        r.map(Operand::copy)
    }

    #[test]
    fn a_value_that_one_branch_needs_dies_at_the_others_entry() {
        // if p0: r3 = (p1, p1) else: r3 = (p2,)
        let mut f = function(3, 4);
        let branch = f.push(Op::JumpUnless(0), [], copies([0]), None);
        f.push(Op::TupleConstruct, [3], copies([1, 1]), None);
        let over = f.push(Op::Jump(0), [], [], None);
        let other = f.push(Op::TupleConstruct, [3], copies([2]), None);
        let end = f.push(Op::Store, [], copies([3]), None);
        f.set_target(branch, other);
        f.set_target(over, end);
        mark(&mut f);
        assert_eq!(
            listing(f),
            "0: 0, 1, 2 = Load\n1:  = JumpUnless[5] move(0)\n2:  = Drop move(2)\n3: 3 = TupleConstruct 1, move(1)\n\
             4:  = Jump[7]\n5:  = Drop move(1)\n6: 3 = TupleConstruct move(2)\n7:  = Store move(3)\n"
        );
    }

    #[test]
    fn what_a_loop_reads_again_is_not_moved() {
        // while p0: (p1,); return p1
        let mut f = function(2, 3);
        let top = f.push(Op::JumpUnless(0), [], copies([0]), None);
        f.push(Op::TupleConstruct, [2], copies([1]), None);
        f.push(Op::Jump(top), [], [], None);
        let end = f.push(Op::Store, [], copies([1]), None);
        f.set_target(top, end);
        mark(&mut f);
        assert_eq!(
            listing(f),
            "0: 0, 1 = Load\n1:  = JumpUnless[5] 0\n2: 2 = TupleConstruct 1\n3:  = Drop move(2)\n4:  = Jump[1]\n\
             5:  = Drop move(0)\n6:  = Store move(1)\n"
        );
    }
}
