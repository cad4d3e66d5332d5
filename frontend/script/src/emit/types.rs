//! Type annotations become types here, and the arithmetic of unions: what a join of several types is, and what is left of one when a check has failed.

use super::function::Emitter;
use super::{Compiler, Receiver, Resolver, Result, Sugared};
use crate::graph::{Loc, SourceText};
pub use sconce_graph::value_type::of_value;
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::script::tree::{Expr, ExprKind, Index};
use std::rc::Rc;
use std::sync::Arc;

// -- unions

/// `Optional[T]`, of a union as well.
pub fn optional(t: Type) -> Type {
    match t {
        Type::Any | Type::None => t,
        Type::Optional(_) => t,
        Type::Union(_) => Type::union_of([t, Type::None]),
        t => Type::optional(t),
    }
}

/// What a value of type `t` can still be when it is none of `gone`; `None` when nothing is left.
pub fn subtract(t: &Type, gone: &[Type]) -> Option<Type> {
    let left: Vec<Type> =
        Type::union_members([t.clone()]).into_iter().filter(|m| !gone.iter().any(|g| m.is_subtype_of(g))).collect();
    if left.is_empty() { None } else { Some(Type::union_of(left)) }
}

/// Can a value of this type be None without being nothing else?
pub fn can_hold_none(t: &Type) -> bool {
    match t {
        Type::Optional(_) => true,
        Type::Union(members) => members.contains(&Type::None),
        _ => false,
    }
}

/// Is a type made of more than `limit` types? Looks at no more of it.
pub(super) fn is_larger(t: &Type, limit: usize) -> bool {
    fn count(t: &Type, left: &mut usize) -> bool {
        let Some(less) = left.checked_sub(1) else { return false };
        *left = less;
        match t {
            Type::List(t) | Type::Optional(t) | Type::Future(t) | Type::Await(t) | Type::RRef(t) => count(t, left),
            Type::Dict(k, v) => count(k, left) && count(v, left),
            Type::Tuple(ts) | Type::Union(ts) => ts.iter().all(|t| count(t, left)),
            Type::NamedTuple(t) => t.fields.iter().all(|(_, t)| count(t, left)),
            _ => true,
        }
    }
    !count(t, &mut { limit })
}

/// A union in PyTorch's sense (an `Optional` is one).
pub fn is_union(t: &Type) -> bool {
    matches!(t, Type::Union(_) | Type::Optional(_))
}

/// The join of two types; without one, their union if `default_to_union`.
pub fn unify(a: &Type, b: &Type, default_to_union: bool, hint: Option<&Type>) -> Option<Type> {
    let joined = a.unify(b);
    if joined.is_some() || !default_to_union {
        return joined;
    }
    match hint {
        Some(h) if a.is_subtype_of(h) && b.is_subtype_of(h) => Some(h.clone()),
        _ => Some(Type::union_of([a.clone(), b.clone()])),
    }
}

/// The join of several types, their union if they have none.
pub fn unify_all(types: &[Type], default_to_union: bool, hint: Option<&Type>) -> Option<Type> {
    let (first, rest) = types.split_first()?;
    rest.iter().try_fold(first.clone(), |joined, t| unify(&joined, t, default_to_union, hint))
}

// -- annotations

/// Types that have a name of their own, `basePythonTypes`.
fn base(name: &str) -> Option<Type> {
    Some(match name {
        "Tensor" | "LongTensor" | "FloatTensor" | "DoubleTensor" | "IntTensor" | "ShortTensor" | "HalfTensor"
        | "CharTensor" | "ByteTensor" | "BoolTensor" | "torch.Tensor" => Type::tensor(),
        "int" => Type::Int,
        "float" => Type::Float,
        "bool" => Type::Bool,
        "complex" => Type::Complex,
        "str" => Type::Str,
        "Device" | "torch.device" => Type::Device,
        "Generator" => Type::Generator,
        "Stream" => Type::Stream,
        "number" => Type::Number,
        "None" | "NoneType" => Type::None,
        "Any" => Type::Any,
        "Capsule" => Type::Capsule,
        "list" => Type::AnyList,
        "tuple" => Type::AnyTuple,
        "Storage" => Type::Storage,
        "QScheme" => Type::QScheme,
        "PyObject" => Type::PyObject,
        "torch.dtype" | "torch.layout" | "torch.memory_format" | "torch.qscheme" => Type::Int,
        "torch.Size" => Type::list(Type::Int),
        "torch.Generator" => Type::Generator,
        _ => return None,
    })
}

