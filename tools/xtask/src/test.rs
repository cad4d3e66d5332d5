//! `test` runs everything a change must pass, says how long each part took, and ends with the sum of all counts.

use crate::{TaskResult, command, lit, tidy};
use std::time::Instant;

pub fn run(_arguments: &[String]) -> TaskResult {
    let mut times = Vec::new();
    let mut step = |name: &str, run: &mut dyn FnMut() -> TaskResult| -> TaskResult {
        let start = Instant::now();
        let result = run();
        times.push(format!("{name} {:.0} s", start.elapsed().as_secs_f64()));
        result
    };
    step("tidy", &mut || tidy::run(&[]))?;
    step("build", &mut || command("cargo", &["build", "--workspace", "--all-targets"]))?;
    step("cargo test", &mut || command("cargo", &["test", "--workspace", "--no-fail-fast"]))?;
    step("lit", &mut || lit::run(&[]))?;
    println!("times: {}", times.join(", "));
    Ok(())
}
