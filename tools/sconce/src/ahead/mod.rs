//! Programs compiled ahead of time: a function for arguments of given types becomes a Program with machine code and weights, which runs without a compiler.
//!
//! With the runtime it is an executable ([`executable`]), whatever the program does; where all of it is machine code in one line of calls ([`StraightLine`]),
//! it is C code beside objects that needs nothing but the C library ([`c_code`]).

pub mod c_code;
pub mod executable;
mod straight_line;

pub use straight_line::{Source, StraightLine};

use crate::error::{Error, Failure};
use crate::module::Module;
use crate::report::Report;
use sconce_executor::{PlanKind, TypeGuard, complete, listed};
use sconce_interpreter::Program;
use sconce_interpreter::program::{Function, Instruction, Op};
use sconce_schema::Type;
use sconce_tensor::IValue;

/// A function compiled for arguments of some types.
pub struct Built {
    /// Its entry is the function; the entry's parameters are of the types that it was compiled for.
    pub program: Program,
    /// What is compiled of it.
    pub report: Report,
}

impl Module {
    /// Compiles a function for arguments like these: sizes are those of the arguments, or free where the engine's plans are dynamic. Nothing is run.
    ///
    /// # Errors
    /// Whatever the compiler refuses as a whole; a function that changes its module, which cannot be a constant then.
    pub fn built(&self, function: &str, arguments: &[IValue]) -> Result<Built, Error> {
        let (calls, inputs) = self.call_of(function, arguments)?;
        let plan = calls.executor().plan_for(&inputs);
        let report = calls.report(function);
        let (PlanKind::Compiled(_), Some(types)) = (plan.kind(), plan.argument_types()) else {
            let why = report.refused.first().or(report.unsound.first()).cloned();
            return Err(Failure::Compile(why.unwrap_or_else(|| format!("{function} was not compiled"))).into());
        };
        let mut program = plan.executable().program().as_ref().clone();
        let entry = plan.function();
        if let Some(name) = set_attribute(&program) {
            return Err(Failure::Compile(format!(
                "{function} sets the attribute '{name}' of its module: what is built ahead of time keeps no state from call to call"
            )).into());
        }
        let called = &mut program.functions[entry as usize];
        for (parameter, ty) in called.parameters.iter_mut().zip(types) {
            parameter.ty = ty.clone();
        }
        // Of a module whose attributes are constants nothing is left to be asked for.
        let is_method = inputs.len() > arguments.len();
        let object = is_method && !forget_first_parameter(called);
        program.entry = Some(entry);
        program.object = self.root().filter(|_| object).map(|root| IValue::Object(root.clone()));
        Ok(Built { program, report })
    }
}

/// Takes the first parameter away from a function that does nothing with it; false if it does.
fn forget_first_parameter(function: &mut Function) -> bool {
    let load = function.code.iter().position(|i| i.op == Op::Load);
    let first = load.and_then(|at| Some((at, *function.outputs(&function.code[at]).first()?)));
    let Some((load, register)) = first else { return false };
    let forgets = |i: &Instruction| i.op == Op::Drop;
    let uses = |i: &Instruction| function.inputs(i).iter().any(|operand| operand.register() == register);
    if function.code.iter().any(|i| uses(i) && !forgets(i)) {
        return false;
    }
    for at in 0..function.code.len() {
        let (from, to) = function.code[at].inputs;
        let operands = &mut function.operands[from as usize..to as usize];
        if let Some(place) = operands.iter().position(|operand| operand.register() == register) {
            operands.swap(0, place);
            function.code[at].inputs.0 += 1;
        }
    }
    function.code[load].outputs.0 += 1;
    function.parameters.remove(0);
    true
}

/// An attribute that a program sets.
fn set_attribute(program: &Program) -> Option<&str> {
    program.functions.iter().flat_map(|f| &f.code).find_map(|i| match i.op {
        Op::SetAttr(name) => Some(&*program.names[name as usize]),
        _ => None,
    })
}

impl Module {
    /// Refuses arguments that a program which was built ahead of time is not for: sizes stand in its code, also in what is interpreted. Others take any.
    ///
    /// # Errors
    /// Which argument is not what was built for.
    pub fn check_built(&self, function: &str, arguments: &[IValue]) -> Result<(), String> {
        if self.program().regions.is_empty() {
            return Ok(());
        }
        check(&self.parameters(function).map_err(|e| e.to_string())?, arguments)
    }
}

/// Whether arguments are what a built program was compiled for; else a sentence that says which is not.
pub fn check(parameters: &[(String, Type)], arguments: &[IValue]) -> Result<(), String> {
    let types: Vec<Type> = parameters.iter().map(|(_, ty)| ty.clone()).collect();
    if TypeGuard::new(types.clone()).holds(arguments) {
        return Ok(());
    }
    if arguments.len() != parameters.len() {
        let names: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
        let (wanted, given) = (parameters.len(), arguments.len());
        return Err(format!("{wanted} arguments are expected ({}), and {given} were given", names.join(", ")));
    }
    let alone =
        |((_, ty), v): &(&(String, Type), &IValue)| TypeGuard::new(vec![ty.clone()]).holds(std::slice::from_ref(*v));
    let wrong = parameters.iter().zip(arguments).find(|pair| !alone(pair));
    Err(match wrong {
        Some(((name, ty), v)) => {
            format!("{name}: {ty} is what the program was built for, and {} was given", complete(v))
        }
        None => format!("the program was built for ({}), where equal sizes have equal names", listed(&types)),
    })
}
