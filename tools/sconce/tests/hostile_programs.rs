//! Programs that lie about their tensors, and sizes that wrap or fit nowhere, have one outcome however they are run: the interpreter's result, or its error.
//!
//! `SCONCE_SEED` is the seed and `SCONCE_PROGRAMS` how many are made (60; a long run makes 500); what became of them is printed (`--nocapture`). A program that ends the process is the
//! last one in the file that `SCONCE_LAST` names. `SCONCE_KEEP` names a folder for the programs and their arguments, from which `hostile/record.py` records
//! what PyTorch makes of them (`testdata/hostile`).

#[path = "compiling"]
mod compiling {
    pub mod checking;
    pub mod engine;
    pub mod worker;
}
mod lies;

use lies::DTYPES;
use sconce::compare::{Tolerance, compare};
use sconce::executor::Specialization;
use sconce::limits::CallLimits;
use sconce::{Engine as Sconce, IValue, Options, StaticOptions, Tensor};
use sconce_tensor::DType;
use sconce_tensor::mersenne::Engine;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// Sizes that are small, that multiply to a little more than a power of two, or that are as large as numbers are.
const SIZES: &[i64] = &[
    -1,
    0,
    1,
    1,
    2,
    2,
    3,
    3,
    4,
    6,
    1 << 12,
    1 << 20,
    1 << 31,
    (1 << 32) + 1,
    536_903_681,
    8_589_410_320,
    1 << 62,
    i64::MAX,
    i64::MIN,
];
const UNARY: &[&str] = &["neg", "exp", "relu", "sigmoid", "abs", "tanh", "t", "alias", "sqrt"];
const BINARY: &[&str] = &["mul", "div", "maximum", "matmul", "mm", "pow", "eq"];
/// How often a loop runs: hardly, or for ever.
const TRIPS: &[i64] = &[-1, 0, 1, 2, 3, 1 << 40, i64::MAX];

/// A tensor that is made anew for each call, since programs write to it.
#[derive(Debug)]
struct Laid {
    values: Vec<f64>,
    sizes: Vec<i64>,
    dtype: DType,
    /// Other sizes and strides over the same elements.
    view: Option<(Vec<i64>, Vec<i64>)>,
}

impl Laid {
    fn tensor(&self) -> Tensor {
        let t = Tensor::from_f64(&self.values, &self.sizes, self.dtype).expect("a tensor");
        match &self.view {
            Some((sizes, strides)) => t.as_strided(sizes, strides, 0).expect("a view"),
            None => t,
        }
    }
}

/// The arguments of a call: two tensors, and numbers.
type Arguments = ([Laid; 2], Vec<i64>);

