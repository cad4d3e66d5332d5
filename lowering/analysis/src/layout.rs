//! Which tensors lie row by row in memory whatever a function is given, so that no operator refuses them for how they lie; and of which nobody sees how they lie.

use crate::effects::{Effect, effect};
use crate::operators::{Constant, constant, kind, source};
use crate::sizes::asks_for_sizes;
use crate::types::holds_tensors;
use rustc_hash::FxHashSet;
use sconce_ir::op::Walk;
use sconce_ir::{OpExt, OperationRef, Value, ValueExt, ValueLike};
use sconce_schema::{OpEntry, Trait};

/// Tensors, and lists of tensors, that lie row by row, by [`ValueExt::id`].
#[derive(Default)]
pub struct Rows(FxHashSet<usize>);

impl Rows {
    /// Those of a function, in all of its blocks.
    pub fn of(function: OperationRef<'_, '_>) -> Self {
        let mut rows = Rows::default();
        function.walk_pre(&mut |op| {
            rows.note(op);
            Walk::Advance
        });
        rows
    }

    /// Notes results of an operation that stands behind all that were noted: those that an operator lays so, and what is computed of such tensors or of none.
    pub fn note(&mut self, op: OperationRef<'_, '_>) {
        let entry = sconce_torch::entry(op);
        let mut operands = op.operand_values().into_iter().map(source).filter(|v| holds_tensors(v.r#type()));
        let all = operands.all(|v| self.0.contains(&v.id()));
        let keeps = op.is("torch.prim.ListConstruct") || matches!(kind(op), "aten.view" | "aten.reshape");
        let computes = entry.is_some() && effect(op) == Effect::Fresh;
        let makes = entry.is_some_and(OpEntry::makes_rows);
        if (makes || all && (keeps || computes)) && !asks_for_format(op) {
            self.0.extend(op.result_values().iter().map(|v| v.id()));
        }
    }

    /// May the operator refuse its tensor for how it lies in memory?
    pub fn may_refuse(&self, op: OperationRef<'_, '_>) -> bool {
        let asks = sconce_torch::entry(op).is_some_and(|entry| entry.has(Trait::Strides));
        asks && !op.operand_value(0).is_some_and(|v| self.0.contains(&source(v).id()))
    }
}

/// More values are not looked at: of one that leads to more it is not known that nobody sees it.
const LOOKED_AT: usize = 4096;

/// Does somebody see how a tensor lies in memory: the caller, an operator that asks for it or refuses it for that, or whoever takes what is laid like it?
pub fn is_layout_seen<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    let (mut known, mut next) = (FxHashSet::default(), vec![value]);
    while let Some(value) = next.pop() {
        for user in value.uses().into_iter().map(|u| u.owner) {
            match (effect(user), sconce_torch::entry(user)) {
                (Effect::Fresh | Effect::View, Some(entry)) if entry.makes_rows() && !asks_for_format(user) => continue,
                (Effect::Fresh, Some(entry)) if entry.computes_tensors() => {}
                (Effect::View, Some(entry)) if !entry.has(Trait::Strides) => {}
                (Effect::View | Effect::Structural, None) => {}
                _ => return true,
            }
            let results = user.result_values();
            if known.len() > LOOKED_AT || !results.iter().all(|v| holds_tensors(v.r#type())) {
                return true;
            }
            next.extend(results.into_iter().filter(|v| known.insert(v.id())));
        }
    }
    false
}

/// Does somebody see whether a tensor that lies row by row has gaps between its rows: an operator that asks for its strides or refuses it for them, or whoever else gets it
/// or a view of it? Nobody who computes with it does. One operation that is given the tensor itself, by casts perhaps, does not count.
pub fn are_gaps_seen<'c: 'a, 'a>(value: Value<'c, 'a>, uncounted: OperationRef<'c, 'a>) -> bool {
    let (mut known, mut next) = (FxHashSet::default(), vec![value]);
    while let Some(v) = next.pop() {
        for user in v.uses().into_iter().map(|u| u.owner).filter(|user| source(v) != value || *user != uncounted) {
            match (effect(user), sconce_torch::entry(user)) {
                (_, Some(entry)) if asks_for_sizes(entry.op()) => {}
                (Effect::Fresh, Some(entry)) if entry.computes_tensors() && !entry.has(Trait::Strides) => {}
                (Effect::View, Some(entry)) if entry.has(Trait::Strides) => return true,
                (Effect::View, _) | (Effect::Structural, None) => {
                    next.extend(user.result_values().into_iter().filter(|v| known.insert(v.id())));
                }
                _ => return true,
            }
        }
    }
    false
}

/// Is the operator told in which order dimensions shall lie, perhaps another than rows?
fn asks_for_format(op: OperationRef<'_, '_>) -> bool {
    let Some(entry) = sconce_torch::entry(op) else { return false };
    let at = entry.schema().arguments.iter().position(|argument| &*argument.name == "memory_format");
    let asked = at.and_then(|at| op.operand_value(at)).map(constant);
    // `torch.contiguous_format` is 0, `torch.preserve_format` 1.
    asked.is_some_and(|format| !matches!(format, Some(Constant::None | Constant::Int(0 | 1))))
}
