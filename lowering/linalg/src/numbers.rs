//! Operators on plain numbers as arithmetic on words: 64-bit integers that wrap, f64, truth values. One row serves all overloads of a name; the kinds of the
//! operands say which is meant, as in the interpreter. What its kernel refuses (a zero divisor) makes the region's call void.

use crate::Error;
use crate::emit::{Emit, V};
use crate::lower::{Item, Lower};
use crate::operator_call::refuse_where;
use crate::scalar::{Compute, Value, cast};
use sconce_analysis::{Constant, TorchType};
use sconce_ir::ValueLike;
use sconce_schema::scalar::{Binary, Unary};
use sconce_schema::{DType, OpEntry, Type};

/// What the operators of a name do.
#[derive(Clone, Copy)]
enum Form {
    /// Integers of integers, floats where one is a float.
    Arithmetic(Binary),
    /// Of integers truth values are among, and a truth value.
    Comparison(Binary),
    /// Floats, of integers too.
    Real(Binary),
    /// Division, whose divisor is not 0 if both are integers.
    Division(Binary),
    /// Truth values of truth values, else integers of integers.
    Bits(Binary),
    /// By the low six bits of the second.
    Shift(&'static str),
    /// Of two equal or unordered floats the second.
    Extreme(Binary),
    Negative,
    Magnitude,
    Root,
    Not,
    /// A number of another kind.
    To(DType),
    /// `start + index * step`.
    DeriveIndex,
}

const OPERATORS: &[(&str, Form)] = &[
    ("aten::Bool", Form::To(DType::Bool)),
    ("aten::Float", Form::To(DType::F64)),
    ("aten::Int", Form::To(DType::I64)),
    ("aten::__and__", Form::Bits(Binary::BitAnd)),
    ("aten::__derive_index", Form::DeriveIndex),
    ("aten::__lshift__", Form::Shift("arith.shli")),
    ("aten::__not__", Form::Not),
    ("aten::__or__", Form::Bits(Binary::BitOr)),
    ("aten::__rshift__", Form::Shift("arith.shrsi")),
    ("aten::__xor__", Form::Bits(Binary::BitXor)),
    ("aten::add", Form::Arithmetic(Binary::Add)),
    ("aten::div", Form::Real(Binary::Div)),
    ("aten::eq", Form::Comparison(Binary::Eq)),
    ("aten::floordiv", Form::Division(Binary::FloorDiv)),
    ("aten::ge", Form::Comparison(Binary::Ge)),
    ("aten::gt", Form::Comparison(Binary::Gt)),
    ("aten::le", Form::Comparison(Binary::Le)),
    ("aten::lt", Form::Comparison(Binary::Lt)),
    ("aten::mul", Form::Arithmetic(Binary::Mul)),
    ("aten::ne", Form::Comparison(Binary::Ne)),
    ("aten::neg", Form::Negative),
    ("aten::remainder", Form::Division(Binary::Remainder)),
    ("aten::sqrt", Form::Root),
    ("aten::sub", Form::Arithmetic(Binary::Sub)),
    ("prim::abs", Form::Magnitude),
    ("prim::max", Form::Extreme(Binary::Max)),
    ("prim::min", Form::Extreme(Binary::Min)),
];

/// A plain number that is known where the code runs.
#[derive(Clone, Copy)]
pub struct Number<'c> {
    pub value: V<'c>,
    pub dtype: DType,
}

impl<'c> Number<'c> {
    /// A number as a value, constants too.
    pub fn of(l: &Lower<'c>, item: &Item<'c>) -> Result<Option<Number<'c>>, Error> {
        let (value, dtype) = match item {
            Item::Number { value, dtype, .. } => (*value, *dtype),
            Item::Constant(Constant::Int(n)) => (l.e.int(*n, l.element(DType::I64)?)?, DType::I64),
            Item::Constant(Constant::Float(x)) => (l.e.constant(*x, l.element(DType::F64)?)?, DType::F64),
            Item::Constant(Constant::Bool(b)) => (l.e.int((*b).into(), l.element(DType::Bool)?)?, DType::Bool),
            _ => return Ok(None),
        };
        Ok(Some(Number { value, dtype }))
    }

    pub fn item(self) -> Item<'c> {
        Item::Number { value: self.value, dtype: self.dtype, dim: None }
    }

    fn to(self, l: &Lower<'c>, dtype: DType) -> Result<V<'c>, Error> {
        cast(&l.e, self.value, self.dtype, dtype, l.element(dtype)?)
    }
}

