//! What a program asks of its leaves is said once more as TorchScript, for forms of it that have no boundary: whatever the boundary refuses, the text refuses.

use super::{Boundary, Expected, Input, Known, Place, Range};
use crate::boundary::shown;
use sconce_schema::Type;
use sconce_schema::dim::Dim;
use sconce_schema::text::python_str;
use sconce_tensor::IValue;
use std::fmt::Write;

/// The checks of a boundary, each a text of its own: of some nobody knows whether TorchScript has all that they call.
pub struct Checks {
    /// The parameters of the function, one for each leaf that `forward` takes: `leaf_0: Tensor, leaf_1: int`.
    parameters: String,
    /// What is asked of sizes and numbers.
    sizes: String,
    /// The export's other conditions.
    guards: Vec<String>,
}

/// What the function is called.
pub const CHECK: &str = "check_inputs";

impl Checks {
    /// The function with those of the export's other conditions that `is_known` accepts alone in it; none if it would ask nothing.
    pub fn source(&self, mut is_known: impl FnMut(&str) -> bool) -> Option<String> {
        let whole = |body: &str| {
            (!body.is_empty()).then(|| format!("import math\n\ndef {CHECK}({}) -> None:\n{body}", self.parameters))
        };
        let all = |guards: &[&String]| guards.iter().fold(self.sizes.clone(), |body, guard| body + guard);
        let every: Vec<&String> = self.guards.iter().collect();
        let text = whole(&all(&every))?;
        if self.guards.is_empty() || is_known(&text) {
            return Some(text);
        }
        let known: Vec<&String> =
            every.into_iter().filter(|guard| whole(guard).is_some_and(|text| is_known(&text))).collect();
        whole(&all(&known))
    }
}

/// A leaf that `forward` takes.
fn leaf(at: usize) -> String {
    format!("leaf_{at}")
}

/// A variable for a symbol.
fn variable(symbol: u32) -> String {
    format!("s{symbol}")
}

/// A size as TorchScript computes it; none where it is not known how.
fn text(size: Dim) -> Option<String> {
    size.python(&|symbol| Some(variable(symbol)))
}

impl Boundary {
    /// The checks as TorchScript, of leaves of these types: those that are not constants, in order.
    pub fn checks(&self, types: &[Type]) -> Checks {
        let mut parameters = String::new();
        for (at, ty) in types.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            let _ = write!(parameters, "{comma}{}: {}", leaf(at), ty.annotation_str());
        }
        let mut writer = Writer {
            known: Known { values: vec![None; self.symbols.len()], symbols: &self.symbols },
            out: String::new(),
        };
        let mut computed = Vec::new();
        for (at, input) in self.taken().enumerate() {
            writer.input(&leaf(at), input, &mut computed);
        }
        for (size, place, given) in computed {
            writer.computed(size, place, &given);
        }
        self.ranges.iter().for_each(|range| writer.range(range));
        let guards = self.guards.iter().filter_map(|guard| {
            let condition = guard.source(&|path| self.leaf_text(path))?;
            let mut out = String::new();
            refuse(&mut out, &format!("not ({condition})"), None, &guard.text);
            Some(out)
        });
        Checks { parameters, sizes: writer.out, guards: guards.collect() }
    }

    /// The leaves that `forward` takes.
    fn taken(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter().filter(|input| !matches!(input.expected, Expected::Constant(_)))
    }

    /// What stands for an input in the checks: the leaf, or the value that the export fixed.
    fn leaf_text(&self, path: &str) -> Option<String> {
        let fixed = self.inputs.iter().find(|input| input.path == path)?;
        match &fixed.expected {
            Expected::Constant(value @ (IValue::Int(_) | IValue::Double(_) | IValue::Bool(_))) => Some(shown(value)),
            Expected::Constant(_) => None,
            _ => self.taken().position(|input| input.path == path).map(leaf),
        }
    }
}

/// Raises where a condition is met: `given` is an expression for what was given, and what it is of.
fn refuse(out: &mut String, condition: &str, given: Option<(&str, &str)>, guard: &str) {
    let message = match given {
        None => python_str(&format!("Guard failed: {guard}")),
        Some((value, of)) => {
            let (before, after) =
                (format!("{of} is "), format!(", and the program was not exported for that (Guard failed: {guard})"));
            format!("{} + str({value}) + {}", python_str(&before), python_str(&after))
        }
    };
    let _ = write!(out, "    if {condition}:\n        raise AssertionError({message})\n");
}

