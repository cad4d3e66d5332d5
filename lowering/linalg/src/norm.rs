//! Normalisations over rows: softmax and its logarithm, layer, RMS and (with given statistics) batch normalisation.

use crate::emit::{Emit, V};
use crate::lower::{Call, Item, Lower, TensorValue};
use crate::reduce::{Fold, count, divided, fold};
use crate::scalar::{arithmetic_dtype, cast};
use crate::view::reshaped;
use crate::{Error, Lowering};
use sconce_analysis::Constant;
use sconce_exec::Dim;
use sconce_schema::{DType, OpId, ops};
use smallvec::SmallVec;

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::softmax_int, |l, c| softmax(l, c, false)),
    (ops::aten::_softmax, |l, c| softmax(l, c, false)),
    (ops::aten::log_softmax_int, |l, c| softmax(l, c, true)),
    (ops::aten::_log_softmax, |l, c| softmax(l, c, true)),
    (ops::aten::layer_norm, layer_norm),
    (ops::aten::native_layer_norm, native_layer_norm),
    (ops::aten::rms_norm, rms_norm),
    (ops::aten::batch_norm, batch_norm),
    (ops::aten::_native_batch_norm_legit_no_training, native_batch_norm),
    (ops::aten::group_norm, group_norm),
];

fn softmax<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, logarithm: bool) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    let result = c.result_dtype(0)?;
    if !result.is_float() {
        return Error::unsupported(format!("softmax of {result}"));
    }
    let dim = x.axis(c.int(1)?)?;
    if x.rank() == 0 {
        return Error::unsupported("softmax of rank 0");
    }
    let dtype = arithmetic_dtype(result);
    let (t, narrow) = (l.element(dtype)?, l.element(result)?);
    let x = &l.cast(x, dtype)?;
    let same = |_: &Emit<'c>, v: V<'c>| Ok(v);
    // A row with a NaN becomes NaN by its sum, whatever its largest number is.
    let largest = fold(l, x, &[dim], true, dtype, Fold::MaxOfNumbers, &same)?;
    if logarithm {
        let centred =
            l.elementwise(&[x, &largest], &x.sizes, dtype, &mut |e, a| e.same("arith.subf", &[a[0], a[1]]))?;
        let sum = fold(l, &centred, &[dim], true, dtype, Fold::Sum, &|e, v| e.same("math.exp", &[v]))?;
        let log = l.elementwise(&[&sum], &sum.sizes, dtype, &mut |e, a| e.same("math.log", &[a[0]]))?;
        let out = l.elementwise(&[&centred, &log], &x.sizes, result, &mut |e, a| {
            let v = e.same("arith.subf", &[a[0], a[1]])?;
            cast(e, v, dtype, result, narrow)
        })?;
        return Ok(vec![Item::Tensor(out)]);
    }
    let power = l.elementwise(&[x, &largest], &x.sizes, dtype, &mut |e, a| {
        let v = e.same("arith.subf", &[a[0], a[1]])?;
        e.same("math.exp", &[v])
    })?;
    let sum = fold(l, &power, &[dim], true, dtype, Fold::Sum, &same)?;
    let scale =
        l.elementwise(&[&sum], &sum.sizes, dtype, &mut |e, a| e.same("arith.divf", &[e.constant(1., t)?, a[0]]))?;
    let out = l.elementwise(&[&power, &scale], &x.sizes, result, &mut |e, a| {
        let v = e.same("arith.mulf", &[a[0], a[1]])?;
        cast(e, v, dtype, result, narrow)
    })?;
    Ok(vec![Item::Tensor(out)])
}

/// The last dimensions that a `normalized_shape` names; they must have these sizes.
fn last_dims<'c>(l: &mut Lower<'c>, x: &TensorValue<'c>, shape: &[Dim]) -> Result<Vec<usize>, Error> {
    let Some(first) = x.rank().checked_sub(shape.len()).filter(|_| !shape.is_empty()) else {
        return Error::unsupported("normalized_shape does not fit the rank");
    };
    for (have, want) in x.sizes[first..].iter().zip(shape) {
        l.equal(have, want)?;
    }
    Ok((first..x.rank()).collect())
}

/// `1 / sqrt(mean(square) + eps)`
fn inverse_root<'c>(l: &Lower<'c>, mean_square: &TensorValue<'c>, eps: f64) -> Result<TensorValue<'c>, Error> {
    let t = l.element(mean_square.dtype)?;
    l.elementwise(&[mean_square], &mean_square.sizes, mean_square.dtype, &mut |e, a| {
        let sum = e.same("arith.addf", &[a[0], e.constant(eps, t)?])?;
        let root = e.same("math.sqrt", &[sum])?;
        e.same("arith.divf", &[e.constant(1., t)?, root])
    })
}

