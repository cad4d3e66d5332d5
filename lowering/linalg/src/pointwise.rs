//! Every operator with a scalar expression, from that expression; and the conversions that are pointwise without being arithmetic.

use crate::Error;
use crate::emit::{Emit, V};
use crate::lower::{Call, Item, Lower, TensorValue};
use crate::scalar::{Compute, Value, arithmetic_dtype, cast};
use sconce_analysis::Constant;
use sconce_schema::DType;
use sconce_schema::promotion::{Operand, result_type, to_float};
use sconce_schema::scalar::{self, Node, ScalarExpr};

/// Where an argument's element comes from inside the body.
enum Source<'c> {
    /// Operand of the `linalg.generic`.
    Operand(usize, DType),
    /// Known at run time only, the same for all elements.
    Number(V<'c>, DType),
    Constant(Constant),
}

/// Lowers a call whose record has a scalar expression.
pub fn lower<'c>(l: &mut Lower<'c>, call: &Call<'_, 'c>, expr: &ScalarExpr) -> Result<Vec<Item<'c>>, Error> {
    Ok(vec![Item::Tensor(computed(l, call, expr, call.result_dtype(0)?)?)])
}

/// What an expression gives for a call's arguments, in some dtype.
pub fn computed<'c>(
    l: &mut Lower<'c>,
    call: &Call<'_, 'c>,
    expr: &ScalarExpr,
    result: DType,
) -> Result<TensorValue<'c>, Error> {
    let mut operands: Vec<&TensorValue<'c>> = Vec::new();
    let mut sources = Vec::new();
    for item in call.arguments {
        sources.push(match item {
            Item::Tensor(t) => {
                operands.push(t);
                Source::Operand(operands.len() - 1, t.dtype)
            }
            Item::Constant(c) => Source::Constant(c.clone()),
            Item::Number { value, dtype, .. } => Source::Number(*value, *dtype),
            Item::List(_) | Item::Device => return Error::unsupported("a list argument, or a device"),
        });
    }
    let promoting = expr.promotes.iter().filter_map(|&i| match call.arguments.get(usize::from(i))? {
        Item::Tensor(t) if t.rank() > 0 => Some(Operand::Dim(t.dtype)),
        Item::Tensor(t) => Some(Operand::Zero(t.dtype)),
        Item::Number { dtype, .. } => Some(Operand::Number(*dtype)),
        Item::Constant(Constant::Int(_)) => Some(Operand::Number(DType::I64)),
        Item::Constant(Constant::Float(_)) => Some(Operand::Number(DType::F64)),
        Item::Constant(Constant::Bool(_)) => Some(Operand::Number(DType::Bool)),
        _ => None,
    });
    let common = result_type(promoting)
        .map_err(|e| Error::Unsupported(e.to_string()))?
        .ok_or_else(|| Error::Unsupported("no common dtype".into()))?;
    let computed = match expr.compute {
        scalar::Compute::Common => common,
        scalar::Compute::Float => to_float(common),
    };
    let shapes: Vec<&[_]> = operands.iter().map(|t| &t.sizes[..]).collect();
    let sizes = l.broadcast(&shapes)?;
    let dtype = arithmetic_dtype(computed);
    let compute = Compute { dtype, ty: l.element(dtype)?, truths: computed == DType::Bool };
    let out_type = l.element(result)?;
    l.elementwise(&operands, &sizes, result, &mut |e, arguments| {
        let value = evaluate(e, &compute, expr, &sources, arguments)?;
        match value {
            Value::Truth(t) => cast(e, t, DType::Bool, result, out_type),
            Value::Number(v) => cast(e, v, dtype, result, out_type),
        }
    })
}

/// What an expression of one operand gives for an element, computed in some dtype.
pub fn of_one<'c>(
    l: &Lower<'c>,
    e: &Emit<'c>,
    expr: &ScalarExpr,
    v: V<'c>,
    from: DType,
    dtype: DType,
) -> Result<V<'c>, Error> {
    let compute = Compute { dtype, ty: l.element(dtype)?, truths: false };
    let value = evaluate(e, &compute, expr, &[Source::Operand(0, from)], &[v])?;
    compute.number(e, value)
}

