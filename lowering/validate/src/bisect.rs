//! A miscompile found by bisection, with nobody attending: the pass, the rules without which it is right, the first change that shows it, and a small program.
//!
//! What is right is what the program did before the pass; so the passes before it are right, too, as far as the calls tell.

use crate::inputs::Given;
use crate::reduce::{Budget, copy_of, operations, reduce};
use crate::run::unit_of;
use crate::validate::{Finding, Validator, closeness};
use sconce_ir::prelude::*;
use sconce_pass::fuel::{self, Allowance, Change, Spent};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What is to blame.
#[derive(Clone, Debug)]
pub struct Culprit {
    pub finding: Finding,
    /// Rules of the pass, each of which is needed for what is wrong.
    pub rules: Vec<String>,
    /// The first change after which the result is wrong, where the pass counts its changes.
    pub change: Option<Change>,
    /// A program that the pass changes wrongly, as MLIR text, and how many operations its function has.
    pub reduced: String,
    pub operations: usize,
    /// Do generated arguments show it? Otherwise only those that were given.
    pub is_reproducible: bool,
}

impl fmt::Display for Culprit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "pass: {}", self.finding.step)?;
        if !self.rules.is_empty() {
            writeln!(f, "rule: {}", self.rules.join(", "))?;
        }
        if let Some(change) = &self.change {
            writeln!(f, "change: {change}")?;
        }
        writeln!(f, "shown by: {}", self.finding)?;
        write!(f, "reduced to {} operations", self.operations)?;
        if !self.is_reproducible {
            write!(f, ", wrong for the arguments at hand alone")?;
        }
        Ok(())
    }
}

/// Runs passes one by one; of the first that changes what a function computes, says what is to blame.
///
/// # Errors
/// A pass that fails; the module is no program.
pub fn bisect(
    module: &Module<'_>,
    steps: &[String],
    given: &BTreeMap<String, Given>,
    budget: Budget,
) -> Result<Option<Culprit>, sconce_ir::Error> {
    let invalid = sconce_ir::Error::Invalid;
    let mut validator = Validator::new(module, given.clone()).map_err(invalid)?;
    for step in steps {
        let before = copy_of(module)?;
        if !validator.run(module, step)?
            && let Some(finding) = validator.validated.finding.take()
        {
            return Ok(Some(blame(&before, finding, given, budget)?));
        }
    }
    Ok(None)
}

/// Narrows a finding down; `before` is the module that the pass got.
fn blame(
    before: &Module<'_>,
    finding: Finding,
    given: &BTreeMap<String, Given>,
    budget: Budget,
) -> Result<Culprit, sconce_ir::Error> {
    let step = finding.step.clone();
    let trial = |allowance: Allowance| attempt(before, &step, given, allowance);
    let (_, whole) = trial(Allowance::all());
    let rules = needed(&whole, &|allowance| trial(allowance).0.is_some());
    let change = first_wrong(whole.units, &trial);
    let generated = BTreeMap::new();
    let is_reproducible = attempt(before, &step, &generated, Allowance::all()).0.is_some();
    let values = if is_reproducible { &generated } else { given };
    let mut is_wrong = |module: &Module<'_>| {
        let found = attempt(module, &step, values, Allowance::all()).0;
        found.is_some_and(|found| found.function == finding.function)
    };
    let reduced = reduce(before, &finding.function, budget, &mut is_wrong)?;
    let text = print(reduced.as_operation(), &PrintOptions::default());
    let operations = operations(&reduced, &finding.function);
    Ok(Culprit { finding, rules, change, reduced: text, operations, is_reproducible })
}

/// Runs a step on a copy, with an allowance: what it changed wrongly, if anything, and what it did. A module that cannot be judged is not wrong.
pub(crate) fn attempt(
    before: &Module<'_>,
    step: &str,
    given: &BTreeMap<String, Given>,
    allowance: Allowance,
) -> (Option<Finding>, Spent) {
    let Ok(module) = copy_of(before) else { return Default::default() };
    let Ok(mut validator) = Validator::new(&module, given.clone()) else { return Default::default() };
    let (ran, spent) = fuel::with(allowance, || run_on_module(&module, step));
    if ran.is_err() || unit_of(&module).is_err() {
        return (None, spent);
    }
    validator.look(&module, step, closeness(step));
    (validator.validated.finding, spent)
}

/// The rules without each of which the result is right. Where one alone makes it wrong, that one.
fn needed(whole: &Spent, is_wrong: &dyn Fn(Allowance) -> bool) -> Vec<String> {
    let without = |rule: &String| Allowance { without: [rule.clone()].into(), ..Allowance::all() };
    let needed: Vec<String> = whole.rules.iter().filter(|rule| !is_wrong(without(rule))).cloned().collect();
    let only = |rule: &String| Allowance { only: Some(BTreeSet::from([rule.clone()])), ..Allowance::all() };
    match needed.iter().find(|rule| is_wrong(only(rule))) {
        Some(alone) => vec![alone.clone()],
        None => needed,
    }
}

/// The first change after which the result is wrong. Between two that are right and wrong there is one, also where later changes hide it.
fn first_wrong(units: u64, trial: &dyn Fn(Allowance) -> (Option<Finding>, Spent)) -> Option<Change> {
    let (mut right, mut wrong) = (0, units);
    while wrong.checked_sub(right)? > 1 {
        let middle = right + (wrong - right) / 2;
        match trial(Allowance::units(middle)).0 {
            Some(_) => wrong = middle,
            None => right = middle,
        }
    }
    let (found, spent) = trial(Allowance::units(wrong));
    found.and(spent.last)
}
