//! Functions of bytecode made by hand, values as recordings write them, and compilers that only pretend.
#![allow(dead_code, reason = "each test uses a part")]

use sconce_executor::{CompileRequest, Compiler, Executor, Settings, Setup};
use sconce_interpreter::program::{Function, Op, Operand, Parameter, Program};
use sconce_interpreter::{Executable, Options};
use sconce_schema::{DType, Type};
use sconce_tensor::{IValue, Tensor, TensorMetadata};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

fn function(name: &str, parameters: &[(&str, Type)], registers: u32) -> Function {
    let mut f = Function { name: name.into(), registers, results: vec![Type::Any], ..Function::default() };
    f.parameters = parameters.iter().map(|(n, t)| Parameter::new(*n, t.clone())).collect();
    f.push(Op::Load, 0..parameters.len() as u32, [], None);
    f
}

/// `sin(x) * 2 + y`.
pub fn chain() -> Program {
    let mut p = Program { constants: vec![IValue::Int(2), IValue::Int(1)], ..Program::default() };
    let (sin, mul, add) =
        (p.operator_id("aten::sin"), p.operator_id("aten::mul.Scalar"), p.operator_id("aten::add.Tensor"));
    let mut f = function("f", &[("x", Type::tensor()), ("y", Type::tensor())], 7);
    f.push(Op::Constant(0), [2], [], None);
    f.push(Op::Constant(1), [3], [], None);
    f.push(Op::Call(sin), [4], [Operand::moved(0)], None);
    f.push(Op::Call(mul), [5], [Operand::moved(4), Operand::moved(2)], None);
    f.push(Op::Call(add), [6], [Operand::moved(5), Operand::moved(1), Operand::moved(3)], None);
    f.push(Op::Store, [], [Operand::moved(6)], None);
    p.functions.push(f);
    p
}

/// `for _ in range(n): x = g(x)`, where `g` is `relu(x) * x` if `x.dim() == 1` and `x` else.
pub fn looping() -> Program {
    let mut p = Program { constants: vec![IValue::Bool(true), IValue::Int(0), IValue::Int(1)], ..Program::default() };
    let (relu, mul) = (p.operator_id("aten::relu"), p.operator_id("aten::mul.Tensor"));
    let (dim, eq) = (p.operator_id("aten::dim"), p.operator_id("aten::eq.int"));
    let mut f = function("f", &[("x", Type::tensor()), ("n", Type::Int)], 4);
    f.push(Op::Constant(1), [2], [], None);
    f.push(Op::Constant(0), [3], [], None);
    let top = f.push(Op::LoopUnless(0), [], [Operand::copy(2), Operand::copy(1), Operand::copy(3)], None);
    f.push(Op::CallFunction(1), [0], [Operand::moved(0)], None);
    f.push(Op::Next, [2], [Operand::moved(2)], None);
    f.push(Op::Jump(top), [], [], None);
    let end = f.push(Op::Store, [], [Operand::moved(0)], None);
    f.set_target(top, end);
    let mut g = function("g", &[("x", Type::tensor())], 5);
    g.push(Op::Call(dim), [1], [Operand::copy(0)], None);
    g.push(Op::Constant(2), [2], [], None);
    g.push(Op::Call(eq), [3], [Operand::moved(1), Operand::moved(2)], None);
    let branch = g.push(Op::JumpUnless(0), [], [Operand::moved(3)], None);
    g.push(Op::Call(relu), [4], [Operand::copy(0)], None);
    g.push(Op::Call(mul), [0], [Operand::moved(4), Operand::moved(0)], None);
    let end = g.push(Op::Store, [], [Operand::moved(0)], None);
    g.set_target(branch, end);
    p.functions.extend([f, g]);
    p
}

/// A function of any arguments that gives back the first.
pub fn first_of(parameters: usize) -> Program {
    let names: Vec<String> = (0..parameters).map(|i| format!("p{i}")).collect();
    let parameters: Vec<(&str, Type)> = names.iter().map(|n| (&**n, Type::Any)).collect();
    let mut f = function("f", &parameters, parameters.len() as u32);
    f.push(Op::Store, [], [Operand::moved(0)], None);
    Program { functions: vec![f], ..Program::default() }
}

pub fn executor(program: Program, settings: Settings) -> Executor {
    with(program, Setup { settings, ..Setup::default() })
}

pub fn with(program: Program, setup: Setup) -> Executor {
    let executable = Executable::with_operators(Arc::new(program), &setup.custom).expect("a program made here");
    Executor::with(Arc::new(executable), 0, setup)
}

/// Floats from a pattern.
pub fn tensor(sizes: &[i64]) -> IValue {
    let count: i64 = sizes.iter().product();
    IValue::Tensor(Tensor::from_vec((0..count).map(|i| i as f32 / 8.0 - 1.0).collect(), sizes))
}

pub fn run(executor: &Executor, inputs: &[IValue]) -> Vec<f32> {
    let outputs = executor.run(inputs.to_vec(), &Options::default()).expect("it runs");
    outputs[0].as_tensor().expect("a tensor").to_vec::<f32>()
}

/// A compiler that gives the program back and keeps what it was asked for.
#[derive(Default)]
pub struct Copies {
    pub requests: Mutex<Vec<String>>,
    pub count: AtomicUsize,
}

impl Compiler for Copies {
    fn compile(&self, request: &CompileRequest) -> Result<Program, String> {
        self.count.fetch_add(1, Ordering::Relaxed);
        let types: Vec<String> = request.arguments.iter().map(Type::to_string).collect();
        let kind = request.specialization.map_or("ranks", |s| s.word());
        self.requests.lock().expect("no panic").push(format!("{kind}: {}", types.join(", ")));
        Ok(Program::clone(&request.program))
    }
}

/// A value as the recorder writes it; its numbers do not matter.
pub fn recorded(v: &serde_json::Value) -> IValue {
    use serde_json::Value;
    match v {
        Value::Array(items) => IValue::tuple(items.iter().map(recorded)),
        Value::Number(n) => IValue::Int(n.as_i64().expect("an int")),
        Value::Null => IValue::None,
        Value::Object(o) if o.contains_key("items") => {
            IValue::list(Type::tensor(), o["items"].as_array().expect("a list").iter().map(recorded))
        }
        Value::Object(o) => {
            let numbers = |key: &str| -> Vec<i64> {
                o[key].as_array().expect("sizes").iter().map(|n| n.as_i64().expect("a size")).collect()
            };
            let dtype = match o["dtype"].as_str() {
                Some("float32") => DType::F32,
                Some("float64") => DType::F64,
                Some("int64") => DType::I64,
                other => panic!("{other:?}"),
            };
            let (sizes, strides) = (numbers("sizes"), numbers("strides"));
            let last: i64 = sizes.iter().zip(&strides).map(|(n, s)| (n - 1).max(0) * s).sum();
            let storage = Tensor::zeros(&[last + 1], dtype).expect("a small tensor").metadata();
            let metadata = TensorMetadata { sizes: sizes.into(), strides: strides.into(), ..storage };
            let made = Tensor::new(metadata).expect("inside its storage");
            made.set_requires_grad(o["grad"] == true);
            IValue::Tensor(made)
        }
        other => panic!("{other}"),
    }
}

/// A file of testdata/executor.
pub fn recordings(name: &str) -> Vec<serde_json::Value> {
    let corpus = sconce_corpus::testdata("executor").expect("testdata/executor.tar.zst");
    let bytes = corpus.get(name).unwrap_or_else(|| panic!("{name} is not recorded"));
    serde_json::from_slice(bytes).expect("a list")
}
