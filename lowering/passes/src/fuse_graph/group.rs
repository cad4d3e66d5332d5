//! One group: what is in it, what it is given, and the node that it becomes.

use super::block::{Place, Scene};
use super::chunks::Chain;
use super::{FuseGraph, chunks, concatenated, is_pointwise, own_list, tensors};
use crate::graph::{Form, Held, Rewriter, constant, script_type};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::alias::id;
use sconce_analysis::operators::{kind, operator_name, source};
use sconce_ir::prelude::*;
use sconce_pass::refusals::{self, Refusal};
use sconce_pass::{Pass, PassResult};
use sconce_syntax::graph_text::AttributeValue;

/// See the module's page.
pub(super) struct Group<'c, 'a> {
    pub root: OperationRef<'c, 'a>,
    /// In the order in which they came in: the last one of the program first.
    pub members: Vec<OperationRef<'c, 'a>>,
    ids: FxHashSet<usize>,
    /// In the order in which they came to be given, as PyTorch has them.
    pub given: Vec<Value<'c, 'a>>,
    /// Chunks that went before what they were taken of.
    pub chains: Vec<Chain<'c, 'a>>,
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    pub fn new(root: OperationRef<'c, 'a>) -> Self {
        let mut group =
            Group { root, members: Vec::new(), ids: FxHashSet::default(), given: Vec::new(), chains: Vec::new() };
        group.take(root);
        group
    }

    pub fn has(&self, op: OperationRef<'c, 'a>) -> bool {
        self.ids.contains(&id(op))
    }

    /// Takes in an operation: what it gives is no longer given to the group, what it needs is.
    fn take(&mut self, op: OperationRef<'c, 'a>) {
        self.members.push(op);
        self.ids.insert(id(op));
        self.ids.extend(own_list(op).map(id));
        self.needs_instead(op, tensors(op));
    }

    /// In the place of what an operation gives the group is given these.
    pub fn needs_instead(&mut self, op: OperationRef<'c, 'a>, values: Vec<Value<'c, 'a>>) {
        self.given.retain(|v| v.defining_op() != Some(op));
        for value in values {
            if !self.given.contains(&value) {
                self.given.push(value);
            }
        }
    }

    /// Takes in producers, the nearest first, until none can be taken.
    pub fn grow(&mut self, rewriter: &mut Rewriter<'c>, scene: &mut Scene<'_, 'c, 'a>) -> PassResult {
        loop {
            let mut taken = false;
            for (_, op) in self.producers(scene) {
                taken = self.merge(scene, op) || chunks::go_first(rewriter, scene, self, op)?;
                if taken {
                    break;
                }
            }
            if !taken {
                if refusals::are_wanted() {
                    self.refuse(scene);
                }
                return Ok(());
            }
        }
    }

    /// Says why what the group is given is computed outside of it.
    fn refuse(&self, scene: &Scene<'_, 'c, 'a>) {
        let until = scene.place(self.root).unwrap_or_default();
        for (_, op) in self.producers(scene) {
            let (code, why) = match () {
                () if !is_pointwise(op) => ("not-pointwise", "it does not compute each element of the same elements"),
                () if !scene.may_wait(op, until, false) => {
                    ("order", "something between it and the group writes or acts")
                }
                () => ("used-between", "what uses it in between cannot move behind the group"),
            };
            refusals::refuse(Refusal::of(FuseGraph::NAME, op, operator_name(op), (code, why.to_owned())));
        }
    }

    /// What makes the values that the group is given, the nearest first.
    fn producers(&self, scene: &Scene<'_, 'c, 'a>) -> Vec<(Place, OperationRef<'c, 'a>)> {
        let made = self.given.iter().filter_map(|v| v.defining_op());
        let mut producers: Vec<_> = made.filter_map(|op| Some((scene.place(op)?, op))).collect();
        producers.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
        producers.dedup_by_key(|(place, _)| *place);
        producers
    }

