//! Kernels compute what the formulas say, in the same bits however elements lie. How far off those are: `tests/ulps.rs` of `sconce-polynomials`.

use sconce_kernels::Bound;
use sconce_kernels::defaults::default_value;
use sconce_polynomials::formulas;
use sconce_schema::scalar::Unary;
use sconce_tensor::{IValue, Tensor};

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

/// What an operator makes of a tensor, as bits; all NaN alike.
fn bits_of(f: &Bound, t: &Tensor) -> Vec<u32> {
    let defaults = f.entry().schema().arguments.iter().skip(1);
    let defaults = defaults.map(|a| default_value(a.default.as_ref().unwrap(), a));
    let mut arguments: Vec<IValue> = [IValue::Tensor(t.clone())].into_iter().chain(defaults).collect();
    let out = f.call(&mut arguments).unwrap();
    let values = out[0].as_tensor().unwrap().to_vec::<f32>();
    values.iter().map(|x| if x.is_nan() { u32::MAX } else { x.to_bits() }).collect()
}

fn operator(name: &str) -> Bound {
    Bound::new(sconce_schema::lookup(&format!("aten::{name}")).unwrap()).unwrap()
}

#[test]
fn kernels_are_the_formulas() {
    // Once with angles that take more steps, once without: the same function of the same number is the same.
    for limit in [f32::MAX, 1e6] {
        let values: Vec<f32> = samples(-limit, limit, 40_009);
        let t = Tensor::from_vec(values.clone(), &[values.len() as i64]);
        for (f, _) in formulas::UNARY {
            // The functions that are an operator each.
            if *f == Unary::Gelu {
                continue;
            }
            let got = bits_of(&operator(f.name()), &t);
            for (x, got) in values.iter().zip(got) {
                let want = formulas::unary(*f, *x).unwrap();
                let want = if want.is_nan() { u32::MAX } else { want.to_bits() };
                assert_eq!(got, want, "{}({x:e})", f.name());
            }
        }
    }
}

#[test]
fn the_same_bits_however_elements_lie() {
    let values: Vec<f32> = samples(-1e10, 1e10, 4099);
    let flat = Tensor::from_vec(values.clone(), &[4099]);
    let twice = Tensor::from_vec(values.iter().flat_map(|v| [*v, 0.0]).collect(), &[4099 * 2]);
    let strided = twice.as_strided(&[4099], &[2], 0).unwrap();
    let functions = "exp exp2 expm1 log log2 log10 log1p sin cos tan tanh sinh cosh erf sigmoid asin acos atan asinh erfc erfinv gelu";
    for name in functions.split(' ') {
        let f = operator(name);
        let of = |t: &Tensor| bits_of(&f, t);
        let all = of(&flat);
        assert_eq!(all, of(&strided), "{name} of a strided tensor");
        for i in [0, 1, 17, 100, 2049, 4098] {
            let one = of(&flat.as_strided(&[1], &[1], i).unwrap());
            assert_eq!(one[0], all[i as usize], "{name} of one element");
        }
    }
}