/// The dtype that a plain number of a type has as a word.
pub fn dtype_of(ty: sconce_ir::Type<'_>) -> Option<DType> {
    Some(match TorchType::of(ty) {
        TorchType::Int => DType::I64,
        TorchType::Float => DType::F64,
        TorchType::Bool => DType::Bool,
        _ => return None,
    })
}

/// Whether the operator may be one on plain numbers.
pub fn are_of(entry: &OpEntry) -> bool {
    form_of(entry).is_some() && !entry.computes_tensors()
}

/// Of an operator whose result has one kind: that of a `Scalar` only its value tells, but where the kinds of integers and floats decide.
fn form_of(entry: &OpEntry) -> Option<Form> {
    let [result] = &entry.schema().returns[..] else { return None };
    let (_, form) = OPERATORS.iter().find(|(name, _)| *name == entry.base_name())?;
    let is_decided = matches!(result.ty, Type::Int | Type::Float | Type::Bool)
        || matches!(result.ty, Type::Number) && matches!(form, Form::Arithmetic(_) | Form::Extreme(_));
    is_decided.then_some(*form)
}

/// What an operator gives for plain numbers; nothing if it is none of them, or has other arguments.
pub fn lower<'c>(l: &mut Lower<'c>, entry: &OpEntry, arguments: &[Item<'c>]) -> Result<Option<Item<'c>>, Error> {
    let Some(form) = form_of(entry) else { return Ok(None) };
    if entry.schema().arguments.len() != arguments.len()
        || !arguments.iter().any(|item| matches!(item, Item::Number { .. }))
    {
        return Ok(None);
    }
    let mut numbers = Vec::new();
    for item in arguments {
        match Number::of(l, item)? {
            Some(number) => numbers.push(number),
            None => return Ok(None),
        }
    }
    let is_open = entry.schema().returns.iter().any(|result| result.ty == Type::Number);
    if is_open && numbers.iter().any(|number| number.dtype == DType::Bool) {
        return Ok(None);
    }
    Ok(match numbers[..] {
        [x] => unary(l, form, x)?,
        [x, y] => binary(l, form, x, y, divisor(&arguments[1]))?,
        [index, start, step] if matches!(form, Form::DeriveIndex) => {
            let moved = l.e.same("arith.muli", &[index.value, step.value])?;
            Some(Number { value: l.e.same("arith.addi", &[start.value, moved])?, dtype: DType::I64 })
        }
        _ => None,
    }
    .map(Number::item))
}

fn divisor(item: &Item<'_>) -> Option<f64> {
    if let Item::Constant(Constant::Int(n)) = item { Some(*n as f64) } else { None }
}

/// Arithmetic on numbers of one kind.
fn compute<'c>(l: &Lower<'c>, dtype: DType) -> Result<Compute<'c>, Error> {
    Ok(Compute { dtype, ty: l.element(dtype)?, truths: false })
}

fn made<'c>(value: Value<'c>, dtype: DType) -> Number<'c> {
    match value {
        Value::Number(value) => Number { value, dtype },
        Value::Truth(value) => Number { value, dtype: DType::Bool },
    }
}

fn unary<'c>(l: &Lower<'c>, form: Form, x: Number<'c>) -> Result<Option<Number<'c>>, Error> {
    // A truth value is an integer to arithmetic.
    let kind = if x.dtype == DType::Bool { DType::I64 } else { x.dtype };
    let apply = |f: Unary, dtype: DType| -> Result<Option<Number<'c>>, Error> {
        let value = compute(l, dtype)?.unary(&l.e, f, Value::Number(x.to(l, dtype)?))?;
        Ok(Some(made(value, dtype)))
    };
    match form {
        Form::To(dtype) => Ok(Some(Number { value: x.to(l, dtype)?, dtype })),
        Form::Negative => apply(Unary::Neg, kind),
        Form::Magnitude => apply(Unary::Abs, kind),
        Form::Root => apply(Unary::Sqrt, DType::F64),
        Form::Not if x.dtype == DType::Bool => {
            let one = l.e.int(1, l.element(DType::Bool)?)?;
            Ok(Some(Number { value: l.e.same("arith.xori", &[x.value, one])?, dtype: DType::Bool }))
        }
        _ => Ok(None),
    }
}

