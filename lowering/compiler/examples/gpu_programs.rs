//! Writes Programs that carry PTX, inputs and the interpreter's results, for `cargo xtask gpu-check`: whoever has the runtime alone can run them and see what agrees.
//!
//!     cargo run -p sconce-compiler --example gpu_programs -- FOLDER
//!
//! Each file has the function `f`, whose sizes are known; `inputs`, which gives its arguments; and `check`, which calls it and says for each result whether it is close to
//! what the interpreter gave here.

use sconce_compiler::InProcess;
use sconce_interpreter::program::{Function, Op, Operand, Program, Region, Register, Target};
use sconce_interpreter::{Executable, Options};
use sconce_request::{Answer, ArgumentSignature, Compiler, Job, Question, Refusal, Signature, Subject, Want};
use sconce_schema::{DType, Type};
use sconce_tensor::{IValue, Tensor};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// A program: its name, its graph, and the sizes of its arguments.
struct Case {
    name: &'static str,
    graph: &'static str,
    sizes: &'static [&'static [i64]],
}

const CASES: &[Case] = &[
    Case {
        name: "lstm_cell",
        graph: include_str!("../../../examples/lstm_cell/lstm_cell.txt"),
        sizes: &[&[64, 256], &[64, 256], &[64, 256], &[1024, 256], &[1024, 256], &[1024], &[1024]],
    },
    Case {
        name: "pointwise",
        graph: "graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::mul(%x, %y)
  %b : Tensor = aten::add(%a, %x, %one)
  %c : Tensor = aten::tanh(%b)
  %d : Tensor = aten::sigmoid(%y)
  %e : Tensor = aten::mul(%c, %d)
  %f : Tensor = aten::exp(%e)
  return (%f)
",
        sizes: &[&[512, 1024], &[512, 1024]],
    },
    Case {
        name: "broadcast",
        graph: "graph(%x : Tensor, %y : Tensor, %z : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %y, %one)
  %b : Tensor = aten::mul(%a, %z)
  %c : Tensor = aten::relu(%b)
  return (%c)
",
        sizes: &[&[512, 1024], &[1024], &[512, 1]],
    },
    Case {
        name: "softmax",
        graph: "graph(%x : Tensor):
  %dim : int = prim::Constant[value=-1]()
  %none : NoneType = prim::Constant()
  %s : Tensor = aten::softmax(%x, %dim, %none)
  return (%s)
",
        sizes: &[&[512, 1000]],
    },
    Case {
        name: "layer_norm",
        graph: "graph(%x : Tensor, %w : Tensor, %b : Tensor):
  %n : int = prim::Constant[value=768]()
  %shape : int[] = prim::ListConstruct(%n)
  %eps : float = prim::Constant[value=0.00001]()
  %no : bool = prim::Constant[value=0]()
  %y : Tensor = aten::layer_norm(%x, %shape, %w, %b, %eps, %no)
  return (%y)
",
        sizes: &[&[512, 768], &[768], &[768]],
    },
    Case {
        name: "mm",
        graph: "graph(%x : Tensor, %y : Tensor):\n  %z : Tensor = aten::mm(%x, %y)\n  return (%z)\n",
        sizes: &[&[512, 256], &[256, 512]],
    },
    Case {
        name: "bmm",
        graph: "graph(%x : Tensor, %y : Tensor):\n  %z : Tensor = aten::bmm(%x, %y)\n  return (%z)\n",
        sizes: &[&[16, 64, 128], &[16, 128, 64]],
    },
    Case {
        name: "linear",
        graph: "graph(%x : Tensor, %w : Tensor, %b : Tensor):
  %y : Tensor = aten::linear(%x, %w, %b)
  %z : Tensor = aten::relu(%y)
  return (%z)
",
        sizes: &[&[128, 256], &[512, 256], &[512]],
    },
    Case {
        name: "reductions",
        graph: "graph(%x : Tensor):
  %dim : int = prim::Constant[value=1]()
  %dims : int[] = prim::ListConstruct(%dim)
  %keep : bool = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %s : Tensor = aten::sum(%x, %dims, %keep, %none)
  %m : Tensor = aten::mean(%x, %dims, %keep, %none)
  %a : Tensor = aten::amax(%x, %dims, %keep)
  return (%s, %m, %a)
",
        sizes: &[&[1024, 512]],
    },
];

/// What every program's function is called.
const FUNCTION: &str = "f";

/// How far a result may be from the interpreter's: sums in another order, and polynomials for exp and tanh.
const RELATIVE: f64 = 1e-4;
const ABSOLUTE: f64 = 1e-5;

fn main() -> Fallible<()> {
    let folder = std::env::args().nth(1).ok_or("usage: gpu_programs FOLDER")?;
    std::fs::create_dir_all(&folder)?;
    let mut out = std::io::stdout();
    for case in CASES {
        let (program, regions) = compiled(case).map_err(|e| format!("{}: {e}", case.name))?;
        let program = with_check(program, case)?;
        let bytes = program.to_bytes()?;
        std::fs::write(Path::new(&folder).join(case.name).with_extension("sconce"), &bytes)?;
        writeln!(out, "{:12} {regions} regions with PTX, {} KiB", case.name, bytes.len() / 1024)?;
    }
    Ok(())
}

