//! What `+`, `==`, `in` and their like give, on Python's own types, on classes with magic methods, and on tensors.

use super::value::*;
use super::{Evaluator, Fallible, Fault};
use sconce_syntax::script::tree::{BinaryOp, CompareOp, UnaryOp};
use std::cmp::Ordering;
use std::rc::Rc;

/// The symbol, the magic method without underscores, and the operator of tensors.
fn facts(op: BinaryOp) -> (&'static str, &'static str, &'static str) {
    match op {
        BinaryOp::Add => ("+", "add", "aten::add"),
        BinaryOp::Sub => ("-", "sub", "aten::sub"),
        BinaryOp::Mul => ("*", "mul", "aten::mul"),
        BinaryOp::Div => ("/", "truediv", "aten::div"),
        BinaryOp::FloorDiv => ("//", "floordiv", "aten::floor_divide"),
        BinaryOp::Mod => ("%", "mod", "aten::remainder"),
        BinaryOp::Pow => ("**", "pow", "aten::pow"),
        BinaryOp::MatMul => ("@", "matmul", "aten::matmul"),
        BinaryOp::LShift => ("<<", "lshift", "aten::__lshift__"),
        BinaryOp::RShift => (">>", "rshift", "aten::__rshift__"),
        BinaryOp::BitAnd => ("&", "and", "aten::__and__"),
        BinaryOp::BitOr => ("|", "or", "aten::__or__"),
        BinaryOp::BitXor => ("^", "xor", "aten::__xor__"),
    }
}

fn overflow() -> Fault {
    Fault::limit("integers of more than 64 bits are not supported")
}

