//! Finds the coefficients of `src/coefficients.rs`: each polynomial's largest error is the least that its type and length allow, and is printed with it.
//!
//! `cargo run --release -p sconce-polynomials --example fit` writes the file and prints a line a polynomial; with `--check` it only says whether the file
//! is what it would write.

mod remez;
mod targets;

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use targets::{Kept, TARGETS, Target};

struct Fitted {
    coefficients: Vec<f64>,
    error: f64,
}

fn fit(t: &Target) -> Fitted {
    let problem = remez::Problem { low: t.low, high: t.high, f: &t.f, weight: &t.weight };
    let round = |c: f64| if t.kept == Kept::F32 { f64::from(c as f32) } else { c };
    let (coefficients, error) = remez::fit(&problem, t.given, t.count, round);
    Fitted { coefficients, error }
}

/// The text of `src/coefficients.rs`.
fn text(all: &[(&Target, Fitted)]) -> String {
    let mut out = String::from(
        "//! Coefficients, lowest power first, as `cargo run -p sconce-polynomials --example fit` found them: never edited by hand.\n",
    );
    for (t, fitted) in all {
        let kept = if t.kept == Kept::F32 { "f32" } else { "f64" };
        let bits = -libm::log2(fitted.error);
        let (low, high) = (t.low, t.high);
        let _ = writeln!(out, "\n/// {}; between {low} and {high} off by 2^-{bits:.1} at most, in {kept}.", t.says);
        let _ = writeln!(out, "#[rustfmt::skip]\npub const {}: [f64; {}] = [", t.name, fitted.coefficients.len());
        for c in &fitted.coefficients {
            let _ = writeln!(out, "    {c:?},");
        }
        out.push_str("];\n");
    }
    out
}

fn fitted() -> Vec<(&'static Target, Fitted)> {
    TARGETS.iter().map(|t| (t, fit(t))).collect()
}

fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/coefficients.rs")
}

fn main() -> ExitCode {
    let all = fitted();
    for (t, fitted) in &all {
        let kept = if t.kept == Kept::F32 { "f32" } else { "f64" };
        println!("{:12} {:2} of {kept}, largest error 2^-{:.1}", t.name, t.count, -libm::log2(fitted.error));
    }
    let text = text(&all);
    let outcome = if std::env::args().any(|a| a == "--check") {
        match std::fs::read_to_string(path()) {
            Ok(have) if have == text => Ok(()),
            Ok(_) => Err("stale: run it without --check".to_string()),
            Err(e) => Err(e.to_string()),
        }
    } else {
        std::fs::write(path(), text).map_err(|e| e.to_string())
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{}: {why}", path().display());
            ExitCode::FAILURE
        }
    }
}

#[test]
fn the_coefficients_are_those_that_are_found() {
    let have = std::fs::read_to_string(path()).expect("src/coefficients.rs");
    assert!(have == text(&fitted()), "stale: cargo run -p sconce-polynomials --example fit");
}
