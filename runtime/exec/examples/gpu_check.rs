//! Runs Programs that carry PTX on the first GPU and says which results agree with those that they bring, and how long calls take; without a GPU it says so and interprets.
//!
//!     gpu_check FILE.sconce …
//!
//! Files are those of `gpu_programs`, made by Sconce's compiler; their PTX is executed, so they must come from somebody who is trusted. Exit status 0 if everything that ran agrees.

use sconce_exec::{Origin, bind_regions};
use sconce_interpreter::program::FunctionId;
use sconce_interpreter::{Executable, Options, Program};
use sconce_tensor::IValue;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let mut out = std::io::stdout();
    let gpu = sconce_cuda::Gpu::first();
    let mut good = true;
    let mut say = |line: String| {
        // A reader that went away is no error.
        let _ = writeln!(out, "{line}");
    };
    match &gpu {
        Ok(gpu) => say(format!("device: {}, sm_{}", gpu.name(), gpu.architecture())),
        Err(why) => say(format!("no device: {why}; programs are interpreted")),
    }
    let has_gpu = gpu.is_ok();
    drop(gpu);
    for file in std::env::args().skip(1) {
        let name =
            std::path::Path::new(&file).file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        match check(&file, has_gpu) {
            Ok((line, agrees)) => {
                good &= agrees;
                say(format!("{name:12} {line}"));
            }
            Err(why) => {
                good = false;
                say(format!("{name:12} FAILED: {why}"));
            }
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A line about one file, and whether everything in it agrees.
fn check(file: &str, has_gpu: bool) -> Result<(String, bool), String> {
    let text = |e: &dyn std::fmt::Display| e.to_string();
    let bytes = std::fs::read(file).map_err(|e| text(&e))?;
    let program = Program::from_bytes(&bytes).map_err(|e| text(&e))?;
    let executable = Executable::new(Arc::new(program)).map_err(|e| text(&e))?;
    let interpreted = measured(&executable)?;
    let mut line = format!("interpreted: {interpreted}");
    let mut agrees = interpreted.agrees;
    if has_gpu {
        // Whoever runs this trusts the files, as the documentation says.
        let bound = bind_regions(&executable, true, Origin::User);
        let left_out: Vec<String> = bound.into_iter().flat_map(|region| region.problems).collect();
        if !left_out.is_empty() {
            return Err(left_out.join("; "));
        }
        let ran = measured(&executable)?;
        let regions = 0..executable.program().regions.len() as u32;
        let fell_back = regions.filter(|r| executable.region_counts(*r).compiled == 0).count();
        agrees &= ran.agrees && fell_back == 0;
        line.push_str(&format!("   GPU: {ran}"));
        if fell_back > 0 {
            line.push_str(&format!(", {fell_back} regions did not run there"));
        }
    }
    Ok((line, agrees))
}

struct Measured {
    agrees: bool,
    call: Duration,
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = if self.agrees { "agrees" } else { "DIFFERS" };
        write!(f, "{word}, {:9.1} us a call", self.call.as_secs_f64() * 1e6)
    }
}

/// What the file's own check says, and the least time of a call of its function: with its copies to the device and back.
fn measured(executable: &Executable) -> Result<Measured, String> {
    let run = |function: FunctionId, inputs: Vec<IValue>| {
        executable.run(function, inputs, &Options::default()).map_err(|e| e.to_string())
    };
    let function =
        |name: &str| executable.program().function(name).ok_or_else(|| format!("it has no function `{name}`"));
    let tuple = |outputs: &[IValue]| match outputs {
        [IValue::Tuple(t)] => Ok(t.items.to_vec()),
        _ => Err("a tuple was expected".to_string()),
    };
    let close = tuple(&run(function("check")?, Vec::new())?)?;
    let agrees = !close.is_empty() && close.iter().all(|v| matches!(v, IValue::Bool(true)));
    let inputs = tuple(&run(function("inputs")?, Vec::new())?)?;
    let f = function("f")?;
    let mut call = Duration::MAX;
    let end = Instant::now() + Duration::from_millis(300);
    while Instant::now() < end {
        let started = Instant::now();
        run(f, inputs.clone())?;
        call = call.min(started.elapsed());
    }
    Ok(Measured { agrees, call })
}
