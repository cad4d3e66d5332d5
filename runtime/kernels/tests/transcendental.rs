//! Errors of the f32 functions in units in the last place, against f64; the numbers at the ends of the line; and the same bits however elements lie.

use sconce_kernels::{Bound, transcendental};
use sconce_tensor::{IValue, Tensor};

/// The distance of `got` from the true value, in units of the last place that f32 has there.
fn ulps(got: f32, want: f64) -> f64 {
    if f64::from(got) == want || (got.is_nan() && want.is_nan()) || got == want as f32 {
        return 0.0;
    }
    if !got.is_finite() || got.is_nan() != want.is_nan() {
        return f64::INFINITY;
    }
    let exponent = (want.abs().log2().floor() as i32).max(-126);
    (f64::from(got) - want).abs() / 2f64.powi(exponent - 23)
}

/// f32 numbers spread evenly over their bit patterns from `low` to `high`, of both signs where `low` is negative.
fn samples(low: f32, high: f32, count: u32) -> Vec<f32> {
    let key = |x: f32| if x.is_sign_negative() { -i64::from((-x).to_bits()) } else { i64::from(x.to_bits()) };
    let (a, b) = (key(low), key(high));
    (0..count)
        .map(|i| {
            let k = a + (b - a) * i64::from(i) / i64::from(count - 1);
            if k < 0 { -f32::from_bits((-k) as u32) } else { f32::from_bits(k as u32) }
        })
        .collect()
}

fn check(name: &str, f: fn(f32) -> f32, exact: fn(f64) -> f64, low: f32, high: f32, bound: f64) {
    let mut worst = (0.0, 0.0);
    for x in samples(low, high, 300_001).into_iter().chain(samples(low.max(-8.0), high.min(8.0), 100_001)) {
        let error = ulps(f(x), exact(f64::from(x)));
        if error > worst.0 {
            worst = (error, x);
        }
    }
    println!("{name}: {:.3} at {:e}", worst.0, worst.1);
    assert!(worst.0 <= bound, "{name} is {} ulps off at {:e}", worst.0, worst.1);
}

#[test]
fn errors_are_below_one_unit() {
    const MAX: f32 = f32::MAX;
    check("exp", transcendental::exp, f64::exp, -104.0, 88.72, 1.0);
    check("exp2", transcendental::exp2, f64::exp2, -149.0, 127.9, 0.6);
    check("expm1", transcendental::expm1, f64::exp_m1, -104.0, 88.72, 0.6);
    check("log", transcendental::log, f64::ln, 1e-45, MAX, 0.6);
    check("log2", transcendental::log2, f64::log2, 1e-45, MAX, 0.6);
    check("log10", transcendental::log10, f64::log10, 1e-45, MAX, 0.6);
    check("log1p", transcendental::log1p, f64::ln_1p, -0.999_999_9, MAX, 0.6);
    check("sin", transcendental::sin, f64::sin, -1e30, 1e30, 0.6);
    check("cos", transcendental::cos, f64::cos, -1e30, 1e30, 0.6);
    check("tan", transcendental::tan, f64::tan, -1e30, 1e30, 0.6);
    check("tanh", transcendental::tanh, f64::tanh, -MAX, MAX, 0.6);
    check("sinh", transcendental::sinh, f64::sinh, -88.0, 88.0, 0.6);
    check("cosh", transcendental::cosh, f64::cosh, -88.0, 88.0, 0.6);
    check("erf", transcendental::erf, libm::erf, -MAX, MAX, 1.0);
    // What it is by definition, a quotient of the exponential function: its error, a rounded sum and a rounded quotient.
    check("sigmoid", transcendental::sigmoid, |x| 1.0 / (1.0 + (-x).exp()), -87.0, MAX, 2.5);
}

#[test]
fn powers() {
    let mut worst = (0.0, 0.0, 0.0);
    for x in samples(1e-40, 1e38, 2001) {
        for y in samples(-90.0, 90.0, 501) {
            let want = f64::from(x).powf(f64::from(y));
            let error = ulps(transcendental::pow(x, y), want);
            if error > worst.0 && want < f64::from(f32::MAX) {
                worst = (error, x, y);
            }
        }
    }
    println!("pow: {:.3} at {:e}, {:e}", worst.0, worst.1, worst.2);
    assert!(worst.0 <= 0.6, "pow is {} ulps off at {:e}, {:e}", worst.0, worst.1, worst.2);
    let special = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    for x in special {
        for y in special {
            let (got, want) = (transcendental::pow(x, y), x.powf(y));
            assert!(got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(), "{x}^{y}: {got}, not {want}");
        }
    }
}

#[test]
fn the_ends_of_the_line() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let cases: &[(&str, fn(f32) -> f32, fn(f32) -> f32)] = &[
        ("exp", transcendental::exp, f32::exp),
        ("exp2", transcendental::exp2, f32::exp2),
        ("expm1", transcendental::expm1, f32::exp_m1),
        ("log", transcendental::log, f32::ln),
        ("log2", transcendental::log2, f32::log2),
        ("log10", transcendental::log10, f32::log10),
        ("log1p", transcendental::log1p, f32::ln_1p),
        ("sin", transcendental::sin, f32::sin),
        ("cos", transcendental::cos, f32::cos),
        ("tan", transcendental::tan, f32::tan),
        ("tanh", transcendental::tanh, f32::tanh),
        ("sinh", transcendental::sinh, f32::sinh),
        ("cosh", transcendental::cosh, f32::cosh),
        ("erf", transcendental::erf, |x| libm::erf(f64::from(x)) as f32),
    ];
    let numbers =
        [0.0, -0.0, 1e-45, -1e-45, 1e-38, -1e-38, 1.0, -1.0, inf, -inf, nan, f32::MAX, f32::MIN, 89.5, -104.5, 129.0];
    for (name, ours, theirs) in cases {
        for x in numbers {
            let (got, want) = (ours(x), theirs(x));
            let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
            let near = want != 0.0 && ulps(got, f64::from(want)) <= 1.0;
            assert!(same || near, "{name}({x:e}) is {got:e}, not {want:e}");
            assert!(got.is_nan() || got.is_sign_negative() == want.is_sign_negative(), "{name}({x:e}): {got:e}");
        }
    }
}

#[test]
fn the_same_bits_however_elements_lie() {
    let values: Vec<f32> = samples(-1e10, 1e10, 4099);
    let flat = Tensor::from_vec(values.clone(), &[4099]);
    let twice = Tensor::from_vec(values.iter().flat_map(|v| [*v, 0.0]).collect(), &[4099 * 2]);
    let strided = twice.as_strided(&[4099], &[2], 0).unwrap();
    let functions = "exp exp2 expm1 log log2 log10 log1p sin cos tan tanh sinh cosh erf sigmoid";
    for name in functions.split(' ') {
        let f = Bound::new(sconce_schema::lookup(&format!("aten::{name}")).unwrap()).unwrap();
        let of = |t: &Tensor| -> Vec<u32> {
            let out = f.call(&mut [IValue::Tensor(t.clone())]).unwrap();
            out[0].as_tensor().unwrap().to_vec::<f32>().iter().map(|x| x.to_bits()).collect()
        };
        let all = of(&flat);
        assert_eq!(all, of(&strided), "{name} of a strided tensor");
        for i in [0, 1, 17, 100, 2049, 4098] {
            let one = of(&flat.as_strided(&[1], &[1], i).unwrap());
            assert_eq!(one[0], all[i as usize], "{name} of one element");
        }
    }
}
