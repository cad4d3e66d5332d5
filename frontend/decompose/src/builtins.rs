//! What definitions may use beside operators: a few functions of Python's, what is known of a tensor, and questions about dtypes and memory.

use crate::arguments::argument;
use crate::error::{Fault, Outcome, fault};
use crate::eval::place;
use crate::numbers::{compare, integer, truth};
use crate::strides;
use crate::tracer::{About, Tracer};
use crate::value::{From, Num, Value};
use sconce_schema::dim::{Dim, DimOp};
use sconce_schema::promotion::{self, Operand};
use sconce_schema::types::Device;
use sconce_schema::{DType, Layout, MemoryFormat};
use sconce_syntax::script::tree::CompareOp;

/// A name that always means the same.
pub(crate) fn constant(name: &str) -> Option<Value> {
    Some(match name {
        "inf" => Value::Float(f64::INFINITY),
        "nan" => Value::Float(f64::NAN),
        "pi" => Value::Float(std::f64::consts::PI),
        "NotImplemented" => Value::NotImplemented,
        // The largest index, which a slice up to the end has.
        "maxsize" => Value::int(i64::MAX),
        _ => return None,
    })
}

/// `torch.float32`, `torch.contiguous_format`, `torch.strided`
pub(crate) fn of_torch(name: &str) -> Option<Value> {
    let dtype = DType::all().find(|d| d.torch_name() == name).map(Value::DType);
    let layout = || Layout::from_torch_name(name).map(Value::Layout);
    let format = || MemoryFormat::from_torch_name(name).map(Value::MemoryFormat);
    dtype.or_else(layout).or_else(format)
}

fn about<'t>(tracer: &'t Tracer<'_>, of: &Value) -> Outcome<&'t About> {
    match of {
        Value::Tensor(t) => Ok(&tracer.tensor(*t).meta),
        other => fault(format!("a value of kind {} is no tensor", other.kind())),
    }
}

fn sizes(tracer: &Tracer<'_>, of: &Value) -> Outcome<Vec<Value>> {
    let Some(tensor) = of.tensor() else { return fault(format!("a value of kind {} is no tensor", of.kind())) };
    let sizes = tracer.tensor(tensor).meta.sizes.iter().enumerate();
    Ok(sizes.map(|(at, dim)| Value::Int(Num { dim: *dim, from: From::Size(tensor, at) })).collect())
}

fn length(n: usize) -> Value {
    Value::int(i64::try_from(n).unwrap_or(i64::MAX))
}

/// An attribute of a tensor or a dtype.
pub(crate) fn attribute(tracer: &mut Tracer<'_>, of: &Value, name: &str) -> Outcome<Value> {
    if let Value::DType(dtype) = of {
        return Ok(Value::Bool(match name {
            "is_floating_point" => dtype.is_float(),
            "is_complex" => dtype.is_complex(),
            _ => return fault(format!("a dtype has no `{name}`")),
        }));
    }
    Ok(match name {
        "shape" => Value::list(sizes(tracer, of)?),
        "ndim" => length(about(tracer, of)?.sizes.len()),
        "dtype" => Value::DType(about(tracer, of)?.dtype),
        "device" => Value::Device(about(tracer, of)?.device.clone()),
        "layout" => Value::Layout(about(tracer, of)?.layout),
        _ => return fault(format!("a tensor has no `{name}`")),
    })
}

/// A method of a tensor or a list.
pub(crate) fn method(tracer: &mut Tracer<'_>, of: &Value, name: &str, args: &[Value]) -> Outcome<Value> {
    match (of, name, args) {
        (Value::List(items), "append", [item]) => {
            items.borrow_mut().push(item.clone());
            Ok(Value::None)
        }
        (Value::List(items), "pop", [at]) => {
            let length = items.borrow().len();
            match at.known().and_then(|at| place(at, length)).filter(|at| *at < length) {
                Some(at) => Ok(items.borrow_mut().remove(at)),
                None => fault("an index that is out of range"),
            }
        }
        (Value::Str(text), "replace", [Value::Str(from), Value::Str(to)]) => Ok(Value::str(&text.replace(&**from, to))),
        (Value::Str(text), "find", [Value::Str(part)]) => {
            Ok(text.find(&**part).map_or(Value::int(-1), |at| length(text.get(..at).map_or(0, |t| t.chars().count()))))
        }
        (_, "size", [at]) => {
            let all = sizes(tracer, of)?;
            let at = at.known().and_then(|at| place(at, all.len()));
            at.and_then(|at| all.get(at).cloned()).ok_or_else(|| Fault("a dimension that is out of range".to_owned()))
        }
        (_, "stride", []) => Ok(Value::sizes(&about(tracer, of)?.strides.clone())),
        (_, "numel", []) => {
            let all = sizes(tracer, of)?;
            product(tracer, &all)
        }
        (_, "is_contiguous", []) => Ok(Value::Bool(strides::is_contiguous(about(tracer, of)?))),
        (_, "is_contiguous", [Value::MemoryFormat(MemoryFormat::Contiguous)]) => {
            Ok(Value::Bool(strides::is_contiguous(about(tracer, of)?)))
        }
        (_, "is_contiguous", [Value::MemoryFormat(_)]) => {
            Ok(Value::Bool(strides::is_channels_last(about(tracer, of)?)))
        }
        _ => fault(format!("a value of kind {} has no method `{name}`", of.kind())),
    }
}

