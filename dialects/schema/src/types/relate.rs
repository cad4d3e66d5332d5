//! How types relate: subtyping without conversion, joins, and the matching of a schema's type variables, as PyTorch decides them.

use super::{Dim, NamedTuple, TensorType, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What the type variables of one schema stand for.
pub type Bindings = FxHashMap<Arc<str>, Type>;

impl TensorType {
    /// What is known of both, `TensorType::merge`.
    pub fn merge(&self, other: &TensorType) -> TensorType {
        fn both<T: Clone + PartialEq>(a: &Option<T>, b: &Option<T>) -> Option<T> {
            if a == b { a.clone() } else { None }
        }
        let dims = |a: &Option<Vec<Dim>>, b: &Option<Vec<Dim>>| match (a, b) {
            (Some(a), Some(b)) if a.len() == b.len() => {
                Some(a.iter().zip(b).map(|(x, y)| if x == y { x.clone() } else { Dim::Unknown }).collect())
            }
            _ => None,
        };
        TensorType {
            dtype: both(&self.dtype, &other.dtype),
            sizes: dims(&self.sizes, &other.sizes),
            strides: dims(&self.strides, &other.strides),
            device: both(&self.device, &other.device),
            requires_grad: both(&self.requires_grad, &other.requires_grad),
            undefined: both(&self.undefined, &other.undefined),
        }
    }
}

impl Type {
    /// Whether a value of this type passes where `other` is expected, without conversion: `Type::isSubtypeOf`.
    ///
    /// Lists and dicts are invariant, tuples and futures covariant. Class types are equal or unrelated: only whoever has their
    /// definitions knows which interfaces they implement.
    pub fn is_subtype_of(&self, other: &Type) -> bool {
        if self == other || *other == Type::Any {
            return true;
        }
        match (self, other) {
            // The left side first: all members of a union must pass.
            (Type::Optional(t), _) => Type::None.is_subtype_of(other) && t.is_subtype_of(other),
            (Type::Union(ts), _) => ts.iter().all(|t| t.is_subtype_of(other)),
            (Type::None, Type::Optional(_)) => true,
            (_, Type::Optional(t)) => self.is_subtype_of(t),
            (Type::Number, Type::Union(ts)) => {
                [Type::Int, Type::Float, Type::Complex].iter().all(|n| ts.contains(n)) || ts.contains(&Type::Number)
            }
            (_, Type::Union(ts)) => ts.iter().any(|t| self.is_subtype_of(t)),
            (Type::Int | Type::Float | Type::Complex, Type::Number) => true,
            (Type::Tensor(a), Type::Tensor(b)) => a.merge(b) == **b,
            (Type::List(_), Type::AnyList) => true,
            (Type::Tuple(_) | Type::NamedTuple(_), Type::AnyTuple) => true,
            (Type::Class(_), Type::AnyClass) | (Type::Enum(_), Type::AnyEnum) => true,
            (Type::Future(a), Type::Future(b)) | (Type::RRef(a), Type::RRef(b)) | (Type::Await(a), Type::Await(b)) => {
                a.is_subtype_of(b)
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| x.is_subtype_of(y))
            }
            (Type::NamedTuple(a), Type::Tuple(b)) => {
                a.fields.len() == b.len() && a.fields.iter().zip(b.iter()).all(|((_, x), y)| x.is_subtype_of(y))
            }
            (Type::NamedTuple(a), Type::NamedTuple(b)) => {
                a.fields.len() == b.fields.len()
                    && a.fields.iter().zip(&b.fields).all(|((m, x), (n, y))| m == n && x.is_subtype_of(y))
            }
            // Types of their own inside, `int` to PyTorch's type checker.
            _ => {
                self.as_printed() != *self && self.as_printed().is_subtype_of(other)
                    || other.as_printed() != *other && self.is_subtype_of(&other.as_printed())
            }
        }
    }

    /// `Layout`, `MemoryFormat`, `ScalarType` and the symbolic numbers as the types PyTorch's graphs know; others as they are.
    fn as_printed(&self) -> Type {
        match self {
            Type::Layout | Type::MemoryFormat | Type::ScalarType | Type::SymInt => Type::Int,
            Type::SymFloat => Type::Float,
            Type::SymBool => Type::Bool,
            other => other.clone(),
        }
    }

    /// The type without what is known of its tensors, `unshapedType`.
    pub fn unshaped(&self) -> Type {
        match self {
            Type::Tensor(_) => Type::tensor(),
            other => other.map_children(&Type::unshaped),
        }
    }

    /// As schema matching sees it: tensors unshaped, dtype and layout as `int`.
    fn for_matching(&self) -> Type {
        match self {
            Type::Tensor(_) => Type::tensor(),
            other => other.as_printed().map_children(&Type::for_matching),
        }
    }

    /// The type as PyTorch's graphs know it: dtype, layout and memory format are `int` there, at any depth.
    pub fn in_graphs(&self) -> Type {
        self.as_printed().map_children(&Type::in_graphs)
    }

    /// The same type with each type directly inside it replaced.
    pub fn map_children(&self, f: &impl Fn(&Type) -> Type) -> Type {
        let arc = |t: &Arc<Type>| Arc::new(f(t));
        match self {
            Type::List(t) => Type::List(arc(t)),
            Type::Optional(t) => Type::Optional(arc(t)),
            Type::Future(t) => Type::Future(arc(t)),
            Type::Await(t) => Type::Await(arc(t)),
            Type::RRef(t) => Type::RRef(arc(t)),
            Type::Dict(k, v) => Type::Dict(arc(k), arc(v)),
            Type::Tuple(ts) => Type::Tuple(ts.iter().map(f).collect()),
            Type::Union(ts) => Type::Union(ts.iter().map(f).collect()),
            Type::NamedTuple(t) => Type::NamedTuple(Arc::new(NamedTuple {
                name: t.name.clone(),
                fields: t.fields.iter().map(|(n, ty)| (n.clone(), f(ty))).collect(),
                defaults: t.defaults.clone(),
            })),
            leaf => leaf.clone(),
        }
    }

    /// Whether a type variable stands anywhere in it.
    pub fn has_variables(&self) -> bool {
        match self {
            Type::Var(_) => true,
            Type::List(t) | Type::Optional(t) | Type::Future(t) | Type::Await(t) | Type::RRef(t) => t.has_variables(),
            Type::Dict(k, v) => k.has_variables() || v.has_variables(),
            Type::Tuple(ts) | Type::Union(ts) => ts.iter().any(Type::has_variables),
            Type::NamedTuple(t) => t.fields.iter().any(|(_, ty)| ty.has_variables()),
            _ => false,
        }
    }

    /// The join of two types, `unifyTypes`; `None` when TorchScript finds none.
    pub fn unify(&self, other: &Type) -> Option<Type> {
        if self.is_subtype_of(other) {
            return Some(other.clone());
        }
        if other.is_subtype_of(self) {
            return Some(self.clone());
        }
        match (self, other) {
            (Type::Tensor(a), Type::Tensor(b)) => return Some(Type::Tensor(Arc::new(a.merge(b)))),
            (Type::None, t) | (t, Type::None) => return Some(Type::optional(t.clone())),
            (Type::Optional(a), Type::Optional(b)) => {
                if let Some(t) = a.unify(b) {
                    return Some(Type::optional(t));
                }
            }
            (Type::Optional(a), b) | (b, Type::Optional(a)) => {
                if let Some(t) = a.unify(b) {
                    return Some(Type::optional(t));
                }
            }
            (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
                return a.iter().zip(b.iter()).map(|(x, y)| x.unify(y)).collect::<Option<_>>().map(Type::Tuple);
            }
            (Type::Future(a), Type::Future(b)) => {
                if let Some(t) = a.unify(b) {
                    return Some(Type::Future(Arc::new(t)));
                }
            }
            (Type::Await(a), Type::Await(b)) => {
                if let Some(t) = a.unify(b) {
                    return Some(Type::Await(Arc::new(t)));
                }
            }
            _ => {}
        }
        // What differs may only be what is known of tensors.
        let (a, b) = (self.unshaped(), other.unshaped());
        if a.is_subtype_of(&b) {
            Some(b)
        } else if b.is_subtype_of(&a) {
            Some(a)
        } else {
            None
        }
    }

    /// The join of several types, `unify_type_list`; `None` for no types or when there is none.
    pub fn unify_all<'a>(types: impl IntoIterator<Item = &'a Type>) -> Option<Type> {
        let mut types = types.into_iter();
        let first = types.next()?.clone();
        types.try_fold(first, |joined, t| joined.unify(t))
    }

    /// The union of some types as PyTorch writes it down: flat, without duplicates, in a fixed order. One member is itself; one and None are an optional.
    pub fn union_of(types: impl IntoIterator<Item = Type>) -> Type {
        let mut members = Type::union_members(types);
        let none = members.iter().position(|t| *t == Type::None);
        let all_numbers = [Type::Int, Type::Float, Type::Complex].iter().all(|n| members.contains(n));
        match (members.len(), none) {
            (1, _) => members.swap_remove(0),
            (2, Some(none)) => Type::optional(members.swap_remove(1 - none)),
            (4, Some(_)) if all_numbers => Type::optional(Type::Number),
            (3, None) if all_numbers => Type::Number,
            _ => Type::Union(members.into()),
        }
    }

    /// The members of a union of some types, in order, those that have a join joined (`standardizeVectorForUnion`).
    pub fn union_members(types: impl IntoIterator<Item = Type>) -> Vec<Type> {
        let mut flat = Vec::new();
        for ty in types {
            flatten_union(ty, &mut flat);
        }
        // From the right, each is joined with one further left if they have a join.
        let mut end = flat.len();
        let mut i = flat.len();
        while i > 1 {
            i -= 1;
            for j in (0..i.min(end)).rev() {
                if (flat[i] == Type::None) != (flat[j] == Type::None) {
                    continue;
                }
                if let Some(joined) = flat[i].unify(&flat[j]) {
                    flat[j] = joined;
                    end -= 1;
                    flat[i] = flat[end].clone();
                    break;
                }
            }
        }
        flat.truncate(end);
        flat.sort_by_cached_key(|t| (union_rank(t), t.to_string()));
        flat
    }

    /// A formal type of a schema with its variables bound so that `actual` fits, `matchTypeVariables`.
    ///
    /// A variable bound already is widened to the join. Whether the actual type is a subtype of the result is for the caller to ask.
    pub fn match_variables(&self, actual: &Type, bindings: &mut Bindings) -> Result<Type, String> {
        if !self.has_variables() {
            return Ok(self.clone());
        }
        match (self, actual) {
            (Type::Var(name), _) => {
                let joined = match bindings.get(name) {
                    None => actual.clone(),
                    Some(bound) => bound.unify(actual).ok_or_else(|| {
                        format!(
                            "Type variable '{name}' previously matched to type {} is matched to type {}",
                            bound.annotation_str(),
                            actual.annotation_str()
                        )
                    })?,
                };
                bindings.insert(name.clone(), joined.clone());
                Ok(joined)
            }
            (Type::List(formal), Type::List(element)) => formal.match_variables(element, bindings).map(Type::list),
            (Type::List(formal), Type::Tuple(elements)) => {
                let joined = Type::unify_all(elements.iter()).ok_or_else(|| {
                    format!("Cannot match a list of {} to a tuple of various types", formal.annotation_str())
                })?;
                formal.match_variables(&joined, bindings).map(Type::list)
            }
            (Type::Tuple(formals), Type::Tuple(actuals)) => {
                if formals.len() != actuals.len() {
                    return Err("Cannot match tuples of mismatched size".to_owned());
                }
                let matched: Result<Arc<[Type]>, String> =
                    formals.iter().zip(actuals.iter()).map(|(f, a)| f.match_variables(a, bindings)).collect();
                matched.map(Type::Tuple)
            }
            (Type::Tuple(_), Type::NamedTuple(t)) => {
                let plain = Type::Tuple(t.fields.iter().map(|(_, ty)| ty.clone()).collect());
                self.match_variables(&plain, bindings)
            }
            (Type::Future(f), Type::Future(a)) => f.match_variables(a, bindings).map(|t| Type::Future(Arc::new(t))),
            (Type::Await(f), Type::Await(a)) => f.match_variables(a, bindings).map(|t| Type::Await(Arc::new(t))),
            (Type::RRef(f), Type::RRef(a)) => f.match_variables(a, bindings).map(|t| Type::RRef(Arc::new(t))),
            (Type::Optional(f), Type::Optional(a)) => f.match_variables(a, bindings).map(Type::optional),
            (Type::Optional(f), Type::None) => Err(format!(
                "Cannot match an {} to None, because there is no way to determine {} from None",
                Type::Optional(f.clone()).annotation_str(),
                f.annotation_str()
            )),
            (Type::Optional(f), a) => f.match_variables(a, bindings).map(Type::optional),
            (Type::Dict(fk, fv), Type::Dict(ak, av)) => {
                let key = fk.match_variables(ak, bindings)?;
                Ok(Type::dict(key, fv.match_variables(av, bindings)?))
            }
            (Type::List(_), _) => Err(format!("Cannot match {} to {}", self.annotation_str(), actual.annotation_str())),
            (Type::Tuple(_), _) => Err(format!("Cannot match a tuple to {}", actual.annotation_str())),
            (Type::Future(_), _) => Err(format!("Cannot match a future to {}", actual.annotation_str())),
            (Type::Await(_), _) => Err(format!("Cannot match an await to {}", actual.annotation_str())),
            (Type::RRef(_), _) => Err(format!("Cannot match a rref to {}", actual.annotation_str())),
            (Type::Dict(..), _) => Err(format!("Cannot match a dict to {}", actual.annotation_str())),
            _ => Err(format!("Cannot match {} to {}", self.annotation_str(), actual.annotation_str())),
        }
    }

    /// The type with every bound variable replaced.
    pub fn substitute(&self, bindings: &Bindings) -> Type {
        match self {
            Type::Var(name) => bindings.get(name).cloned().unwrap_or_else(|| self.clone()),
            other => other.map_children(&|t| t.substitute(bindings)),
        }
    }

    /// Whether an argument of this type fits a schema's formal type without conversion, what is known of tensors left aside.
    pub fn fits(&self, formal: &Type, bindings: &mut Bindings) -> Result<(), String> {
        let (actual, formal) = (self.for_matching(), formal.for_matching());
        let concrete = formal.match_variables(&actual, bindings)?;
        if actual.is_subtype_of(&concrete) {
            return Ok(());
        }
        Err(format!("expected {}, found {}", concrete.annotation_str(), self.annotation_str()))
    }
}

