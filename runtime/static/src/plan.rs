//! A function made ready for planned runs: nodes over one array of values, each with its mode, what it borrows, what dies with it, and which results a
//! planner may place. Immutable and shared by all instances.

use crate::blocks::{Block, blocks};
use crate::concat_in_place::{Concat, concats};
use crate::live::{Flow, Liveness, Set, liveness};
use crate::loops::{NumberLoop, number_loops};
use crate::module::{Builder, LoadError};
use crate::options::Options;
use crate::planner::Learned;
use crate::pool::Pool;
use rustc_hash::FxHashMap;
use sconce_interpreter::program::{Function, FunctionId, Instruction, NameId, Op, Parameter, Pc, Register};
use sconce_kernels::Bound;
use sconce_schema::{OpEntry, Trait, Type};
use sconce_tensor::IValue;
use std::sync::Arc;
use std::sync::atomic::AtomicU8;

/// No slot, candidate, cache or concatenation.
pub(crate) const NONE: u32 = u32::MAX;

/// Bits of liveness that a plan is worth; a larger function runs without managed results.
const MAX_BITS: usize = 1 << 32;

/// A part of the value in a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Whole,
    /// An element of a tuple or list, borrowed: the container stays where it is.
    At(u32),
    /// The value of a dictionary under the key in this slot.
    Key(u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub slot: u32,
    pub part: Part,
    /// The slot's last use on this path, so that the value is taken.
    pub last: bool,
}

/// What a node does.
pub(crate) enum Kind {
    Parameters,
    Return,
    /// A kernel, with what completes its arguments.
    Operator {
        bound: Bound,
        rest: Box<[IValue]>,
    },
    /// A function of the interpreter that does what the instruction did.
    Interpret(FunctionId),
    /// A function with a plan of its own.
    Run(FunctionId),
    Fork(FunctionId),
    Wait,
    Jump(u32),
    JumpUnless(u32),
    LoopUnless(u32),
    Next,
    Move,
    Drop,
    Tuple,
    List(Type),
    /// What is borrowed is there: so many elements ([`NONE`]: the one or the key that the input names). Where it is not, what the node was says so.
    Borrow {
        elements: u32,
        was: Box<(Kind, Box<[Input]>)>,
    },
    /// An instruction that needs only its inputs.
    Apply(Op),
    GetAttr(NameId),
    SetAttr(NameId),
    Constant(u32),
}

/// One step (PyTorch's `ProcessedNode`).
pub(crate) struct Node {
    pub kind: Kind,
    /// The instruction it was made of.
    pub pc: Pc,
    pub inputs: Box<[Input]>,
    pub outputs: Box<[u32]>,
    /// Slots that die here and are not taken as inputs.
    pub releases: Box<[u32]>,
    /// For each output, the number of the result that a planner may place.
    pub candidates: Box<[u32]>,
    /// Of a list or tuple, where its handle waits for the next run.
    pub cache: u32,
    /// Of a node that joins tensors, its number among those.
    pub concat: u32,
    /// Whether the kernel is told the places.
    pub offers: bool,
    /// Whether a view of the first argument is copied to its place.
    pub copies: bool,
    pub block: u32,
}

impl Node {
    /// Whether what it does is done by instructions of their own, which a profile counts.
    pub fn is_run_elsewhere(&self) -> bool {
        matches!(self.kind, Kind::Interpret(_) | Kind::Run(_))
    }

    fn new(kind: Kind, pc: Pc, inputs: impl Iterator<Item = Register>, outputs: Box<[Register]>) -> Node {
        Node {
            kind,
            pc,
            inputs: inputs.map(|slot| Input { slot, part: Part::Whole, last: false }).collect(),
            outputs,
            releases: Box::default(),
            candidates: Box::default(),
            cache: NONE,
            concat: NONE,
            offers: false,
            copies: false,
            block: 0,
        }
    }
}

