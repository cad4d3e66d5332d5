//! A module of the torch dialect, made ready to be called: what it computes is what the interpreter makes of it, with its regions compiled or not.

use crate::inputs::{Given, Inputs, KINDS, Kind, SHAPES};
use crate::outcome::Outcome;
use sconce_bytecode::RegionArtifact;
use sconce_graph::unit::Unit;
use sconce_interpreter::{CustomOperators, Executable, Options, bind};
use sconce_ir::prelude::*;
use sconce_source::SourceMap;
use sconce_tensor::IValue;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

/// Regions' code, by the region's name.
pub type Artifacts = BTreeMap<String, RegionArtifact>;

/// Instructions that a call may run: what goes on for longer is told from nothing.
const FUEL: u64 = 20_000_000;

/// A function that can be called.
pub struct Runnable {
    executable: Executable,
    function: u32,
}

/// The unit that a module is.
///
/// # Errors
/// What no program can say.
pub fn unit_of(module: &Module<'_>) -> Result<Unit, String> {
    sconce_import::program_from_dialect(module, &mut SourceMap::default()).map_err(|e| e.to_string())
}

impl Runnable {
    /// # Errors
    /// A unit that is no program, a constant whose value is unknown.
    pub fn new(
        unit: &Unit,
        function: &str,
        constants: &HashMap<String, IValue>,
        artifacts: &Artifacts,
    ) -> Result<Runnable, String> {
        let mut program = sconce_bytecode::lower(unit, artifacts).map_err(|e| e.to_string())?;
        let custom = CustomOperators::default();
        let options = options(None);
        bind(&mut program, |name| constants.get(name).cloned(), &custom, &options).map_err(|e| e.to_string())?;
        let function = program.function(function).ok_or_else(|| format!("there is no function @{function}"))?;
        let executable = Executable::new(program.into()).map_err(|e| e.to_string())?;
        if !artifacts.is_empty() {
            sconce_exec::bind_regions(&executable, false, sconce_exec::Origin::Compiler);
        }
        Ok(Runnable { executable, function })
    }

    /// Calls it.
    pub fn call(&self, arguments: &[IValue]) -> Outcome {
        let printed: Arc<Mutex<Vec<u8>>> = Arc::default();
        sconce_tensor::mersenne::manual_seed(0);
        let grad = sconce_kernels::grad::enable(true);
        let result = self.executable.run(self.function, arguments.to_vec(), &options(Some(printed.clone())));
        sconce_kernels::grad::enable(grad);
        let printed = printed.lock().map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default();
        Outcome { printed, ..Outcome::of(&result, arguments) }
    }
}

fn options(output: Option<Arc<Mutex<Vec<u8>>>>) -> Options {
    let output = output.map(|to| to as sconce_interpreter::Output);
    Options { fuel: Some(FUEL), output, ..Options::default() }
}

/// Calls of a function with values of each kind, always the same.
pub struct Calls<'u> {
    inputs: Inputs<'u>,
    kinds: Vec<Kind>,
}

/// The seed of values that are made.
const SEED: u64 = 1;

impl<'u> Calls<'u> {
    /// Values that suit a function: of tensors whose rank is not known, the first sizes that it does not refuse.
    ///
    /// # Errors
    /// Parameters of which no value can be made; a unit that is no program.
    pub fn of(unit: &'u Unit, function: &str, given: &'u Given) -> Result<Self, String> {
        let inputs = Inputs::of(unit, function, given)?;
        // Values that are at hand are one call.
        let kinds = if given.arguments.is_some() { vec![Kind::Plain] } else { KINDS.to_vec() };
        let mut calls = Calls { inputs, kinds };
        if given.arguments.is_none() && calls.inputs.has_unknown_ranks() {
            let fits = |calls: &Calls<'_>| {
                let made = calls.outcome(Kind::Plain, unit, function, &Artifacts::default());
                made.map(|outcome| outcome.raised.is_none())
            };
            for shape in SHAPES {
                calls.inputs.shape = shape;
                if fits(&calls)? {
                    return Ok(calls);
                }
            }
            calls.inputs.shape = SHAPES[0];
        }
        Ok(calls)
    }

    fn outcome(&self, kind: Kind, unit: &Unit, function: &str, artifacts: &Artifacts) -> Result<Outcome, String> {
        let arguments = self.inputs.arguments(kind, SEED)?;
        let constants = self.inputs.constants(arguments.first())?;
        Ok(Runnable::new(unit, function, &constants, artifacts)?.call(&arguments))
    }

    /// What a unit's function shows in each call.
    ///
    /// # Errors
    /// A unit that is no program.
    pub fn outcomes(&self, unit: &Unit, function: &str, artifacts: &Artifacts) -> Result<Vec<(Kind, Outcome)>, String> {
        let one = |kind: &Kind| Ok((*kind, self.outcome(*kind, unit, function, artifacts)?));
        self.kinds.iter().map(one).collect()
    }

    /// What of parameters and constants there is, to tell whether another unit's function can be called alike.
    pub fn parameters(&self) -> usize {
        self.inputs.count()
    }
}
