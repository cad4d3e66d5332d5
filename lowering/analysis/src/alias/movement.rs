//! Whether an operation may move past others of its block: nothing may be used before it is made, and no read or write may cross a write to the same memory.
//!
//! What depends on a moving operation, or what it depends on, moves along. A refusal names the two operations that cannot pass each other and says why.

use super::{Aliases, Locations, id};
use crate::operators::{is_silent, kind, schema_name};
use sconce_ir::op::Walk;
use sconce_ir::{BlockExt, OpExt, OperationRef, Value, ValueExt};
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
        let name = |op: OperationRef<'_, '_>| schema_name(op).unwrap_or_else(|| op.op_name().to_owned());
        write!(f, "{} {} {}", name(self.later), self.hazard, name(self.earlier))
    }
}

/// Why an operation does not move.
#[derive(Clone, Copy, Debug)]
pub enum Refusal<'c, 'a> {
    /// They are not in one block, or one of them ends it.
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

/// A side of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
}

impl<'c: 'a, 'a> Aliases<'c> {
    /// Why the operations, of one block and in this order, cannot change it; none if they can.
    pub fn hazard(&self, earlier: OperationRef<'c, 'a>, later: OperationRef<'c, 'a>) -> Option<Hazard> {
        let uses =
            |v: Value<'c, 'a>| v.uses().into_iter().any(|usage| usage.owner == later || usage.owner.is_within(later));
        if earlier.result_values().into_iter().any(uses) {
            return Some(Hazard::Use);
        }
        if self.acts_within(earlier) && self.acts_within(later) {
            return Some(Hazard::Effects);
        }
        if self.writes_to_any(later, &self.written_within(earlier)) {
            Some(Hazard::WriteAfterWrite)
        } else if self.writes_to_any(earlier, &self.touched(later)) {
            Some(Hazard::ReadAfterWrite)
        } else if self.writes_to_any(later, &self.touched(earlier)) {
            Some(Hazard::WriteAfterRead)
        } else {
            None
        }
    }

    /// The operations that move, in order, if one is to stand beside another of its block; what stands there already needs none.
    ///
    /// # Errors
    /// Two operations that cannot pass each other.
    pub fn movement(
        &self,
        op: OperationRef<'c, 'a>,
        side: Side,
        target: OperationRef<'c, 'a>,
    ) -> Result<Vec<OperationRef<'c, 'a>>, Refusal<'c, 'a>> {
        let block = op.block_ref().filter(|block| target.block_ref() == Some(*block) && !op.is_terminator());
        let block = block.ok_or(Refusal::OtherBlock)?;
        if op == target || target.is_terminator() && side == Side::After {
            return Err(Refusal::OtherBlock);
        }
        let ops = block.ops();
        let place = |wanted: OperationRef<'c, 'a>| ops.iter().position(|op| *op == wanted);
        let (Some(from), Some(to)) = (place(op), place(target)) else { return Err(Refusal::OtherBlock) };
        // Down the block what depends on it moves along, up the block what it depends on.
        let down = from < to;
        let passed: Vec<OperationRef<'c, 'a>> = match (down, side) {
            (true, Side::Before) => ops[from + 1..to].to_vec(),
            (true, Side::After) => ops[from + 1..=to].to_vec(),
            (false, Side::Before) => ops[to..from].iter().rev().copied().collect(),
            (false, Side::After) => ops[to + 1..from].iter().rev().copied().collect(),
        };
        let mut moving = vec![op];
        for other in passed {
            let order = |moved: &OperationRef<'c, 'a>| if down { (*moved, other) } else { (other, *moved) };
            let blocked = moving.iter().find_map(|moved| {
                let (earlier, later) = order(moved);
                self.hazard(earlier, later).map(|hazard| Witness { earlier, later, hazard })
            });
            match blocked {
                Some(witness) if other == target => return Err(Refusal::Order(witness)),
                Some(_) => moving.push(other),
                None => {}
            }
        }
        if !down {
            moving.reverse();
        }
        Ok(moving)
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
        let moving = self.movement(op, side, target)?;
        let mut last = target;
        for moved in &moving {
            match side {
                Side::Before => moved.move_in_front_of(target),
                Side::After => moved.move_behind(last),
            }
            last = *moved;
        }
        Ok(moving.len())
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
    fn touched(&self, op: OperationRef<'c, 'a>) -> Locations {
        let mut touched = Locations::default();
        op.walk_pre(&mut |inner| {
            inner.operand_values().into_iter().for_each(|v| self.collect(v, &mut touched));
            // What another writes to may be what this gives: a view of its operand.
            inner.result_values().into_iter().for_each(|v| self.collect(v, &mut touched));
            Walk::Advance
        });
        if self.acts_within(op) {
            // It may read whatever can be found outside.
            touched.outside = true;
        }
        touched
    }

    fn acts_within(&self, op: OperationRef<'c, 'a>) -> bool {
        let mut acts = false;
        op.walk_pre(&mut |inner| {
            let is_quiet = is_silent(inner) || kind(inner).starts_with("constant.") || inner.is_terminator();
            // Numbers that are drawn depend on how many were drawn before.
            let draws = sconce_torch::entry(inner).is_some_and(|entry| entry.effect().draws);
            acts |= !is_quiet && (draws || self.acts(inner) || self.writes_everything.contains(&id(inner)));
            Walk::Advance
        });
        acts
    }
}