/// Where a result may lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Home {
    Slab,
    /// It leaves the function.
    Arena,
    /// The kernel's own allocation: it leaves the function, or the next round of a loop needs the last round's.
    Free,
}

/// A result of a kernel that might be told where to put it.
pub(crate) struct Candidate {
    pub node: u32,
    pub home: Home,
    /// Nodes at which it, or a view of it, is alive.
    pub alive: Set,
}

/// A list or tuple whose handle is used again in the next run.
#[derive(Clone, Copy)]
pub(crate) struct Cache {
    /// It leaves the function: whether the caller still has it is asked when it is wanted again.
    pub leaves: bool,
}

pub(crate) struct Plan {
    pub function: FunctionId,
    pub nodes: Vec<Node>,
    pub slots: usize,
    /// Slots that hold a constant before the first node, and always.
    pub presets: Vec<(u32, IValue)>,
    pub is_preset: Vec<bool>,
    /// For each slot, the cache that its list or tuple goes to when it dies.
    pub cache_of: Vec<u32>,
    pub caches: Vec<Cache>,
    pub candidates: Vec<Candidate>,
    /// Candidates in the arena.
    pub outputs: Vec<usize>,
    pub concats: Vec<Concat>,
    pub blocks: Vec<Block>,
    pub shares: bool,
    pub learned: Learned,
    /// What runs have shown of each node: bit 0, it ran; bit 1, its kernel asked for a place.
    pub seen: Vec<AtomicU8>,
    pub pool: Pool,
}

impl Plan {
    /// Whether two results are ever needed at once.
    pub fn meet(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.candidates[a], &self.candidates[b]);
        a.node == b.node || a.alive.contains(b.node) || b.alive.contains(a.node)
    }

    /// The slot that a result is first in.
    pub fn slot_of(&self, candidate: usize) -> u32 {
        let node = &self.nodes[self.candidates[candidate].node as usize];
        let mut results = node.candidates.iter().zip(&node.outputs);
        results.find(|(c, _)| **c as usize == candidate).map_or(NONE, |(_, slot)| *slot)
    }
}

/// Whether a value of this type may hold a tensor or a container.
pub(crate) fn holds(ty: &Type) -> bool {
    match ty {
        Type::Int | Type::Float | Type::Bool | Type::Complex | Type::Number | Type::Str | Type::None => false,
        Type::Device | Type::SymInt | Type::SymFloat | Type::SymBool | Type::ScalarType | Type::Layout => false,
        Type::MemoryFormat | Type::Generator => false,
        Type::Optional(t) | Type::List(t) => holds(t),
        _ => true,
    }
}

/// The plan as it is made.
struct Draft<'b, 'p> {
    builder: &'b mut Builder<'p>,
    function: Arc<Function>,
    id: FunctionId,
    /// How many instructions write each register.
    writers: Vec<u32>,
    nodes: Vec<Option<Node>>,
    presets: FxHashMap<u32, IValue>,
    /// What each borrowed register stands for.
    borrowed: FxHashMap<u32, (u32, Part)>,
}

/// Plans a function of the builder's program.
pub(crate) fn plan(builder: &mut Builder<'_>, id: FunctionId, options: &Options) -> Result<Plan, LoadError> {
    let function = Arc::new(builder.program.functions[id as usize].clone());
    let mut writers = vec![0; function.registers as usize];
    for i in &function.code {
        function.outputs(i).iter().for_each(|r| writers[*r as usize] += 1);
    }
    let mut draft = Draft {
        builder,
        function,
        id,
        writers,
        nodes: Vec::new(),
        presets: FxHashMap::default(),
        borrowed: FxHashMap::default(),
    };
    draft.nodes()?;
    draft.hoist_lists();
    draft.borrow();
    Ok(draft.finish(options))
}

