//! Whether an operation may move past others of its block: nothing may be used before it is made, and no read or write may cross a write to the same memory.
//!
//! What depends on a moving operation, or what it depends on, moves along, or past the target where it would come between the two. A refusal names the two operations that cannot pass each other and says why.

use super::{Aliases, Locations, id};
use crate::operators::{any_within, is_constant_op, is_silent, operator_name, switches_gradients};
use crate::types::holds_tensors;
use rustc_hash::FxHashMap;
use sconce_ir::op::Walk;
use sconce_ir::{OpExt, OperationLike, OperationRef, Value, ValueExt, ValueLike};
use std::fmt;

/// Why two operations keep their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hazard {
    /// The later one uses what the earlier one makes.
    Use,
    /// The earlier one writes to what the later one reads.
    ReadAfterWrite,
    /// The later one writes to what the earlier one reads, or to what it makes.
    WriteAfterRead,
    /// Both write to the same.
    WriteAfterWrite,
    /// Both do what no value shows, such as printing.
    Effects,
}

impl fmt::Display for Hazard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Hazard::Use => "uses what is made by",
            Hazard::ReadAfterWrite => "reads what is written by",
            Hazard::WriteAfterRead => "writes to what is read or made by",
            Hazard::WriteAfterWrite => "writes to what is written by",
            Hazard::Effects => "has effects that are seen behind those of",
        })
    }
}

/// Two operations in an order that must stay, and why.
#[derive(Clone, Copy, Debug)]
pub struct Witness<'c, 'a> {
    pub earlier: OperationRef<'c, 'a>,
    pub later: OperationRef<'c, 'a>,
    pub hazard: Hazard,
}

impl fmt::Display for Witness<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", operator_name(self.later), self.hazard, operator_name(self.earlier))
    }
}

/// Why an operation does not move.
#[derive(Clone, Copy, Debug)]
pub enum Refusal<'c, 'a> {
    /// They are not in one block, or one of them would stand behind its end.
    OtherBlock,
    Order(Witness<'c, 'a>),
}

impl fmt::Display for Refusal<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::OtherBlock => f.write_str("the operations are not in one block"),
            Refusal::Order(witness) => witness.fmt(f),
        }
    }
}

/// What moves, each in the order in which it stands in the end.
#[derive(Clone, Debug)]
pub struct Movement<'c, 'a> {
    /// On the side that was asked for, the operation itself next to the target.
    pub beside: Vec<OperationRef<'c, 'a>>,
    /// On the target's other side: what would stand between the two.
    pub beyond: Vec<OperationRef<'c, 'a>>,
}

/// Operations that move together, and what is met on the way has to pass.
#[derive(Default)]
struct Moving<'c, 'a> {
    down: bool,
    /// In the order in which they were met.
    ops: Vec<OperationRef<'c, 'a>>,
    /// The first of them that depends on an operation, or, down the block, is it, by [`id`].
    first: FxHashMap<usize, usize>,
    /// Those that do more than to make values.
    busy: Vec<usize>,
}

impl<'c: 'a, 'a> Moving<'c, 'a> {
    fn take(&mut self, op: OperationRef<'c, 'a>, is_calm: bool) {
        let at = self.ops.len();
        match self.down {
            true => _ = self.first.insert(id(op), at),
            false => makers(op, |made| _ = self.first.entry(id(made)).or_insert(at)),
        }
        if !is_calm {
            self.busy.push(at);
        }
        self.ops.push(op);
    }

    /// The first of those from one on that another uses, or that uses it.
    fn uses(&self, other: OperationRef<'c, 'a>, from: usize) -> Option<usize> {
        let mut first = None;
        match self.down {
            true => makers(other, |made| {
                let at = self.first.get(&id(made)).copied().filter(|at| *at >= from);
                first = [first, at].into_iter().flatten().min();
            }),
            false => first = self.first.get(&id(other)).copied(),
        }
        // Up the block the very first one may be the only one that was noted.
        let uses = |at: &usize| other.result_values().into_iter().any(|v| is_used_in(v, self.ops[*at]));
        match first.filter(|at| *at < from) {
            Some(_) => (from..self.ops.len()).find(uses),
            None => first,
        }
    }
}

fn is_used_in<'c: 'a, 'a>(value: Value<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
    value.uses().into_iter().any(|usage| usage.owner == op || usage.owner.is_within(op))
}

