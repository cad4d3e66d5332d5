//! One group: what it may give, and the node that it becomes.

use super::unit::Unit;
use crate::graph::{Held, Rewriter, erase_all, inputs, is_constant};
use crate::torch_cse::eliminate_common_subexpressions;
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::Tensor;
use sconce_analysis::alias::id;
use sconce_analysis::operators::{kind, source};
use sconce_ir::prelude::*;
use sconce_pass::PassResult;
use sconce_schema::Trait;

/// See the module's page.
pub(super) struct Group<'c, 'a> {
    /// In the order of the program.
    pub members: Vec<OperationRef<'c, 'a>>,
    ids: FxHashSet<usize>,
    given: Vec<Value<'c, 'a>>,
    results: Vec<Value<'c, 'a>>,
    /// What was of the group, and uses what the group is given as the group passes it on.
    left: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    /// What can stay together of a unit, and what comes behind it.
    pub fn of(unit: Unit<'c, 'a>, ops: &[OperationRef<'c, 'a>]) -> (Self, Vec<OperationRef<'c, 'a>>) {
        let members: Vec<_> = unit.members().map(|number| ops[number]).collect();
        let ids = members.iter().map(|op| id(*op)).collect();
        let mut group = Group { members, ids, given: unit.given().collect(), results: Vec::new(), left: Vec::new() };
        if !unit.differentiable {
            return (Group { members: Vec::new(), ..group }, group.members);
        }
        let made = group.members.iter().rev().flat_map(|op| op.result_values());
        group.results = made.filter(|v| group.is_seen(*v)).collect();
        while let Some(maker) = group.shared() {
            group.leave_out(maker);
        }
        let left = group.left.clone();
        (group, left)
    }

    fn has(&self, op: OperationRef<'c, 'a>) -> bool {
        self.ids.contains(&id(op))
    }

    /// Is a value used outside of the group?
    fn is_seen(&self, value: Value<'c, 'a>) -> bool {
        users(value).into_iter().any(|user| !self.has(user))
    }

    /// What makes a result that shares memory with another, or with what the group is given.
    fn shared(&self) -> Option<OperationRef<'c, 'a>> {
        let roots: Vec<_> = self.results.iter().map(|v| self.root(*v)).collect();
        let mut times: FxHashMap<usize, usize> = FxHashMap::default();
        roots.iter().for_each(|root| *times.entry(root.id()).or_default() += 1);
        self.results.iter().zip(&roots).find_map(|(value, root)| {
            let maker = value.defining_op().filter(|op| self.has(*op))?;
            // Who takes an element out of a list does not say which.
            let is_list = Tensor::of(value.r#type()).is_none();
            let twice = times.get(&root.id()).is_some_and(|times| *times > 1);
            let is_given = !root.defining_op().is_some_and(|op| self.has(op));
            (is_list || twice || is_given).then_some(maker)
        })
    }

    /// What a value is a view of, as far as that is in the group; of what it is given, the value itself.
    fn root(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        let mut value = value;
        while let Some(op) = value.defining_op().filter(|op| self.has(*op) && is_view(*op)) {
            match inputs(op).first() {
                Some(of) => value = *of,
                None => break,
            }
        }
        value
    }

    /// Puts an operation behind the group, and all that is computed of it.
    fn leave_out(&mut self, op: OperationRef<'c, 'a>) {
        let mut leaving = FxHashSet::from_iter([id(op)]);
        for member in &self.members {
            let uses = inputs(*member).into_iter().filter_map(|v| v.defining_op());
            if uses.into_iter().any(|made| leaving.contains(&id(made))) {
                leaving.insert(id(*member));
            }
        }
        let (left, stay): (Vec<_>, Vec<_>) = self.members.iter().partition(|op| leaving.contains(&id(**op)));
        self.members = stay;
        for op in left.iter().rev() {
            self.ids.remove(&id(*op));
            self.results.retain(|v| v.defining_op() != Some(*op));
            // The group passes on what it is given as well.
            for value in inputs(*op) {
                if !self.results.contains(&value) && !value.defining_op().is_some_and(is_constant) {
                    self.results.push(value);
                }
            }
        }
        self.left.splice(0..0, left);
    }

    /// The node of the group, in the place of its last operation.
    pub fn put(self, rewriter: &mut Rewriter<'c>, function: OperationRef<'c, 'a>, number: usize) -> PassResult {
        let Some(root) = self.members.last().copied() else { return Ok(()) };
        let mut held = Held::begin(rewriter, function, ("DifferentiableGraph", number), &self.given)?;
        self.members.iter().for_each(|op| held.copy(*op));
        let graph = held.function;
        let outside: FxHashSet<usize> = self.left.iter().map(|op| id(*op)).collect();
        let given: FxHashSet<usize> = self.given.iter().map(|v| v.id()).collect();
        let is_given = |value: Value<'c, 'a>| given.contains(&value.id());
        held.end(rewriter, root, &self.results, |value, user| {
            self.has(user) || is_given(value) && !outside.contains(&id(user))
        })?;
        erase_all(&self.members)?;
        // A constant is in it as often as it is needed.
        eliminate_common_subexpressions(graph)
    }
}

/// Does an operator give what shares memory with its first operand?
fn is_view(op: OperationRef<'_, '_>) -> bool {
    kind(op) == "prim.ConstantChunk" || sconce_torch::entry(op).is_some_and(|entry| entry.has(Trait::View))
}

/// The operations that use a value, also through casts.
fn users<'c: 'a, 'a>(value: Value<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut users = Vec::new();
    for usage in value.uses() {
        let is_cast = usage.owner.result_values().into_iter().any(|v| source(v) != v);
        match usage.owner.result_value(0).filter(|_| is_cast) {
            Some(cast) => users.extend(self::users(cast)),
            None => users.push(usage.owner),
        }
    }
    users
}
