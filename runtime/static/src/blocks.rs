//! The nesting of a function, read off its jumps as the compiler lays them: branches and loops, each with its part of the code.

use sconce_interpreter::program::{Instruction, Op, Pc};

/// A part of a function that runs as a whole or not at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// `body`, `then`, `else` or `loop`.
    pub kind: &'static str,
    /// The block around it.
    pub parent: Option<u32>,
    /// Its first instruction, and the one behind its last.
    pub range: (Pc, Pc),
}

impl Block {
    /// The innermost block with an instruction.
    pub(crate) fn innermost(blocks: &[Block], pc: Pc) -> u32 {
        let inside = (0..).zip(blocks).filter(|(_, b)| (b.range.0..b.range.1).contains(&pc));
        inside.min_by_key(|(_, b)| b.range.1 - b.range.0).map_or(0, |(i, _)| i)
    }
}

/// The blocks of a function, outer ones first.
pub(crate) fn blocks(code: &[Instruction]) -> Vec<Block> {
    let mut blocks = vec![Block { kind: "body", parent: None, range: (0, code.len() as Pc) }];
    for (pc, i) in (0..).zip(code) {
        let (Op::JumpUnless(behind) | Op::LoopUnless(behind)) = i.op else { continue };
        if behind <= pc {
            continue;
        }
        let last = code.get(behind as usize - 1).map(|i| i.op);
        let inner: &[(&'static str, (Pc, Pc))] = match last {
            Some(Op::Jump(top)) if top <= pc => &[("loop", (pc + 1, behind))],
            Some(Op::Jump(end)) => &[("then", (pc + 1, behind)), ("else", (behind, end))],
            _ => &[("then", (pc + 1, behind))],
        };
        let parent = Some(Block::innermost(&blocks, pc));
        blocks.extend(inner.iter().map(|(kind, range)| Block { kind, parent, range: *range }));
    }
    blocks
}