struct Maker {
    e: Engine,
    text: String,
    /// Tensors so far.
    values: Vec<String>,
    numbers: usize,
    /// Numbers that come as arguments.
    given: Vec<i64>,
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        lies::below(&mut self.e, n)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        lies::one(&mut self.e, of)
    }

    fn lie(&mut self) -> String {
        lies::lie(&mut self.e)
    }

    /// A number as a constant, or as an argument.
    fn int(&mut self, value: i64) -> String {
        if self.below(3) == 0 && self.given.len() < 4 {
            self.given.push(value);
            return format!("%n{}", self.given.len() - 1);
        }
        self.numbers += 1;
        let _ = writeln!(self.text, "  %c{} : int = prim::Constant[value={value}]()", self.numbers);
        format!("%c{}", self.numbers)
    }

    fn list(&mut self, sizes: &[i64]) -> String {
        let names: Vec<String> = sizes.iter().map(|n| self.int(*n)).collect();
        self.numbers += 1;
        let _ = writeln!(self.text, "  %c{} : int[] = prim::ListConstruct({})", self.numbers, names.join(", "));
        format!("%c{}", self.numbers)
    }

    fn value(&mut self) -> String {
        let i = self.below(self.values.len());
        self.values[i].clone()
    }

    /// A value that stands in a block of its own.
    fn inner(&mut self) -> String {
        self.numbers += 1;
        format!("%b{}", self.numbers)
    }

    /// A block that makes one tensor of another, on lines of this depth: its text and the value.
    fn block(&mut self, depth: usize, from: &str) -> (String, String) {
        let (pad, result, ty) = ("  ".repeat(depth), self.inner(), self.lie());
        let call = match self.below(3) {
            0 => format!("aten::{}({from})", self.one(UNARY)),
            1 => format!("aten::mul({from}, {from})"),
            _ => format!("aten::add_({from}, {from}, %one)"),
        };
        (format!("{pad}{result} : {ty} = {call}\n"), result)
    }

    fn looped(&mut self, name: &str, ty: &str, a: &str) {
        let trips = self.one(TRIPS);
        let (trips, carried, carried_ty, i) = (self.int(trips), self.inner(), self.lie(), self.inner());
        let (body, result) = self.block(3, &carried);
        let header = format!("block0({i} : int, {carried} : {carried_ty}):");
        let _ = write!(
            self.text,
            "  {name} : {ty} = prim::Loop({trips}, %true, {a})\n    {header}\n{body}      -> (%true, {result})\n"
        );
    }

    /// Branches in branches, to this depth; which way is a number of the call's.
    fn branched(&mut self, name: &str, ty: &str, a: &str, b: &str, depth: usize) {
        let (zero, n) = (self.int(0), self.one(&[0, 1]));
        let n = self.int(n);
        let condition = self.inner();
        let _ = writeln!(self.text, "  {condition} : bool = aten::gt({n}, {zero})");
        let names: Vec<String> = std::iter::once(name.to_owned()).chain((1..depth).map(|_| self.inner())).collect();
        let mut closing = Vec::new();
        for (level, name) in names.iter().enumerate() {
            let pad = "  ".repeat(1 + 2 * level);
            let ty = if level == 0 { ty.to_owned() } else { self.lie() };
            let _ = write!(self.text, "{pad}{name} : {ty} = prim::If({condition})\n{pad}  block0():\n");
            let inner = names.get(level + 1);
            if inner.is_none() {
                let (body, result) = self.block(level * 2 + 3, a);
                let _ = writeln!(self.text, "{body}{pad}    -> ({result})");
            }
            let (body, result) = self.block(level * 2 + 3, b);
            let end = inner.map_or_else(String::new, |inner| format!("{pad}    -> ({inner})\n"));
            closing.push(format!("{end}{pad}  block1():\n{body}{pad}    -> ({result})\n"));
        }
        for text in closing.iter().rev() {
            self.text += text;
        }
    }

    fn operator(&mut self) {
        let (a, b) = (self.value(), self.value());
        let name = format!("%v{}", self.values.len());
        let ty = self.lie();
        match self.below(14) {
            0 => self.looped(&name, &ty, &a),
            1 => {
                let depth = self.one(&[1, 1, 2, 3, 60]);
                self.branched(&name, &ty, &a, &b, depth);
            }
            _ => {
                let call = self.call(&a, &b);
                let _ = writeln!(self.text, "  {name} : {ty} = {call}");
            }
        }
        self.values.push(name);
    }

    fn call(&mut self, a: &str, b: &str) -> String {
        match self.below(14) {
            0..=2 => format!("aten::{}({a})", self.one(UNARY)),
            3 => format!("aten::{}({a}, {b})", self.one(BINARY)),
            4 => format!("aten::add({a}, {b}, {})", self.int(1)),
            5 | 6 => {
                let rank = 1 + self.below(3);
                let sizes: Vec<i64> = (0..rank).map(|_| self.one(SIZES)).collect();
                let list = self.list(&sizes);
                match self.below(3) {
                    0 => format!("aten::reshape({a}, {list})"),
                    _ => format!("aten::expand({a}, {list}, %false)"),
                }
            }
            7 => format!("aten::sum({a}, %none)"),
            8 => {
                let dim = self.one(&[-1, 0, 1, i64::MAX]);
                format!("aten::softmax({a}, {}, %none)", self.int(dim))
            }
            9 => {
                let bounds = [self.one(&[0, 1, -1]), self.one(SIZES), self.one(SIZES), self.one(&[1, 1, 2, i64::MAX])];
                let [dim, from, to, step] = bounds.map(|n| self.int(n));
                format!("aten::slice({a}, {dim}, {from}, {to}, {step})")
            }
            10 => match self.below(3) {
                0 => format!("aten::copy_({a}, {b}, %false)"),
                _ => format!("aten::{}({a}, {b})", self.one(&["mul_", "div_"])),
            },
            11 => format!("aten::{}({a})", self.one(&["neg_", "relu_", "zero_", "exp_"])),
            12 => {
                let rank = 1 + self.below(2);
                let sizes: Vec<i64> = (0..rank).map(|_| self.one(SIZES)).collect();
                format!("aten::zeros({}, %none, %none, %none, %none)", self.list(&sizes))
            }
            _ => {
                self.numbers += 1;
                let list = format!("%c{}", self.numbers);
                let _ = writeln!(self.text, "  {list} : Tensor[] = prim::ListConstruct({a}, {b})");
                let dim = self.one(&[0, 1, -1]);
                format!("aten::cat({list}, {})", self.int(dim))
            }
        }
    }

    /// An argument, laid out in some way.
    fn tensor(&mut self) -> Laid {
        let sizes = lies::small_sizes(&mut self.e);
        let (_, dtype) = self.one(DTYPES);
        let count: i64 = sizes.iter().product();
        let values: Vec<f64> = (0..count).map(|_| self.below(5) as f64 - 1.0).collect();
        let mut laid = Laid { values, sizes, dtype, view: None };
        let strides = laid.tensor().strides().to_vec();
        laid.view = match self.below(4) {
            0 if count > 0 => {
                Some((laid.sizes.iter().rev().copied().collect(), strides.iter().rev().copied().collect()))
            }
            1 if count > 0 => Some((laid.sizes.clone(), vec![0; laid.sizes.len()])),
            _ => None,
        };
        laid
    }

    /// A listing, and two lists of arguments for it.
    fn program(seed: u64) -> (String, [Arguments; 2]) {
        let names = ["%x", "%y"].map(str::to_owned).to_vec();
        let mut m = Maker { e: Engine::new(seed), text: String::new(), values: names, numbers: 0, given: Vec::new() };
        for _ in 0..2 + m.below(5) {
            m.operator();
        }
        let mut text = format!("graph(%x : {}, %y : {}", m.lie(), m.lie());
        for i in 0..m.given.len() {
            let _ = write!(text, ", %n{i} : int");
        }
        // Every value is a result: what nobody uses need not be computed, nor fail.
        let all = m.values[2..].join(", ");
        let constants = "  %none : NoneType = prim::Constant()\n  %false : bool = prim::Constant[value=0]()\n  \
                         %true : bool = prim::Constant[value=1]()\n  %one : int = prim::Constant[value=1]()\n";
        let _ = write!(text, "):\n{constants}{}  return ({all})\n", m.text);
        let given = m.given.clone();
        let mut arguments = || ([m.tensor(), m.tensor()], given.clone());
        let arguments = [arguments(), arguments()];
        (text, arguments)
    }
}

