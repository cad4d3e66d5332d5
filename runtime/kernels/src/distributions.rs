//! Draws by rejection: Poisson, binomial, gamma and Dirichlet numbers, as PyTorch's CPU generator makes them.

use crate::cast;
use crate::lanes::{result, tensor_arg};
use crate::mersenne::{Engine, default_generator, with_engine};
use crate::{Call, Error, Outputs, not_implemented};
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::smallvec;

/// One number for each element, drawn in row-major order.
fn draw(
    call: &Call<'_>,
    args: &[IValue],
    what: &str,
    mut f: impl FnMut(&mut Engine, usize) -> f64,
) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    if !dtype.is_float() {
        return Err(not_implemented(what, dtype));
    }
    let generator = args.iter().find_map(|v| if let IValue::Generator(g) = v { Some(g) } else { None });
    let n = crate::lanes::count(&sizes);
    let values = with_engine(generator.unwrap_or_else(|| default_generator()), |e| (0..n).map(|i| f(e, i)).collect());
    Ok(smallvec![cast::from_vec::<f64>(values, &sizes, dtype)?.into()])
}

/// By transformed rejection (Hörmann's PTRS); by multiplication where the mean is small.
fn poisson_number(e: &mut Engine, mean: f64) -> f64 {
    if mean == 0.0 {
        return 0.0;
    }
    if mean.is_nan() || mean < 10.0 {
        let (least, mut n, mut product) = ((-mean).exp(), 0.0, 1.0);
        loop {
            product *= e.uniform_double();
            if product.is_nan() || product <= least {
                return n;
            }
            n += 1.0;
        }
    }
    let root = mean.sqrt();
    let b = 0.931 + 2.53 * root;
    let a = -0.059 + 0.02483 * b;
    let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    let v_r = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let u = e.uniform_double() - 0.5;
        let v = e.uniform_double();
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + mean + 0.43).floor();
        if us >= 0.07 && v <= v_r {
            return k;
        }
        if k < 0.0 || (us < 0.013 && v > us) {
            continue;
        }
        if v.ln() + inverse_alpha.ln() - (a / (us * us) + b).ln() <= -mean + k * mean.ln() - libm::lgamma(k + 1.0) {
            return k;
        }
    }
}

/// The error of Stirling's formula for `k!`.
fn stirling_tail(k: f64) -> f64 {
    const SMALL: [f64; 10] = [
        0.0810614667953272,
        0.0413406959554092,
        0.0276779256849983,
        0.02079067210376509,
        0.0166446911898211,
        0.0138761288230707,
        0.0118967099458917,
        0.0104112652619720,
        0.00925546218271273,
        0.00833056343336287,
    ];
    if k <= 9.0 {
        return SMALL.get(k as usize).copied().unwrap_or(0.0);
    }
    let square = (k + 1.0) * (k + 1.0);
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / (k + 1.0)
}

/// By transformed rejection with squeeze (BTRS).
fn binomial_rejection(e: &mut Engine, n: f64, p: f64) -> f64 {
    let spread = (n * p * (1.0 - p)).sqrt();
    let b = 1.15 + 2.53 * spread;
    let a = -0.0873 + 0.0248 * b + 0.01 * p;
    let c = n * p + 0.5;
    let v_r = 0.92 - 4.2 / b;
    let r = p / (1.0 - p);
    let alpha = (2.83 + 5.1 / b) * spread;
    let m = ((n + 1.0) * p).floor();
    loop {
        let u = e.uniform_double() - 0.5;
        let v = e.uniform_double();
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + c).floor();
        if us >= 0.07 && v <= v_r {
            return k;
        }
        if k < 0.0 || k > n {
            continue;
        }
        let v = (v * alpha / (a / (us * us) + b)).ln();
        let bound = (m + 0.5) * ((m + 1.0) / (r * (n - m + 1.0))).ln()
            + (n + 1.0) * ((n - m + 1.0) / (n - k + 1.0)).ln()
            + (k + 0.5) * (r * (n - k + 1.0) / (k + 1.0)).ln()
            + stirling_tail(m)
            + stirling_tail(n - m)
            - stirling_tail(k)
            - stirling_tail(n - k);
        if v <= bound {
            return k;
        }
    }
}

/// By counting geometric waits.
fn binomial_inversion(e: &mut Engine, n: f64, p: f64) -> f64 {
    let (mut sum, mut hits) = (0.0, 0.0);
    let log = (-p).ln_1p();
    loop {
        sum += (e.uniform_double().ln() / log).ceil();
        if sum.is_nan() || sum > n {
            return hits;
        }
        hits += 1.0;
    }
}

