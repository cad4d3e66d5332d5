//! Functions of bytecode made by hand.

use sconce_interpreter::program::{Function, Op, Operand, Parameter};
use sconce_schema::Type;

/// A function with so many parameters, in its first registers, and nothing else yet.
pub fn function(name: &str, parameters: usize, registers: u32, results: usize) -> Function {
    let parameter = |i| Parameter::new(format!("p{i}"), Type::Any);
    let mut f = Function {
        name: name.into(),
        parameters: (0..parameters).map(parameter).collect(),
        results: vec![Type::Any; results],
        registers,
        ..Function::default()
    };
    f.push(Op::Load, 0..parameters as u32, [], None);
    f
}

pub fn copy(r: u32) -> Operand {
    Operand::copy(r)
}
pub fn moved(r: u32) -> Operand {
    Operand::moved(r)
}
