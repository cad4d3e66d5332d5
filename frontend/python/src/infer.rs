//! The TorchScript type that a Python value has, or why it has none, in PyTorch's words.

use super::Fallible;
use super::program::Session;
use super::value::*;
use sconce_schema::Type;
use sconce_script::emit::{Compiler, types};

/// A reason for a value to have no type.
pub(super) fn failed(why: impl Into<String>) -> Result<Type, String> {
    Err(why.into())
}

/// What is said of a value that has no type in programs.
fn typeless(v: &Value) -> String {
    format!(
        "Only tensors and (possibly nested) tuples of tensors, lists, or dicts are supported as inputs or outputs of traced functions, but instead got \
         value of type {}.",
        v.type_name()
    )
}

/// How deep values may be nested that programs are given.
pub(super) const MAX_DEPTH: u32 = 64;

impl Session {
    /// The type of a value, or why it has none, in PyTorch's words.
    pub(super) fn infer(&self, compiler: &mut Compiler, v: &Value, depth: u32) -> Fallible<Result<Type, String>> {
        if depth > MAX_DEPTH {
            return Ok(failed("values are nested too deeply"));
        }
        Ok(Ok(match v {
            Value::None => Type::None,
            Value::Bool(_) => Type::Bool,
            Value::Int(_) | Value::Setting(..) => Type::Int,
            Value::Float(_) => Type::Float,
            Value::Complex(..) => Type::Complex,
            Value::Str(_) => Type::Str,
            Value::Tensor(_) => Type::tensor(),
            Value::Device(_) => Type::Device,
            Value::Generator(_) => Type::Generator,
            Value::Tuple(items) => {
                let mut members = Vec::with_capacity(items.len());
                for item in items.iter() {
                    match self.infer(compiler, item, depth + 1)? {
                        Ok(t) => members.push(t),
                        Err(why) => return Ok(Err(why)),
                    }
                }
                Type::Tuple(members.into())
            }
            Value::NamedTuple(c, _) => Type::NamedTuple(self.named_tuple_type(compiler, c)?),
            Value::List(items) => {
                let items = items.borrow().clone();
                if items.is_empty() {
                    return Ok(failed("List trace inputs must have elements"));
                }
                let same = "List inputs to traced functions must have consistent element type";
                match self.joined(compiler, &items, ("Could not infer type of list element: ", same), depth)? {
                    Ok(t) => Type::list(t),
                    Err(why) => return Ok(Err(why)),
                }
            }
            Value::Dict(d) => {
                let (keys, values): (Vec<Value>, Vec<Value>) =
                    d.borrow().iter().map(|(k, v)| (k.0.clone(), v.clone())).unzip();
                if keys.is_empty() {
                    return Ok(failed("Dictionary inputs must have entries"));
                }
                let same = "Dictionary inputs to traced functions must have consistent type";
                let key = match self.joined(compiler, &keys, ("", same), depth)? {
                    Ok(t) => t,
                    Err(why) => return Ok(Err(why)),
                };
                match self.joined(compiler, &values, ("", same), depth)? {
                    Ok(t) => Type::dict(key, t),
                    Err(why) => return Ok(Err(why)),
                }
            }
            Value::Instance(i) if i.class.form == ClassForm::Enum => Type::Enum(self.enum_class(compiler, &i.class)?),
            Value::Instance(i) if i.class.form == ClassForm::Plain && i.class.script.get() => {
                Type::Class(self.script_class(compiler, &i.class)?)
            }
            Value::Instance(i) if i.class.is_module() => {
                return Ok(failed("Cannot infer concrete type of torch.nn.Module"));
            }
            Value::Instance(i) => match self.plain_class(compiler, &i.class)? {
                Some(class) => Type::Class(class),
                None => return Ok(failed(typeless(v))),
            },
            other => return Ok(failed(typeless(other))),
        }))
    }

    /// The type of all items, or why there is none: what to say in front of an item's own reason, and of items that differ.
    fn joined(
        &self,
        compiler: &mut Compiler,
        items: &[Value],
        (of_item, what): (&str, &str),
        depth: u32,
    ) -> Fallible<Result<Type, String>> {
        let mut joined: Option<Type> = None;
        for item in items {
            let t = match self.infer(compiler, item, depth + 1)? {
                Ok(t) => t,
                Err(why) => return Ok(Err(format!("{of_item}{why}"))),
            };
            joined = Some(match joined {
                None => t,
                Some(j) => match types::unify(&j, &t, false, None) {
                    Some(u) => u,
                    None => {
                        let text = format!("{what}. Found {} and {}", j.annotation_str(), t.annotation_str());
                        return Ok(failed(text));
                    }
                },
            });
        }
        Ok(Ok(joined.unwrap_or(Type::None)))
    }
}
