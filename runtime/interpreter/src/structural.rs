//! Instructions that build and take apart values: tuples, lists, dictionaries, objects, enumerations, type tests.

use crate::error::{Cause, RunError};
use crate::machine::{Failure, Values};
use crate::program::{Op, Program};
use sconce_kernels::cast::convert;
use sconce_kernels::direct::Arguments;
use sconce_schema::Type;
use sconce_schema::types::{Dim, NamedTuple, TensorType};
use sconce_tensor::{DType, Dict, DictKey, Element, IValue, List, Object, Sizes, Tensor, Tuple, dispatch};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// Runs an instruction that needs only its inputs.
pub(crate) fn run(program: &Program, op: Op, mut inputs: Values, outputs: usize) -> Result<Values, Failure> {
    let ty = |id: u32| &program.types[id as usize];
    let one = |value: IValue| Ok(smallvec![value]);
    match op {
        Op::TupleConstruct => one(IValue::tuple(inputs.into_vec())),
        Op::NamedTupleConstruct(id) => one(named_tuple(ty(id), inputs)),
        Op::TupleUnpack => {
            let items = inputs[0].as_tuple()?.items.clone();
            if items.len() != outputs {
                return Err(Failure::runtime(format!("a tuple of {} values unpacked into {outputs}", items.len())));
            }
            Ok(items.into_vec().into())
        }
        Op::TupleIndex => {
            let (tuple, index) = (inputs[0].as_tuple()?, inputs[1].as_int()?);
            one(at(&tuple.items, index).cloned().ok_or_else(|| Failure::runtime(OUT_OF_TUPLE))?)
        }
        Op::TupleSlice { start, end } => {
            let items = &inputs[0].as_tuple()?.items;
            let items = items.get(start as usize..end as usize);
            one(IValue::tuple(items.ok_or_else(|| Failure::runtime("tuple slice out of range"))?.to_vec()))
        }
        Op::ListConstruct(id) => {
            let element = match ty(id) {
                Type::List(e) => Type::clone(e),
                other => other.clone(),
            };
            one(IValue::List(List::new(element, inputs)))
        }
        Op::ListUnpack => {
            let items = inputs[0].as_list()?.read();
            if items.len() != outputs {
                return Err(Failure::runtime(format!(
                    "Expected {outputs} elements in a list but found {}",
                    items.len()
                )));
            }
            Ok(items.iter().cloned().collect())
        }
        Op::DictConstruct(id) => {
            let (key, value) = match ty(id) {
                Type::Dict(k, v) => (Type::clone(k), Type::clone(v)),
                _ => (Type::Any, Type::Any),
            };
            let dict = Dict::new(key, value);
            let mut items = inputs.into_iter();
            while let (Some(k), Some(v)) = (items.next(), items.next()) {
                let key = DictKey::from_value(&k)
                    .ok_or_else(|| Failure::runtime(format!("a {} cannot be a dictionary key", k.kind())))?;
                dict.write().insert(key, v);
            }
            one(IValue::Dict(dict))
        }
        Op::ConstantChunk { chunks, dim } => chunk(inputs[0].as_tensor()?, chunks, dim, outputs),
        Op::IsInstance(id) => one(IValue::Bool(match (&inputs[0], ty(id)) {
            (IValue::Tensor(tensor), Type::Tensor(known)) => is_as_known(tensor, known),
            (value, ty) => program.is_instance(value, ty),
        })),
        Op::UncheckedCast(_) => one(std::mem::take(&mut inputs[0])),
        Op::EnumName => one(IValue::str(&*inputs[0].as_enum()?.name)),
        Op::EnumValue => match &inputs[0].as_enum()?.value {
            IValue::Uninitialized => {
                let message = format!("the value of {:?} is not in this program", inputs[0]);
                Err(Failure { cause: Cause::Missing, ..Failure::runtime(message) })
            }
            value => one(value.clone()),
        },
        Op::ToList(id) => one(to_list(inputs[0].as_tensor()?, ty(id))?),
        Op::CopyTensor => one(match &inputs[0] {
            IValue::Tensor(t) => {
                let copy = t.copy()?;
                copy.set_requires_grad(t.requires_grad());
                IValue::Tensor(copy)
            }
            other => other.clone(),
        }),
        other => Err(Failure::runtime(format!("{other:?} is not a structural instruction"))),
    }
}