impl Draft<'_, '_> {
    fn nodes(&mut self) -> Result<(), LoadError> {
        let function = self.function.clone();
        if !matches!(function.code.first().map(|i| i.op), Some(Op::Load)) {
            let what = "a function that does not begin with its parameters".into();
            return Err(LoadError::Unsupported { what, function: function.name.to_string() });
        }
        let mut loops = number_loops(self.builder, &function).into_iter().peekable();
        for (pc, i) in (0..).zip(&function.code) {
            if let Some(whole) = loops.next_if(|l| l.start == pc) {
                self.number_loop(whole);
            }
            // What a loop took is there already.
            if pc < self.nodes.len() as Pc {
                continue;
            }
            let outputs = function.outputs(i);
            if let (Op::Constant(c), &[r]) = (i.op, outputs)
                && self.writers[r as usize] == 1
            {
                self.presets.insert(r, self.builder.program.constants[c as usize].clone());
                self.nodes.push(None);
                continue;
            }
            let kind = self.kind(&function, pc, i)?;
            let inputs = function.inputs(i).iter().map(|o| o.register());
            self.nodes.push(Some(Node::new(kind, pc, inputs, outputs.into())));
        }
        Ok(())
    }

    /// One node for all of a loop's instructions.
    fn number_loop(&mut self, whole: NumberLoop) {
        self.builder.program.functions.push(whole.function);
        let kind = Kind::Interpret(self.builder.program.functions.len() as FunctionId - 1);
        self.nodes.push(Some(Node::new(kind, whole.start, whole.inputs.iter().copied(), whole.outputs)));
        self.nodes.extend((whole.start + 1..whole.end).map(|_| None));
    }

    fn kind(&mut self, function: &Function, pc: Pc, i: &Instruction) -> Result<Kind, LoadError> {
        Ok(match i.op {
            Op::Load => Kind::Parameters,
            Op::Store => Kind::Return,
            Op::Constant(c) => Kind::Constant(c),
            Op::Call(o) => match self.builder.bound(o) {
                Some(bound) => {
                    let arguments = &bound.entry().schema().arguments;
                    let default = |a: &sconce_schema::Argument| {
                        let value = a.default.as_ref().map(|d| sconce_kernels::defaults::default_value(d, a));
                        value.unwrap_or_default()
                    };
                    let rest = arguments.iter().skip(function.inputs(i).len()).map(default).collect();
                    Kind::Operator { bound, rest }
                }
                None => {
                    self.builder.interpreted.push(self.builder.program.operators[o as usize].clone());
                    self.outline(function, pc, i)
                }
            },
            Op::Move => Kind::Move,
            Op::Drop => Kind::Drop,
            Op::Jump(t) => Kind::Jump(t),
            Op::JumpUnless(t) => Kind::JumpUnless(t),
            Op::LoopUnless(t) => Kind::LoopUnless(t),
            Op::Next => Kind::Next,
            Op::TupleConstruct => Kind::Tuple,
            Op::ListConstruct(t) => Kind::List(match &self.builder.program.types[t as usize] {
                Type::List(element) => Type::clone(element),
                other => other.clone(),
            }),
            Op::GetAttr(n) => Kind::GetAttr(n),
            Op::SetAttr(n) => Kind::SetAttr(n),
            Op::Fork(f) => Kind::Fork(f),
            Op::Wait => Kind::Wait,
            Op::CallFunction(f) if self.builder.is_planned(f) => Kind::Run(f),
            Op::TupleUnpack
            | Op::TupleIndex
            | Op::TupleSlice { .. }
            | Op::NamedTupleConstruct(_)
            | Op::ListUnpack
            | Op::DictConstruct(_)
            | Op::ConstantChunk { .. }
            | Op::IsInstance(_)
            | Op::UncheckedCast(_)
            | Op::EnumName
            | Op::EnumValue
            | Op::ToList(_)
            | Op::CopyTensor => Kind::Apply(i.op),
            Op::Enter | Op::Exit => {
                return Err(LoadError::Unsupported {
                    what: "a `with` statement".into(),
                    function: function.name.to_string(),
                });
            }
            Op::Uninitialized
            | Op::Raise
            | Op::Print
            | Op::CreateObject(_)
            | Op::CallFunction(_)
            | Op::CallMethod(_)
            | Op::Region(_) => self.outline(function, pc, i),
        })
    }

