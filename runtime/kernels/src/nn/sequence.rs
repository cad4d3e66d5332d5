//! Sequences of different lengths in one tensor, and lists of tensors in one.

use crate::engine::cast;
use crate::engine::compose::tensor as op;
use crate::engine::lanes::{arg, bool_arg, count, int_arg, ints_arg, tensor_arg, wrap};
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

/// All elements one after another.
pub fn flatten_dense_tensors(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let flat =
        arg(args, 0)?.as_tensor_list()?.into_iter().map(|t| op("aten::reshape", &[t.into(), IValue::int_list(&[-1])]));
    one(op("aten::cat", &[IValue::tensor_list(flat.collect::<Result<Vec<_>, _>>()?)])?)
}

/// Views of a flat tensor with the sizes of others.
pub fn unflatten_dense_tensors(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let flat = tensor_arg(args, 0)?;
    let mut at = 0;
    let mut views = Vec::new();
    for like in arg(args, 1)?.as_tensor_list()? {
        let n = like.numel() as i64;
        if n == 0 {
            views.push(op("aten::empty_like", &[like.into()])?);
            continue;
        }
        let part = op("aten::narrow", &[flat.clone().into(), IValue::Int(0), IValue::Int(at), IValue::Int(n)])?;
        views.push(op("aten::view", &[part.into(), IValue::int_list(like.sizes())])?);
        at += n;
    }
    Ok(smallvec![IValue::tensor_list(views)])
}

/// (tensors, dim, num_chunks): each tensor filled up with zeros, cut into chunks, and the chunks of all side by side.
pub fn chunk_cat(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let tensors = arg(args, 0)?.as_tensor_list()?;
    let chunks = int_arg(args, 2)?;
    let Some(first) = tensors.first() else {
        return Err(Error::runtime("_chunk_cat expects a non-empty input tensor list"));
    };
    if chunks < 1 {
        return Err(Error::runtime("_chunk_cat expects positive num_chunks"));
    }
    if first.dim() == 0 {
        return Err(Error::runtime("_chunk_cat expects at least 1 dimension in the tensors"));
    }
    let dim = wrap(int_arg(args, 1)?, first.dim())?;
    let mut parts = Vec::new();
    for t in &tensors {
        if t.dim() <= dim || t.sizes()[..dim] != first.sizes()[..dim] || t.dtype() != first.dtype() {
            return Err(Error::runtime(
                "_chunk_cat expects tensors to have the same dtype and the same sizes before dim",
            ));
        }
        let n = t.sizes()[dim];
        let mut pad = vec![0; 2 * (t.dim() - dim)];
        let last = pad.len() - 1;
        pad[last] = (chunks - n % chunks) % chunks;
        let filled = op("aten::constant_pad_nd", &[t.clone().into(), IValue::int_list(&pad)])?;
        let mut sizes: Vec<i64> = first.sizes()[..dim].to_vec();
        let rest = count(&filled.sizes()[dim..]) as i64 / chunks;
        sizes.extend([chunks, rest]);
        parts.push(op("aten::reshape", &[filled.into(), IValue::int_list(&sizes)])?);
    }
    one(op("aten::cat", &[IValue::tensor_list(parts), IValue::Int(dim as i64 + 1)])?)
}

/// (grad_in, input_sizes, dim, size, step): what `unfold` showed several times is added.
pub fn unfold_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let grad = tensor_arg(args, 0)?;
    let sizes = ints_arg(args, 1)?;
    let dim = wrap(int_arg(args, 2)?, sizes.len())?;
    let (size, step) = (int_arg(args, 3)?, int_arg(args, 4)?);
    let out = Tensor::zeros(&sizes, grad.dtype())?;
    if sizes.is_empty() {
        cast::convert_into(&out, &op("aten::reshape", &[grad.clone().into(), IValue::int_list(&[])])?)?;
        return one(out);
    }
    let windows = grad.sizes().get(dim).copied().unwrap_or(0);
    for w in 0..windows {
        let part = slice(&out, dim as i64, w * step, w * step + size)?;
        let given = op("aten::select.int", &[grad.clone().into(), IValue::Int(dim as i64), IValue::Int(w)])?;
        let given = op("aten::movedim.int", &[given.into(), IValue::Int(-1), IValue::Int(dim as i64)])?;
        crate::engine::compose::all("aten::add_.Tensor", &[part.into(), given.into()])?;
    }
    one(out)
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
