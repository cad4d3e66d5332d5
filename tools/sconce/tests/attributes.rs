//! Plain attributes are constants in compiled methods, and what is set afterwards counts all the same.

#[path = "compiling"]
mod compiling {
    pub mod engine;
    pub mod worker;
}

use sconce::executor::Specialization;
use sconce::{Engine, IValue, Module, Options, SourceOptions, Tensor};

const SOURCE: &str = "
import torch
from torch import nn

class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = 2.0
        self.steps = 0
    def forward(self, x):
        self.steps += 1
        if self.training:
            return x + self.rate
        return x * self.rate

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale()
        self.norm = nn.BatchNorm1d(2)
    def forward(self, x):
        return torch.relu(self.norm(self.scale(x)))
";

fn load(options: Options) -> Module {
    let engine = Engine::new(options).expect("an engine");
    let options = SourceOptions { entry: Some("M().eval()".into()), ..SourceOptions::default() };
    engine.compile_source("m.py", SOURCE, &options).expect("a module")
}

fn call(module: &Module) -> Vec<f32> {
    let x = Tensor::from_vec(vec![1f32, -2., 3., 4.], &[2, 2]);
    module.call("forward", &[x.into()]).expect("a result").as_tensor().expect("a tensor").to_vec()
}

/// Every step is made on a module that is interpreted, too.
#[test]
fn compiled_methods_see_what_is_set() {
    let (compiled, plain) = (load(compiling::engine::options(Specialization::Static)), load(Options::default()));
    let step = |change: &dyn Fn(&Module)| {
        change(&compiled);
        change(&plain);
        assert_eq!(call(&compiled), call(&plain));
    };
    step(&|_| {});
    step(&|_| {});
    let regions = compiled.report("forward").regions;
    assert!(
        regions.iter().any(|r| r.compiled == 2 && r.operations.iter().any(|o| o == "aten::mul.Scalar")),
        "{regions:?}"
    );
    step(&|m| m.set_attr("scale.rate", IValue::Double(5.0)).expect("set"));
    let report = compiled.report("forward");
    assert!(report.notes.iter().any(|n| n.contains("an attribute was set")), "{report}");
    step(&|m| m.set_attr("scale.rate", IValue::Double(2.0)).expect("set"));
    step(&|m| m.train().expect("set"));
    step(&|m| m.eval().expect("set"));
    step(&|m| m.set_attr("norm.weight", Tensor::from_vec(vec![3f32, -1.], &[2]).into()).expect("set"));
    // What the method sets itself is no constant.
    assert_eq!(compiled.attr("scale.steps").expect("set").as_int().expect("a number"), 7);
    assert!(compiled.report("forward").regions.iter().any(|r| r.compiled > 2), "{}", compiled.report("forward"));
}
