//! Compiled operators against the interpreter's kernels, on recorded calls: with known sizes and with unknown ones.

#[path = "../operator_call/mod.rs"]
mod operator_call;
mod random;

use operator_call::program;

use sconce_conformance::tolerance::{Tolerance, compare_elements};
use sconce_conformance::vectors::Case;
use sconce_cpu::{CodeOptions, compile};
use sconce_interpreter::{CompiledRegion, Fuel};
use sconce_ir::codegen::Target;
use sconce_ir::prelude::*;
use sconce_schema::op::Numerics;
use sconce_tensor::IValue;
use std::collections::BTreeMap;

#[derive(Default)]
struct Tally {
    same: usize,
    guarded: usize,
    refused: BTreeMap<String, usize>,
    failures: Vec<String>,
}

/// Compiles and runs a recorded call.
fn check(context: &Context, line: &str, dynamic: bool, options: &CodeOptions, tally: &mut Tally) {
    let Ok(case) = Case::parse(line) else { return };
    let Some(entry) = sconce_schema::lookup(case.op()) else { return };
    let Ok((arguments, _)) = case.arguments(entry.schema()) else { return };
    let failed = tally.failures.len();
    check_call(context, entry, &arguments, dynamic, options, tally);
    for failure in &mut tally.failures[failed..] {
        failure.push_str(&format!("\n  {}", line.chars().take(300).collect::<String>()));
    }
}

/// Compiles and runs a call, and compares what it gives with what the kernel does.
fn check_call(
    context: &Context,
    entry: &'static sconce_schema::OpEntry,
    arguments: &[IValue],
    dynamic: bool,
    options: &CodeOptions,
    tally: &mut Tally,
) {
    let Ok(expected) = sconce_kernels::call(entry, &mut arguments.to_vec()) else { return };
    let Some(program) = program(context, entry.name, arguments, &expected, dynamic) else { return };
    let mut fail = |why: String| {
        tally.failures.push(format!("{} (unknown sizes: {dynamic}): {why}", entry.name));
    };
    let module = &program.module;
    if std::env::var("TRACE").is_ok() {
        eprintln!("{}", print(module.as_operation(), &PrintOptions::default()));
    }
    if let Err(e) = verify(module.as_operation()) {
        return fail(e.to_string());
    }
    let function = module.body().ops()[0];
    let spec = match sconce_linalg::convert_function(context, function) {
        Ok(spec) => spec,
        Err(sconce_linalg::Error::Unsupported(_)) => {
            *tally.refused.entry(entry.name.into()).or_default() += 1;
            return;
        }
        Err(e) => return fail(e.to_string()),
    };
    function.erase().expect("a function has no results");
    let compiled = match compile(module, options) {
        Ok(c) => c,
        Err(e) => return fail(e.to_string()),
    };
    // SAFETY: compiled for this spec just now.
    let region = unsafe { sconce_exec::load(spec, &compiled.object) }.expect("an object that was just made links");
    match region.run(&program.inputs, &Fuel::default()) {
        Ok(Some(got)) => {
            let items = |r: &[IValue]| match r {
                [IValue::List(l)] => l.to_vec(),
                r => r.to_vec(),
            };
            let expected = items(&expected);
            for (want, got) in expected.iter().zip(&got) {
                let (IValue::Tensor(want), IValue::Tensor(got)) = (want, got) else { continue };
                if want.sizes() != got.sizes() || want.dtype() != got.dtype() {
                    return fail(format!("{got:?} instead of {want:?}"));
                }
                let tolerance = if entry.numerics == Numerics::Exact && entry.scalar.is_some() {
                    Tolerance::Exact
                } else {
                    Tolerance::Close
                };
                if let Err(e) = compare_elements(want, got, tolerance) {
                    return fail(e);
                }
            }
            tally.same += 1;
        }
        Ok(None) => tally.guarded += 1,
        Err(e) => fail(e.to_string()),
    }
}

/// A recording of our choice (`SCONCE_VECTORS`), every n-th line of it (`EVERY`), or the ones beside this file.
fn check_all(options: &CodeOptions) {
    let lines = match std::env::var("SCONCE_VECTORS") {
        Ok(path) => std::fs::read_to_string(&path).expect("SCONCE_VECTORS names a readable file"),
        Err(_) => include_str!("cases.jsonl").to_string(),
    };
    let every: usize = std::env::var("EVERY").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let context = context::new(false);
    let mut tally = Tally::default();
    for line in lines.lines().step_by(every) {
        check(&context, line, false, options, &mut tally);
        check(&context, line, true, options, &mut tally);
    }
    println!("{} equal, {} left to the interpreter by a guard", tally.same, tally.guarded);
    println!("not lowered: {:?}", tally.refused);
    assert!(tally.failures.is_empty(), "{} differ:\n{}", tally.failures.len(), tally.failures.join("\n"));
    assert!(tally.same > 0, "nothing was compiled");
}

#[test]
fn recorded_calls_compiled() {
    check_all(&CodeOptions::default());
}

/// A call that touches anything but its buffers panics.
#[test]
fn recorded_calls_touch_their_buffers_alone() {
    let target = Target { checked: true, ..Target::default() };
    check_all(&CodeOptions { target, ..CodeOptions::default() });
}
