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

fn load(source: &str, options: Options) -> Module {
    let engine = Engine::new(options).expect("an engine");
    let options = SourceOptions { entry: Some("M().eval()".into()), ..SourceOptions::default() };
    engine.compile_source("m.py", source, &options).expect("a module")
}

/// Every call is compiled.
fn compiled() -> Options {
    compiling::engine::options(Specialization::Static)
}

/// Calls by static plans.
fn planned() -> Options {
    Options { static_plan: Some(StaticOptions::default()), ..compiled() }
}

/// One module that takes attributes for constants, and one that is interpreted.
struct Both {
    fixed: Module,
    plain: Module,
}

impl Both {
    fn load(source: &str, options: Options) -> Both {
        Both { fixed: load(source, options), plain: load(source, Options::default()) }
    }

    /// Changes both, which then give the same in several calls.
    fn step(&self, calls: usize, change: impl Fn(&Module)) {
        change(&self.fixed);
        change(&self.plain);
        for _ in 0..calls {
            assert_eq!(call(&self.fixed), call(&self.plain));
        }
    }
}

/// A tensor that a module holds.
fn tensor(module: &Module, name: &str) -> Tensor {
    module.attr(name).expect("it is there").as_tensor().expect("a tensor").clone()
}

fn call(module: &Module) -> Vec<f32> {
    let x = Tensor::from_vec(vec![1f32, -2., 3., 4.], &[2, 2]);
    module.call("forward", &[x.into()]).expect("a result").as_tensor().expect("a tensor").to_vec()
}

/// Every step is made on a module that is interpreted, too.
#[test]
fn compiled_methods_see_what_is_set() {
    let both = Both::load(SOURCE, compiled());
    let compiled = &both.fixed;
    both.step(2, |_| {});
    let regions = compiled.report("forward").regions;
    assert!(
        regions.iter().any(|r| r.compiled == 2 && r.operations.iter().any(|o| o == "aten::mul.Scalar")),
        "{regions:?}"
    );
    both.step(1, |m| m.set_attr("scale.rate", IValue::Double(5.0)).expect("set"));
    let report = compiled.report("forward");
    assert!(report.notes.iter().any(|n| n.contains("an attribute changed")), "{report}");
    both.step(1, |m| m.set_attr("scale.rate", IValue::Double(2.0)).expect("set"));
    both.step(1, |m| m.train().expect("set"));
    both.step(1, |m| m.eval().expect("set"));
    both.step(1, |m| m.set_attr("norm.weight", Tensor::from_vec(vec![3f32, -1.], &[2]).into()).expect("set"));
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

/// What depends on weights alone is computed once, as long as they are what they were.
#[test]
fn weights_are_constants_until_somebody_writes_to_them() {
    let both = Both::load(WEIGHED, compiled());
    let compiled = &both.fixed;
    both.step(2, |_| {});
    let report = compiled.report("forward");
    // `seen` is written in each call.
    let said = "2 tensors of the module are constants, 1 were computed once from constants";
    assert!(report.notes.iter().any(|n| n == said), "{report}");
    both.step(1, |m| tensor(m, "weight").fill(5f32));
    let report = compiled.report("forward");
    assert!(report.notes.iter().any(|n| n.contains("an attribute changed")), "{report}");
    both.step(1, |m| tensor(m, "weight").as_strided(&[1], &[1], 3).expect("inside").fill(-1f32));
    both.step(1, |m| m.set_attr("scale", Tensor::from_vec(vec![0f32, 1.], &[2]).into()).expect("set"));
    for module in [&both.fixed, &both.plain] {
        assert_eq!(tensor(module, "seen").to_vec::<f32>(), [5., 5.]);
    }
}

/// Static plans rely on attributes as compiled code does.
#[test]
fn static_plans_see_what_is_set_and_written() {
    let both = Both::load(SOURCE, planned());
    both.step(3, |_| {});
    both.step(3, |m| tensor(m, "norm.weight").fill(3f32));
    both.step(3, |m| m.set_attr("scale.rate", IValue::Double(5.0)).expect("set"));
    both.step(3, |m| tensor(m, "norm.running_var").as_strided(&[1], &[1], 1).expect("inside").fill(9f32));
    both.step(3, |m| m.train().expect("set"));
    both.step(3, |m| m.eval().expect("set"));
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
    let both = Both::load(SOURCE, planned());
    both.step(1, |_| {});
    let fixed = &both.fixed;
    let listing = fixed.static_listing("forward").expect("a plan");
    assert!(listing.starts_with("attributes are constants\n") && !listing.contains("aten::exp"), "{listing}");
    both.step(1, |m| {
        let IValue::List(sizes) = m.attr("sizes").expect("it is there") else { panic!("no list") };
        sizes.write()[1] = IValue::Int(7);
    });
    let listing = fixed.static_listing("forward").expect("a plan");
    assert!(listing.starts_with("attributes are read in each call\n") && listing.contains("aten::exp"), "{listing}");
}

/// An argument or a result that is a weight is the weight.
#[test]
fn weights_that_go_in_or_out_are_the_modules_own() {
    own(compiled());
    own(planned());
}

fn own(options: Options) {
    let Both { fixed: compiled, plain } = Both::load(WEIGHED, options);
    let both = |method: &str, argument: &dyn Fn(&Module) -> Tensor| {
        let one = |m: &Module| m.call(method, &[argument(m).into()]).expect("a result");
        for _ in 0..3 {
            let (a, b) = (one(&compiled), one(&plain));
            assert_eq!(format_value(&a), format_value(&b), "{method}");
            if let IValue::Tuple(results) = a {
                let given = results.items[0].as_tensor().expect("a tensor").clone();
                assert!(given.is(&tensor(&compiled, "weight")));
                given.fill(0.5f32);
                tensor(&plain, "weight").fill(0.5f32);
            }
        }
    };
    both("shift", &|m| tensor(m, "weight"));
    both("give", &|_| Tensor::from_vec(vec![1f32, 2.], &[2]));
    both("give", &|m| tensor(m, "weight"));
    assert_eq!(tensor(&compiled, "weight").to_vec::<f32>(), tensor(&plain, "weight").to_vec::<f32>());
}