/// What makes the values that an operation, or one in it, uses.
fn makers<'c: 'a, 'a>(op: OperationRef<'c, 'a>, mut each: impl FnMut(OperationRef<'c, 'a>)) {
    op.walk_pre(&mut |inner| {
        inner.operand_values().into_iter().filter_map(ValueExt::defining_op).for_each(&mut each);
        Walk::Advance
    });
}

/// A side of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
}

impl<'c: 'a, 'a> Aliases<'c> {
    /// Why the operations, of one block and in this order, cannot change it; none if they can.
    pub fn hazard(&self, earlier: OperationRef<'c, 'a>, later: OperationRef<'c, 'a>) -> Option<Hazard> {
        if earlier.result_values().into_iter().any(|v| is_used_in(v, later)) {
            return Some(Hazard::Use);
        }
        // What is refused has to be so before what is printed behind it, and not before what is printed in front of it.
        let refuses = |op| any_within(op, |inner| self.may_refuse_layout(inner));
        let (early, late) = (self.acts_within(earlier), self.acts_within(later));
        if early && (late || refuses(later)) || late && refuses(earlier) {
            return Some(Hazard::Effects);
        }
        // Whether a tensor requires a gradient is decided where it is made, or written to.
        if switches_within(earlier) && has_tensors(later) || switches_within(later) && has_tensors(earlier) {
            return Some(Hazard::Effects);
        }
        if self.writes_to_any(later, &self.written_within(earlier)) && !self.misses(later, earlier) {
            Some(Hazard::WriteAfterWrite)
        } else if self.writes_to_any(earlier, &self.touched(later)) && !self.misses(earlier, later) {
            Some(Hazard::ReadAfterWrite)
        } else if self.writes_to_any(later, &self.touched(earlier)) && !self.misses(later, earlier) {
            Some(Hazard::WriteAfterRead)
        } else {
            None
        }
    }

    /// Are the elements that one operation writes none of those that the other reads, writes or gives, though memory is shared?
    fn misses(&self, writer: OperationRef<'c, 'a>, other: OperationRef<'c, 'a>) -> bool {
        let is_plain = |op: OperationRef<'c, 'a>| op.region_refs().is_empty() && !self.acts(op);
        if !is_plain(writer) || !is_plain(other) || self.lays_out.contains(&id(writer)) {
            return false;
        }
        // What leaves tensors where they are writes to its first argument.
        let Some(written) = writer.operand_value(0) else { return false };
        let touched = other.operand_values().into_iter().chain(other.result_values());
        touched.into_iter().all(|value| !self.may_contain_alias(written, value))
    }

    /// What moves if one operation is to stand directly beside another of its block; what stands there already needs nothing.
    ///
    /// # Errors
    /// Two operations that cannot pass each other.
    pub fn movement(
        &self,
        op: OperationRef<'c, 'a>,
        side: Side,
        target: OperationRef<'c, 'a>,
    ) -> Result<Movement<'c, 'a>, Refusal<'c, 'a>> {
        let in_one_block = op.block_ref().is_some() && op.block_ref() == target.block_ref();
        if !in_one_block || op.is_terminator() || op == target || target.is_terminator() && side == Side::After {
            return Err(Refusal::OtherBlock);
        }
        // Down the block what depends on it moves along, up the block what it depends on.
        let down = op.is_before_in_block(target);
        let (first, last) = if down { (op, target) } else { (target, op) };
        let mut between: Vec<OperationRef<'c, 'a>> =
            std::iter::successors(first.next_op(), |op| op.next_op()).take_while(|op| *op != last).collect();
        if !down {
            between.reverse();
        }
        let mut moving = Moving { down, ..Moving::default() };
        moving.take(op, self.is_calm(op));
        for other in between {
            if self.blocked(&moving, 0, other).is_some() {
                moving.take(other, self.is_calm(other));
            }
        }
        // On the side where it stood, the others would come between the two: they go past the target.
        let stays = down == (side == Side::Before);
        if let Some(witness) = self.blocked(&moving, usize::from(stays), target) {
            return Err(Refusal::Order(witness));
        }
        let mut along = moving.ops;
        let mut beyond = if stays { along.split_off(1) } else { Vec::new() };
        if target.is_terminator() && !beyond.is_empty() {
            return Err(Refusal::OtherBlock);
        }
        if !down {
            along.reverse();
            beyond.reverse();
        }
        Ok(Movement { beside: along, beyond })
    }

