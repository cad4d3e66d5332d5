//! Prints what an executor costs above its function: the time of choosing a plan, and of a whole call, against the function's own.
//!
//!     cargo run --release -p sconce-executor --example overhead

use sconce_executor::{CompileMode, CompileRequest, Executor, ExecutorMode, Settings, Setup};
use sconce_interpreter::program::{Function, Op, Operand, Parameter, Program};
use sconce_interpreter::{Executable, Options};
use sconce_schema::Type;
use sconce_tensor::{IValue, Tensor};
use std::hint::black_box;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A function of so many tensors that gives back the first: nothing but a call.
fn program(parameters: u32) -> Program {
    let mut f =
        Function { name: "f".into(), registers: parameters, results: vec![Type::tensor()], ..Function::default() };
    f.parameters = (0..parameters).map(|i| Parameter::new(format!("p{i}"), Type::tensor())).collect();
    f.push(Op::Load, 0..parameters, [], None);
    f.push(Op::Store, [], [Operand::moved(0)], None);
    Program { functions: vec![f], ..Program::default() }
}

/// The least time of a call of each, in turns, in nanoseconds.
fn least(works: &mut [(&str, Box<dyn FnMut() + '_>)]) -> Vec<f64> {
    const CALLS: u32 = 2000;
    let mut best = vec![f64::MAX; works.len()];
    let end = Instant::now() + Duration::from_secs(2);
    while Instant::now() < end {
        for (best, (_, work)) in best.iter_mut().zip(&mut *works) {
            let started = Instant::now();
            (0..CALLS).for_each(|_| work());
            *best = best.min(started.elapsed().as_nanos() as f64 / f64::from(CALLS));
        }
    }
    best
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout();
    for parameters in [1, 7, 32] {
        let inputs: Vec<IValue> =
            (0..parameters).map(|_| IValue::Tensor(Tensor::from_vec(vec![0f32; 6], &[2, 3]))).collect();
        let options = Options::default();
        let executable = Arc::new(Executable::new(program(parameters).into())?);
        let executor = |mode, compile| {
            let compiler = |r: &CompileRequest| Ok(Program::clone(&r.program));
            let settings = Settings { mode, compile, static_plans: false, ..Settings::default() };
            let setup = Setup { settings, compiler: Some(Arc::new(compiler)), ..Setup::default() };
            let executor = Executor::with(executable.clone(), 0, setup);
            (0..3).try_for_each(|_| executor.run(inputs.clone(), &options).map(drop)).map(|()| executor)
        };
        let executors = [
            ("off", executor(ExecutorMode::Off, CompileMode::Off)?),
            ("profiling, interpreted", executor(ExecutorMode::Profiling, CompileMode::Off)?),
            ("profiling, waits to compile", executor(ExecutorMode::Profiling, CompileMode::Background)?),
            ("profiling, compiled", executor(ExecutorMode::Profiling, CompileMode::Now)?),
            ("traditional, compiled", executor(ExecutorMode::Traditional, CompileMode::Now)?),
        ];
        let mut works: Vec<(&str, Box<dyn FnMut() + '_>)> =
            vec![("the function alone", Box::new(|| drop(black_box(executable.run(0, inputs.clone(), &options)))))];
        for (name, executor) in &executors {
            works.push((name, Box::new(|| drop(black_box(executor.run(inputs.clone(), &options))))));
        }
        let times = least(&mut works);
        for ((name, _), time) in works.iter().zip(&times) {
            writeln!(out, "{parameters:2} tensors  {name:28} {time:7.0} ns a call  {:+6.0} ns", time - times[0])?;
        }
    }
    Ok(())
}
