//! Annotations of classes and attributes, evaluated as Python would, become types.

use super::infer::failed;
use super::program::Session;
use super::value::*;
use super::{Fallible, Fault};
use sconce_schema::Type;
use sconce_script::emit::{Compiler, types};
use std::rc::Rc;

/// How deep annotations may be nested.
const MAX_DEPTH: u32 = 64;

impl Session {
    /// The value that an annotation evaluates to; strings are read as expressions.
    pub(super) fn annotation_value(&self, annotation: &Annotation) -> Fallible<Value> {
        match annotation {
            Annotation::Given(v) => Ok(v.clone()),
            Annotation::Written(e, scope) => {
                let v = self.evaluator.expr(e, scope)?;
                self.forward_reference(v, scope)
            }
        }
    }

    fn forward_reference(&self, v: Value, scope: &Rc<Scope>) -> Fallible<Value> {
        match v {
            Value::Str(text) => {
                let e = sconce_syntax::script::parse_expression(scope.file.source.name(), &text)
                    .map_err(|e| Fault::raise("SyntaxError", e.to_string()))?;
                self.evaluator.expr(&e, scope)
            }
            Value::Generic(g) => {
                let args = g.1.iter().map(|a| self.forward_reference(a.clone(), scope)).collect::<Fallible<_>>()?;
                Ok(Value::Generic(Rc::new((g.0.clone(), args))))
            }
            other => Ok(other),
        }
    }

    /// The annotation of an attribute: of the first class in the order of bases that has any annotations at all.
    pub(super) fn class_annotations(&self, class: &Rc<Class>) -> Vec<(Rc<str>, Annotation)> {
        let order = class.order.borrow();
        let first = order.iter().find(|c| !c.annotations.borrow().is_empty());
        first.map(|c| c.annotations.borrow().clone()).unwrap_or_default()
    }

    /// The type that an annotation's value means; `Err` with a reason when it means none.
    pub(super) fn type_of(&self, compiler: &mut Compiler, v: &Value) -> Fallible<Result<Type, String>> {
        self.type_at(compiler, v, 0)
    }

    fn type_at(&self, compiler: &mut Compiler, v: &Value, depth: u32) -> Fallible<Result<Type, String>> {
        if depth > MAX_DEPTH {
            return Ok(Err("Types are nested too deeply".to_owned()));
        }
        let unknown = |v: &Value| -> Fallible<Result<Type, String>> {
            Ok(Err(format!("Unknown type annotation: '{}'", self.evaluator.repr(v)?)))
        };
        match v {
            Value::None => Ok(Ok(Type::None)),
            Value::Host(path) => match host_type(path) {
                Some(t) => Ok(Ok(t)),
                None => unknown(v),
            },
            Value::Generic(g) => {
                let mut args = Vec::with_capacity(g.1.len());
                for a in &g.1 {
                    // `Tuple[()]`
                    if matches!(a, Value::Tuple(t) if t.is_empty()) {
                        continue;
                    }
                    match self.type_at(compiler, a, depth + 1)? {
                        Ok(t) => args.push(t),
                        Err(why) => return Ok(Err(why)),
                    }
                }
                match generic_type(&g.0, args) {
                    Some(t) => Ok(Ok(t)),
                    None => unknown(v),
                }
            }
            Value::Class(c) => self.class_type(compiler, c),
            _ => unknown(v),
        }
    }

    /// A class as a type: it is compiled.
    pub(super) fn class_type(&self, compiler: &mut Compiler, c: &Rc<Class>) -> Fallible<Result<Type, String>> {
        if c.is_module() && !c.interface.get() {
            return Ok(failed(format!("Unknown type annotation: '{}'", c.full_name())));
        }
        match c.form {
            ClassForm::Exception => Ok(failed(format!("Unknown type annotation: '{}'", c.full_name()))),
            ClassForm::NamedTuple => self.named_tuple_type(compiler, c).map(|t| Ok(Type::NamedTuple(t))),
            ClassForm::Enum => Ok(Ok(Type::Enum(self.enum_class(compiler, c)?))),
            _ => Ok(Ok(Type::Class(self.script_class(compiler, c)?))),
        }
    }
}

/// Types that have names of their own.
pub(super) fn host_type(path: &str) -> Option<Type> {
    let name = match path {
        "torch.nn.parameter.Parameter" => "Tensor",
        "torch.Stream" => "Stream",
        "typing.List" => "list",
        "typing.Tuple" => "tuple",
        path => ["builtins.", "typing.", "types."].iter().find_map(|module| path.strip_prefix(module)).unwrap_or(path),
    };
    types::named(name)
}

/// The type that `List[…]` and the like are; what else an annotation says of a type is not its matter.
fn generic_type(path: &str, args: Vec<Type>) -> Option<Type> {
    match path.rsplit('.').next().unwrap_or(path) {
        "ClassVar" | "Annotated" | "Final" => args.into_iter().next(),
        name => types::made_of(name, args)?.ok(),
    }
}
