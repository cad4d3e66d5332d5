//! Random sequences of views, in-place operators, `out=` forms and plain operators leave every tensor as PyTorch leaves it: sizes, strides,
//! offset, shared storage, dtype and numbers are compared after every step, and what PyTorch refuses is refused.
//!
//! `SCONCE_TORCH_PYTHON` names the Python that has torch (`python3` if nobody says); without one this says so and passes.
//! `SCONCE_SEED` and `SCONCE_SEQUENCES` are the first seed and how many.

mod defined;
mod generate;
mod program;

use num_complex::Complex;
use program::{Machine, Name, State, Step, python};
use sconce_schema::DType;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// PyTorch in a process of its own.
struct Peer {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

/// What PyTorch says of a step: whether it refused, and all tensors afterwards.
struct Answer {
    error: Option<String>,
    states: BTreeMap<Name, State>,
}

impl Peer {
    /// `None` where there is no PyTorch.
    fn start() -> Option<Peer> {
        let named = std::env::var("SCONCE_TORCH_PYTHON").unwrap_or_else(|_| "python3".to_string());
        let interpreter = named.split(':').find(|p| !p.is_empty())?;
        let version = Command::new(interpreter).args(["-c", "import torch; print(torch.__version__)"]).output();
        let Some(version) = version.ok().filter(|v| v.status.success()) else {
            println!("skipped: `{interpreter}` has no torch (SCONCE_TORCH_PYTHON names one that has)");
            return None;
        };
        println!("{interpreter}: torch {}", String::from_utf8_lossy(&version.stdout).trim());
        let mut process = Command::new(interpreter)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sequences/peer.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the interpreter starts");
        let (to, from) = (process.stdin.take()?, BufReader::new(process.stdout.take()?));
        Some(Peer { process, to, from })
    }

    fn ask(&mut self, batch: &[Vec<Step>]) {
        let json: Value =
            batch.iter().map(|steps| steps.iter().map(Step::to_json).collect::<Value>()).collect::<Vec<_>>().into();
        writeln!(self.to, "{json}").expect("the interpreter reads");
    }