/// `prim::TupleIndex` where its operands lie.
pub(crate) fn tuple_item(a: &mut Arguments<'_>) -> Result<(), sconce_kernels::Error> {
    let given = {
        let (tuple, index) = (a.boxed(0)?.as_tuple()?, a.int(1)?);
        a.dest.given(at(&tuple.items, index).ok_or_else(|| sconce_kernels::Error::runtime(OUT_OF_TUPLE))?)?
    };
    a.put(given)
}

/// A condition. A tensor of one element counts as its truth, as TorchScript's implicit conversion has it.
pub(crate) fn truth(value: &IValue) -> Result<bool, Failure> {
    match value {
        IValue::Int(i) => Ok(*i != 0),
        IValue::Tensor(t) if t.numel() == 1 => {
            let t = t.as_strided(&[], &[], t.storage_offset())?;
            Ok(dispatch!(t.dtype(), T => t.item::<T>().is_some_and(|v| v != zero::<T>()), _other => true))
        }
        other => Ok(other.as_bool()?),
    }
}

/// What an instruction that needs only its inputs gives, for whoever runs programs in another way than the interpreter.
///
/// # Errors
/// The instruction refuses its inputs, or needs more than them.
pub fn apply(
    program: &Program,
    op: Op,
    inputs: SmallVec<[IValue; 8]>,
    outputs: usize,
) -> Result<SmallVec<[IValue; 8]>, RunError> {
    run(program, op, inputs, outputs).map_err(RunError::from)
}

/// Whether a condition holds: a bool, a number, or a tensor of one element.
///
/// # Errors
/// The value is no condition.
pub fn is_true(value: &IValue) -> Result<bool, RunError> {
    truth(value).map_err(RunError::from)
}

/// The element whose bytes are all zero, which is zero in every dtype.
fn zero<T: Element>() -> T {
    let zeros = Tensor::zeros(&[], T::DTYPE);
    zeros.ok().and_then(|t| t.item::<T>()).expect("sixteen bytes can be had")
}

const OUT_OF_TUPLE: &str = "tuple index out of range";

fn at(items: &[IValue], index: i64) -> Option<&IValue> {
    let index = if index < 0 { index.checked_add(items.len() as i64)? } else { index };
    items.get(usize::try_from(index).ok()?)
}

fn named_tuple(ty: &Type, inputs: Values) -> IValue {
    let names: Option<Arc<NamedTuple>> = match ty {
        Type::NamedTuple(n) if n.fields.len() == inputs.len() => Some(n.clone()),
        _ => None,
    };
    IValue::Tuple(Tuple::new(inputs, names))
}

/// Pieces of equal size along a dimension, the last possibly smaller; views of the tensor.
fn chunk(t: &Tensor, chunks: u32, dim: i32, outputs: usize) -> Result<Values, Failure> {
    let rank = t.dim() as i64;
    let d = if dim < 0 { i64::from(dim) + rank } else { i64::from(dim) };
    if rank == 0 {
        return Err(Failure::runtime("chunk expects at least a 1-dimensional tensor"));
    }
    if chunks == 0 {
        return Err(Failure::runtime("chunk expects `chunks` to be greater than 0, got: 0"));
    }
    let Some(d) = usize::try_from(d).ok().filter(|d| *d < t.dim()) else {
        return Err(Failure::runtime(format!(
            "Dimension out of range (expected to be in range of [{}, {}], but got {dim})",
            -rank,
            rank - 1
        )));
    };
    let size = t.sizes()[d];
    let chunks = i64::from(chunks);
    let piece = size / chunks + i64::from(size % chunks != 0);
    // An empty dimension gives as many empty pieces as were asked for.
    let pieces = if piece == 0 { chunks } else { size / piece + i64::from(size % piece != 0) };
    if pieces != outputs as i64 {
        return Err(Failure::runtime(format!("Expected chunk to return exactly {outputs} outputs, but got {pieces}")));
    }
    let mut sizes = Sizes::from(t.sizes());
    let mut views = Values::new();
    for i in 0..pieces {
        let start = i * piece;
        sizes[d] = piece.min(size - start);
        let offset = t.storage_offset() + start * t.strides()[d];
        views.push(IValue::Tensor(t.as_strided(&sizes, t.strides(), offset)?));
    }
    Ok(views)
}

