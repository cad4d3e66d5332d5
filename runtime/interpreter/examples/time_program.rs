//! Times programs for `benches/interpreter_steps.py`: one request a line on standard input, `FILE.sconce N SECONDS`; on standard output the least time of
//! a call of its first function with `N` and, if it takes one, a tensor of sixteen small numbers, in seconds.

use sconce_interpreter::{Executable, Options, Program};
use sconce_tensor::{IValue, Tensor};
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn answer(line: &str) -> Result<f64, String> {
    let mut words = line.split_whitespace();
    let mut word = || words.next().ok_or("FILE N SECONDS");
    let (file, n, seconds) = (word()?, word()?, word()?);
    let bytes = std::fs::read(file).map_err(|e| format!("{file}: {e}"))?;
    let program = Program::from_bytes(&bytes).map_err(|e| e.to_string())?;
    let executable = Executable::new(Arc::new(program)).map_err(|e| e.to_string())?;
    let t = Tensor::from_vec(vec![1e-30f32; 16], &[16]);
    let mut inputs = vec![IValue::Int(n.parse().map_err(|_| "N is a number")?), IValue::Tensor(t)];
    inputs.truncate(executable.program().functions.first().map_or(0, |f| f.parameters.len()));
    let seconds = Duration::from_secs_f64(seconds.parse().map_err(|_| "SECONDS is a number")?);
    // Short calls are timed many at a time.
    let (mut least, mut calls, end) = (f64::MAX, 1, Instant::now() + seconds);
    while Instant::now() < end {
        let start = Instant::now();
        for _ in 0..calls {
            executable.run(0, inputs.clone(), &Options::default()).map_err(|e| e.to_string())?;
        }
        let took = start.elapsed().as_secs_f64();
        if took < 1e-4 {
            calls *= 2;
        } else {
            least = least.min(took / f64::from(calls));
        }
    }
    Ok(least)
}

fn main() {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let text = answer(&line).map_or_else(|e| format!("error: {e}"), |s| s.to_string());
        let mut out = std::io::stdout();
        if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}
