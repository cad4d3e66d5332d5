//! `mkldnn`'s convolutions whose results go through operators on elements: in f32 while the results are near, else one operator after the other.

use crate::engine::arguments::{one, tensor_arg};
use crate::engine::calling::missing;
use crate::engine::{cast, compose};
use crate::nn::conv::convolved;
use crate::pointwise::in_place::{InPlace, Step};
use crate::{Call, Error, Outputs};
use sconce_schema::fusion;
use sconce_schema::geometry::convolution::Form;
use sconce_tensor::IValue;
use smallvec::{SmallVec, smallvec};

/// The operator that a word stands for, if any, with its scalars and its algorithm.
fn unary_step(call: &Call<'_>, word: &IValue, scalars: &IValue, algorithm: &IValue) -> Result<Option<Step>, Error> {
    let word = if word.is_none() { "none" } else { word.as_str()? };
    if word == "none" {
        return Ok(None);
    }
    // The rule has refused other words.
    let name = fusion::operator(&fusion::UNARY, word).ok_or_else(|| missing(call.entry))?;
    let mut rest: SmallVec<[IValue; 3]> = scalars.as_list()?.to_vec().into();
    if algorithm.as_str().is_ok_and(|a| !a.is_empty()) {
        rest.push(algorithm.clone());
    }
    Ok(Some((name, rest)))
}

/// `mkldnn::_convolution_pointwise`.
pub fn unary(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let steps: SmallVec<[Step; 2]> = unary_step(call, &args[7], &args[8], &args[9])?.into_iter().collect();
    finished(call, &args[..7], &steps)
}

/// `mkldnn::_convolution_pointwise.binary`: (X, other, W, B, …).
pub fn binary(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let name = fusion::operator(&fusion::BINARY, args[8].as_str()?).ok_or_else(|| missing(call.entry))?;
    let mut steps: SmallVec<[Step; 2]> = smallvec![(name, smallvec![IValue::Tensor(tensor_arg(args, 1)?.clone())])];
    steps.extend(unary_step(call, &args[10], &args[11], &args[12])?);
    args[..2].reverse();
    finished(call, &args[1..8], &steps)
}

fn finished(call: &Call<'_>, args: &[IValue], steps: &[Step]) -> Result<Outputs, Error> {
    let (out, finished) = convolved(call, args, Form::Pointwise, |out| InPlace::new(out, steps))?;
    if !finished && !steps.is_empty() {
        let mut value = IValue::Tensor(out.clone());
        for (name, rest) in steps {
            let given: SmallVec<[IValue; 4]> = [value].into_iter().chain(rest.clone()).collect();
            value = compose::one(name, &given)?;
        }
        cast::convert_into(&out, value.as_tensor()?)?;
    }
    one(out)
}
