//! Draws by rejection: Poisson, binomial, gamma and Dirichlet numbers, as PyTorch's CPU generator makes them.

use crate::incomplete_gamma::stirling_remainder;
use sconce_kernels::engine::arguments::{result, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::functions::lgamma;
use sconce_kernels::{Call, Error, Outputs, not_implemented};
use sconce_tensor::mersenne::{Engine, default_generator, with_engine};
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
    let n = sconce_kernels::engine::lanes::count(&sizes);
    let values = with_engine(generator.unwrap_or_else(|| default_generator()), |e| (0..n).map(|i| f(e, i)).collect());
    Ok(smallvec![cast::from_vec::<f64>(values, &sizes, dtype)?.into()])
}

/// Means and expected counts from which rejection is worth its preparation; the hats are not made for smaller ones.
const MANY: f64 = 10.0;

/// The hat of transformed rejection: a uniform number, bent so that its density lies close above that of the counts.
///
/// W. Hörmann, "The transformed rejection method for generating Poisson random variables", Insurance: Mathematics and
/// Economics 12 (1993), and "The generation of binomial random variates", Journal of Statistical Computation and
/// Simulation 46 (1993). The numbers below are theirs: which counts come out for a seed depends on every one of them.
struct Hat {
    /// How steeply the ends rise.
    bend: f64,
    width: f64,
    centre: f64,
    /// The height under which everything but the ends is below the density.
    sure: f64,
    /// What a height is multiplied by to be compared with the density.
    scale: f64,
    largest: f64,
}

impl Hat {
    /// Tries, with two uniform numbers each, until one is below the density, whose logarithm at a count `ln_density`
    /// gives.
    fn count(&self, e: &mut Engine, ln_density: impl Fn(f64) -> f64) -> f64 {
        loop {
            let u = e.uniform_double() - 0.5;
            let height = e.uniform_double();
            let edge = 0.5 - u.abs();
            let k = ((2.0 * self.bend / edge + self.width) * u + self.centre).floor();
            if edge >= 0.07 && height <= self.sure {
                return k;
            }
            let slope = self.bend / (edge * edge) + self.width;
            if (0.0..=self.largest).contains(&k) && (height * self.scale / slope).ln() <= ln_density(k) {
                return k;
            }
        }
    }
}

/// A Poisson number.
fn poisson_number(e: &mut Engine, mean: f64) -> f64 {
    if mean == 0.0 {
        return 0.0;
    }
    if mean >= MANY {
        let width = 0.931 + 2.53 * mean.sqrt();
        let hat = Hat {
            bend: -0.059 + 0.02483 * width,
            width,
            centre: mean + 0.43,
            sure: 0.9277 - 3.6224 / (width - 2.0),
            scale: 1.1239 + 1.1328 / (width - 3.4),
            largest: f64::INFINITY,
        };
        let ln_mean = mean.ln();
        return hat.count(e, |k| k * ln_mean - mean - lgamma(k + 1.0));
    }
    // Times between events are exponential: there are as many events as uniform numbers can be multiplied before the
    // product is below e⁻ᵐ.
    let end = (-mean).exp();
    let (mut product, mut events) = (e.uniform_double(), 0.0);
    while product > end {
        product *= e.uniform_double();
        events += 1.0;
    }
    events
}

/// How many of `n` trials succeed.
fn binomial_number(e: &mut Engine, n: f64, p: f64) -> f64 {
    if n <= 0.0 || p <= 0.0 {
        0.0
    } else if p >= 1.0 || n.is_nan() {
        n
    } else if p.is_nan() {
        p
    } else if p <= 0.5 {
        successes(e, n, p)
    } else {
        n - successes(e, n, 1.0 - p)
    }
}

/// How many of `n` trials succeed whose chance is at most a half.
fn successes(e: &mut Engine, n: f64, p: f64) -> f64 {
    if n * p >= MANY {
        return many_successes(e, n, p);
    }
    // The trials up to and with the next success are geometrically distributed (L. Devroye, "Non-Uniform Random Variate
    // Generation", 1986, X.4.3).
    let ln_failure = (-p).ln_1p();
    let (mut trials, mut count) = (0.0, 0.0);
    loop {
        trials += (e.uniform_double().ln() / ln_failure).ceil();
        if trials > n {
            return count;
        }
        count += 1.0;
    }
}

/// [`successes`] by rejection.
fn many_successes(e: &mut Engine, n: f64, p: f64) -> f64 {
    let deviation = (n * p * (1.0 - p)).sqrt();
    let width = 1.15 + 2.53 * deviation;
    let hat = Hat {
        bend: -0.0873 + 0.0248 * width + 0.01 * p,
        width,
        centre: n * p + 0.5,
        sure: 0.92 - 4.2 / width,
        scale: (2.83 + 5.1 / width) * deviation,
        largest: n,
    };
    // The chance of k successes over that of the likeliest number, as the second paper groups it: with Stirling's
    // formula for the factorials, of which `rest` is what it lacks. With the most trials the rounding of these very
    // terms decides.
    let mode = ((n + 1.0) * p).floor();
    let odds = p / (1.0 - p);
    let misses = |k: f64| n - k + 1.0;
    let rest = |k: f64| stirling_remainder(k + 1.0) + stirling_remainder(misses(k));
    let at_mode = (mode + 0.5) * ((mode + 1.0) / (odds * misses(mode))).ln() + rest(mode);
    hat.count(e, |k| {
        let common = (n + 1.0) * (misses(mode) / misses(k)).ln();
        at_mode + common + (k + 0.5) * (odds * misses(k) / (k + 1.0)).ln() - rest(k)
    })
}

