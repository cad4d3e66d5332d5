//! Modules frozen: what stays the same becomes constants, what is changed stays.

use expect_test::{Expect, expect};
use sconce_graph::listing::to_listing;
use sconce_python::{Entry, Options, Program};
use sconce_script::passes::freeze_module;
use sconce_tensor::IValue;

/// The frozen module's attributes and methods.
fn check(source: &str, entry: &str, expected: Expect) {
    let mut program = Program::new("m.py", source, Options::default()).expect("the source is sound");
    let compiled = program.compile(entry).expect("the entry compiles");
    let (Some(kept), Entry::Module { object: IValue::Object(module), .. }) = (compiled.freeze, compiled.entry) else {
        panic!("the entry is a module to be frozen");
    };
    let unit = &mut program.compiler.unit;
    let text = match freeze_module(unit, &module, &kept) {
        Err(e) => e.to_string(),
        Ok(frozen) => {
            let mut text = format!("{} {:?}\n", frozen.class, frozen.names);
            for method in &unit.classes[&frozen.class].methods {
                let f = &unit.functions[format!("{}.{method}", frozen.class).as_str()];
                text.push_str(
                    &to_listing(&f.graph)
                        .to_string()
                        .replace(" # ", " #")
                        .lines()
                        .map(|l| format!("{}\n", l.split(" #").next().unwrap_or(l)))
                        .collect::<String>(),
                );
            }
            text
        }
    };
    expected.assert_eq(&text);
}

const SOURCE: &str = "
import torch
from torch import nn
from typing import List

class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
        self.p = 0.5
    def forward(self, x):
        return torch.dropout(x * self.w, self.p, self.training)

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.steps = 3
        self.count = 0
        self.unused = nn.Parameter(torch.ones(1000))
        self.register_buffer('acc', torch.zeros(2))
        self.register_buffer('view', self.acc[:1])
    def forward(self, x):
        outs: List[torch.Tensor] = []
        for i in range(self.steps):
            x = self.inner(x)
            outs.append(x)
        self.acc += x
        return torch.stack(outs) * self.acc + self.view
    @torch.jit.export
    def bump(self) -> int:
        self.count += 1
        return self.count
";

#[test]
fn constants_and_what_is_changed() {
    check(
        SOURCE,
        "torch.jit.freeze(M().eval())",
        expect![[r#"
        __torch__.m.___torch_mangle_0.M ["acc", "view"]
        graph(%self.1 : __torch__.m.___torch_mangle_0.M,
              %x.1 : Tensor):
          %0 : int = prim::Constant[value=0]()
          %1 : int = prim::Constant[value=1]()
          %w.1 : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value= 1  1 [ CPUFloatType{2} ]]()
          %2 : Tensor = aten::mul(%x.1, %w.1)
          %3 : Tensor = aten::mul(%2, %w.1)
          %4 : Tensor = aten::mul(%3, %w.1)
          %outs.1 : Tensor[] = prim::ListConstruct(%2, %3, %4)
          %acc.1 : Tensor = prim::GetAttr[name="acc"](%self.1)
          %5 : Tensor = aten::add_(%acc.1, %4, %1)
           = prim::SetAttr[name="acc"](%self.1, %5)
          %6 : Tensor = aten::stack(%outs.1, %0)
          %acc.2 : Tensor = prim::GetAttr[name="acc"](%self.1)
          %7 : Tensor = aten::mul(%6, %acc.2)
          %view.1 : Tensor = prim::GetAttr[name="view"](%self.1)
          %8 : Tensor = aten::add(%7, %view.1, %1)
          return (%8)
    "#]],
    );
}

#[test]
fn what_is_asked_for_stays() {
    check(
        SOURCE,
        "torch.jit.freeze(M().eval(), ['bump', 'steps'])",
        expect![[r#"
        __torch__.m.___torch_mangle_0.M ["acc", "view", "steps", "count"]
        graph(%self.1 : __torch__.m.___torch_mangle_0.M,
              %x.1 : Tensor):
          %0 : int = prim::Constant[value=0]()
          %1 : int = prim::Constant[value=1]()
          %2 : bool = prim::Constant[value=1]()
          %w.1 : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value= 1  1 [ CPUFloatType{2} ]]()
          %outs.1 : Tensor[] = prim::ListConstruct()
          %steps.1 : int = prim::GetAttr[name="steps"](%self.1)
          %x : Tensor = prim::Loop(%steps.1, %2, %x.1)
            block0(%i.1 : int, %x.2 : Tensor):
              %3 : Tensor = aten::mul(%x.2, %w.1)
              %4 : Tensor[] = aten::append(%outs.1, %3)
              -> (%2, %3)
          %acc.1 : Tensor = prim::GetAttr[name="acc"](%self.1)
          %5 : Tensor = aten::add_(%acc.1, %x, %1)
           = prim::SetAttr[name="acc"](%self.1, %5)
          %6 : Tensor = aten::stack(%outs.1, %0)
          %acc.2 : Tensor = prim::GetAttr[name="acc"](%self.1)
          %7 : Tensor = aten::mul(%6, %acc.2)
          %view.1 : Tensor = prim::GetAttr[name="view"](%self.1)
          %8 : Tensor = aten::add(%7, %view.1, %1)
          return (%8)
        graph(%self.1 : __torch__.m.___torch_mangle_0.M):
          %0 : int = prim::Constant[value=1]()
          %count.1 : int = prim::GetAttr[name="count"](%self.1)
          %1 : int = aten::add(%count.1, %0)
           = prim::SetAttr[name="count"](%self.1, %1)
          %count.2 : int = prim::GetAttr[name="count"](%self.1)
          return (%count.2)
    "#]],
    );
}

#[test]
fn what_cannot_be_frozen() {
    let mut program = Program::new("m.py", SOURCE, Options::default()).expect("the source is sound");
    let error = program.compile("torch.jit.freeze(M())").err().expect("a refusal");
    expect!["<unknown>: RuntimeError: Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module before freezing."].assert_eq(&error.report());
    check(SOURCE, "torch.jit.freeze(M().eval(), ['nothing'])", expect!["Unknown name: nothing"]);
}