impl Evaluator {
    pub(super) fn unary(&self, op: UnaryOp, a: &Value) -> Fallible<Value> {
        let a = &unwrap_bool(a, op);
        Ok(match (op, a) {
            (UnaryOp::Not, _) => Value::Bool(!self.truth(a)?),
            (UnaryOp::Neg, Value::Int(i)) => Value::Int(i.checked_neg().ok_or_else(overflow)?),
            (UnaryOp::Neg, Value::Float(f)) => Value::Float(-f),
            (UnaryOp::Neg, Value::Complex(re, im)) => Value::Complex(-re, -im),
            (UnaryOp::Neg, Value::Tensor(_)) => self.operator("aten::neg", vec![a.clone()], Vec::new())?,
            (UnaryOp::Pos, Value::Int(_) | Value::Float(_) | Value::Complex(..) | Value::Tensor(_)) => a.clone(),
            (UnaryOp::Invert, Value::Int(i)) => Value::Int(!i),
            (UnaryOp::Invert, Value::Tensor(_)) => self.operator("aten::bitwise_not", vec![a.clone()], Vec::new())?,
            (_, Value::Instance(_)) => {
                let name = match op {
                    UnaryOp::Neg => "__neg__",
                    UnaryOp::Pos => "__pos__",
                    _ => "__invert__",
                };
                self.call_method(a, name, Vec::new())?
            }
            _ => {
                let symbol = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Pos => "+",
                    _ => "~",
                };
                let text = format!("bad operand type for unary {symbol}: '{}'", a.type_name());
                return Err(Fault::raise("TypeError", text));
            }
        })
    }

    pub(super) fn binary(&self, op: BinaryOp, a: &Value, b: &Value) -> Fallible<Value> {
        let (symbol, magic, tensor) = facts(op);
        if matches!(a, Value::Tensor(_)) || matches!(b, Value::Tensor(_)) {
            return self.tensor_binary(tensor, a, b);
        }
        for (object, other, name) in [(a, b, format!("__{magic}__")), (b, a, format!("__r{magic}__"))] {
            if let Value::Instance(i) = object
                && i.class.get(&name).is_some()
            {
                return self.call_method(object, &name, vec![other.clone()]);
            }
        }
        if op == BinaryOp::Mod
            && let Value::Str(format) = a
        {
            return Ok(Value::str(self.percent(format, b)?));
        }
        if let Some(v) = arithmetic(op, a, b)? {
            return Ok(v);
        }
        if let Some(v) = self.collections(op, a, b)? {
            return Ok(v);
        }
        let text = format!("unsupported operand type(s) for {symbol}: '{}' and '{}'", a.type_name(), b.type_name());
        Err(Fault::raise("TypeError", text))
    }

    fn tensor_binary(&self, name: &str, a: &Value, b: &Value) -> Fallible<Value> {
        let (a, b) = match (a, name) {
            (Value::Tensor(_), _) => (a.clone(), b.clone()),
            // A number on the left: what `__rsub__` and its like do.
            (_, "aten::sub") => return self.operator("aten::rsub", vec![b.clone(), a.clone()], Vec::new()),
            (_, "aten::div") => {
                let reciprocal = self.operator("aten::reciprocal", vec![b.clone()], Vec::new())?;
                return self.operator("aten::mul", vec![reciprocal, a.clone()], Vec::new());
            }
            (_, "aten::add" | "aten::mul") => (b.clone(), a.clone()),
            _ => (a.clone(), b.clone()),
        };
        self.operator(name, vec![a, b], Vec::new())
    }

    /// `a += b`
    pub(super) fn in_place(&self, op: BinaryOp, a: &Value, b: &Value) -> Fallible<Value> {
        let (_, magic, tensor) = facts(op);
        match a {
            Value::List(v) if op == BinaryOp::Add => {
                let more = self.items(b)?;
                v.borrow_mut().extend(more);
                Ok(a.clone())
            }
            Value::Tensor(_) => {
                let name = match op {
                    BinaryOp::MatMul | BinaryOp::FloorDiv => return self.binary(op, a, b),
                    BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::LShift | BinaryOp::RShift => {
                        format!("aten::__i{magic}__")
                    }
                    _ => format!("{tensor}_"),
                };
                self.operator(&name, vec![a.clone(), b.clone()], Vec::new())
            }
            Value::Instance(i) if i.class.get(&format!("__i{magic}__")).is_some() => {
                self.call_method(a, &format!("__i{magic}__"), vec![b.clone()])
            }
            _ => self.binary(op, a, b),
        }
    }

    fn collections(&self, op: BinaryOp, a: &Value, b: &Value) -> Fallible<Option<Value>> {
        Ok(Some(match (op, a, b) {
            (BinaryOp::Add, Value::Str(a), Value::Str(b)) => Value::str(format!("{a}{b}")),
            (BinaryOp::Add, Value::List(a), Value::List(b)) => {
                self.spend((a.borrow().len() + b.borrow().len()) as u64)?;
                Value::list(a.borrow().iter().chain(b.borrow().iter()).cloned().collect())
            }
            (BinaryOp::Add, Value::Tuple(a) | Value::NamedTuple(_, a), Value::Tuple(b) | Value::NamedTuple(_, b)) => {
                Value::tuple(a.iter().chain(b.iter()).cloned().collect())
            }
            (BinaryOp::Mul, Value::Int(_) | Value::Bool(_), Value::Str(_) | Value::List(_) | Value::Tuple(_)) => {
                return self.collections(op, b, a);
            }
            (BinaryOp::Mul, Value::Str(s), n) => {
                let n = self.repeats(n, s.len())?;
                Value::str(s.repeat(n))
            }
            (BinaryOp::Mul, Value::List(v), n) => {
                let v = v.borrow();
                let n = self.repeats(n, v.len())?;
                Value::list(std::iter::repeat_n(&v[..], n).flatten().cloned().collect())
            }
            (BinaryOp::Mul, Value::Tuple(v), n) => {
                let n = self.repeats(n, v.len())?;
                Value::tuple(std::iter::repeat_n(&v[..], n).flatten().cloned().collect())
            }
            (BinaryOp::BitOr, Value::Dict(a), Value::Dict(b)) => {
                let mut out = a.borrow().clone();
                out.extend(b.borrow().iter().map(|(k, v)| (k.clone(), v.clone())));
                Value::dict(out)
            }
            (BinaryOp::BitOr | BinaryOp::BitAnd | BinaryOp::Sub | BinaryOp::BitXor, Value::Set(a), Value::Set(b)) => {
                let (a, b) = (a.borrow(), b.borrow());
                let keys = match op {
                    BinaryOp::BitOr => a.union(&b).cloned().collect(),
                    BinaryOp::BitAnd => a.intersection(&b).cloned().collect(),
                    BinaryOp::Sub => a.difference(&b).cloned().collect(),
                    _ => a.symmetric_difference(&b).cloned().collect(),
                };
                Value::Set(Rc::new(std::cell::RefCell::new(keys)))
            }
            // `Tensor | None`, `int | float`
            (BinaryOp::BitOr, a, b) if is_type(a) && is_type(b) => {
                Value::Generic(Rc::new(("typing.Union".into(), vec![a.clone(), b.clone()])))
            }
            _ => return Ok(None),
        }))
    }

    fn repeats(&self, n: &Value, length: usize) -> Fallible<usize> {
        let n = match n {
            Value::Int(n) => usize::try_from(*n).unwrap_or(0),
            Value::Bool(b) => usize::from(*b),
            other => {
                let text = format!("can't multiply sequence by non-int of type '{}'", other.type_name());
                return Err(Fault::raise("TypeError", text));
            }
        };
        self.spend((n as u64).saturating_mul(length.max(1) as u64))?;
        Ok(n)
    }

    /// `a == b`, asking classes' `__eq__`.
    pub(super) fn equals(&self, a: &Value, b: &Value) -> Fallible<bool> {
        let v = self.compare(CompareOp::Eq, a, b)?;
        self.truth(&v)
    }

    fn all_equal(&self, x: &[Value], y: &[Value]) -> Fallible<bool> {
        for (x, y) in x.iter().zip(y) {
            if !same(x, y) && !self.equals(x, y)? {
                return Ok(false);
            }
        }
        Ok(x.len() == y.len())
    }

    pub(super) fn compare(&self, op: CompareOp, a: &Value, b: &Value) -> Fallible<Value> {
        let (magic, reflected, tensor) = match op {
            CompareOp::Is => return Ok(Value::Bool(same(a, b))),
            CompareOp::IsNot => return Ok(Value::Bool(!same(a, b))),
            CompareOp::In => return Ok(Value::Bool(self.contains(b, a)?)),
            CompareOp::NotIn => return Ok(Value::Bool(!self.contains(b, a)?)),
            CompareOp::Eq => ("__eq__", "__eq__", "aten::eq"),
            CompareOp::Ne => ("__ne__", "__ne__", "aten::ne"),
            CompareOp::Lt => ("__lt__", "__gt__", "aten::lt"),
            CompareOp::Le => ("__le__", "__ge__", "aten::le"),
            CompareOp::Gt => ("__gt__", "__lt__", "aten::gt"),
            CompareOp::Ge => ("__ge__", "__le__", "aten::ge"),
        };
        if matches!(a, Value::Tensor(_)) || matches!(b, Value::Tensor(_)) {
            if matches!(op, CompareOp::Eq | CompareOp::Ne) && (matches!(a, Value::None) || matches!(b, Value::None)) {
                return Ok(Value::Bool(op == CompareOp::Ne));
            }
            let (x, y) = (a, b);
            return match x {
                Value::Tensor(_) => self.operator(tensor, vec![x.clone(), y.clone()], Vec::new()),
                _ => self.compare(mirrored(op), y, x),
            };
        }
        for (object, other, name) in [(a, b, magic), (b, a, reflected)] {
            if let Value::Instance(i) = object
                && i.class.get(name).is_some()
            {
                return self.call_method(object, name, vec![other.clone()]);
            }
        }
        if op == CompareOp::Ne {
            return Ok(Value::Bool(!self.equals(a, b)?));
        }
        if op == CompareOp::Eq {
            // Sizes are tensors there, which are equal by what they hold.
            return match (a, b) {
                (Value::Tuple(x), Value::Tuple(y)) if self.is_tracing() => self.all_equal(x, y).map(Value::Bool),
                (Value::List(x), Value::List(y)) if self.is_tracing() => {
                    self.all_equal(&x.borrow(), &y.borrow()).map(Value::Bool)
                }
                _ => Ok(Value::Bool(equal(a, b))),
            };
        }
        let Some(order) = order(a, b) else {
            let symbol = match op {
                CompareOp::Lt => "<",
                CompareOp::Le => "<=",
                CompareOp::Gt => ">",
                _ => ">=",
            };
            let (a, b) = (a.type_name(), b.type_name());
            return Err(Fault::raise(
                "TypeError",
                format!("'{symbol}' not supported between instances of '{a}' and '{b}'"),
            ));
        };
        let Some(order) = order else { return Ok(Value::Bool(false)) };
        Ok(Value::Bool(match op {
            CompareOp::Lt => order == Ordering::Less,
            CompareOp::Le => order != Ordering::Greater,
            CompareOp::Gt => order == Ordering::Greater,
            _ => order != Ordering::Less,
        }))
    }
}

fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        other => other,
    }
}

/// Is it something that may stand in an annotation?
fn is_type(v: &Value) -> bool {
    matches!(v, Value::Class(_) | Value::Host(_) | Value::Generic(_) | Value::None)
}

fn unwrap_bool(a: &Value, op: UnaryOp) -> Value {
    match a {
        Value::Bool(b) if op != UnaryOp::Not => Value::Int(i64::from(*b)),
        other => other.clone(),
    }
}

/// Two values' order: `None` when they cannot be compared, `Some(None)` for NaN.
pub(super) fn order(a: &Value, b: &Value) -> Option<Option<Ordering>> {
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => Some(Some(a.cmp(b))),
        (Value::Int(a), Value::Int(b)) => Some(Some(a.cmp(b))),
        (Value::List(x), Value::List(y)) => lexicographic(&x.borrow(), &y.borrow()),
        (Value::Tuple(x) | Value::NamedTuple(_, x), Value::Tuple(y) | Value::NamedTuple(_, y)) => lexicographic(x, y),
        _ => Some(real(a)?.partial_cmp(&real(b)?)),
    }
}

fn lexicographic(x: &[Value], y: &[Value]) -> Option<Option<Ordering>> {
    for (a, b) in x.iter().zip(y) {
        if !equal(a, b) {
            return order(a, b);
        }
    }
    Some(Some(x.len().cmp(&y.len())))
}

