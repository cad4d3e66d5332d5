//! Sequences of different lengths in one tensor, and lists of tensors in one.

use crate::engine::arguments::one;
use crate::engine::compose::tensor as op;
use crate::{Call, Error, Outputs};
use sconce_tensor::IValue;

/// The operands but the last, along the dimension that the last names.
fn varied(name: &str, args: &[IValue]) -> Result<Outputs, Error> {
    let Some((dim, tensors)) = args.split_last() else {
        return Err(Error::runtime(format!("{name} needs tensors and a dimension")));
    };
    let tensors = tensors.iter().map(|t| Ok(t.as_tensor()?.clone())).collect::<Result<Vec<_>, Error>>()?;
    one(op(name, &[IValue::tensor_list(tensors), dim.clone()])?)
}

pub fn var_concat(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    varied("aten::cat", args)
}

pub fn var_stack(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    varied("aten::stack", args)
}
