//! What whoever evaluates Python sees of its values: plain data, and the signatures of functions.

use super::value::{Code, Value};
use super::{Evaluator, Fallible, Fault};
use sconce_schema::Type;
use sconce_syntax::script::tree::{Param, ParamKind};
use sconce_tensor::{Dict, DictKey, IValue};

/// A parameter of a Python function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// As Python's `inspect` names it: `positional_or_keyword`, `var_keyword`, …
    pub kind: &'static str,
    /// As `repr` writes it.
    pub default: Option<String>,
}

impl Evaluator {
    /// Numbers, texts, tensors, and lists, tuples and dictionaries of them.
    pub(super) fn data(&self, v: &Value) -> Fallible<IValue> {
        let all = |items: &[Value]| items.iter().map(|v| self.data(v)).collect::<Fallible<Vec<_>>>();
        if let Some(plain) = super::cast::plain(v) {
            return Ok(plain);
        }
        Ok(match v {
            Value::List(l) => IValue::list(Type::Any, all(&l.borrow())?),
            Value::Tuple(t) => IValue::tuple(all(t)?),
            Value::NamedTuple(_, items) => IValue::tuple(all(items)?),
            Value::Dict(d) => {
                let dict = Dict::new(Type::Any, Type::Any);
                for (k, v) in d.borrow().iter() {
                    let key = DictKey::from_value(&self.data(&k.0)?);
                    let key = key.ok_or_else(|| Fault::refused(format!("a {} as a key", k.0.type_name())))?;
                    dict.write().insert(key, self.data(v)?);
                }
                IValue::Dict(dict)
            }
            other => return Err(Fault::refused(format!("a {} is no plain data", other.type_name()))),
        })
    }

    /// The parameters of a function or method, a method's own object included.
    pub(super) fn signature(&self, v: &Value) -> Fallible<Vec<Parameter>> {
        let f = match v {
            Value::Function(f) => f,
            Value::Method(m) => return self.signature(&m.1),
            Value::StaticMethod(f) | Value::ClassMethod(f) => return self.signature(f),
            other => return Err(Fault::refused(format!("a {} has no signature", other.type_name()))),
        };
        let params: &[Param] = match &f.code {
            Code::Def(def) => &def.params,
            Code::Lambda(lambda) => &lambda.params,
        };
        let parameter = |(i, p): (usize, &Param)| {
            let default = f.defaults.get(i).and_then(Option::as_ref).map(|v| self.repr(v)).transpose()?;
            Ok(Parameter { name: p.name.name.to_string(), kind: kind_name(p.kind), default })
        };
        params.iter().enumerate().map(parameter).collect()
    }
}

fn kind_name(kind: ParamKind) -> &'static str {
    match kind {
        ParamKind::Plain => "positional_or_keyword",
        ParamKind::KeywordOnly => "keyword_only",
        ParamKind::PositionalOnly => "positional_only",
        ParamKind::Rest => "var_positional",
        ParamKind::Keywords => "var_keyword",
    }
}
