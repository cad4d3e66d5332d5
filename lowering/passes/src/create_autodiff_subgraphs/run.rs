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
    units: Vec<Unit<'c, 'a>>,
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
        let units = ops.iter().map(|op| Unit::new(*op)).collect();
        Run { aliases, units, needs, unsteady }
    }

    pub fn units(self) -> Vec<Unit<'c, 'a>> {
        self.units
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
        let unit = self.units.get(at).filter(|unit| unit.differentiable)?;
        let makers: FxHashSet<usize> = unit.given.iter().filter_map(|v| v.defining_op()).map(id).collect();
        let is_maker = |unit: &Unit<'c, 'a>| unit.members.iter().any(|op| makers.contains(&id(*op)));
        let mut producers: Vec<usize> =
            (0..at).filter(|i| self.units[*i].differentiable && is_maker(&self.units[*i])).collect();
        while let Some(producer) = producers.pop() {
            if let Some(behind) = self.pushed_behind(producer, at) {
                return Some(self.merge(producer, at, &behind));
            }
        }
        None
    }

    /// The units between two that depend on the first, if the second does not depend on them.
    fn pushed_behind(&self, first: usize, second: usize) -> Option<Vec<usize>> {
        let mut moving: Vec<OperationRef<'c, 'a>> = self.units[first].members.clone();
        let mut ids: FxHashSet<usize> = moving.iter().map(|op| id(*op)).collect();
        let own = moving.len();
        let mut behind = Vec::new();
        for at in first + 1..second {
            if self.depends(at, &ids, &moving) {
                behind.push(at);
                moving.extend(&self.units[at].members);
                ids.extend(self.units[at].members.iter().map(|op| id(*op)));
            }
        }
        moving.drain(..own);
        let ids = moving.iter().map(|op| id(*op)).collect();
        (!self.depends(second, &ids, &moving)).then_some(behind)
    }

    /// Must a unit stay behind one of the operations?
    fn depends(&self, unit: usize, ids: &FxHashSet<usize>, ops: &[OperationRef<'c, 'a>]) -> bool {
        let is_unsteady = |op: OperationRef<'c, 'a>| self.unsteady.contains(&id(op));
        self.units[unit].members.iter().any(|later| {
            let uses = self.needs.get(&id(*later)).is_some_and(|needs| needs.iter().any(|n| ids.contains(n)));
            let all = is_unsteady(*later);
            let mut others = ops.iter().filter(|op| all || is_unsteady(**op));
            uses || others.any(|earlier| self.aliases.hazard(*earlier, *later).is_some())
        })
    }

    /// Makes one group of two units; what lies between them and depends on the first comes behind it. Where the group is.
    fn merge(&mut self, producer: usize, consumer: usize, behind: &[usize]) -> usize {
        let last = self.units.remove(consumer);
        let mut moved: Vec<Unit<'c, 'a>> = behind.iter().rev().map(|at| self.units.remove(*at)).collect();
        moved.reverse();
        let first = self.units.remove(producer);
        let at = consumer - behind.len() - 1;
        self.units.splice(at..at, std::iter::once(last.with(first)).chain(moved));
        at
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
