//! Values of class constants and enum members: literals as the printer writes them.

use super::names::Names;
use crate::emit::{self, Compiler};
use crate::graph::{Loc, SourceText};
use sconce_schema::Type;
use sconce_schema::types::Device;
use sconce_syntax::script::tree::{BinaryOp, Expr, ExprKind, Number, NumberKind, UnaryOp};
use sconce_tensor::{Dict, DictKey, EnumValue, IValue, List, Tuple};
use std::sync::Arc;

const MAX_DEPTH: u32 = 64;

/// The value of `e`, for a place of type `ty`.
pub(super) fn evaluate(
    names: &Names,
    compiler: &mut Compiler,
    source: &Arc<SourceText>,
    e: &Expr,
    ty: &Type,
) -> emit::Result<IValue> {
    Reader { names, compiler, source }.read(e, ty, 0)
}

struct Reader<'a> {
    names: &'a Names,
    compiler: &'a mut Compiler,
    source: &'a Arc<SourceText>,
}

impl Reader<'_> {
    fn refuse(&self, e: &Expr, what: &str) -> emit::Result<IValue> {
        Err(self.compiler.error(&Loc::new(self.source, e.span), what))
    }

    fn read(&mut self, e: &Expr, ty: &Type, depth: u32) -> emit::Result<IValue> {
        if depth > MAX_DEPTH {
            return self.refuse(e, "a constant is nested too deeply");
        }
        let ty = match ty {
            Type::Optional(inner) => inner,
            other => other,
        };
        let value = match &e.kind {
            ExprKind::None => IValue::None,
            ExprKind::True => IValue::Bool(true),
            ExprKind::False => IValue::Bool(false),
            ExprKind::Number(number) => match number_value(number) {
                Some(value) => value,
                None => return self.refuse(e, "a number that is none"),
            },
            ExprKind::Str(text) => IValue::str(String::from_utf8_lossy(text).into_owned()),
            ExprKind::Unary(UnaryOp::Neg, inner) => match self.read(inner, ty, depth + 1)? {
                IValue::Int(n) => IValue::Int(n.wrapping_neg()),
                IValue::Double(x) => IValue::Double(-x),
                IValue::Complex(c) => IValue::complex(-c.re, -c.im),
                _ => return self.refuse(e, "only a number has a sign"),
            },
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (a, b) = (self.read(a, &Type::Any, depth + 1)?, self.read(b, &Type::Any, depth + 1)?);
                match (complex_parts(&a), complex_parts(&b)) {
                    (Some(a), Some(b)) if *op == BinaryOp::Add => IValue::complex(a.0 + b.0, a.1 + b.1),
                    (Some(a), Some(b)) => IValue::complex(a.0 - b.0, a.1 - b.1),
                    _ => return self.refuse(e, "only complex constants are sums"),
                }
            }
            ExprKind::List(items) => self.list(items, ty, depth)?,
            ExprKind::Tuple(items) => self.tuple(items, ty, depth)?,
            ExprKind::Dict(entries) => self.dict(e, entries, ty, depth)?,
            ExprKind::Var(name) => match name.name.as_str() {
                "inf" => IValue::Double(f64::INFINITY),
                "nan" => IValue::Double(f64::NAN),
                "infj" => IValue::complex(0.0, f64::INFINITY),
                "nanj" => IValue::complex(0.0, f64::NAN),
                _ => return self.refuse(e, "a constant cannot be a variable"),
            },
            ExprKind::Select(..) => self.named(e)?,
            ExprKind::Apply(apply) => {
                let callee = emit::types::dotted(&apply.callee).unwrap_or_default();
                match (callee.as_str(), apply.args.as_slice()) {
                    ("annotate", [_, value]) => self.read(value, ty, depth + 1)?,
                    ("torch.device", [Expr { kind: ExprKind::Str(text), .. }]) => {
                        let text = String::from_utf8_lossy(text);
                        let (kind, index) = text.split_once(':').unwrap_or((&text, ""));
                        IValue::Device(Arc::new(Device { kind: kind.into(), index: index.parse().ok() }))
                    }
                    ("complex", [re, im]) => {
                        let parts = (self.read(re, &Type::Float, depth + 1)?, self.read(im, &Type::Float, depth + 1)?);
                        match parts {
                            (IValue::Double(re), IValue::Double(im)) => IValue::complex(re, im),
                            _ => return self.refuse(e, "the parts of a complex constant are floats"),
                        }
                    }
                    (_, args) if matches!(ty, Type::NamedTuple(_)) => self.tuple(args, ty, depth)?,
                    _ => return self.refuse(e, "a constant cannot be a call"),
                }
            }
            _ => return self.refuse(e, "no literal"),
        };
        Ok(match (ty, value) {
            (Type::Float, IValue::Int(n)) => IValue::Double(n as f64),
            (_, value) => value,
        })
    }

    fn list(&mut self, items: &[Expr], ty: &Type, depth: u32) -> emit::Result<IValue> {
        let element = match ty {
            Type::List(element) => Some((**element).clone()),
            _ => None,
        };
        let wanted = element.clone().unwrap_or(Type::Any);
        let values = items.iter().map(|i| self.read(i, &wanted, depth + 1)).collect::<emit::Result<Vec<_>>>()?;
        let element = element.unwrap_or_else(|| values.first().map_or(Type::tensor(), emit::types::of_value));
        Ok(IValue::List(List::new(element, values)))
    }

    fn tuple(&mut self, items: &[Expr], ty: &Type, depth: u32) -> emit::Result<IValue> {
        let (types, names): (Vec<Type>, _) = match ty {
            Type::Tuple(types) => (types.to_vec(), None),
            Type::NamedTuple(tuple) => (tuple.fields.iter().map(|(_, t)| t.clone()).collect(), Some(tuple.clone())),
            _ => (Vec::new(), None),
        };
        let values = items
            .iter()
            .enumerate()
            .map(|(n, i)| self.read(i, types.get(n).unwrap_or(&Type::Any), depth + 1))
            .collect::<emit::Result<Vec<_>>>()?;
        Ok(IValue::Tuple(Tuple::new(values, names)))
    }

    fn dict(&mut self, e: &Expr, entries: &[(Option<Expr>, Expr)], ty: &Type, depth: u32) -> emit::Result<IValue> {
        let (key_type, value_type) = match ty {
            Type::Dict(k, v) => ((**k).clone(), (**v).clone()),
            _ => (Type::Any, Type::Any),
        };
        let out = Dict::new(key_type.clone(), value_type.clone());
        for (key, value) in entries {
            let key = match key {
                Some(key) => DictKey::from_value(&self.read(key, &key_type, depth + 1)?),
                None => None,
            };
            let Some(key) = key else { return self.refuse(e, "this cannot be a key of a dict") };
            let value = self.read(value, &value_type, depth + 1)?;
            out.write().insert(key, value);
        }
        Ok(IValue::Dict(out))
    }

    /// `CONSTANTS.c0`, `__torch__.m.Color.RED`
    fn named(&mut self, e: &Expr) -> emit::Result<IValue> {
        let name = emit::types::dotted(e).unwrap_or_default();
        let Some((prefix, last)) = name.rsplit_once('.') else { return self.refuse(e, "no literal") };
        if prefix == "CONSTANTS" {
            let index = last.get(1..).and_then(|d| d.parse::<usize>().ok());
            let value = index.and_then(|i| self.names.constants.borrow().get(i).cloned().flatten());
            return match value {
                Some(value) => Ok(value),
                None => self.refuse(e, "there is no such constant"),
            };
        }
        let place = Loc::new(self.source, e.span);
        self.names.find_class(self.compiler, prefix, &place)?;
        let class = self.compiler.unit.classes.get(prefix);
        let member = class.and_then(|c| c.constants.iter().find(|(n, ..)| &**n == last));
        match member {
            Some((name, _, value)) => {
                let member = EnumValue { class: prefix.into(), name: name.clone(), value: value.clone() };
                Ok(IValue::Enum(Arc::new(member)))
            }
            None => self.refuse(e, "no literal"),
        }
    }
}

fn complex_parts(value: &IValue) -> Option<(f64, f64)> {
    match value {
        IValue::Int(n) => Some((*n as f64, 0.0)),
        IValue::Double(x) => Some((*x, 0.0)),
        IValue::Complex(c) => Some((c.re, c.im)),
        _ => None,
    }
}

fn number_value(number: &Number) -> Option<IValue> {
    let text = number.text.replace('_', "");
    match number.kind {
        NumberKind::Int => text.parse().ok().map(IValue::Int),
        NumberKind::Float => text.parse().ok().map(IValue::Double),
        NumberKind::Imaginary => text.trim_end_matches(['j', 'J']).parse().ok().map(|im| IValue::complex(0.0, im)),
    }
}