    /// The first of what moves, from one of them on, that another, which is met on the way, cannot pass.
    fn blocked(&self, moving: &Moving<'c, 'a>, from: usize, other: OperationRef<'c, 'a>) -> Option<Witness<'c, 'a>> {
        let used = moving.uses(other, from);
        let witness = |at: usize| {
            let moved = moving.ops[at];
            let (earlier, later) = if moving.down { (moved, other) } else { (other, moved) };
            self.hazard(earlier, later).map(|hazard| Witness { earlier, later, hazard })
        };
        let until = used.unwrap_or(moving.ops.len());
        let before = match self.is_calm(other) {
            true => moving.busy.iter().copied().filter(|at| (from..until).contains(at)).find_map(witness),
            false => (from..until).find_map(witness),
        };
        before.or_else(|| witness(used?))
    }

    /// Does an operation nothing but make values of what it reads? Two that do no more keep an order only where one uses the other.
    fn is_calm(&self, op: OperationRef<'c, 'a>) -> bool {
        !self.acts_within(op) && !any_within(op, |inner| switches_gradients(inner) || self.writes_something(inner))
    }

    /// Moves the operation, and what has to move along; how many moved. The analysis stays true, since it looks at no order.
    ///
    /// # Errors
    /// As [`Aliases::movement`]; nothing has moved then.
    pub fn move_beside(
        &self,
        op: OperationRef<'c, 'a>,
        side: Side,
        target: OperationRef<'c, 'a>,
    ) -> Result<usize, Refusal<'c, 'a>> {
        let Movement { beside, beyond } = self.movement(op, side, target)?;
        let other = if side == Side::Before { Side::After } else { Side::Before };
        for (ops, side) in [(&beside, side), (&beyond, other)] {
            let mut last = target;
            for moved in ops {
                match side {
                    Side::Before => moved.move_in_front_of(target),
                    Side::After => moved.move_behind(last),
                }
                last = *moved;
            }
        }
        Ok(beside.len() + beyond.len())
    }

    /// What the operation, or one in it, writes to.
    fn written_within(&self, op: OperationRef<'c, 'a>) -> Locations {
        let mut written = Locations::default();
        op.walk_pre(&mut |inner| {
            let outside = self.writes_everything.contains(&id(inner));
            for l in self.written_by(id(inner)) {
                written.outside |= self.graph.has_escaped(l);
                written.any_kind |= self.graph.has_escaped(l) && self.graph.is_of_any_kind(l);
                written.all.insert(l);
            }
            written.outside |= outside;
            Walk::Advance
        });
        written
    }

    /// Everything that the operation, or one in it, reads, writes or makes.
    pub fn touched(&self, op: OperationRef<'c, 'a>) -> Locations {
        let mut touched = Locations::default();
        op.walk_pre(&mut |inner| {
            inner.operand_values().into_iter().for_each(|v| self.collect(v, &mut touched));
            // What another writes to may be what this gives: a view of its operand.
            inner.result_values().into_iter().for_each(|v| self.collect(v, &mut touched));
            Walk::Advance
        });
        if self.acts_within(op) {
            // It may read whatever can be found outside; and where it raises, what is written behind it never is.
            touched.outside = true;
            touched.any_kind = true;
        }
        touched
    }

    fn acts_within(&self, op: OperationRef<'c, 'a>) -> bool {
        any_within(op, |inner| {
            let is_quiet = is_silent(inner) || is_constant_op(inner) || inner.is_terminator();
            // Numbers that are drawn depend on how many were drawn before.
            let draws = sconce_torch::entry(inner).is_some_and(|entry| entry.effect().draws);
            !is_quiet && (draws || self.acts(inner) || self.writes_everything.contains(&id(inner)))
        })
    }
}

/// Turns an operation, or one in it, gradients on or off?
fn switches_within(op: OperationRef<'_, '_>) -> bool {
    any_within(op, switches_gradients)
}

/// Gives an operation, or one in it, a tensor, or is it given one? It may make it, or write to it.
fn has_tensors(op: OperationRef<'_, '_>) -> bool {
    any_within(op, |inner| {
        let values = inner.operand_values().into_iter().chain(inner.result_values());
        !is_silent(inner) && values.into_iter().any(|v| holds_tensors(v.r#type()))
    })
}
