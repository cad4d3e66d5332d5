//! Who makes a program compute something else: the passes one by one, then the code of its regions; and what is wrong, made small.

use crate::checked::{Stopped, steps};
use crate::choice::Chosen;
use crate::compile::{self, Stage};
use sconce_bytecode::RegionArtifact;
use sconce_cpu::CodeOptions;
use sconce_exec::cpu_code;
use sconce_ir::diagnostics;
use sconce_ir::prelude::*;
use sconce_regions::{Options as OutlineOptions, outline};
use sconce_request::{Blamed, Job, Reduction, Suspect};
use sconce_validate::inputs::Given;
use sconce_validate::outcome::Closeness;
use sconce_validate::{
    Artifacts, Budget, Calls, Culprit, bisect, copy_of, first_difference, operations, reduce, unit_of, validate,
};
use std::collections::BTreeMap;

/// Of the passes of a pipeline, or of all that compiles the function, the first that is wrong.
pub(crate) fn blame(module: &Module<'_>, suspect: &Suspect) -> Result<Option<Blamed>, Stopped> {
    let function = &suspect.job.function;
    let given = Given { arguments: suspect.arguments.clone(), constants: suspect.constants.clone(), types: Vec::new() };
    let given = BTreeMap::from([(function.clone(), given)]);
    if let Some(pipeline) = &suspect.pipeline {
        return passes(module, &steps(pipeline)?, &given);
    }
    compile::offer(module, &suspect.job)?;
    for stage in compile::stages(&suspect.job)? {
        match stage {
            Stage::Passes(pipeline) => {
                if let Some(found) = passes(module, &steps(&pipeline)?, &given)? {
                    return Ok(Some(found));
                }
            }
            Stage::Specialize => compile::specialize_all(module, &suspect.job)?,
        }
    }
    regions(module, &suspect.job, &given)
}

fn passes(module: &Module<'_>, steps: &[String], given: &BTreeMap<String, Given>) -> Result<Option<Blamed>, Stopped> {
    Ok(bisect(module, steps, given, Budget::default())?.map(blamed))
}

fn blamed(culprit: Culprit) -> Blamed {
    let description = culprit.to_string();
    let Culprit { finding, reduced, operations, is_reproducible, .. } = culprit;
    let operations = u32::try_from(operations).unwrap_or(u32::MAX);
    Blamed { step: finding.step, description, reduced, operations, is_reproducible }
}

/// The first region whose code does not compute what the interpreter makes of it.
fn regions(module: &Module<'_>, job: &Job, given: &BTreeMap<String, Given>) -> Result<Option<Blamed>, Stopped> {
    let Some((name, kind)) = wrong_region(module, job, given)? else { return Ok(None) };
    let nothing = BTreeMap::new();
    let is_reproducible = wrong_region(module, job, &nothing)?.is_some();
    let values = if is_reproducible { &nothing } else { given };
    let mut is_wrong = |module: &Module<'_>| matches!(wrong_region(module, job, values), Ok(Some(_)));
    let reduced = reduce(module, &job.function, Budget::default(), &mut is_wrong)?;
    let operations = u32::try_from(operations(&reduced, &job.function)).unwrap_or(u32::MAX);
    let description = format!("compiled code of region {name}\nshown by: {kind}\nreduced to {operations} operations");
    let reduced = print(reduced.as_operation(), &PrintOptions::default());
    Ok(Some(Blamed { step: format!("code of region {name}"), description, reduced, operations, is_reproducible }))
}

/// Outlines a copy, compiles its regions, and tries the code of each alone. Gives the region's name and what shows it.
fn wrong_region(
    module: &Module<'_>,
    job: &Job,
    given: &BTreeMap<String, Given>,
) -> Result<Option<(String, String)>, Stopped> {
    let copy = copy_of(module)?;
    outline(copy.as_operation(), &Chosen::of(job), &OutlineOptions::default())?;
    let unit = unit_of(&copy).map_err(Stopped::Refused)?;
    let nothing = Given::default();
    let given = given.get(&job.function).unwrap_or(&nothing);
    let calls = Calls::of(&unit, &job.function, given).map_err(Stopped::Refused)?;
    let outcomes = |artifacts: &Artifacts| calls.outcomes(&unit, &job.function, artifacts).map_err(Stopped::Refused);
    let interpreted = outcomes(&Artifacts::new())?;
    let host = sconce_ir::codegen::host();
    let closeness = if job.strict { Closeness::Bits } else { Closeness::Rounding { special: false } };
    for region in sconce_cpu::compile_regions(copy.as_operation(), &CodeOptions::default()) {
        let Ok(object) = region.outcome else { continue };
        let code = cpu_code(&object.spec, &object.object, &host.cpu, &host.features);
        let artifact = RegionArtifact { guards: Vec::new(), codes: vec![code] };
        let compiled = outcomes(&Artifacts::from([(region.name.clone(), artifact)]))?;
        if let Some((kind, difference)) = first_difference(&compiled, &interpreted, closeness) {
            return Ok(Some((region.name, format!("called with {}, {difference}", kind.words()))));
        }
    }
    Ok(None)
}