    /// A function of the interpreter's that holds this instruction alone.
    fn outline(&mut self, function: &Function, pc: Pc, i: &Instruction) -> Kind {
        let (inputs, outputs) = (function.inputs(i).len() as u32, function.outputs(i).len() as u32);
        let mut alone = Function { name: function.name.clone(), registers: inputs + outputs, ..Function::default() };
        alone.parameters = (0..inputs).map(|n| Parameter::new(format!("{n}"), Type::Any)).collect();
        alone.results = vec![Type::Any; outputs as usize];
        let moved = sconce_interpreter::program::Operand::moved;
        alone.push(Op::Load, 0..inputs, [], None);
        alone.push(i.op, inputs..inputs + outputs, (0..inputs).map(moved), function.places[pc as usize]);
        alone.push(Op::Store, [], (inputs..inputs + outputs).map(moved), None);
        self.builder.program.functions.push(alone);
        Kind::Interpret(self.builder.program.functions.len() as FunctionId - 1)
    }

    /// Lists of constants that kernels only read are made once.
    fn hoist_lists(&mut self) {
        let mut readers: FxHashMap<u32, bool> = FxHashMap::default();
        for node in self.nodes.iter().flatten() {
            for (i, input) in node.inputs.iter().enumerate() {
                let only_read = match &node.kind {
                    Kind::Operator { bound, .. } => {
                        let argument = bound.entry().schema().arguments.get(i);
                        argument.is_some_and(|a| a.alias.is_none() && !holds(&a.ty))
                    }
                    Kind::Drop => true,
                    _ => false,
                };
                *readers.entry(input.slot).or_insert(true) &= only_read;
            }
        }
        for slot in &mut self.nodes {
            let Some(Node { kind: Kind::List(element), inputs, outputs, .. }) = slot else { continue };
            let [output] = outputs[..] else { continue };
            let constants: Option<Vec<IValue>> = inputs
                .iter()
                .map(|i| self.presets.get(&i.slot).filter(|v| !matches!(v, IValue::Tensor(_))).cloned())
                .collect();
            let fixed = self.writers[output as usize] == 1 && readers.get(&output).copied().unwrap_or(true);
            if let (Some(items), true, false) = (constants, fixed, holds(element)) {
                self.presets.insert(output, IValue::list(element.clone(), items));
                *slot = None;
            }
        }
    }

    /// Whether a list or dictionary may change while the function runs.
    fn containers_change(&self) -> bool {
        self.nodes.iter().flatten().any(|n| match &n.kind {
            Kind::Operator { bound, .. } => {
                let arguments = &bound.entry().schema().arguments;
                arguments.iter().any(|a| a.alias.as_ref().is_some_and(|i| i.is_write) && !a.ty.is_tensor())
            }
            Kind::Interpret(_) | Kind::Run(_) | Kind::Fork(_) | Kind::Wait | Kind::SetAttr(_) => true,
            _ => false,
        })
    }

