//! Code made for speed from a function's bytecode when a program is loaded: the same effects in the same order, told to the same places.
//!
//! Plain numbers lie in words without a tag, everything else in boxes. An instruction becomes no, one or several steps; each step knows its
//! instruction, so that errors and profiles speak of the Program.

use sconce_kernels::direct::{Arguments, Dest, Kind, Source, View, WORDS, Word};
use sconce_tensor::IValue;

/// The operands and results of a step that has more than fit in it: ranges of the code's pools.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub sources: (u32, u32),
    pub dests: (u32, u32),
}

/// What a step of direct code does when it has no answer of its own: the operator's kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kernel {
    /// Index into the executable's operators.
    pub operator: u32,
    pub site: u32,
}

#[derive(Clone, Copy)]
pub(crate) enum Step {
    One {
        f: fn(Word) -> Option<Word>,
        a: u8,
        to: u8,
        kernel: u32,
    },
    Two {
        f: fn(Word, Word) -> Option<Word>,
        a: u8,
        b: u8,
        to: u8,
        kernel: u32,
    },
    Three {
        f: fn(Word, Word, Word) -> Option<Word>,
        a: u8,
        b: u8,
        c: u8,
        to: u8,
        kernel: u32,
    },
    /// A `Two` that always has an answer, and a jump when it is `when`.
    Test {
        f: fn(Word, Word) -> Option<Word>,
        a: u8,
        b: u8,
        to: u8,
        when: bool,
        target: u32,
        cost: u32,
    },
    Jump {
        target: u32,
        cost: u32,
    },
    JumpIf {
        a: u8,
        when: bool,
        target: u32,
        cost: u32,
    },
    /// Jumps when the value is not true.
    JumpUnlessBox {
        from: Source,
        target: u32,
    },
    /// Jumps unless there is another turn.
    LoopTop {
        counter: u8,
        limit: u8,
        condition: u8,
        exit: u32,
    },
    /// Counts, and jumps to the body if there is another turn.
    LoopEnd {
        counter: u8,
        limit: u8,
        condition: u8,
        body: u32,
        cost: u32,
    },
    LoopTopBox {
        site: u32,
        exit: u32,
    },
    Next {
        from: u8,
        to: u8,
    },
    NextBox {
        site: u32,
    },
    SetWord {
        to: u8,
        word: Word,
    },
    CopyWord {
        from: u8,
        to: u8,
    },
    ToFloat {
        from: u8,
        to: u8,
    },
    Box {
        kind: Kind,
        from: u8,
        to: u32,
    },
    Unbox {
        kind: Kind,
        from: Source,
        to: u8,
    },
    MoveBox {
        from: Source,
        to: u32,
    },
    Drop {
        from: u32,
    },
    /// `count` sources from `first` on; `moves` says whether one is to be emptied afterwards.
    View {
        f: View,
        first: u32,
        count: u8,
        moves: bool,
        dest: Dest,
    },
    /// A call of an operator that may have an answer without its arguments being collected.
    Short {
        operator: u32,
        site: u32,
    },
    Call {
        operator: u32,
        site: u32,
    },
    Tuple {
        site: u32,
    },
    Unpack {
        site: u32,
    },
    List {
        site: u32,
        ty: u32,
    },
    /// An instruction that needs only its inputs.
    Structural {
        site: u32,
    },
    /// An instruction that needs the frames.
    Machine {
        site: u32,
    },
    Nothing,
}

const _: () = assert!(std::mem::size_of::<Step>() == 24);

/// The code of one function.
#[derive(Default)]
pub(crate) struct Code {
    pub steps: Vec<Step>,
    /// The instruction of each step.
    pub at: Vec<u32>,
    /// The first step of each instruction.
    pub first: Vec<u32>,
    pub sites: Vec<Site>,
    pub sources: Vec<Source>,
    pub dests: Vec<Dest>,
    pub kernels: Vec<Kernel>,
    /// Where the parameters go.
    pub parameters: Vec<Dest>,
    pub boxes: u32,
    /// The words of a new frame.
    pub words: Vec<Word>,
    /// The program's constants, then those that complete calls.
    pub constants: Vec<IValue>,
    /// What a call costs in fuel: every instruction once.
    pub length: u32,
}

impl Code {
    pub fn sources(&self, site: u32) -> &[Source] {
        let (a, b) = self.sites[site as usize].sources;
        &self.sources[a as usize..b as usize]
    }
    pub fn dests(&self, site: u32) -> &[Dest] {
        let (a, b) = self.sites[site as usize].dests;
        &self.dests[a as usize..b as usize]
    }
    /// The step of an operator that reads its operands where they lie; none if it has more than a step can tell.
    pub fn view(&self, f: View, site: u32) -> Option<Step> {
        let dest = self.dests(site).first().copied().unwrap_or(Dest::Nowhere);
        let moves = self.sources(site).iter().any(|s| matches!(s, Source::Move(r) if dest != Dest::Box(*r)));
        let (first, count) = (self.sites[site as usize].sources.0, u8::try_from(self.sources(site).len()).ok()?);
        Some(Step::View { f, first, count, moves, dest })
    }
}

/// The sources of a call's arguments, without those of the items of its lists.
pub(crate) fn arguments(sources: &[Source]) -> &[Source] {
    let behind =
        sources.iter().find_map(|s| if let Source::Items(first, _) = s { Some(usize::from(*first)) } else { None });
    behind.and_then(|end| sources.get(..end)).unwrap_or(sources)
}

/// Values and words of one frame.
pub(crate) struct Registers<'m> {
    pub words: &'m mut [Word; WORDS],
    pub boxes: &'m mut [IValue],
}

impl Registers<'_> {
    /// An operand; out of its register where it is read for the last time.
    #[inline(always)]
    pub fn read(&mut self, code: &Code, source: Source) -> IValue {
        match source {
            Source::Move(r) => std::mem::replace(&mut self.boxes[r as usize], IValue::Uninitialized),
            Source::Copy(r) => self.boxes[r as usize].clone(),
            Source::Constant(c) => code.constants[c as usize].clone(),
            Source::Word(kind, w) => kind.value(self.words[w as usize]),
            // Of a call only, which makes its list itself.
            Source::Items(..) => IValue::Uninitialized,
        }
    }

    /// Empties the registers that a step has read for the last time, but for the one that has its result.
    #[inline(always)]
    pub fn clear_moved(&mut self, sources: &[Source], dest: Dest) {
        for source in sources {
            if let Source::Move(r) = source
                && dest != Dest::Box(*r)
            {
                self.boxes[*r as usize].clear();
            }
        }
    }

    /// The operands of a call where they lie.
    #[inline(always)]
    pub fn arguments<'a>(&'a mut self, code: &'a Code, sources: &'a [Source], dest: Dest) -> Arguments<'a> {
        Arguments { sources, boxes: self.boxes, words: self.words, constants: &code.constants, dest }
    }

    #[inline(always)]
    pub fn write(&mut self, dest: Dest, value: IValue) -> Result<(), sconce_kernels::Error> {
        match dest {
            Dest::Box(r) => self.boxes[r as usize] = value,
            Dest::Word(kind, w) => self.words[w as usize] = kind.word(&value)?,
            Dest::Nowhere => {}
        }
        Ok(())
    }
}
