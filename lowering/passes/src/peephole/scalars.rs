//! Tests for None, casts, equal values, sums of integers, and branches that pass on their condition.

use super::{Found, New, Rewrites, is_bool, only_result};
use crate::graph::{constant, inputs, int, is_constant, passed, script_type};
use sconce_analysis::operators::{kind, source};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, PassResult};
use sconce_schema::Type as ScriptType;
use sconce_tensor::IValue;

impl<'c: 'a, 'a> Rewrites<'c, 'a> {
    pub(super) fn scalars(&mut self, op: OperationRef<'c, 'a>) -> Found<'c, 'a> {
        if !is_constant(op) {
            self.nones(op)?;
        }
        if op.is("torch.prim.If") {
            return self.branches(op).map(|()| None);
        }
        self.constant_last(op);
        Ok(match (kind(op), &inputs(op)[..]) {
            (kind @ ("aten.__is__" | "aten.__isnot__"), [a, b]) => {
                let decided = is_none(*a) && is_not_none(*b) || is_none(*b) && is_not_none(*a);
                decided.then_some(New::Constant(IValue::Bool(kind == "aten.__isnot__")))
            }
            ("prim.unchecked_unwrap_optional" | "aten._unwrap_optional", [x]) => {
                is_not_none(*x).then_some(New::Value(*x))
            }
            ("prim.unchecked_cast", [x]) => {
                let to = only_result(op).map(|result| script_type(result).unshaped());
                to.filter(|to| script_type(*x).unshaped().is_subtype_of(to)).map(|_| New::Value(*x))
            }
            ("aten.Int" | "aten.ceil", [x]) if script_type(*x) == ScriptType::Int => Some(New::Value(*x)),
            (kind @ ("aten.eq" | "aten.ne"), [a, b]) if a == b && is_exact(&script_type(*a)) => {
                Some(New::Constant(IValue::Bool(kind == "aten.eq")))
            }
            ("aten.mul", [a, b]) if self.ints(*a, *b) => (int(*b) == Some(1)).then_some(New::Value(*a)),
            ("aten.floordiv", [a, b]) if self.ints(*a, *b) => (int(*b) == Some(1)).then_some(New::Value(*a)),
            ("aten.add" | "aten.sub", [a, b]) if self.ints(*a, *b) => {
                int(*b).map_or(Ok(None), |n| self.sum(op, *a, n))?
            }
            _ => None,
        })
    }

    /// `2 * x` as `x * 2`, and sums likewise: of two operands the first is not the constant.
    fn constant_last(&mut self, op: OperationRef<'c, 'a>) {
        let ("aten.mul" | "aten.add", [a, b]) = (kind(op), &op.operand_values()[..]) else { return };
        if self.ints(*a, *b) && int(*a).is_some() {
            op.set_operand_values(&[*b, *a]);
            self.changed = true;
        }
    }

    /// `x + 0`, and `(x + 1) + 2` as one sum.
    fn sum(&mut self, op: OperationRef<'c, 'a>, x: Value<'c, 'a>, n: i64) -> Found<'c, 'a> {
        if n == 0 {
            return Ok(Some(New::Value(x)));
        }
        let Some((y, merged)) = merged_sum(kind(op), x, n).filter(|(y, _)| self.ints(*y, x)) else { return Ok(None) };
        if merged == 0 {
            return Ok(Some(New::Value(y)));
        }
        let constant = self.rewriter.constant(&Builder::before(op), &IValue::Int(merged), &ScriptType::Int, y)?;
        if let Some(constant) = constant {
            op.set_operand_values(&[y, constant]);
            self.changed = true;
        }
        Ok(None)
    }

    /// Results that can only be None are None.
    fn nones(&mut self, op: OperationRef<'c, 'a>) -> PassResult {
        for result in op.result_values() {
            if script_type(result) == ScriptType::None {
                self.replace(op, result, New::Constant(IValue::None))?;
            }
        }
        Ok(())
    }

    /// A branch that passes on its condition; and results that are never None.
    fn branches(&mut self, op: OperationRef<'c, 'a>) -> PassResult {
        let (Some(yes), Some(no), Some(condition)) = (op.body(0), op.body(1), op.operand_value(0)) else {
            return Ok(());
        };
        let both = passed(yes).into_iter().zip(passed(no));
        for (index, (result, (a, b))) in op.result_values().into_iter().zip(both).enumerate() {
            if script_type(result) == ScriptType::Bool && is_bool(a, true) && is_bool(b, false) {
                self.replace(op, result, New::Value(condition))?;
                continue;
            }
            let optional = |v: Value<'c, 'a>| matches!(script_type(v), ScriptType::Optional(_));
            if optional(result)
                && !optional(a)
                && !optional(b)
                && let Some(ty) = script_type(a).unify(&script_type(b))
            {
                // Dead code goes, as PyTorch has it, also where that is the type it had.
                self.changed = true;
                self.set_result_type(op, index, &ty)?;
            }
        }
        Ok(())
    }

    /// Gives a result of a branch a type that both sides have; whoever insists on the old one gets a cast.
    fn set_result_type(&mut self, op: OperationRef<'c, 'a>, index: usize, ty: &ScriptType) -> Result<(), Failure> {
        let result = op.result_values()[index];
        let old = result.r#type();
        let Some(new) = self.rewriter.mlir_type(ty).filter(|new| *new != old) else { return Ok(()) };
        for block in [op.body(0), op.body(1)].into_iter().flatten() {
            let Some(end) = block.terminator_op() else { return Ok(()) };
            let Some(value) = self.rewriter.pass_on(&Builder::before(end), source(passed(block)[index]), new)? else {
                return Ok(());
            };
            end.set_operand_value(index, value);
        }
        result.set_value_type(new);
        let cast = self.rewriter.pass_on(&Builder::after(op), result, old)?;
        if let Some((cast, by)) = cast.and_then(|cast| Some((cast, cast.defining_op()?))) {
            result.replace_all_uses_except(cast, &[by]);
        }
        let types: Vec<ScriptType> = op
            .result_values()
            .into_iter()
            .enumerate()
            .map(|(i, v)| if i == index { ty.clone() } else { script_type(v) })
            .collect();
        self.rewriter.keep_types(op, &types);
        self.changed = true;
        Ok(())
    }
}

