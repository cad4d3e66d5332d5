//! Arguments and results are trees of Python's containers: each is taken apart into leaves once, in the order in which its spec lists them.

use crate::error::{Error, refused};
use crate::run::Value;
use sconce_export_program::TreeSpec;
use sconce_export_program::pytree::{DictKind, Key, Node};
use sconce_tensor::{DictKey, IValue};
use std::sync::Arc;

/// How deep containers may be nested.
const MOST_DEEP: usize = 64;

pub(crate) fn tuple(children: Vec<TreeSpec>) -> TreeSpec {
    TreeSpec { node: Node::Tuple, children }
}

/// The spec of a call's arguments: positional ones, and none by name.
pub(crate) fn call(children: Vec<TreeSpec>) -> TreeSpec {
    tuple(vec![tuple(children), TreeSpec { node: Node::Dict(DictKind::Plain, Vec::new()), children: Vec::new() }])
}

/// Takes a value apart. `children` gives the members of a container, with what is known of them.
pub(crate) fn flatten(
    value: &Value,
    children: &dyn Fn(&Value) -> Option<Vec<Value>>,
    leaves: &mut Vec<Value>,
    depth: usize,
) -> Result<TreeSpec, Error> {
    if depth > MOST_DEEP {
        return Err(refused(format!("containers are nested deeper than {MOST_DEEP}")));
    }
    let node = match &value.it {
        IValue::Tuple(t) => match &t.names {
            // What operators give has names and no class.
            Some(names) if !names.name.is_empty() => {
                Node::NamedTuple(class_name(&names.name), names.fields.iter().map(|(f, _)| f.clone()).collect())
            }
            _ => Node::Tuple,
        },
        IValue::Object(o) => {
            let fields = o.names.iter().enumerate().map(|(slot, name)| (name.clone(), o.get(slot).unwrap_or_default()));
            let (none, fields): (Vec<_>, Vec<_>) = fields.partition(|(_, value)| value.is_none());
            let mut children_specs = Vec::new();
            let (mut names, mut members) = (Vec::new(), Vec::new());
            fields.into_iter().for_each(|(name, value)| {
                names.push(name);
                members.push(Value::from(value));
            });
            for member in &members {
                children_specs.push(flatten(member, children, leaves, depth + 1)?);
            }
            let none = none.into_iter().map(|(name, _)| name).collect();
            let node = Node::Dataclass { name: class_name(&o.class), fields: names, none };
            return Ok(TreeSpec { node, children: children_specs });
        }
        IValue::List(_) => Node::List,
        IValue::Dict(d) => {
            let key = |k: &DictKey| match k {
                DictKey::Str(s) => Some(Key::Str(s.as_str().into())),
                DictKey::Int(n) => Some(Key::Int(*n)),
                DictKey::Bool(b) => Some(Key::Bool(*b)),
                _ => None,
            };
            let keys: Option<Vec<Key>> = d.read().keys().map(key).collect();
            let keys = keys.ok_or_else(|| refused("a dict with other keys than strings, ints and bools is no tree"))?;
            Node::Dict(DictKind::Plain, keys)
        }
        IValue::Enum(_) | IValue::Future(_) | IValue::Generator(_) => {
            return Err(refused(format!("a value of kind {} is no leaf of a tree", value.it.kind())));
        }
        _ => {
            leaves.push(value.clone());
            return Ok(TreeSpec::leaf());
        }
    };
    let members = children(value).unwrap_or_default();
    let children = members.iter().map(|m| flatten(m, children, leaves, depth + 1)).collect::<Result<_, Error>>()?;
    Ok(TreeSpec { node, children })
}

/// The name that a class is registered by: without the root of TorchScript's own names.
fn class_name(qualified: &str) -> Arc<str> {
    qualified.strip_prefix("__torch__.").unwrap_or(qualified).into()
}

/// How the classes of a tree are registered with PyTorch, each once.
pub(crate) fn classes(spec: &TreeSpec, out: &mut Vec<String>) {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let said = match &spec.node {
        Node::NamedTuple(name, _) => {
            Some(format!("torch.utils._pytree._register_namedtuple({}, serialized_type_name={name:?})", last(name)))
        }
        Node::Dataclass { name, .. } => {
            Some(format!("torch.export.register_dataclass({}, serialized_type_name={name:?})", last(name)))
        }
        _ => None,
    };
    let said = said.map(|call| format!("PyTorch loads this program after {call}"));
    out.extend(said.filter(|said| !out.contains(said)));
    spec.children.iter().for_each(|child| classes(child, out));
}
