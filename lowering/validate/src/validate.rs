//! Translation validation: each function that a pass changed is called as before and after it, and the first pass after which a call shows something else is named.

use crate::inputs::{Given, Kind};
use crate::outcome::{Closeness, Outcome};
use crate::run::{Artifacts, Calls, unit_of};
use crate::steps::pass_of;
use sconce_graph::unit::Unit;
use sconce_ir::diagnostics::Diagnostic;
use sconce_ir::prelude::*;
use sconce_schema::init::INIT;
use std::collections::BTreeMap;
use std::fmt;

/// A pass that changed what a function computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The pass, as a pipeline of its own.
    pub step: String,
    pub function: String,
    /// The call that shows it.
    pub kind: Kind,
    pub difference: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { step, function, kind, difference } = self;
        write!(f, "{step} changed what @{function} computes: called with {}, {difference}", kind.words())
    }
}

/// What came of validation.
#[derive(Clone, Debug, Default)]
pub struct Validated {
    pub finding: Option<Finding>,
    /// Functions that were called before and after some pass, counted once a pass.
    pub compared: usize,
    /// What could not be called, and why.
    pub skipped: Vec<String>,
    /// What the passes said.
    pub remarks: Vec<Diagnostic>,
}

/// A module that is looked at after each pass.
pub struct Validator {
    unit: Unit,
    given: BTreeMap<String, Given>,
    /// The text and the calls of each function that can be called, as they are now.
    known: BTreeMap<String, Known>,
    init: String,
    pub validated: Validated,
    nothing: Given,
}

struct Known {
    text: String,
    outcomes: Vec<(Kind, Outcome)>,
}

impl Validator {
    /// Calls every function as it is now; with the values of `given`, where that has some for it.
    ///
    /// # Errors
    /// The module is no program.
    pub fn new(module: &Module<'_>, given: BTreeMap<String, Given>) -> Result<Validator, String> {
        let (unit, nothing) = (unit_of(module)?, Given::default());
        let validated = Validated::default();
        let mut validator =
            Validator { unit, given, known: BTreeMap::new(), init: text_of(module, INIT), validated, nothing };
        let names: Vec<String> = validator.unit.functions.keys().map(|name| name.to_string()).collect();
        for name in names.iter().filter(|name| *name != INIT) {
            match validator.outcomes(&validator.unit, name) {
                Ok(outcomes) => {
                    let text = text_of(module, name);
                    validator.known.insert(name.clone(), Known { text, outcomes });
                }
                Err(why) => validator.validated.skipped.push(format!("@{name} is not called: {why}")),
            }
        }
        Ok(validator)
    }

    /// Calls are those of the function as it was at first.
    fn outcomes(&self, unit: &Unit, name: &str) -> Result<Vec<(Kind, Outcome)>, String> {
        let given = self.given.get(name).unwrap_or(&self.nothing);
        Calls::of(&self.unit, name, given)?.outcomes(unit, name, &Artifacts::default())
    }

    /// Runs a step and looks at what it changed. Says whether all is well: after a finding nothing more is looked at.
    ///
    /// # Errors
    /// The pass fails.
    pub fn run(&mut self, module: &Module<'_>, step: &str) -> Result<bool, sconce_ir::Error> {
        let remarks = run_with_remarks(module, step)?;
        self.validated.remarks.extend(remarks);
        Ok(self.look(module, step, closeness(step)))
    }

    /// Looks at what changed since the last look; `step` is whoever changed it.
    pub fn look(&mut self, module: &Module<'_>, step: &str, closeness: Closeness) -> bool {
        if self.validated.finding.is_some() {
            return false;
        }
        let init = text_of(module, INIT);
        let is_same_init = init == self.init;
        self.init = init;
        let symbols = SymbolTable::of(module.as_operation());
        let changed: Vec<(String, String)> = self
            .known
            .iter()
            .filter(|(name, _)| symbols.get(name).is_some())
            .map(|(name, known)| (name.clone(), text_of(module, name), known))
            .filter(|(_, text, known)| !is_same_init || *text != known.text)
            .map(|(name, text, _)| (name, text))
            .collect();
        // What was removed was inlined, or called by nobody.
        self.known.retain(|name, _| symbols.get(name).is_some());
        if changed.is_empty() {
            return true;
        }
        let unit = match unit_of(module) {
            Ok(unit) => unit,
            Err(why) => {
                self.give_up(format!("after {step} the module is no program: {why}"));
                return true;
            }
        };
        for (name, text) in changed {
            self.compare(&unit, step, &name, text, closeness);
        }
        self.validated.finding.is_none()
    }

    fn give_up(&mut self, why: String) {
        self.known.clear();
        self.validated.skipped.push(why);
    }

    fn compare(&mut self, unit: &Unit, step: &str, name: &str, text: String, closeness: Closeness) {
        let parameters = |unit: &Unit| unit.functions.get(name).map(|f| f.graph.block_inputs(f.graph.root()).len());
        if parameters(unit) != parameters(&self.unit) {
            self.known.remove(name);
            self.validated.skipped.push(format!("@{name} is called with other arguments after {step}"));
            return;
        }
        let now = match self.outcomes(unit, name) {
            Ok(now) => now,
            Err(why) => {
                self.known.remove(name);
                self.validated.skipped.push(format!("after {step} @{name} is not called: {why}"));
                return;
            }
        };
        self.validated.compared += 1;
        let Some(known) = self.known.get_mut(name) else { return };
        let difference = first_difference(&now, &known.outcomes, closeness);
        if let (Some((kind, difference)), None) = (difference, &self.validated.finding) {
            let (step, function) = (step.to_owned(), name.to_owned());
            self.validated.finding = Some(Finding { step, function, kind, difference });
        }
        // What rounding changed is not added up over many passes.
        *known = Known { text, outcomes: now };
    }
}

/// The first call that shows something else.
pub fn first_difference(
    now: &[(Kind, Outcome)],
    before: &[(Kind, Outcome)],
    closeness: Closeness,
) -> Option<(Kind, String)> {
    now.iter().zip(before).find_map(|((kind, now), (_, before))| {
        let closeness = match closeness {
            Closeness::Rounding { .. } => Closeness::Rounding { special: *kind == Kind::Special },
            Closeness::Bits => Closeness::Bits,
        };
        Some((*kind, now.difference(before, closeness)?))
    })
}

/// How close a pass must come to what was computed before it.
pub fn closeness(step: &str) -> Closeness {
    match sconce_ir::pass::row(pass_of(step)) {
        Some(row) if !row.keeps_bits => Closeness::Rounding { special: false },
        _ => Closeness::Bits,
    }
}

/// The text of a function, without places.
fn text_of(module: &Module<'_>, name: &str) -> String {
    let function = SymbolTable::of(module.as_operation()).get(name);
    function.map(|f| print(f, &PrintOptions::default())).unwrap_or_default()
}

/// Runs passes one by one and looks at each; stops at the first that changed what a function computes.
///
/// # Errors
/// A pass that fails; the module is no program.
pub fn validate(
    module: &Module<'_>,
    steps: &[String],
    given: BTreeMap<String, Given>,
) -> Result<Validated, sconce_ir::Error> {
    let mut validator = Validator::new(module, given).map_err(sconce_ir::Error::Invalid)?;
    for step in steps {
        if !validator.run(module, step)? {
            break;
        }
    }
    Ok(validator.validated)
}
