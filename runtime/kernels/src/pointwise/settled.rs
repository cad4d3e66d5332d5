//! Arguments of a pointwise operator as it computes with them: what the common dtype cannot hold is cut or refused before anything is computed.

use crate::Error;
use crate::engine::cast::{self, Value, with_element};
use crate::engine::number;
use sconce_schema::OpEntry;
use sconce_schema::promotion::opmath;
use sconce_schema::scalar::{Binary, Node, ScalarExpr};
use sconce_tensor::{DType, IValue};

/// Whether a call of this kind may have arguments that [`settle`] changes or refuses.
pub fn is_unsettled(entry: &OpEntry, expr: &ScalarExpr, args: &[IValue], common: DType) -> bool {
    // Kinds of numbers do not tell which of them fit everywhere.
    let plain = |v: &IValue| match v {
        IValue::Int(n) => match common {
            DType::U16 | DType::U32 | DType::U64 => (0..128).contains(n),
            d if d.is_int() => {
                let (low, high) = d.int_range();
                (low..=high).contains(&i128::from(*n))
            }
            DType::F16 => (-32768..32768).contains(n),
            _ => true,
        },
        IValue::Complex(_) => common.is_complex(),
        _ => true,
    };
    let mut settled = args.to_vec();
    settle(entry, expr, &mut settled, common) != Ok(false) || !args.iter().all(plain)
}

/// Settles a call's arguments; whether one changed. `common` is the dtype that operands are brought to.
pub fn settle(entry: &OpEntry, expr: &ScalarExpr, args: &mut [IValue], common: DType) -> Result<bool, Error> {
    let mut changed = false;
    let half = common.is_float() && common.size() == 2;
    let subtracts = matches!(expr.nodes.last(), Some(Node::Binary(Binary::Sub, ..)));
    for (i, (v, declared)) in args.iter_mut().zip(&entry.schema().arguments).enumerate() {
        let operand = expr.promotes.iter().any(|&p| usize::from(p) == i);
        let settled = match (&*declared.name, &*v) {
            // Bounds may lie outside of integers.
            ("min" | "max", IValue::Int(_) | IValue::Double(_)) if common.is_float() => {
                Some(number::number_in(v, common)?)
            }
            ("min" | "max", IValue::Int(_)) => None,
            ("exponent", IValue::Int(_)) if common.is_int() => Some(number::number_in(v, common)?),
            // Integers wrap around.
            (_, IValue::Int(n)) if operand && common.is_int() => {
                Some(IValue::Int(with_element!(common, entry.name, T => n.to::<T>().to::<i64>())))
            }
            (_, IValue::Tensor(t)) if operand && common.is_int() && t.dtype().is_int() && t.dtype() != common => {
                let ((low, high), (least, most)) = (common.int_range(), t.dtype().int_range());
                (least < low || most > high).then(|| cast::convert(t, common)).transpose()?.map(IValue::Tensor)
            }
            ("alpha" | "exponent", IValue::Int(_) | IValue::Double(_)) if common.is_float() => {
                Some(number::number_in(v, common)?)
            }
            // A difference is a sum with the negative factor, which is the one that must fit.
            ("alpha", IValue::Int(n)) if common.is_int() && subtracts => {
                let negative = number::number_in(&IValue::Int(n.wrapping_neg()), common)?;
                Some(IValue::Int(negative.as_int()?.wrapping_neg()))
            }
            ("alpha", IValue::Int(_)) if common.is_int() => Some(number::number_in(v, common)?),
            ("alpha", IValue::Int(n)) if common == DType::Bool => Some(IValue::Int(i64::from(*n != 0))),
            ("value", IValue::Bool(_) | IValue::Int(_) | IValue::Double(_) | IValue::Complex(_)) if !operand => {
                Some(number::number_in(v, opmath(common))?)
            }
            // Integers are rounded to halves before anything is computed with them.
            (_, IValue::Tensor(t)) if operand && half && t.dim() > 0 && t.dtype().is_int() && t.dtype().size() > 1 => {
                Some(IValue::Tensor(cast::convert(t, common)?))
            }
            _ => None,
        };
        if let Some(settled) = settled {
            let same = match (&settled, &*v) {
                (IValue::Int(a), IValue::Int(b)) => a == b,
                (IValue::Tensor(_), _) => false,
                // A number is the same in a type that it is only rounded in.
                (settled, v) => !common.is_int() || settled.as_double().ok() == v.as_double().ok(),
            };
            if !same {
                (*v, changed) = (settled, true);
            }
        }
    }
    Ok(changed)
}
