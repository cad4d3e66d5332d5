//! Results of compiled code lie in memory as those of the interpreter do: strides can be seen, and `view` depends on them.

#[path = "compiling"]
mod compiling {
    pub mod engine;
    pub mod worker;
}

use sconce::executor::Specialization;
use sconce::{Engine, Options, SourceOptions, Tensor};

const SOURCE: &str = "
import torch
from torch import Tensor

def transposed(x: Tensor):
    return x.t() * 2

def permuted(x: Tensor):
    y = x.reshape(2, 3, 4).permute(2, 0, 1)
    return torch.relu(y) + y

def broadcast(x: Tensor):
    return x.t() + x[0, 0:1]

def broadcast_rows(x: Tensor):
    return x + x[0, 0:1]

def sliced(x: Tensor):
    return x[:, 1:3] * 2

def summed(x: Tensor):
    return (x.reshape(2, 3, 4).transpose(0, 2) * 2).sum(1)

def multiplied(x: Tensor):
    return torch.relu(x.t() @ x)

def rows(x: Tensor):
    return (x.t() * 2).contiguous() + 1

def column(x: Tensor):
    return x[:, 0:1].t() * 2
";

/// Which functions are compiled is part of it: those whose results lie row by row.
#[test]
fn results_lie_as_the_interpreters_do() {
    let load = |options: Options| {
        let engine = Engine::new(options).expect("an engine");
        engine.compile_source("m.py", SOURCE, &SourceOptions::default()).expect("a module")
    };
    let (compiled, plain) = (load(compiling::engine::options(Specialization::Static)), load(Options::default()));
    let mut ran = Vec::new();
    for function in plain.functions() {
        let name = function.rsplit('.').next().unwrap_or(function);
        let x = Tensor::from_vec((0..24).map(|n| n as f32 - 9.0).collect(), &[6, 4]);
        for _ in 0..2 {
            let call = |m: &sconce::Module| m.call(function, &[x.clone().into()]).expect("a result");
            let (a, b) = (call(&compiled), call(&plain));
            let (a, b) = (a.as_tensor().expect("a tensor"), b.as_tensor().expect("a tensor"));
            assert_eq!((a.sizes(), a.strides(), a.to_f64()), (b.sizes(), b.strides(), b.to_f64()), "{name}");
        }
        if compiled.report(function).is_compiled() {
            ran.push(name.to_owned());
        }
    }
    assert_eq!(ran, ["broadcast_rows", "sliced", "multiplied", "rows"]);
}