/// A type by its name in annotations: `int`, `torch.device`, `torch.LongTensor`.
pub fn named(name: &str) -> Option<Type> {
    base(name).or_else(|| name.strip_prefix("torch.").and_then(base).filter(Type::is_tensor))
}

/// The type that `List`, `Dict` and the like make of types; how many they take where that is another number.
pub fn made_of(constructor: &str, members: Vec<Type>) -> Option<std::result::Result<Type, usize>> {
    let one = |make: &dyn Fn(Type) -> Type| match members.as_slice() {
        [t] => Ok(make(t.clone())),
        _ => Err(1),
    };
    Some(match constructor {
        "Tuple" | "tuple" => Ok(Type::Tuple(members.into())),
        "Union" => Ok(Type::union_of(members)),
        "List" | "list" => one(&Type::list),
        "Optional" => one(&optional),
        "Future" => one(&|t| Type::Future(Arc::new(t))),
        "Await" | "_Await" => one(&|t| Type::Await(Arc::new(t))),
        "RRef" => one(&|t| Type::RRef(Arc::new(t))),
        "Final" => one(&|t| t),
        "Dict" | "dict" => match members.as_slice() {
            [k, v] => Ok(Type::dict(k.clone(), v.clone())),
            _ => Err(2),
        },
        _ => return None,
    })
}

/// Reads annotations with the names of one source.
pub struct Annotations<'a> {
    pub compiler: &'a mut Compiler,
    pub resolver: Rc<dyn Resolver>,
    pub source: Arc<SourceText>,
    /// The class that is being defined.
    pub receiver: Option<Receiver>,
}

/// What types are made of types with.
const CONSTRUCTORS: [&str; 17] = [
    "Tuple",
    "tuple",
    "List",
    "list",
    "Optional",
    "Union",
    "Future",
    "torch.jit.Future",
    "torch.futures.Future",
    "Await",
    "torch.jit._Await",
    "_Await",
    "RRef",
    "Final",
    "torch.jit.Final",
    "Dict",
    "dict",
];

/// What PyTorch says of a container of `typing` without the types of what it holds.
fn bare_container(name: &str) -> Option<String> {
    match name.strip_prefix("typing.").unwrap_or(name) {
        "Dict" => Some(
            "Attempted to use Dict without contained types. Please add contained type, e.g. Dict[int, int]".to_owned(),
        ),
        container @ ("List" | "Tuple" | "Optional" | "Union") => Some(format!(
            "Attempted to use {container} without a contained type. Please add a contained type, e.g. {container}[int]"
        )),
        _ => None,
    }
}

/// How deep types may be nested.
const MAX_TYPE_DEPTH: u32 = 64;