    /// What is taken out of a tuple, or of a list or dictionary that does not change, is read where it lies.
    fn borrow(&mut self) {
        let live = liveness(&self.flows(), self.writers.len());
        let changes = self.containers_change();
        let mut writer_of = vec![usize::MAX; self.writers.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            for r in node.iter().flat_map(|n| n.outputs.iter()) {
                writer_of[*r as usize] = at;
            }
        }
        for at in 0..self.nodes.len() {
            let Some(node) = &self.nodes[at] else { continue };
            let Some(base) = node.inputs.first().map(|i| i.slot) else { continue };
            let index = |n: usize| match node.inputs.get(n).map(|i| self.presets.get(&i.slot)) {
                Some(Some(IValue::Int(i))) => u32::try_from(*i).ok(),
                _ => None,
            };
            let parts: Vec<Part> = match &node.kind {
                Kind::Apply(Op::TupleUnpack) => (0..node.outputs.len() as u32).map(Part::At).collect(),
                Kind::Apply(Op::ListUnpack) if !changes => (0..node.outputs.len() as u32).map(Part::At).collect(),
                Kind::Apply(Op::TupleIndex) => match index(1) {
                    Some(i) => vec![Part::At(i)],
                    None => continue,
                },
                Kind::Operator { bound, .. }
                    if !changes
                        && bound.entry().name.starts_with("aten::__getitem__.Dict_")
                        && node.inputs.get(1).is_some_and(|i| self.presets.contains_key(&i.slot)) =>
                {
                    vec![Part::Key(node.inputs[1].slot)]
                }
                _ => continue,
            };
            // The base must hold the same value wherever the borrowed are read.
            let writer = writer_of[base as usize];
            let once = |r: &u32| self.writers[*r as usize] == 1;
            let steady = self.presets.contains_key(&base)
                || (once(&base)
                    && writer != usize::MAX
                    && node.outputs.iter().all(|r| !live.before[writer].contains(*r)));
            if !steady || self.borrowed.contains_key(&base) || !node.outputs.iter().all(once) {
                continue;
            }
            let node = self.nodes[at].as_mut().expect("looked at above");
            let outputs = std::mem::take(&mut node.outputs);
            let exact = matches!(node.kind, Kind::Apply(Op::TupleUnpack | Op::ListUnpack));
            let elements = if exact { outputs.len() as u32 } else { NONE };
            let part = parts.first().copied().filter(|_| !exact).unwrap_or(Part::Whole);
            let inputs = std::mem::replace(&mut node.inputs, [Input { slot: base, part, last: false }].into());
            let kind = std::mem::replace(&mut node.kind, Kind::Drop);
            node.kind = Kind::Borrow { elements, was: Box::new((kind, inputs)) };
            for (r, part) in outputs.iter().zip(parts) {
                self.borrowed.insert(*r, (base, part));
            }
        }
        for node in self.nodes.iter_mut().flatten() {
            for input in &mut node.inputs {
                if let (Part::Whole, Some((slot, part))) = (input.part, self.borrowed.get(&input.slot)) {
                    *input = Input { slot: *slot, part: *part, last: false };
                }
            }
            if matches!(node.kind, Kind::Drop) {
                let kept = node.inputs.iter().filter(|i| !self.presets.contains_key(&i.slot));
                // To drop what is borrowed is to let go of what it lies in.
                node.inputs = kept.map(|i| Input { part: Part::Whole, ..*i }).collect();
            }
        }
    }

    fn flows(&self) -> Vec<Flow> {
        self.nodes.iter().map(|n| n.as_ref().map_or_else(Flow::nothing, |n| self.flow(n))).collect()
    }

    fn flow(&self, node: &Node) -> Flow {
        let mut reads: Vec<u32> = Vec::new();
        for input in &node.inputs {
            reads.push(input.slot);
            if let Part::Key(key) = input.part {
                reads.push(key);
            }
        }
        reads.retain(|r| !self.presets.contains_key(r));
        let target = match node.kind {
            Kind::Jump(t) | Kind::JumpUnless(t) | Kind::LoopUnless(t) => Some(t),
            _ => None,
        };
        let falls_through = !matches!(node.kind, Kind::Jump(_) | Kind::Return);
        Flow { reads, writes: node.outputs.to_vec(), target, falls_through }
    }

