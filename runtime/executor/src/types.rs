//! What is seen of a value as a type, and whether a value is of a type that a plan takes for granted: the two agree.

use sconce_kernels::grad;
use sconce_schema::Type;
use sconce_schema::types::{Dim, TensorType};
use sconce_tensor::{IValue, Tensor};
use std::sync::Arc;

/// Containers deeper than this are of type `Any`.
const MAX_DEPTH: u32 = 16;

/// Whether gradients flow through it now.
#[inline]
pub fn gradient_of(t: &Tensor) -> bool {
    t.requires_grad() && grad::enabled()
}

/// All that is seen of a tensor: what it needs of gradients only where they are on.
pub fn tensor_type(t: &Tensor) -> TensorType {
    TensorType { requires_grad: Some(gradient_of(t)), ..t.observed_type() }
}

/// A value's type with all that is seen of its tensors.
pub fn complete(v: &IValue) -> Type {
    seen(v, MAX_DEPTH, &tensor_type)
}

/// A value's type, with nothing of its tensors that changes with their sizes.
pub fn ranked(v: &IValue) -> Type {
    seen(v, MAX_DEPTH, &|t| {
        let sizes = Some(vec![Dim::Unknown; t.dim()]);
        TensorType { sizes, strides: None, ..tensor_type(t) }
    })
}

fn seen(v: &IValue, depth: u32, of: &impl Fn(&Tensor) -> TensorType) -> Type {
    match v {
        IValue::Tensor(t) => Type::Tensor(Arc::new(of(t))),
        IValue::Tuple(t) if depth > 0 => Type::Tuple(t.items.iter().map(|v| seen(v, depth - 1, of)).collect()),
        IValue::None => Type::None,
        IValue::Bool(_) => Type::Bool,
        IValue::Int(_) => Type::Int,
        IValue::Double(_) => Type::Float,
        IValue::Complex(_) => Type::Complex,
        IValue::Str(_) => Type::Str,
        IValue::Device(_) => Type::Device,
        IValue::List(l) => Type::list(l.element.clone()),
        IValue::Dict(d) => Type::dict(d.key.clone(), d.value.clone()),
        _ => Type::Any,
    }
}

/// The same types for any sizes: equal sizes get one symbol, sizes of 1 stay.
pub fn symbolic(types: &[Type]) -> Vec<Type> {
    let mut met = Vec::new();
    types.iter().map(|t| with_symbols(t, &mut met)).collect()
}

fn with_symbols(ty: &Type, met: &mut Vec<i64>) -> Type {
    match ty {
        Type::Tensor(t) => {
            let mut symbol = |dim: &Dim| match dim {
                Dim::Known(1) | Dim::Unknown | Dim::Symbol(_) => dim.clone(),
                Dim::Known(size) => {
                    let at = met.iter().position(|m| m == size).unwrap_or_else(|| {
                        met.push(*size);
                        met.len() - 1
                    });
                    Dim::Symbol(-1 - at as i64)
                }
            };
            let sizes = t.sizes.as_ref().map(|sizes| sizes.iter().map(&mut symbol).collect());
            Type::Tensor(Arc::new(TensorType { sizes, strides: None, ..TensorType::clone(t) }))
        }
        Type::Tuple(items) => Type::Tuple(items.iter().map(|t| with_symbols(t, met)).collect()),
        other => other.clone(),
    }
}

/// What two types have in common.
pub fn merge(a: &Type, b: &Type) -> Type {
    match (a, b) {
        (Type::Tensor(a), Type::Tensor(b)) => Type::Tensor(Arc::new(a.merge(b))),
        (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
            Type::Tuple(a.iter().zip(b.iter()).map(|(a, b)| merge(a, b)).collect())
        }
        (a, b) if a == b => a.clone(),
        _ => Type::Any,
    }
}

