//! What a side of a rule is for given operands: its value by the interpreter's kernels, and what shape rules say of it. Nothing about an operator is said here.

use crate::operands::Binding;
use sconce_egraph::rules::{Rule, Side};
use sconce_egraph::term::Literal;
use sconce_kernels::derived::meta_of;
use sconce_schema::Type;
use sconce_schema::shape::{Meta, Size};
use sconce_tensor::{IValue, Tensor};

/// What stands for a variable.
pub fn bound<'b>(bindings: &'b [Binding], name: &str) -> Option<&'b IValue> {
    bindings.iter().find(|(known, _)| &**known == name).map(|(_, value)| value)
}

/// What shape rules see of the operands.
pub fn known(bindings: &[Binding]) -> impl Fn(&str) -> Option<Meta> {
    move |name| bound(bindings, name).map(meta_of)
}

/// Would the rewriter apply the rule to these operands? It is asked as the rewriter asks: conditions hold, and both sides are known to have one type.
pub fn applies(rule: &Rule, known: &dyn Fn(&str) -> Option<Meta>) -> bool {
    let type_of = |side| sconce_egraph::rewrite::meta(side, known);
    rule.conditions.iter().all(|c| c.value(known) == Some(Meta::Bool(true)))
        && type_of(&rule.left).is_some_and(|left| {
            type_of(&rule.right).is_some_and(|right| sconce_egraph::facts::same_type(&left, &right))
        })
}

/// A side's value, and how large the numbers are that were met on the way.
///
/// # Errors
/// What a kernel said, or what the side computes has no value.
pub fn value(side: &Side, bindings: &[Binding], largest: &mut f64) -> Result<IValue, String> {
    match side {
        Side::Variable(name) => bound(bindings, name).cloned().ok_or_else(|| format!("?{name} stands for nothing")),
        Side::Literal(literal) => Ok(of_literal(literal)),
        Side::List(items) => {
            let items = items.iter().map(|i| value(i, bindings, largest)).collect::<Result<Vec<_>, _>>()?;
            Ok(list(items))
        }
        Side::Part(whole, index) => match value(whole, bindings, largest)? {
            IValue::List(l) => l.read().get(*index as usize).cloned().ok_or_else(|| format!("no part {index}")),
            IValue::Tuple(t) => t.items.get(*index as usize).cloned().ok_or_else(|| format!("no part {index}")),
            _ => Err(format!("{whole} has no parts")),
        },
        Side::Apply(entry, arguments) => {
            let mut values = Vec::with_capacity(arguments.len());
            for (argument, declared) in arguments.iter().zip(&entry.schema().arguments) {
                values.push(as_argument(value(argument, bindings, largest)?, &declared.ty));
            }
            let mut results = sconce_kernels::call(entry, &mut values).map_err(|e| e.to_string())?;
            for result in results.iter().filter_map(|r| r.as_tensor().ok()) {
                let finite = result.to_f64().into_iter().filter(|x| x.is_finite());
                *largest = finite.fold(*largest, |most, x| most.max(x.abs()));
            }
            Ok(if results.len() == 1 { results.remove(0) } else { list(results.into_vec()) })
        }
        Side::Computed(e) => {
            let value = e.value(&known(bindings)).ok_or_else(|| format!("{{{e}}} has no value"))?;
            of_meta(&value).ok_or_else(|| format!("{{{e}}} is no constant"))
        }
    }
}

fn list(items: Vec<IValue>) -> IValue {
    let element = match items.first() {
        Some(IValue::Int(_)) | None => Type::Int,
        _ => Type::tensor(),
    };
    IValue::list(element, items)
}

/// As the dialect's verifier would have it: numbers are converted where the schema wants the other kind.
fn as_argument(value: IValue, ty: &Type) -> IValue {
    match (value, ty) {
        (IValue::Int(n), Type::Float | Type::SymFloat) => IValue::Double(n as f64),
        (value, Type::Optional(inner)) if !value.is_none() => as_argument(value, inner),
        (value, _) => value,
    }
}

pub fn of_literal(literal: &Literal) -> IValue {
    match literal {
        Literal::None => IValue::None,
        Literal::Bool(b) => IValue::Bool(*b),
        Literal::Int(n) => IValue::Int(*n),
        Literal::Float(bits) => IValue::Double(f64::from_bits(*bits)),
        Literal::Str(s) | Literal::Device(s) => IValue::str(&**s),
    }
}

/// A constant as a value.
pub fn of_meta(value: &Meta) -> Option<IValue> {
    Some(match value {
        Meta::None => IValue::None,
        Meta::Bool(b) => IValue::Bool(*b),
        Meta::Int(Size::Known(n)) => IValue::Int(*n),
        Meta::Float(x) => IValue::Double(*x),
        Meta::Str(s) => IValue::str(&**s),
        Meta::List(items) => list(items.iter().map(of_meta).collect::<Option<_>>()?),
        _ => return None,
    })
}

/// Every tensor in a value, in order.
pub fn tensors(value: &IValue) -> Vec<Tensor> {
    match value {
        IValue::Tensor(t) => vec![t.clone()],
        IValue::List(l) => l.read().iter().flat_map(tensors).collect(),
        IValue::Tuple(t) => t.items.iter().flat_map(tensors).collect(),
        _ => Vec::new(),
    }
}