impl Annotations<'_> {
    fn at(&self, span: Span) -> Loc {
        Loc { source: self.source.clone(), span }
    }
    fn refuse<T>(&self, span: Span, message: impl Into<String>) -> Result<T> {
        Err(self.compiler.error(&self.at(span), message))
    }

    /// The type an annotation means.
    pub fn read(&mut self, e: &Expr) -> Result<Type> {
        self.nested(e, 0)
    }

    /// A parameter's type, which may be a broadcasting list, and the list's length.
    pub fn read_parameter(&mut self, e: &Expr) -> Result<(Type, Option<u32>)> {
        match self.broadcasting(e)? {
            Some((t, n)) => Ok((t, Some(n))),
            None => Ok((self.read(e)?, None)),
        }
    }

    fn broadcasting(&mut self, e: &Expr) -> Result<Option<(Type, u32)>> {
        // `_size_2_t` of torch.nn.common_types.
        if let ExprKind::Var(name) = &e.kind {
            let digit = name.name.strip_prefix("_size_").and_then(|r| r.strip_suffix("_t"));
            return Ok(digit.and_then(|d| d.parse().ok()).map(|n| (Type::list(Type::Int), n)));
        }
        let ExprKind::Subscript(value, items) = &e.kind else { return Ok(None) };
        let Some(name) = dotted(value) else { return Ok(None) };
        let last = name.rsplit('.').next().unwrap_or_default();
        let [Index::At(item)] = items.as_slice() else { return Ok(None) };
        if last == "Optional" {
            return Ok(self.broadcasting(item)?.map(|(t, n)| (Type::optional(t), n)));
        }
        let Some(size) = last.strip_prefix("BroadcastingList") else { return Ok(None) };
        let element = match &item.kind {
            ExprKind::Var(n) if n.name == "int" => Type::Int,
            ExprKind::Var(n) if n.name == "float" => Type::Float,
            ExprKind::Var(_) => return self.refuse(value.span, "Broadcastable lists only supported for int or float"),
            _ => return self.refuse(value.span, "Subscripted type must be a type identifier"),
        };
        match size.parse() {
            Ok(n) => Ok(Some((Type::list(element), n))),
            Err(_) => self.refuse(item.span, "subscript of Broadcastable list must be a positive integer"),
        }
    }

    fn nested(&mut self, e: &Expr, depth: u32) -> Result<Type> {
        if depth > MAX_TYPE_DEPTH {
            return self.refuse(e.span, format!("a type is nested more than {MAX_TYPE_DEPTH} levels deep"));
        }
        match &e.kind {
            ExprKind::Subscript(value, items) => match dotted(value) {
                Some(name) => self.constructed(e, &name, items, depth + 1),
                None => self.refuse(value.span, "Subscripted type must be a type identifier"),
            },
            ExprKind::None => Ok(Type::None),
            // `int | None`
            ExprKind::Binary(sconce_syntax::script::tree::BinaryOp::BitOr, a, b) => {
                let (a, b) = (self.nested(a, depth + 1)?, self.nested(b, depth + 1)?);
                Ok(Type::union_of([a, b]))
            }
            ExprKind::Str(text) => {
                let text = String::from_utf8_lossy(text).into_owned();
                self.quoted(e, &text, depth + 1)
            }
            _ => match dotted(e) {
                Some(name) => self.named(e.span, &name),
                None => self
                    .refuse(e.span, format!("Expression of type {} cannot be used in a type expression", kind_name(e))),
            },
        }
    }

    /// `"C"`, `"List[int]"`
    fn quoted(&mut self, e: &Expr, text: &str, depth: u32) -> Result<Type> {
        if text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.') {
            return self.named(e.span, text);
        }
        match sconce_schema::types::parse(text) {
            Ok(t) => Ok(t),
            Err(_) => {
                let _ = depth;
                self.refuse(e.span, format!("Unknown type name '{text}'"))
            }
        }
    }

    fn named(&mut self, span: Span, name: &str) -> Result<Type> {
        if let Some(t) = named(name) {
            return Ok(t);
        }
        let place = self.at(span);
        let resolver = self.resolver.clone();
        if let Some(missing) = bare_container(name).filter(|_| resolver.is_python()) {
            return self.refuse(span, missing);
        }
        if let Some(t) = resolver.resolve_type(self.compiler, name, &place)? {
            return Ok(t);
        }
        if let Some(sugared) = resolver.resolve(self.compiler, name, &place)?
            && let Some(t) = sugared.as_type(self.compiler)?
        {
            return Ok(t);
        }
        if self.compiler.unit.classes.contains_key(name) {
            return Ok(self.compiler.class_type(name));
        }
        match name.rsplit('.').next().filter(|_| name.starts_with("typing.")) {
            Some(last) if base(last).is_some() => Ok(base(last).unwrap_or(Type::Any)),
            _ => self.refuse(span, format!("Unknown type name '{name}'")),
        }
    }

    fn constructed(&mut self, e: &Expr, name: &str, items: &[Index], depth: u32) -> Result<Type> {
        let mut members = Vec::with_capacity(items.len());
        let constructor = name.strip_prefix("typing.").unwrap_or(name);
        if !CONSTRUCTORS.contains(&constructor) {
            return self.refuse(e.span, format!("Unknown type constructor {name}"));
        }
        if let ([Index::At(Expr { kind: ExprKind::Tuple(inner), span })], "Tuple" | "tuple") = (items, constructor) {
            if !inner.is_empty() {
                return self.refuse(*span, "Tuple literal in Tuple type annotation must not have any elements!");
            }
            return Ok(Type::Tuple(Arc::from([])));
        }
        for item in items {
            match item {
                Index::At(item) => members.push(self.nested(item, depth)?),
                Index::Slice { span, .. } => return self.refuse(*span, "Subscripted type must be a type identifier"),
            }
        }
        let found = members.len();
        match made_of(constructor.rsplit('.').next().unwrap_or(constructor), members) {
            Some(Ok(Type::Dict(k, v))) if matches!(constructor, "Dict" | "dict") => {
                self.compiler.check_key(&k, &self.at(e.span))?;
                Ok(Type::Dict(k, v))
            }
            Some(Ok(t)) => Ok(t),
            Some(Err(1)) => self.refuse(e.span, format!(" expected exactly one element type but found {found}")),
            Some(Err(n)) => self.refuse(e.span, format!(" expected exactly {n} element types but found {found}")),
            None => self.refuse(e.span, format!("Unknown type constructor {name}")),
        }
    }
}

