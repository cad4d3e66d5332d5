//! Operators that compute with the numbers of their quantized tensors: the operator of plain tensors runs on them, and what it gives is rounded with the
//! parameters of the first of them, or with those that the operator always has.

use super::{numbers, one, pair, quantized, quantizer};
use crate::engine::arguments::{arg, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::cast;
use crate::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Quantizer, Tensor};
use smallvec::{SmallVec, smallvec};

/// The same argument with numbers for quantized tensors, also in lists.
fn plain(v: &IValue) -> Result<IValue, Error> {
    Ok(match v {
        IValue::Tensor(t) => numbers(t)?.into(),
        IValue::List(list) if list.element.is_tensor() => {
            let tensors = v.as_tensor_list()?;
            IValue::tensor_list(tensors.iter().map(numbers).collect::<Result<Vec<_>, _>>()?)
        }
        other => other.clone(),
    })
}

/// The first quantized tensor.
fn first(args: &[IValue]) -> Result<Tensor, Error> {
    let found = args.iter().find_map(|v| match v {
        IValue::Tensor(t) => t.is_quantized().then(|| t.clone()),
        IValue::List(list) => list.read().iter().filter_map(|v| v.as_tensor().ok()).find(|t| t.is_quantized()).cloned(),
        _ => None,
    });
    found.ok_or_else(|| Error::runtime("expected a quantized tensor"))
}

/// What the operator gives for numbers; where results stay what they are (comparisons, a tensor's one number) that is all.
pub fn plainly(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let mut inner = args.iter().map(plain).collect::<Result<SmallVec<[IValue; 12]>, Error>>()?;
    super::on_plain(call, &mut inner)
}

/// Results that are numbers take the parameters of the first quantized tensor; indices, truths and plain values stay.
pub fn keep(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = first(args)?;
    pair(&t)?;
    let q = quantizer(&t)?.clone();
    let rounded = |v: IValue| match v {
        IValue::Tensor(n) if n.dtype() == DType::F32 => Ok(quantized(&n, &q, t.dtype())?.into()),
        other => Ok(other),
    };
    plainly(call, args)?.into_iter().map(rounded).collect()
}

/// A weighted mean of elements, rounded once: the weights add up to 1, so that it is taken of the integers less the zero point.
///
/// With `zero_first` the zero point is added before rounding, which decides to which side a tie goes.
fn mean_of_integers(call: &Call<'_>, args: &[IValue], zero_first: bool) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let (dtype, zero, (low, high)) = (t.dtype(), pair(t)?.1 as f32, super::range(t.dtype()));
    let q = quantizer(t)?.clone();
    let centered = t.reread(dtype, Some(Quantizer::per_tensor(1.0, zero as i64)));
    let mut inner: SmallVec<[IValue; 8]> = args.into();
    inner[0] = numbers(&centered)?.into();
    let mean = super::on_plain(call, &mut inner)?;
    let mean = arg(&mean, 0)?.as_tensor()?;
    let rounded = |x: f32| match zero_first {
        true => (x + zero).round_ties_even(),
        false => x.round_ties_even() + zero,
    };
    let values = cast::to_vec::<f32>(mean)?;
    let values = values.into_iter().map(|x| rounded(x).clamp(low as f32, high as f32)).collect();
    let out = super::laid(values, mean.sizes(), mean.strides(), dtype.underlying())?;
    one(out.reread(dtype, Some(q)))
}

/// Means over windows or dimensions. Where channels lie innermost, PyTorch rounds before it adds the zero point.
pub fn averaged(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let zero_first = crate::engine::layout::suggested_format(tensor_arg(args, 0)?) == 0;
    mean_of_integers(call, args, zero_first)
}

/// Elements between elements.
pub fn interpolated(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    mean_of_integers(call, args, false)
}

kernels! {
    /// A function between 0 and 1: the integers are those of the range in 256 steps.
    to_unit = fixed, |dtype| match dtype {
        DType::QI8 => (1.0 / 256.0, -128),
        DType::QI32 => (1.0 / 4294967296.0, 0),
        _ => (1.0 / 256.0, 0),
    };
    /// A function between -1 and 1.
    to_signs = fixed, |dtype| match dtype {
        DType::QI8 => (2.0 / 256.0, 0),
        DType::QI32 => (2.0 / 4294967296.0, 0),
        _ => (2.0 / 256.0, 128),
    };
}

fn fixed(call: &Call<'_>, args: &mut [IValue], pair_of: fn(DType) -> (f64, i64)) -> Result<Outputs, Error> {
    let dtype = tensor_arg(args, 0)?.dtype();
    pair(tensor_arg(args, 0)?)?;
    let (scale, zero) = pair_of(dtype);
    let out = plainly(call, args)?;
    one(quantized(arg(&out, 0)?.as_tensor()?, &Quantizer::per_tensor(scale, zero), dtype)?)
}

/// (self, src, non_blocking): numbers are rounded with the tensor's parameters; a quantized tensor brings its own.
pub fn copy_inplace(t: &Tensor, source: &Tensor) -> Result<Tensor, Error> {
    if !t.is_quantized() {
        return Err(Error::runtime(
            "Copying from quantized Tensor to non-quantized Tensor is not allowed, please use dequantize to get a float Tensor from a quantized Tensor",
        ));
    }
    let source = match source.is_quantized() {
        true if source.dtype() == t.dtype() => source.clone(),
        true => {
            return Err(Error::runtime(format!(
                "Quantized Copy only works with quantized Tensors of one dtype, got {} and {}",
                t.dtype().scalar_type_name(),
                source.dtype().scalar_type_name()
            )));
        }
        false => {
            if source.dtype() != DType::F32 {
                return Err(Error::runtime(format!(
                    "Quantized copy only works with kFloat as source Tensor, got {}",
                    source.dtype().scalar_type_name()
                )));
            }
            quantized(&source.expand(t.sizes())?, quantizer(t)?, t.dtype())?
        }
    };
    cast::convert_into(&super::integers(t), &super::integers(&source.expand(t.sizes())?))?;
    if !t.is(&source) && t.quantizer() != source.quantizer() {
        let metadata = sconce_tensor::TensorMetadata { quantizer: source.quantizer().cloned(), ..t.metadata() };
        // SAFETY: that no other thread uses the tensor now is the program's affair, as for every write, and nothing here holds a slice of it.
        unsafe { t.set_metadata(metadata) }?;
    }
    t.bump_version();
    Ok(t.clone())
}

/// (self, value): a number, rounded.
pub fn fill_inplace(t: &Tensor, value: &IValue) -> Result<Tensor, Error> {
    let value =
        crate::engine::compose::tensor("aten::full", &[IValue::int_list(t.sizes()), value.clone(), DType::F32.into()])?;
    let value = quantized(&value, quantizer(t)?, t.dtype())?;
    cast::convert_into(&super::integers(t), &super::integers(&value))?;
    t.bump_version();
    Ok(t.clone())
}

/// (self, other): the same integers with the same parameters.
pub fn equal(a: &Tensor, b: &Tensor) -> Result<Outputs, Error> {
    let same = a.dtype() == b.dtype() && a.quantizer() == b.quantizer();
    if !same {
        return Ok(smallvec![IValue::Bool(false)]);
    }
    crate::engine::compose::all("aten::equal", &[super::integers(a).into(), super::integers(b).into()])
}