fn binomial_number(e: &mut Engine, n: f64, p: f64) -> f64 {
    let some =
        |e: &mut Engine, p: f64| if n * p >= 10.0 { binomial_rejection(e, n, p) } else { binomial_inversion(e, n, p) };
    if n <= 0.0 || p <= 0.0 {
        0.0
    } else if p >= 1.0 {
        n
    } else if p <= 0.5 {
        some(e, p)
    } else if p > 0.5 {
        n - some(e, 1.0 - p)
    } else {
        f64::NAN
    }
}

/// Marsaglia and Tsang's method.
fn gamma_number(e: &mut Engine, alpha: f64) -> f64 {
    let mut scale = 1.0;
    let mut alpha = alpha;
    if alpha < 1.0 {
        if alpha == 0.0 {
            return 0.0;
        }
        scale *= (1.0 - e.uniform_double()).powf(1.0 / alpha);
        alpha += 1.0;
    }
    // A third in single precision, as PyTorch has it.
    let d = alpha - f64::from(1.0f32 / 3.0);
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let (x, y) = loop {
            let x = e.normal();
            let y = 1.0 + c * x;
            // Of what is no shape at all the number is none: NaN leaves the loop.
            if y > 0.0 || y.is_nan() {
                break (x, y);
            }
        };
        let v = y * y * y;
        let u = 1.0 - e.uniform_double();
        let xx = x * x;
        if u < 1.0 - 0.0331 * xx * xx || u.ln() < 0.5 * xx + d * (1.0 - v + v.ln()) {
            return scale * d * v;
        }
    }
}

/// (self, generator).
pub fn poisson(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let means = cast::to_vec::<f64>(tensor_arg(args, 0)?)?;
    if means.iter().any(|m| *m < 0.0) {
        return Err(Error::runtime("invalid Poisson rate, expected rate to be non-negative"));
    }
    draw(call, args, "poisson_cpu", |e, i| poisson_number(e, means[i]))
}

/// (count, prob, generator).
pub fn binomial(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let all = |i: usize| -> Result<Vec<f64>, Error> { cast::to_vec::<f64>(&tensor_arg(args, i)?.expand(&sizes)?) };
    let (counts, chances) = (all(0)?, all(1)?);
    draw(call, args, "binomial_cpu", |e, i| binomial_number(e, counts[i], chances[i]))
}

/// The least positive number of a dtype: gamma numbers are never zero.
fn least(dtype: DType) -> f64 {
    if dtype == DType::F64 { f64::MIN_POSITIVE } else { f64::from(f32::MIN_POSITIVE) }
}

/// (self, generator).
pub fn gamma(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let (alphas, least) = (cast::to_vec::<f64>(t)?, least(t.dtype()));
    draw(call, args, "gamma_cpu", |e, i| at_least(gamma_number(e, alphas[i]), least))
}

/// What is no number counts as the least.
fn at_least(x: f64, least: f64) -> f64 {
    if x > least { x } else { least }
}

/// (self, generator): gamma numbers, which sum to one along the last dimension.
pub fn dirichlet(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let (alphas, least) = (cast::to_vec::<f64>(t)?, least(t.dtype()));
    let most = 1.0 - if t.dtype() == DType::F64 { f64::EPSILON / 2.0 } else { f64::from(f32::EPSILON) / 2.0 };
    let n = t.sizes().last().copied().unwrap_or(1).max(1) as usize;
    let generator = args.iter().find_map(|v| if let IValue::Generator(g) = v { Some(g) } else { None });
    let mut values: Vec<f64> = with_engine(generator.unwrap_or_else(|| default_generator()), |e| {
        alphas.iter().map(|a| at_least(gamma_number(e, *a), least)).collect()
    });
    for row in values.chunks_mut(n) {
        let sum: f64 = row.iter().sum();
        row.iter_mut().for_each(|x| {
            *x = at_least(*x / sum, least).min(most);
        });
    }
    draw(call, args, "dirichlet", |_, i| values[i])
}

/// A fresh tensor of uniform numbers: (shape, low, high, dtype, …).
pub fn uniform_sized(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    filled("aten::uniform_", call, args)
}

/// A fresh tensor of normal numbers: (shape, mean, std, dtype, …).
pub fn normal_sized(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    filled("aten::normal_", call, args)
}

fn filled(name: &str, call: &Call<'_>, args: &[IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let number = |i: usize| -> Result<IValue, Error> { Ok(IValue::Double(crate::lanes::float_arg(args, i)?)) };
    let generator = args.last().cloned().unwrap_or(IValue::None);
    let out: Tensor = Tensor::zeros(&sizes, dtype)?;
    crate::compose::all(name, &[out.clone().into(), number(1)?, number(2)?, generator])?;
    Ok(smallvec![out.into()])
}