fn argument<'c>(
    e: &Emit<'c>,
    compute: &Compute<'c>,
    source: Option<&Source<'c>>,
    arguments: &[V<'c>],
) -> Result<Value<'c>, Error> {
    let number = |x: f64| e.constant(x, compute.ty).map(Value::Number);
    match source {
        // Truth values stay such where all operands are: their complement is the negation, their sum the disjunction.
        Some(Source::Operand(i, DType::Bool)) if compute.truths => Ok(Value::Truth(arguments[*i])),
        Some(Source::Operand(i, from)) => cast(e, arguments[*i], *from, compute.dtype, compute.ty).map(Value::Number),
        Some(Source::Number(v, DType::Bool)) => Ok(Value::Truth(*v)),
        Some(Source::Number(v, from)) => cast(e, *v, *from, compute.dtype, compute.ty).map(Value::Number),
        Some(Source::Constant(Constant::Int(n))) if !compute.dtype.is_float() => {
            e.int(*n, compute.ty).map(Value::Number)
        }
        Some(Source::Constant(Constant::Int(n))) => number(*n as f64),
        Some(Source::Constant(Constant::Float(x))) => number(*x),
        Some(Source::Constant(Constant::Bool(b))) => e.int(i64::from(*b), e.int_type(1)).map(Value::Truth),
        Some(Source::Constant(c)) => Error::unsupported(format!("the argument {c:?} is no number")),
        None => Error::unsupported("an argument is missing"),
    }
}

/// Runs down the nodes. A node that cannot be said is an error only if the result needs it: `IfNone` and `Match` choose between branches.
fn evaluate<'c>(
    e: &Emit<'c>,
    compute: &Compute<'c>,
    expr: &ScalarExpr,
    sources: &[Source<'c>],
    arguments: &[V<'c>],
) -> Result<Value<'c>, Error> {
    let mut values: Vec<Result<Value<'c>, Error>> = Vec::with_capacity(expr.nodes.len());
    let constant_of = |i: u16| match sources.get(usize::from(i)) {
        Some(Source::Constant(c)) => Some(c),
        _ => None,
    };
    for node in expr.nodes.iter() {
        let at =
            |i: u16| values.get(usize::from(i)).cloned().unwrap_or_else(|| Error::unsupported("a forward reference"));
        let value = match node {
            Node::Arg(i) => argument(e, compute, sources.get(usize::from(*i)), arguments),
            Node::Const(x) => e.constant(*x, compute.ty).map(Value::Number),
            Node::Bool(b) => e.int(i64::from(*b), e.int_type(1)).map(Value::Truth),
            Node::Unary(f, x) => at(*x).and_then(|x| compute.unary(e, *f, x)),
            Node::Binary(f, a, b) => {
                let divisor = match expr.nodes.get(usize::from(*b)) {
                    Some(Node::Const(x)) => Some(*x),
                    Some(Node::Arg(i)) => match constant_of(*i) {
                        Some(Constant::Int(n)) => Some(*n as f64),
                        Some(Constant::Float(x)) => Some(*x),
                        _ => None,
                    },
                    _ => None,
                };
                at(*a).and_then(|a| at(*b).and_then(|b| compute.binary(e, *f, a, b, divisor)))
            }
            Node::Select(c, a, b) => at(*c).and_then(|c| {
                let c = compute.truth(e, c)?;
                match (at(*a)?, at(*b)?) {
                    (Value::Truth(a), Value::Truth(b)) => e.select(c, a, b).map(Value::Truth),
                    (a, b) => {
                        let (a, b) = (compute.number(e, a)?, compute.number(e, b)?);
                        e.select(c, a, b).map(Value::Number)
                    }
                }
            }),
            Node::IfNone(i, absent, present) => match sources.get(usize::from(*i)) {
                None | Some(Source::Constant(Constant::None)) => at(*absent),
                Some(_) => at(*present),
            },
            Node::Match(i, choices) => {
                let key = match constant_of(*i) {
                    Some(Constant::Str(s)) => Some(s.as_str()),
                    Some(Constant::None) | None => None,
                    Some(c) => return Error::unsupported(format!("argument {i} is {c:?}, not a string")),
                };
                match choices.iter().find(|(k, _)| *k == key) {
                    Some((_, r)) => at(*r),
                    None => Error::unsupported(format!("argument {i} has no meaning {key:?}")),
                }
            }
        };
        values.push(value);
    }
    values.pop().unwrap_or_else(|| Error::unsupported("an empty expression"))
}