fn product(tracer: &mut Tracer<'_>, items: &[Value]) -> Outcome<Value> {
    items.iter().try_fold(Value::int(1), |all, one| integer(tracer, DimOp::Mul, &all, one))
}

fn items(of: &Value) -> Outcome<Vec<Value>> {
    of.items().ok_or_else(|| Fault(format!("a value of kind {} is no list", of.kind())))
}

/// The dtype of a result of these, as PyTorch promotes types.
fn promoted(tracer: &Tracer<'_>, values: &[Value]) -> Outcome<DType> {
    let mut operands = Vec::new();
    for value in values {
        match value {
            Value::Tensor(t) => {
                let meta = &tracer.tensor(*t).meta;
                operands.push(if meta.sizes.is_empty() { Operand::Zero(meta.dtype) } else { Operand::Dim(meta.dtype) });
            }
            Value::Bool(_) => operands.push(Operand::BOOL),
            Value::Int(_) => operands.push(Operand::INT),
            Value::Float(_) => operands.push(Operand::FLOAT),
            Value::Complex(..) => operands.push(Operand::COMPLEX),
            Value::DType(dtype) => operands.push(Operand::Dim(*dtype)),
            other => return fault(format!("a value of kind {} has no dtype", other.kind())),
        }
    }
    let dtype = promotion::result_type(operands).map_err(|e| Fault(e.to_string()))?;
    dtype.ok_or_else(|| Fault("nothing has no dtype".to_owned()))
}

/// A function of Python's, or one that only definitions have.
pub(crate) fn call(tracer: &mut Tracer<'_>, name: &str, args: &[Value]) -> Outcome<Value> {
    let known = |value: &Value| value.known().ok_or_else(|| Fault(format!("`{name}` of what is no number")));
    Ok(match (name, args) {
        ("len", [Value::Str(text)]) => length(text.chars().count()),
        ("len", [of]) => length(items(of)?.len()),
        ("range", _) => range(args)?,
        ("list", [Value::Str(text)]) => Value::list(text.chars().map(|c| Value::str(&c.to_string())).collect()),
        ("list", [of]) => Value::list(items(of)?),
        ("reversed", [of]) => Value::list(items(of)?.into_iter().rev().collect()),
        ("sorted", [of]) => {
            let mut all = items(of)?.iter().map(&known).collect::<Outcome<Vec<i64>>>()?;
            all.sort_unstable();
            Value::list(all.into_iter().map(Value::int).collect())
        }
        ("zip", [a, b]) => {
            let pairs = items(a)?.into_iter().zip(items(b)?).map(|(a, b)| Value::Tuple([a, b].into()));
            Value::list(pairs.collect())
        }
        ("min" | "max", [a, b]) => {
            if let (Value::Int(_), Value::Int(_)) = (a, b) {
                return integer(tracer, if name == "min" { DimOp::Min } else { DimOp::Max }, a, b);
            }
            let less = compare(tracer, CompareOp::Lt, a, b)?;
            if less == (name == "min") { a.clone() } else { b.clone() }
        }
        ("max", [of]) => items(of)?.into_iter().try_fold(Value::int(i64::MIN), |a, b| call(tracer, "max", &[a, b]))?,
        ("sum", [of]) => items(of)?.iter().try_fold(Value::int(0), |a, b| integer(tracer, DimOp::Add, &a, b))?,
        ("prod", [of]) => product(tracer, &items(of)?)?,
        ("any" | "all", [of]) => {
            let mut found = name == "all";
            for item in items(of)? {
                let truth = truth(&item)?;
                found = if name == "all" { found && truth } else { found || truth };
            }
            Value::Bool(found)
        }
        ("abs", [Value::Float(x)]) => Value::Float(x.abs()),
        ("abs", [of]) => Value::int(known(of)?.saturating_abs()),
        ("int", [Value::Float(x)]) if x.abs() < 9e15 => Value::int(*x as i64),
        ("int", [of]) => of.dim().map_or_else(|| fault("`int` of what is no number"), |_| Ok(of.clone()))?,
        ("float", [Value::Float(x)]) => Value::Float(*x),
        ("float", [of]) => Value::Float(known(of)? as f64),
        ("sqrt", [Value::Float(x)]) => Value::Float(x.sqrt()),
        ("sqrt", [of]) => Value::Float((known(of)? as f64).sqrt()),
        ("is_number", [of]) => Value::Bool(matches!(of, Value::Bool(_) | Value::Int(_) | Value::Float(_))),
        ("is_integer", [of]) => Value::Bool(matches!(of, Value::Int(_))),
        ("is_known", [of]) => Value::Bool(of.known().is_some()),
        ("wrap", [at, rank]) => {
            let at = usize::try_from(known(rank)?)
                .ok()
                .map(|rank| rank.max(1))
                .and_then(|rank| place(known(at).ok()?, rank));
            at.map_or_else(|| fault("a dimension that is out of range"), |at| Ok(length(at)))?
        }
        ("promoted", [of]) => Value::DType(promoted(tracer, &items(of)?)?),
        ("largest", [Value::DType(dtype)]) => Value::Float(largest(*dtype)),
        ("epsilon", [Value::DType(dtype)]) => Value::Float(epsilon(*dtype)),
        // Can these sizes be had without a copy?
        ("views", [of, sizes]) => {
            let dims = items(sizes)?.iter().map(Value::dim).collect::<Option<Vec<Dim>>>();
            let dims = dims.ok_or_else(|| Fault("sizes that are no numbers".to_owned()))?;
            let about = about(tracer, of)?;
            Value::Bool(strides::viewed(about, &whole(about, dims)).is_some())
        }
        // Is this asked of the tensor for the first time?
        ("first", [Value::Tensor(t), Value::Str(what)]) => Value::Bool(tracer.asked.insert((*t, what.to_string()))),
        // A question that PyTorch asks of a size takes a name, whatever the answer.
        ("asked", [Value::Str(relation), a, b]) => {
            if a.known().is_none() || b.known().is_none() {
                let written = vec![argument(tracer, a)?, argument(tracer, b)?];
                tracer.push(relation, &format!("operator.{relation}"), (written, Vec::new()), None)?;
            }
            Value::None
        }
        // From now on the tensor's memory holds the other's elements.
        ("write", [Value::Tensor(target), Value::Tensor(new)]) => {
            tracer.write(*target, *new)?;
            Value::None
        }
        ("broadcast", [a, b]) => Value::list(broadcast(tracer, &items(a)?, &items(b)?)?),
        ("cpu", []) => Value::Device(Device { kind: "cpu".into(), index: None }),
        // Dimensions from the outermost to the innermost, as a copy that keeps the format has them.
        ("memory_order", [of]) => {
            let about = about(tracer, of)?;
            let order = strides::order(tracer.symbols, &strides::kept(tracer.symbols, about, &about.sizes));
            Value::list(order.into_iter().map(length).collect())
        }
        _ => return fault(format!("`{name}` takes no such {} arguments", args.len())),
    })
}