/// Writes a program and the arguments of its calls.
fn keep(folder: &Path, text: &str, arguments: &[Arguments]) {
    std::fs::create_dir_all(folder).expect("a folder");
    std::fs::write(folder.join("inlined_graph.txt"), text).expect("a file");
    let laid = |t: &Laid| {
        let dtype = DTYPES.iter().find(|d| d.1 == t.dtype).map_or("", |d| d.0);
        serde_json::json!({ "values": t.values, "sizes": t.sizes, "dtype": dtype, "view": t.view })
    };
    let calls = arguments.iter().map(|(tensors, numbers)| {
        serde_json::json!({ "tensors": tensors.iter().map(laid).collect::<Vec<_>>(), "numbers": numbers })
    });
    let calls: serde_json::Value = calls.collect();
    std::fs::write(folder.join("arguments.json"), calls.to_string()).expect("a file");
}

/// What came of a call: its tensors and what became of its arguments, or the last line of an error.
type Outcome = Result<Vec<Tensor>, String>;

/// The calls of a program, each twice: what was compiled for one is there when the other comes.
fn outcomes(engine: &Sconce, text: &str, arguments: &[Arguments]) -> Vec<Outcome> {
    let last = |e: &dyn std::fmt::Display| e.to_string().lines().last().unwrap_or_default().to_owned();
    let module = match engine.load_bytes("lies.txt", "f", text.as_bytes()) {
        Ok(module) => module,
        Err(e) => return vec![Err(last(&e))],
    };
    let call = |(tensors, numbers): &Arguments| {
        let tensors = tensors.iter().map(|t| IValue::from(t.tensor()));
        let given: Vec<IValue> = tensors.chain(numbers.iter().map(|n| IValue::Int(*n))).collect();
        let results = match module.call("f", &given).map_err(|e| last(&e))? {
            IValue::Tuple(results) => results.items.to_vec(),
            result => vec![result],
        };
        let all = results.iter().chain(&given[..2]);
        all.map(|v| v.as_tensor().cloned().map_err(|e| last(&e))).collect()
    };
    arguments.iter().chain(arguments).map(call).collect()
}

