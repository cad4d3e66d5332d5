//! Operators are called by name, as programs call them: arguments left out take the schema's defaults.

use sconce_kernels::defaults::default_value;
use sconce_kernels::{Error, Outputs};
use sconce_tensor::IValue;

/// Calls an operator, `aten::add.Tensor`; panics where there is none of that name.
pub fn call(op: &str, args: &[IValue]) -> Result<Outputs, Error> {
    let entry = sconce_schema::lookup(op).unwrap_or_else(|| panic!("no operator {op}"));
    let mut full = args.to_vec();
    for argument in entry.schema().arguments.iter().skip(args.len()) {
        full.push(argument.default.as_ref().map_or(IValue::None, |d| default_value(d, argument)));
    }
    sconce_kernels_extra::install();
    sconce_kernels::call(entry, &mut full)
}
