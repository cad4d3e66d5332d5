//! The command as people use it: a program in a file, its result, its errors.

use sconce_interpreter::Program;
use sconce_interpreter::program::{Function, Op, Operand, Parameter};
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
    assert!(!ok && text.contains("no function `g`; the program has __torch__.m.f"), "{text}");
}

#[test]
fn what_is_no_program_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.sconce");
    std::fs::write(&file, b"PK\x03\x04").unwrap();
    let (ok, text) = run(&file, &[]);
    assert!(!ok && text.contains("not a .sconce file"), "{text}");
    let (ok, text) = run(&folder.path().join("nothing.sconce"), &[]);
    assert!(!ok && text.starts_with("error: "), "{text}");
}
