//! Lists that were made here, and are not written: their lengths, their elements, their sums.

use super::{Found, New, Rewrites, only_result};
use crate::graph::{inputs, int, made_by, script_type};
use sconce_analysis::operators::{kind, source};
use sconce_analysis::refine::results;
use sconce_ir::prelude::*;
use sconce_schema::shape::Meta;
use sconce_tensor::IValue;

impl<'c: 'a, 'a> Rewrites<'c, 'a> {
    pub(super) fn lists(&mut self, op: OperationRef<'c, 'a>) -> Found<'c, 'a> {
        let operands = inputs(op);
        let Some(list) = operands.first().copied() else { return Ok(None) };
        if self.is_written(list) {
            return Ok(None);
        }
        if kind(op) == "aten.len" && self.shapes {
            // An operator that cuts a tensor into pieces says how many there are.
            let metas = source(list).defining_op().and_then(results);
            if let Some(Meta::List(pieces)) = metas.and_then(|metas| metas.into_iter().next()) {
                return Ok(i64::try_from(pieces.len()).ok().map(|n| New::Constant(IValue::Int(n))));
            }
        }
        let Some(made) = made_by(list, "prim.ListConstruct") else { return Ok(None) };
        let items = made.operand_values();
        match (kind(op), &operands[..]) {
            ("aten.len", [_]) => Ok(Some(New::Constant(IValue::Int(items.len() as i64)))),
            ("aten.__getitem__", [_, index]) => Ok(int(*index)
                .and_then(|index| if index < 0 { index.checked_add(items.len() as i64) } else { Some(index) })
                .and_then(|at| items.get(usize::try_from(at).ok()?).copied())
                .map(New::Value)),
            ("prim.ListUnpack", [_]) if op.result_values().len() == items.len() => {
                for (result, item) in op.result_values().into_iter().zip(items) {
                    self.replace(op, result, New::Value(item))?;
                }
                Ok(None)
            }
            ("aten.add", [_, other]) if !self.is_written(*other) => self.joined(op, items, *other),
            _ => Ok(None),
        }
    }

    fn joined(&mut self, op: OperationRef<'c, 'a>, items: Vec<Value<'c, 'a>>, other: Value<'c, 'a>) -> Found<'c, 'a> {
        let more = made_by(other, "prim.ListConstruct");
        let result = only_result(op).filter(|result| !self.is_written(*result));
        let (Some(more), Some(result)) = (more, result) else { return Ok(None) };
        let all: Vec<Value<'c, 'a>> = items.into_iter().chain(more.operand_values()).collect();
        let ty = script_type(result);
        let at = Builder::before(op);
        let list = self.rewriter.node(&at, "prim::ListConstruct", op.location(), &all, (result.r#type(), &ty))?;
        Ok(list.result_value(0).map(New::Value))
    }
}
