//! Tensors from nothing, from numbers, and in the likeness of others.

use crate::engine::arguments::{dtype_at, format_at, one, result};
use crate::engine::calling::kernels;
use crate::engine::cast::{Value, has_elements, with_element};
use crate::engine::elementwise::empty_strided as zeros_strided;
use crate::engine::layout::{empty_for, format_strides, with_strides};
use crate::engine::number::Number;
use crate::engine::rows::{LEAF, Work, Writer};
use crate::engine::scratch;
use crate::tensor::copy::fill as fill_tensor;
use crate::{Call, Error, Outputs, arg};
use num_complex::Complex;
use sconce_tensor::{Bool, DType, IValue, Sizes, Tensor};

fn filled(call: &Call<'_>, n: Number) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = call.contiguous_output(0, &sizes, dtype)?;
    fill_tensor(&t, n)?;
    one(t)
}

/// Result 0 of a call: zeros, from the system where nobody has a place for them.
fn zeroed(call: &Call<'_>, sizes: &[i64], strides: &[i64], dtype: DType) -> Result<Tensor, Error> {
    if call.destinations.is_none() {
        return zeros_strided(sizes, strides, dtype);
    }
    let t = call.output(0, sizes, strides, dtype)?;
    // SAFETY: the result is dense and nobody else's; bytes of zero are zero in every dtype.
    unsafe { t.bytes_ptr().write_bytes(0, t.numel() * dtype.size()) };
    Ok(t)
}

/// `zeros`, `empty`, `new_zeros`, `new_empty`: content that nobody asked for is zero.
pub fn zeros(call: &Call<'_>) -> Result<Tensor, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    zeroed(call, &sizes, &sconce_tensor::contiguous_strides(&sizes), dtype)
}

/// (size, *, dtype, layout, device, pin_memory, memory_format).
pub fn empty(
    call: &Call<'_>,
    _: &IValue,
    _: &IValue,
    _: &IValue,
    _: &IValue,
    _: &IValue,
    memory_format: Option<i64>,
) -> Result<Tensor, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let strides = format_strides(&sizes, memory_format.unwrap_or(0))?;
    zeroed(call, &sizes, &strides, dtype)
}

/// (size, stride, …); with `self` in front for `new_empty_strided`.
pub fn empty_strided(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let at = usize::from(matches!(arg(args, 0)?, IValue::Tensor(_))) + 1;
    let strides = arg(args, at)?.as_int_list()?;
    one(with_strides(&sizes, &strides, dtype)?)
}

pub fn ones(call: &Call<'_>) -> Result<Outputs, Error> {
    filled(call, Number::Int(1))
}

/// (size, fill_value, …).
pub fn full(call: &Call<'_>, _: &IValue, fill_value: Number) -> Result<Outputs, Error> {
    filled(call, fill_value)
}

/// (size, fill_value, *, out): the destination keeps its dtype.
pub fn full_out(sizes: Sizes, fill_value: Number, out: &Tensor) -> Result<Tensor, Error> {
    let out = out.clone();
    if out.sizes() != sizes.as_slice() {
        crate::engine::layout::resize(&out, &sizes)?;
    }
    fill_tensor(&out, fill_value)?;
    out.bump_version();
    Ok(out)
}

/// (self, size, fill_value, …).
pub fn new_full(call: &Call<'_>, _: &IValue, _: &IValue, fill_value: Number) -> Result<Outputs, Error> {
    filled(call, fill_value)
}

/// How zeros become what is wanted, by a call's arguments.
type Fill = fn(&Tensor, &[IValue]) -> Result<(), Error>;

/// A tensor like the first argument, in the memory format at a place.
fn like(call: &Call<'_>, args: &[IValue], format: usize, fill: Fill) -> Result<Outputs, Error> {
    let (_, dtype) = result(call.metas, 0)?;
    let t = empty_for(arg(args, 0)?.as_tensor()?, dtype, format_at(args, format)?)?;
    fill(&t, args)?;
    one(t)
}

kernels! {
    /// (self, *, dtype, layout, device, pin_memory, memory_format).
    zeros_like = like, 5, |_, _| Ok(());
    ones_like = like, 5, |t, _| fill_tensor(t, Number::Int(1));
    /// (self, fill_value, *, dtype, layout, device, pin_memory, memory_format).
    full_like = like, 6, |t, a| fill_tensor(t, Number::from_value(arg(a, 1)?)?);
    /// (self), and (self, value).
    zero = like, usize::MAX, |_, _| Ok(());
    fill = like, usize::MAX, |t, a| fill_with(t, arg(a, 1)?);
}

/// (self, value): the tensor itself.
pub fn fill_inplace(t: &Tensor, value: &IValue) -> Result<Tensor, Error> {
    fill_with(t, value)?;
    Ok(t.clone())
}