    fn finish(mut self, options: &Options) -> Plan {
        let slots = self.writers.len();
        self.compact();
        let blocks = blocks(&self.function.code);
        let live = liveness(&self.flows(), slots);
        let mut nodes: Vec<Node> = std::mem::take(&mut self.nodes).into_iter().flatten().collect();
        for node in &mut nodes {
            node.block = Block::innermost(&blocks, node.pc);
        }
        deaths(&mut nodes, &live, &|slot| self.presets.contains_key(&slot));
        let is_plain = |slot| self.presets.get(&slot).is_some_and(is_plain);
        let mut aliases = Aliases::of(&nodes, slots, &is_plain);
        if options.enable_out_variant && options.use_copy_variants {
            choose_copies(&mut nodes, &aliases);
            aliases = Aliases::of(&nodes, slots, &is_plain);
        }
        let (mut cache_of, mut caches) = (vec![NONE; slots], Vec::new());
        for node in &mut nodes {
            if let (Kind::Tuple | Kind::List(_), &[r]) = (&node.kind, &node.outputs[..]) {
                let leaves = aliases.reach(r).iter().any(|s| aliases.leaving.contains(*s));
                if self.writers[r as usize] == 1 {
                    cache_of[r as usize] = caches.len() as u32;
                }
                node.cache = caches.len() as u32;
                caches.push(Cache { leaves });
            }
        }
        let candidates = candidates(&mut nodes, &live, &aliases, slots, options);
        let concats = concats(&mut nodes, &candidates, &aliases, &self.writers);
        let mut is_preset = vec![false; slots];
        self.presets.keys().for_each(|r| is_preset[*r as usize] = true);
        let mut presets: Vec<(u32, IValue)> = self.presets.into_iter().collect();
        presets.sort_by_key(|p| p.0);
        let outputs = (0..candidates.len()).filter(|&c| candidates[c].home == Home::Arena).collect();
        Plan {
            function: self.id,
            slots,
            presets,
            is_preset,
            cache_of,
            caches,
            outputs,
            concats,
            blocks,
            shares: options.optimize_memory,
            learned: candidates.iter().map(|_| Default::default()).collect(),
            seen: nodes.iter().map(|_| Default::default()).collect(),
            candidates,
            nodes,
            pool: Pool::default(),
        }
    }

    /// Takes out what became nothing; jumps follow.
    fn compact(&mut self) {
        let mut place = Vec::with_capacity(self.nodes.len() + 1);
        let mut kept = 0u32;
        for node in &self.nodes {
            place.push(kept);
            let nothing = match node {
                None => true,
                Some(n) => matches!(n.kind, Kind::Drop) && n.inputs.is_empty(),
            };
            kept += u32::from(!nothing);
        }
        place.push(kept);
        self.nodes.retain(|n| n.as_ref().is_some_and(|n| !(matches!(n.kind, Kind::Drop) && n.inputs.is_empty())));
        for node in self.nodes.iter_mut().flatten() {
            if let Kind::Jump(t) | Kind::JumpUnless(t) | Kind::LoopUnless(t) = &mut node.kind {
                *t = place.get(*t as usize).copied().unwrap_or(kept);
            }
        }
    }
}

/// Marks the inputs that are taken, and the slots that are let go of otherwise.
fn deaths(nodes: &mut [Node], live: &Liveness, is_preset: &dyn Fn(u32) -> bool) {
    for (at, node) in nodes.iter_mut().enumerate() {
        let mut releases: Vec<u32> = Vec::new();
        let behind = &live.behind[at];
        for k in 0..node.inputs.len() {
            let slot = node.inputs[k].slot;
            if is_preset(slot) || behind.contains(slot) || node.outputs.contains(&slot) {
                continue;
            }
            let alone = node.inputs.iter().filter(|i| i.slot == slot).count() == 1;
            if alone && node.inputs[k].part == Part::Whole && !matches!(node.kind, Kind::Borrow { .. }) {
                node.inputs[k].last = true;
            } else if !releases.contains(&slot) {
                releases.push(slot);
            }
        }
        releases.extend(node.outputs.iter().filter(|r| !behind.contains(**r)));
        node.releases = releases.into();
    }
}

