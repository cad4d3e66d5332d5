//! Modules frozen: what stays the same becomes constants, what is changed stays.

#[path = "compiling"]
mod compiling {
    pub mod engine;
    pub mod worker;
}

use expect_test::{Expect, expect};
use sconce::executor::Specialization;
use sconce::freeze::{Folding, freeze};
use sconce::request::{Limits, Worker};
use sconce::{Engine, ErrorKind, Options as EngineOptions, SourceOptions};
use sconce_corpus::{records, testdata};
use sconce_graph::listing::to_listing;
use sconce_python::{Entry, Options, Program};
use sconce_schema::Type;
use sconce_syntax::graph_text::{self, Node, Use, Value};
use sconce_tensor::IValue;
use std::collections::HashMap;
use std::sync::Arc;

/// The frozen module's attributes and methods.
fn check(source: &str, entry: &str, expected: Expect) {
    let mut program = Program::new("m.py", source, Options::default()).expect("the source is sound");
    let compiled = program.compile(entry).expect("the entry compiles");
    let (Some(kept), Entry::Module { object: IValue::Object(module), .. }) = (compiled.freeze, compiled.entry) else {
        panic!("the entry is a module to be frozen");
    };
    let engine = Engine::new(compiling::engine::options(Specialization::Static)).expect("an engine");
    let text = match freeze(&engine, &program.compiler.unit, &module, &kept, Folding::Off) {
        Err(e) => e.to_string(),
        Ok((unit, frozen)) => {
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
              %w.1 : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value= 1  1 [ CPUFloatType{2} ]]()
              %0 : int = prim::Constant[value=1]()
              %1 : int = prim::Constant[value=0]()
              %2 : Tensor = aten::mul(%x.1, %w.1)
              %3 : Tensor = aten::mul(%2, %w.1)
              %4 : Tensor = aten::mul(%3, %w.1)
              %outs.1 : Tensor[] = prim::ListConstruct(%2, %3, %4)
              %acc.1 : Tensor = prim::GetAttr[name="acc"](%self.1)
              %5 : Tensor = aten::add_(%acc.1, %4, %0)
               = prim::SetAttr[name="acc"](%self.1, %5)
              %6 : Tensor = aten::stack(%outs.1, %1)
              %acc.2 : Tensor = prim::GetAttr[name="acc"](%self.1)
              %7 : Tensor = aten::mul(%6, %acc.2)
              %view.1 : Tensor = prim::GetAttr[name="view"](%self.1)
              %8 : Tensor = aten::add(%7, %view.1, %0)
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
              %w.1 : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value= 1  1 [ CPUFloatType{2} ]]()
              %0 : bool = prim::Constant[value=1]()
              %1 : int = prim::Constant[value=1]()
              %2 : int = prim::Constant[value=0]()
              %outs.1 : Tensor[] = prim::ListConstruct()
              %steps.1 : int = prim::GetAttr[name="steps"](%self.1)
              %x : Tensor = prim::Loop(%steps.1, %0, %x.1)
                block0(%i.1 : int, %x.2 : Tensor):
                  %3 : Tensor = aten::mul(%x.2, %w.1)
                  %4 : Tensor[] = aten::append(%outs.1, %3)
                  -> (%0, %3)
              %acc.1 : Tensor = prim::GetAttr[name="acc"](%self.1)
              %5 : Tensor = aten::add_(%acc.1, %x, %1)
               = prim::SetAttr[name="acc"](%self.1, %5)
              %6 : Tensor = aten::stack(%outs.1, %2)
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

/// Without a compiler there is no frozen module; a source that freezes one runs it as it is, and says so.
#[test]
fn without_a_compiler() {
    let engine = Engine::new(EngineOptions::default()).expect("an engine");
    let source = |entry: &str| {
        let options = SourceOptions { entry: Some(entry.into()), ..SourceOptions::default() };
        engine.compile_source("m.py", SOURCE, &options).expect("the entry compiles")
    };
    let module = source("M().eval()");
    let error = module.frozen(&[]).err().expect("no compiler");
    assert_eq!(error.kind(), ErrorKind::Compile);
    expect!["a module is frozen by the compiler, and this program has none"].assert_eq(&error.to_string());
    let missing = Worker::new("/nowhere/sconce-compiler".into(), Vec::new(), Limits::default());
    let missing = Engine::new(compiling::engine::by(Arc::new(missing), Specialization::Static)).expect("an engine");
    let options = SourceOptions { entry: Some("M().eval()".into()), ..SourceOptions::default() };
    let module = missing.compile_source("m.py", SOURCE, &options).expect("the entry compiles");
    let error = module.frozen(&[]).err().expect("no compiler").to_string();
    assert!(error.starts_with("a module is frozen by the compiler, but the compiler "), "{error}");
    assert!(error.contains("/nowhere/sconce-compiler"), "{error}");
    let unfrozen = source("torch.jit.freeze(M().eval())");
    expect![[r#"["m.py: torch.jit.freeze leaves the module as it is: a module is frozen by the compiler, and this program has none"]"#]]
        .assert_eq(&format!("{:?}", unfrozen.departures()));
    let x = sconce::Tensor::from_vec(vec![1f32, 2.0], &[2]);
    let frozen = Engine::new(compiling::engine::options(Specialization::Static)).expect("an engine");
    let options = SourceOptions { entry: Some("torch.jit.freeze(M().eval())".into()), ..SourceOptions::default() };
    let frozen = frozen.compile_source("m.py", SOURCE, &options).expect("the entry compiles");
    for _ in 0..3 {
        let (a, b) = (unfrozen.call("forward", &[x.clone().into()]), frozen.call("forward", &[x.clone().into()]));
        let bytes = |v: &IValue| v.as_tensor().expect("a tensor").read_bytes();
        assert_eq!(bytes(&a.expect("a result")), bytes(&b.expect("a result")));
    }
}

/// What is shared is one constant; large ones are the module's own tensors. All that `forward` calls is inlined.
#[test]
fn weights_are_the_modules_own() {
    let source = "
import torch
from torch import nn

def twice(x):
    return x * 2

class Inner(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.w = w
    def forward(self, x):
        return x * self.w

class M(nn.Module):
    def __init__(self):
        super().__init__()
        w = nn.Parameter(torch.ones(2000))
        self.a = Inner(w)
        self.b = Inner(w)
    def forward(self, x):
        return twice(self.a(x)) + self.b(x)
";
    let engine = Engine::new(compiling::engine::options(Specialization::Static)).expect("an engine");
    let options = SourceOptions { entry: Some("M().eval()".into()), ..SourceOptions::default() };
    let module = engine.compile_source("m.py", source, &options).expect("the entry compiles");
    let frozen = module.frozen(&[]).expect("it freezes");
    let unit = frozen.unit().expect("a unit");
    let graph = &unit.functions["__torch__.m.___torch_mangle_0.M.forward"].graph;
    let constants: Vec<&IValue> = (graph.walk(graph.root()).into_iter())
        .filter_map(|node| graph.output(node).and_then(|v| graph.constant(v)))
        .filter(|value| matches!(value, IValue::Tensor(_)))
        .collect();
    assert!(graph.walk(graph.root()).into_iter().all(|node| !graph.kind(node).starts_with("prim::Call")));
    let [IValue::Tensor(folded)] = constants[..] else { panic!("{} constants", constants.len()) };
    let (_, own) = &module.named_parameters().expect("a module")[0];
    assert!(folded.shares_storage(own));
}

/// A graph without names, places and the contents of tensors: constants stand where they are used, other values have the numbers in which they come.
#[derive(Default)]
struct Plain {
    values: HashMap<String, String>,
    made: usize,
    text: String,
}

impl Plain {
    fn of(name: &str, text: &str) -> String {
        let listing = graph_text::read(name, text).expect("it is graph text").graph;
        let mut plain = Plain::default();
        plain.define(&listing.inputs[1..]);
        plain.nodes(&listing.nodes, 0);
        let results = plain.uses(&listing.outputs);
        plain.text + &format!("return {results}\n")
    }

    fn define(&mut self, values: &[Value]) -> String {
        let mut names = Vec::new();
        for value in values {
            self.made += 1;
            self.values.insert(value.name.clone(), format!("%{}", self.made));
            let ty = if matches!(value.ty, Type::Tensor(_)) { "Tensor".to_owned() } else { value.ty.to_string() };
            names.push(format!("%{} : {ty}", self.made));
        }
        names.join(", ")
    }

    fn uses(&self, values: &[Use]) -> String {
        let name = |value: &Use| self.values.get(&value.name).cloned().unwrap_or_else(|| "%self".to_owned());
        values.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    fn nodes(&mut self, nodes: &[Node], depth: usize) {
        for node in nodes {
            let attributes: Vec<String> = node.attributes.iter().map(|a| format!("{}={:?}", a.name, a.value)).collect();
            if let ("prim::Constant", [made]) = (&*node.kind, &node.outputs[..]) {
                let is_tensor = matches!(made.ty, Type::Tensor(_));
                let value =
                    if is_tensor { "a tensor".to_owned() } else { format!("{} {}", made.ty, attributes.join(" ")) };
                self.values.insert(made.name.clone(), format!("<{value}>"));
                continue;
            }
            let inputs = self.uses(&node.inputs);
            let outputs = self.define(&node.outputs);
            let indent = "  ".repeat(depth);
            self.text += &format!("{indent}{outputs} = {} {attributes:?} ({inputs})\n", node.kind);
            for block in &node.blocks {
                let given = self.define(&block.inputs);
                self.text += &format!("{indent}block({given})\n");
                self.nodes(&block.nodes, depth + 1);
                self.text += &format!("{indent}-> ({})\n", self.uses(&block.outputs));
            }
        }
    }
}

/// Modules that PyTorch froze: the graphs are the same but for what tensors hold. `torch.nn.LSTM` is written in words of our own.
#[test]
fn frozen_graphs_are_pytorchs() {
    let (listings, passes) = (testdata("listings").expect("testdata"), testdata("passes").expect("testdata"));
    let source = listings.text("modules.py").expect("the modules");
    let recorded = records(passes.text("freeze_module.txt").expect("the frozen graphs"), "## ");
    let engine = Engine::new(compiling::engine::options(Specialization::Static)).expect("an engine");
    let mut same = String::new();
    for class in ["Linear2", "ConvBn", "Attributes", "Submodules", "Lstm", "Attention", "Recursive", "Overloaded"] {
        let entry = format!("torch.jit.freeze({class}().eval(), optimize_numerics=False)");
        let options = SourceOptions { entry: Some(entry), ..SourceOptions::default() };
        let module = engine.compile_source("modules.py", source, &options).expect("the entry compiles");
        let text = module.graph("forward").expect("a graph");
        let text = &text[text.find("graph(").expect("a graph")..];
        let is_it = |text: &&str| text.contains(&format!(".{class},\n"));
        let theirs = recorded.iter().filter(|(line, _)| line.contains("after freeze_module")).map(|(_, text)| *text);
        let theirs = theirs.into_iter().find(is_it).expect("it was recorded");
        let (ours, theirs) = (Plain::of(class, text), Plain::of(class, theirs));
        if std::env::var_os("SHOW").is_some() && ours != theirs {
            println!("{class}: is\n{ours}should be\n{theirs}");
        }
        same += &format!("{class}: {}\n", if ours == theirs { "equal" } else { "different" });
    }
    expect![[r#"
        Linear2: equal
        ConvBn: equal
        Attributes: equal
        Submodules: equal
        Lstm: different
        Attention: equal
        Recursive: equal
        Overloaded: equal
    "#]]
    .assert_eq(&same);
}
