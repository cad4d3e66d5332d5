//! Special functions in f64 and their kernels, and complex functions where the textbook formula overflows or loses the sign of zero.

pub use crate::incomplete_gamma::{gammainc, gammaincc};
pub use crate::polygamma::{polygamma, zeta};
use sconce_kernels::engine::arguments::{int_arg, result, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::elementwise;
use sconce_kernels::engine::functions::lgamma;
use sconce_kernels::{Call, Error, Outputs};
use sconce_polynomials::wide::erfinv;
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::smallvec;
use std::f64::consts::PI;

/// Modified Bessel function of order 0 or 1, times `exp(-|x|)`.
pub fn bessel_i_scaled(order: u32, x: f64) -> f64 {
    let ax = x.abs();
    let value = if ax <= 30.0 {
        // Power series of positive terms.
        let q = ax * ax / 4.0;
        let (mut term, mut sum) = (if order == 0 { 1.0 } else { ax / 2.0 }, 0.0);
        for k in 1..200 {
            sum += term;
            term *= q / (f64::from(k) * f64::from(k + order as i32));
            if term < sum * 1e-18 {
                break;
            }
        }
        (sum + term) * (-ax).exp()
    } else if ax.is_infinite() {
        0.0
    } else {
        let mu = 4.0 * f64::from(order * order);
        let (mut term, mut sum) = (1.0f64, 1.0);
        for k in 1..30 {
            let odd = f64::from(2 * k - 1);
            let next = term * -(mu - odd * odd) / (f64::from(k) * 8.0 * ax);
            if next.abs() >= term.abs() {
                break;
            }
            term = next;
            sum += term;
        }
        sum / (2.0 * PI * ax).sqrt()
    };
    if order == 1 && x < 0.0 { -value } else { value }
}

pub fn i0(x: f64) -> f64 {
    // At infinity PyTorch multiplies zero by it.
    if x.is_infinite() { f64::NAN } else { bessel_i_scaled(0, x) * x.abs().exp() }
}

pub fn i1(x: f64) -> f64 {
    bessel_i_scaled(1, x) * x.abs().exp()
}

/// Quantile of the standard normal distribution.
pub fn ndtri(p: f64) -> f64 {
    std::f64::consts::SQRT_2 * erfinv(2.0 * p - 1.0)
}

/// `log(erfc(-x / sqrt 2) / 2)`.
pub fn log_ndtr(x: f64) -> f64 {
    let t = x * std::f64::consts::FRAC_1_SQRT_2;
    if x < -1.0 { (erfcx(-t) / 2.0).ln() - t * t } else { (-libm::erfc(t) / 2.0).ln_1p() }
}

/// `exp(x²) erfc(x)`.
pub fn erfcx(x: f64) -> f64 {
    if x < 25.0 {
        if x < -26.7 {
            return f64::INFINITY;
        }
        if x < 2.0 {
            return (x * x).exp() * libm::erfc(x);
        }
    }
    // Continued fraction by backward recurrence: converges fast from 2 upwards.
    let mut f = 0.0;
    for k in (1..=120).rev() {
        f = f64::from(k) / 2.0 / (x + f);
    }
    1.0 / (PI.sqrt() * (x + f))
}

/// Modified Bessel function of the second kind times `exp(x)`: the trapezoid rule on its integral, which converges exponentially.
pub fn bessel_k_scaled(order: f64, x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::INFINITY;
    }
    if x.is_infinite() {
        return 0.0;
    }
    const STEP: f64 = 0.0625;
    let mut sum = 0.5;
    for k in 1..1000 {
        let t = f64::from(k) * STEP;
        let exponent = -x * (t.cosh() - 1.0) + order * t;
        if exponent < -60.0 && t > 1.0 {
            break;
        }
        sum += (-x * (t.cosh() - 1.0)).exp() * (order * t).cosh();
    }
    sum * STEP
}

/// Airy function Ai.
pub fn airy_ai(x: f64) -> f64 {
    if x.is_nan() || x == f64::NEG_INFINITY {
        return f64::NAN;
    }
    if x > 103.892 {
        return 0.0;
    }
    if x > 1.0 {
        let z = 2.0 / 3.0 * x * x.sqrt();
        return (x / 3.0).sqrt() / PI * bessel_k_scaled(1.0 / 3.0, z) * (-z).exp();
    }
    if x > -7.0 {
        // Maclaurin: two series whose terms are multiplied by x cubed.
        let cube = x * x * x;
        let (mut f, mut g) = (1.0, x);
        let (mut a, mut b) = (1.0, x);
        for k in 1..80 {
            let n = 3.0 * f64::from(k);
            a *= cube / ((n - 1.0) * n);
            b *= cube / (n * (n + 1.0));
            f += a;
            g += b;
        }
        return 0.355_028_053_887_817_2 * f - 0.258_819_403_792_806_8 * g;
    }
    // Asymptotic expansion of the oscillating side.
    let y = -x;
    let z = 2.0 / 3.0 * y * y.sqrt();
    let (mut u, mut even, mut odd) = (1.0, 1.0, 0.0);
    for k in 1..14 {
        let m = f64::from(k);
        u *= (6.0 * m - 5.0) * (6.0 * m - 3.0) * (6.0 * m - 1.0) / (216.0 * m * (2.0 * m - 1.0)) / z;
        match k % 4 {
            1 => odd += u,
            2 => even -= u,
            3 => odd -= u,
            _ => even += u,
        }
    }
    let phase = z + PI / 4.0;
    (phase.sin() * even - phase.cos() * odd) / (PI.sqrt() * y.sqrt().sqrt())
}

