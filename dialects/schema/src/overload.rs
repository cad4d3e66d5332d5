//! Which overload a call means: a graph's node by its operands' types, a call in source by its arguments, with TorchScript's implicit conversions.

use crate::op::{Argument, FunctionSchema, OpEntry};
use crate::trial_order::TRIAL_ORDER;
use crate::types::Bindings;
use crate::{Type, overloads};
use std::fmt::Write as _;

/// No overload fits.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", self.text())]
pub struct NoOverload {
    /// `aten::add`
    pub name: String,
    /// Each candidate's schema and why it does not fit; empty when nobody knows the operator.
    pub candidates: Vec<(String, String)>,
}

impl NoOverload {
    fn text(&self) -> String {
        if self.candidates.is_empty() {
            return format!("unknown operator {}", self.name);
        }
        // PyTorch's wording.
        let mut out = match self.candidates.as_slice() {
            [(schema, why)] => return format!("\n{schema}:\n{why}\n"),
            _ => "Arguments for call are not valid.\nThe following variants are available:\n".to_owned(),
        };
        for (schema, why) in &self.candidates {
            let _ = write!(out, "  \n  {schema}:\n  {}\n", why.replace('\n', "\n  "));
        }
        out
    }
}

/// The overload that a node of a graph means: the first whose formal types all take the operands' types, with nothing converted and
/// nothing left to defaults, as `Node::maybeSchema`.
pub fn of_node(name: &str, operands: &[Type]) -> Result<&'static OpEntry, NoOverload> {
    let mut candidates = Vec::new();
    for entry in overloads(name) {
        match node_fits(entry.schema(), operands) {
            Ok(()) => return Ok(entry),
            Err(why) => candidates.push((entry.schema_text.to_owned(), why)),
        }
    }
    Err(NoOverload { name: name.to_owned(), candidates })
}

fn node_fits(schema: &FunctionSchema, operands: &[Type]) -> Result<(), String> {
    let formals = &schema.arguments;
    if operands.len() < formals.len() || (operands.len() > formals.len() && !schema.is_vararg) {
        return Err(format!("Expected {} arguments, found {}.", formals.len(), operands.len()));
    }
    let mut bindings = Bindings::default();
    for (formal, actual) in formals.iter().zip(operands) {
        actual.fits(&formal.ty, &mut bindings).map_err(|_| expected(formal, actual))?;
    }
    Ok(())
}

fn expected(formal: &Argument, actual: &Type) -> String {
    format!(
        "Expected a value of type '{}' for argument '{}' but instead found type '{}'.",
        formal.ty.annotation_str(),
        formal.name,
        actual.annotation_str()
    )
}

/// What is done to an argument before it is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion {
    None,
    /// A tensor to the number that it holds: `aten::IntImplicit`, `FloatImplicit`, `ComplexImplicit`, `ScalarImplicit`.
    TensorTo(Number),
    /// A number or bool to another number: `aten::Int`, `aten::Float`, `aten::Complex`.
    NumberTo(Number),
    /// A string to a device: `aten::device`.
    Device,
    /// A tuple of equal types to a list.
    TupleToList,
    /// One number to the list of that many that `int[2]` asks for.
    Repeat(u32),
}

/// The number types that arguments are converted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    Int,
    Float,
    Complex,
    Scalar,
}

/// Where a schema's argument comes from.
#[derive(Clone, PartialEq, Debug)]
pub enum Bound {
    /// The call's positional argument.
    Positional(usize, Conversion),
    /// The call's keyword argument.
    Keyword(usize, Conversion),
    /// All positional arguments from here on, as a list: `x.view(2, 3)`.
    Rest(usize),
    Default,
}

/// A call resolved: the overload, its arguments in schema order, and its type variables.
#[derive(Debug)]
pub struct Call {
    pub entry: &'static OpEntry,
    pub arguments: Vec<Bound>,
    pub returns: Vec<Type>,
}

/// The overload that a call in source means, as `matchSchemas`: every candidate without conversions, then every one with them.
pub fn of_call(name: &str, positional: &[Type], keywords: &[(&str, Type)]) -> Result<Call, NoOverload> {
    let mut candidates = Vec::new();
    for convert in [false, true] {
        candidates.clear();
        for entry in overloads(name) {
            match bind(entry.schema(), positional, keywords, convert) {
                Ok((arguments, returns)) => return Ok(Call { entry, arguments, returns }),
                Err(why) => candidates.push((entry.schema_text.to_owned(), why)),
            }
        }
    }
    Err(NoOverload { name: name.to_owned(), candidates })
}