fn real(v: &Value) -> Option<f64> {
    match v {
        Value::Bool(b) => Some(f64::from(u8::from(*b))),
        Value::Int(i) => Some(*i as f64),
        Value::Float(f) => Some(*f),
        _ => None,
    }
}

fn as_int(v: &Value) -> Option<i64> {
    match v {
        Value::Bool(b) => Some(i64::from(*b)),
        Value::Int(i) => Some(*i),
        _ => None,
    }
}

/// Arithmetic of numbers; `None` when an operand is none.
fn arithmetic(op: BinaryOp, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    if let (Value::Bool(x), Value::Bool(y)) = (a, b) {
        match op {
            BinaryOp::BitAnd => return Ok(Some(Value::Bool(x & y))),
            BinaryOp::BitOr => return Ok(Some(Value::Bool(x | y))),
            BinaryOp::BitXor => return Ok(Some(Value::Bool(x ^ y))),
            _ => {}
        }
    }
    if let (Some(x), Some(y)) = (as_int(a), as_int(b)) {
        return integers(op, x, y).map(Some);
    }
    if let (Some(x), Some(y)) = (real(a), real(b)) {
        return floats(op, x, y).map(|v| v.map(Value::Float));
    }
    let complex = |v: &Value| match v {
        Value::Complex(re, im) => Some(sconce_tensor::Complex::new(*re, *im)),
        other => real(other).map(|r| sconce_tensor::Complex::new(r, 0.0)),
    };
    let (Some(x), Some(y)) = (complex(a), complex(b)) else { return Ok(None) };
    let z = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div => x / y,
        BinaryOp::Pow => x.powc(y),
        _ => return Ok(None),
    };
    Ok(Some(Value::Complex(z.re, z.im)))
}

fn integers(op: BinaryOp, x: i64, y: i64) -> Fallible<Value> {
    let zero = |text: &str| Fault::raise("ZeroDivisionError", text);
    let checked = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::Div => {
            if y == 0 {
                return Err(zero("division by zero"));
            }
            return Ok(Value::Float(x as f64 / y as f64));
        }
        BinaryOp::FloorDiv if y == 0 => return Err(zero("integer division or modulo by zero")),
        BinaryOp::Mod if y == 0 => return Err(zero("integer modulo by zero")),
        BinaryOp::FloorDiv => x.checked_div_euclid(y).map(|q| {
            // Towards minus infinity, also for negative divisors.
            let r = x.wrapping_sub(q.wrapping_mul(y));
            if r != 0 && y < 0 { q - 1 } else { q }
        }),
        BinaryOp::Mod => x.checked_rem(y).map(|r| if r != 0 && (r < 0) != (y < 0) { r + y } else { r }),
        BinaryOp::Pow if y < 0 => return Ok(Value::Float((x as f64).powf(y as f64))),
        BinaryOp::Pow => u32::try_from(y).ok().and_then(|y| x.checked_pow(y)),
        BinaryOp::LShift => {
            u32::try_from(y).ok().and_then(|s| x.checked_shl(s).filter(|v| s < 64 && v.checked_shr(s) == Some(x)))
        }
        BinaryOp::RShift => Some(x >> y.clamp(0, 63)),
        BinaryOp::BitAnd => Some(x & y),
        BinaryOp::BitOr => Some(x | y),
        BinaryOp::BitXor => Some(x ^ y),
        BinaryOp::MatMul => {
            return Err(Fault::raise("TypeError", "unsupported operand type(s) for @: 'int' and 'int'"));
        }
    };
    checked.map(Value::Int).ok_or_else(overflow)
}

fn floats(op: BinaryOp, x: f64, y: f64) -> Fallible<Option<f64>> {
    if y == 0.0 && matches!(op, BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod) {
        return Err(Fault::raise("ZeroDivisionError", "float division by zero"));
    }
    Ok(Some(match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div => x / y,
        BinaryOp::FloorDiv => (x / y).floor(),
        BinaryOp::Mod => {
            let r = x % y;
            if r != 0.0 && (r < 0.0) != (y < 0.0) { r + y } else { r }
        }
        BinaryOp::Pow => x.powf(y),
        _ => return Ok(None),
    }))
}