/// A family of polynomials by its three-term recurrence.
#[derive(Clone, Copy)]
enum Family {
    ChebyshevT,
    ChebyshevU,
    ChebyshevV,
    ChebyshevW,
    HermiteH,
    HermiteHe,
    Laguerre,
    Legendre,
}

fn polynomial(family: Family, x: f64, n: f64) -> f64 {
    // A degree that no integer has is converted to the smallest one.
    let n = if n.abs() < i64::MAX as f64 { n as i64 } else { i64::MIN };
    if n < 0 {
        return 0.0;
    }
    let first = match family {
        Family::ChebyshevT | Family::HermiteHe | Family::Legendre => x,
        Family::ChebyshevU | Family::HermiteH => 2.0 * x,
        Family::ChebyshevV => 2.0 * x - 1.0,
        Family::ChebyshevW => 2.0 * x + 1.0,
        Family::Laguerre => 1.0 - x,
    };
    let (mut p, mut q) = (1.0, first);
    if n == 0 {
        return p;
    }
    // A degree that no double can hold the value of is cut off by the values themselves.
    for k in 2..=n.min(1 << 16) {
        let m = k as f64;
        let r = match family {
            Family::HermiteH => 2.0 * x * q - 2.0 * (m - 1.0) * p,
            Family::HermiteHe => x * q - (m - 1.0) * p,
            Family::Laguerre => ((2.0 * m - 1.0 - x) * q - (m - 1.0) * p) / m,
            Family::Legendre => ((2.0 * m - 1.0) * x * q - (m - 1.0) * p) / m,
            _ => 2.0 * x * q - p,
        };
        (p, q) = (q, r);
        if q.is_nan() {
            break;
        }
    }
    q
}

/// The dtype of the result, where the operands are real.
fn real_result(call: &Call<'_>) -> Result<(Sizes, DType), Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    if dtype.is_complex() {
        let name = call.entry.base_name();
        let name = name.split("::").last().unwrap_or(name).trim_start_matches("special_").trim_end_matches('_');
        return Err(sconce_kernels::not_implemented(&format!("{name}_cpu"), dtype));
    }
    Ok((sizes, dtype))
}

fn laid(out: Tensor, strides: &[i64]) -> Result<Outputs, Error> {
    if out.strides() == strides {
        return Ok(smallvec![IValue::Tensor(out)]);
    }
    let moved = elementwise::empty_strided(out.sizes(), strides, out.dtype())?;
    moved.copy_bytes_from(&out)?;
    Ok(smallvec![IValue::Tensor(moved)])
}

fn map(call: &Call<'_>, t: &Tensor, f: impl Fn(f64) -> f64) -> Result<Outputs, Error> {
    let (sizes, dtype) = real_result(call)?;
    let data: Vec<f64> = cast::to_vec::<f64>(t)?.into_iter().map(f).collect();
    laid(cast::from_vec(data, &sizes, dtype)?, &elementwise::result_strides(&sizes, &[t]))
}

fn zip(call: &Call<'_>, args: &[IValue], f: impl Fn(f64, f64) -> f64) -> Result<Outputs, Error> {
    let (sizes, dtype) = real_result(call)?;
    let operand = |i: usize| -> Result<Vec<f64>, Error> {
        match &args[i] {
            IValue::Tensor(t) => cast::to_vec::<f64>(&t.expand(&sizes)?),
            v => Ok(vec![v.as_double()?; sconce_kernels::engine::lanes::count(&sizes)]),
        }
    };
    let (x, y) = (operand(0)?, operand(1)?);
    let tensors: Vec<&Tensor> = args[..2].iter().filter_map(|a| a.as_tensor().ok()).collect();
    let data: Vec<f64> = x.iter().zip(&y).map(|(x, y)| f(*x, *y)).collect();
    let strides = match tensors.len() {
        1 => elementwise::result_strides_with_number(&sizes, &tensors),
        _ => elementwise::result_strides(&sizes, &tensors),
    };
    laid(cast::from_vec(data, &sizes, dtype)?, &strides)
}

