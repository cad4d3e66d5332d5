//! A tree of Python containers is taken apart into its leaves and put together again only as the one shape that its spec says.
//!
//! Specs stand in archives as JSON (`torch.utils._pytree.treespec_dumps`): a version, then nodes of a type, a context and children. A node without a type
//! is a leaf.

use crate::Error;
use crate::json::{self, Table};
use crate::schema::NamedTupleDef;
use sconce_archive::Limits;
use sconce_schema::Type;
use sconce_schema::types::NamedTuple;
use sconce_tensor::{Dict, DictKey, IValue, Object, Tuple};
use serde::Deserialize;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The version of the JSON that is read and written.
pub(crate) const VERSION: i64 = 1;

/// The shape of a tree of values (`torch.utils._pytree.TreeSpec`).
#[derive(Clone, Debug, PartialEq)]
pub struct TreeSpec {
    pub node: Node,
    pub children: Vec<TreeSpec>,
}

/// What a node of a tree is.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A value that is no container.
    Leaf,
    Tuple,
    List,
    /// A `dict`, `OrderedDict` or `defaultdict`, with the keys of its children.
    Dict(DictKind, Vec<Key>),
    /// A `deque`, with the most items that it holds.
    Deque(Option<i64>),
    /// A named tuple, with the names of its children.
    NamedTuple(Arc<str>, Vec<Arc<str>>),
    /// A dataclass: the names of its children, and of the fields that are None, which have no child.
    Dataclass {
        name: Arc<str>,
        fields: Vec<Arc<str>>,
        none: Vec<Arc<str>>,
    },
    /// A class that somebody registered, with its context; a tuple of its children stands for an instance.
    Registered(Arc<str>, String),
}

/// Which of Python's dictionaries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DictKind {
    Plain,
    Ordered,
    /// With the dotted name of what makes absent values.
    Default(String),
}

/// A key of a dictionary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    Str(Arc<str>),
    Int(i64),
    Bool(bool),
}

impl Key {
    fn of_json(value: &Value) -> Option<Key> {
        match value {
            Value::String(s) => Some(Key::Str(s.as_str().into())),
            Value::Number(n) => n.as_i64().map(Key::Int),
            Value::Bool(b) => Some(Key::Bool(*b)),
            _ => None,
        }
    }

    fn value(&self) -> DictKey {
        let value = match self {
            Key::Str(s) => IValue::str(&**s),
            Key::Int(n) => IValue::Int(*n),
            Key::Bool(b) => IValue::Bool(*b),
        };
        match DictKey::from_value(&value) {
            Some(key) => key,
            // Not reached: strings, ints and bools are keys.
            None => DictKey::Int(0),
        }
    }
}

/// A key as Python writes it.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Str(s) => f.write_str(&sconce_schema::text::python_str(s)),
            Key::Int(n) => write!(f, "{n}"),
            Key::Bool(true) => f.write_str("True"),
            Key::Bool(false) => f.write_str("False"),
        }
    }
}

/// A node as the JSON has it.
#[derive(Deserialize)]
struct Raw {
    #[serde(rename = "type")]
    kind: Option<String>,
    context: Value,
    children_spec: Vec<Raw>,
}

/// The context of a `defaultdict`.
#[derive(Deserialize)]
struct DefaultDict {
    default_factory_module: String,
    default_factory_name: String,
    dict_context: Vec<Value>,
}

impl TreeSpec {
    /// A leaf.
    pub fn leaf() -> TreeSpec {
        TreeSpec { node: Node::Leaf, children: Vec::new() }
    }

    /// Reads a spec; `place` is named where it is wrong, `fields` are those of the named tuples that it names.
    ///
    /// # Errors
    /// What is no spec of version 1; a context that does not fit its children; a key that no dictionary here can have.
    pub fn read(place: &str, text: &str, fields: &Table<NamedTupleDef>, limits: &Limits) -> Result<TreeSpec, Error> {
        let bad = |what: String| Error::Json { entry: place.to_owned(), path: String::new(), what };
        let ((version, root), unknown): ((i64, Raw), _) = json::read(place, text.as_bytes(), limits)?;
        if version != VERSION {
            return Err(bad(format!("a tree of version {version}, expected {VERSION}")));
        }
        if let Some(member) = unknown.first() {
            return Err(bad(format!("a node of a tree has no member `{member}`")));
        }
        root.spec(fields).map_err(bad)
    }

