//! Padding: which element of the input stands at each place of the result.

use crate::engine::arguments::{arg, result, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::elementwise::like_strides;
use crate::engine::layout::{has_format, suggested_format};
use crate::engine::number::Number;
use crate::engine::strided_copy::{NOTHING, Tables, along, bounded, move_into, parts, whole};
use crate::tensor::copy::fill;
use crate::{Call, Error, Outputs};
use sconce_schema::geometry::padding::{Border, Form, Padding};
use sconce_tensor::IValue;
use smallvec::smallvec;

kernels! {
    constant = padded, Form::Of(Border::Constant);
    circular = padded, Form::Of(Border::Circular);
    reflection = padded, Form::Of(Border::Reflect);
    replication = padded, Form::Of(Border::Replicate);
    pad = padded, Form::Mode;
}

/// The constant that stands around; without one it is 0.
fn value(args: &[IValue], form: Form) -> Result<Number, Error> {
    arg(args, if form == Form::Mode { 3 } else { 2 })?.optional().map_or(Ok(Number::Int(0)), Number::from_value)
}

fn padded(call: &Call<'_>, args: &[IValue], form: Form) -> Result<Outputs, Error> {
    let padding = call.parsed(args, |a| Padding::of(form, a))?;
    let (t, border) = (tensor_arg(args, 0)?, padding.border);
    let any = |is: fn(&i64) -> bool| padding.pairs.iter().any(|(before, behind)| is(before) || is(behind));
    let (grows, is_constant) = (any(|n| *n > 0), border == Border::Constant);
    let (sizes, dtype) = result(call.metas, 0)?;
    bounded(&sizes)?;
    let format = match suggested_format(t) {
        format if is_constant || has_format(t, format) && !t.is_contiguous() => format,
        _ => 0,
    };
    let strides = if is_constant && !grows {
        // A copy of a view.
        like_strides(&t.as_strided(&sizes, t.strides(), t.storage_offset())?)
    } else {
        crate::engine::layout::format_strides(&sizes, format)?
    };
    let mut out = call.output(0, &sizes, &strides, dtype)?;
    if is_constant && grows {
        let value = value(args, form)?;
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
    let tables: Tables = padding
        .around(t.dim())
        .enumerate()
        .map(|(d, (before, behind))| {
            let n = t.sizes()[d];
            if (before, behind) == (0, 0) {
                return whole(t, d);
            }
            if is_constant {
                let (first, end) = ((-before).max(0), n.min(sizes[d] - before));
                let taken = (end - first).max(0);
                let (skipped, after) = (before.clamp(0, sizes[d]), sizes[d] - before.clamp(0, sizes[d]) - taken);
                return parts(t, d, &[(NOTHING, skipped), (first, taken), (NOTHING, after)]);
            }
            along(t, d, (0..sizes[d]).map(|i| border.source(i - before, n).unwrap_or(NOTHING)))
        })
        .collect();
    move_into(&out, t, &tables);
    Ok(smallvec![IValue::Tensor(out)])
}
