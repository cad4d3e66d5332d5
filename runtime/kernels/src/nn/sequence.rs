//! Sequences of different lengths in one tensor, and lists of tensors in one.

use crate::engine::arguments::one;
use crate::engine::calling::kernels;
use crate::engine::compose::tensor as op;
use crate::{Call, Error, Outputs};
use sconce_tensor::IValue;

/// The operands but the last, along the dimension that the last names.
fn varied(_: &Call<'_>, args: &[IValue], name: &str) -> Result<Outputs, Error> {
    let Some((dim, tensors)) = args.split_last() else {
        return Err(Error::runtime(format!("{name} needs tensors and a dimension")));
    };
    let tensors = tensors.iter().map(|t| Ok(t.as_tensor()?.clone())).collect::<Result<Vec<_>, Error>>()?;
    one(op(name, &[IValue::tensor_list(tensors), dim.clone()])?)
}

kernels! { var_concat = varied, "aten::cat"; var_stack = varied, "aten::stack"; }