/// Of two integers the one that is no constant, and the constant.
fn variable_and_constant<'c, 'a>(a: Value<'c, 'a>, b: Value<'c, 'a>) -> (Value<'c, 'a>, Option<i64>)
where
    'c: 'a,
{
    match int(a) {
        Some(n) => (b, Some(n)),
        None => (a, int(b)),
    }
}

/// `(y + m) + n` as `y + k`, `(y - m) + n` and the like.
fn merged_sum<'c: 'a, 'a>(outer: &str, x: Value<'c, 'a>, n: i64) -> Option<(Value<'c, 'a>, i64)> {
    let inner = source(x).defining_op().filter(|op| matches!(kind(*op), "aten.add" | "aten.sub"))?;
    let [a, b] = inputs(inner)[..] else { return None };
    let (y, m) = if kind(inner) == "aten.add" { variable_and_constant(a, b) } else { (a, int(b)) };
    let merged = if kind(inner) == outer { n.checked_add(m?)? } else { n.checked_sub(m?)? };
    Some((y, merged))
}

fn is_none(value: Value<'_, '_>) -> bool {
    script_type(value) == ScriptType::None || matches!(constant(value), Some(IValue::None))
}

fn is_not_none(value: Value<'_, '_>) -> bool {
    let ty = script_type(value);
    !ScriptType::None.is_subtype_of(&ty) && !matches!(ty, ScriptType::Var(_))
}

/// Are equal values of the type always equal to themselves, and comparing them no error?
fn is_exact(ty: &ScriptType) -> bool {
    match ty {
        ScriptType::Bool | ScriptType::Int | ScriptType::None => true,
        ScriptType::List(item) => is_exact(item),
        ScriptType::Dict(key, value) => is_exact(key) && is_exact(value),
        _ => false,
    }
}
