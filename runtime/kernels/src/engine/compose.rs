//! Operators called from kernels of others, by name: what is a few operators of the table in a row is written as that.

use crate::engine::cast;
use crate::engine::defaults::default_value;
use crate::{Call, Error, Outputs};
use sconce_schema::OpEntry;
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::SmallVec;

/// An operator by its full name, and all of its arguments for those that are given: in schema order, keyword-only ones too; those left out at the end take their
/// defaults.
pub fn call_of(name: &str, given: &[IValue]) -> Result<(&'static OpEntry, SmallVec<[IValue; 12]>), Error> {
    let entry = sconce_schema::lookup(name).ok_or_else(|| Error::Missing { op: name.to_string(), needs: None })?;
    let mut args: SmallVec<[IValue; 12]> = given.into();
    for argument in entry.schema().arguments.iter().skip(given.len()) {
        let default = argument.default.as_ref();
        let default =
            default.ok_or_else(|| Error::runtime(format!("{name} needs its argument `{}`", argument.name)))?;
        args.push(default_value(default, argument));
    }
    Ok((entry, args))
}

/// Calls an operator by its full name, as [`call_of`] says.
pub fn all(name: &str, given: &[IValue]) -> Result<Outputs, Error> {
    let (entry, mut args) = call_of(name, given)?;
    crate::engine::calling::call(entry, &mut args)
}

/// The first result.
pub fn one(name: &str, given: &[IValue]) -> Result<IValue, Error> {
    all(name, given)?.into_iter().next().ok_or_else(|| Error::runtime(format!("{name} gives no result")))
}

/// The first result, a tensor.
pub fn tensor(name: &str, given: &[IValue]) -> Result<Tensor, Error> {
    Ok(one(name, given)?.as_tensor()?.clone())
}

/// All results, tensors.
pub fn tensors<const N: usize>(name: &str, given: &[IValue]) -> Result<[Tensor; N], Error> {
    let results = all(name, given)?;
    let tensors: SmallVec<[Tensor; N]> =
        results.iter().map(|v| Ok(v.as_tensor()?.clone())).collect::<Result<_, Error>>()?;
    tensors.into_inner().map_err(|v| Error::runtime(format!("{name} gives {} results, not {N}", v.len())))
}

/// What a kernel makes of the elements in another dtype, its first result in the tensor's own.
pub fn by_way_of(
    call: &Call<'_>,
    t: &Tensor,
    dtype: DType,
    run: impl FnOnce(&Call<'_>, &Tensor) -> Result<Outputs, Error>,
) -> Result<Outputs, Error> {
    let mut outputs = run(&Call { destinations: None, ..*call }, &cast::convert(t, dtype)?)?;
    if let Some(IValue::Tensor(out)) = outputs.first_mut() {
        let own = call.output(0, out.sizes(), out.strides(), t.dtype())?;
        cast::convert_into(&own, out)?;
        *out = own;
    }
    Ok(outputs)
}
