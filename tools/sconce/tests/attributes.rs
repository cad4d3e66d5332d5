//! Attributes are constants in compiled methods, and what is set or written afterwards counts all the same.

#[path = "compiling"]
mod compiling {
    pub mod engine;
    pub mod worker;
}

use sconce::executor::Specialization;
use sconce::value_text::format_value;
use sconce::{Engine, IValue, Module, Options, SourceOptions, StaticOptions, Tensor};

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
    assert!(report.notes.iter().any(|n| n.contains("an attribute changed")), "{report}");
    step(&|m| m.set_attr("scale.rate", IValue::Double(2.0)).expect("set"));
    step(&|m| m.train().expect("set"));
    step(&|m| m.eval().expect("set"));
    step(&|m| m.set_attr("norm.weight", Tensor::from_vec(vec![3f32, -1.], &[2]).into()).expect("set"));
    // What the method sets itself is no constant.
    assert_eq!(compiled.attr("scale.steps").expect("set").as_int().expect("a number"), 7);
    assert!(compiled.report("forward").regions.iter().any(|r| r.compiled > 2), "{}", compiled.report("forward"));
}

const WEIGHED: &str = "
import torch
from torch import nn

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), requires_grad=False)
        self.scale = nn.Parameter(torch.tensor([2.0, 3.0]), requires_grad=False)
        self.register_buffer('seen', torch.zeros(2))
    def forward(self, x):
        self.seen.add_(1)
        return torch.relu(x @ (self.weight * self.scale.exp())) + self.scale
    @torch.jit.export
    def shift(self, x):
        x += 1
        return x * (self.weight * self.scale.exp())
    @torch.jit.export
    def give(self, x):
        return self.weight, x * (self.weight * self.scale.exp())
";

fn weighed(options: Options) -> Module {
    let engine = Engine::new(options).expect("an engine");
    let options = SourceOptions { entry: Some("M().eval()".into()), ..SourceOptions::default() };
    engine.compile_source("m.py", WEIGHED, &options).expect("a module")
}

fn weight(module: &Module) -> Tensor {
    module.attr("weight").expect("it is there").as_tensor().expect("a tensor").clone()
}

/// Calls by static plans.
fn planned() -> Options {
    Options { static_plan: Some(StaticOptions::default()), ..compiling::engine::options(Specialization::Static) }
}

/// What depends on weights alone is computed once, as long as they are what they were.
#[test]
fn weights_are_constants_until_somebody_writes_to_them() {
    let (compiled, plain) = (weighed(compiling::engine::options(Specialization::Static)), weighed(Options::default()));
    let step = |change: &dyn Fn(&Module)| {
        change(&compiled);
        change(&plain);
        assert_eq!(call(&compiled), call(&plain));
    };
    step(&|_| {});
    step(&|_| {});
    let report = compiled.report("forward");
    // `seen` is written in each call.
    let said = "2 tensors of the module are constants, 1 were computed once from constants";
    assert!(report.notes.iter().any(|n| n == said), "{report}");
    step(&|m| weight(m).fill(5f32));
    let report = compiled.report("forward");
    assert!(report.notes.iter().any(|n| n.contains("an attribute changed")), "{report}");
    step(&|m| weight(m).as_strided(&[1], &[1], 3).expect("inside").fill(-1f32));
    step(&|m| m.set_attr("scale", Tensor::from_vec(vec![0f32, 1.], &[2]).into()).expect("set"));
    let seen = |m: &Module| m.attr("seen").expect("it is there").as_tensor().expect("a tensor").to_vec::<f32>();
    assert_eq!((seen(&compiled), seen(&compiled)), (seen(&plain), vec![5., 5.]));
}

/// Static plans rely on attributes as compiled code does.
#[test]
fn static_plans_see_what_is_set_and_written() {
    let (fixed, plain) = (load(planned()), load(Options::default()));
    let step = |change: &dyn Fn(&Module)| {
        change(&fixed);
        change(&plain);
        for _ in 0..3 {
            assert_eq!(call(&fixed), call(&plain));
        }
    };
    let norm = |m: &Module, name: &str| m.attr(name).expect("it is there").as_tensor().expect("a tensor").clone();
    step(&|_| {});
    step(&|m| norm(m, "norm.weight").fill(3f32));
    step(&|m| m.set_attr("scale.rate", IValue::Double(5.0)).expect("set"));
    step(&|m| norm(m, "norm.running_var").as_strided(&[1], &[1], 1).expect("inside").fill(9f32));
    step(&|m| m.train().expect("set"));
    step(&|m| m.eval().expect("set"));
}

/// A product whose weights nobody changes is planned with what was computed of them; a change is seen.
#[test]
fn static_plans_compute_once_what_depends_on_weights_alone() {
    const SOURCE: &str = "
import torch
from torch import nn

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), requires_grad=False)
        self.sizes = [1, 2]
    def forward(self, x):
        return torch.relu(x @ self.weight.exp()) * self.sizes[1]
";
    let load = |options: Options| {
        let engine = Engine::new(options).expect("an engine");
        let options = SourceOptions { entry: Some("M().eval()".into()), ..SourceOptions::default() };
        engine.compile_source("m.py", SOURCE, &options).expect("a module")
    };
    let (fixed, plain) = (load(planned()), load(Options::default()));
    assert_eq!(call(&fixed), call(&plain));
    let listing = fixed.static_listing("forward").expect("a plan");
    assert!(listing.starts_with("attributes are constants\n") && !listing.contains("aten::exp"), "{listing}");
    for m in [&fixed, &plain] {
        let IValue::List(sizes) = m.attr("sizes").expect("it is there") else { panic!("no list") };
        sizes.write()[1] = IValue::Int(7);
    }
    assert_eq!(call(&fixed), call(&plain));
    let listing = fixed.static_listing("forward").expect("a plan");
    assert!(listing.starts_with("attributes are read in each call\n") && listing.contains("aten::exp"), "{listing}");
}

/// An argument or a result that is a weight is the weight.
#[test]
fn weights_that_go_in_or_out_are_the_modules_own() {
    own(compiling::engine::options(Specialization::Static));
    own(planned());
}

fn own(options: Options) {
    let (compiled, plain) = (weighed(options), weighed(Options::default()));
    let both = |method: &str, argument: &dyn Fn(&Module) -> Tensor| {
        let one = |m: &Module| m.call(method, &[argument(m).into()]).expect("a result");
        for _ in 0..3 {
            let (a, b) = (one(&compiled), one(&plain));
            assert_eq!(format_value(&a), format_value(&b), "{method}");
            if let IValue::Tuple(results) = a {
                let given = results.items[0].as_tensor().expect("a tensor").clone();
                assert!(given.is(&weight(&compiled)));
                given.fill(0.5f32);
                weight(&plain).fill(0.5f32);
            }
        }
    };
    both("shift", &weight);
    both("give", &|_| Tensor::from_vec(vec![1f32, 2.], &[2]));
    both("give", &weight);
    assert_eq!(weight(&compiled).to_vec::<f32>(), weight(&plain).to_vec::<f32>());
}
