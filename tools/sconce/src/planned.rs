//! Calls by a static plan: a function is inlined, a module's attributes are constants while they are what they were, and what has no plan is interpreted.

use crate::attributes::{Constants, is_relied_on};
use crate::engine::Engine;
use crate::error::{Error, Failure};
use crate::freeze::freeze;
use sconce_graph::unit::Unit;
use sconce_interpreter::{Cause, Options as RunOptions, Program, RunError};
use sconce_kernels::Outputs;
use sconce_schema::Trait;
use sconce_script::passes::{cleanup, gives_constants, inline};
use sconce_static::{Options, StaticModule};
use sconce_tensor::{IValue, Object, deep_copies};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// How calls are planned.
#[derive(Clone, Copy, Default, Debug)]
pub struct StaticOptions {
    /// How plans are made.
    pub plan: Options,
    /// Each call is made with copies of its arguments before, so that it finds a plan that is complete: for whoever compares results.
    pub rehearse: bool,
}

/// A function's plans, or why it has none.
pub(crate) struct Planned {
    /// While the object's attributes are what they were.
    frozen: Option<Frozen>,
    /// With attributes read in each call; made when it is wanted.
    lifted: OnceLock<Result<StaticModule, String>>,
    of: Called,
}

/// A plan that has the object's attributes for constants.
struct Frozen {
    plan: Result<StaticModule, String>,
    /// The object that stands for the one whose method it is.
    object: Arc<Object>,
    constants: Constants,
}

/// What is planned.
struct Called {
    engine: Engine,
    unit: Option<Arc<Unit>>,
    program: Arc<Program>,
    function: u32,
    options: Options,
    /// Plans are found by its address, which stays its own while it is held.
    object: Option<Arc<Object>>,
}

/// A plan for a call, and the object that stands for the one that is called.
type Chosen<'p> = (&'p StaticModule, Option<&'p Arc<Object>>);

impl Called {
    fn name(&self) -> &str {
        &self.program.functions[self.function as usize].name
    }

    fn plan(&self, program: &Program, function: u32) -> Result<StaticModule, String> {
        StaticModule::new(program, function, &self.engine.custom(), self.options).map_err(|e| e.to_string())
    }

    /// The function of a module that stays as it is, where there is a compiler to make its attributes constants.
    fn frozen(&self) -> Option<Frozen> {
        let (unit, object) = (self.unit.as_ref()?, self.object.as_ref()?);
        // First: what changes while it is frozen is a change.
        let constants = Constants::of_all(object)?;
        let method = self.name().rsplit('.').next()?;
        let kept: &[String] = if method == "forward" { &[] } else { &[method.to_owned()] };
        let (unit, frozen) = freeze(&self.engine, unit, object, kept, self.engine.folding()).ok()?;
        if !frozen.names.is_empty() {
            return None;
        }
        let name = format!("{}.{method}", frozen.class);
        // A result that is an attribute is the module's own, which a constant may be a copy of.
        if unit.functions.get(name.as_str()).is_none_or(|f| gives_constants(&f.graph)) {
            return None;
        }
        let (program, function) = lowered(&unit, &name).ok()?;
        Some(Frozen { plan: self.plan(&program, function), object: frozen, constants })
    }

    /// The function without calls, with what it reads of its object read in each call.
    fn lifted(&self) -> Result<StaticModule, String> {
        match self.unit.as_ref().and_then(|unit| inlined(unit, self.name()).ok()) {
            Some((program, function)) => self.plan(&program, function),
            None => self.plan(&self.program, self.function),
        }
    }
}

impl Planned {
    /// Plans a function of a program, of which `unit` is the source.
    pub fn new(
        engine: &Engine,
        unit: Option<Arc<Unit>>,
        program: &Arc<Program>,
        function: u32,
        object: Option<&Arc<Object>>,
        options: &StaticOptions,
    ) -> Planned {
        let (engine, program, object, options) = (engine.clone(), program.clone(), object.cloned(), options.plan);
        let of = Called { engine, unit, program, function, options, object };
        Planned { frozen: of.frozen(), lifted: OnceLock::new(), of }
    }

