//! Programs that lie about their tensors, and sizes that wrap or fit nowhere, have one outcome however they are run: the interpreter's result, or its error.
//!
//! `SCONCE_SEED` is the seed and `SCONCE_PROGRAMS` how many are made (120; a long run makes 500); what became of them is printed (`--nocapture`). A program that ends the process is the
//! last one in the file that `SCONCE_LAST` names.

mod compiling;

use sconce::compare::{Tolerance, compare};
use sconce::executor::Specialization;
use sconce::limits::CallLimits;
use sconce::{Engine as Sconce, IValue, Options, StaticOptions, Tensor};
use sconce_kernels::mersenne::Engine;
use sconce_tensor::DType;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

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
/// What a type may say of the elements, and what they may be.
const DTYPES: &[(&str, DType)] = &[
    ("Float", DType::F32),
    ("Double", DType::F64),
    ("Half", DType::F16),
    ("BFloat16", DType::BF16),
    ("Long", DType::I64),
    ("Int", DType::I32),
    ("Bool", DType::Bool),
];
const UNARY: &[&str] = &["neg", "exp", "relu", "sigmoid", "abs", "tanh", "t", "alias", "sqrt"];
const BINARY: &[&str] = &["mul", "div", "maximum", "matmul", "mm", "pow", "eq"];

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
        self.e.below(n.max(1) as u64) as usize
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn small_sizes(&mut self) -> Vec<i64> {
        let rank = self.below(4);
        (0..rank).map(|_| self.one(&[1, 2, 2, 3, 0])).collect()
    }

    /// A type that has nothing to do with what stands behind it.
    fn lie(&mut self) -> String {
        let (dtype, _) = self.one(DTYPES);
        let sizes = self.small_sizes();
        let device = self.one(&["cpu", "cpu", "cuda:0"]);
        match self.below(4) {
            0 => "Tensor".into(),
            1 => format!("{dtype}({})", vec!["*"; sizes.len()].join(", ")),
            _ => {
                let words: Vec<String> = sizes.iter().map(i64::to_string).collect();
                let mut strides: Vec<i64> = sizes
                    .iter()
                    .scan(1, |step, n| {
                        let s = *step;
                        *step *= n.max(&1);
                        Some(s)
                    })
                    .collect();
                if self.below(2) == 0 {
                    strides.reverse();
                }
                let comma = if words.is_empty() { "" } else { ", " };
                format!("{dtype}({}{comma}strides={strides:?}, requires_grad=0, device={device})", words.join(", "))
            }
        }
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

    fn operator(&mut self) {
        let (a, b) = (self.value(), self.value());
        let call = match self.below(11) {
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
            _ => {
                self.numbers += 1;
                let list = format!("%c{}", self.numbers);
                let _ = writeln!(self.text, "  {list} : Tensor[] = prim::ListConstruct({a}, {b})");
                let dim = self.one(&[0, 1, -1]);
                format!("aten::cat({list}, {})", self.int(dim))
            }
        };
        let name = format!("%v{}", self.values.len());
        let ty = self.lie();
        let _ = writeln!(self.text, "  {name} : {ty} = {call}");
        self.values.push(name);
    }

    /// An argument, laid out in some way.
    fn tensor(&mut self) -> Tensor {
        let mut sizes = self.small_sizes();
        let (_, dtype) = self.one(DTYPES);
        let count: i64 = sizes.iter().product();
        let values: Vec<f64> = (0..count).map(|_| self.below(5) as f64 - 1.0).collect();
        let t = Tensor::from_f64(&values, &sizes, dtype).expect("a tensor");
        match self.below(4) {
            0 if count > 0 => {
                let mut strides = t.strides().to_vec();
                strides.reverse();
                sizes.reverse();
                t.as_strided(&sizes, &strides, 0).expect("a view")
            }
            1 if count > 0 => t.as_strided(&sizes, &vec![0; sizes.len()], 0).expect("a view"),
            _ => t,
        }
    }

    /// A listing, and two lists of arguments for it.
    fn program(seed: u64) -> (String, [Vec<IValue>; 2]) {
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
        let _ = write!(
            text,
            "):\n  %none : NoneType = prim::Constant()\n  %false : bool = prim::Constant[value=0]()\n{}  return ({all})\n",
            m.text
        );
        let given = m.given.clone();
        let mut arguments = || {
            let tensors = [m.tensor().into(), m.tensor().into()];
            tensors.into_iter().chain(given.iter().map(|n| IValue::Int(*n))).collect::<Vec<IValue>>()
        };
        let arguments = [arguments(), arguments()];
        (text, arguments)
    }
}

/// What came of a call: its tensors, or the last line of an error.
type Outcome = Result<Vec<Tensor>, String>;

/// The calls of a program, each twice: what was compiled for one is there when the other comes.
fn outcomes(engine: &Sconce, text: &str, arguments: &[Vec<IValue>]) -> Vec<Outcome> {
    let last = |e: &dyn std::fmt::Display| e.to_string().lines().last().unwrap_or_default().to_owned();
    let module = match engine.load_bytes("lies.txt", "f", text.as_bytes()) {
        Ok(module) => module,
        Err(e) => return vec![Err(last(&e))],
    };
    let call = |arguments: &Vec<IValue>| {
        let results = module.call_with("f", arguments, &[], &Default::default()).map_err(|e| last(&e))?;
        results.iter().map(|v| v.as_tensor().cloned().map_err(|e| last(&e))).collect()
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
    let (count, seed) = (number("SCONCE_PROGRAMS", 120), number("SCONCE_SEED", 1));
    let limits = CallLimits { fuel: Some(1_000_000), memory: Some(256 << 20), ..CallLimits::default() };
    let with = |options: Options| Sconce::new(Options { limits: limits.clone(), ..options }).expect("an engine");
    let interpreter = with(Options::default());
    let modes = [
        ("compiled", with(compiling::options(Specialization::Static))),
        ("compiled for any size", with(compiling::options(Specialization::Dynamic))),
        ("by a static plan", with(Options { static_plan: Some(StaticOptions::default()), ..Options::default() })),
    ];
    let log = std::env::var_os("SCONCE_LAST");
    let (mut results, mut errors, mut wrong) = (0, 0, Vec::new());
    for program in 0..count {
        let (text, arguments) = Maker::program(seed.wrapping_mul(1 << 32).wrapping_add(program));
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
