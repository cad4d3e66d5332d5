//! Errors of the formulas in units of the last place, against f64: over every f32, or over a part of them that is spread evenly.
//!
//! `cargo test --release -p sconce-polynomials --test ulps -- --nocapture` prints a line a function; `SCONCE_ALL_FLOATS=1` in front of it asks all 2^32.

use sconce_polynomials::formulas::{self, BINARY, UNARY};
use sconce_schema::scalar::{Binary, Unary};
use std::f64::consts::FRAC_1_SQRT_2;
use std::thread;

/// A type that elements have; all are computed in f32.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    fraction: i32,
    /// The exponents of the least normal number and of what is beyond the largest.
    least: i32,
    beyond: i32,
    round: fn(f32) -> f32,
}

const F32: Kind = Kind { name: "f32", fraction: 23, least: -126, beyond: 128, round: |x| x };
const F16: Kind =
    Kind { name: "f16", fraction: 10, least: -14, beyond: 16, round: |x| half::f16::from_f32(x).to_f32() };
const BF16: Kind =
    Kind { name: "bf16", fraction: 7, least: -126, beyond: 128, round: |x| half::bf16::from_f32(x).to_f32() };

impl Kind {
    /// The unit in the last place at a number.
    fn unit(self, x: f64) -> f64 {
        let exponent = ((x.to_bits() >> 52 & 0x7ff) as i32 - 1023).clamp(self.least, self.beyond - 1);
        2f64.powi(exponent - self.fraction)
    }

    /// The distance of `got` from the true value, in such units.
    fn distance(self, got: f32, want: f64, unit: f64) -> f64 {
        if got.is_nan() || want.is_nan() {
            return if got.is_nan() && want.is_nan() { 0.0 } else { f64::INFINITY };
        }
        // Infinity stands for the number after the largest, also where the true value is beyond it.
        let beyond = 2f64.powi(self.beyond);
        (f64::from(got).clamp(-beyond, beyond) - want.clamp(-beyond, beyond)).abs() / unit
    }
}

/// The function itself, in 64 bits.
fn exact(f: Unary) -> fn(f64) -> f64 {
    match f {
        Unary::Exp => f64::exp,
        Unary::Exp2 => f64::exp2,
        Unary::Expm1 => f64::exp_m1,
        Unary::Log => f64::ln,
        Unary::Log2 => f64::log2,
        Unary::Log10 => f64::log10,
        Unary::Log1p => f64::ln_1p,
        Unary::Sin => f64::sin,
        Unary::Cos => f64::cos,
        Unary::Tan => f64::tan,
        Unary::Asin => f64::asin,
        Unary::Acos => f64::acos,
        Unary::Atan => f64::atan,
        Unary::Sinh => f64::sinh,
        Unary::Cosh => f64::cosh,
        Unary::Tanh => f64::tanh,
        Unary::Asinh => libm::asinh,
        Unary::Acosh => sconce_polynomials::wide::acosh,
        Unary::Atanh => libm::atanh,
        // Below, e^-x is no f32: PyTorch's quotient is 0 too.
        Unary::Sigmoid => |x| if x < -88.722_839_2 { 0.0 } else { 1.0 / (1.0 + (-x).exp()) },
        Unary::Gelu => |x| if x == f64::NEG_INFINITY { f64::NAN } else { 0.5 * x * libm::erfc(-x * FRAC_1_SQRT_2) },
        Unary::Erf => libm::erf,
        Unary::Erfc => libm::erfc,
        Unary::Erfinv => erfinv,
        other => panic!("{} has a formula but nothing to measure it by", other.name()),
    }
}

/// By Newton's steps, whose residual is taken from erfc near the ends.
fn erfinv(x: f64) -> f64 {
    let a = x.abs();
    if !(a < 1.0) || a == 0.0 {
        return if a == 1.0 {
            x * f64::INFINITY
        } else if a == 0.0 {
            x
        } else {
            f64::NAN
        };
    }
    let w = -((1.0 - a) * (1.0 + a)).ln();
    let near = 2.0 / (std::f64::consts::PI * 0.147) - w / 2.0;
    let start = (near * near + w / 0.147).sqrt() - near;
    // For the smallest, the first term of the series is all there is.
    if a < 1e-7 {
        return x * (std::f64::consts::PI.sqrt() / 2.0);
    }
    let mut y = start.sqrt();
    for _ in 0..4 {
        let residual = if a < 0.5 { libm::erf(y) - a } else { (1.0 - a) - libm::erfc(y) };
        let step = residual / (std::f64::consts::FRAC_2_SQRT_PI * (-y * y).exp());
        y -= step / (1.0 + y * step);
    }
    y.copysign(x)
}

/// The largest error and where it is, and where the sign of a zero or NaN is not the true one's.
#[derive(Clone, Copy)]
struct Worst {
    error: f64,
    at: f32,
    sign: Option<f32>,
}

fn measure(f: Unary, kind: Kind, numbers: impl Iterator<Item = f32>) -> Worst {
    let exact = exact(f);
    let mut worst = Worst { error: 0.0, at: 0.0, sign: None };
    for x in numbers {
        let want = exact(f64::from(x));
        let got = (kind.round)(formulas::unary(f, x).unwrap_or(f32::NAN));
        // What gelu loses is small beside its argument, of which a tail is left.
        let unit = kind.unit(if f == Unary::Gelu { f64::from(x) } else { want });
        let error = kind.distance(got, want, unit);
        if error > worst.error {
            worst = Worst { error, at: x, ..worst };
        }
        if !got.is_nan() && got.is_sign_negative() != want.is_sign_negative() {
            worst.sign = Some(x);
        }
    }
    worst
}

