//! From bytecode to [`Code`]: which registers are words, which instructions need no work, which steps become one.

use crate::coalesce::coalesce;
use crate::executable::Operator;
use crate::infer::{Known, constants, infer};
use crate::liveness;
use crate::prepared::{Code, Kernel, Site, Step};
use crate::program::{Function, Instruction, Op, Operand, Program, Register};
use crate::structural;
use crate::tuples::take_apart;
use rustc_hash::FxHashMap;
use sconce_kernels::direct::{self, Dest, Direct, Kind, Source, WORDS, Word};
use sconce_schema::Type;
use sconce_tensor::IValue;

/// Words at the start of every frame for operands on their way.
const TEMPORARIES: u8 = 4;
/// Registers that lie in words come before this one; the rest are for constants.
const FOR_REGISTERS: usize = 192;
/// Items of a list that are read where they lie, and arguments of the call that reads them, at most.
const MAX_ITEMS: usize = 64;
/// No kernel to ask.
const NONE: u32 = u32::MAX;

/// Where a register lies.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Slot {
    Box(u32),
    Word(Kind, u8),
    /// Written once, by a constant.
    Constant(u32),
}

/// What a code is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Fast,
    /// Steps for every instruction, none joined with another, so that each can be measured.
    Measured,
    /// The same, and every operator by its kernel, so that each can be told of.
    Observed,
}

/// Makes the code of a function.
pub(crate) fn prepare(program: &Program, operators: &[Operator], function: &Function, form: Form) -> Code {
    let plain = form != Form::Fast;
    let mut f = function.clone();
    let mut known = infer(program, operators, &f);
    if !plain {
        if take_apart(program, &mut f, &known) {
            known = infer(program, operators, &f);
        }
        // A constant that is passed on stays one.
        let constants = constants(&f);
        let passes = |f: &Function, i: &Instruction| match (i.op, f.inputs(i).first()) {
            (Op::Call(o), Some(from)) => {
                operators.get(o as usize).is_some_and(Operator::may_pass)
                    && constants[from.register() as usize].is_none()
            }
            _ => false,
        };
        coalesce(&mut f, |a, b| known[a as usize].kind() == known[b as usize].kind(), passes);
    }
    let mut p = Prepare {
        program,
        operators,
        f: &f,
        slots: Vec::new(),
        leaders: liveness::leaders(&f),
        code: Code { constants: program.constants.clone(), length: f.code.len() as u32, ..Code::default() },
        pc: 0,
        constants: FxHashMap::default(),
        temporary: 0,
        boxes: 0,
        unread: Vec::new(),
        items: None,
        unset: known.iter().map(|k| *k == Known::Nothing).collect(),
        plain,
        direct: form != Form::Observed,
    };
    p.allocate(&known);
    for (pc, i) in f.code.iter().enumerate() {
        p.pc = pc as u32;
        p.temporary = 0;
        p.code.first.push(p.code.steps.len() as u32);
        p.instruction(i);
        if plain && p.code.first[pc] == p.code.steps.len() as u32 {
            p.push(Step::Nothing);
        }
    }
    p.link();
    p.code.boxes = p.boxes;
    p.code
}

struct Prepare<'p> {
    program: &'p Program,
    operators: &'p [Operator],
    f: &'p Function,
    slots: Vec<Slot>,
    /// Instructions that something jumps to or that follow a jump.
    leaders: Vec<bool>,
    code: Code,
    pc: u32,
    /// Words that hold constants.
    constants: FxHashMap<Word, u8>,
    /// Temporary words in use by this instruction.
    temporary: u8,
    boxes: u32,
    /// Results of the last instruction that the next one drops unread.
    unread: Vec<Register>,
    /// A list that the next instruction only reads: its register and its items.
    items: Option<(Register, Vec<Source>)>,
    /// Registers that only `prim::Uninitialized` writes.
    unset: Vec<bool>,
    plain: bool,
    /// Operators may be called without boxing.
    direct: bool,
}

