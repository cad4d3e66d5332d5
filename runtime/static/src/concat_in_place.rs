//! Concatenations whose parts are made where the whole has them: which results may lie inside of which, so that `cat` finds them there and copies the rest.
//!
//! A part lies in the whole in one piece where nothing stands before the dimension that is joined but dimensions of size 1: channels of a batch of one. Sizes
//! are those that runs have shown, so a part is placed from the second run on.

use crate::plan::{Aliases, Candidate, Home, Kind, NONE, Node, Part};
use rustc_hash::FxHashMap;
use sconce_schema::effect::Write;
use sconce_schema::{OpEntry, ops};
use sconce_tensor::{IValue, Tensor};
use std::ops::Range;
use std::sync::Mutex;

/// Results inside of one another, at any depth, and tensors of one concatenation; of larger ones everything is copied.
const MOST: usize = 1024;

/// Times that the sizes of what is joined may change; then they are taken to vary, and everything is copied.
const CHANGES: u32 = 8;

/// A node that joins tensors along a dimension.
pub(crate) struct Concat {
    /// The number of its result.
    pub whole: u32,
    /// Results that may be made inside of it.
    pub parts: Vec<Inside>,
    /// The dimension is a new one (`stack`).
    stacks: bool,
    /// What runs have shown, in any instance.
    pub seen: Mutex<Joined>,
}

/// A result that may be made inside of another.
pub(crate) struct Inside {
    pub candidate: u32,
    /// The tensors that it stands for, by their numbers in the list that is joined: itself, or, where it joins a run of them, that run.
    pub tensors: Range<usize>,
}

/// Whether a node joins the tensors of its first argument, and whether it does so along a new dimension.
fn joins(entry: &OpEntry) -> Option<bool> {
    match entry.op() {
        ops::aten::cat | ops::aten::concat | ops::aten::concatenate => Some(false),
        ops::aten::stack => Some(true),
        _ => None,
    }
}

/// What a concatenation has joined: the bytes of each tensor, where they lie one behind the other in the whole; else none.
#[derive(Clone, Default)]
pub(crate) struct Joined {
    pub bytes: Box<[usize]>,
    changes: u32,
}

impl Joined {
    /// Whether the arguments of a call are joined as these were, or are no longer looked at.
    pub fn is_of(&self, concat: &Concat, args: &[IValue]) -> bool {
        self.changes > CHANGES
            || in_turn(concat, args, |tensors| {
                tensors.len() == self.bytes.len() && tensors.iter().zip(&self.bytes).all(|(t, n)| bytes_of(t) == *n)
            })
            .unwrap_or(self.bytes.is_empty())
    }

    /// Takes note of other arguments.
    pub fn learn(&mut self, concat: &Concat, args: &[IValue]) {
        self.changes += u32::from(!self.bytes.is_empty());
        let lengths = || in_turn(concat, args, |tensors| tensors.iter().map(bytes_of).collect());
        self.bytes = if self.changes > CHANGES { None } else { lengths() }.unwrap_or_default();
    }
}

/// Bytes of an element of a list of tensors.
fn bytes_of(t: &IValue) -> usize {
    t.as_tensor().map_or(0, |t| t.numel() * t.dtype().size())
}

/// What is said of the tensors that a call joins, if they lie one behind the other in the whole.
fn in_turn<R>(concat: &Concat, args: &[IValue], say: impl FnOnce(&[IValue]) -> R) -> Option<R> {
    let [IValue::List(list), IValue::Int(dim), ..] = args else { return None };
    let list = list.read();
    let first = list.first()?.as_tensor().ok()?;
    let whole_rank = first.dim() + usize::from(concat.stacks);
    let dim = if *dim < 0 { dim.checked_add(whole_rank as i64)? } else { *dim };
    let dim = usize::try_from(dim).ok().filter(|d| *d < whole_rank)?;
    let is_row = |t: &Tensor| {
        let plain = t.quantizer().is_none() && t.lengths().is_none();
        let alike = t.dtype() == first.dtype() && t.dim() == first.dim();
        plain && alike && t.is_contiguous() && t.sizes()[..dim].iter().all(|n| *n == 1)
    };
    list.iter().all(|t| t.as_tensor().is_ok_and(is_row)).then(|| say(&list))
}

