//! Operations of a block between two that act, while groups are made of them: a group is moved as a whole, and nothing moves past what it depends on.

use super::is_differentiable;
use crate::graph::{inputs, is_constant, is_steady};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::Aliases;
use sconce_analysis::alias::id;
use sconce_analysis::operators::{is_silent, source};
use sconce_ir::prelude::*;

/// An operation, or several that are a group.
pub(super) struct Unit<'c, 'a> {
    /// In the order of the program.
    pub members: Vec<OperationRef<'c, 'a>>,
    /// What a group is given, in the order in which it came to be; of an operation without a gradient nothing.
    pub given: Vec<Value<'c, 'a>>,
    /// Can it be part of a group?
    pub differentiable: bool,
}

/// See the module's page.
pub(super) struct Run<'s, 'c, 'a> {
    aliases: &'s Aliases<'c>,
    /// In order; where two became one, a place is empty.
    units: Vec<Option<Unit<'c, 'a>>>,
    /// The place of the unit that an operation is in.
    places: FxHashMap<usize, usize>,
    /// What makes the values that an operation, or one in it, uses.
    needs: FxHashMap<usize, FxHashSet<usize>>,
    /// Operations that write, or draw numbers.
    unsteady: FxHashSet<usize>,
}

impl<'s, 'c: 'a, 'a> Run<'s, 'c, 'a> {
    pub fn new(aliases: &'s Aliases<'c>, ops: &[OperationRef<'c, 'a>]) -> Self {
        let draws = |op| sconce_torch::entry(op).is_some_and(|entry| entry.effect().draws);
        let unsteady = ops.iter().filter(|op| !is_steady(aliases, **op) || draws(**op)).map(|op| id(*op)).collect();
        let needs = ops.iter().map(|op| (id(*op), needed(*op))).collect();
        let units = ops.iter().map(|op| Some(Unit::new(*op))).collect();
        let places = ops.iter().enumerate().map(|(at, op)| (id(*op), at)).collect();
        Run { aliases, units, places, needs, unsteady }
    }

    pub fn units(self) -> Vec<Unit<'c, 'a>> {
        self.units.into_iter().flatten().collect()
    }

    fn unit(&self, at: usize) -> Option<&Unit<'c, 'a>> {
        self.units.get(at)?.as_ref()
    }

    /// Lets groups grow until none can.
    pub fn group(&mut self) {
        loop {
            let mut any = false;
            let mut at = self.units.len();
            while at > 0 {
                at -= 1;
                // A group that grew stands where nearer producers may be now.
                while let Some(grown) = self.grow(at) {
                    (at, any) = (grown, true);
                }
            }
            if !any {
                return;
            }
        }
    }

    /// Takes one producer into a group; where the group is then.
    fn grow(&mut self, at: usize) -> Option<usize> {
        let unit = self.unit(at).filter(|unit| unit.differentiable)?;
        let makers = unit.given.iter().filter_map(|v| v.defining_op());
        let mut producers: Vec<usize> = makers.filter_map(|op| self.places.get(&id(op)).copied()).collect();
        producers.retain(|i| *i < at && self.unit(*i).is_some_and(|unit| unit.differentiable));
        producers.sort_unstable();
        producers.dedup();
        while let Some(producer) = producers.pop() {
            if let Some(behind) = self.pushed_behind(producer, at) {
                return Some(self.merge(producer, at, &behind));
            }
        }
        None
    }

    /// The units between two that depend on the first, if the second does not depend on them.
    fn pushed_behind(&self, first: usize, second: usize) -> Option<Vec<usize>> {
        let mut moving: Vec<OperationRef<'c, 'a>> = self.unit(first)?.members.clone();
        let mut ids: FxHashSet<usize> = moving.iter().map(|op| id(*op)).collect();
        let own = moving.len();
        let mut behind = Vec::new();
        for at in first + 1..second {
            if self.depends(at, &ids, &moving) {
                behind.push(at);
                let members = self.unit(at).map(|unit| unit.members.clone()).unwrap_or_default();
                ids.extend(members.iter().map(|op| id(*op)));
                moving.extend(members);
            }
        }
        moving.drain(..own);
        let ids = moving.iter().map(|op| id(*op)).collect();
        (!self.depends(second, &ids, &moving)).then_some(behind)
    }

    /// Must a unit stay behind one of the operations?
    fn depends(&self, unit: usize, ids: &FxHashSet<usize>, ops: &[OperationRef<'c, 'a>]) -> bool {
        let is_unsteady = |op: OperationRef<'c, 'a>| self.unsteady.contains(&id(op));
        self.unit(unit).into_iter().flat_map(|unit| &unit.members).any(|later| {
            let uses = self.needs.get(&id(*later)).is_some_and(|needs| needs.iter().any(|n| ids.contains(n)));
            let all = is_unsteady(*later);
            let mut others = ops.iter().filter(|op| all || is_unsteady(**op));
            uses || others.any(|earlier| self.aliases.hazard(*earlier, *later).is_some())
        })
    }

    /// Makes one group of two units; what lies between them and depends on the first comes behind it. Where the group is.
    fn merge(&mut self, producer: usize, consumer: usize, behind: &[usize]) -> usize {
        let (Some(last), Some(first)) = (self.units[consumer].take(), self.units[producer].take()) else {
            return consumer;
        };
        let moved: Vec<_> = behind.iter().filter_map(|at| self.units[*at].take()).collect();
        let others: Vec<_> = (producer..consumer).filter_map(|at| self.units[at].take()).collect();
        let group = consumer - moved.len();
        // The places between the two are filled from behind, so that no other unit gets another place.
        let all: Vec<_> = others.into_iter().chain([last.with(first)]).chain(moved).collect();
        for (at, unit) in (consumer + 1 - all.len()..).zip(all) {
            self.places.extend(unit.members.iter().map(|op| (id(*op), at)));
            self.units[at] = Some(unit);
        }
        group
    }
}