/// `x * scale (* weight) (+ bias)`; weight and bias lie along the last dimensions.
fn scaled<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    scale: &TensorValue<'c>,
    weight: Option<&TensorValue<'c>>,
    bias: Option<&TensorValue<'c>>,
    result: DType,
) -> Result<TensorValue<'c>, Error> {
    let dtype = x.dtype;
    let (t, narrow) = (l.element(dtype)?, l.element(result)?);
    let mut operands = vec![x, scale];
    operands.extend(weight);
    operands.extend(bias);
    let shapes: Vec<&[Dim]> = operands.iter().map(|o| &o.sizes[..]).collect();
    let sizes = l.broadcast(&shapes)?;
    l.elementwise(&operands, &sizes, result, &mut |e, a| {
        let mut next = 2;
        let mut v = e.same("arith.mulf", &[a[0], a[1]])?;
        for (operand, name) in [(weight, "arith.mulf"), (bias, "arith.addf")] {
            if let Some(o) = operand {
                let w = cast(e, a[next], o.dtype, dtype, t)?;
                v = e.same(name, &[v, w])?;
                next += 1;
            }
        }
        cast(e, v, dtype, result, narrow)
    })
}

/// The normalised tensor, and mean and inverse deviation with kept dimensions in the arithmetic dtype.
fn layer<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<[TensorValue<'c>; 3], Error> {
    let x = c.tensor(0)?;
    if !x.dtype.is_float() {
        return Error::unsupported(format!("layer_norm of {}", x.dtype));
    }
    let dims = last_dims(l, x, &c.sizes(1)?)?;
    let (weight, bias) = (c.optional_tensor(2)?, c.optional_tensor(3)?);
    let eps = c.float(4)?;
    let dtype = arithmetic_dtype(x.dtype);
    let wide = l.cast(x, dtype)?;
    let n = count(x, &dims);
    let sum = fold(l, &wide, &dims, true, dtype, Fold::Sum, &|_, v| Ok(v))?;
    let mean = divided(l, &sum, &n)?;
    let centred = l.elementwise(&[&wide, &mean], &x.sizes, dtype, &mut |e, a| e.same("arith.subf", &[a[0], a[1]]))?;
    let squares = fold(l, &centred, &dims, true, dtype, Fold::Sum, &|e, v| e.same("arith.mulf", &[v, v]))?;
    let variance = divided(l, &squares, &n)?;
    let scale = inverse_root(l, &variance, eps)?;
    let out = scaled(l, &centred, &scale, weight, bias, x.dtype)?;
    Ok([out, mean, scale])
}

fn layer_norm<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let [out, ..] = layer(l, c)?;
    Ok(vec![Item::Tensor(out)])
}

fn native_layer_norm<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let results = layer(l, c)?;
    let mut items = Vec::new();
    for (i, r) in results.iter().enumerate() {
        items.push(Item::Tensor(l.cast(r, c.result_dtype(i)?)?));
    }
    Ok(items)
}

fn rms_norm<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    if !x.dtype.is_float() {
        return Error::unsupported(format!("rms_norm of {}", x.dtype));
    }
    let dims = last_dims(l, x, &c.sizes(1)?)?;
    let weight = c.optional_tensor(2)?;
    let dtype = arithmetic_dtype(x.dtype);
    let eps = match c.constant(3)? {
        Constant::None if x.dtype == DType::F64 => f64::EPSILON,
        Constant::None => f64::from(f32::EPSILON),
        _ => c.float(3)?,
    };
    let wide = l.cast(x, dtype)?;
    let squares = fold(l, &wide, &dims, true, dtype, Fold::Sum, &|e, v| e.same("arith.mulf", &[v, v]))?;
    let mean = divided(l, &squares, &count(x, &dims))?;
    let scale = inverse_root(l, &mean, eps)?;
    Ok(vec![Item::Tensor(scaled(l, &wide, &scale, weight, None, x.dtype)?)])
}

/// With given statistics; training updates them, which a region does not do.
fn batch_norm<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    if c.bool_or(5, false)? {
        return Error::unsupported("batch_norm in training");
    }
    let (Some(mean), Some(variance)) = (c.optional_tensor(3)?, c.optional_tensor(4)?) else {
        return Error::unsupported("batch_norm without statistics");
    };
    if x.rank() < 2 || !x.dtype.is_float() {
        return Error::unsupported("batch_norm of rank below 2, or of integers");
    }
    let eps = c.float(7)?;
    let (weight, bias) = (c.optional_tensor(1)?, c.optional_tensor(2)?);
    Ok(vec![Item::Tensor(by_statistics(l, x, [weight, bias], [mean, variance], eps)?)])
}

