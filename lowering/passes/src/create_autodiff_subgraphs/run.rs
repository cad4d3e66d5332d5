//! Operations of a block between two that act, while groups are made of them: a group is moved as a whole, and nothing moves past what it depends on.

use super::is_differentiable;
use super::unit::{Number, Unit};
use crate::graph::is_steady;
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::Aliases;
use sconce_analysis::alias::id;
use sconce_analysis::operators::{is_silent, source};
use sconce_ir::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::ops::Bound::{Excluded, Unbounded};

/// Where a unit stands: only the order means anything.
type Place = u64;

/// Between two places at first.
const GAP: Place = 1 << 32;

/// See the module's page.
pub(super) struct Run<'s, 'c, 'a> {
    aliases: &'s Aliases<'c>,
    units: BTreeMap<Place, Unit<'c, 'a>>,
    ops: Vec<OperationRef<'c, 'a>>,
    numbers: FxHashMap<usize, Number>,
    /// By operation, another of the same unit; the one that is its own stands for the unit.
    same: Vec<Number>,
    /// By the operation that stands for a unit.
    places: Vec<Place>,
    /// By operation, those that use what it makes, themselves or by what is in them.
    users: Vec<Vec<Number>>,
    /// Operations that write, or draw numbers.
    unsteady: Vec<Number>,
    /// Where units are that hold one.
    unsteady_at: BTreeSet<Place>,
}

