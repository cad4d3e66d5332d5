//! What `vmap` computes for every element of a batch is computed for all at once where an operator works elementwise: the batch is a dimension in front.
//!
//! The marks are calls of `torch._functorch.predispatch`: a dimension is added, after which the tensor has it in front and does not count it, and removed.

use crate::error::{Outcome, fault};
use crate::tracer::{Tracer, entry};
use crate::value::{TensorId, Value};
use rustc_hash::FxHashSet;
use sconce_schema::OpEntry;

/// The tensors that have a batch in front.
#[derive(Default)]
pub(crate) struct Batches {
    tensors: FxHashSet<TensorId>,
}

impl Batches {
    /// A mark: what it gives, or `None` for what is none.
    pub fn mark(&mut self, tracer: &mut Tracer<'_>, target: &str, args: &[Value]) -> Outcome<Option<Value>> {
        let Some(mark) = target.strip_prefix("torch._functorch.predispatch.") else { return Ok(None) };
        Ok(Some(match (mark, args) {
            ("_add_batch_dim", [Value::Tensor(t), dim, _]) => {
                let moved = self.moved(tracer, *t, dim.clone(), Value::int(0))?;
                self.tensors.insert(moved);
                Value::Tensor(moved)
            }
            ("_remove_batch_dim", [Value::Tensor(t), _, _, dim]) => {
                if !self.tensors.remove(t) {
                    return fault("what has no batch cannot lose it");
                }
                Value::Tensor(self.moved(tracer, *t, Value::int(0), dim.clone())?)
            }
            ("lazy_load_decompositions" | "_vmap_increment_nesting" | "_vmap_decrement_nesting", _) => Value::None,
            _ => return fault("it is a mark of vmap that is not known"),
        }))
    }

    /// The tensor with a dimension elsewhere; a tensor of its own in any case.
    fn moved(&self, tracer: &mut Tracer<'_>, t: TensorId, from: Value, to: Value) -> Outcome<TensorId> {
        if from.known() != to.known() {
            let movedim = entry("aten::movedim.int")?;
            let moved = tracer.call(movedim, vec![Value::Tensor(t), from, to])?;
            return moved.tensor().map_or_else(|| fault("a dimension cannot be moved"), Ok);
        }
        let tensor = tracer.tensor(t).clone();
        Ok(tracer.aliased(tensor.node, tensor.meta, tensor.alias))
    }

    /// Looks at a call before it is made: its results have a batch if its arguments do.
    pub fn check(&self, tracer: &Tracer<'_>, entry: &OpEntry, args: &[Value]) -> Outcome<bool> {
        let mut all = Vec::new();
        args.iter().for_each(|v| v.tensors(&mut |t| all.push(t)));
        let rank = |t: &TensorId| tracer.tensor(*t).meta.sizes.len();
        let own = |t: &TensorId| rank(t).saturating_sub(usize::from(self.tensors.contains(t)));
        if !all.iter().any(|t| self.tensors.contains(t)) {
            return Ok(false);
        }
        let most = all.iter().map(own).max().unwrap_or(0);
        let fits = all.iter().all(|t| !self.tensors.contains(t) || own(t) == most);
        if entry.scalar.is_none() || !fits {
            return fault("vmap of what is not elementwise has no form in Core ATen");
        }
        Ok(true)
    }

    pub fn add(&mut self, result: &Value) {
        result.tensors(&mut |t| _ = self.tensors.insert(t));
    }
}
