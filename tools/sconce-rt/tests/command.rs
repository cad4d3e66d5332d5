//! The command as people use it: a program in a file, its result, its errors.

use sconce_interpreter::Program;
use sconce_interpreter::program::{Function, Op, Operand, Parameter, Region, RegionCode, Target};
use sconce_schema::Type;
use std::process::Command;

/// `f(x, n) = x * n`
fn program() -> Program {
    let mut program = Program::default();
    let mul = program.operator_id("aten::mul.Tensor");
    let parameter = |name: &str, ty| Parameter::new(name, ty);
    let mut f = Function { name: "__torch__.m.f".into(), registers: 3, ..Function::default() };
    f.parameters = vec![parameter("x", Type::tensor()), parameter("y", Type::tensor())];
    f.results = vec![Type::tensor()];
    f.push(Op::Load, [0, 1], [], None);
    f.push(Op::Call(mul), [2], [Operand::moved(0), Operand::moved(1)], None);
    f.push(Op::Store, [], [Operand::moved(2)], None);
    program.functions = vec![f];
    program
}

fn run(file: &std::path::Path, more: &[&str]) -> (bool, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_sconce-rt")).arg(file).args(more).output().expect("it starts");
    let text = if out.status.success() { out.stdout } else { out.stderr };
    (out.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn a_program_in_a_file_runs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.sconce");
    std::fs::write(&file, program().to_bytes().unwrap()).unwrap();
    let (ok, text) = run(&file, &["--input", "2xf32=3", "--input", "2xf32=2", "--function", "f"]);
    assert!(ok && text.contains("6."), "{text}");
    let (ok, text) = run(&file, &["--listing"]);
    assert!(ok && text.contains("2 = mul move(0), move(1)"), "{text}");
    let (ok, text) = run(&file, &["--input", "2xf32", "--input", "3xf32"]);
    assert!(!ok && text.contains("The size of tensor a (2) must match the size of tensor b (3)"), "{text}");
    let (ok, text) = run(&file, &["--input", "2xf32"]);
    assert!(!ok && text.contains("missing value for argument 'y'"), "{text}");
    let (ok, text) = run(&file, &["--memory", "1", "--input", "1000xf32=3", "--input", "1000x1xf32=2"]);
    assert!(!ok && text.contains("does not fit into memory"), "{text}");
    let (ok, text) = run(&file, &["--function", "g"]);
    assert!(!ok && text.contains("there is no function 'g'; there are __torch__.m.f"), "{text}");
}

#[test]
fn what_is_no_program_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.sconce");
    std::fs::write(&file, b"PK\x03\x04").unwrap();
    let (ok, text) = run(&file, &[]);
    assert!(!ok && text.contains("too short for a zip archive"), "{text}");
    let (ok, text) = run(&folder.path().join("nothing.sconce"), &[]);
    assert!(!ok && text.starts_with("error: "), "{text}");
}

/// A program whose region has machine code for `softmax(erf(x) + pow(y, x), 1)`, and bytecode for `x * y`, so that results tell which of them ran.
#[cfg(target_arch = "x86_64")]
fn with_code(features: &str) -> Program {
    let mut program = program();
    let mut f = program.functions[0].clone();
    f.name = "__torch__.m.g".into();
    f.code.clear();
    f.places.clear();
    (f.operands, f.outputs) = Default::default();
    f.push(Op::Load, [0, 1], [], None);
    f.push(Op::Region(0), [2], [Operand::moved(0), Operand::moved(1)], None);
    f.push(Op::Store, [], [Operand::moved(2)], None);
    program.functions.push(f);
    let objects = sconce_corpus::testdata("objects").unwrap();
    let bytes = objects.get("region.x86_64.o").unwrap().into();
    let rows = [
        ("name", "r"),
        ("input", "3x4xf64"),
        ("input", "3x4xf64"),
        ("output", "f64 3 4"),
        ("cpu", "x86-64"),
        ("features", features),
    ];
    let metadata = rows.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let codes = vec![RegionCode { target: Target::Cpu, bytes, metadata }];
    program.regions = vec![Region { name: "r".into(), fallback: 0, guards: Vec::new(), codes }];
    program
}

#[cfg(target_arch = "x86_64")]
#[test]
fn code_of_a_file_runs_only_where_it_is_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.sconce");
    std::fs::write(&file, with_code("+sse2").to_bytes().unwrap()).unwrap();
    let call = ["--function", "g", "--input", "3x4xf64=3", "--input", "3x4xf64=2", "--report"];
    let (ok, text) = run(&file, &call);
    assert!(ok && text.contains("6.") && text.contains("region r: 0 compiled, 1 interpreted"), "{text}");
    let trusted = [&call[..], &["--trust-code"]].concat();
    let (ok, text) = run(&file, &trusted);
    assert!(ok && text.contains("0.2500") && text.contains("region r: 1 compiled, 0 interpreted"), "{text}");
    std::fs::write(&file, with_code("+teleport").to_bytes().unwrap()).unwrap();
    let (ok, text) = run(&file, &trusted);
    let why = "region r is interpreted: the code needs `teleport`, which this processor does not have";
    assert!(ok && text.contains("6.") && text.contains(why), "{text}");
    let (ok, text) = run(&file, &["--trust-code", "--static"]);
    assert!(!ok && text.contains("cannot be used with"), "{text}");
}
