//! Captured programs do what their originals do with inputs of every size, or refuse them: an assumption that was left out is found.

use sconce::{Engine, IValue, Options, SourceOptions, Tensor};
use sconce_archive::PtWriter;
use sconce_capture::DynamicSize;
use sconce_export_program::ExportedProgram;
use std::io::Cursor;

/// Programs that ask for their argument's first size.
const SOURCES: &[&str] = &[
    "def f(x):\n    n = x.size(0)\n    if n > 4:\n        return x * n\n    return x + 1\n",
    "def f(x):\n    y = x\n    for i in range(x.size(0) % 3):\n        y = y + i\n    return y\n",
    "def f(x):\n    n = x.size(0) // 2\n    if n * 2 == x.size(0) and n != 3:\n        return x.view(n, 2).sum(1)\n    return x[:n]\n",
    "def f(x):\n    return x.view(-1, x.size(0)) + x.size(0) ** 2\n",
    "def f(x):\n    n = x.size(0)\n    return x[: int(n / 2)] * (n / 4) + x[n - n // 2 :]\n",
    "def f(x):\n    y = x[x > 0]\n    if y.numel() > 3:\n        y = y * 2\n    return y[:1] + x.sum()\n",
];

/// Programs whose loops and branches the elements of their argument decide.
const BY_DATA: &[&str] = &[
    "def f(x):\n    while x.sum() < 50:\n        x = x + 3\n    return x\n",
    "def f(x):\n    y = x * 0\n    i = 0\n    while i < 8 and float(y.sum()) < 20.0:\n        y[0] += i\n        i += 1\n    return y + i\n",
    "def f(x):\n    for i in range(2, int(x.max()) + 3, 2):\n        if x[0] > i:\n            x = x - i\n        else:\n            x = x + 1\n    return x\n",
    "def f(x):\n    for i in range(6):\n        if x.sum() > 20:\n            return x - i\n        x = x + 1\n    return x\n",
    "def f(x):\n    s = (x, 0)\n    while s[0].sum() < 9:\n        a, n = s\n        s = (a + 1, n + 1)\n    return s[0] * s[1]\n",
    "def f(x):\n    if x.sum() > 0:\n        x.mul_(2)\n    else:\n        x[0] = 7\n    return x + 1\n",
];

const SIZES: std::ops::RangeInclusive<i64> = 1..=16;

fn argument(size: i64) -> IValue {
    Tensor::from_vec((0..size).map(|i| i as f32 * 0.5 - 2.0).collect::<Vec<f32>>(), &[size]).into()
}

fn elements(value: &IValue) -> Vec<f32> {
    value.as_tensor().expect("a tensor").to_vec()
}

/// For how many sizes a program that was captured with one of them is taken, and the first of these for which it gives something else.
fn against_original(source: &str, example: i64, change: impl Fn(&mut ExportedProgram)) -> (usize, Option<i64>) {
    let engine = Engine::new(Options::default()).expect("an engine");
    let compiled = || engine.compile_source("f.py", source, &SourceOptions::default()).expect("the source is sound");
    let size = DynamicSize { parameter: "x".into(), dim: 0, name: "n".into(), low: 0, high: None };
    let module = compiled();
    let name = module.function_or_default(None).expect("a function");
    let mut captured = module.captured(&name, &[argument(example)], &[size]).expect("it is captured").program;
    change(&mut captured);
    let bytes = captured.write(PtWriter::new("program", Cursor::new(Vec::new()))).expect("it is written").into_inner();
    let exported = engine.load_bytes("program.pt2", "forward", &bytes).expect("it loads");
    let original = compiled();
    let mut taken = 0;
    for size in SIZES {
        let Ok(got) = exported.call("forward", &[argument(size)]) else { continue };
        taken += 1;
        let want = original.call("f", &[argument(size)]).expect("the original runs");
        if elements(&got) != elements(&want) {
            return (taken, Some(size));
        }
    }
    (taken, None)
}

#[test]
fn what_is_taken_is_computed_as_by_the_original() {
    for source in SOURCES {
        for example in SIZES {
            let (taken, other) = against_original(source, example, |_| {});
            assert_eq!(other, None, "captured with {example}:\n{source}");
            assert!(taken > 0, "captured with {example}, it refuses everything:\n{source}");
        }
    }
    // Where nothing is assumed, nothing is refused.
    let free = "def f(x):\n    return x * 2 + x.size(0)\n";
    assert_eq!(against_original(free, 5, |_| {}), (16, None));
}

#[test]
fn what_data_decides_is_decided_when_the_program_runs() {
    for source in BY_DATA {
        for example in [1, 5, 12] {
            let (taken, other) = against_original(source, example, |_| {});
            assert_eq!((taken, other), (SIZES.count(), None), "captured with {example}:\n{source}");
        }
    }
}

#[test]
fn an_assumption_that_is_left_out_is_found() {
    for source in &SOURCES[..3] {
        let (_, other) = against_original(source, 8, |program| {
            program.guards.clear();
            program.constraints.clear();
        });
        assert!(other.is_some(), "without its guards it is the original for every size:\n{source}");
    }
}