/// A standard gamma number (G. Marsaglia and W. W. Tsang, "A simple method for generating gamma variables", ACM
/// Transactions on Mathematical Software 26, 2000).
fn gamma_number(e: &mut Engine, alpha: f64) -> f64 {
    if alpha == 0.0 {
        return 0.0;
    }
    // The method is for shapes from 1: a smaller one is that of the next shape, made less (section 6 of the paper).
    let (shape, less) =
        if alpha < 1.0 { (alpha + 1.0, (1.0 - e.uniform_double()).powf(1.0 / alpha)) } else { (alpha, 1.0) };
    // A third in single precision, as the recorded numbers show.
    let d = shape - f64::from(1.0f32 / 3.0);
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = e.normal();
        let root = 1.0 + c * x;
        if root <= 0.0 {
            continue;
        }
        let v = root * root * root;
        let u = 1.0 - e.uniform_double();
        let x2 = x * x;
        if u < 1.0 - 0.0331 * x2 * x2 || u.ln() < 0.5 * x2 + d * (1.0 - v + v.ln()) {
            return less * d * v;
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
    let number = |i: usize| -> Result<IValue, Error> {
        Ok(IValue::Double(sconce_kernels::engine::arguments::float_arg(args, i)?))
    };
    let generator = args.last().cloned().unwrap_or(IValue::None);
    let out: Tensor = Tensor::zeros(&sizes, dtype)?;
    sconce_kernels::engine::compose::all(name, &[out.clone().into(), number(1)?, number(2)?, generator])?;
    Ok(smallvec![out.into()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_numbers_of_some_seeds() {
        let seeded = |seed: u64, draw: &dyn Fn(&mut Engine) -> Vec<f64>| draw(&mut Engine::new(seed));
        let means = [0.5, 2.0, 30.0];
        for (seed, want) in [(64, [0.0, 2.0, 21.0]), (474, [0.0, 2.0, 29.0])] {
            assert_eq!(seeded(seed, &|e| means.map(|m| poisson_number(e, m)).to_vec()), want);
        }
        let trials = [(10.0, 0.30078125), (3.0, 0.5)];
        assert_eq!(seeded(384, &|e| trials.map(|(n, p)| binomial_number(e, n, p)).to_vec()), [2.0, 1.0]);
        let got = seeded(50, &|e| [2.75, -0.5, 0.625].map(|a| gamma_number(e, a)).to_vec());
        for (got, want) in got.iter().zip([0x404d_6517u32, 0x3f88_765a, 0x3bd6_282c]) {
            let want = f64::from(f32::from_bits(want));
            assert!((got - want).abs() < 1e-6 * want, "{got} {want}");
        }
    }

    /// Mean and variance of many draws, against what they should be.
    fn moments(name: &str, mean: f64, variance: f64, mut draw: impl FnMut(&mut Engine) -> f64) {
        const DRAWS: usize = 20_000;
        let mut e = Engine::new(1234);
        let numbers: Vec<f64> = (0..DRAWS).map(|_| draw(&mut e)).collect();
        let got_mean = numbers.iter().sum::<f64>() / DRAWS as f64;
        let got_variance = numbers.iter().map(|x| (x - got_mean).powi(2)).sum::<f64>() / DRAWS as f64;
        let deviation = (variance / DRAWS as f64).sqrt();
        assert!((got_mean - mean).abs() < 4.0 * deviation, "{name}: mean {got_mean} for {mean}");
        assert!((got_variance / variance - 1.0).abs() < 0.1, "{name}: variance {got_variance} for {variance}");
    }

    #[test]
    fn means_and_variances() {
        for mean in [0.3, 4.0, 9.9, 10.0, 55.5, 1e5] {
            moments("poisson", mean, mean, |e| poisson_number(e, mean));
        }
        for (n, p) in [(7.0, 0.2), (7.0, 0.8), (100.0, 0.05), (100.0, 0.3), (100.0, 0.7), (1e6, 0.5), (1e9, 1e-8)] {
            moments("binomial", n * p, n * p * (1.0 - p), |e| binomial_number(e, n, p));
        }
        for alpha in [0.3, 0.99, 1.0, 2.5, 40.0, 1e6] {
            moments("gamma", alpha, alpha, |e| gamma_number(e, alpha));
        }
    }

    #[test]
    fn what_needs_no_draw_takes_none() {
        let mut e = Engine::new(3);
        assert_eq!(poisson_number(&mut e, 0.0), 0.0);
        assert_eq!(binomial_number(&mut e, 5.0, 0.0), 0.0);
        assert_eq!(binomial_number(&mut e, 5.0, 1.0), 5.0);
        assert_eq!(binomial_number(&mut e, 0.0, f64::NAN), 0.0);
        assert!(binomial_number(&mut e, 5.0, f64::NAN).is_nan() && binomial_number(&mut e, f64::NAN, 0.5).is_nan());
        assert_eq!(gamma_number(&mut e, 0.0), 0.0);
        assert_eq!(e.u32(), Engine::new(3).u32());
    }
}
