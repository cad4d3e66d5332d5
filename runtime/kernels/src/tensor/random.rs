//! Random draws, bit-equal to PyTorch's on one CPU thread: the order of elements, the width of each draw, the rounding.

use crate::engine::arguments::{float_arg, format_at, one, result, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::cast::{Conversion, convert, to_vec};
use crate::engine::compose;
use crate::engine::lanes::in_order;
use crate::engine::layout::empty_for;
use crate::engine::number::Number;
use crate::engine::rows::Work;
use crate::{Call, Error, Outputs, arg, not_implemented};
use sconce_tensor::mersenne::{Engine, default_generator, with_engine};
use sconce_tensor::{DType, Generator, IValue, Sizes, Tensor};
use smallvec::smallvec;
use std::sync::Arc;

/// The generator argument, wherever the schema has it; without one the default generator.
pub fn generator(args: &[IValue]) -> &Arc<Generator> {
    let given = args.iter().find_map(|v| if let IValue::Generator(g) = v { Some(g) } else { None });
    given.unwrap_or_else(|| default_generator())
}

/// The same tensor with its dimensions in the order of memory, in which PyTorch draws.
fn in_memory_order(t: &Tensor) -> Result<Tensor, Error> {
    let mut dims: Vec<usize> = (0..t.dim()).collect();
    t.sort_outermost_first(&mut dims);
    let sizes: Sizes = dims.iter().map(|d| t.sizes()[*d]).collect();
    let strides: Sizes = dims.iter().map(|d| t.strides()[*d]).collect();
    Ok(t.as_strided(&sizes, &strides, t.storage_offset())?)
}

/// Writes `draw()`, converted, to every element in the order of the tensor's dimensions.
fn draw_in_order<W: Work>(t: &Tensor, what: &str, mut draw: impl FnMut() -> W) -> Result<(), Error> {
    const PIECE: usize = 64;
    let conversion = Conversion::between(W::DTYPE, t.dtype(), what)?;
    let (base, size, wide) = (t.storage_ptr(), t.dtype().size() as isize, size_of::<W>() as isize);
    let mut offsets = t.offsets();
    let mut drawn = [W::default(); PIECE];
    while offsets.len() > 0 {
        let now = &mut drawn[..PIECE.min(offsets.len())];
        now.iter_mut().for_each(|v| *v = draw());
        if t.is_contiguous() {
            let first = offsets.nth(now.len() - 1).map_or(0, |last| last as isize + 1 - now.len() as isize);
            // SAFETY: the elements of a contiguous tensor lie in its storage one after the other.
            unsafe { conversion.run(base.offset(first * size), size, now.as_ptr().cast(), wide, now.len()) };
            continue;
        }
        for (v, offset) in now.iter().zip(offsets.by_ref()) {
            // SAFETY: offsets of a tensor lie in its storage.
            unsafe { conversion.run(base.offset(offset as isize * size), size, std::ptr::from_ref(v).cast(), wide, 1) };
        }
    }
    t.bump_version();
    Ok(())
}

/// The same in the order of memory.
fn draw_each<W: Work>(t: &Tensor, what: &str, draw: impl FnMut() -> W) -> Result<(), Error> {
    draw_in_order(&in_memory_order(t)?, what, draw)
}

/// One uniform number of the dtype: 53 bits for f64, 24 for the others; scaled with one rounding, as PyTorch's vectorised build does.
fn uniform_of(e: &mut Engine, dtype: DType, from: f64, to: f64) -> f64 {
    if dtype == DType::F64 {
        return e.uniform_double().mul_add(to - from, from);
    }
    let (from, to) = (from as f32, to as f32);
    f64::from(e.uniform_float().mul_add(to - from, from))
}

pub fn floating(dtype: DType, what: &str) -> Result<(), Error> {
    if dtype.is_float() { Ok(()) } else { Err(not_implemented(what, dtype)) }
}

fn fill_uniform(t: &Tensor, from: f64, to: f64, g: &Generator) -> Result<(), Error> {
    let dtype = t.dtype();
    if dtype.is_complex() {
        return fill_uniform(&crate::tensor::view::as_pairs(t)?, from, to, g);
    }
    floating(dtype, "check_uniform_bounds")?;
    if from > to {
        return Err(Error::runtime(format!(
            "uniform_ expects to return a [from, to) range, but found from={from} > to={to}"
        )));
    }
    fill_each(t, "uniform_", g, |e| uniform_of(e, dtype, from, to))
}

pub fn fill_normal(t: &Tensor, mean: f64, std: f64, g: &Generator) -> Result<(), Error> {
    if std < 0.0 {
        return Err(Error::runtime(format!("normal expects std >= 0.0, but found std {std}")));
    }
    let dtype = t.dtype();
    if dtype.is_complex() {
        // Half the variance for each part.
        return fill_normal(&crate::tensor::view::as_pairs(t)?, mean, std / std::f64::consts::SQRT_2, g);
    }
    floating(dtype, "normal_kernel_cpu")?;
    with_engine(g, |e| {
        if t.numel() >= 16 && t.is_contiguous() {
            let values = match dtype {
                DType::F64 => normal_blocks64(t.numel(), t.numel(), e, mean, std),
                // The half types draw no uniforms for the elements that the last block draws anyway.
                DType::F16 | DType::BF16 => normal_blocks32(t.numel(), t.numel() / 16 * 16, e, mean, std),
                _ => normal_blocks32(t.numel(), t.numel(), e, mean, std),
            };
            let mut values = values.into_iter();
            draw_each(t, "normal_kernel_cpu", || values.next().unwrap_or(0.0))
        } else {
            draw_each(t, "normal_kernel_cpu", || e.normal() * std + mean)
        }
    })
}

/// Box and Muller on blocks of sixteen uniforms; when the count is not a multiple of sixteen the last sixteen are drawn afresh.
macro_rules! normal_blocks {
    ($name:ident, $t:ident, $uniform:ident) => {
        fn $name(n: usize, drawn: usize, e: &mut Engine, mean: f64, std: f64) -> Vec<f64> {
            let (mean, std) = (mean as $t, std as $t);
            let mut x: Vec<$t> = (0..n).map(|i| if i < drawn { e.$uniform() } else { 0.0 }).collect();
            let transform = |block: &mut [$t]| {
                for j in 0..8 {
                    let (u1, u2) = (1.0 - block[j], block[j + 8]);
                    let radius = (-2.0 * u1.ln()).sqrt();
                    let theta = 2.0 * std::$t::consts::PI * u2;
                    block[j] = radius * theta.cos() * std + mean;
                    block[j + 8] = radius * theta.sin() * std + mean;
                }
            };
            x.chunks_exact_mut(16).for_each(transform);
            if n % 16 != 0 {
                let tail = &mut x[n - 16..];
                tail.iter_mut().for_each(|v| *v = e.$uniform());
                transform(tail);
            }
            x.into_iter().map(f64::from).collect()
        }
    };
}

normal_blocks!(normal_blocks64, f64, uniform_double);
normal_blocks!(normal_blocks32, f32, uniform_float);

fn bounds_dtype() -> Error {
    Error::runtime("check_random_bounds handles only integral, floating-point and boolean types")
}

/// The bounds that the dtype holds; bool and the integers only, floats round.
fn check_bounds(dtype: DType, low: i64, range: u64) -> Result<(), Error> {
    if dtype.is_complex() {
        return Err(bounds_dtype());
    }
    let (least, most) = match dtype {
        DType::Bool => (0, 1),
        DType::I64 | DType::U64 => return Ok(()),
        d if d.is_int() => {
            let bits = 8 * d.size() as u32;
            if d.is_signed_int() { (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1) } else { (0, (1i64 << bits) - 1) }
        }
        _ => return Ok(()),
    };
    let outside = |v: i64| !(least..=most).contains(&v);
    if outside(low) {
        return Err(Error::runtime(format!("from is out of bounds for {}", crate::engine::number::cpp_name(dtype))));
    }
    if outside(low.wrapping_add(range.wrapping_sub(1) as i64)) {
        return Err(Error::runtime(format!("to - 1 is out of bounds for {}", crate::engine::number::cpp_name(dtype))));
    }
    Ok(())
}

/// Whole numbers from `low`, `range` of them; 0 stands for all of 64 bits.
fn fill_integers(t: &Tensor, low: i64, range: u64, g: &Generator) -> Result<(), Error> {
    check_bounds(t.dtype(), low, range)?;
    with_engine(g, |e| draw_each(t, "random_from_to", || low.wrapping_add(e.below(range) as i64)))
}

fn integer_range(low: i64, high: i64) -> Result<u64, Error> {
    if low >= high {
        return Err(Error::runtime(format!(
            "random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )));
    }
    Ok(high.wrapping_sub(low) as u64)
}

/// The largest whole number that `random_` without bounds draws.
fn largest(dtype: DType) -> i64 {
    match dtype {
        DType::F64 => 1 << 53,
        DType::F32 => 1 << 24,
        DType::F16 => 1 << 11,
        DType::BF16 => 1 << 8,
        DType::Bool => 1,
        DType::I64 | DType::U64 => i64::MAX,
        d => {
            let bits = 8 * d.size() as u32 - u32::from(d.is_signed_int());
            (1i64 << bits) - 1
        }
    }
}

/// (self, generator), (self, from, to, generator), (self, to, generator): the bounds that are given.
fn fill_random(t: &Tensor, args: &[IValue], g: &Generator) -> Result<(), Error> {
    let dtype = t.dtype();
    if dtype.is_complex() {
        return Err(if args.len() > 2 { bounds_dtype() } else { not_implemented("random_kernel_cpu", dtype) });
    }
    let top = largest(dtype);
    let (low, range) = match args {
        [_, IValue::Int(from), IValue::Int(to), ..] => (*from, integer_range(*from, *to)?),
        [_, IValue::Int(from), IValue::None, _, ..] => (*from, (top.wrapping_sub(*from) as u64).wrapping_add(1)),
        [_, IValue::Int(to), ..] => (0, integer_range(0, *to)?),
        _ => {
            return with_engine(g, |e| {
                // Without bounds the width of a draw follows the dtype.
                let wide = matches!(dtype, DType::I64 | DType::U64 | DType::F64);
                let range = (top as u64).wrapping_add(1);
                draw_each(t, "random_", || {
                    let word = if wide { e.u64() } else { u64::from(e.u32()) };
                    (word % range) as i64
                })
            });
        }
    };
    fill_integers(t, low, range, g)
}

fn probability(p: f64) -> Result<f64, Error> {
    if (0.0..=1.0).contains(&p) {
        return Ok(p);
    }
    Err(Error::runtime(format!("bernoulli_ expects p to be in [0, 1], but got p={p}")))
}

fn fill_bernoulli(t: &Tensor, p: f64, g: &Generator) -> Result<(), Error> {
    let p = probability(p)?;
    if t.dtype().is_complex() {
        return Err(not_implemented("bernoulli_scalar_cpu_", t.dtype()));
    }
    with_engine(g, |e| draw_each(t, "bernoulli_scalar_cpu_", || i64::from(e.uniform_double() < p)))
}

fn fill_bernoulli_tensor(t: &Tensor, p: &Tensor, g: &Generator) -> Result<(), Error> {
    if t.dtype().is_complex() {
        return Err(not_implemented("bernoulli_tensor_cpu_self_", t.dtype()));
    }
    floating(p.dtype(), "bernoulli_tensor_cpu_p_")?;
    let wide = p.dtype() == DType::F64;
    // As many as the broadcast has, of which an empty tensor takes none.
    let p = if t.numel() == 0 { t.alias() } else { p.expand(t.sizes())? };
    let probabilities = to_vec::<f64>(&p)?;
    for p in &probabilities {
        probability(*p)?;
    }
    let mut probabilities = probabilities.into_iter();
    with_engine(g, |e| {
        draw_in_order(t, "bernoulli_tensor_cpu_self_", || {
            let p = probabilities.next().unwrap_or(0.0);
            i64::from(if wide { e.uniform_double() < p } else { e.uniform_float() < p as f32 })
        })
    })
}

fn fill_exponential(t: &Tensor, lambda: f64, g: &Generator) -> Result<(), Error> {
    let dtype = t.dtype();
    if !dtype.is_float() {
        return Err(Error::runtime(format!(
            "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you specified {}",
            dtype.graph_name()
        )));
    }
    if lambda.is_nan() || lambda <= 0.0 {
        return Err(Error::runtime(format!("exponential_ expects lambda > 0.0, but found lambda={lambda}")));
    }
    fill_each(t, "exponential_cpu", g, |e| -(1.0 - e.uniform_double()).ln() / lambda)
}

/// How a tensor is filled, by a call's arguments.
pub type Fill = fn(&Tensor, &[IValue], &Generator) -> Result<(), Error>;

fn int_at(args: &[IValue], i: usize) -> Result<i64, Error> {
    Number::from_value(arg(args, i)?)?.to_i64()
}

/// Into the first argument.
pub fn inplace(_: &Call<'_>, args: &mut [IValue], fill: Fill) -> Result<Outputs, Error> {
    fill(tensor_arg(args, 0)?, args, generator(args))?;
    Ok(smallvec![args[0].clone()])
}

/// Into a new tensor like the first argument.
pub fn like(_: &Call<'_>, args: &mut [IValue], fill: Fill) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let out = empty_for(t, t.dtype(), None)?;
    fill(&out, args, generator(args))?;
    one(out)
}

/// Into one of the rule's dtype and of the memory format that is the last argument.
fn like_in_format(call: &Call<'_>, args: &mut [IValue], fill: Fill) -> Result<Outputs, Error> {
    let (_, dtype) = result(call.metas, 0)?;
    let out = empty_for(tensor_arg(args, 0)?, dtype, format_at(args, args.len() - 1)?)?;
    fill(&out, args, generator(args))?;
    one(out)
}

/// Into one of the rule's sizes.
fn fresh(call: &Call<'_>, args: &mut [IValue], fill: Fill) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let out = Tensor::zeros(&sizes, dtype)?;
    fill(&out, args, generator(args))?;
    one(out)
}

/// Whole numbers between two bounds.
fn fill_between(t: &Tensor, low: i64, high: i64, g: &Generator) -> Result<(), Error> {
    fill_integers(t, low, integer_range(low, high)?, g)
}

kernels! {
    /// (self, from, to, generator).
    uniform_inplace = inplace, |t, a, g| fill_uniform(t, float_arg(a, 1)?, float_arg(a, 2)?, g);
    uniform = like, |t, a, g| fill_uniform(t, float_arg(a, 1)?, float_arg(a, 2)?, g);
    /// (self, mean, std, generator).
    normal_inplace = inplace, |t, a, g| fill_normal(t, float_arg(a, 1)?, float_arg(a, 2)?, g);
    normal = like, |t, a, g| fill_normal(t, float_arg(a, 1)?, float_arg(a, 2)?, g);
    /// (mean, std, size, …).
    normal_sized = fresh, |t, a, g| fill_normal(t, float_arg(a, 0)?, float_arg(a, 1)?, g);
    /// (self, [[from,] to,] generator).
    random_inplace = inplace, fill_random;
    random = like, fill_random;
    /// (self, p, generator).
    bernoulli_inplace = inplace, |t, a, g| fill_bernoulli(t, float_arg(a, 1)?, g);
    bernoulli_p = like, |t, a, g| fill_bernoulli(t, float_arg(a, 1)?, g);
    /// (self, p, generator), a probability for each element.
    bernoulli_tensor_inplace = inplace, |t, a, g| fill_bernoulli_tensor(t, tensor_arg(a, 1)?, g);
    bernoulli_tensor = like, |t, a, g| fill_bernoulli_tensor(t, tensor_arg(a, 1)?, g);
    /// (self, generator): each element is its own probability.
    bernoulli = like, |t, a, g| fill_bernoulli_tensor(t, tensor_arg(a, 0)?, g);
    /// (self, lambda, generator).
    exponential_inplace = inplace, |t, a, g| fill_exponential(t, float_arg(a, 1)?, g);
    exponential = like, |t, a, g| fill_exponential(t, float_arg(a, 1)?, g);
    /// (size, …).
    rand = fresh, |t, _, g| fill_uniform(t, 0.0, 1.0, g);
    randn = fresh, |t, _, g| fill_normal(t, 0.0, 1.0, g);
    /// ([low,] high, size, …).
    randint = fresh, |t, a, g| fill_between(t, 0, int_at(a, 0)?, g);
    randint_low = fresh, |t, a, g| fill_between(t, int_at(a, 0)?, int_at(a, 1)?, g);
    /// (self, …, memory_format).
    rand_like = like_in_format, |t, _, g| fill_uniform(t, 0.0, 1.0, g);
    randn_like = like_in_format, |t, _, g| fill_normal(t, 0.0, 1.0, g);
    /// (self, [low,] high, …, memory_format).
    randint_like = like_in_format, |t, a, g| fill_between(t, 0, int_at(a, 1)?, g);
    randint_like_low = like_in_format, |t, a, g| fill_between(t, int_at(a, 1)?, int_at(a, 2)?, g);
}

/// (size, …, out), drawn into the destination as it lies: what has gaps is drawn one by one.
pub fn randn_out(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let out = args.last().ok_or_else(|| Error::runtime("randn: a destination is needed"))?.as_tensor()?.clone();
    if out.sizes() != &*sizes {
        crate::engine::layout::resize(&out, &sizes)?;
    }
    fill_normal(&out, 0.0, 1.0, generator(args))?;
    out.bump_version();
    one(out)
}

/// (n, …).
pub fn randperm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let n = sizes[0];
    // Allocated by the tensor first, which refuses what memory does not hold.
    let mut order = Tensor::zeros(&[n], DType::I64)?.to_vec::<i64>();
    order.iter_mut().zip(0..).for_each(|(o, i)| *o = i);
    with_engine(generator(args), |e| {
        for i in 0..order.len().saturating_sub(1) {
            let z = e.u32() as usize % (order.len() - i);
            order.swap(i, i + z);
        }
    });
    one(convert(&Tensor::from_vec(order, &[n]), dtype)?)
}

/// (self, num_samples, replacement, generator): rows of weights.
pub fn multinomial(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let t = arg(args, 0)?.as_tensor()?;
    floating(t.dtype(), "multinomial").map_err(|_| {
        Error::runtime(format!(
            "multinomial only supports floating-point dtypes for input, got: {}",
            t.dtype().graph_name()
        ))
    })?;
    let samples = usize::try_from(arg(args, 1)?.as_int()?).unwrap_or(0);
    let replacement = arg(args, 2)?.as_bool()?;
    let categories = t.sizes().last().map_or(0, |n| *n as usize);
    if !replacement && samples > categories {
        return Err(Error::runtime("cannot sample n_sample > prob_dist.size(-1) samples without replacement"));
    }
    if categories == 0 {
        return Err(Error::runtime(
            "invalid multinomial distribution (with replacement=True, not enough non-negative category to sample)",
        ));
    }
    let weights = to_vec::<f64>(t)?;
    if replacement && samples > 1 && weights.iter().any(|w| *w < 0.0) {
        return Err(Error::runtime("invalid multinomial distribution (encountering probability entry < 0)"));
    }
    if weights.iter().any(|w| !w.is_finite() || *w < 0.0) {
        return Err(Error::runtime("probability tensor contains either `inf`, `nan` or element < 0"));
    }
    let mut rows = weights.chunks_exact(categories.max(1));
    if rows.any(|row| row.iter().sum::<f64>() == 0.0) {
        return Err(Error::runtime("invalid multinomial distribution (sum of probabilities <= 0)"));
    }
    let narrow = |x: f64| if t.dtype() == DType::F64 { x } else { f64::from(x as f32) };
    let mut out: Vec<i64> = Vec::new();
    with_engine(generator(args), |e| {
        let exponentials: Vec<f64> = if replacement && samples > 1 {
            Vec::new()
        } else {
            weights.iter().map(|_| narrow(-(1.0 - e.uniform_double()).ln())).collect()
        };
        for (i, row) in weights.chunks_exact(categories.max(1)).enumerate() {
            if replacement && samples > 1 {
                let mut sum = 0.0;
                let mut cumulative: Vec<f64> = row
                    .iter()
                    .map(|w| {
                        sum = narrow(sum + w);
                        sum
                    })
                    .collect();
                cumulative.iter_mut().for_each(|c| *c = narrow(*c / sum));
                for _ in 0..samples {
                    let u = e.uniform_double();
                    out.push(cumulative.partition_point(|c| *c < u).min(categories - 1) as i64);
                }
            } else {
                // The largest ratios of weight to exponential draw.
                let draws = &exponentials[i * categories..(i + 1) * categories];
                let ratio: Vec<f64> = row.iter().zip(draws).map(|(w, x)| narrow(w / x)).collect();
                let order = in_order(categories, &|a, b| ratio[b].total_cmp(&ratio[a]));
                out.extend(order[..samples].iter().map(|c| *c as i64));
            }
        }
    });
    one(Tensor::from_vec(out, &sizes))
}

/// `t * mask / keep`, rounded to the dtype after each step.
fn scaled(t: &Tensor, mask: &Tensor, keep: f64) -> Result<Tensor, Error> {
    let scale = compose::tensor("aten::div.Scalar", &[mask.clone().into(), IValue::Double(keep)])?;
    compose::tensor("aten::mul.Tensor", &[t.clone().into(), convert(&scale, t.dtype())?.into()])
}

/// A tensor without the elements that are drawn with probability `p`, the others scaled; the tensor itself when nothing is dropped.
pub(crate) fn without(t: &Tensor, p: f64) -> Result<Tensor, Error> {
    if p == 0.0 || t.numel() == 0 {
        return Ok(t.clone());
    }
    // Ones and zeros.
    let mask = empty_for(t, t.dtype(), None)?;
    if p == 1.0 {
        return scaled(t, &mask, 1.0);
    }
    fill_bernoulli(&mask, 1.0 - p, default_generator())?;
    scaled(t, &mask, 1.0 - p)
}

/// The input itself when nothing is dropped.
pub fn dropout(t: &Tensor, p: f64, train: bool) -> Result<Tensor, Error> {
    if !(0.0..=1.0).contains(&p) {
        return Err(Error::runtime(format!("dropout probability has to be between 0 and 1, but got {p}")));
    }
    if train { without(t, p) } else { Ok(t.clone()) }
}

/// Into the input.
pub fn dropout_inplace(t: &Tensor, p: f64, train: bool) -> Result<Tensor, Error> {
    crate::tensor::copy::write(t, &dropout(t, p, train)?)?;
    Ok(t.clone())
}

/// Writes a number to each element, one draw after another, whatever its dtype.
pub fn fill_each(t: &Tensor, what: &str, g: &Generator, mut draw: impl FnMut(&mut Engine) -> f64) -> Result<(), Error> {
    with_engine(g, |e| draw_each(t, what, || draw(e)))
}

/// (seed): the default generator's.
pub fn manual_seed(seed: i64) {
    sconce_tensor::mersenne::manual_seed(seed as u64);
}

/// (generator, seed): the generator.
pub fn manual_seed_generator(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let seed = arg(args, 1)?.as_int()? as u64;
    with_engine(arg(args, 0)?.as_generator()?, |e| e.reseed(seed));
    Ok(smallvec![args[0].clone()])
}
