//! Threads share one loaded module, however it runs: each gets what one thread alone gets.
//!
//! `cargo xtask memory-check tsan` runs this under ThreadSanitizer, the compiler in a process without. Of compiled code it sees the runs whose every access is checked.

#[path = "compiling"]
mod compiling {
    pub mod checking;
    pub mod engine;
    pub mod worker;
}

use sconce::executor::{CompileMode, Settings, Specialization};
use sconce::{Engine, IValue, Module, Options, SourceOptions, StaticOptions, Tensor};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A module, an engine and values go to other threads and are shared by them.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Module>();
    shared::<Engine>();
    shared::<Options>();
    shared::<IValue>();
};

const THREADS: usize = 8;
const CALLS: usize = 40;

/// A function whose calls go several ways, and write to what they made.
const SOURCE: &str = "import torch
from typing import Dict, List

def f(x, n: int):
    y = torch.tanh(x * 2.0) + x
    l: List[torch.Tensor] = []
    for i in range(n):
        z = torch.softmax(y + i, -1)
        z[0].add_(1.0)
        l.append(z)
    d: Dict[str, torch.Tensor] = {\"y\": y}
    if n > 2:
        d[\"y\"].mul_(3.0)
    return torch.stack(l).sum(0) + d[\"y\"]
";

fn arguments(i: usize) -> Vec<IValue> {
    let (rows, columns, n) = (1 + i % 3, 4 + i % 2, 1 + i % 4);
    let values: Vec<f32> = (0..rows * columns).map(|k| ((k * 7 + i) % 11) as f32 / 8.0 - 0.5).collect();
    vec![Tensor::from_vec(values, &[rows as i64, columns as i64]).into(), IValue::Int(n as i64)]
}

fn bits(value: &IValue) -> Vec<u32> {
    value.as_tensor().expect("a tensor").to_vec::<f32>().iter().map(|x| x.to_bits()).collect()
}

/// Calls by one thread alone, then the same by all of them at once, each beginning elsewhere.
fn share(Way(how, exact, _): &Way, module: &Module, function: &str, arguments: &(dyn Fn(usize) -> Vec<IValue> + Sync)) {
    let call = |module: &Module, i: usize| {
        let result = module.call(function, &arguments(i % CALLS));
        result.unwrap_or_else(|e| panic!("{how}, call {i}: {e}"))
    };
    let alike = |a: &[u32], b: &[u32]| {
        let near = |(a, b): (&u32, &u32)| a == b || !exact && (f32::from_bits(*a) - f32::from_bits(*b)).abs() <= 1e-5;
        a.len() == b.len() && a.iter().zip(b).all(near)
    };
    let alone: Vec<Vec<u32>> = (0..CALLS).map(|i| bits(&call(module, i))).collect();
    std::thread::scope(|threads| {
        for t in 0..THREADS {
            let (call, alone, alike) = (&call, &alone, &alike);
            threads.spawn(move || {
                for i in t..t + CALLS {
                    let have = bits(&call(module, i));
                    assert!(alike(&have, &alone[i % CALLS]), "{how}, thread {t}, call {i}");
                }
            });
        }
    });
}

fn engine(options: Options) -> Engine {
    Engine::new(options).expect("an engine")
}

/// A way to run, whether its results are always the same bits, and its engine.
struct Way(&'static str, bool, Engine);

/// Each way to run.
fn ways() -> Vec<Way> {
    let interpreted =
        Options { executor: Settings { compile: CompileMode::Off, ..Settings::default() }, ..Options::default() };
    let planned = Options { static_plan: Some(StaticOptions::default()), ..Options::default() };
    let mut ways = vec![Way("interpreted", true, engine(interpreted)), Way("by static plans", true, engine(planned))];
    let compiled = compiling::engine::options(Specialization::Static);
    let checked = compiling::engine::by(Arc::new(compiling::checking::checking()), Specialization::Static);
    let any_size = compiling::engine::options(Specialization::Dynamic);
    let executor = Settings { compile: CompileMode::Background, ..compiled.executor.clone() };
    let executor = Settings { compile_after: Duration::ZERO, ..executor };
    let background = Options { executor, ..compiled.clone() };
    ways.extend([
        Way("compiled", true, engine(compiled)),
        Way("compiled, every access checked", true, engine(checked)),
        Way("compiled for any size", true, engine(any_size)),
        // The first calls are interpreted, and code rounds otherwise.
        Way("compiled in the background", false, engine(background)),
    ]);
    ways
}

#[test]
fn threads_share_a_function() {
    for way in ways() {
        let module = way.2.compile_source("shared.py", SOURCE, &SourceOptions::default()).expect("it compiles");
        share(&way, &module, "f", &arguments);
    }
}

#[test]
fn threads_share_a_module_with_its_weights() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/vit_tiny");
    let input = std::fs::read(path.join("inputs.safetensors")).expect("the example's input");
    let input =
        sconce_archive::read_arrays("inputs.safetensors", &input, &sconce_archive::Limits::default()).expect("arrays");
    let values: Vec<f32> =
        input[0].1.bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().expect("four"))).collect();
    let arguments = |i: usize| {
        let values: Vec<f32> = values.iter().map(|x| x + (i % 4) as f32 / 8.0).collect();
        vec![Tensor::from_vec(values, &input[0].1.sizes).into()]
    };
    for way in ways().into_iter().take(4) {
        let module = way.2.load(&path.join("model.pt")).expect("the example");
        share(&way, &module, "forward", &arguments);
    }
}