fn flatten_union(ty: Type, out: &mut Vec<Type>) {
    match ty {
        Type::Union(members) => members.iter().for_each(|m| flatten_union(m.clone(), out)),
        Type::Optional(inner) => {
            flatten_union((*inner).clone(), out);
            out.push(Type::None);
        }
        Type::Number => out.extend([Type::Int, Type::Float, Type::Complex]),
        other => out.push(other),
    }
}

/// The place of a type's kind among PyTorch's kinds, which members of unions are sorted by.
fn union_rank(ty: &Type) -> u8 {
    match ty {
        Type::Any => 0,
        Type::Enum(_) => 1,
        Type::AnyEnum => 2,
        Type::Tensor(_) => 3,
        Type::Storage => 4,
        Type::Tuple(_) | Type::NamedTuple(_) => 5,
        Type::List(_) => 6,
        Type::Dict(..) => 7,
        Type::Number => 8,
        Type::Float => 9,
        Type::Complex => 10,
        Type::Future(_) => 11,
        Type::Await(_) => 12,
        Type::RRef(_) => 13,
        Type::Int => 14,
        Type::None => 15,
        Type::Str => 16,
        Type::Generator => 17,
        Type::Bool => 19,
        Type::Optional(_) => 20,
        Type::Var(_) => 21,
        Type::Device => 22,
        Type::Stream => 23,
        Type::Function => 24,
        Type::Class(_) => 25,
        Type::PyObject => 26,
        Type::Capsule => 27,
        Type::QScheme => 29,
        Type::ScalarType => 30,
        Type::Layout => 31,
        Type::MemoryFormat => 32,
        Type::AnyList => 33,
        Type::AnyTuple => 34,
        Type::AnyClass => 35,
        Type::SymInt => 36,
        Type::SymFloat => 37,
        Type::SymBool => 38,
        Type::Union(_) => 39,
    }
}
