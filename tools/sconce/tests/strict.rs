//! Compiled code of strict numerics gives the interpreter's results, bit for bit.
//!
//! Every third recorded program is compiled; `SCONCE_EVERY=1` takes all.

#[path = "compiling"]
mod compiling {
    pub mod engine;
    pub mod worker;
}
mod kept;

use sconce::executor::{NumericsMode, Settings, Specialization};
use sconce::{Engine, Options};

/// An error that a task ended with is told with the places it went through, which inlining makes fewer: the message is its last line.
fn is_same(a: &Result<String, String>, b: &Result<String, String>) -> bool {
    match (a, b) {
        (Err(a), Err(b)) => a.lines().last() == b.lines().last(),
        (a, b) => a == b,
    }
}

#[test]
fn compiled_results_are_the_interpreters_bits() {
    let every = std::env::var("SCONCE_EVERY").ok().map_or(3, |n| n.parse().expect("a number"));
    let options = compiling::engine::options(Specialization::Static);
    let strict = Settings { numerics: NumericsMode::Strict, ..options.executor.clone() };
    let compiled = Engine::new(Options { executor: strict, ..options }).expect("an engine");
    let plain = Engine::new(Options::default()).expect("an engine");
    let corpus = sconce_corpus::testdata("archives").expect("recordings");
    let (mut results, mut regions, mut differ) = (0, 0, Vec::new());
    for program in kept::programs(&corpus).into_iter().step_by(every) {
        let run = |engine| kept::results(engine, &corpus, program);
        let (Some(compiled), Some(plain)) = (run(&compiled), run(&plain)) else { continue };
        results += plain.results.len();
        let functions = compiled.module.functions();
        regions += functions.iter().map(|f| compiled.module.report(f).regions.len()).sum::<usize>();
        let mut calls = plain.results.iter().zip(&compiled.results).enumerate();
        let differs = calls.find(|(_, (a, b))| !is_same(a, b));
        differ.extend(differs.map(|(call, (a, b))| format!("{program}: call {call}: {b:?}, interpreted {a:?}")));
    }
    println!("{results} results, {regions} regions");
    assert!(differ.is_empty(), "{differ:#?}");
    assert!(results > 300 && regions > 60, "{results} results, {regions} regions");
}