/// Sizes with what -1 stands for.
fn whole(about: &About, dims: Vec<Dim>) -> Vec<Dim> {
    let product = |dims: &mut dyn Iterator<Item = Dim>| dims.fold(Dim::Known(1), |all, one| all.times(one));
    let rest = product(&mut dims.iter().copied().filter(|d| *d != Dim::Known(-1)));
    let left = product(&mut about.sizes.iter().copied()).over(rest);
    dims.into_iter().map(|d| if d == Dim::Known(-1) { left } else { d }).collect()
}

fn range(args: &[Value]) -> Outcome<Value> {
    let numbers = args.iter().map(Value::known).collect::<Option<Vec<i64>>>();
    let (start, stop, step) = match numbers.as_deref() {
        Some([stop]) => (0, *stop, 1),
        Some([start, stop]) => (*start, *stop, 1),
        Some([start, stop, step]) if *step != 0 => (*start, *stop, *step),
        _ => return fault("a range of what is not known"),
    };
    let mut all = Vec::new();
    let mut at = start;
    while if step > 0 { at < stop } else { at > stop } {
        if all.len() >= 1 << 16 {
            return fault("a range of more than 65536 numbers");
        }
        all.push(Value::int(at));
        at = at.saturating_add(step);
    }
    Ok(Value::list(all))
}

/// The sizes of what two tensors of these sizes are computed elementwise to.
fn broadcast(tracer: &mut Tracer<'_>, a: &[Value], b: &[Value]) -> Outcome<Vec<Value>> {
    let rank = a.len().max(b.len());
    let own = |of: &[Value], at: usize| (at + of.len()).checked_sub(rank).and_then(|at| of.get(at).cloned());
    let mut sizes = Vec::with_capacity(rank);
    for at in 0..rank {
        sizes.push(match (own(a, at), own(b, at)) {
            (Some(one), Some(other)) if compare(tracer, CompareOp::Eq, &one, &Value::int(1))? => other,
            (Some(one), _) => one,
            (None, other) => other.unwrap_or_else(|| Value::int(1)),
        });
    }
    Ok(sizes)
}

/// The largest finite number.
fn largest(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => 65504.0,
        DType::BF16 => 3.3895313892515355e38,
        DType::F64 | DType::C128 => f64::MAX,
        _ => f64::from(f32::MAX),
    }
}

/// The distance from 1 to the next number.
fn epsilon(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => 0.0009765625,
        DType::BF16 => 0.0078125,
        DType::F64 | DType::C128 => f64::EPSILON,
        _ => f64::from(f32::EPSILON),
    }
}