/// Whether it is an error as PyTorch raises it, or that of a limit. Which of several operators fails first is the order in which they run.
fn is_said_to_users(error: &str) -> bool {
    ["RuntimeError: ", "IndexError: ", "ValueError: ", "TypeError: ", "NotImplementedError: "]
        .iter()
        .any(|c| error.starts_with(c))
        || error.contains("used up its fuel")
        || error.contains("does not fit into memory")
}

/// What is wrong with an outcome, by the interpreter's.
fn difference(have: &Outcome, want: &Outcome) -> Option<String> {
    match (have, want) {
        (Ok(have), Ok(want)) if have.len() == want.len() => have.iter().zip(want).find_map(|(h, w)| differs(h, w)),
        (Err(have), Err(want)) if have == want || is_said_to_users(have) && is_said_to_users(want) => None,
        (have, want) => {
            let say = |r: &Outcome| r.as_ref().map_or_else(Clone::clone, |t| format!("{} results", t.len()));
            Some(format!("gives {}, expected {}", say(have), say(want)))
        }
    }
}

fn differs(have: &Tensor, want: &Tensor) -> Option<String> {
    if want.numel() > 1 << 16 {
        let say = |t: &Tensor| format!("{:?} {}", t.sizes(), t.dtype());
        return (say(have) != say(want)).then(|| format!("is {}, expected {}", say(have), say(want)));
    }
    let bound = if want.dtype().size() == 2 { 2e-2 } else { 1e-4 };
    let named = |t: &Tensor| [("result".to_owned(), t.clone())];
    let comparison = compare(&named(have), &named(want), Tolerance { rtol: bound, atol: bound });
    (!comparison.passed()).then(|| comparison.to_string())
}

#[test]
fn one_outcome_however_they_are_run() {
    let (count, seed) = (number("SCONCE_PROGRAMS", 60), number("SCONCE_SEED", 1));
    let limits = CallLimits { fuel: Some(100_000), memory: Some(256 << 20), ..CallLimits::default() };
    let with = |options: Options| Sconce::new(Options { limits: limits.clone(), ..options }).expect("an engine");
    let interpreter = with(Options::default());
    let checking = compiling::engine::by(Arc::new(compiling::checking::checking()), Specialization::Static);
    let modes = [
        ("compiled, every access checked", with(checking)),
        ("compiled", with(compiling::engine::options(Specialization::Static))),
        ("compiled for any size", with(compiling::engine::options(Specialization::Dynamic))),
        ("by a static plan", with(Options { static_plan: Some(StaticOptions::default()), ..Options::default() })),
    ];
    let log = std::env::var_os("SCONCE_LAST");
    let kept = std::env::var_os("SCONCE_KEEP");
    let (mut results, mut errors, mut wrong) = (0, 0, Vec::new());
    for program in 0..count {
        let (text, arguments) = Maker::program(seed.wrapping_mul(1 << 32).wrapping_add(program));
        if let Some(folder) = &kept {
            keep(&Path::new(folder).join(format!("p{program}")), &text, &arguments);
        }
        if let Some(log) = &log {
            std::fs::write(log, format!("{text}\n{arguments:?}\n")).expect("a file");
        }
        let run = |engine: &Sconce| catch_unwind(AssertUnwindSafe(|| outcomes(engine, &text, &arguments)));
        let want = run(&interpreter).unwrap_or_else(|_| panic!("a panic, interpreted, on\n{text}\n{arguments:?}"));
        results += want.iter().filter(|w| w.is_ok()).count();
        errors += want.iter().filter(|w| w.is_err()).count();
        for (mode, engine) in &modes {
            let have = run(engine).unwrap_or_else(|_| panic!("a panic, {mode}, on\n{text}\n{arguments:?}"));
            if let Some(what) = have.iter().zip(&want).find_map(|(h, w)| difference(h, w)) {
                wrong.push(format!("{mode}: {what}\n{text}{:?}", arguments));
            }
        }
    }
    println!("{count} programs: {results} results, {errors} errors, {} differences", wrong.len());
    assert!(
        wrong.is_empty(),
        "{} differences, the first\n{}",
        wrong.len(),
        wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n\n")
    );
    assert!(results > 0 && errors > 0);
}