    /// How many leaves it has.
    pub fn leaves(&self) -> usize {
        match self.node {
            Node::Leaf => 1,
            _ => self.children.iter().map(TreeSpec::leaves).sum(),
        }
    }

    /// Takes a value apart: its leaves in order. `path` is what the value is called in errors: `x`, `args[0]`.
    ///
    /// # Errors
    /// A value of another shape: where, what it is, and what is expected.
    pub fn flatten(&self, value: &IValue, path: &str, leaves: &mut Vec<IValue>) -> Result<(), ShapeError> {
        let wrong = || ShapeError { path: path.to_owned(), got: describe(value), expected: self.to_string() };
        let mut all = |items: &[IValue]| {
            let mut parts = items.iter().zip(&self.children).enumerate();
            parts.try_for_each(|(i, (item, spec))| spec.flatten(item, &format!("{path}{}", self.part(i)), leaves))
        };
        match (&self.node, value) {
            (Node::Leaf, value) => {
                leaves.push(value.clone());
                Ok(())
            }
            (Node::Tuple | Node::Registered(..), IValue::Tuple(t)) if t.items.len() == self.children.len() => {
                all(&t.items)
            }
            (Node::List | Node::Deque(_), IValue::List(l)) if l.len() == self.children.len() => all(&l.to_vec()),
            (Node::NamedTuple(..) | Node::Dataclass { .. }, IValue::Tuple(t))
                if t.names.is_none() && t.items.len() == self.children.len() =>
            {
                all(&t.items)
            }
            (Node::Dict(_, keys), IValue::Dict(d)) if d.read().len() == keys.len() => {
                let items = d.read();
                let found: Option<Vec<IValue>> = keys.iter().map(|k| items.get(&k.value()).cloned()).collect();
                drop(items);
                all(&found.ok_or_else(wrong)?)
            }
            (Node::NamedTuple(_, fields) | Node::Dataclass { fields, .. }, value) => {
                let field = |name: &Arc<str>| field_of(value, name);
                let found: Option<Vec<IValue>> = fields.iter().map(field).collect();
                let absent = |name: &Arc<str>| field_of(value, name).is_none_or(|v| v.is_none());
                match found {
                    Some(items) if self.none_fields().iter().all(absent) => all(&items),
                    _ => Err(wrong()),
                }
            }
            _ => Err(wrong()),
        }
    }

    /// Puts leaves together.
    ///
    /// # Errors
    /// Fewer leaves than it has.
    pub fn unflatten(&self, leaves: &mut impl Iterator<Item = IValue>) -> Option<IValue> {
        if self.node == Node::Leaf {
            return leaves.next();
        }
        let items: Vec<IValue> = self.children.iter().map(|c| c.unflatten(leaves)).collect::<Option<_>>()?;
        Some(match &self.node {
            Node::Leaf | Node::Tuple | Node::Registered(..) => IValue::tuple(items),
            Node::List | Node::Deque(_) => IValue::list(joined(&items), items),
            Node::Dict(_, keys) => {
                let key = if keys.iter().all(|k| matches!(k, Key::Int(_))) && !keys.is_empty() {
                    Type::Int
                } else {
                    Type::Str
                };
                let dict = Dict::new(key, joined(&items));
                dict.write().extend(keys.iter().map(Key::value).zip(items));
                IValue::Dict(dict)
            }
            Node::NamedTuple(name, fields) => {
                let types = items.iter().map(sconce_graph::value_type::of_value);
                let fields = fields.iter().cloned().zip(types).collect();
                let names = NamedTuple { name: name.clone(), fields, defaults: Vec::new() };
                IValue::Tuple(Tuple::new(items, Some(Arc::new(names))))
            }
            Node::Dataclass { name, fields, none } => {
                let names: Vec<Arc<str>> = fields.iter().chain(none).cloned().collect();
                let object = Object::new(name.clone(), names.into());
                items.into_iter().enumerate().for_each(|(slot, item)| _ = object.set(slot, item));
                (0..none.len()).for_each(|n| _ = object.set(fields.len() + n, IValue::None));
                IValue::Object(object)
            }
        })
    }

    /// The names of its leaves as Python would reach them: `d['a'][0]`, for a value that is called `path`.
    pub fn paths(&self, path: &str, out: &mut Vec<String>) {
        if self.node == Node::Leaf {
            return out.push(path.to_owned());
        }
        for (i, child) in self.children.iter().enumerate() {
            child.paths(&format!("{path}{}", self.part(i)), out);
        }
    }

