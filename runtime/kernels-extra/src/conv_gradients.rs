//! Gradients of convolutions, as matrix products over unfolded windows.

use num_complex::Complex;
use sconce_kernels::engine::arguments::{arg, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::lanes::count;
use sconce_kernels::nn::conv::{Sum, fold, frame, product, unfold};
use sconce_kernels::{Call, Error, Outputs};
use sconce_schema::geometry::convolution::{Convolution, Form};
use sconce_tensor::{DType, IValue};
use smallvec::smallvec;

/// Gradients of input, weight and bias.
pub fn convolution_backward(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let s = &*call.parsed(args, |a| Convolution::of(Form::Backward, a))?;
    match tensor_arg(args, 1)?.dtype() {
        d if d.is_complex() => gradients::<Complex<f64>>(args, s),
        DType::F64 => gradients::<f64>(args, s),
        d if d.is_float() => gradients::<f32>(args, s),
        _ => gradients::<i64>(args, s),
    }
}

fn gradients<T: Sum>(args: &[IValue], s: &Convolution) -> Result<Outputs, Error> {
    let (grad, x, w) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let (f, turned, groups) = (frame(s, x.sizes(), grad.sizes()), s.transposed, s.groups as usize);
    let wanted: Vec<bool> =
        arg(args, 10)?.as_list()?.read().iter().map(|v| Ok(v.as_int_or_bool()? != 0)).collect::<Result<_, Error>>()?;
    let dtype = x.dtype();
    let (batch, cin, cout) = (x.sizes()[0] as usize, x.sizes()[1] as usize, grad.sizes()[1] as usize);
    let (gin, gout) = (cin / groups, cout / groups);
    let (xv, wv, gv) = (cast::to_vec::<T>(x)?, cast::to_vec::<T>(w)?, cast::to_vec::<T>(grad)?);
    let (xp, gp) = (count(&x.sizes()[2..]), count(&grad.sizes()[2..]));
    let per_group = wv.len() / groups;
    let mut dx: Vec<T> = Vec::new();
    let mut dw = vec![T::default(); wv.len()];
    for b in 0..batch {
        for group in 0..groups {
            let xs = &xv[(b * cin + group * gin) * xp..][..gin * xp];
            let gs = &gv[(b * cout + group * gout) * gp..][..gout * gp];
            let weights = wv[group * per_group..][..per_group].to_vec();
            let change = if turned {
                let columns = unfold(gs, gout, &f);
                dx.extend(product(
                    weights,
                    [gin, gout * f.area()],
                    (false, false),
                    columns.clone(),
                    [gout * f.area(), xp],
                )?);
                product(xs.to_vec(), [gin, xp], (false, true), columns, [gout * f.area(), xp])?
            } else {
                let columns = product(weights, [gout, gin * f.area()], (true, false), gs.to_vec(), [gout, gp])?;
                dx.extend(fold(&columns, gin, &f));
                let columns = unfold(xs, gin, &f);
                product(gs.to_vec(), [gout, gp], (false, true), columns, [gin * f.area(), gp])?
            };
            for (target, v) in dw[group * per_group..].iter_mut().zip(change) {
                *target = target.plus(v);
            }
        }
    }
    let mut db = vec![T::default(); cout];
    for (i, v) in gv.iter().enumerate() {
        let c = i / gp.max(1) % cout;
        db[c] = db[c].plus(*v);
    }
    let pick = |i: usize, data: Vec<T>, sizes: &[i64]| -> Result<IValue, Error> {
        Ok(if wanted[i] { IValue::Tensor(cast::from_vec(data, sizes, dtype)?) } else { IValue::None })
    };
    Ok(smallvec![pick(0, dx, x.sizes())?, pick(1, dw, w.sizes())?, pick(2, db, &[cout as i64])?])
}
