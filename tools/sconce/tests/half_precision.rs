//! Compiled regions round to float16 and bfloat16 as the interpreter does, from every dtype, whatever the processor has instructions for.

#[path = "compiling"]
mod compiling {
    pub mod engine;
    pub mod worker;
}

use sconce::executor::Specialization;
use sconce::{Engine, IValue, Module, Options, SourceOptions, Tensor};
use sconce_tensor::DType;

const SOURCE: &str = "import torch
def to_half(x):
    return torch.neg(x.to(torch.float16))
def to_bfloat(x):
    return torch.neg(x.to(torch.bfloat16))
def chain(x):
    return torch.relu(x * 1.5 + x) - 0.25
def scores(x):
    return torch.softmax(x, -1)
def product(x):
    return torch.mm(x, x.t())
";

/// Rounding of these to 16 bits differs when it is done at once and when it is done by way of an f32; some are large, small and none.
const VALUES: [f64; 12] = [
    1.0 + 1.0 / 256.0 + 1e-12,
    1.0 + 1.0 / 2048.0 + 1e-12,
    -(1.0 + 3.0 / 256.0 - 1e-12),
    33685505.0,
    2049.0,
    1e300,
    -1e-300,
    65519.0,
    f64::INFINITY,
    f64::NAN,
    -0.0,
    3.3895e38,
];

fn same(have: &Tensor, want: &Tensor, exact: bool) -> bool {
    let (h, w) = (have.to_f64(), want.to_f64());
    let alike = |(h, w): (&f64, &f64)| {
        h.to_bits() == w.to_bits() || h.is_nan() && w.is_nan() || !exact && (h - w).abs() <= 2e-2 * w.abs().max(1.0)
    };
    have.dtype() == want.dtype() && have.sizes() == want.sizes() && h.iter().zip(&w).all(alike)
}

#[test]
fn regions_of_16_bit_floats_compute_what_the_interpreter_does() {
    let module = |options: Options| -> Module {
        let engine = Engine::new(options).expect("an engine");
        engine.compile_source("halves.py", SOURCE, &SourceOptions::default()).expect("it compiles")
    };
    let (interpreted, compiled) =
        (module(Options::default()), module(compiling::engine::options(Specialization::Static)));
    let check = |function: &str, x: &Tensor, exact: bool| {
        let call = |m: &Module| m.call(function, &[IValue::Tensor(x.clone())]).expect(function);
        let (want, have) = (call(&interpreted), call(&compiled));
        let (want, have) = (want.as_tensor().expect("a tensor"), have.as_tensor().expect("a tensor"));
        assert!(same(have, want, exact), "{function} of {}: {have:?}, expected {want:?}", x.dtype());
        let report = compiled.report(function);
        assert!(report.regions.iter().any(|r| r.compiled > 0), "{function} of {}: {report:?}", x.dtype());
    };
    use DType::*;
    for dtype in [F64, F32, I64, I32, Bool, F16, BF16] {
        let values: Vec<f64> = VALUES.iter().copied().filter(|x| dtype.is_float() || x.abs() < 1e9).collect();
        let x = Tensor::from_f64(&values, &[values.len() as i64], dtype).expect("a tensor");
        for function in ["to_half", "to_bfloat"] {
            check(function, &x, true);
        }
    }
    for dtype in [F16, BF16] {
        let values: Vec<f64> = (0..12).map(|i| f64::from(i * 5 % 7) / 4.0 - 0.5).collect();
        let x = Tensor::from_f64(&values, &[3, 4], dtype).expect("a tensor");
        check("chain", &x, true);
        check("scores", &x, false);
        check("product", &x, false);
    }
}
