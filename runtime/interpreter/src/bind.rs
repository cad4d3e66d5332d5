//! A program gets the values that it was compiled without: named constants from whoever has them, and what depends on those alone from its init function.

use crate::RunError;
use crate::executable::{CustomOperators, Executable, LoadError, Options};
use crate::program::{Init, NamedConstant, Program};
use sconce_tensor::IValue;
use std::sync::Arc;

/// Why a program cannot be bound.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BindError {
    #[error("the program wants a constant {0}, which nobody knows")]
    Unknown(Arc<str>),
    #[error("the init function cannot run: {0}")]
    Load(#[from] LoadError),
    #[error("the init function failed: {}", .0.last_line())]
    Run(Box<RunError>),
}

/// Gives named constants their values and runs the init function: once, for all who run the program afterwards.
///
/// # Errors
/// A name that `value` does not know; what the init function refuses or raises.
pub fn bind(
    program: &mut Program,
    value: impl Fn(&str) -> Option<IValue>,
    custom: &CustomOperators,
    options: &Options,
) -> Result<(), BindError> {
    for NamedConstant { name, constant } in std::mem::take(&mut program.named) {
        let Some(value) = value(&name) else { return Err(BindError::Unknown(name)) };
        let Some(place) = program.constants.get_mut(constant as usize) else { return Err(BindError::Unknown(name)) };
        *place = value;
    }
    if let Some(init) = program.init.take() {
        let values = run(program, &init, custom, options)?;
        for (constant, value) in init.constants.iter().zip(values) {
            if let Some(place) = program.constants.get_mut(*constant as usize) {
                *place = value;
            }
        }
    }
    // Kernels keep what they make of weights.
    for constant in &program.constants {
        if let IValue::Tensor(t) = constant {
            t.storage().watch();
        }
    }
    Ok(())
}

/// Runs the init function alone: the others are not made ready for it.
fn run(program: &Program, init: &Init, custom: &CustomOperators, options: &Options) -> Result<Vec<IValue>, BindError> {
    let alone = Program {
        functions: program.functions.get(init.function as usize).cloned().into_iter().collect(),
        constants: program.constants.clone(),
        operators: program.operators.clone(),
        names: program.names.clone(),
        types: program.types.clone(),
        sources: program.sources.clone(),
        ..Program::default()
    };
    let executable = Executable::with_operators(alone.into(), custom)?;
    let outputs = executable.run(0, Vec::new(), options).map_err(|e| BindError::Run(Box::new(e)))?;
    Ok(outputs.into_vec())
}