/// `_native_batch_norm_legit_no_training(input, weight, bias, running_mean, running_var, momentum, eps)`; what training would save is empty.
fn native_batch_norm<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, mean, variance) = (c.tensor(0)?, c.tensor(3)?, c.tensor(4)?);
    if x.rank() < 2 || !x.dtype.is_float() {
        return Error::unsupported("batch_norm of rank below 2, or of integers");
    }
    let eps = c.float(6)?;
    let (weight, bias) = (c.optional_tensor(1)?, c.optional_tensor(2)?);
    let made = by_statistics(l, x, [weight, bias], [mean, variance], eps)?;
    let mut items = vec![Item::Tensor(made)];
    for i in 1..3 {
        let (dtype, sizes) = (c.result_dtype(i)?, [Dim::Known(0)]);
        let empty = l.empty(&sizes, dtype)?;
        items.push(Item::Tensor(TensorValue::new(empty, sizes.into_iter().collect(), dtype)));
    }
    Ok(items)
}

/// `(x - mean) / sqrt(variance + eps) * weight + bias`, all of the channels.
fn by_statistics<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    [weight, bias]: [Option<&TensorValue<'c>>; 2],
    [mean, variance]: [&TensorValue<'c>; 2],
    eps: f64,
) -> Result<TensorValue<'c>, Error> {
    let dtype = arithmetic_dtype(x.dtype);
    // Statistics of shape [c] become [c, 1, …], so that they broadcast from the right.
    let column = |l: &mut Lower<'c>, t: &TensorValue<'c>| {
        let channels = l.equal(&x.sizes[1], t.sizes.first().unwrap_or(&Dim::Known(1)))?;
        let mut sizes: SmallVec<[Dim; 6]> = SmallVec::from_elem(Dim::Known(1), x.rank() - 1);
        sizes[0] = channels;
        let t = l.cast(t, dtype)?;
        reshaped(l, &t, &sizes)
    };
    let (mean, variance) = (column(l, mean)?, column(l, variance)?);
    let weight = weight.map(|t| column(l, t)).transpose()?;
    let bias = bias.map(|t| column(l, t)).transpose()?;
    let scale = inverse_root(l, &variance, eps)?;
    let wide = l.cast(x, dtype)?;
    let sizes = l.broadcast(&[&wide.sizes, &mean.sizes])?;
    let centred = l.elementwise(&[&wide, &mean], &sizes, dtype, &mut |e, a| e.same("arith.subf", &[a[0], a[1]]))?;
    scaled(l, &centred, &scale, weight.as_ref(), bias.as_ref(), x.dtype)
}

/// `group_norm(input, num_groups, weight, bias, eps, cudnn_enabled)`
fn group_norm<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, groups) = (c.tensor(0)?.clone(), c.int(1)?);
    let channels = x.sizes.get(1).and_then(|d| d.known());
    let Some(each) = channels.filter(|n| groups > 0 && n % groups == 0 && x.dtype.is_float()).map(|n| n / groups)
    else {
        return Error::unsupported("group_norm of integers, or of channels that are no known multiple of the groups");
    };
    if each == 0 || x.sizes.iter().any(|d| d.known() == Some(0)) {
        return Error::unsupported("group_norm of nothing");
    }
    let (weight, bias, eps) = (c.optional_tensor(2)?, c.optional_tensor(3)?, c.float(4)?);
    let dtype = arithmetic_dtype(x.dtype);
    let wide = l.cast(&x, dtype)?;
    // [n, group, channel of the group, rest…]
    let mut split = SmallVec::<[Dim; 6]>::from_iter([x.sizes[0], Dim::Known(groups), Dim::Known(each)]);
    split.extend(x.sizes[2..].iter().cloned());
    let wide = reshaped(l, &wide, &split)?;
    let dims: Vec<usize> = (2..wide.rank()).collect();
    let n = count(&wide, &dims);
    let sum = fold(l, &wide, &dims, true, dtype, Fold::Sum, &|_, v| Ok(v))?;
    let mean = divided(l, &sum, &n)?;
    let centred = l.elementwise(&[&wide, &mean], &split, dtype, &mut |e, a| e.same("arith.subf", &[a[0], a[1]]))?;
    let squares = fold(l, &centred, &dims, true, dtype, Fold::Sum, &|e, v| e.same("arith.mulf", &[v, v]))?;
    let variance = divided(l, &squares, &n)?;
    let scale = inverse_root(l, &variance, eps)?;
    let column = |l: &mut Lower<'c>, t: &TensorValue<'c>| {
        l.equal(&x.sizes[1], t.sizes.first().unwrap_or(&Dim::Known(1)))?;
        let mut sizes: SmallVec<[Dim; 6]> = SmallVec::from_elem(Dim::Known(1), split.len() - 1);
        (sizes[0], sizes[1]) = (Dim::Known(groups), Dim::Known(each));
        let t = l.cast(t, dtype)?;
        reshaped(l, &t, &sizes)
    };
    let weight = weight.map(|t| column(l, t)).transpose()?;
    let bias = bias.map(|t| column(l, t)).transpose()?;
    let out = scaled(l, &centred, &scale, weight.as_ref(), bias.as_ref(), x.dtype)?;
    Ok(vec![Item::Tensor(reshaped(l, &out, &x.sizes)?)])
}
