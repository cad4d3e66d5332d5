//! An operation, or several that are a group: what is in it and what it is given, both in the order that PyTorch has them in.

use crate::graph::{inputs, is_constant};
use rustc_hash::FxHashMap;
use sconce_analysis::alias::Locations;
use sconce_ir::prelude::*;
use std::collections::VecDeque;

/// The place of an operation in the program as it was.
pub(super) type Number = usize;

/// See the module's page.
pub(super) struct Unit<'c, 'a> {
    /// One of its operations.
    pub stands: Number,
    /// In the order of the program.
    members: VecDeque<Number>,
    /// What a group is given, in the order in which it came to be, with holes; of an operation without a gradient nothing.
    given: Vec<Option<Value<'c, 'a>>>,
    /// Where a value is in it.
    known: FxHashMap<usize, usize>,
    /// Can it be part of a group?
    pub differentiable: bool,
    /// Does one of its operations write, or draw numbers?
    pub unsteady: bool,
    /// What they read, write or make, where something in the block writes or draws.
    pub touched: Locations,
}

impl<'c: 'a, 'a> Unit<'c, 'a> {
    pub fn new(number: Number, op: OperationRef<'c, 'a>, differentiable: bool, unsteady: bool) -> Self {
        let (members, given, known) = (VecDeque::from([number]), Vec::new(), FxHashMap::default());
        let mut unit =
            Unit { stands: number, members, given, known, differentiable, unsteady, touched: Locations::default() };
        if differentiable {
            // Each group has its own constants.
            let inputs = inputs(op).into_iter().filter(|v| !v.defining_op().is_some_and(is_constant));
            inputs.for_each(|value| unit.give(value));
        }
        unit
    }

    pub fn members(&self) -> impl Iterator<Item = Number> {
        self.members.iter().copied()
    }

    pub fn given(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        self.given.iter().copied().flatten()
    }

    fn give(&mut self, value: Value<'c, 'a>) {
        let next = self.given.len();
        self.known.entry(value.id()).or_insert_with(|| {
            self.given.push(Some(value));
            next
        });
    }

    /// The group with another in front of it: in the place of what that one makes, it is given what that one is given.
    pub fn with(mut self, first: Unit<'c, 'a>, ops: &[OperationRef<'c, 'a>]) -> Self {
        for value in first.members().flat_map(|op| ops[op].result_values()) {
            if let Some(at) = self.known.remove(&value.id()) {
                self.given[at] = None;
            }
        }
        if self.given.len() > 2 * self.known.len() + 8 {
            self.given.retain(Option::is_some);
            self.known = self.given().enumerate().map(|(at, v)| (v.id(), at)).collect();
        }
        first.given().for_each(|value| self.give(value));
        self.unsteady |= first.unsteady;
        self.touched.extend(first.touched);
        let mut members = first.members;
        if members.len() < self.members.len() {
            members.into_iter().rev().for_each(|op| self.members.push_front(op));
        } else {
            members.append(&mut self.members);
            self.members = members;
        }
        self
    }
}
