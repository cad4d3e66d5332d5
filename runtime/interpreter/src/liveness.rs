//! Which registers are read again after each point of a function: basic blocks, and what lives at their ends.
//!
//! A drop counts as a read.

use crate::program::{Function, Instruction, Register};

/// A set of registers.
#[derive(Clone, PartialEq, Eq)]
pub struct Set(Vec<u64>);

impl Set {
    pub fn new(registers: usize) -> Set {
        Set(vec![0; registers.div_ceil(64)])
    }
    pub fn insert(&mut self, r: Register) {
        self.0[r as usize / 64] |= 1 << (r % 64);
    }
    pub fn remove(&mut self, r: Register) {
        self.0[r as usize / 64] &= !(1 << (r % 64));
    }
    pub fn contains(&self, r: Register) -> bool {
        self.0[r as usize / 64] & (1 << (r % 64)) != 0
    }
    pub fn add(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
    pub fn insert_all(&mut self, registers: &[Register]) {
        registers.iter().for_each(|r| self.insert(*r));
    }
    pub fn remove_all(&mut self, registers: &[Register]) {
        registers.iter().for_each(|r| self.remove(*r));
    }
    pub fn iter(&self) -> impl Iterator<Item = Register> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| (i * 64 + bit) as Register)
        })
    }
}

/// Instructions that run one after the other: from `start` up to `end`. Who walks one backwards with a set of what lives begins with `live_out` and ends with `live_in`.
pub struct Block {
    pub start: usize,
    pub end: usize,
    /// Indices of blocks.
    pub successors: Vec<usize>,
    /// In ascending order.
    pub live_in: Vec<Register>,
    /// In ascending order.
    pub live_out: Vec<Register>,
}

/// The blocks of a function in the order of its code, with what lives at their ends. Takes as long as there is code, and names of what lives at ends.
pub fn blocks(f: &Function) -> Vec<Block> {
    let mut blocks = split(f);
    let Summary { read, defined } = Summary::of(f, &blocks);
    let mut before = vec![Vec::new(); blocks.len()];
    for (b, block) in blocks.iter().enumerate() {
        block.successors.iter().for_each(|s| before[*s].push(b));
    }
    // With which register each end was seen last.
    let (mut seen_in, mut seen_out) = (vec![None; blocks.len()], vec![None; blocks.len()]);
    // One register after the other, from where it is read back to where it is written.
    for (register, reader) in read {
        let mut reached = vec![reader];
        while let Some(b) = reached.pop() {
            if seen_in[b].replace(register) == Some(register) {
                continue;
            }
            blocks[b].live_in.push(register);
            for &p in &before[b] {
                if seen_out[p].replace(register) != Some(register) {
                    blocks[p].live_out.push(register);
                    if defined[p].binary_search(&register).is_err() {
                        reached.push(p);
                    }
                }
            }
        }
    }
    blocks
}

/// What blocks do with registers.
struct Summary {
    /// Registers that a block reads before it writes them, each with the block, in ascending order.
    read: Vec<(Register, usize)>,
    /// By block, the registers that it writes, in ascending order.
    defined: Vec<Vec<Register>>,
}

impl Summary {
    fn of(f: &Function, blocks: &[Block]) -> Summary {
        let mut summary = Summary { read: Vec::new(), defined: Vec::with_capacity(blocks.len()) };
        let mut written_in = vec![None; f.registers as usize];
        for (b, block) in blocks.iter().enumerate() {
            for i in &f.code[block.start..block.end] {
                let read = f.inputs(i).iter().map(|o| o.register());
                summary.read.extend(read.filter(|r| written_in[*r as usize] != Some(b)).map(|r| (r, b)));
                f.outputs(i).iter().for_each(|r| written_in[*r as usize] = Some(b));
            }
            let mut defined: Vec<Register> =
                f.code[block.start..block.end].iter().flat_map(|i| f.outputs(i)).copied().collect();
            defined.sort_unstable();
            summary.defined.push(defined);
        }
        summary.read.sort_unstable();
        summary
    }
}

/// What is alive before an instruction, from what is alive behind it.
pub fn before(f: &Function, i: &Instruction, live: &mut Set) {
    for &r in f.outputs(i) {
        live.remove(r);
    }
    for o in f.inputs(i) {
        live.insert(o.register());
    }
}

/// Where blocks begin: the function's start, targets, and what follows a jump.
pub fn leaders(f: &Function) -> Vec<bool> {
    let mut leader = vec![false; f.code.len() + 1];
    leader[0] = true;
    for (pc, i) in f.code.iter().enumerate() {
        if let Some(t) = i.op.target() {
            leader[t as usize] = true;
        }
        if i.op.target().is_some() || !i.op.falls_through() {
            leader[pc + 1] = true;
        }
    }
    leader
}

fn split(f: &Function) -> Vec<Block> {
    let n = f.code.len();
    let leader = leaders(f);
    let starts: Vec<usize> = (0..n).filter(|&pc| leader[pc]).collect();
    let at = |pc: usize| starts.binary_search(&pc).ok();
    starts
        .iter()
        .enumerate()
        .map(|(b, &start)| {
            let end = starts.get(b + 1).copied().unwrap_or(n);
            let last = f.code[end - 1].op;
            let jump = last.target().and_then(|t| at(t as usize));
            let next = if last.falls_through() { at(end) } else { None };
            let mut successors: Vec<usize> = jump.into_iter().chain(next).collect();
            successors.dedup();
            Block { start, end, successors, live_in: Vec::new(), live_out: Vec::new() }
        })
        .collect()
}