macro_rules! unary_kernels {
    ($($name:ident: $f:expr;)*) => {
        /// Kernels of functions of one argument.
        pub mod unary {
            use super::*;
            $(pub fn $name(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
                map(call, tensor_arg(args, 0)?, $f)
            })*
        }
    };
}
unary_kernels! {
    i0: super::i0;
    i0e: |x| bessel_i_scaled(0, x);
    i1: super::i1;
    i1e: |x| bessel_i_scaled(1, x);
    k0: |x| bessel_k_scaled(0.0, x) * (-x).exp();
    k1: |x| bessel_k_scaled(1.0, x) * (-x).exp();
    k0e: |x| bessel_k_scaled(0.0, x);
    k1e: |x| bessel_k_scaled(1.0, x);
    j0: libm::j0;
    j1: libm::j1;
    y0: libm::y0;
    y1: libm::y1;
    spherical_j0: |x| if x.is_infinite() { 0.0 } else if x == 0.0 { 1.0 } else { x.sin() / x };
    airy: airy_ai;
    erfcx: super::erfcx;
    ndtri: super::ndtri;
    log_ndtr: super::log_ndtr;
    cbrt: f64::cbrt;
}

macro_rules! binary_kernels {
    ($($name:ident: $f:expr;)*) => {
        /// Kernels of functions of two arguments.
        pub mod binary {
            use super::*;
            $(pub fn $name(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
                zip(call, args, $f)
            })*
        }
    };
}
binary_kernels! {
    zeta: super::zeta;
    gammainc: super::gammainc;
    gammaincc: super::gammaincc;
    chebyshev_t: |x, n| polynomial(Family::ChebyshevT, x, n);
    chebyshev_u: |x, n| polynomial(Family::ChebyshevU, x, n);
    chebyshev_v: |x, n| polynomial(Family::ChebyshevV, x, n);
    chebyshev_w: |x, n| polynomial(Family::ChebyshevW, x, n);
    shifted_chebyshev_t: |x, n| polynomial(Family::ChebyshevT, 2.0 * x - 1.0, n);
    shifted_chebyshev_u: |x, n| polynomial(Family::ChebyshevU, 2.0 * x - 1.0, n);
    shifted_chebyshev_v: |x, n| polynomial(Family::ChebyshevV, 2.0 * x - 1.0, n);
    shifted_chebyshev_w: |x, n| polynomial(Family::ChebyshevW, 2.0 * x - 1.0, n);
    hermite_h: |x, n| polynomial(Family::HermiteH, x, n);
    hermite_he: |x, n| polynomial(Family::HermiteHe, x, n);
    laguerre_l: |x, n| polynomial(Family::Laguerre, x, n);
    legendre_p: |x, n| polynomial(Family::Legendre, x, n);
}

/// The order comes first.
pub fn polygamma_kernel(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let n = int_arg(args, 0)?;
    map(call, tensor_arg(args, 1)?, |x| polygamma(n, x))
}

pub fn mvlgamma_kernel(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let p = int_arg(args, 1)?;
    if p > 1 << 20 {
        return Err(Error::runtime(format!("mvlgamma: p = {p} is too large")));
    }
    let constant = (p * (p - 1)) as f64 / 4.0 * PI.ln();
    map(call, tensor_arg(args, 0)?, |x| constant + (0..p).map(|j| lgamma(x - j as f64 / 2.0)).sum::<f64>())
}

/// The next number of the operands' own type.
pub fn nextafter(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let (x, y) = (cast::to_vec::<f64>(&a.expand(&sizes)?)?, cast::to_vec::<f64>(&b.expand(&sizes)?)?);
    let next = |x: f64, y: f64| match dtype {
        DType::F64 => libm::nextafter(x, y),
        DType::F32 => f64::from(libm::nextafterf(x as f32, y as f32)),
        // Half types: the neighbouring bit pattern, which is the neighbouring number.
        _ => {
            let bits = |v: f64| match dtype {
                DType::F16 => sconce_tensor::f16::from_f64(v).to_bits(),
                _ => sconce_tensor::bf16::from_f64(v).to_bits(),
            };
            let number = |b: u16| match dtype {
                DType::F16 => sconce_tensor::f16::from_bits(b).to_f64(),
                _ => sconce_tensor::bf16::from_bits(b).to_f64(),
            };
            if x.is_nan() || y.is_nan() {
                f64::NAN
            } else if x == y {
                y
            } else if x == 0.0 {
                if y > 0.0 { number(1) } else { -number(1) }
            } else if (x < y) == (x > 0.0) {
                number(bits(x) + 1)
            } else {
                number(bits(x) - 1)
            }
        }
    };
    let data: Vec<f64> = x.iter().zip(&y).map(|(x, y)| next(*x, *y)).collect();
    laid(cast::from_vec(data, &sizes, dtype)?, &elementwise::result_strides(&sizes, &[a, b]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-13 + 1e-12 * b.abs(), "{a} {b}");
    }

    #[test]
    fn known_values() {
        close(i0(1.0), 1.2660658777520084);
        close(i1(40.0) / 1.468e16 * 1.468e16, i1(40.0));
        close(erfcx(3.0), 0.17900115118138998);
        for y in [-0.999, -0.3, 1e-9, 0.7, 0.9999999] {
            close(libm::erf(erfinv(y)), y);
        }
    }
}
