//! Calls by a static plan: a function is inlined, a module that nothing changes is frozen, and what has no plan is interpreted.

use crate::engine::Engine;
use crate::error::Error;
use crate::freeze::freeze;
use crate::state::copies;
use sconce_graph::unit::Unit;
use sconce_interpreter::{Options as RunOptions, Program, RunError};
use sconce_kernels::Outputs;
use sconce_schema::Trait;
use sconce_script::passes::{cleanup, inline};
use sconce_static::{Options, StaticModule};
use sconce_tensor::{IValue, Object};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How calls are planned.
#[derive(Clone, Copy, Default, Debug)]
pub struct StaticOptions {
    pub plan: Options,
    /// Each call is made with copies of its arguments before, so that it finds a plan that is complete: for whoever compares results.
    pub rehearse: bool,
}

/// A function's plan, or why it has none.
pub(crate) struct Planned {
    plan: Result<StaticModule, String>,
    /// The object that stands for the one whose method it is: its attributes are constants of the plan.
    frozen: Option<Arc<Object>>,
    /// Plans are found by its address, which stays its own while it is held.
    _object: Option<Arc<Object>>,
    /// Rehearsing it leaves no trace.
    repeatable: bool,
}

/// A program for the plan, the function, and the frozen object.
type Prepared = (Program, u32, Option<Arc<Object>>);

impl Planned {
    /// Plans a function of a program, of which `unit` is the source.
    pub fn new(
        engine: &Engine,
        unit: Option<&Unit>,
        program: &Program,
        function: u32,
        object: Option<&Arc<Object>>,
        options: &StaticOptions,
    ) -> Planned {
        let name = &program.functions[function as usize].name;
        let prepared = unit.and_then(|unit| prepared(engine, unit, name, object).ok());
        let plan = |program: &Program, function| {
            StaticModule::new(program, function, &engine.custom(), options.plan).map_err(|e| e.to_string())
        };
        let (plan, frozen) = match &prepared {
            Some((program, function, frozen)) => (plan(program, *function), frozen.clone()),
            None => (plan(program, function), None),
        };
        let draws = |name: &Arc<str>| sconce_schema::lookup(name).is_none_or(|op| op.has(Trait::Random));
        Planned { plan, frozen, _object: object.cloned(), repeatable: !program.operators.iter().any(draws) }
    }

    pub fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    pub fn listing(&self) -> String {
        match &self.plan {
            Ok(plan) => plan.listing(),
            Err(why) => format!("interpreted: {why}\n"),
        }
    }

    /// The frozen object in the place of the one that is called.
    fn put_frozen(&self, inputs: &mut [IValue]) {
        if let (Some(frozen), Some(object)) = (&self.frozen, inputs.first_mut()) {
            *object = IValue::Object(frozen.clone());
        }
    }

    /// Calls the function; `None` when the call is not one for the plan.
    pub fn call(&self, inputs: &[IValue], options: &RunOptions, rehearse: bool) -> Option<Result<Outputs, RunError>> {
        let plan = self.plan.as_ref().ok().filter(|p| p.accepts(inputs))?;
        let mut inputs = inputs.to_vec();
        self.put_frozen(&mut inputs);
        if rehearse && self.repeatable {
            for _ in 0..2 {
                let silent = RunOptions { output: None, profile: None, observer: None, ..options.clone() };
                if let Ok(copies) = copies(&inputs) {
                    // What fails fails again.
                    let _ = plan.run(&copies, &silent);
                }
            }
        }
        Some(plan.run(&inputs, options))
    }
}

/// A call that is made again and again: function and arguments are found, and the plan does the rest.
pub struct PlannedCall {
    planned: Arc<Planned>,
    inputs: Vec<IValue>,
    options: RunOptions,
}

impl PlannedCall {
    /// `None` when the call is not one for the plan.
    pub(crate) fn new(planned: Arc<Planned>, mut inputs: Vec<IValue>, options: RunOptions) -> Option<PlannedCall> {
        planned.plan.as_ref().ok().filter(|p| p.accepts(&inputs))?;
        planned.put_frozen(&mut inputs);
        Some(PlannedCall { planned, inputs, options })
    }

    /// Makes the call. Several results come as a tuple.
    pub fn call(&self) -> Result<IValue, RunError> {
        let plan = self.planned.plan.as_ref().expect("checked in `new`");
        let mut outputs = plan.run(&self.inputs, &self.options)?;
        Ok(match outputs.len() {
            0 => IValue::None,
            1 => outputs.remove(0),
            _ => IValue::tuple(outputs.into_vec()),
        })
    }
}

/// The function without calls; of a module that stays as it is, with its attributes as constants where there is a compiler to make them so.
fn prepared(engine: &Engine, unit: &Unit, name: &str, object: Option<&Arc<Object>>) -> Result<Prepared, Error> {
    let copy = || unit.clone();
    let text = |e: &dyn std::fmt::Display| Error::Text(e.to_string());
    if let Some(object) = object {
        let method = name.rsplit('.').next().unwrap_or(name);
        let kept: &[String] = if method == "forward" { &[] } else { &[method.to_owned()] };
        if let Ok((frozen_unit, frozen)) = freeze(engine, unit, object, kept)
            && frozen.names.is_empty()
        {
            let qualified = format!("{}.{method}", frozen.class);
            let (program, function) = lowered(&frozen_unit, &qualified)?;
            return Ok((program, function, Some(frozen)));
        }
    }
    let mut inlined = copy();
    let mut graph = inline(unit, name).map_err(|e| text(&e))?;
    cleanup(&mut graph);
    if let Some(f) = inlined.functions.get_mut(name) {
        f.graph = graph;
    }
    let (program, function) = lowered(&inlined, name)?;
    Ok((program, function, None))
}

fn lowered(unit: &Unit, name: &str) -> Result<(Program, u32), Error> {
    let program = sconce_bytecode::lower(unit, &BTreeMap::new())?;
    let function = program.function(name).ok_or_else(|| Error::Compile(format!("@{name} is gone")))?;
    Ok((program, function))
}
