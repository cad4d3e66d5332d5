//! Convolutions of quantized images: exact sums of integers as in products of matrices; results lie with their channels innermost.

use super::packed::Packed;
use super::qlinear::{Centered, Sums, Target, exact, scales};
use super::{numbers, one, pair, parameters_of, quantized};
use crate::engine::arguments::{bool_arg, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::compose::tensor as op;
use crate::engine::layout::{CHANNELS_LAST, CHANNELS_LAST_3D, format_strides};
use crate::{Call, Error, Outputs};
use sconce_schema::packed::{CONV_2D, CONV_3D};
use sconce_tensor::{DType, IValue, Quantizer, Tensor};

/// A convolution of an image with a packed weight, and what finishes it.
fn convolved<R>(
    x: &Tensor,
    packed: &Packed,
    rank: usize,
    finish: impl FnOnce(&Sums<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    let weight = packed.tensor("_weight")?;
    let spatial = weight.dim() - 2;
    if x.dim() != rank + 2 {
        return Err(Error::runtime(format!(
            "quantized::qconv{rank}d: Expected activation tensor to have {} dimensions, got {}",
            rank + 2,
            x.dim()
        )));
    }
    let scales = scales(pair(x)?.0, &weight)?;
    let transposed = packed.get("_transpose")?.as_bool()?;
    // A sum has as many terms as a window has elements in the channels of its group.
    let area: i64 = weight.sizes()[2..].iter().product();
    let channels = if transposed { weight.sizes()[0] } else { weight.sizes()[1] };
    let terms = usize::try_from(area.saturating_mul(channels)).unwrap_or(usize::MAX);
    let (a, b) = exact(&Centered::of(x)?, &Centered::of(&weight)?, terms);
    let high = rank < spatial;
    let a = if high { op("aten::unsqueeze", &[a.into(), IValue::Int(2)])? } else { a };
    let settings = ["_stride", "_padding", "_dilation", "_transpose", "_output_padding", "_groups"];
    let mut all = vec![IValue::Tensor(a), b.into(), IValue::None];
    for setting in settings {
        all.push(packed.get(setting)?);
    }
    let sums = op("aten::convolution", &all)?.contiguous()?;
    let bias = packed.bias()?;
    let count = usize::try_from(sums.sizes()[1]).unwrap_or(0);
    let inner = crate::engine::lanes::count(&sums.sizes()[2..]);
    finish(&Sums { sums: &sums, count, inner, scales: &scales, bias: bias.as_deref() })
}

/// Without the height of a convolution of rank 1.
fn flat(t: Tensor, rank: usize) -> Result<Tensor, Error> {
    if rank == 1 { op("aten::squeeze.dim", &[t.into(), IValue::Int(2)]) } else { Ok(t) }
}

fn class_of(rank: usize) -> &'static sconce_schema::packed::PackedClass {
    if rank == 3 { &CONV_3D } else { &CONV_2D }
}

/// A convolution that is rounded, its channels innermost.
fn round(x: &Tensor, packed: &Packed, rank: usize, target: &Target) -> Result<Tensor, Error> {
    let out = convolved(x, packed, rank, |s| {
        let format = if rank == 3 { CHANNELS_LAST_3D } else { CHANNELS_LAST };
        s.rounded(target, x.dtype(), &format_strides(s.sums.sizes(), format)?)
    })?;
    flat(out, rank)
}

/// (qx, packed_weight, output_scale, output_zero_point), the last two from `at` on.
fn rounded(_: &Call<'_>, args: &[IValue], rank: usize, relu: bool, at: usize) -> Result<Outputs, Error> {
    let packed = Packed::at(args, 1, class_of(rank))?;
    one(round(tensor_arg(args, 0)?, &packed, rank, &Target::at(args, at, relu)?)?)
}

kernels! {
    conv1d = rounded, 1, false, 2; conv1d_relu = rounded, 1, true, 2;
    conv2d = rounded, 2, false, 2; conv2d_relu = rounded, 2, true, 2;
    conv3d = rounded, 3, false, 2; conv3d_relu = rounded, 3, true, 2;
    /// Stride, padding, dilation and groups are given besides; those of the packed weight hold.
    conv2d_with_settings = rounded, 2, false, 6; conv2d_relu_with_settings = rounded, 2, true, 6;
    conv3d_with_settings = rounded, 3, false, 6; conv3d_relu_with_settings = rounded, 3, true, 6;
    conv2d_add = added, false; conv2d_add_relu = added, true;
}

/// (qx, qaccum, packed_weight, output_scale, output_zero_point): with numbers that are added before the result is rounded.
fn added(_: &Call<'_>, args: &[IValue], relu: bool) -> Result<Outputs, Error> {
    let (x, more) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let target = Target::at(args, 3, relu)?;
    let y = convolved(x, &Packed::at(args, 2, &CONV_2D)?, 2, |s| s.scaled())?;
    let sum = op("aten::add.Tensor", &[y.into(), numbers(more)?.into()])?;
    let sum = if relu { op("aten::relu", &[sum.into()])? } else { sum };
    let out = quantized(&sum, &Quantizer::per_tensor(target.scale, target.zero), x.dtype())?;
    one(crate::engine::compose::tensor("aten::contiguous", &[out.into(), IValue::Int(CHANNELS_LAST)])?)
}

/// (qx, packed_weight, reduce_range): floats, quantized with the parameters that their own range asks for, which the result is rounded with, too.
pub fn dynamic(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let x = tensor_arg(args, 0)?;
    let rank = x.dim().saturating_sub(2);
    let packed = Packed::at(args, 1, class_of(rank))?;
    if x.dtype() != DType::F32 {
        let name = x.dtype().scalar_type_name();
        return Err(Error::runtime(format!("{}: expected scalar type Float but found {name}", call.entry.name)));
    }
    let (scale, zero) = parameters_of(x, DType::QU8, bool_arg(args, 2)?)?;
    let x = quantized(x, &Quantizer::per_tensor(scale, zero), DType::QU8)?;
    let target = Target { scale, zero, relu: false };
    one(numbers(&round(&x, &packed, rank, &target)?)?)
}