    /// The plan for calls now, or why there is none. An argument that is an attribute may be written to.
    fn current(&self, inputs: &[IValue]) -> Result<Chosen<'_>, &str> {
        let may = |frozen: &&Frozen| frozen.constants.hold() && !inputs.iter().skip(1).any(|v| is_relied_on(v, 0));
        match self.frozen.as_ref().filter(may) {
            Some(frozen) => frozen.plan.as_ref().map(|plan| (plan, Some(&frozen.object))),
            None => self.lifted.get_or_init(|| self.of.lifted()).as_ref().map(|plan| (plan, None)),
        }
        .map_err(String::as_str)
    }

    pub fn listing(&self) -> String {
        match self.current(&[]) {
            Ok((plan, frozen)) => {
                let attributes = match (&self.of.object, frozen) {
                    (Some(_), Some(_)) => "attributes are constants\n",
                    (Some(_), None) => "attributes are read in each call\n",
                    (None, _) => "",
                };
                format!("{attributes}{}", plan.listing())
            }
            Err(why) => format!("interpreted: {why}\n"),
        }
    }

    /// Calls the function; `None` when the call is not one for the plan.
    pub fn call(&self, inputs: &[IValue], options: &RunOptions, rehearse: bool) -> Option<Result<Outputs, RunError>> {
        let (plan, frozen) = self.current(inputs).ok().filter(|(plan, _)| plan.accepts(inputs))?;
        let inputs = with_object(inputs, frozen);
        let draws = |name: &Arc<str>| sconce_schema::lookup(name).is_none_or(|op| op.has(Trait::Random));
        // Rehearsing it leaves no trace.
        if rehearse && !self.of.program.operators.iter().any(draws) {
            for _ in 0..2 {
                let silent = RunOptions { output: None, profile: None, observer: None, ..options.clone() };
                if let Ok(copies) = deep_copies(&inputs) {
                    // What fails fails again.
                    let _ = plan.run(&copies, &silent);
                }
            }
        }
        Some(plan.run(&inputs, options))
    }
}

/// The inputs with the frozen object in the place of the one that is called.
fn with_object(inputs: &[IValue], frozen: Option<&Arc<Object>>) -> Vec<IValue> {
    let mut inputs = inputs.to_vec();
    if let (Some(frozen), Some(object)) = (frozen, inputs.first_mut()) {
        *object = IValue::Object(frozen.clone());
    }
    inputs
}

/// A call that is made again and again: function and arguments are found, and the plan does the rest.
pub struct PlannedCall {
    planned: Arc<Planned>,
    inputs: Vec<IValue>,
    /// The inputs for the frozen plan.
    frozen: Vec<IValue>,
    options: RunOptions,
}

impl PlannedCall {
    /// `None` when the call is not one for the plan.
    pub(crate) fn new(planned: Arc<Planned>, inputs: Vec<IValue>, options: RunOptions) -> Option<PlannedCall> {
        planned.current(&inputs).ok().filter(|(plan, _)| plan.accepts(&inputs))?;
        let frozen = with_object(&inputs, planned.frozen.as_ref().map(|frozen| &frozen.object));
        Some(PlannedCall { planned, inputs, frozen, options })
    }

    /// Makes the call. Several results come as a tuple.
    ///
    /// # Errors
    /// What the function raises; a function that has no plan since its object changed.
    pub fn call(&self) -> Result<IValue, RunError> {
        let (plan, frozen) = self.planned.current(&self.inputs).map_err(|why| {
            RunError::new(Cause::Argument, "RuntimeError", format!("there is no plan any more: {why}"))
        })?;
        let mut outputs = plan.run(if frozen.is_some() { &self.frozen } else { &self.inputs }, &self.options)?;
        Ok(match outputs.len() {
            0 => IValue::None,
            1 => outputs.remove(0),
            _ => IValue::tuple(outputs.into_vec()),
        })
    }
}

/// The function without calls.
fn inlined(unit: &Unit, name: &str) -> Result<(Program, u32), Error> {
    let mut inlined = unit.clone();
    let mut graph = inline(unit, name).map_err(|e| Failure::Text(e.to_string()))?;
    cleanup(&mut graph);
    if let Some(f) = inlined.functions.get_mut(name) {
        f.graph = graph;
    }
    lowered(&inlined, name)
}

fn lowered(unit: &Unit, name: &str) -> Result<(Program, u32), Error> {
    let program = sconce_bytecode::lower(unit, &BTreeMap::new())?;
    let function = program.function(name).ok_or_else(|| Failure::Compile(format!("@{name} is gone")))?;
    Ok((program, function))
}
