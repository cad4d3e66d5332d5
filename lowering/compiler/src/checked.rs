//! Passes run as they are asked for: at once, or one by one with each function that one changes called as before and after it; as many changes as the fuel allows.

use crate::passes;
use sconce_ir::diagnostics::Diagnostic;
use sconce_ir::prelude::*;
use sconce_pass::fuel::{self, Allowance};
use sconce_request::{Checks, Validation};
use sconce_validate::outcome::Closeness;
use sconce_validate::{Given, Validator};
use std::collections::BTreeMap;

/// Why passes did not leave what was asked for.
#[derive(Clone, Debug)]
pub(crate) enum Stopped {
    /// They cannot run on it.
    Refused(String),
    /// One changed what a function computes.
    Unsound(String),
}

impl<E: Into<Box<dyn std::error::Error>>> From<E> for Stopped {
    fn from(error: E) -> Stopped {
        Stopped::Refused(error.into().to_string())
    }
}

/// A pipeline as the passes it runs.
pub(crate) fn steps(pipeline: &str) -> Result<Vec<String>, Stopped> {
    passes::steps(pipeline).map_err(|e| Stopped::Refused(e.to_string()))
}

/// A module, and who looks at what passes do to it.
pub(crate) struct Watched<'m, 'c> {
    module: &'m Module<'c>,
    validator: Option<Validator>,
}

impl<'m, 'c> Watched<'m, 'c> {
    /// `given` is what functions are called with where something is validated, by their names.
    pub fn new(module: &'m Module<'c>, checks: Checks, given: BTreeMap<String, Given>) -> Result<Self, Stopped> {
        let validator = match checks.validate {
            true => Some(Validator::new(module, given).map_err(Stopped::Refused)?),
            false => None,
        };
        Ok(Watched { module, validator })
    }

    /// Runs a pipeline; gives what the passes said.
    pub fn run(&mut self, pipeline: &str) -> Result<Vec<Diagnostic>, Stopped> {
        let Some(validator) = &mut self.validator else { return Ok(run_with_remarks(self.module, pipeline)?) };
        for step in steps(pipeline)? {
            validator.run(self.module, &step)?;
            found(validator)?;
        }
        Ok(std::mem::take(&mut validator.validated.remarks))
    }

    /// Looks at what something else than a pass did.
    pub fn look(&mut self, what: &str) -> Result<(), Stopped> {
        let Some(validator) = &mut self.validator else { return Ok(()) };
        validator.look(self.module, what, Closeness::Bits);
        found(validator)
    }

    pub fn finish(self) -> Validation {
        let Some(validator) = self.validator else { return Validation::default() };
        let validated = validator.validated;
        Validation { compared: u32::try_from(validated.compared).unwrap_or(u32::MAX), skipped: validated.skipped }
    }
}

fn found(validator: &Validator) -> Result<(), Stopped> {
    match &validator.validated.finding {
        Some(finding) => Err(Stopped::Unsound(finding.to_string())),
        None => Ok(()),
    }
}

/// Runs something with the fuel that was asked for; says which change was the last.
pub(crate) fn fuelled<T>(checks: Checks, run: impl FnOnce() -> T) -> (T, Option<String>) {
    let Some(units) = checks.fuel else { return (run(), None) };
    let (result, spent) = fuel::with(Allowance::units(units), run);
    (result, Some(format!("optimisation fuel: {spent}")))
}
