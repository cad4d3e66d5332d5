//! Compiling recorded calls, and running one under watch.

use crate::error::Failure;
use crate::module::Module;
use sconce_conformance::nn::{Ran, Row, Trace, decode, neutral};
use sconce_conformance::values::copy_containers;
use sconce_interpreter::Options as RunOptions;
use sconce_kernels::grad;
use sconce_python::{self as python, Options, Program};
use sconce_tensor::{IValue, Tensor, mersenne};
use serde_json::{Value, json};
use std::sync::Arc;

/// What calls may name.
pub const HEADER: &str = "\
import torch
import torch.nn as nn
import torch.nn.functional as F
from collections import OrderedDict
from typing import List, Optional, Tuple
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence
";

/// The source of a call as a function or method.
pub fn definition(name: &str, row: &Row, receiver: Option<&str>, call: &str) -> String {
    let inputs = row.signature().into_iter().map(|(name, ty)| format!("{name}: {ty}"));
    let parameters: Vec<String> = receiver.map(str::to_owned).into_iter().chain(inputs).collect();
    let indent = if receiver.is_some() { "    " } else { "" };
    format!("{indent}def {name}({}):\n{indent}    return {call}\n", parameters.join(", "))
}

/// A program for evaluating Python, or why there is none.
pub type Evaluated = Result<Program, String>;

pub fn evaluate(source: &str) -> Evaluated {
    let options = Options { module: "calls".to_owned(), ..Options::default() };
    Program::new("calls.py", source, options).map_err(|e| e.report())
}

/// The first line of a report.
pub fn first(why: &str) -> &str {
    why.trim().lines().next().unwrap_or_default()
}

/// Category and text of each warning that evaluation has given, as the recordings have them.
pub fn warnings(program: &Program) -> Value {
    program.take_warnings().into_iter().map(|w| json!([w.category, w.text])).collect()
}

/// Compares an exception of Python's with `[class, text]`.
pub fn raised(want: &Value, e: &python::Error) -> Result<(), String> {
    let python::Error::Raised { class, message, .. } = e else { return Err(e.report()) };
    let message: String = neutral(message).trim().chars().take(600).collect();
    if want.is_null() {
        return Err(format!("raised {}", e.report()));
    }
    if want[0] == **class && want[1] == *message {
        return Ok(());
    }
    Err(format!("expected {want}, got [{class:?}, {message:?}]"))
}

/// Parameters and buffers of a module by the names that its holder gives them.
pub type State = Vec<(String, Tensor)>;

/// Makes a recorded call; `Err` where it cannot be made.
pub fn run(
    module: &mut Module,
    function: &str,
    row: &Row,
    inputs: &[Value],
    state: &State,
    seed: Option<u64>,
) -> Result<Ran, String> {
    let parameters = module.parameters(function).map_err(|e| e.to_string())?;
    let types: Vec<_> = parameters.into_iter().map(|(_, ty)| ty).collect();
    let arguments = decode(&row.arguments(inputs), &types).map_err(|e| e.to_string())?;
    let before = state.iter().map(|(_, t)| t.copy()).collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string())?;
    let tensors: Vec<IValue> = state.iter().map(|(_, t)| IValue::Tensor(t.clone())).collect();
    let of_state = state.iter().zip(&tensors).map(|((name, _), t)| (name.clone(), t));
    let names = row.signature();
    let of_arguments = names.iter().zip(&arguments).map(|((name, _), v)| (name.to_string(), v));
    let trace = Arc::new(Trace::new(of_state.chain(of_arguments)));
    let options = RunOptions { observer: Some(trace.clone()), ..RunOptions::default() };
    let given: Vec<IValue> = arguments.iter().map(copy_containers).collect();
    if let Some(seed) = seed {
        mersenne::manual_seed(seed);
    }
    let gradients = grad::enable(!row.has("nograd"));
    let outcome = module.call_watched(function, &given, &[], &options);
    grad::enable(gradients);
    let outcome = match outcome {
        Ok(value) => Ok(value),
        Err(e) => match e.into_failure() {
            Failure::Run(e) => Err(*e),
            e => return Err(e.to_string()),
        },
    };
    let state = state.iter().zip(before).map(|((name, now), before)| {
        let name = name.strip_prefix("m.").unwrap_or(name);
        (name.to_owned(), before, now.clone())
    });
    Ok(Ran { outcome, seen: trace.take(), arguments, state: state.collect() })
}