    fn merge(&mut self, scene: &mut Scene<'_, 'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
        let Some(until) = scene.place(self.root).filter(|_| is_pointwise(op)) else { return false };
        let made = self.chains.iter().any(|chain| chain.made.contains(&id(op)));
        if !scene.may_wait(op, until, made) {
            return false;
        }
        let Some(result) = op.result_value(0) else { return false };
        for user in scene.users(result) {
            let early = !self.has(user) && scene.place(user).is_none_or(|place| place < until);
            // Of what was made here the aliases know nothing, so nothing moves across it.
            if early && (!self.chains.is_empty() || !scene.delay(user, self.root)) {
                return false;
            }
        }
        self.take(op);
        true
    }

    /// The node of the group, in the place of its last operation.
    pub fn put(
        mut self,
        rewriter: &mut Rewriter<'c>,
        scene: &mut Scene<'_, 'c, 'a>,
        function: OperationRef<'c, 'a>,
        number: usize,
    ) -> PassResult {
        let chunks = chunks::absorb(rewriter, scene, &mut self)?;
        let inside = |owner| self.ids.contains(&id(owner)) || scene.is_gone(owner);
        let is_seen = |v: &Value<'c, 'a>| v.uses().into_iter().any(|usage| !inside(usage.owner));
        let results: Vec<_> = self.members.iter().filter_map(|op| op.result_value(0)).filter(|v| is_seen(v)).collect();
        let mut held = Held::begin(rewriter, function, ("FusionGroup", number), &self.given)?;
        chunks.iter().for_each(|chunk| held.copy(*chunk));
        self.constants(&mut held);
        for op in self.members.iter().rev() {
            match concatenated(*op) {
                Some((parts, dim)) => concatenate(rewriter, &mut held, *op, (&parts, dim))?,
                None => held.copy(*op),
            }
        }
        let made = held.end(rewriter, self.root, &results, |_, user| inside(user))?;
        if let Some(place) = scene.place(self.root) {
            scene.put_at(made, place);
        }
        let lists: Vec<_> = self.members.iter().filter_map(|op| own_list(*op)).collect();
        self.members.iter().chain(&chunks).chain(&lists).for_each(|op| scene.remove(*op));
        Ok(())
    }

    /// Each constant once, the one that is needed last first.
    fn constants(&self, held: &mut Held<'c, 'a>) {
        let mut found: Vec<(OperationRef<'c, 'a>, Vec<Value<'c, 'a>>)> = Vec::new();
        let mut known: FxHashMap<Form, usize> = FxHashMap::default();
        for op in self.members.iter().rev().filter(|op| concatenated(**op).is_none()) {
            for value in op.operand_values().into_iter().map(source) {
                let Some(made) = value.defining_op().filter(|_| held.inner(value).is_none()) else { continue };
                if constant(value).is_none() {
                    continue;
                }
                let at = *known.entry(Form::of(made)).or_insert(found.len());
                match found.get_mut(at) {
                    Some((_, same)) => same.push(value),
                    None => found.push((made, vec![value])),
                }
            }
        }
        for (made, same) in found.into_iter().rev() {
            held.copy(made);
            if let Some(new) = made.result_value(0).and_then(|value| held.inner(value)) {
                same.iter().for_each(|value| held.stands_for(*value, new));
            }
        }
    }
}

/// `prim::FusedConcat` is `cat` without a list.
fn concatenate<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    held: &mut Held<'c, 'a>,
    op: OperationRef<'c, 'a>,
    (parts, dim): (&[Value<'c, 'a>], i64),
) -> PassResult {
    debug_assert_eq!(kind(op), "aten.cat");
    let parts: Vec<_> = parts.iter().filter_map(|v| held.inner(*v)).collect();
    let results: Vec<_> = op.result_values().into_iter().map(|v| (v.r#type(), script_type(v))).collect();
    let dim = AttributeValue::Int(dim);
    let made = rewriter.node_with(&held.at, "prim::FusedConcat", op.location(), &[("dim", &dim)], &parts, &results)?;
    for (outer, inner) in op.result_values().into_iter().zip(made.result_values()) {
        held.stands_for(outer, inner);
    }
    Ok(())
}