/// Matches a call against one schema; `Err` says why it does not fit, in PyTorch's words.
pub fn bind(
    schema: &FunctionSchema,
    positional: &[Type],
    keywords: &[(&str, Type)],
    convert: bool,
) -> Result<(Vec<Bound>, Vec<Type>), String> {
    let mut bindings = Bindings::default();
    let mut bound = Vec::with_capacity(schema.arguments.len());
    let mut used = vec![false; keywords.len()];
    let mut next = 0;
    for (at, formal) in schema.arguments.iter().enumerate() {
        let keyword = keywords.iter().position(|(n, _)| **n == *formal.name);
        if !formal.kwarg_only && next < positional.len() {
            if keyword.is_some() {
                return Err(format!("Argument '{}' specified twice.", formal.name));
            }
            // The last positional list takes all that is left, if what comes is no list itself.
            let last = schema.arguments.get(at + 1).is_none_or(|a| a.kwarg_only);
            let actual = &positional[next];
            if convert
                && last
                && let Type::List(element) = &formal.ty
                && !element.has_variables()
                && !matches!(actual, Type::List(_))
                && positional[next..].iter().all(|t| t.fits(element, &mut bindings).is_ok())
                && !(positional.len() == next + 1 && formal.list_size.is_some())
            {
                bound.push(Bound::Rest(next));
                next = positional.len();
                continue;
            }
            let conversion = argument(formal, actual, convert, &mut bindings)?;
            bound.push(Bound::Positional(next, conversion));
            next += 1;
        } else if let Some(k) = keyword {
            used[k] = true;
            bound.push(Bound::Keyword(k, argument(formal, &keywords[k].1, convert, &mut bindings)?));
        } else if formal.default.is_some() {
            bound.push(Bound::Default);
        } else {
            return Err(format!("Argument {} not provided.", formal.name));
        }
    }
    if next < positional.len() && !schema.is_vararg {
        return Err(format!(
            "Expected at most {} arguments but found {} positional arguments.",
            schema.arguments.iter().filter(|a| !a.kwarg_only).count(),
            positional.len()
        ));
    }
    if let Some(k) = used.iter().position(|u| !u) {
        return Err(format!("Keyword argument {} unknown.", keywords[k].0));
    }
    let returns = schema.returns.iter().map(|r| r.ty.substitute(&bindings)).collect();
    Ok((bound, returns))
}

/// One argument: fits as it is, or after a conversion.
fn argument(formal: &Argument, actual: &Type, convert: bool, bindings: &mut Bindings) -> Result<Conversion, String> {
    let wanted: &Type = if let Type::Optional(t) = &formal.ty { t } else { &formal.ty };
    // `int[2] k`: one int stands for two equal ones. Not held to be a conversion.
    if let (Type::List(element), Some(n)) = (wanted, formal.list_size)
        && matches!((actual, element.as_ref()), (Type::Int, Type::Int | Type::SymInt) | (Type::Float, Type::Float))
    {
        return Ok(Conversion::Repeat(n));
    }
    if let (Type::List(element), Type::Tuple(members)) = (wanted, actual)
        && !members.is_empty()
        && members.iter().all(|t| t.fits(element, &mut Bindings::default()).is_ok())
    {
        let joined = Type::unify_all(members.iter()).unwrap_or(Type::Any);
        if Type::list(joined).fits(wanted, bindings).is_ok() {
            return Ok(Conversion::TupleToList);
        }
    }
    // A dtype is a number to graphs; in source a number means one only where nothing else fits.
    if !convert && *actual == Type::Int && *wanted == Type::ScalarType {
        return Err(expected(formal, actual));
    }
    match actual.fits(&formal.ty, bindings) {
        Ok(()) => return Ok(Conversion::None),
        Err(_) if !convert => return Err(expected(formal, actual)),
        Err(_) => {}
    }
    let number = match wanted {
        Type::Int | Type::SymInt => Some(Number::Int),
        Type::Float | Type::SymFloat => Some(Number::Float),
        Type::Complex => Some(Number::Complex),
        Type::Number => Some(Number::Scalar),
        _ => None,
    };
    match (actual, number) {
        (Type::Tensor(_), Some(n)) => Ok(Conversion::TensorTo(n)),
        (Type::Number, Some(n @ (Number::Int | Number::Float | Number::Complex))) => Ok(Conversion::NumberTo(n)),
        (Type::Bool, Some(Number::Float)) => Ok(Conversion::NumberTo(Number::Float)),
        (Type::Bool, Some(Number::Int | Number::Scalar)) => Ok(Conversion::NumberTo(Number::Int)),
        (Type::Str, _) if *wanted == Type::Device => Ok(Conversion::Device),
        _ => Err(expected(formal, actual)),
    }
}

/// Puts overloads in the order in which PyTorch tries them. Where that is not recorded, each comes before every more general one, and
/// otherwise as the table has them (unnamed overloads first).
pub(crate) fn order(entries: &mut Vec<&'static OpEntry>) {
    by_generality(entries);
    let Some(base) = entries.first().map(|e| e.base_name()) else { return };
    let Ok(row) = TRIAL_ORDER.binary_search_by_key(&base, |(name, _)| name) else { return };
    let place = |entry: &&'static OpEntry| {
        let name = if entry.overload_name().is_empty() { "-" } else { entry.overload_name() };
        TRIAL_ORDER[row].1.split(' ').position(|n| n == name).unwrap_or(usize::MAX)
    };
    entries.sort_by_key(place);
}

fn by_generality(entries: &mut Vec<&'static OpEntry>) {
    let more_general = |a: &OpEntry, b: &OpEntry| {
        let (a, b) = (&a.schema().arguments, &b.schema().arguments);
        a.len() == b.len()
            && a.iter().zip(b).all(|(x, y)| y.ty.fits(&x.ty, &mut Bindings::default()).is_ok())
            && !a.iter().zip(b).all(|(x, y)| x.ty.fits(&y.ty, &mut Bindings::default()).is_ok())
    };
    let mut rest = std::mem::take(entries);
    rest.sort_by_key(|e| (!e.overload_name().is_empty(), e.id));
    while !rest.is_empty() {
        // The relation has no cycles, so there always is one that no other must precede.
        let first =
            (0..rest.len()).find(|i| !(0..rest.len()).any(|j| j != *i && more_general(rest[*i], rest[j]))).unwrap_or(0);
        entries.push(rest.remove(first));
    }
}