impl<'c: 'a, 'a> Unit<'c, 'a> {
    fn new(op: OperationRef<'c, 'a>) -> Self {
        let mut unit = Unit { members: vec![op], given: Vec::new(), differentiable: is_differentiable(op) };
        if unit.differentiable {
            unit.needs_instead(op);
        }
        unit
    }

    /// In the place of what an operation gives the group is given what it uses.
    fn needs_instead(&mut self, op: OperationRef<'c, 'a>) {
        self.given.retain(|v| v.defining_op() != Some(op));
        for value in inputs(op) {
            // Each group has its own constants.
            if !self.given.contains(&value) && !value.defining_op().is_some_and(is_constant) {
                self.given.push(value);
            }
        }
    }

    /// The group with another in front of it.
    fn with(mut self, first: Unit<'c, 'a>) -> Self {
        first.members.iter().rev().for_each(|op| self.needs_instead(*op));
        self.members.splice(0..0, first.members);
        self
    }
}

/// What makes the values that an operation, or one in it, uses.
fn needed(op: OperationRef<'_, '_>) -> FxHashSet<usize> {
    let mut needed = FxHashSet::default();
    op.walk_pre(&mut |inner| {
        needed.extend(inner.operand_values().into_iter().filter_map(|v| source(v).defining_op()).map(id));
        Walk::Advance
    });
    needed
}

/// Puts the operations of a block in this order, each behind the casts that it needs.
pub(super) fn put_in_order<'c: 'a, 'a>(block: BlockRef<'c, 'a>, order: &[OperationRef<'c, 'a>]) {
    let Some(end) = block.terminator_op() else { return };
    let mut placed = FxHashSet::default();
    for op in order.iter().copied().chain([end]) {
        let mut casts = Vec::new();
        op.walk_pre(&mut |inner| {
            for operand in inner.operand_values() {
                let mut value = operand;
                let mut chain = Vec::new();
                while let Some(cast) =
                    value.defining_op().filter(|made| is_silent(*made) && made.block_ref() == Some(block))
                {
                    chain.push(cast);
                    let Some(of) = cast.operand_value(0) else { break };
                    value = of;
                }
                casts.extend(chain.into_iter().rev());
            }
            Walk::Advance
        });
        for cast in casts {
            if placed.insert(id(cast)) {
                cast.move_in_front_of(end);
            }
        }
        if op != end {
            op.move_in_front_of(end);
        }
    }
}
