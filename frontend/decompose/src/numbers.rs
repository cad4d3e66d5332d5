//! Arithmetic of definitions: numbers are computed, sizes that may vary become nodes, and a comparison of them is answered as for any sizes that they can have.

use crate::arguments::argument;
use crate::error::{Fault, Outcome, fault};
use crate::tracer::{Tracer, sign};
use crate::value::{From, Num, Value};
use sconce_fx::Argument;
use sconce_schema::dim::{Dim, DimOp, Guard, Relation};
use sconce_syntax::script::tree::{BinaryOp, CompareOp};

/// What an operator of Python's does with sizes.
pub(crate) fn of_sizes(op: BinaryOp) -> Option<DimOp> {
    Some(match op {
        BinaryOp::Add => DimOp::Add,
        BinaryOp::Sub => DimOp::Sub,
        BinaryOp::Mul => DimOp::Mul,
        BinaryOp::FloorDiv => DimOp::FloorDiv,
        BinaryOp::Mod => DimOp::Mod,
        _ => return None,
    })
}

fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Float(x) => Some(*x),
        other => other.known().map(|n| n as f64),
    }
}

fn unfit<T>(a: &Value, sign: &str, b: &Value) -> Outcome<T> {
    fault(format!("`{sign}` joins no {} and {}", a.kind(), b.kind()))
}

/// `a op b`
pub(crate) fn binary(tracer: &mut Tracer<'_>, op: BinaryOp, a: &Value, b: &Value) -> Outcome<Value> {
    if let (BinaryOp::Add, Some(mut left), Some(right)) = (op, a.items(), b.items()) {
        left.extend(right);
        return Ok(if matches!(a, Value::Tuple(_)) { Value::Tuple(left.into()) } else { Value::list(left) });
    }
    if let (BinaryOp::Mul, Some(items), Some(n)) = (op, a.items(), b.known()) {
        let count = usize::try_from(n).unwrap_or(0);
        if items.len().saturating_mul(count) > 1 << 16 {
            return fault("a list of more than 65536 members");
        }
        return Ok(Value::list(std::iter::repeat_n(items, count).flatten().collect()));
    }
    if let (Value::Int(_) | Value::Bool(_), Value::Int(_) | Value::Bool(_), Some(op)) = (a, b, of_sizes(op)) {
        return integer(tracer, op, a, b);
    }
    let (Some(x), Some(y)) = (float(a), float(b)) else { return unfit(a, &format!("{op:?}"), b) };
    Ok(match op {
        BinaryOp::Add => Value::Float(x + y),
        BinaryOp::Sub => Value::Float(x - y),
        BinaryOp::Mul => Value::Float(x * y),
        BinaryOp::Div if y == 0.0 => return fault("a division by zero"),
        BinaryOp::Div => Value::Float(x / y),
        BinaryOp::FloorDiv if y != 0.0 => Value::Float((x / y).floor()),
        BinaryOp::Pow => match (a.known(), b.known().and_then(|n| u32::try_from(n).ok())) {
            (Some(base), Some(exponent)) => match base.checked_pow(exponent) {
                Some(n) => Value::int(n),
                None => return fault("a power beyond 64 bits"),
            },
            _ => Value::Float(x.powf(y)),
        },
        _ => return unfit(a, &format!("{op:?}"), b),
    })
}

/// Two integers joined: a node where the result is not known.
pub(crate) fn integer(tracer: &mut Tracer<'_>, op: DimOp, a: &Value, b: &Value) -> Outcome<Value> {
    let (Some(x), Some(y)) = (a.dim(), b.dim()) else { return unfit(a, sign(op), b) };
    let dim = Dim::op(op, x, y);
    match dim {
        Dim::Known(_) => return Ok(Value::size(dim)),
        Dim::Unknown if x.known().is_some() && y.known().is_some() => {
            return fault("a number beyond 64 bits, or a division by zero");
        }
        Dim::Unknown => return fault("arithmetic of sizes beyond what is kept"),
        _ => {}
    }
    // One times a size is the size.
    for (one, other) in [(x, b), (y, a)] {
        if op == DimOp::Mul && one == Dim::Known(1) {
            return Ok(other.clone());
        }
    }
    let written = vec![argument(tracer, a)?, argument(tracer, b)?];
    let node = tracer.number_node(sign(op), written, dim)?;
    Ok(Value::Int(Num { dim, from: From::Node(node) }))
}