impl<'s, 'c: 'a, 'a> Run<'s, 'c, 'a> {
    pub fn new(aliases: &'s Aliases<'c>, ops: &[OperationRef<'c, 'a>]) -> Self {
        let draws = |op| sconce_torch::entry(op).is_some_and(|entry| entry.effect().draws);
        let numbers: FxHashMap<usize, Number> = ops.iter().enumerate().map(|(n, op)| (id(*op), n)).collect();
        let (mut users, mut unsteady) = (vec![Vec::new(); ops.len()], Vec::new());
        for (number, op) in ops.iter().enumerate() {
            let made = needed(*op);
            made.iter().filter_map(|made| numbers.get(made)).for_each(|made: &Number| users[*made].push(number));
            if !is_steady(aliases, *op) || draws(*op) {
                unsteady.push(number);
            }
        }
        let mut units = BTreeMap::new();
        for (number, op) in ops.iter().enumerate() {
            let is_unsteady = unsteady.binary_search(&number).is_ok();
            let mut unit = Unit::new(number, *op, is_differentiable(*op), is_unsteady);
            if !unsteady.is_empty() {
                unit.touched = aliases.touched(*op);
            }
            units.insert(number as Place * GAP, unit);
        }
        let places: Vec<Place> = units.keys().copied().collect();
        let unsteady_at = unsteady.iter().map(|op| places[*op]).collect();
        let (ops, same) = (ops.to_vec(), (0..ops.len()).collect());
        Run { aliases, units, ops, numbers, same, places, users, unsteady, unsteady_at }
    }

    pub fn units(self) -> Vec<Unit<'c, 'a>> {
        self.units.into_values().collect()
    }

    /// The place of the unit that an operation is in.
    fn place(&mut self, op: Number) -> Place {
        let mut stands = op;
        while self.same[stands] != stands {
            self.same[stands] = self.same[self.same[stands]];
            stands = self.same[stands];
        }
        self.places[stands]
    }

    /// Lets groups grow until none can.
    pub fn group(&mut self) {
        loop {
            let mut any = false;
            let mut next = self.units.keys().next_back().copied();
            while let Some(at) = next {
                // A group that grew stands where nearer producers may be now.
                let mut group = at;
                while let Some(grown) = self.grow(group) {
                    (group, any) = (grown, true);
                }
                next = self.units.range(..group).next_back().map(|(place, _)| *place);
            }
            if !any {
                return;
            }
        }
    }

    /// Takes one producer into a group; where the group is then.
    fn grow(&mut self, at: Place) -> Option<Place> {
        let unit = self.units.get(&at).filter(|unit| unit.differentiable)?;
        let makers: Vec<_> = unit.given().filter_map(|v| v.defining_op()).collect();
        let makers: Vec<_> = makers.into_iter().filter_map(|op| self.numbers.get(&id(op)).copied()).collect();
        let mut producers: Vec<Place> = makers.into_iter().map(|made| self.place(made)).collect();
        producers.retain(|i| *i < at && self.units.get(i).is_some_and(|unit| unit.differentiable));
        producers.sort_unstable();
        producers.dedup();
        while let Some(producer) = producers.pop() {
            if let Some(behind) = self.pushed_behind(producer, at) {
                return self.merge(producer, at, &behind);
            }
        }
        None
    }

    /// The places between two units of those that depend on the first, if the second does not depend on them.
    fn pushed_behind(&mut self, first: Place, second: Place) -> Option<Vec<Place>> {
        let mut moving = Moving::default();
        self.move_unit(first, second, &mut moving);
        let own = moving.ops.len();
        let unsteady = self.unsteady_at.range((Excluded(first), Excluded(second)));
        moving.ahead.extend(unsteady.copied().map(Reverse));
        let mut behind = Vec::new();
        while let Some(Reverse(at)) = moving.ahead.pop() {
            if moving.ahead.peek() == Some(&Reverse(at)) {
                continue;
            }
            if moving.users.contains(&at) || self.must_follow(at, &moving.ops) {
                behind.push(at);
                self.move_unit(at, second, &mut moving);
            }
        }
        let pushed = moving.ops.split_off(own);
        let users: Vec<Number> = pushed.iter().flat_map(|op| self.users[*op].iter().copied()).collect();
        let uses = users.into_iter().any(|user| self.place(user) == second);
        (!uses && !self.must_follow(second, &pushed)).then_some(behind)
    }

    /// Notes that a unit moves behind another, and those in between that may have to move along.
    fn move_unit(&mut self, at: Place, until: Place, moving: &mut Moving) {
        let Some(unit) = self.units.get(&at) else { return };
        let members: Vec<Number> = unit.members().collect();
        if unit.unsteady && !std::mem::replace(&mut moving.all, true) {
            let between = self.units.range((Excluded(at), Excluded(until)));
            moving.ahead.extend(between.map(|(place, _)| Reverse(*place)));
        }
        for op in members {
            moving.ops.push(op);
            for user in 0..self.users[op].len() {
                let user = self.place(self.users[op][user]);
                if user > at && user < until && moving.users.insert(user) {
                    moving.ahead.push(Reverse(user));
                }
            }
        }
    }

    fn is_unsteady(&self, op: Number) -> bool {
        self.unsteady.binary_search(&op).is_ok()
    }

    /// Must a unit stay behind one of the operations, though it uses nothing that they make? Of two that are steady none must.
    fn must_follow(&self, unit: Place, ops: &[Number]) -> bool {
        let Some(unit) = self.units.get(&unit).filter(|_| !ops.is_empty()) else { return false };
        let hazard = |earlier: Number, later: Number| self.aliases.hazard(self.ops[earlier], self.ops[later]).is_some();
        let mut unsteady: Vec<Number> = ops.iter().copied().filter(|op| self.is_unsteady(*op)).collect();
        if !unit.unsteady {
            // What writes to nothing that the unit has to do with may come behind it.
            unsteady.retain(|op| self.aliases.writes_to_any(self.ops[*op], &unit.touched));
            if unsteady.is_empty() {
                return false;
            }
        }
        unit.members().any(|later| {
            let others = if self.is_unsteady(later) { ops } else { &unsteady };
            others.iter().any(|earlier| hazard(*earlier, later))
        })
    }

    /// Makes one group of two units, in the place of the second; what lies between them and depends on the first comes directly behind it.
    fn merge(&mut self, producer: Place, consumer: Place, behind: &[Place]) -> Option<Place> {
        let (first, last) = (self.take(producer)?, self.take(consumer)?);
        let group = last.stands;
        self.same[first.stands] = group;
        self.put(consumer, last.with(first, &self.ops));
        let moved: Vec<Unit<'c, 'a>> = behind.iter().filter_map(|at| self.take(*at)).collect();
        if moved.is_empty() {
            return Some(consumer);
        }
        let next = self.units.range((Excluded(consumer), Unbounded)).next().map(|(place, _)| *place);
        // Close to what follows, so that there is room behind the group for those that come later.
        let room = moved.len() as Place;
        let next = match next {
            None => consumer + (room + 1) * GAP,
            Some(next) if next - consumer > room => next,
            Some(_) => {
                self.make_room(consumer, moved);
                return Some(self.place(group));
            }
        };
        for (at, unit) in (next - room..).zip(moved) {
            self.put(at, unit);
        }
        Some(consumer)
    }

    fn take(&mut self, at: Place) -> Option<Unit<'c, 'a>> {
        self.unsteady_at.remove(&at);
        self.units.remove(&at)
    }

    fn put(&mut self, at: Place, unit: Unit<'c, 'a>) {
        self.places[unit.stands] = at;
        if unit.unsteady {
            self.unsteady_at.insert(at);
        }
        self.units.insert(at, unit);
    }

    /// Gives all units new places, these behind the one at a place.
    fn make_room(&mut self, behind: Place, moved: Vec<Unit<'c, 'a>>) {
        let later = self.units.split_off(&(behind + 1));
        let earlier = std::mem::take(&mut self.units);
        self.unsteady_at.clear();
        let all = earlier.into_values().chain(moved).chain(later.into_values());
        for (number, unit) in all.enumerate() {
            self.put(number as Place * GAP, unit);
        }
    }
}

/// What moves behind a unit.
#[derive(Default)]
struct Moving {
    ops: Vec<Number>,
    /// Units that use what these make.
    users: FxHashSet<Place>,
    /// One of them writes or draws, so that all units behind it may have to move along.
    all: bool,
    /// Units that may have to move along, the first one first.
    ahead: BinaryHeap<Reverse<Place>>,
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