/// A smaller program that passes make something wrong of, that they fail on, or with which a command ends as with the whole.
pub(crate) fn reduced(module: &Module<'_>, wanted: &Reduction) -> Result<Blamed, Stopped> {
    let first = module.as_operation().find_all("func.func").into_iter().find(|f| f.body(0).is_some());
    let first = first.and_then(|f| f.symbol_name()).map(str::to_owned);
    let function = wanted.function.clone().or(first);
    let function = function.ok_or_else(|| Stopped::Refused("there is no function to reduce".into()))?;
    let fault = match (&wanted.pipeline, &wanted.command) {
        (Some(pipeline), None) => Fault::of_passes(module, steps(pipeline)?)?,
        (None, Some(command)) => Fault::Command { status: status(command, module)?, command: command.clone() },
        _ => return Err(Stopped::Refused("either passes or a command say what is wrong".into())),
    };
    let mut is_wrong = |module: &Module<'_>| fault.is_in(module);
    let small = reduce(module, &function, Budget::default(), &mut is_wrong)?;
    let operations = u32::try_from(operations(&small, &function)).unwrap_or(u32::MAX);
    let reduced = print(small.as_operation(), &PrintOptions::default());
    let (step, description) = (fault.step(), format!("{}\nreduced to {operations} operations", fault.words()));
    Ok(Blamed { step, description, reduced, operations, is_reproducible: true })
}

/// What is wrong with a program.
enum Fault {
    /// Passes change what it computes.
    Unsound { steps: Vec<String>, finding: String },
    /// They fail, with these words first.
    Fails { steps: Vec<String>, message: String },
    /// A command ends so.
    Command { command: String, status: String },
}

impl Fault {
    fn of_passes(module: &Module<'_>, steps: Vec<String>) -> Result<Fault, Stopped> {
        let copy = copy_of(module)?;
        match validate(&copy, &steps, BTreeMap::new()) {
            Ok(validated) => match validated.finding {
                Some(finding) => Ok(Fault::Unsound { steps, finding: finding.to_string() }),
                None => Err(Stopped::Refused("these passes change nothing that calls show".into())),
            },
            Err(error) => Ok(Fault::Fails { steps, message: first_words(&error) }),
        }
    }

    fn is_in(&self, module: &Module<'_>) -> bool {
        let Ok(copy) = copy_of(module) else { return false };
        match self {
            Fault::Unsound { steps, .. } => {
                validate(&copy, steps, BTreeMap::new()).is_ok_and(|validated| validated.finding.is_some())
            }
            Fault::Fails { steps, message } => {
                let fails =
                    |step: &String| run_on_module(&copy, step).err().is_some_and(|e| first_words(&e) == *message);
                steps.iter().any(fails)
            }
            Fault::Command { command, status: wanted } => status(command, module).is_ok_and(|now| now == *wanted),
        }
    }

    fn step(&self) -> String {
        match self {
            Fault::Unsound { steps, .. } | Fault::Fails { steps, .. } => steps.join(","),
            Fault::Command { command, .. } => command.clone(),
        }
    }

    fn words(&self) -> String {
        match self {
            Fault::Unsound { finding, .. } => finding.clone(),
            Fault::Fails { message, .. } => format!("fails: {message}"),
            Fault::Command { status, .. } => format!("the command ends with {status}"),
        }
    }
}

/// The first message of a failure.
fn first_words(error: &sconce_ir::Error) -> String {
    let first = error.diagnostics().iter().find(|d| d.severity == diagnostics::Severity::Error);
    first.map_or_else(|| error.to_string(), |d| d.message.clone())
}

/// How a command ends with a module in a file.
fn status(command: &str, module: &Module<'_>) -> Result<String, Stopped> {
    let file = tempfile::Builder::new().prefix("sconce-reduce").suffix(".mlir").tempfile()?;
    std::fs::write(file.path(), print(module.as_operation(), &PrintOptions::default()))?;
    let command = command.replace("{}", &file.path().to_string_lossy());
    let output = std::process::Command::new("sh").args(["-c", &command]).output()?;
    Ok(output.status.to_string())
}
