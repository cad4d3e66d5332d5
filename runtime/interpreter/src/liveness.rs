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
    pub fn without(&self, other: &Set) -> Set {
        Set(self.0.iter().zip(&other.0).map(|(a, b)| a & !b).collect())
    }
    pub fn iter(&self) -> impl Iterator<Item = Register> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| (i * 64 + bit) as Register)
        })
    }
}

/// Instructions that run one after the other: from `start` up to `end`.
pub struct Block {
    pub start: usize,
    pub end: usize,
    /// Indices of blocks.
    pub successors: Vec<usize>,
    pub live_in: Set,
    pub live_out: Set,
}

/// The blocks of a function in the order of its code, with what lives at their ends.
pub fn blocks(f: &Function) -> Vec<Block> {
    let registers = f.registers as usize;
    let mut blocks = split(f);
    // Backwards, so that most programs need two rounds: one, and one that sees that nothing changes.
    loop {
        let mut changed = false;
        for b in (0..blocks.len()).rev() {
            let mut live = Set::new(registers);
            for &s in &blocks[b].successors {
                live.add(&blocks[s].live_in);
            }
            blocks[b].live_out = live.clone();
            for i in f.code[blocks[b].start..blocks[b].end].iter().rev() {
                before(f, i, &mut live);
            }
            if live != blocks[b].live_in {
                blocks[b].live_in = live;
                changed = true;
            }
        }
        if !changed {
            return blocks;
        }
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
    let set = || Set::new(f.registers as usize);
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
            Block { start, end, successors, live_in: set(), live_out: set() }
        })
        .collect()
}
