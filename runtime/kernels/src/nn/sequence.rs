//! Sequences of different lengths in one tensor, and lists of tensors in one.

use crate::engine::cast;
use crate::engine::compose::tensor as op;
use crate::engine::lanes::{arg, bool_arg, int_arg, tensor_arg};
use crate::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::smallvec;

fn one(t: Tensor) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Tensor(t)])
}

fn slice(t: &Tensor, dim: i64, from: i64, to: i64) -> Result<Tensor, Error> {
    op("aten::slice.Tensor", &[t.clone().into(), IValue::Int(dim), IValue::Int(from), IValue::Int(to)])
}

/// (input, lengths, batch_first): the steps of all sequences that are still running, one step after another, and how many those are.
pub fn pack_padded_sequence(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (input, lengths) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    if lengths.dtype() != DType::I64 || lengths.dim() != 1 {
        return Err(Error::runtime("Expected `lengths` to be a 1-D int64 tensor"));
    }
    if input.dim() < 2 {
        return Err(Error::runtime(format!("pack_padded_sequence: input has sizes {:?}", input.sizes())));
    }
    let input = if bool_arg(args, 2)? {
        op("aten::transpose.int", &[input.clone().into(), 0.into(), 1.into()])?
    } else {
        input.clone()
    };
    let lengths = cast::to_vec::<i64>(lengths)?;
    let batch = input.sizes()[1];
    if input.numel() == 0 {
        return Err(Error::runtime("Cannot pack empty tensors."));
    }
    if lengths.len() as i64 != batch {
        return Err(Error::runtime(format!(
            "Expected `len(lengths)` to be equal to batch_size, but got {} (batch_size={batch})",
            lengths.len()
        )));
    }
    if lengths.last().is_some_and(|n| *n <= 0) {
        return Err(Error::runtime(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0",
        ));
    }
    if lengths.windows(2).any(|w| w[0] < w[1]) {
        return Err(Error::runtime(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass \
             `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do \
             not need ONNX exportability.",
        ));
    }
    // A length names steps, and `running` counts them, before anything is found in memory.
    let most = usize::try_from(lengths[0]).unwrap_or(usize::MAX);
    if !sconce_tensor::Memory::has_room(most.saturating_mul(8)) {
        let sizes = vec![lengths[0]];
        return Err(sconce_tensor::Error::TooLarge { sizes, bytes_per_element: 8 }.into());
    }
    let running: Vec<i64> = (0..lengths[0]).map(|t| lengths.iter().filter(|n| **n > t).count() as i64).collect();
    // Steps beyond the end of the input are counted, and give no rows, as in PyTorch.
    let present = usize::try_from(input.sizes()[0]).unwrap_or(0);
    let steps = running.iter().take(present).enumerate().map(|(t, n)| {
        let step = op("aten::select.int", &[input.clone().into(), IValue::Int(0), IValue::Int(t as i64)])?;
        slice(&step, 0, 0, *n)
    });
    let packed = op("aten::cat", &[IValue::tensor_list(steps.collect::<Result<Vec<_>, _>>()?)])?;
    let n = running.len() as i64;
    Ok(smallvec![packed.into(), cast::from_vec(running, &[n], DType::I64)?.into()])
}

/// (data, batch_sizes, batch_first, padding_value, total_length): the inverse, and the lengths.
pub fn pad_packed_sequence(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let data = tensor_arg(args, 0)?;
    let running = cast::to_vec::<i64>(tensor_arg(args, 1)?)?;
    let total = int_arg(args, 4)?;
    let steps = running.len() as i64;
    if total > 0 && total < steps {
        return Err(Error::runtime(format!(
            "Expected total_length to be at least the length of the longest sequence in input, but got total_length={total} \
             and max sequence length being {steps}"
        )));
    }
    let sum = running.iter().fold(0i64, |sum, n| sum.saturating_add(*n));
    let rising = running.windows(2).any(|w| w[0] < w[1]) || running.iter().any(|n| *n < 1);
    if running.is_empty() || rising || data.dim() < 1 || sum != data.sizes()[0] {
        return Err(Error::runtime("_pad_packed_sequence: batch_sizes must fall, and sum to the data's first size"));
    }
    let mut sizes: Sizes = smallvec![if total > 0 { total } else { steps }, running[0]];
    sizes.extend_from_slice(&data.sizes()[1..]);
    let dtype: IValue = data.dtype().into();
    let out = op("aten::full", &[IValue::int_list(&sizes), arg(args, 3)?.clone(), dtype])?;
    let mut at = 0;
    for (t, n) in running.iter().enumerate() {
        let step = op("aten::select.int", &[out.clone().into(), IValue::Int(0), IValue::Int(t as i64)])?;
        cast::convert_into(&slice(&step, 0, 0, *n)?, &slice(data, 0, at, at + n)?)?;
        at += n;
    }
    let lengths: Vec<i64> = (0..running[0]).map(|b| running.iter().filter(|n| **n > b).count() as i64).collect();
    let out = if bool_arg(args, 2)? { op("aten::transpose.int", &[out.into(), 0.into(), 1.into()])? } else { out };
    Ok(smallvec![out.into(), cast::from_vec(lengths, &[running[0]], DType::I64)?.into()])
}

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
