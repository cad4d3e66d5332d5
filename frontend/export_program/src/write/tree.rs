//! A tree of Python containers is written as the JSON that it was read from.

use super::Entries;
use crate::TreeSpec;
use crate::pytree::{DictKind, Key, Node, VERSION};
use crate::schema::NamedTupleDef;
use serde_json::{Value, json};
use std::sync::Arc;

impl TreeSpec {
    /// As JSON (`torch.utils._pytree.treespec_dumps`); the fields of its named tuples are added to those that are known.
    pub(crate) fn dump(&self, fields: &mut Entries<NamedTupleDef>) -> String {
        json!([VERSION, self.node_json(fields)]).to_string()
    }

    fn node_json(&self, fields: &mut Entries<NamedTupleDef>) -> Value {
        let children: Vec<Value> = self.children.iter().map(|c| c.node_json(fields)).collect();
        let text = |value: Value| Value::String(value.to_string());
        let (kind, context) = match &self.node {
            Node::Leaf => return json!({"type": null, "context": null, "children_spec": children}),
            Node::Tuple => ("builtins.tuple", text(Value::Null)),
            Node::List => ("builtins.list", text(Value::Null)),
            Node::Dict(kind, keys) => {
                let keys: Vec<Value> = keys.iter().map(key).collect();
                match kind {
                    DictKind::Plain => ("builtins.dict", text(keys.into())),
                    DictKind::Ordered => ("collections.OrderedDict", text(keys.into())),
                    DictKind::Default(factory) => {
                        let (module, name) = factory.rsplit_once('.').unwrap_or(("builtins", factory));
                        let context = json!({"default_factory_module": module, "default_factory_name": name, "dict_context": keys});
                        ("collections.defaultdict", text(context))
                    }
                }
            }
            Node::Deque(most) => ("collections.deque", text(json!(most))),
            Node::NamedTuple(name, names) => {
                if !fields.iter().any(|(known, _)| **known == **name) {
                    fields.push((name.to_string(), NamedTupleDef { field_names: strings(names) }));
                }
                ("collections.namedtuple", Value::String(name.to_string()))
            }
            Node::Dataclass { name, fields, none } => (&**name, text(json!([strings(fields), strings(none)]))),
            Node::Registered(name, context) => (&**name, Value::String(context.clone())),
        };
        json!({"type": kind, "context": context, "children_spec": children})
    }
}

fn strings(names: &[Arc<str>]) -> Vec<String> {
    names.iter().map(|n| n.to_string()).collect()
}

fn key(key: &Key) -> Value {
    match key {
        Key::Str(s) => Value::from(&**s),
        Key::Int(n) => Value::from(*n),
        Key::Bool(b) => Value::from(*b),
    }
}