/// Which slots may hold what other slots hold, or a view of it, or a container with it.
pub(crate) struct Aliases {
    to: Vec<Vec<u32>>,
    /// Slots whose values leave the function.
    leaving: Set,
}

impl Aliases {
    /// Of nodes, given which slots always hold a [plain](is_plain) constant.
    fn of(nodes: &[Node], slots: usize, is_plain: &dyn Fn(u32) -> bool) -> Aliases {
        let mut aliases = Aliases { to: vec![Vec::new(); slots], leaving: Set::new(slots) };
        for node in nodes {
            match &node.kind {
                Kind::Return => node.inputs.iter().for_each(|i| aliases.leaving.insert(i.slot)),
                Kind::SetAttr(_) => node.inputs.iter().skip(1).for_each(|i| aliases.leaving.insert(i.slot)),
                Kind::Move => {
                    for (i, o) in node.inputs.iter().zip(&node.outputs) {
                        aliases.to[i.slot as usize].push(*o);
                    }
                }
                Kind::Operator { bound, .. } => aliases.operator(node, bound.entry()),
                _ => {
                    for i in &node.inputs {
                        aliases.to[i.slot as usize].extend(&node.outputs);
                    }
                    if let Kind::Interpret(_) | Kind::Run(_) | Kind::Fork(_) = node.kind {
                        // One operand may be put into another.
                        let may_hold: Vec<u32> = node.inputs.iter().map(|i| i.slot).filter(|s| !is_plain(*s)).collect();
                        for pair in may_hold.windows(2) {
                            aliases.to[pair[0] as usize].push(pair[1]);
                            aliases.to[pair[1] as usize].push(pair[0]);
                        }
                    }
                }
            }
        }
        if nodes.iter().any(|n| fills_a_container(n, is_plain)) {
            aliases.both_ways();
        }
        aliases
    }

    /// What goes into a container that was taken out of another is then in that other, too: `ll[0].append(a)`.
    fn both_ways(&mut self) {
        for from in 0..self.to.len() {
            for to in self.to[from].clone() {
                if !self.to[to as usize].contains(&(from as u32)) {
                    self.to[to as usize].push(from as u32);
                }
            }
        }
    }

    fn operator(&mut self, node: &Node, entry: &OpEntry) {
        let schema = entry.schema();
        let may_view = entry.has(Trait::MayView);
        if node.copies {
            // Where it cannot be a copy after all, the place it views is found to be in use.
            return;
        }
        let views = may_view || entry.has(Trait::View) || entry.has(Trait::Writes);
        for (i, argument) in node.inputs.iter().zip(&schema.arguments) {
            let is_source = may_view || argument.alias.is_some() || !argument.ty.is_tensor();
            if !is_source || !holds(&argument.ty) {
                continue;
            }
            for (o, result) in node.outputs.iter().zip(&schema.returns) {
                let container = !result.ty.is_tensor() && holds(&result.ty);
                if views || result.alias.is_some() || container {
                    self.to[i.slot as usize].push(*o);
                }
            }
        }
        // What is put into a container lives as long as it does.
        for (i, argument) in node.inputs.iter().zip(&schema.arguments) {
            if !argument.ty.is_tensor() && argument.alias.as_ref().is_some_and(|a| a.is_write) {
                for from in node.inputs.iter().filter(|f| f.slot != i.slot) {
                    self.to[from.slot as usize].push(i.slot);
                }
            }
        }
    }

    /// The slot and all that may hold what it holds.
    pub fn reach(&self, slot: u32) -> Vec<u32> {
        let mut found = vec![slot];
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            for to in &self.to[at as usize] {
                if !found.contains(to) {
                    found.push(*to);
                }
            }
            next += 1;
        }
        found
    }
}