/// A number must fit; a tensor of rank 0 is copied like any other.
fn fill_with(t: &Tensor, value: &IValue) -> Result<(), Error> {
    match value {
        IValue::Tensor(value) if value.shares_storage(t) => crate::tensor::copy::copy_into(t, &value.copy()?),
        IValue::Tensor(value) => crate::tensor::copy::copy_into(t, value),
        number => fill_tensor(t, Number::from_value(number)?),
    }
}

/// (self): the tensor itself.
pub fn zero_inplace(t: &Tensor) -> Result<Tensor, Error> {
    fill_tensor(t, Number::Int(0))?;
    Ok(t.clone())
}

/// A vector whose element `i` is `f(i)`, computed in i64 for integers, in f64 for the rest.
fn counted(
    call: &Call<'_>,
    n: i64,
    dtype: DType,
    int: impl Fn(i64) -> i64,
    float: impl Fn(f64) -> f64,
) -> Result<Tensor, Error> {
    if !has_elements(dtype) {
        return Err(crate::not_implemented("arange_cpu", dtype));
    }
    let t = call.contiguous_output(0, &[n], dtype)?;
    if dtype.is_int() {
        fill_by(&t, int)?;
    } else {
        fill_by(&t, |i| float(i as f64))?;
    }
    Ok(t)
}

/// Writes `f(i)`, converted, to element `i` of a fresh and contiguous tensor.
fn fill_by<W: Work>(t: &Tensor, f: impl Fn(i64) -> W) -> Result<(), Error> {
    let mut values = scratch::buffer::<W>(LEAF.min(t.numel()));
    let writer = Writer::new(t)?;
    for start in (0..t.numel()).step_by(LEAF) {
        let now = &mut values[..LEAF.min(t.numel() - start)];
        now.iter_mut().zip(start as i64..).for_each(|(v, i)| *v = f(i));
        writer.write(start, now);
    }
    Ok(())
}

fn range(call: &Call<'_>, start: Number, step: Number) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    if dtype.is_complex() || dtype == DType::Bool {
        return Err(crate::not_implemented("arange_cpu", dtype));
    }
    let (first, by) = (start.to_f64()?, step.to_f64()?);
    let (whole, whole_by) = (start.to_i64().unwrap_or(0), step.to_i64().unwrap_or(0));
    one(counted(call, sizes[0], dtype, |i| whole.wrapping_add(i.wrapping_mul(whole_by)), |i| first + i * by)?)
}

/// (end, …).
pub fn arange(call: &Call<'_>) -> Result<Outputs, Error> {
    range(call, Number::Int(0), Number::Int(1))
}

/// (start, end, …).
pub fn arange_start(call: &Call<'_>, start: Number) -> Result<Outputs, Error> {
    range(call, start, Number::Int(1))
}

/// (start, end, step, …).
pub fn arange_step(call: &Call<'_>, start: Number, _: &IValue, step: Number) -> Result<Outputs, Error> {
    range(call, start, step)
}

/// (start, end, step, …), the end included.
pub fn range_inclusive(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let step = if call.entry.overload_name() == "step" { Number::from_value(arg(args, 2)?)? } else { Number::Int(1) };
    range(call, Number::from_value(arg(args, 0)?)?, step)
}

/// (data, dtype, device), where data is a tensor: itself, or converted.
pub fn as_tensor(t: &Tensor, given: Option<DType>) -> Result<Tensor, Error> {
    crate::engine::cast::convert(t, given.unwrap_or(t.dtype()))
}

/// (length, *, start, step, …).
pub fn iota(call: &Call<'_>, _: &IValue, start: Number, step: Number) -> Result<Outputs, Error> {
    range(call, start, step)
}

/// Element `i` of `n` evenly spaced ones: from the start in the first half, from the end in the second, so that both ends are met.
fn spaced(start: Complex<f64>, end: Complex<f64>, n: i64, i: i64) -> Complex<f64> {
    if n == 1 {
        return start;
    }
    let step = (end - start) / (n - 1) as f64;
    if i < n / 2 { start + step * i as f64 } else { end - step * (n - 1 - i) as f64 }
}

/// One element in the dtype's own width, as PyTorch computes it.
fn spaced_value(dtype: DType, start: Number, end: Number, n: i64, i: i64) -> Result<Complex<f64>, Error> {
    if dtype != DType::F32 {
        let cut = |c: Complex<f64>| if dtype.is_int() { Complex::new(c.re.trunc(), 0.0) } else { c };
        return Ok(spaced(cut(start.to_complex()), cut(end.to_complex()), n, i));
    }
    let (start, end) = (start.to_f64()? as f32, end.to_f64()? as f32);
    let step = (end - start) / (n - 1) as f32;
    let v = match (n, i < n / 2) {
        (1, _) => start,
        (_, true) => start + step * i as f32,
        (_, false) => end - step * (n - 1 - i) as f32,
    };
    Ok(Complex::new(f64::from(v), 0.0))
}

