//! Padding: which element of the input stands at each place of the result.

use crate::engine::arguments::result;
use crate::engine::cast;
use crate::engine::compute::Compute;
use crate::engine::elementwise::like_strides;
use crate::engine::lanes::{Acc, count, with_acc};
use crate::engine::layout::{has_format, suggested_format};
use crate::engine::number::Number;
use crate::engine::scratch;
use crate::engine::strided_copy::{NOTHING, Table, Tables, along, bounded, for_each, move_into, parts, whole};
use crate::tensor::copy::fill;
use crate::{Call, Error, Outputs, arg};
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;

/// Where position `i` (0 is the input's first element) of a padded dimension of size `n` is found.
#[derive(Clone, Copy)]
enum Border {
    Constant,
    Reflect,
    Replicate,
    Circular,
}

impl Border {
    fn source(self, i: i64, n: i64) -> i64 {
        if (0..n).contains(&i) {
            return i;
        }
        match self {
            Border::Constant => NOTHING,
            // The rule allows less than one turn, so one reflection is enough.
            Border::Reflect => (if i < 0 { -i } else { 2 * (n - 1) - i }).clamp(0, n - 1),
            Border::Replicate => i.clamp(0, n - 1),
            Border::Circular => i.rem_euclid(n),
        }
    }
}

fn padded(call: &Call<'_>, t: &Tensor, pad: &[i64], border: Border, value: Option<Number>) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    bounded(&sizes)?;
    // What has no pair is of no dimension.
    let pad = &pad[..pad.len() / 2 * 2];
    let format = if matches!(border, Border::Constant) {
        suggested_format(t)
    } else if has_format(t, 2) && !t.is_contiguous() {
        2
    } else if has_format(t, 3) && !t.is_contiguous() {
        3
    } else {
        0
    };
    let strides = if matches!(border, Border::Constant) && pad.iter().all(|n| *n <= 0) {
        // A copy of a view.
        like_strides(&t.as_strided(&sizes, t.strides(), t.storage_offset())?)
    } else {
        crate::engine::layout::format_strides(&sizes, format)?
    };
    let out = call.output(0, &sizes, &strides, dtype)?;
    if let Some(value) = value.filter(|_| pad.iter().any(|n| *n > 0)) {
        if out.is_contiguous() {
            crate::engine::cast::with_element!(dtype, "fill_", T => {
                let value = crate::engine::number::element::<T>(value)?;
                // SAFETY: fresh, held by nobody else.
                unsafe { out.as_mut_slice::<T>() }.unwrap_or_default().fill(value);
            });
        } else {
            fill(&out, value)?;
        }
    }
    let tables: Tables = (0..t.dim())
        .map(|d| {
            let before = pad.get(2 * (t.dim() - 1 - d)).copied().unwrap_or(0);
            let n = t.sizes()[d];
            if before == 0 && sizes[d] == n {
                return whole(t, d);
            }
            if let Border::Constant = border {
                let (first, end) = ((-before).max(0), n.min(sizes[d] - before));
                let taken = (end - first).max(0);
                let (skipped, after) = (before.clamp(0, sizes[d]), sizes[d] - before.clamp(0, sizes[d]) - taken);
                return parts(t, d, &[(NOTHING, skipped), (first, taken), (NOTHING, after)]);
            }
            along(t, d, (0..sizes[d]).map(|i| border.source(i - before, n)))
        })
        .collect();
    move_into(&out, t, &tables);
    Ok(smallvec![IValue::Tensor(out)])
}

fn call_with(call: &Call<'_>, args: &[IValue], border: Border) -> Result<Outputs, Error> {
    padded(call, arg(args, 0)?.as_tensor()?, &arg(args, 1)?.as_int_list()?, border, None)
}

/// (self, pad, value).
pub fn constant(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let value = Number::from_value(arg(args, 2)?)?;
    padded(call, arg(args, 0)?.as_tensor()?, &arg(args, 1)?.as_int_list()?, Border::Constant, Some(value))
}

/// (self, padding).
pub fn reflection(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    call_with(call, args, Border::Reflect)
}

/// (self, padding).
pub fn replication(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    call_with(call, args, Border::Replicate)
}

/// (self, padding).
pub fn circular(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    call_with(call, args, Border::Circular)
}

/// (self, pad, mode as a number, value).
pub fn pad_enum(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    match arg(args, 2)?.as_int()? {
        0 => call_with(call, args, Border::Reflect),
        1 => call_with(call, args, Border::Replicate),
        2 => call_with(call, args, Border::Circular),
        _ => {
            let value = arg(args, 3)?.optional().map_or(Ok(Number::Int(0)), Number::from_value)?;
            padded(call, arg(args, 0)?.as_tensor()?, &arg(args, 1)?.as_int_list()?, Border::Constant, Some(value))
        }
    }
}

/// What each element of the input gave to the result comes back to it: (grad_output, self, padding).
fn backward(call: &Call<'_>, args: &[IValue], border: Border) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (grad, pad) = (arg(args, 0)?.as_tensor()?, arg(args, 2)?.as_int_list()?);
    let grad = grad.contiguous()?;
    let strides = sconce_tensor::contiguous_strides(&sizes);
    let tables: Tables = (0..sizes.len())
        .map(|d| {
            let before = pad.get(2 * (sizes.len() - 1 - d)).copied().unwrap_or(0);
            let mut list = scratch::buffer::<i64>(grad.sizes()[d] as usize);
            list.iter_mut().zip(0i64..).for_each(|(to, i)| *to = border.source(i - before, sizes[d]) * strides[d]);
            Table::List(list)
        })
        .collect();
    with_acc!(dtype, T => {
        let source = cast::to_vec::<T>(&grad)?;
        let mut sum: Vec<T> = vec![T::ZERO; count(&sizes)];
        for_each(&tables, grad.strides(), 0, 0, |from, to| {
            sum[to as usize] = Acc::add(sum[to as usize], source[from as usize]);
        });
        Ok(smallvec![IValue::Tensor(cast::from_vec(sum, &sizes, dtype)?)])
    })
}

/// (grad_output, self, padding).
pub fn reflection_backward(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    backward(call, args, Border::Reflect)
}

/// (grad_output, self, padding).
pub fn replication_backward(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    backward(call, args, Border::Replicate)
}

/// (self, pad, mode, value).
pub fn pad(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    match arg(args, 2)?.as_str()? {
        "reflect" => call_with(call, args, Border::Reflect),
        "replicate" => call_with(call, args, Border::Replicate),
        "circular" => call_with(call, args, Border::Circular),
        _ => {
            let value = match arg(args, 3)?.optional() {
                Some(v) => Number::from_value(v)?,
                None => Number::Int(0),
            };
            padded(call, arg(args, 0)?.as_tensor()?, &arg(args, 1)?.as_int_list()?, Border::Constant, Some(value))
        }
    }
}