/// May something that is in a slot become part of a container that is in another?
fn fills_a_container(node: &Node, is_plain: &dyn Fn(u32) -> bool) -> bool {
    match &node.kind {
        Kind::Operator { bound, .. } => {
            let schema = bound.entry().schema();
            let is_filled = |w: &sconce_schema::effect::Write| !schema.arguments[w.argument].ty.is_tensor();
            node.inputs.len() > 1 && bound.entry().effect().writes.iter().any(is_filled)
        }
        Kind::Interpret(_) | Kind::Run(_) | Kind::Fork(_) => {
            node.inputs.iter().filter(|i| !is_plain(i.slot)).count() > 1
        }
        _ => false,
    }
}

/// Whether a value neither is nor holds a tensor or a container: nothing is put into it, and it makes nothing of two things one.
fn is_plain(value: &IValue) -> bool {
    let is_number = matches!(value, IValue::Bool(_) | IValue::Int(_) | IValue::Double(_) | IValue::Complex(_));
    is_number || matches!(value, IValue::None | IValue::Str(_) | IValue::Device(_))
}

/// Marks the nodes whose views are copied. A copy is told from a view by whoever writes to it, or has it.
fn choose_copies(nodes: &mut [Node], aliases: &Aliases) {
    let writes = |n: &Node| match &n.kind {
        Kind::Operator { bound, .. } => bound.entry().has(Trait::Writes),
        Kind::Interpret(_) | Kind::Run(_) | Kind::Fork(_) | Kind::Wait => true,
        _ => false,
    };
    if nodes.iter().any(writes) {
        return;
    }
    for node in nodes {
        let Kind::Operator { bound, .. } = &node.kind else { continue };
        let stays = |slot: &u32| !aliases.reach(*slot).iter().any(|s| aliases.leaving.contains(*s));
        node.copies = bound.entry().has(Trait::MayView) && node.outputs.iter().all(stays);
    }
}

/// Numbers the results that kernels make anew, and says where each may lie.
fn candidates(
    nodes: &mut [Node],
    live: &Liveness,
    aliases: &Aliases,
    slots: usize,
    options: &Options,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    if !options.enable_out_variant {
        return found;
    }
    let fits = nodes.len().saturating_mul(slots) <= MAX_BITS;
    // For each slot the nodes at which it is alive.
    let mut alive = vec![Set::new(nodes.len()); if fits { slots } else { 0 }];
    for at in (0..nodes.len()).filter(|_| fits) {
        for slot in live.before[at].iter().chain(live.behind[at].iter()) {
            alive[slot as usize].insert(at as u32);
        }
    }
    for (at, node) in nodes.iter_mut().enumerate() {
        let Kind::Operator { bound, .. } = &node.kind else { continue };
        let entry = bound.entry();
        if entry.has(Trait::Writes) || entry.has(Trait::View) {
            continue;
        }
        let may_view = entry.has(Trait::MayView);
        node.offers = !may_view || options.use_maybe_copy_variants;
        let mut numbers = Vec::new();
        for (slot, result) in node.outputs.iter().zip(&entry.schema().returns) {
            let reach = aliases.reach(*slot);
            let leaves = reach.iter().any(|s| aliases.leaving.contains(*s));
            if !result.ty.is_tensor() || !(node.offers || node.copies) {
                numbers.push(NONE);
                continue;
            }
            let again = reach.iter().any(|s| live.before[at].contains(*s));
            let home = match (leaves, again || !fits) {
                (true, _) if options.manage_output_tensors => Home::Arena,
                (false, false) => Home::Slab,
                _ => Home::Free,
            };
            let mut during = Set::new(nodes_len(live));
            if home == Home::Slab {
                during.insert(at as u32);
                reach.iter().for_each(|s| during.add(&alive[*s as usize]));
            }
            numbers.push(found.len() as u32);
            found.push(Candidate { node: at as u32, home, alive: during });
        }
        node.candidates = numbers.into();
    }
    found
}

fn nodes_len(live: &Liveness) -> usize {
    live.before.len()
}
