//! Proofs for all elements of operands: of exact rules every element of both sides is the same term, of the others the same fraction of polynomials. They hold for
//! the sizes and other arguments of the cases that a rule was seen with; elements may be any.

use crate::elements::{Reader, Reading};
use crate::operands::{Binding, Variables};
use sconce_egraph::rules::{Class, Expression, Rule, Side};
use sconce_schema::shape::{Meta, Size};
use sconce_tensor::IValue;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// Sizes and other arguments for which a proof is made.
const SHAPES: usize = 24;

/// Elements of all operands of a case that fractions are multiplied out for.
const ELEMENTS: usize = 20;

/// A proof for all elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    pub reading: Reading,
    /// For how many sizes and other arguments.
    pub shapes: usize,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.reading {
            Reading::Terms => "the same terms",
            Reading::Numbers => "the same fractions",
        };
        write!(f, "{what} at {} shapes", self.shapes)
    }
}

/// What is proved of a rule by its cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Proved(Proof),
    /// Some side cannot be read, or nothing is decided.
    Open,
    /// The numbers differ for some operands of these sizes.
    Refuted(String),
}

/// Tries to prove a rule for the shapes of its cases.
pub fn prove(rule: &Rule, cases: &[Vec<Binding>]) -> Outcome {
    let reading = if rule.class == Class::Exact { Reading::Terms } else { Reading::Numbers };
    let any = free_numbers(rule);
    let (mut shapes, mut open) = (0, 0);
    let mut seen = BTreeSet::new();
    for case in small(cases, reading) {
        let shape: Vec<String> = case.iter().map(|(name, v)| describe(v, any.contains(name))).collect();
        if !seen.insert(shape.clone()) {
            continue;
        }
        match proved(rule, reading, case, &any) {
            Some(true) => shapes += 1,
            // Constants that are rounded make other fractions; the cases say how close they are.
            Some(false) if rule.class == Class::Approximates => return Outcome::Open,
            Some(false) => {
                return Outcome::Refuted(format!(
                    "refused: as real numbers its sides differ for operands {}",
                    shape.join(", ")
                ));
            }
            None => open += 1,
        }
        if shapes == SHAPES || open == 2 * SHAPES {
            break;
        }
    }
    // What is decided for a few sizes only, where hardly anything is left to compute, is no proof.
    if shapes <= open { Outcome::Open } else { Outcome::Proved(Proof { reading, shapes }) }
}

fn proved(rule: &Rule, reading: Reading, case: &[Binding], any: &[Arc<str>]) -> Option<bool> {
    let mut reader = Reader::new(reading, case, any)?;
    let sides = match reader.sides(&rule.left, &rule.right) {
        Some(sides) => sides,
        // Where a number must be a number, it is that of the case.
        None => {
            reader = Reader::new(reading, case, &[])?;
            reader.sides(&rule.left, &rule.right)?
        }
    };
    sides.iter().try_fold(true, |all, (a, b)| Some(all && reader.are_equal(a, b)?))
}

/// The cases that a reading can be made of, those with most elements first: sizes of 1 hide what is transposed. Cases without elements prove nothing.
fn small(cases: &[Vec<Binding>], reading: Reading) -> Vec<&Vec<Binding>> {
    let elements = |case: &[Binding]| -> usize {
        case.iter().flat_map(|(_, v)| crate::evaluate::tensors(v)).map(|t| t.numel()).sum()
    };
    let is_fit = |case: &&Vec<Binding>| match reading {
        Reading::Terms => (1..=3 * ELEMENTS).contains(&elements(case)),
        Reading::Numbers => {
            (1..=ELEMENTS).contains(&elements(case))
                && case.iter().flat_map(|(_, v)| crate::evaluate::tensors(v)).all(|t| t.dtype().is_float())
        }
    };
    let mut fit: Vec<&Vec<Binding>> = cases.iter().filter(is_fit).collect();
    fit.sort_by_key(|case| std::cmp::Reverse(elements(case)));
    fit
}

fn describe(value: &IValue, is_any: bool) -> String {
    match value {
        _ if is_any => "any number".to_string(),
        IValue::Tensor(t) => format!("{}{:?}", t.dtype().short_name(), t.sizes()),
        IValue::List(items) => items.read().iter().map(|i| describe(i, false)).collect::<Vec<_>>().join(" "),
        other => format!("{other:?}"),
    }
}

/// The numbers of which conditions ask no more than that they are not 0.
fn free_numbers(rule: &Rule) -> Vec<Arc<str>> {
    let asks_no_more = |condition: &Expression, name: &str| {
        let mut used = Vec::new();
        condition.variables(&mut used);
        let is_zero = |e: &Expression| matches!(e, Expression::Constant(Meta::Int(Size::Known(0))));
        !used.iter().any(|u| &**u == name)
            || matches!(condition, Expression::Call(f, arguments)
                if f.name == "!=" && arguments.iter().any(is_zero) && arguments.iter().any(|e| matches!(e, Expression::Variable(_))))
    };
    let kinds = Variables::of(rule).kinds;
    let numbers =
        kinds.into_iter().filter(|(_, ty)| matches!(ty, sconce_schema::Type::Number | sconce_schema::Type::Float));
    let is_free = |name: &Arc<str>| {
        rule.conditions.iter().all(|c| asks_no_more(c, name)) && !is_in_side(&rule.right, name, false)
    };
    numbers.map(|(name, _)| name).filter(is_free).collect()
}

/// Does a side compute with it in another way than by arithmetic?
fn is_in_side(side: &Side, name: &str, inside: bool) -> bool {
    fn other_than_arithmetic(e: &Expression, name: &str) -> bool {
        match e {
            Expression::Call(f, arguments) => {
                let mut used = Vec::new();
                e.variables(&mut used);
                (!["+", "-", "*", "/"].contains(&f.name) && used.iter().any(|u| &**u == name))
                    || arguments.iter().any(|a| other_than_arithmetic(a, name))
            }
            _ => false,
        }
    }
    match side {
        Side::Computed(e) => other_than_arithmetic(e, name),
        Side::List(items) | Side::Apply(_, items) => items.iter().any(|s| is_in_side(s, name, inside)),
        Side::Part(whole, _) => is_in_side(whole, name, inside),
        Side::Variable(_) | Side::Literal(_) => inside,
    }
}