fn binary<'c>(
    l: &mut Lower<'c>,
    form: Form,
    x: Number<'c>,
    y: Number<'c>,
    divisor: Option<f64>,
) -> Result<Option<Number<'c>>, Error> {
    let float = x.dtype == DType::F64 || y.dtype == DType::F64;
    let common = if float { DType::F64 } else { DType::I64 };
    let apply = |l: &Lower<'c>, f: Binary, dtype: DType| -> Result<Option<Number<'c>>, Error> {
        let (a, b) = (Value::Number(x.to(l, dtype)?), Value::Number(y.to(l, dtype)?));
        let value = compute(l, dtype)?.binary(&l.e, f, a, b, divisor)?;
        Ok(Some(made(value, dtype)))
    };
    match form {
        Form::Arithmetic(f) | Form::Comparison(f) => apply(l, f, common),
        Form::Real(f) => apply(l, f, DType::F64),
        Form::Extreme(f) if float => {
            let (a, b) = (x.to(l, common)?, y.to(l, common)?);
            let first = l.e.cmpf(if f == Binary::Max { "ogt" } else { "olt" }, a, b)?;
            Ok(Some(Number { value: l.e.select(first, a, b)?, dtype: common }))
        }
        Form::Extreme(f) => apply(l, f, common),
        Form::Bits(f) if x.dtype == DType::Bool && y.dtype == DType::Bool => {
            let value = compute(l, DType::I64)?.binary(&l.e, f, Value::Truth(x.value), Value::Truth(y.value), None)?;
            Ok(Some(made(value, DType::Bool)))
        }
        Form::Bits(f) if !float => apply(l, f, common),
        Form::Shift(name) if !float => {
            let word = l.element(DType::I64)?;
            let (a, b) = (x.to(l, common)?, y.to(l, common)?);
            let low = l.e.same("arith.andi", &[b, l.e.int(63, word)?])?;
            Ok(Some(Number { value: l.e.same(name, &[a, low])?, dtype: DType::I64 }))
        }
        Form::Division(f) if float => {
            let (a, b) = (x.to(l, common)?, y.to(l, common)?);
            Ok(Some(Number { value: float_division(&l.e, f, a, b)?, dtype: common }))
        }
        Form::Division(f) => match divisor {
            Some(d) if d != 0. && d != -1. => apply(l, f, common),
            _ => int_division(l, f, x.to(l, common)?, y.to(l, common)?).map(Some),
        },
        _ => Ok(None),
    }
}

/// `floor(a / b)`, and `(b + a % b) % b` with C's remainder, as the interpreter writes them.
fn float_division<'c>(e: &Emit<'c>, f: Binary, a: V<'c>, b: V<'c>) -> Result<V<'c>, Error> {
    if f == Binary::FloorDiv {
        return e.same("math.floor", &[e.same("arith.divf", &[a, b])?]);
    }
    let rest = e.same("arith.remf", &[a, b])?;
    e.same("arith.remf", &[e.same("arith.addf", &[b, rest])?, b])
}

/// Division of integers by what may be 0, which makes the call void, or -1, by which the least integer has no quotient: it wraps.
fn int_division<'c>(l: &mut Lower<'c>, f: Binary, a: V<'c>, b: V<'c>) -> Result<Number<'c>, Error> {
    let word = b.r#type();
    let (zero, one, minus) = (l.e.int(0, word)?, l.e.int(1, word)?, l.e.int(-1, word)?);
    let is_zero = l.e.cmpi("eq", b, zero)?;
    refuse_where(l, is_zero)?;
    let is_minus = l.e.cmpi("eq", b, minus)?;
    let special = l.e.same("arith.ori", &[is_zero, is_minus])?;
    let divisor = l.e.select(special, one, b)?;
    // The divisor is none of those that integer division is refused for.
    let number = compute(l, DType::I64)?.binary(&l.e, f, Value::Number(a), Value::Number(divisor), Some(2.))?;
    let number = made(number, DType::I64).value;
    let negative = if f == Binary::FloorDiv { l.e.same("arith.subi", &[zero, a])? } else { zero };
    Ok(Number { value: l.e.select(is_minus, negative, number)?, dtype: DType::I64 })
}