/// Finds the concatenations of a function, and for each result at most one place inside of another. `writers` says how many instructions write each slot.
pub(crate) fn concats(nodes: &mut [Node], candidates: &[Candidate], aliases: &Aliases, writers: &[u32]) -> Vec<Concat> {
    let lists = lists(nodes, writers);
    if lists.is_empty() {
        return Vec::new();
    }
    let mut nests = Nests::new(nodes, candidates, aliases, writers);
    let (mut found, mut joining) = (Vec::new(), Vec::new());
    for (at, node) in nodes.iter().enumerate() {
        let Kind::Operator { bound, .. } = &node.kind else { continue };
        let Some((list, stacks)) = node.inputs.first().zip(joins(bound.entry())) else { continue };
        let made = lists.get(&list.slot).map(|made| &nodes[*made]);
        let Some(made) = made.filter(|m| list.part == Part::Whole && m.block == node.block) else { continue };
        if let Some(parts) = nests.parts(at, made, stacks) {
            joining.push(at);
            found.push(Concat { whole: node.candidates[0], parts, stacks, seen: Mutex::default() });
        }
    }
    (0..).zip(joining).for_each(|(number, at)| nodes[at].concat = number);
    found
}

/// The nodes that make lists which stay as they are made, by the list's slot: nobody changes one, or has it by another name.
fn lists(nodes: &[Node], writers: &[u32]) -> FxHashMap<u32, usize> {
    let mut lists = FxHashMap::default();
    for (at, node) in nodes.iter().enumerate() {
        if matches!(node.kind, Kind::List(_)) && node.inputs.len() <= MOST && writers[node.outputs[0] as usize] == 1 {
            lists.insert(node.outputs[0], at);
        }
    }
    for node in nodes {
        let is_read = |i: usize| match &node.kind {
            Kind::Operator { bound, .. } => bound.entry().schema().arguments.get(i).is_some_and(|a| a.alias.is_none()),
            Kind::Drop => true,
            _ => false,
        };
        for (_, list) in node.inputs.iter().enumerate().filter(|(i, l)| l.part == Part::Whole && !is_read(*i)) {
            lists.remove(&list.slot);
        }
    }
    lists
}

/// For each slot, one more than the last node that may write to a tensor in it; the largest number where that may be any.
fn writes(nodes: &[Node], slots: usize) -> Vec<usize> {
    let mut written = vec![0; slots];
    for (at, node) in nodes.iter().enumerate() {
        let mut note = |i: usize, end: usize| {
            if let Some(input) = node.inputs.get(i) {
                let written = &mut written[input.slot as usize];
                *written = end.max(*written);
            }
        };
        match &node.kind {
            Kind::Operator { bound, .. } => {
                let (effect, arguments) = (bound.entry().effect(), &bound.entry().schema().arguments);
                let is_tensor = |w: &Write| w.elements || arguments[w.argument].ty.is_tensor();
                effect.writes.iter().filter(|w| is_tensor(w)).for_each(|w| note(w.argument, at + 1));
                effect.writes_unless_false.iter().flat_map(|w| &w.1).for_each(|i| note(*i, at + 1));
                // What is put into a container, others may have from there.
                if !effect.keeps.is_empty() || !effect.writes.iter().all(is_tensor) {
                    (0..node.inputs.len()).for_each(|i| note(i, usize::MAX));
                }
            }
            // The same, and a fork runs while others do.
            Kind::Interpret(_) | Kind::Run(_) | Kind::Fork(_) | Kind::Wait => {
                (0..node.inputs.len()).for_each(|i| note(i, usize::MAX));
            }
            _ => {}
        }
    }
    written
}

/// A concatenation of which every tensor is made in its place.
struct Outermost {
    candidate: u32,
    slots: Vec<u32>,
}

/// Which results lie inside of which.
struct Nests<'a> {
    nodes: &'a [Node],
    candidates: &'a [Candidate],
    /// The candidate that a slot holds, where nothing else is ever in it.
    of_slot: FxHashMap<u32, u32>,
    /// For each candidate, one more than the last node that may write to it; the largest number where that may be any.
    written: Vec<usize>,
    /// For each candidate whether it has its place in another.
    inside: Vec<bool>,
    /// For each candidate itself and what lies inside of it, at any depth.
    members: FxHashMap<u32, Vec<u32>>,
    /// By the first tensor that it joins, the last concatenation.
    latest: FxHashMap<u32, Outermost>,
}