impl Compiler {
    /// Dicts have keys of a few types.
    pub(super) fn check_key(&self, key: &Type, place: &Loc) -> Result<()> {
        match key {
            Type::Any
            | Type::Int
            | Type::Bool
            | Type::Float
            | Type::Complex
            | Type::Tensor(_)
            | Type::Device
            | Type::Str => Ok(()),
            // What a printed program says, and enumerations, which compare by identity.
            Type::Enum(_) | Type::Number | Type::Var(_) | Type::Class(_) => Ok(()),
            _ => {
                let message = format!(
                    "Cannot create dict for key type '{}', only int, float, complex, Tensor, device and string keys are supported",
                    key.schema_str()
                );
                Err(super::Error { manner: super::Manner::Placeless, ..self.error(place, message) })
            }
        }
    }

    /// The type of a class of the unit.
    pub fn class_type(&self, qualified: &str) -> Type {
        self.unit.class_type(qualified)
    }

    /// Whether a value of type `a` passes where `b` is expected: as types say, and as classes implement interfaces.
    pub fn is_subtype(&mut self, a: &Type, b: &Type) -> bool {
        if a.is_subtype_of(b) {
            return true;
        }
        match (a, b) {
            (Type::Class(a), Type::Class(b)) => self.implements(a, b),
            (Type::Optional(x), _) => Type::None.is_subtype_of(b) && self.is_subtype(x, b),
            (Type::Union(ts), _) => ts.iter().all(|t| self.is_subtype(t, b)),
            (_, Type::Optional(y)) => self.is_subtype(a, y),
            (_, Type::Union(ts)) => ts.iter().any(|t| self.is_subtype(a, t)),
            (Type::Tuple(x), Type::Tuple(y)) => {
                x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| self.is_subtype(x, y))
            }
            (Type::Future(x), Type::Future(y)) => self.is_subtype(x, y),
            _ => false,
        }
    }
}

impl Emitter<'_> {
    pub(super) fn annotations(&mut self) -> Annotations<'_> {
        Annotations {
            resolver: self.resolver.clone(),
            source: self.source.clone(),
            receiver: self.receiver.clone(),
            compiler: self.compiler,
        }
    }
    pub(super) fn annotation(&mut self, e: &Expr) -> Result<Type> {
        self.annotations().read(e)
    }
    pub(super) fn parameter_annotation(&mut self, e: &Expr) -> Result<(Type, Option<u32>)> {
        self.annotations().read_parameter(e)
    }
}

/// `a.b.c`; `None` for what is no dotted name.
pub fn dotted(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Var(name) => Some(name.name.clone()),
        ExprKind::None => Some("None".to_owned()),
        ExprKind::Select(value, name) => Some(format!("{}.{}", dotted(value)?, name.name)),
        _ => None,
    }
}

/// What PyTorch's messages call a kind of expression.
pub(super) fn kind_name(e: &Expr) -> &'static str {
    match &e.kind {
        ExprKind::Var(_) => "variable",
        ExprKind::Number(_) => "const",
        ExprKind::Str(_) | ExprKind::FString(_) => "string_literal",
        ExprKind::True => "True",
        ExprKind::False => "False",
        ExprKind::None => "None",
        ExprKind::Apply(_) => "apply",
        ExprKind::List(_) => "list",
        ExprKind::Tuple(_) => "tuple",
        ExprKind::Dict(_) => "dict_literal",
        ExprKind::Select(..) => ".",
        ExprKind::Subscript(..) => "subscript",
        ExprKind::IfExp { .. } => "if",
        ExprKind::ListComp(_) => "list comprehension",
        ExprKind::DictComp(..) => "dict comprehension",
        ExprKind::Starred(_) => "starred",
        ExprKind::Ellipsis => "dots",
        _ => "expression",
    }
}

impl Sugared {
    /// What it is as a type annotation.
    pub fn as_type(&self, compiler: &mut Compiler) -> Result<Option<Type>> {
        Ok(match self {
            Sugared::Class(name) | Sugared::Enum(name) => Some(compiler.class_type(name)),
            Sugared::NamedTuple(t) => Some(Type::NamedTuple(t.clone())),
            Sugared::Custom(c) => c.as_type(compiler)?,
            Sugared::Cast(t, _) => Some(t.clone()),
            Sugared::Magic(_, inner) => inner.as_type(compiler)?,
            _ => None,
        })
    }
}
