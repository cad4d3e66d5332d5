//! Where autocast is on, an operator computes in the dtype that the metadata records of its result: its floating-point arguments are cast to that.

use super::body::Body;
use sconce_fx::{Argument, Node, Val};
use sconce_graph::graph::ValueId;
use sconce_graph::insert::Arg;
use sconce_schema::DType;
use sconce_tensor::IValue;

/// Dtypes between which autocast casts.
fn is_cast(dtype: DType) -> bool {
    matches!(dtype, DType::F16 | DType::BF16 | DType::F32)
}

/// The dtype of the first tensor that is known of a value.
fn dtype_of(val: &Val) -> Option<DType> {
    match val {
        Val::Tensor(meta) => Some(meta.dtype),
        Val::List(all) | Val::Tuple(all) => all.iter().find_map(dtype_of),
        _ => None,
    }
}

impl Body<'_> {
    /// Casts the arguments of a call as autocast does.
    pub fn cast(&mut self, node: &Node, args: &mut [Arg]) {
        let Some(lower) = self.autocast else { return };
        let wanted = node.meta.val.as_ref().and_then(dtype_of).filter(|d| *d == lower || *d == DType::F32);
        let Some(wanted) = wanted else { return };
        for (arg, argument) in args.iter_mut().zip(&node.args) {
            let Arg::Value(value) = *arg else { continue };
            let cast = match argument.items() {
                Some(items) => self.cast_list(value, items, wanted),
                None => self.cast_one(value, argument, wanted),
            };
            if let Some(cast) = cast {
                *arg = cast.into();
            }
        }
    }

    /// A tensor in another dtype; none where it stays as it is.
    fn cast_one(&mut self, value: ValueId, argument: &Argument, wanted: DType) -> Option<ValueId> {
        let known = argument.node().and_then(|id| self.module.graph[id].meta.val.as_ref()).and_then(dtype_of)?;
        let is_tensor = self.graph.ty(value).is_tensor();
        if !is_tensor || known == wanted || !is_cast(known) {
            return None;
        }
        self.graph.insert("aten::to", &[value.into(), Arg::Constant(IValue::Int(wanted.number()))], &[]).ok()
    }

    /// A list of tensors in another dtype; none where all stay as they are.
    fn cast_list(&mut self, list: ValueId, items: &[Argument], wanted: DType) -> Option<ValueId> {
        let made = self.graph.defining(list).filter(|n| self.graph.is(*n, "prim::ListConstruct"))?;
        let before = self.graph.inputs(made).to_vec();
        let casts: Vec<Option<ValueId>> =
            before.iter().zip(items).map(|(value, item)| self.cast_one(*value, item, wanted)).collect();
        if casts.iter().all(Option::is_none) {
            return None;
        }
        let after: Vec<ValueId> = casts.into_iter().zip(before).map(|(cast, value)| cast.unwrap_or(value)).collect();
        let ty = self.graph.ty(list).clone();
        Some(self.graph.insert_value("prim::ListConstruct", &after, ty))
    }
}