impl Prepare<'_> {
    fn push(&mut self, step: Step) {
        self.code.steps.push(step);
        self.code.at.push(self.pc);
    }

    /// Gives every register a place.
    fn allocate(&mut self, known: &[Known]) {
        self.code.words = vec![0; TEMPORARIES as usize];
        let constants = constants(self.f);
        let mut written = vec![false; known.len()];
        self.f.code.iter().flat_map(|i| self.f.outputs(i)).for_each(|r| written[*r as usize] = true);
        for (r, known) in known.iter().enumerate() {
            let slot = match (constants[r], known.kind()) {
                (Some(c), _) if !self.plain => Slot::Constant(c),
                (_, Some(kind)) if written[r] && self.code.words.len() < FOR_REGISTERS => {
                    self.word_slot(0).map_or_else(|| self.box_slot(), |w| Slot::Word(kind, w))
                }
                _ if written[r] || self.is_read(r as Register) => self.box_slot(),
                _ => Slot::Box(0),
            };
            self.slots.push(slot);
        }
        if self.boxes == 0 {
            self.boxes = 1;
        }
        let load = self.f.code.first().filter(|i| i.op == Op::Load);
        let outputs: Vec<Register> = load.map_or(Vec::new(), |i| self.f.outputs(i).to_vec());
        self.code.parameters = outputs.iter().map(|r| self.dest(*r)).collect();
        if load.is_none() {
            // Nobody reads the parameters.
            self.code.parameters = vec![Dest::Nowhere; self.f.parameters.len()];
        }
    }

    fn is_read(&self, r: Register) -> bool {
        self.f.operands.iter().any(|o| o.register() == r)
    }

    fn box_slot(&mut self) -> Slot {
        self.boxes += 1;
        Slot::Box(self.boxes - 1)
    }

    /// A new word, if there is room.
    fn word_slot(&mut self, initial: Word) -> Option<u8> {
        let next = u8::try_from(self.code.words.len()).ok()?;
        self.code.words.push(initial);
        debug_assert!(self.code.words.len() <= WORDS);
        Some(next)
    }

    fn slot(&self, r: Register) -> Slot {
        self.slots[r as usize]
    }

    fn dest(&self, r: Register) -> Dest {
        match self.slot(r) {
            Slot::Box(b) => Dest::Box(b),
            Slot::Word(kind, w) => Dest::Word(kind, w),
            Slot::Constant(_) => Dest::Nowhere,
        }
    }

    fn source(&self, o: Operand) -> Source {
        match self.slot(o.register()) {
            Slot::Box(b) if o.is_move() => Source::Move(b),
            Slot::Box(b) => Source::Copy(b),
            Slot::Word(kind, w) => Source::Word(kind, w),
            Slot::Constant(c) => Source::Constant(c),
        }
    }

    fn site(&mut self, sources: impl IntoIterator<Item = Source>, dests: impl IntoIterator<Item = Dest>) -> u32 {
        let (s, d) = (self.code.sources.len() as u32, self.code.dests.len() as u32);
        self.code.sources.extend(sources);
        self.code.dests.extend(dests);
        let ends = (self.code.sources.len() as u32, self.code.dests.len() as u32);
        self.code.sites.push(Site { sources: (s, ends.0), dests: (d, ends.1) });
        self.code.sites.len() as u32 - 1
    }

    /// The operands and results of an instruction as they lie.
    fn whole(&mut self, i: &Instruction) -> u32 {
        let sources: Vec<Source> = self.f.inputs(i).iter().map(|o| self.source(*o)).collect();
        let dests: Vec<Dest> = self.f.outputs(i).iter().map(|r| self.result(*r)).collect();
        self.site(sources, dests)
    }

    /// Where a result goes; nowhere, if the next instruction drops it.
    fn result(&self, r: Register) -> Dest {
        if self.unread.contains(&r) { Dest::Nowhere } else { self.dest(r) }
    }

    fn temporary(&mut self) -> Option<u8> {
        (self.temporary < TEMPORARIES).then(|| {
            self.temporary += 1;
            self.temporary - 1
        })
    }

    /// A constant as a word.
    fn constant_word(&mut self, word: Word) -> Option<u8> {
        if let Some(w) = self.constants.get(&word) {
            return Some(*w);
        }
        let w = self.word_slot(word)?;
        self.constants.insert(word, w);
        Some(w)
    }

    /// Whether an operand can be a word of this kind.
    fn can_be(&self, o: Operand, kind: Kind) -> bool {
        let given = match self.slot(o.register()) {
            Slot::Box(_) => return true,
            Slot::Word(given, _) => given,
            Slot::Constant(c) => match self.program.constants.get(c as usize).and_then(Kind::split) {
                Some((given, _)) => given,
                None => return false,
            },
        };
        given == kind || kind == Kind::Float || (kind == Kind::Int && given == Kind::Bool)
    }

    /// The word of an operand, brought to a kind; the caller has asked [`Self::can_be`].
    fn word(&mut self, o: Operand, kind: Kind) -> Option<u8> {
        match self.slot(o.register()) {
            Slot::Word(given, w) if given == kind || kind == Kind::Int => Some(w),
            Slot::Word(_, w) => {
                let to = self.temporary()?;
                self.push(Step::ToFloat { from: w, to });
                Some(to)
            }
            Slot::Constant(c) => {
                let word = kind.word(&self.program.constants[c as usize]).ok()?;
                self.constant_word(word)
            }
            Slot::Box(_) => {
                let (from, to) = (self.source(o), self.temporary()?);
                self.push(Step::Unbox { kind, from, to });
                Some(to)
            }
        }
    }

    fn instruction(&mut self, i: &Instruction) {
        let (inputs, outputs) = (self.f.inputs(i), self.f.outputs(i));
        let next = self.f.code.get(self.pc as usize + 1).filter(|_| !self.leaders[self.pc as usize + 1]);
        let dropped: Vec<Register> = match next {
            Some(n) if n.op == Op::Drop && !self.plain => self.f.inputs(n).iter().map(|o| o.register()).collect(),
            _ => Vec::new(),
        };
        let before = std::mem::take(&mut self.unread);
        if !matches!(i.op, Op::Load | Op::Drop | Op::Constant(_) | Op::Uninitialized | Op::Move | Op::Next) {
            self.unread = outputs.iter().copied().filter(|r| dropped.contains(r)).collect();
        }
        match i.op {
            Op::Load => {}
            Op::Constant(c) => match (&self.program.constants[c as usize], outputs) {
                (_, [to]) => self.constant(c, *to),
                // A tuple that was taken apart.
                (IValue::Tuple(tuple), _) => {
                    for (item, to) in tuple.items.iter().zip(outputs) {
                        let at = self.code.constants.len() as u32;
                        self.code.constants.push(item.clone());
                        self.constant(at, *to);
                    }
                }
                _ => {}
            },
            Op::Uninitialized => match self.dest(outputs[0]) {
                Dest::Box(from) => self.push(Step::Drop { from }),
                Dest::Word(_, to) => self.push(Step::SetWord { to, word: 0 }),
                Dest::Nowhere => {}
            },
            Op::Move => self.moves(outputs, inputs),
            Op::Drop => {
                for o in inputs {
                    if let (Slot::Box(from), false) = (self.slot(o.register()), before.contains(&o.register())) {
                        self.push(Step::Drop { from });
                    }
                }
            }
            Op::Jump(target) => self.jump(target),
            Op::JumpUnless(target) => self.jump_unless(inputs[0], target),
            Op::LoopUnless(exit) => match self.loop_words(i) {
                Some([counter, limit, condition]) => self.push(Step::LoopTop { counter, limit, condition, exit }),
                None => {
                    let site = self.whole(i);
                    self.push(Step::LoopTopBox { site, exit });
                }
            },
            Op::Next => match (self.slot(inputs[0].register()), self.slot(outputs[0])) {
                (Slot::Word(Kind::Int, from), Slot::Word(Kind::Int, to)) => {
                    if !self.loop_end(to, from, next) {
                        self.push(Step::Next { from, to });
                    }
                }
                _ => {
                    let site = self.whole(i);
                    self.push(Step::NextBox { site });
                }
            },
            Op::Call(operator) => self.call(i, operator),
            Op::TupleConstruct => {
                let site = self.whole(i);
                self.push(Step::Tuple { site });
            }
            Op::TupleIndex if self.direct => {
                let site = self.whole(i);
                self.push(self.code.view(structural::tuple_item, site).unwrap_or(Step::Structural { site }));
            }
            Op::TupleUnpack => {
                let site = self.whole(i);
                self.push(Step::Unpack { site });
            }
            Op::ListConstruct(ty) if self.only_read(i, ty, next) => {}
            Op::ListConstruct(ty) => {
                let site = self.whole(i);
                self.push(Step::List { site, ty });
            }
            Op::Store
            | Op::Raise
            | Op::Print
            | Op::CreateObject(_)
            | Op::GetAttr(_)
            | Op::SetAttr(_)
            | Op::CallFunction(_)
            | Op::CallMethod(_)
            | Op::Fork(_)
            | Op::Wait
            | Op::Enter
            | Op::Exit
            | Op::Region(_) => {
                let site = self.whole(i);
                self.push(Step::Machine { site });
            }
            _ => self.structural(i),
        }
    }

    /// Whether a list of integers is for a next instruction that only reads it, and takes the items in its place.
    fn only_read(&mut self, i: &Instruction, ty: u32, next: Option<&Instruction>) -> bool {
        let (Some(next), [list]) = (next, self.f.outputs(i)) else { return false };
        let Op::Call(operator) = next.op else { return false };
        let reads = self.operators.get(operator as usize).is_some_and(Operator::reads_lists);
        let integers = matches!(&self.program.types[ty as usize], Type::List(e) if **e == Type::Int);
        let mut uses = self.f.inputs(next).iter().filter(|o| o.register() == *list);
        let once = uses.next().is_some_and(|o| o.is_move()) && uses.next().is_none();
        let item = |o: &Operand| match self.source(*o) {
            Source::Constant(c) if matches!(self.program.constants[c as usize], IValue::Int(_)) => true,
            source => matches!(source, Source::Word(Kind::Int, _)),
        };
        let items = self.f.inputs(i);
        let few = items.len().max(self.f.inputs(next).len()) <= MAX_ITEMS;
        if self.plain || !few || !reads || !integers || !once || !items.iter().all(item) {
            return false;
        }
        self.items = Some((*list, items.iter().map(|o| self.source(*o)).collect()));
        true
    }

    /// A constant of the code to its register.
    fn constant(&mut self, c: u32, to: Register) {
        match self.dest(to) {
            Dest::Nowhere => {}
            Dest::Box(to) => self.push(Step::MoveBox { from: Source::Constant(c), to }),
            Dest::Word(kind, to) => match kind.word(&self.code.constants[c as usize]) {
                Ok(word) => self.push(Step::SetWord { to, word }),
                Err(_) => self.push(Step::Nothing),
            },
        }
    }

    fn structural(&mut self, i: &Instruction) {
        let site = self.whole(i);
        self.push(Step::Structural { site });
    }

    /// An operator: on words, where its operands lie, or by its kernel.
    fn call(&mut self, i: &Instruction, operator: u32) {
        let (inputs, outputs) = (self.f.inputs(i), self.f.outputs(i));
        if let Some(Operator::Known { bound, direct, defaults }) = self.operators.get(operator as usize) {
            let complete = inputs.len() == defaults.len();
            match direct.as_ref().filter(|_| self.direct) {
                Some(Direct::Words(form))
                    if complete && outputs.len() <= 1 && self.words_call(*form, inputs, outputs, operator) =>
                {
                    return;
                }
                Some(Direct::View(f)) if outputs.len() <= 1 => {
                    let (f, site) = (*f, self.completed(i, operator));
                    self.push(self.code.view(f, site).unwrap_or(Step::Call { operator, site }));
                    return;
                }
                _ if self.direct && bound.has_shortcut() && outputs.len() <= 1 => {
                    let site = self.completed(i, operator);
                    self.push(Step::Short { operator, site });
                    return;
                }
                _ => {}
            }
        }
        let site = self.completed(i, operator);
        self.push(Step::Call { operator, site });
    }

    /// A call's site, with the defaults of the arguments that it leaves out.
    fn completed(&mut self, i: &Instruction, operator: u32) -> u32 {
        let mut sources: Vec<Source> = self.f.inputs(i).iter().map(|o| self.source(*o)).collect();
        if let Some(Operator::Known { defaults, .. }) = self.operators.get(operator as usize) {
            for default in defaults.iter().skip(sources.len()) {
                self.code.constants.push(default.clone().unwrap_or_default());
                sources.push(Source::Constant(self.code.constants.len() as u32 - 1));
            }
        }
        if let Some((list, items)) = self.items.take() {
            let at = self.f.inputs(i).iter().position(|o| o.register() == list);
            if let (Some(at), Ok(first)) = (at, u16::try_from(sources.len())) {
                sources[at] = Source::Items(first, items.len() as u16);
                sources.extend(items);
            }
        }
        let dests: Vec<Dest> = self.f.outputs(i).iter().map(|r| self.result(*r)).collect();
        self.site(sources, dests)
    }

    fn words_call(&mut self, form: direct::Form, inputs: &[Operand], outputs: &[Register], operator: u32) -> bool {
        if !inputs.iter().all(|o| self.can_be(*o, form.arguments)) {
            return false;
        }
        let mut words = [0u8; 3];
        let start = (self.code.steps.len(), self.temporary);
        for (w, o) in words.iter_mut().zip(inputs) {
            match self.word(*o, form.arguments) {
                Some(word) => *w = word,
                None => {
                    // No room for another word: as it was.
                    self.code.steps.truncate(start.0);
                    self.code.at.truncate(start.0);
                    self.temporary = start.1;
                    return false;
                }
            }
        }
        let dest = outputs.first().map_or(Dest::Nowhere, |r| self.dest(*r));
        let to = match dest {
            Dest::Word(kind, w) if kind == form.result => w,
            _ => TEMPORARIES - 1,
        };
        let kernel = if form.total {
            NONE
        } else {
            let sources: Vec<Source> = inputs.iter().zip(words).map(|(_, w)| Source::Word(form.arguments, w)).collect();
            let site = self.site(sources, [Dest::Word(form.result, to)]);
            self.code.kernels.push(Kernel { operator, site });
            self.code.kernels.len() as u32 - 1
        };
        let [a, b, c] = words;
        self.push(match form.code {
            direct::Code::One(f) => Step::One { f, a, to, kernel },
            direct::Code::Two(f) => Step::Two { f, a, b, to, kernel },
            direct::Code::Three(f) => Step::Three { f, a, b, c, to, kernel },
        });
        match dest {
            Dest::Box(register) => self.push(Step::Box { kind: form.result, from: to, to: register }),
            Dest::Word(kind, w) if kind != form.result => self.push(Step::CopyWord { from: to, to: w }),
            _ => {}
        }
        true
    }

    fn loop_words(&mut self, top: &Instruction) -> Option<[u8; 3]> {
        let [counter, limit, condition] = self.f.inputs(top) else { return None };
        let lies = |o: &Operand, kind| !matches!(self.slot(o.register()), Slot::Box(_)) && self.can_be(*o, kind);
        if !lies(counter, Kind::Int) || !lies(limit, Kind::Int) || !lies(condition, Kind::Bool) {
            return None;
        }
        Some([self.word(*counter, Kind::Int)?, self.word(*limit, Kind::Int)?, self.word(*condition, Kind::Bool)?])
    }

    /// Counting and the jump to the loop's top as one step.
    fn loop_end(&mut self, to: u8, from: u8, next: Option<&Instruction>) -> bool {
        let Some(Op::Jump(top)) = next.map(|n| n.op).filter(|_| !self.plain) else { return false };
        let i = self.f.code[top as usize];
        let Op::LoopUnless(_) = i.op else { return false };
        let Some([counter, limit, condition]) = self.loop_words(&i) else { return false };
        if counter != to || from != to || top >= self.pc {
            return false;
        }
        // What follows it is the jump of the last turn.
        self.push(Step::LoopEnd { counter, limit, condition, body: top + 1, cost: self.pc + 2 - top });
        true
    }

    fn jump(&mut self, target: u32) {
        let cost = if target <= self.pc { self.pc + 1 - target } else { 0 };
        let i = self.f.code[target as usize];
        match (i.op, self.code.steps.last()) {
            // After `LoopEnd` there is no other turn.
            (Op::LoopUnless(exit), Some(Step::LoopEnd { body, .. }))
                if *body == target + 1 && !self.leaders[self.pc as usize] =>
            {
                self.push(Step::Jump { target: exit, cost: 0 });
            }
            // A test at the top of a loop is made where the loop jumps to it.
            (Op::JumpUnless(exit), _) if cost > 0 && !self.plain => {
                let condition = self.f.inputs(&i)[0];
                match self.slot(condition.register()) {
                    Slot::Word(Kind::Bool | Kind::Int, a) => {
                        self.test(a, true, target + 1, cost);
                        self.push(Step::Jump { target: exit, cost: 0 });
                    }
                    _ => self.push(Step::Jump { target, cost }),
                }
            }
            _ => self.push(Step::Jump { target, cost }),
        }
    }

    fn jump_unless(&mut self, condition: Operand, target: u32) {
        let cost = if target <= self.pc { self.pc + 1 - target } else { 0 };
        match self.slot(condition.register()) {
            Slot::Word(Kind::Bool | Kind::Int, a) => self.test(a, false, target, cost),
            _ => {
                let from = self.source(condition);
                self.push(Step::JumpUnlessBox { from, target });
            }
        }
    }

    /// A jump on a word, together with the comparison that has just made it.
    fn test(&mut self, condition: u8, when: bool, target: u32, cost: u32) {
        let here = self.leaders[self.pc as usize];
        match self.code.steps.last().copied() {
            Some(Step::Two { f, a, b, to, kernel: NONE }) if to == condition && !here && !self.plain => {
                let last = self.code.steps.len() - 1;
                self.code.steps[last] = Step::Test { f, a, b, to, when, target, cost };
            }
            _ => self.push(Step::JumpIf { a: condition, when, target, cost }),
        }
    }

    /// Several moves at once: each reads before any writes.
    fn moves(&mut self, outputs: &[Register], inputs: &[Operand]) {
        let mut pending = Vec::with_capacity(inputs.len());
        for (r, o) in outputs.iter().zip(inputs) {
            let source = match self.dest(*r) {
                // A number that the program does not look at may be any.
                Dest::Word(kind, _) if self.unset[o.register() as usize] => {
                    self.constant_word(0).map(|w| Source::Word(kind, w))
                }
                _ => None,
            };
            pending.push((self.dest(*r), source.unwrap_or_else(|| self.source(*o))));
        }
        let same = |d: Dest, s: Source| match (d, s) {
            (Dest::Box(a), Source::Copy(b) | Source::Move(b)) => a == b,
            (Dest::Word(_, a), Source::Word(_, b)) => a == b,
            _ => false,
        };
        // A register that keeps its value here is not emptied by another move that reads it.
        let kept: Vec<u32> = pending
            .iter()
            .filter(|(d, s)| same(*d, *s))
            .filter_map(|(d, _)| match d {
                Dest::Box(r) => Some(*r),
                _ => None,
            })
            .collect();
        for (_, source) in &mut pending {
            if let Source::Move(r) = *source
                && kept.contains(&r)
            {
                *source = Source::Copy(r);
            }
        }
        pending.retain(|(d, s)| !same(*d, *s) && *d != Dest::Nowhere);
        // A register that a later move reads again is emptied by the last one only.
        while !pending.is_empty() {
            let free =
                (0..pending.len()).find(|&k| (0..pending.len()).all(|j| j == k || !same(pending[k].0, pending[j].1)));
            match free {
                Some(k) => {
                    let (dest, mut source) = pending.remove(k);
                    let again = |s: Source| matches!((s, source), (Source::Move(x) | Source::Copy(x), Source::Move(r)) if x == r);
                    if let (Source::Move(r), Some(j)) = (source, pending.iter().position(|(_, s)| again(*s))) {
                        pending[j].1 = Source::Move(r);
                        source = Source::Copy(r);
                    }
                    self.one_move(dest, source);
                }
                None => {
                    // A circle: one of its values waits elsewhere.
                    let source = pending[0].1;
                    let aside = match source {
                        Source::Word(kind, w) => {
                            self.push(Step::CopyWord { from: w, to: TEMPORARIES - 1 });
                            Source::Word(kind, TEMPORARIES - 1)
                        }
                        other => {
                            self.boxes += 1;
                            self.push(Step::MoveBox { from: other, to: self.boxes - 1 });
                            Source::Move(self.boxes - 1)
                        }
                    };
                    // The circle's other moves are free now, and this one after them.
                    pending[0].1 = aside;
                }
            }
        }
    }

    fn one_move(&mut self, dest: Dest, source: Source) {
        match (dest, source) {
            (Dest::Nowhere, _) => {}
            (Dest::Box(to), Source::Word(kind, from)) => self.push(Step::Box { kind, from, to }),
            (Dest::Box(to), from) => self.push(Step::MoveBox { from, to }),
            (Dest::Word(Kind::Float, to), Source::Word(Kind::Int | Kind::Bool, from)) => {
                self.push(Step::ToFloat { from, to })
            }
            (Dest::Word(_, to), Source::Word(_, from)) => self.push(Step::CopyWord { from, to }),
            (Dest::Word(kind, to), Source::Constant(c)) => match kind.word(&self.code.constants[c as usize]) {
                Ok(word) => self.push(Step::SetWord { to, word }),
                Err(_) => self.push(Step::Unbox { kind, from: source, to }),
            },
            (Dest::Word(kind, to), from) => self.push(Step::Unbox { kind, from, to }),
        }
    }

    /// Jumps go to steps from here on.
    fn link(&mut self) {
        let first = &self.code.first;
        for step in &mut self.code.steps {
            match step {
                Step::Test { target: t, .. }
                | Step::Jump { target: t, .. }
                | Step::JumpIf { target: t, .. }
                | Step::JumpUnlessBox { target: t, .. }
                | Step::LoopTop { exit: t, .. }
                | Step::LoopTopBox { exit: t, .. }
                | Step::LoopEnd { body: t, .. } => *t = first[*t as usize],
                _ => {}
            }
        }
    }
}
