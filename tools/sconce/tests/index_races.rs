//! An index that another task writes while it is used leads nowhere outside its tensor, however the reader runs: what it gives is made of the tensor's elements, or it is an
//! error.
//!
//! `cargo xtask memory-check asan` runs this under AddressSanitizer.

#[path = "compiling"]
mod compiling {
    pub mod engine;
    pub mod worker;
}

use sconce::executor::Specialization;
use sconce::{Engine, IValue, Module, Options, SourceOptions, StaticOptions, Tensor};
use std::sync::atomic::{AtomicBool, Ordering};

const SOURCE: &str = "import torch

def scribble(index, n: int):
    for i in range(n):
        index.fill_(1 << 40)
        index.fill_(0)
        index.fill_(-(1 << 40))
        index.fill_(7)
        index.fill_(100000)
        index.fill_(-1)
    return index.fill_(3)

def gather(x, index):
    return torch.gather(x, 0, index)

def index_select(x, index):
    return torch.index_select(x, 0, index[0])

def subscript(x, index):
    return x[index[0], index[1]]

def take(x, index):
    return torch.take(x, index)

def embedding(x, index):
    return torch.embedding(x, index)

def scatter(x, index):
    return torch.ones_like(x).scatter(0, index, x)

def scatter_add(x, index):
    return torch.zeros_like(x).scatter_add(0, index, x).clamp(1.0, 1.0)

def index_put(x, index):
    return torch.ones_like(x).index_put([index[0]], x[0])

def index_add(x, index):
    return torch.zeros_like(x).index_add(0, index[0], x[:4]).clamp(1.0, 1.0)

def one_task_writes(x, index):
    writer = torch.jit.fork(scribble, index, 20)
    y = torch.gather(x, 0, index)
    torch.jit.wait(writer)
    return y
";

const READERS: &[&str] = &[
    "gather",
    "index_select",
    "subscript",
    "take",
    "embedding",
    "scatter",
    "scatter_add",
    "index_put",
    "index_add",
    "one_task_writes",
];

/// Each way to run.
fn ways() -> Vec<(&'static str, Options)> {
    let interpreted = Options::default();
    let planned = Options { static_plan: Some(StaticOptions::default()), ..Options::default() };
    let compiled = |specialization| compiling::engine::options(specialization);
    vec![
        ("interpreted", interpreted),
        ("by static plans", planned),
        ("compiled", compiled(Specialization::Static)),
        ("compiled for any size", compiled(Specialization::Dynamic)),
    ]
}

/// Calls of a reader while another thread writes to its index.
fn read(what: &str, module: &Module, name: &str) {
    const CALLS: usize = 200;
    let x: IValue = Tensor::from_vec(vec![1f32; 32], &[8, 4]).into();
    let index: IValue = Tensor::from_vec(vec![3i64; 32], &[8, 4]).into();
    // The first call compiles: nobody waits for that.
    module.call(name, &[x.clone(), index.clone()]).unwrap_or_else(|e| panic!("{what}, {name}: {e}"));
    let done = AtomicBool::new(false);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                module.call("scribble", &[index.clone(), IValue::Int(50)]).expect("it only writes");
            }
        });
        for _ in 0..CALLS {
            match module.call(name, &[x.clone(), index.clone()]) {
                Ok(result) => {
                    let values: Vec<f32> = result.as_tensor().expect("a tensor").to_vec();
                    assert!(values.iter().all(|v| *v == 1.0), "{what}, {name}: {values:?}");
                }
                Err(e) => {
                    let said = e.to_string();
                    assert!(said.contains("out of range") || said.contains("out of bounds"), "{what}, {name}: {said}");
                }
            }
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn an_index_that_is_written_meanwhile_stays_inside() {
    for (what, options) in ways() {
        let engine = Engine::new(options).expect("an engine");
        let module = engine.compile_source("races.py", SOURCE, &SourceOptions::default()).expect("it compiles");
        for name in READERS {
            read(what, &module, name);
        }
    }
}
