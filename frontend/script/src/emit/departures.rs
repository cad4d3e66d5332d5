//! Where a program means something else than the same text in Python is noted while it is compiled; `docs/python-differences.md` lists them.

use super::function::Emitter;
use crate::graph::{Graph, Loc, ValueId};
use sconce_schema::Type;
use sconce_tensor::IValue;

/// A place where TorchScript departs from Python, and how.
#[derive(Clone, Debug)]
pub struct Departure {
    pub place: Loc,
    pub text: String,
}

/// Operators that count in a string, or change letters of it.
const OF_CHARACTERS: &[&str] = &[
    "aten::len",
    "aten::__getitem__",
    "aten::slice",
    "aten::find",
    "aten::rfind",
    "aten::index",
    "aten::rindex",
    "aten::center",
    "aten::ljust",
    "aten::rjust",
    "aten::upper",
    "aten::lower",
    "aten::capitalize",
    "aten::title",
    "aten::swapcase",
    "aten::isdigit",
    "aten::isalpha",
    "aten::isalnum",
    "aten::isdecimal",
    "aten::isnumeric",
    "aten::isupper",
    "aten::islower",
    "aten::ord",
];

/// Whether two inputs are one variable, read twice (variables become values only when a function has been compiled).
fn is_variable_twice(graph: &Graph, inputs: &[ValueId]) -> bool {
    let name = |v: &ValueId| graph.str_attr(graph.defining(*v).filter(|n| graph.is(*n, "prim::Load"))?, "name");
    matches!(inputs, [a, b] if name(a).is_some() && name(a) == name(b))
}

/// What a call of an operator does otherwise than Python, as far as constants and types tell.
fn departure(graph: &Graph, name: &str, inputs: &[ValueId]) -> Option<String> {
    let constant = |i: usize| graph.constant(*inputs.get(i)?);
    let number = |i: usize| match (constant(i)?, graph.ty(*inputs.first()?)) {
        (value, Type::Int | Type::Float) => value.as_double().ok().or_else(|| value.as_int().ok().map(|n| n as f64)),
        _ => None,
    };
    match (name, constant(0)) {
        ("aten::format", Some(IValue::Str(template))) => {
            let places = template.split('{').skip(1).filter_map(|part| part.split_once('}'));
            let filled = places.map(|(place, _)| place).find(|place| !place.is_empty())?;
            Some(format!("`{{{filled}}}` stays as it is, only `{{}}` is filled in"))
        }
        (_, Some(IValue::Str(text))) if !text.is_ascii() && OF_CHARACTERS.contains(&name) => {
            Some("characters are bytes of UTF-8, and only ASCII letters and digits are such".into())
        }
        ("aten::round", _) if inputs.len() == 1 && *graph.ty(inputs[0]) == Type::Float => {
            Some("round of a float is a float".into())
        }
        ("aten::div" | "aten::floordiv" | "aten::remainder", _) if number(1) == Some(0.0) => {
            Some("a division by zero gives inf or nan where Python raises ZeroDivisionError".into())
        }
        ("aten::__lshift__" | "aten::__rshift__", _) if number(1).is_some_and(|n| !(0.0..64.0).contains(&n)) => {
            Some("numbers are shifted by the count modulo 64".into())
        }
        ("aten::eq" | "aten::ne", _) if is_variable_twice(graph, inputs) && *graph.ty(inputs[0]) == Type::Float => {
            Some("a number equals itself, also one that is not a number (NaN)".into())
        }
        _ => None,
    }
}

impl Emitter<'_> {
    /// Notes a call that departs from Python.
    pub(super) fn note_departure(&mut self, place: Option<&Loc>, name: &str, inputs: &[ValueId]) {
        if let (Some(place), Some(text)) = (place, departure(&self.graph, name, inputs)) {
            self.compiler.departures.push(Departure { place: place.clone(), text });
        }
    }
}