/// Over the bit patterns `step` apart, by as many threads as there are.
fn everywhere(f: Unary, step: usize) -> Worst {
    let threads = thread::available_parallelism().map_or(1, |n| n.get()) as u64;
    let share = (1u64 << 32) / threads;
    let parts: Vec<Worst> = thread::scope(|s| {
        let part = |i: u64| {
            let end = if i + 1 == threads { 1 << 32 } else { (i + 1) * share };
            s.spawn(move || measure(f, F32, (i * share..end).step_by(step).map(|bits| f32::from_bits(bits as u32))))
        };
        let running: Vec<_> = (0..threads).map(part).collect();
        running.into_iter().map(|t| t.join().expect("a formula panicked")).collect()
    });
    let mut parts = parts;
    parts.push(measure(f, F32, ends()));
    let sign = parts.iter().find_map(|p| p.sign);
    let worst = parts.into_iter().max_by(|a, b| a.error.total_cmp(&b.error)).expect("there is a thread");
    Worst { sign, ..worst }
}

/// Numbers where functions change what they do, and their neighbours, of both signs.
fn ends() -> impl Iterator<Item = f32> {
    let numbers = [
        0.0,
        1e-45,
        f32::MIN_POSITIVE,
        1e-10,
        0.5,
        1.0,
        2.0,
        10.0,
        88.72284,
        89.0,
        104.0,
        129.0,
        4194304.0,
        f32::MAX,
        f32::NAN,
    ];
    let near = |x: f32| [x.to_bits().wrapping_sub(1), x.to_bits(), x.to_bits() + 1];
    numbers.into_iter().flat_map(near).flat_map(|bits| [bits & 0x7fff_ffff, bits | 0x8000_0000]).map(f32::from_bits)
}

fn all_floats() -> bool {
    std::env::var_os("SCONCE_ALL_FLOATS").is_some()
}

#[test]
fn functions_of_one_value_keep_their_bounds() {
    // A prime, so that the low bits of mantissas are all kinds.
    let step = if all_floats() { 1 } else { 9973 };
    let only = std::env::var("SCONCE_ONLY").ok();
    println!("{:10} {:5} {:>7} {:>8}  largest at", "function", "dtype", "stated", "measured");
    let mut broken = Vec::new();
    let mut line = |f: Unary, kind: Kind, bound: f64, worst: Worst| {
        println!("{:10} {:5} {bound:>7.4} {:>8.4}  {:e}", f.name(), kind.name, worst.error, worst.at);
        if worst.error > bound {
            broken.push(format!("{} of {} is {} units off at {:e}", f.name(), kind.name, worst.error, worst.at));
        }
        broken.extend(worst.sign.map(|x| format!("{}({x:e}) of {} has the other sign", f.name(), kind.name)));
    };
    for (f, bound) in UNARY.iter().filter(|(f, _)| only.as_ref().is_none_or(|o| o == f.name())) {
        line(*f, F32, *bound, everywhere(*f, step));
        // Rounded once more: half a unit, and what f32 is off in such units.
        let all = |of: fn(u16) -> f32| (0..=u16::MAX).map(of);
        let half = |kind: Kind| 0.5 + bound * 2f64.powi(kind.fraction - F32.fraction);
        line(*f, F16, half(F16), measure(*f, F16, all(|bits| half::f16::from_bits(bits).to_f32())));
        line(*f, BF16, half(BF16), measure(*f, BF16, all(|bits| half::bf16::from_bits(bits).to_f32())));
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The function of two values itself, in 64 bits.
fn exact_of_two(f: Binary) -> fn(f64, f64) -> f64 {
    match f {
        Binary::Pow => f64::powf,
        Binary::Atan2 => f64::atan2,
        Binary::Hypot => f64::hypot,
        other => panic!("{} has a formula but nothing to measure it by", other.name()),
    }
}

#[test]
fn functions_of_two_values_keep_their_bounds() {
    // Of all sizes, of the sizes that powers are numbers of, and where functions change what they do.
    let count = if all_floats() { 30_000 } else { 1500 };
    let all = (0..count).map(|i| f32::from_bits((u64::from(u32::MAX) * i / count) as u32));
    let near = (0..count).map(|i| (i as f32 / count as f32 - 0.5) * 200.0);
    let whole = (-9..9).map(|i| i as f32 / 2.0);
    let values: Vec<f32> = all.chain(near).chain(whole).chain(ends()).collect();
    let mut broken = Vec::new();
    for (f, bound) in BINARY {
        let exact = exact_of_two(*f);
        let (mut worst, mut at) = (0.0, (0.0, 0.0));
        for x in &values {
            for y in &values {
                let want = exact(f64::from(*x), f64::from(*y));
                let got = formulas::binary(*f, *x, *y).unwrap_or(f32::NAN);
                let error = F32.distance(got, want, F32.unit(want));
                if error > worst {
                    (worst, at) = (error, (*x, *y));
                }
                if !got.is_nan() && got.is_sign_negative() != want.is_sign_negative() {
                    broken.push(format!("{}({x:e}, {y:e}) is {got:e}, not {want:e}", f.name()));
                }
            }
        }
        println!("{:10} {:5} {bound:>7.4} {worst:>8.4}  {:e}, {:e}", f.name(), "f32", at.0, at.1);
        if worst > *bound {
            broken.push(format!("{} is {worst} units off at {:e}, {:e}", f.name(), at.0, at.1));
        }
    }
    broken.truncate(20);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