    fn answer(&mut self) -> Vec<Vec<Answer>> {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("the interpreter answers");
        let json: Value = serde_json::from_str(&line).expect("the interpreter ends with an answer");
        json.as_array().expect("a list").iter().map(answers).collect()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn answers(steps: &Value) -> Vec<Answer> {
    let mut states = BTreeMap::new();
    let mut one = |step: &Value| {
        for (name, state) in step[1].as_object().expect("states") {
            states.insert(name.parse().expect("a name"), read_state(state));
        }
        Answer { error: step[0].as_str().map(str::to_string), states: states.clone() }
    };
    steps.as_array().expect("steps").iter().map(&mut one).collect()
}

fn read_state(json: &Value) -> State {
    let ints = |v: &Value| v.as_array().expect("a list").iter().map(|i| i.as_i64().expect("an integer")).collect();
    let hex = json[6].as_str().expect("bytes").as_bytes();
    let digit = |b: u8| (b as char).to_digit(16).expect("a digit") as u8;
    State {
        dtype: json[0].as_str().expect("a dtype").to_string(),
        sizes: ints(&json[1]),
        strides: ints(&json[2]),
        offset: json[3].as_i64().expect("an offset"),
        storage: json[4].as_u64().expect("a name") as Name,
        tensor: json[5].as_u64().expect("a name") as Name,
        bytes: hex.chunks_exact(2).map(|d| digit(d[0]) << 4 | digit(d[1])).collect(),
    }
}

/// How two states of one tensor differ.
fn difference(want: &State, got: &State) -> Option<String> {
    // The strides of a tensor without elements say nothing, nor does where it begins.
    let said = |s: &State| match s.sizes.contains(&0) {
        true => State { strides: Vec::new(), offset: 0, ..s.clone() },
        false => s.clone(),
    };
    let (want, got) = (&said(want), &said(got));
    if want == got {
        return None;
    }
    let bare = |s: &State| State { bytes: Vec::new(), ..s.clone() };
    if bare(want) != bare(got) {
        return Some(format!("PyTorch has {:?}\nSconce has {:?}", bare(want), bare(got)));
    }
    let close = match DType::from_torch_name(&want.dtype).map(DType::to_real) {
        Some(DType::F64) => 1e-12,
        Some(DType::F32) => 4e-6,
        Some(DType::F16) => 2e-3,
        Some(DType::BF16) => 1.6e-2,
        _ => 0.0,
    };
    let equal =
        |a: f64, b: f64, size: f64| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= close * (1.0 + size);
    // Both parts of a complex number are rounded by the size of the whole, as `torch.isclose` has it.
    let size = |a: &Complex<f64>, part: f64| if a.norm().is_finite() { a.norm() } else { part.abs() };
    let complex =
        |a: &Complex<f64>, b: &Complex<f64>| equal(a.re, b.re, size(a, a.re)) && equal(a.im, b.im, size(a, a.im));
    let (w, g) = (program::numbers(want), program::numbers(got));
    (!w.iter().zip(&g).all(|(a, b)| complex(a, b))).then(|| format!("PyTorch has {w:?}\nSconce has {g:?}"))
}

/// A sequence as it went here.
struct Run {
    steps: Vec<Step>,
    trace: Vec<(Result<(), String>, Vec<(Name, State)>)>,
}

/// Runs steps anew; `None` when one names a tensor that is not there.
fn run(steps: &[Step]) -> Option<Run> {
    let mut machine = Machine::default();
    let mut trace = Vec::new();
    for step in steps {
        let outcome = machine.run(step)?;
        trace.push((outcome, machine.states()));
    }
    Some(Run { steps: steps.to_vec(), trace })
}

/// The first step after which PyTorch and Sconce differ, and how.
fn compare(run: &Run, answers: &[Answer]) -> Option<(usize, String)> {
    for (i, ((outcome, states), answer)) in run.trace.iter().zip(answers).enumerate() {
        match (&answer.error, outcome) {
            (Some(error), Ok(())) => return Some((i, format!("PyTorch refuses: {error}\nSconce does not"))),
            (None, Err(error)) => return Some((i, format!("Sconce refuses: {error}\nPyTorch does not"))),
            _ => {}
        }
        if answer.states.len() != states.len() {
            return Some((i, format!("PyTorch has {} tensors, Sconce {}", answer.states.len(), states.len())));
        }
        let differs = states.iter().find_map(|(name, state)| Some((name, difference(&answer.states[name], state)?)));
        if let Err(error) = outcome {
            let before = i.checked_sub(1).map_or(&[][..], |before| &run.trace[before].1);
            if before != states {
                return Some((i, format!("Sconce refuses: {error}\nand leaves other tensors than before")));
            }
            // PyTorch resizes or writes a part before it refuses: what follows is no longer the same.
            if differs.is_some() {
                return None;
            }
        }
        if let Some((name, how)) = differs {
            return Some((i, format!("t{name} differs\n{how}")));
        }
    }
    None
}

/// The finding with as few steps as still show it.
fn shrink(peer: &mut Peer, found: &Run, at: usize, how: String) -> (Vec<Step>, String) {
    let mut best = (found.steps[..=at].to_vec(), how);
    let mut i = best.0.len();
    while i > 0 {
        i -= 1;
        let mut fewer = best.0.clone();
        fewer.remove(i);
        let Some(shorter) = run(&fewer).filter(|r| !r.steps.is_empty()) else { continue };
        peer.ask(std::slice::from_ref(&fewer));
        if let Some((at, how)) = compare(&shorter, &peer.answer()[0])
            && at + 1 == fewer.len()
        {
            best = (fewer, how);
        }
    }
    best
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().map_or(otherwise, |v| v.parse().expect("a number"))
}

#[test]
fn sequences_leave_tensors_as_pytorch_does() {
    let (seed, count) = (number("SCONCE_SEED", 20_261_122), number("SCONCE_SEQUENCES", 10_000));
    let Some(mut peer) = Peer::start() else { return };
    println!("seed {seed}, {count} sequences");
    let (mut steps, mut refused, mut tried) = (0, 0, BTreeMap::<&str, usize>::new());
    // One finding for each operator is enough.
    let mut wrong: BTreeMap<&str, (usize, Run, usize, String)> = BTreeMap::new();
    let batch = |from: u64| -> Vec<Run> {
        (from..(from + 100).min(seed + count)).map(|s| run(&generate::sequence(s)).expect("its own names")).collect()
    };
    let mut next = batch(seed);
    let mut at = seed;
    while !next.is_empty() {
        peer.ask(&next.iter().map(|r| r.steps.clone()).collect::<Vec<_>>());
        at += 100;
        // The next are made while PyTorch computes.
        let runs = std::mem::replace(&mut next, batch(at));
        for (run, answers) in runs.into_iter().zip(peer.answer()) {
            steps += run.steps.len();
            refused += run.trace.iter().filter(|(outcome, _)| outcome.is_err()).count();
            for step in &run.steps {
                *tried.entry(generate::name(step)).or_default() += 1;
            }
            if let Some((i, how)) = compare(&run, &answers) {
                let op = generate::name(&run.steps[i]);
                let found = wrong.get(op).map_or(0, |w| w.0) + 1;
                wrong.entry(op).or_insert((0, run, i, how)).0 = found;
            }
        }
    }
    println!("{steps} steps over {} operators, {refused} refused", tried.len());
    let missing: Vec<&str> = generate::operators().filter(|op| count >= 10_000 && !tried.contains_key(op)).collect();
    let mut text = String::new();
    for (op, (times, run, i, how)) in wrong {
        let (steps, how) = shrink(&mut peer, &run, i, how);
        text += &format!("\n--- {op}: {times} sequences\n{}{how}\n", python(&steps));
    }
    assert!(text.is_empty(), "seed {seed}{text}");
    assert!(missing.is_empty(), "never called: {missing:?}");
}
