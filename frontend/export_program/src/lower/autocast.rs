//! Where autocast is on, an operator computes in the dtype that the metadata records of its result: its floating-point arguments are cast to that.

use super::body::Body;
use sconce_fx::{Node, Val};
use sconce_graph::insert::Arg;
use sconce_schema::{DType, Type};
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
            let known = argument.node().and_then(|id| self.module.graph[id].meta.val.as_ref()).and_then(dtype_of);
            let Arg::Value(value) = *arg else { continue };
            if !self.graph.ty(value).is_tensor() && !matches!(self.graph.ty(value), Type::Optional(_))
                || known.is_none_or(|d| d == wanted || !is_cast(d))
            {
                continue;
            }
            let cast = self.graph.insert("aten::to", &[value.into(), Arg::Constant(IValue::Int(wanted.number()))], &[]);
            if let Ok(cast) = cast {
                *arg = cast.into();
            }
        }
    }
}