fn series(call: &Call<'_>, args: &[IValue], map: impl Fn(Complex<f64>) -> Complex<f64>) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (start, end) = (Number::from_value(arg(args, 0)?)?, Number::from_value(arg(args, 1)?)?);
    if !has_elements(dtype) {
        return Err(crate::not_implemented("linspace_cpu", dtype));
    }
    let t = Tensor::zeros(&sizes, dtype)?;
    let value = |i| spaced_value(dtype, start, end, sizes[0], i);
    if t.numel() > 0 {
        // Whether the ends are numbers of the dtype is the same for all.
        value(0)?;
    }
    let value = |i| map(value(i).unwrap_or_default());
    if dtype.is_complex() {
        fill_by(&t, value)?;
    } else {
        fill_by(&t, |i| value(i).re)?;
    }
    one(t)
}

/// (start, end, steps, …).
pub fn linspace(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    series(call, args, |v| v)
}

/// (start, end, steps, base, …).
pub fn logspace(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let base = arg(args, 3)?.as_double()?;
    series(
        call,
        args,
        |v| if v.im == 0.0 { Complex::new(base.powf(v.re), 0.0) } else { Complex::new(base, 0.0).powc(v) },
    )
}

/// (n, …), (n, m, …): ones on the diagonal.
pub fn eye(call: &Call<'_>) -> Result<Tensor, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = Tensor::zeros(&sizes, dtype)?;
    fill_tensor(&t.as_strided(&[sizes[0].min(sizes[1])], &[sizes[1].saturating_add(1)], 0)?, Number::Int(1))?;
    Ok(t)
}

/// (s, …).
pub fn scalar_tensor(call: &Call<'_>, s: Number) -> Result<Outputs, Error> {
    filled(call, s)
}

/// (t, *, dtype, device, requires_grad), of a number.
pub fn tensor_of_number(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let mut n = Number::from_value(arg(args, 0)?)?;
    // A float becomes a tensor of the default dtype before it is converted.
    if let Number::Double(d) = n {
        n = Number::Double(f64::from(d as f32));
    }
    of_numbers(args, &[], n.default_dtype(), &[n])
}

/// (data, *, dtype, device, requires_grad), of nested lists; the element type decides the dtype, also of an empty list.
pub fn tensor(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let data = arg(args, 0)?;
    let mut sizes = Sizes::new();
    let mut level = data.clone();
    let mut element = None;
    while let IValue::List(l) = &level {
        sizes.push(l.len() as i64);
        element = Some(l.element.clone());
        let first = l.read().first().cloned();
        match first {
            Some(v) => level = v,
            None => break,
        }
        if sizes.len() > 64 {
            return Err(Error::runtime("a list nested more than 64 deep"));
        }
    }
    let mut numbers: scratch::List<Number> = scratch::list();
    collect(data, &sizes, 0, &mut numbers)?;
    let default = match numbers.first() {
        Some(n) => n.default_dtype(),
        None => dtype_of_element(element.as_ref()),
    };
    of_numbers(args, &sizes, default, &numbers)
}

fn dtype_of_element(element: Option<&sconce_schema::Type>) -> DType {
    use sconce_schema::Type;
    let mut ty = element;
    while let Some(Type::List(inner)) = ty {
        ty = Some(inner);
    }
    match ty {
        Some(Type::Int) => DType::I64,
        Some(Type::Bool) => DType::Bool,
        Some(Type::Complex) => DType::C64,
        _ => DType::F32,
    }
}

fn collect(v: &IValue, sizes: &[i64], dim: usize, out: &mut Vec<Number>) -> Result<(), Error> {
    match v {
        IValue::List(l) => {
            let have = l.len() as i64;
            match sizes.get(dim) {
                Some(want) if *want == have => {}
                Some(want) => {
                    return Err(Error::runtime(format!(
                        "Expected sequence of length {want} at dim {dim} (got {have})"
                    )));
                }
                None => return Err(Error::runtime("lists of different depths do not make a tensor")),
            }
            l.read().iter().try_for_each(|v| collect(v, sizes, dim + 1, out))
        }
        other => {
            out.push(Number::from_value(other)?);
            Ok(())
        }
    }
}

/// Numbers as elements, converted as C++ does, without a check: (data, dtype, device, requires_grad).
fn of_numbers(args: &[IValue], sizes: &[i64], default: DType, numbers: &[Number]) -> Result<Outputs, Error> {
    fn value<T: Value>(n: Number) -> T {
        match n {
            Number::Bool(b) => Bool::new(b).to::<T>(),
            Number::Int(i) => i.to::<T>(),
            Number::Double(d) => d.to::<T>(),
            Number::Complex(c) => c.to::<T>(),
        }
    }
    let mut t = Tensor::zeros(sizes, dtype_at(args, 1)?.unwrap_or(default))?;
    with_element!(t.dtype(), "tensor", T => {
        // SAFETY: fresh and contiguous, held by nobody else.
        let out = unsafe { t.as_mut_slice::<T>() }.unwrap_or_default();
        for (o, n) in out.iter_mut().zip(numbers) {
            *o = value::<T>(*n);
        }
    });
    t.set_requires_grad(args.get(3).is_some_and(|v| matches!(v, IValue::Bool(true))));
    one(t)
}