/// `a op b` of numbers that are known, or of sizes.
pub(crate) fn compare(tracer: &mut Tracer<'_>, op: CompareOp, a: &Value, b: &Value) -> Outcome<bool> {
    match op {
        CompareOp::Is | CompareOp::Eq => equal(tracer, a, b),
        CompareOp::IsNot | CompareOp::Ne => Ok(!equal(tracer, a, b)?),
        CompareOp::In | CompareOp::NotIn => {
            let Some(items) = b.items() else { return unfit(a, "in", b) };
            let mut found = false;
            for item in &items {
                found = found || equal(tracer, a, item)?;
            }
            Ok(found == (op == CompareOp::In))
        }
        _ => order(tracer, op, a, b),
    }
}

fn order(tracer: &Tracer<'_>, op: CompareOp, a: &Value, b: &Value) -> Outcome<bool> {
    if let (Some(x), Some(y)) = (a.dim(), b.dim()) {
        let (left, right) = match op {
            CompareOp::Lt => (x.plus(1), y),
            CompareOp::Le => (x, y),
            CompareOp::Gt => (y.plus(1), x),
            _ => (y, x),
        };
        let holds = tracer.symbols.holds(&Guard { relation: Relation::AtMost, left, right });
        return holds.ok_or_else(|| Fault(format!("how {x} and {y} compare is not known")));
    }
    let (Some(x), Some(y)) = (float(a), float(b)) else { return unfit(a, &format!("{op:?}"), b) };
    Ok(match op {
        CompareOp::Lt => x < y,
        CompareOp::Le => x <= y,
        CompareOp::Gt => x > y,
        _ => x >= y,
    })
}

fn equal(tracer: &mut Tracer<'_>, a: &Value, b: &Value) -> Outcome<bool> {
    if let (Some(x), Some(y)) = (a.dim(), b.dim()) {
        let holds = tracer.symbols.holds(&Guard { relation: Relation::Equal, left: x, right: y });
        return holds.ok_or_else(|| Fault(format!("whether {x} and {y} are equal is not known")));
    }
    if let (Some(x), Some(y)) = (a.items(), b.items()) {
        let mut same = x.len() == y.len();
        for (x, y) in x.iter().zip(&y) {
            same = same && equal(tracer, x, y)?;
        }
        return Ok(same);
    }
    Ok(match (a, b) {
        (Value::Tensor(a), Value::Tensor(b)) => a == b,
        (Value::NotImplemented, Value::NotImplemented) => true,
        (Value::Graph(a), Value::Graph(b)) => a == b,
        _ => match (float(a), float(b)) {
            (Some(x), Some(y)) => x == y,
            (None, None) => {
                let kept = matches!(a, Value::Graph(_) | Value::NotImplemented)
                    || matches!(b, Value::Graph(_) | Value::NotImplemented);
                !kept && a.kind() == b.kind() && constant(tracer, a)? == constant(tracer, b)?
            }
            _ => false,
        },
    })
}

fn constant(tracer: &mut Tracer<'_>, value: &Value) -> Outcome<Argument> {
    argument(tracer, value)
}

/// Whether Python takes a value for true.
pub(crate) fn truth(value: &Value) -> Outcome<bool> {
    match value {
        Value::None => Ok(false),
        Value::Bool(b) => Ok(*b),
        Value::Float(x) => Ok(*x != 0.0),
        Value::Str(s) => Ok(!s.is_empty()),
        Value::List(items) => Ok(!items.borrow().is_empty()),
        Value::Tuple(items) => Ok(!items.is_empty()),
        Value::Int(n) => {
            n.dim.known().map(|n| n != 0).ok_or_else(|| Fault(format!("whether {} is 0 is not known", n.dim)))
        }
        other => fault(format!("a value of kind {} is neither true nor false", other.kind())),
    }
}