impl<'a> Nests<'a> {
    fn new(nodes: &'a [Node], candidates: &'a [Candidate], aliases: &Aliases, writers: &[u32]) -> Nests<'a> {
        let mut nests = Nests {
            nodes,
            candidates,
            of_slot: FxHashMap::default(),
            written: vec![0; candidates.len()],
            inside: vec![false; candidates.len()],
            members: FxHashMap::default(),
            latest: FxHashMap::default(),
        };
        let written = writes(nodes, writers.len());
        for node in nodes {
            for (&slot, &candidate) in node.outputs.iter().zip(&node.candidates).filter(|(_, c)| **c != NONE) {
                nests.of_slot.extend((writers[slot as usize] == 1).then_some((slot, candidate)));
                if candidates[candidate as usize].home == Home::Slab {
                    let last = aliases.reach(slot).iter().map(|s| written[*s as usize]).max();
                    nests.written[candidate as usize] = last.unwrap_or_default();
                }
            }
        }
        nests
    }

    /// What may be made inside of the result of a node that joins the tensors of a list; none when that has no place of its own.
    fn parts(&mut self, at: usize, list: &Node, stacks: bool) -> Option<Vec<Inside>> {
        let whole = *self.nodes[at].candidates.first().filter(|c| **c != NONE)?;
        if self.candidates[whole as usize].home != Home::Slab || list.inputs.is_empty() {
            return None;
        }
        let slots: Vec<u32> = list.inputs.iter().map(|i| if i.part == Part::Whole { i.slot } else { NONE }).collect();
        let is_written = self.written[whole as usize] > 0;
        let (mut members, mut parts, mut next) = (vec![whole], Vec::new(), 0);
        while let Some(slot) = slots.get(next) {
            let run = self.run(&slots[next..]).filter(|_| !stacks);
            let alone = self.of_slot.get(slot).map(|c| (*c, 1));
            let may = |(c, _): &(u32, usize)| self.may_lie(*c, at, is_written, members.len());
            let Some((candidate, count)) = run.filter(may).or(alone.filter(may)) else {
                next += 1;
                continue;
            };
            self.inside[candidate as usize] = true;
            members.extend(self.members.remove(&candidate).unwrap_or_else(|| vec![candidate]));
            parts.push(Inside { candidate, tensors: next..next + count });
            next += count;
        }
        self.members.insert(whole, members);
        let made: usize = parts.iter().map(|p| p.tensors.len()).sum();
        if made == slots.len() && !stacks {
            self.latest.insert(slots[0], Outermost { candidate: whole, slots });
        }
        Some(parts)
    }

    /// An earlier concatenation of the first of these slots, and of how many: what joins them and more can have its result for a part. None of them is written to
    /// after it, since they were made inside of it.
    fn run(&self, slots: &[u32]) -> Option<(u32, usize)> {
        let earlier = self.latest.get(&slots[0]).filter(|o| slots.starts_with(&o.slots))?;
        Some((earlier.candidate, earlier.slots.len()))
    }

    /// Whether a result may be made inside of that of the concatenation at a node, in which so many are already. What it holds is not written to from there on,
    /// by its own name or the whole's.
    fn may_lie(&self, candidate: u32, at: usize, is_written: bool, members: usize) -> bool {
        let Candidate { node, home, .. } = self.candidates[candidate as usize];
        let (made, joined) = (&self.nodes[node as usize], &self.nodes[at]);
        if self.inside[candidate as usize] || home != Home::Slab || node as usize >= at || made.block != joined.block {
            return false;
        }
        let inner = self.members.get(&candidate).map_or(std::slice::from_ref(&candidate), Vec::as_slice);
        // A function ends with other nodes.
        let outlives = |c: &u32| self.candidates[*c as usize].alive.contains(at as u32 + 1);
        inner.len() + members <= MOST
            && self.written[candidate as usize] <= at
            && !(is_written && inner.iter().any(outlives))
    }
}