/// The slot of an attribute; `guess` is where most objects have it.
fn slot(o: &Object, name: &str, guess: u32) -> Result<usize, Failure> {
    let guess = guess as usize;
    if o.names.get(guess).is_some_and(|n| **n == *name) {
        return Ok(guess);
    }
    o.slot_of(name).ok_or_else(|| Failure::runtime(sconce_kernels::prim::no_field(&o.class, name)))
}

/// The attribute of an object.
pub(crate) fn get_attribute(object: &IValue, name: &str, guess: u32) -> Result<IValue, Failure> {
    let o = object.as_object()?;
    let value = o.get(slot(o, name, guess)?);
    value.ok_or_else(|| Failure::runtime(sconce_kernels::prim::no_field(&o.class, name)))
}

/// Sets the attribute of an object.
pub(crate) fn set_attribute(object: &IValue, name: &str, guess: u32, value: IValue) -> Result<(), Failure> {
    let o = object.as_object()?;
    o.set(slot(o, name, guess)?, value);
    Ok(())
}

/// Nesting that a type test follows; types of programs are far from it.
const MAX_DEPTH: usize = 100;

/// Whether a tensor has the dtype and sizes that a type tells; strides and device decide no result.
fn is_as_known(tensor: &Tensor, known: &TensorType) -> bool {
    let fits = |(size, dim): (&i64, &Dim)| !matches!(dim, Dim::Known(n) if n != size);
    known.dtype.is_none_or(|d| d == tensor.dtype())
        && known.sizes.as_ref().is_none_or(|s| s.len() == tensor.dim() && tensor.sizes().iter().zip(s).all(fits))
}

impl Program {
    /// Whether a value is of a type, by the types its containers were made with; an object is of every interface its class implements.
    pub fn is_instance(&self, value: &IValue, ty: &Type) -> bool {
        self.is_instance_at(value, ty, 0)
    }

    fn is_instance_at(&self, value: &IValue, ty: &Type, depth: usize) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        match (value, ty) {
            (_, Type::Any) => true,
            (_, Type::Optional(t)) => value.is_none() || self.is_instance_at(value, t, depth + 1),
            (_, Type::Union(members)) => members.iter().any(|t| self.is_instance_at(value, t, depth + 1)),
            (IValue::None, Type::None) => true,
            (IValue::Bool(_), Type::Bool | Type::SymBool) => true,
            (IValue::Int(_), Type::Int | Type::SymInt | Type::Number) => true,
            (IValue::Int(_), Type::Layout | Type::MemoryFormat | Type::ScalarType | Type::QScheme) => true,
            (IValue::Double(_), Type::Float | Type::SymFloat | Type::Number) => true,
            (IValue::Complex(_), Type::Complex | Type::Number) => true,
            (IValue::Tensor(_), Type::Tensor(_)) => true,
            (IValue::Str(_), Type::Str) => true,
            (IValue::Device(_), Type::Device) => true,
            (IValue::Generator(_), Type::Generator) => true,
            (IValue::List(_), Type::AnyList) | (IValue::Tuple(_), Type::AnyTuple) => true,
            (IValue::Object(_), Type::AnyClass) | (IValue::Enum(_), Type::AnyEnum) => true,
            (IValue::List(l), Type::List(t)) => l.element == **t,
            (IValue::Dict(d), Type::Dict(k, v)) => d.key == **k && d.value == **v,
            (IValue::Tuple(t), Type::Tuple(types)) => {
                t.items.len() == types.len()
                    && t.items.iter().zip(types.iter()).all(|(v, t)| self.is_instance_at(v, t, depth + 1))
            }
            (IValue::Tuple(t), Type::NamedTuple(n)) => t.names.as_ref().is_some_and(|names| names.name == n.name),
            (IValue::Object(o), Type::Class(name)) => o.class == *name || self.implements(&o.class, name),
            (IValue::Enum(e), Type::Enum(name)) => e.class == *name,
            (IValue::Future(_), Type::Future(_)) => true,
            _ => false,
        }
    }

    /// Whether the class `name` passes where the interface `interface` is expected.
    fn implements(&self, name: &str, interface: &str) -> bool {
        let classes = (self.class(name), self.class(interface));
        matches!(classes, (Some((_, class)), Some((_, other))) if class.implements(other))
    }

    /// Whether a value can be meant for a parameter of a type, by what tells at a glance: containers are taken as they are.
    pub(crate) fn may_be(&self, value: &IValue, ty: &Type) -> bool {
        match ty {
            Type::Optional(t) => value.is_none() || self.may_be(value, t),
            Type::Union(members) => members.iter().any(|t| self.may_be(value, t)),
            Type::Int | Type::Float | Type::Bool | Type::Str | Type::Complex | Type::Tensor(_) | Type::Device => {
                self.is_instance(value, ty)
            }
            Type::None | Type::Class(_) | Type::Enum(_) => self.is_instance(value, ty),
            Type::List(_) => matches!(value, IValue::List(_)),
            Type::Dict(..) => matches!(value, IValue::Dict(_)),
            Type::Tuple(items) => {
                matches!(value, IValue::Tuple(t) if t.items.len() == items.len()
                    && t.items.iter().zip(items.iter()).all(|(v, t)| self.may_be(v, t)))
            }
            Type::NamedTuple(n) => matches!(value, IValue::Tuple(t) if t.items.len() == n.fields.len()),
            _ => true,
        }
    }
}