    /// What is behind a value's name to reach its child of a number.
    fn part(&self, index: usize) -> String {
        match &self.node {
            Node::Dict(_, keys) => keys.get(index).map_or_else(String::new, |key| format!("[{key}]")),
            Node::NamedTuple(_, fields) | Node::Dataclass { fields, .. } => {
                fields.get(index).map_or_else(String::new, |field| format!(".{field}"))
            }
            _ => format!("[{index}]"),
        }
    }

    fn none_fields(&self) -> &[Arc<str>] {
        if let Node::Dataclass { none, .. } = &self.node { none } else { &[] }
    }
}

/// What joins the types of a container's items.
fn joined(items: &[IValue]) -> Type {
    let types: Vec<Type> = items.iter().map(sconce_graph::value_type::of_value).collect();
    Type::unify_all(types.iter()).unwrap_or(Type::Any)
}

/// A field of what stands for a named tuple or an object.
fn field_of(value: &IValue, name: &str) -> Option<IValue> {
    match value {
        IValue::Tuple(t) => {
            let at = t.names.as_ref()?.fields.iter().position(|(field, _)| **field == *name)?;
            t.items.get(at).cloned()
        }
        IValue::Object(o) => o.get(o.slot_of(name)?),
        IValue::Dict(d) => d.read().get(&Key::Str(name.into()).value()).cloned(),
        _ => None,
    }
}

/// A value of another shape than its spec's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` is {got}, expected {expected}")]
pub struct ShapeError {
    pub path: String,
    pub got: String,
    /// The spec, as PyTorch prints it.
    pub expected: String,
}

/// What a value is, as the spec that it would have, a level deep.
fn describe(value: &IValue) -> String {
    let stars = |n: usize| vec!["*"; n.min(MOST_SHOWN)].join(", ");
    match value {
        IValue::Tuple(t) => match &t.names {
            Some(names) => format!("the named tuple {} of {} fields", names.name, t.items.len()),
            None => format!("TreeSpec(tuple, None, [{}])", stars(t.items.len())),
        },
        IValue::List(l) => format!("TreeSpec(list, None, [{}])", stars(l.len())),
        IValue::Dict(d) => {
            let keys: Vec<String> = d.read().keys().take(MOST_SHOWN).map(|k| format!("{:?}", k.to_value())).collect();
            format!("TreeSpec(dict, [{}], …)", keys.join(", "))
        }
        IValue::Object(o) => format!("an object of {}", o.class),
        IValue::Tensor(_) => "a tensor".to_owned(),
        other => format!("{other:?}"),
    }
}

/// How many parts of a wrong value are shown.
const MOST_SHOWN: usize = 16;

impl Raw {
    fn spec(self, tuples: &Table<NamedTupleDef>) -> Result<TreeSpec, String> {
        let count = self.children_spec.len();
        let children = self.children_spec.into_iter().map(|c| c.spec(tuples)).collect::<Result<Vec<_>, String>>()?;
        let Some(kind) = self.kind else {
            return match count {
                0 => Ok(TreeSpec::leaf()),
                n => Err(format!("a leaf of a tree has {n} children")),
            };
        };
        let node = node(&kind, self.context, tuples)?;
        let named = match &node {
            Node::Dict(_, keys) => Some(keys.len()),
            Node::NamedTuple(_, fields) | Node::Dataclass { fields, .. } => Some(fields.len()),
            _ => None,
        };
        match named {
            Some(n) if n != count => Err(format!("a {kind} of {n} names has {count} children")),
            _ => Ok(TreeSpec { node, children }),
        }
    }
}

