//! Padding: which element of the input stands at each place of the result.

use crate::copy::{empty_for, fill};
use crate::elementwise::empty_strided;
use crate::lanes::result;
use crate::moved::{NOTHING, along, bounded, move_into};
use crate::number::Number;
use crate::tensor_info::has_format;
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
    let format = if has_format(t, 2) && !t.is_contiguous() {
        2
    } else if has_format(t, 3) && !t.is_contiguous() {
        3
    } else {
        0
    };
    let out = if *sizes == *t.sizes() && matches!(border, Border::Constant) {
        empty_for(t, dtype, None)?
    } else {
        empty_strided(&sizes, &crate::copy::format_strides(&sizes, format)?, dtype)?
    };
    if let Some(value) = value {
        fill(&out, value)?;
    }
    let tables: Vec<Vec<i64>> = (0..t.dim())
        .map(|d| {
            let before = pad.get(2 * (t.dim() - 1 - d)).copied().unwrap_or(0);
            along(t, d, (0..sizes[d]).map(|i| border.source(i - before, t.sizes()[d])))
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