/// Whether of each tensor in it at least dtype and rank are known.
pub fn has_code(ty: &Type) -> bool {
    match ty {
        Type::Tensor(t) => t.dtype.is_some() && t.sizes.is_some(),
        Type::Tuple(items) => items.iter().all(has_code),
        _ => true,
    }
}

/// Types as a list, as graphs print them.
pub fn listed(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}

/// Types that a plan takes for granted, checked in the order of the arguments without taking memory.
#[derive(Clone, Debug)]
pub struct TypeGuard {
    types: Box<[Type]>,
    /// Its symbols are numbered from -1 down without holes.
    symbols: usize,
}

/// Symbols that one guard may bind.
const MAX_SYMBOLS: usize = 32;

impl TypeGuard {
    /// Sizes behind more symbols than a guard binds are not compared; whoever needs them equal checks again.
    pub fn new(types: Vec<Type>) -> TypeGuard {
        let mut symbols = 0;
        types.iter().for_each(|t| count_symbols(t, &mut symbols));
        TypeGuard { types: types.into(), symbols: symbols.min(MAX_SYMBOLS) }
    }

    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// Whether the arguments are of these types.
    #[inline]
    pub fn holds(&self, inputs: &[IValue]) -> bool {
        let mut bound = [-1; MAX_SYMBOLS];
        let bound = &mut bound[..self.symbols];
        inputs.len() == self.types.len() && self.types.iter().zip(inputs).all(|(t, v)| is_of(v, t, bound))
    }
}

fn count_symbols(ty: &Type, most: &mut usize) {
    match ty {
        Type::Tensor(t) => {
            for dim in t.sizes.iter().flatten() {
                if let Dim::Symbol(s) = dim {
                    *most = (*most).max(s.unsigned_abs() as usize);
                }
            }
        }
        Type::Tuple(items) => items.iter().for_each(|t| count_symbols(t, most)),
        _ => {}
    }
}

fn is_of(v: &IValue, ty: &Type, bound: &mut [i64]) -> bool {
    match (ty, v) {
        (Type::Tensor(ty), IValue::Tensor(t)) => tensor_is_of(t, ty, bound),
        (Type::Tuple(types), IValue::Tuple(t)) => {
            types.len() == t.items.len() && types.iter().zip(&t.items).all(|(ty, v)| is_of(v, ty, bound))
        }
        (Type::Any, _) => true,
        (Type::Tensor(_) | Type::Tuple(_), _) | (_, IValue::Tensor(_)) => false,
        // Types say all else of such values; the function's parameters are checked by whoever runs it.
        (ty, v) => matches!(ty, Type::None) == v.is_none(),
    }
}

fn tensor_is_of(t: &Tensor, ty: &TensorType, bound: &mut [i64]) -> bool {
    ty.dtype.is_none_or(|d| d == t.dtype())
        && ty.requires_grad.is_none_or(|g| g == gradient_of(t))
        && ty.undefined != Some(true)
        && ty.sizes.as_ref().is_none_or(|sizes| dims_are(t.sizes(), sizes, bound))
        && ty.strides.as_ref().is_none_or(|strides| dims_are(t.strides(), strides, bound))
        && ty.device.as_ref().is_none_or(|device| match t.device_beside_cpu() {
            None => &*device.kind == "cpu",
            Some(other) => other == device,
        })
}

fn dims_are(actual: &[i64], expected: &[Dim], bound: &mut [i64]) -> bool {
    actual.len() == expected.len()
        && actual.iter().zip(expected).all(|(&size, dim)| match dim {
            Dim::Known(n) => *n == size,
            Dim::Unknown => true,
            // What is 1 may be broadcast; a plan for other sizes does not know.
            Dim::Symbol(_) if size == 1 => false,
            Dim::Symbol(s) => match bound.get_mut((-1 - s) as usize) {
                Some(-1) => {
                    bound[(-1 - s) as usize] = size;
                    true
                }
                Some(known) => *known == size,
                None => true,
            },
        })
}
