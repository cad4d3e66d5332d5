//! Arguments and results are trees of Python's containers: each is taken apart into leaves once, in the order in which its spec lists them.

use crate::error::{Error, refused};
use crate::run::Value;
use sconce_export_program::TreeSpec;
use sconce_export_program::pytree::{DictKind, Key, Node};
use sconce_tensor::{DictKey, IValue};

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
        IValue::Tuple(_) => Node::Tuple,
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
        IValue::Object(_) | IValue::Enum(_) | IValue::Future(_) | IValue::Generator(_) => {
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