/// `prim::tolist`: nested lists of the elements; the annotated type must fit the tensor.
fn to_list(t: &Tensor, ty: &Type) -> Result<IValue, Failure> {
    let mut element = ty;
    let mut depth = 0;
    while let Type::List(inner) = element {
        element = inner;
        depth += 1;
    }
    let (fits, declared) = match element {
        Type::Int => (t.dtype() == DType::I64, DType::I64),
        // Floats of any width become Python's.
        Type::Float => (t.dtype().is_float(), DType::F64),
        Type::Complex => (t.dtype().is_complex(), DType::C128),
        Type::Bool => (t.dtype() == DType::Bool, DType::Bool),
        _ => return Err(Failure::runtime("Unknown type for tolist()")),
    };
    if !fits {
        return Err(Failure::runtime(format!(
            "Output annotation element type and runtime tensor element type must match for tolist(): {} vs {}",
            declared.graph_name(),
            t.dtype().graph_name()
        )));
    }
    if depth != t.dim() {
        return Err(Failure::runtime(
            "Output annotation list dimension and runtime tensor dimension must match for tolist()",
        ));
    }
    let wide = match element {
        Type::Int | Type::Bool => t.clone(),
        Type::Float => convert(t, DType::F64)?,
        _ => convert(t, DType::C128)?,
    };
    let wide = wide.contiguous()?;
    fn nest<T: Copy>(items: &mut std::slice::Iter<'_, T>, sizes: &[i64], ty: &Type, one: fn(T) -> IValue) -> IValue {
        match (sizes, ty) {
            ([size, rest @ ..], Type::List(inner)) => {
                IValue::list(Type::clone(inner), (0..*size).map(|_| nest(items, rest, inner, one)))
            }
            _ => items.next().copied().map_or(IValue::None, one),
        }
    }
    fn list<T: Element>(t: &Tensor, ty: &Type, one: fn(T) -> IValue) -> IValue {
        nest(&mut t.to_vec::<T>().iter(), t.sizes(), ty, one)
    }
    Ok(match element {
        Type::Int => list(&wide, ty, IValue::Int),
        Type::Bool => list(&wide, ty, |b: sconce_tensor::Bool| IValue::Bool(b.get())),
        Type::Float => list(&wide, ty, IValue::Double),
        _ => list(&wide, ty, |v: num_complex::Complex<f64>| IValue::complex(v.re, v.im)),
    })
}