/// The program with PTX for its regions, and their number.
fn compiled(case: &Case) -> Fallible<(Program, usize)> {
    let subject = Subject::GraphText { name: format!("{FUNCTION}.txt"), text: case.graph.into() };
    let sizes = |sizes: &&[i64]| ArgumentSignature::Tensor(DType::F32, sizes.iter().map(|s| Some(*s)).collect());
    let signature = Signature(case.sizes.iter().map(sizes).collect());
    let job = Job { function: FUNCTION.into(), signature, attributes: Vec::new(), gpu: true, ..Job::default() };
    let Answer::Program(made) = InProcess.ask(&Question { subject, want: Want::Program(job) })? else {
        return Err("the compiler gave no program".into());
    };
    let mut left_out: Vec<String> = made.notes;
    left_out.extend(
        made.refusals.iter().filter(|u| u.pass == Refusal::COMPILE).map(|u| format!("{}: {}", u.operator, u.why)),
    );
    let program = Program::from_bytes(&made.program)?;
    let has_ptx = |r: &&Region| r.codes.iter().any(|c| c.target == Target::Ptx);
    let regions = program.regions.iter().filter(has_ptx).count();
    if regions == 0 || regions < program.regions.len() {
        return Err(format!("{regions} of {} regions have PTX: {}", program.regions.len(), left_out.join("; ")).into());
    }
    Ok((program, regions))
}

/// Floats between -1 and 1 without a pattern that sums away.
fn pattern(sizes: &[i64], seed: usize) -> Tensor {
    let count: i64 = sizes.iter().product();
    let scale = if sizes.len() > 1 { 1.0 } else { 0.5 };
    let number = |i: i64| ((i as usize).wrapping_mul(2_654_435_761).wrapping_add(seed * 97) >> 7) % 2001;
    Tensor::from_vec((0..count).map(|i| (number(i) as f32 / 1000.0 - 1.0) * scale).collect(), sizes)
}

/// Instructions of one function, each result in a register of its own.
struct Writer<'p> {
    program: &'p mut Program,
    function: Function,
}

impl Writer<'_> {
    fn registers(&mut self, count: usize) -> Vec<Register> {
        let first = self.function.registers;
        self.function.registers += count as u32;
        (first..self.function.registers).collect()
    }

    fn push(&mut self, op: Op, inputs: &[Register], results: usize) -> Vec<Register> {
        let outputs = self.registers(results);
        self.function.push(op, outputs.iter().copied(), inputs.iter().map(|r| Operand::copy(*r)), None);
        outputs
    }

    fn constant(&mut self, value: IValue) -> Register {
        self.program.constants.push(value);
        self.push(Op::Constant(self.program.constants.len() as u32 - 1), &[], 1)[0]
    }

    /// Gives back one value.
    fn finish(mut self, result: Register) {
        self.push(Op::Store, &[result], 0);
        self.program.functions.push(self.function);
    }
}

fn writer<'p>(program: &'p mut Program, name: &str) -> Writer<'p> {
    Writer { program, function: Function { name: name.into(), results: vec![Type::Any], ..Function::default() } }
}

/// The program with its inputs and the check of its results.
fn with_check(mut program: Program, case: &Case) -> Fallible<Program> {
    let f = program.function(FUNCTION).ok_or("the function is gone")?;
    let inputs: Vec<IValue> = case.sizes.iter().zip(1..).map(|(s, seed)| pattern(s, seed).into()).collect();
    let given = Executable::new(Arc::new(program.clone()))?.run(f, inputs.clone(), &Options::default())?;
    let count = inputs.len();
    let mut w = writer(&mut program, "inputs");
    let all = w.constant(IValue::tuple(inputs));
    w.finish(all);
    let from_inputs = Op::CallFunction(program.functions.len() as u32 - 1);

    let allclose = program.operator_id("aten::allclose");
    let mut w = writer(&mut program, "check");
    let all = w.push(from_inputs, &[], 1);
    let arguments = w.push(Op::TupleUnpack, &all, count);
    let results = w.push(Op::CallFunction(f), &arguments, given.len());
    let (relative, absolute) = (w.constant(IValue::Double(RELATIVE)), w.constant(IValue::Double(ABSOLUTE)));
    let no = w.constant(IValue::Bool(false));
    let mut close = Vec::new();
    for (value, register) in given.iter().zip(results) {
        let (parts, registers) = match value {
            IValue::Tuple(t) => (t.items.to_vec(), w.push(Op::TupleUnpack, &[register], t.items.len())),
            one => (vec![one.clone()], vec![register]),
        };
        for (part, register) in parts.into_iter().zip(registers) {
            let expected = w.constant(part);
            close.extend(w.push(Op::Call(allclose), &[register, expected, relative, absolute, no], 1));
        }
    }
    let result = w.push(Op::TupleConstruct, &close, 1);
    w.finish(result[0]);
    program.entry = Some(f);
    program.verify()?;
    Ok(program)
}