/// A node by its type's name and its context, which is JSON in a string.
fn node(kind: &str, context: Value, tuples: &Table<NamedTupleDef>) -> Result<Node, String> {
    let bad = |expected: &str| format!("the context of a {kind} is no {expected}");
    let text = context.as_str().map(str::to_owned);
    let inner: Value = match &text {
        Some(text) => serde_json::from_str(text).unwrap_or(Value::Null),
        None => context,
    };
    let names = |value: Option<&Value>| -> Option<Vec<Arc<str>>> {
        value?.as_array()?.iter().map(|v| v.as_str().map(Arc::from)).collect()
    };
    Ok(match kind {
        "builtins.tuple" | "torch.Size" => Node::Tuple,
        "builtins.list" | "torch.fx.immutable_collections.immutable_list" => Node::List,
        "builtins.dict" | "torch.fx.immutable_collections.immutable_dict" => {
            Node::Dict(DictKind::Plain, keys(inner.as_array()).ok_or_else(|| bad("list of keys"))?)
        }
        "collections.OrderedDict" => {
            Node::Dict(DictKind::Ordered, keys(inner.as_array()).ok_or_else(|| bad("list of keys"))?)
        }
        "collections.defaultdict" => {
            let context: DefaultDict =
                serde_json::from_value(inner).map_err(|e| format!("{}: {e}", bad("factory and keys")))?;
            let factory = format!("{}.{}", context.default_factory_module, context.default_factory_name);
            let keys = keys(Some(&context.dict_context)).ok_or_else(|| bad("list of keys"))?;
            Node::Dict(DictKind::Default(factory), keys)
        }
        "collections.deque" => Node::Deque(match inner {
            Value::Null => None,
            other => Some(other.as_i64().ok_or_else(|| bad("length"))?),
        }),
        "collections.namedtuple" => {
            let name = text.ok_or_else(|| bad("name"))?;
            let fields = tuples.get(&name).ok_or_else(|| format!("the named tuple {name} has no fields on record"))?;
            Node::NamedTuple(name.as_str().into(), fields.field_names.iter().map(|f| f.as_str().into()).collect())
        }
        _ => match (names(inner.get(0)), names(inner.get(1)), inner.as_array().map(Vec::len)) {
            // What registers a dataclass writes its fields, and those that are None.
            (Some(fields), Some(none), Some(2)) => Node::Dataclass { name: kind.into(), fields, none },
            _ => Node::Registered(kind.into(), text.unwrap_or_else(|| inner.to_string())),
        },
    })
}

fn keys(values: Option<&Vec<Value>>) -> Option<Vec<Key>> {
    let keys: Vec<Key> = values?.iter().map(Key::of_json).collect::<Option<_>>()?;
    let mut seen = rustc_hash::FxHashSet::default();
    keys.iter().all(|k| seen.insert(k.to_string())).then_some(keys)
}

/// As Python's `repr` of a `TreeSpec`, on one line; `{:#}` breaks lines and names classes as PyTorch does.
impl fmt::Display for TreeSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[Arc<str>]| {
            names.iter().map(|n| sconce_schema::text::python_str(n)).collect::<Vec<_>>().join(", ")
        };
        let (name, context) = match &self.node {
            Node::Leaf => return f.write_str("*"),
            Node::Tuple => ("tuple".to_owned(), "None".to_owned()),
            Node::List => ("list".to_owned(), "None".to_owned()),
            Node::Dict(kind, keys) => {
                let keys = format!("[{}]", keys.iter().map(Key::to_string).collect::<Vec<_>>().join(", "));
                match kind {
                    DictKind::Plain => ("dict".to_owned(), keys),
                    DictKind::Ordered => ("OrderedDict".to_owned(), keys),
                    DictKind::Default(factory) => ("defaultdict".to_owned(), format!("[{factory}, {keys}]")),
                }
            }
            Node::Deque(most) => ("deque".to_owned(), most.map_or("None".to_owned(), |n| n.to_string())),
            Node::NamedTuple(name, _) if f.alternate() => ("namedtuple".to_owned(), format!("<class '{name}'>")),
            Node::NamedTuple(name, _) => ("namedtuple".to_owned(), name.to_string()),
            Node::Dataclass { name, fields, none } => {
                (name.to_string(), format!("[[{}], [{}]]", list(fields), list(none)))
            }
            // JSON's null.
            Node::Registered(name, context) if f.alternate() && context == "null" => {
                (name.to_string(), "None".to_owned())
            }
            Node::Registered(name, context) => (name.to_string(), context.clone()),
        };
        if f.alternate() {
            let name = name.rsplit('.').next().unwrap_or_default();
            let children = self.children.iter().map(|child| format!("{child:#}").replace('\n', "\n  "));
            return write!(f, "TreeSpec({name}, {context}, [{}])", children.collect::<Vec<_>>().join(",\n  "));
        }
        write!(f, "TreeSpec({name}, {context}, [")?;
        for (i, child) in self.children.iter().enumerate() {
            write!(f, "{}{child}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str("])")
    }
}