struct Writer<'a> {
    /// Which symbols are known where the text stands, and by which place.
    known: Known<'a>,
    out: String,
}

impl<'a> Writer<'a> {
    fn input(&mut self, leaf: &str, input: &'a Input, computed: &mut Vec<(Dim, Place<'a>, String)>) {
        let path = &input.path;
        match &input.expected {
            Expected::Any | Expected::Constant(_) => {}
            Expected::Int(size) => self.size(*size, Place { path, dim: None, given: 0 }, leaf.to_owned(), computed),
            Expected::Tensor(sizes) => {
                let rank = sizes.len();
                let given = format!("{leaf}.dim()");
                let guard = format!("{path}.dim() == {rank}");
                let of = format!("the rank of `{path}`");
                refuse(&mut self.out, &format!("{given} != {rank}"), Some((&given, &of)), &guard);
                for (dim, size) in sizes.iter().enumerate() {
                    let place = Place { path, dim: Some(dim), given: 0 };
                    self.size(*size, place, format!("{leaf}.size({dim})"), computed);
                }
            }
        }
    }

    fn size(&mut self, size: Dim, place: Place<'a>, given: String, computed: &mut Vec<(Dim, Place<'a>, String)>) {
        match size {
            Dim::Known(n) => {
                let guard = format!("{} == {n}", place.guard());
                self.compare(&format!("{given} != {n}"), place, &given, &guard);
            }
            Dim::Symbol(symbol) if self.known.get(symbol).is_none() => self.learn(symbol, place, &given),
            Dim::Symbol(_) => self.equal(size, place, &given),
            // A number that is computed is not asked for.
            Dim::Expr(_) if place.dim.is_some() => computed.push((size, place, given)),
            Dim::Expr(_) | Dim::Unknown => {}
        }
    }

    fn learn(&mut self, symbol: u32, place: Place<'a>, value: &str) {
        let _ = writeln!(self.out, "    {} = {value}", variable(symbol));
        if let Some(slot) = self.known.values.get_mut(symbol as usize) {
            *slot = Some((0, place));
        }
    }

    fn compare(&mut self, condition: &str, place: Place<'_>, given: &str, guard: &str) {
        let of = match place.dim {
            Some(dim) => format!("dimension {dim} of `{}`", place.path),
            None => format!("`{}`", place.path),
        };
        refuse(&mut self.out, condition, Some((given, &of)), guard);
    }

    fn equal(&mut self, size: Dim, place: Place<'a>, given: &str) {
        let Some(expected) = text(size) else { return };
        let guard = self.known.guard(size, place);
        self.compare(&format!("{given} != {expected}"), place, given, &guard);
    }

    /// A size that is computed of symbols, of which one may not be known yet.
    fn computed(&mut self, size: Dim, place: Place<'a>, given: &str) {
        match self.known.unknown(size)[..] {
            [] => self.equal(size, place, given),
            [symbol] => {
                let at = |n: i64| text(size.substitute(&|s| (s == symbol).then_some(Dim::Known(n))));
                let (Some(zero), Some(one)) = (at(0), at(1)) else { return };
                let step = format!("step_{symbol}");
                let _ = writeln!(self.out, "    {step} = {one} - {zero}");
                let guard = self.known.guard(size, place);
                self.compare(&format!("{step} == 0"), place, given, &guard);
                self.learn(symbol, place, &format!("({given} - {zero}) // {step}"));
                self.equal(size, place, given);
            }
            _ => {}
        }
    }

    fn range(&mut self, range: &Range) {
        let Some(value) = text(range.size).filter(|_| self.known.unknown(range.size).is_empty()) else { return };
        let Some(place) = self.known.first(range.size).filter(|place| place.dim.is_some()) else { return };
        let bounds = [("<", ">=", range.range.min_val), (">", "<=", range.range.max_val)];
        for (beyond, within, bound) in bounds {
            let Some(bound) = bound else { continue };
            let guard = format!("{} {within} {bound}", place.guard());
            self.compare(&format!("{value} {beyond} {bound}"), place, &value, &guard);
        }
    }
}
