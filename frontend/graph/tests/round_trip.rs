//! Graph text through the dialect and back, and through `.mlir` in between: every byte stays.

use sconce_corpus::{Corpus, testdata};
use sconce_graph::{export, import_text};
use sconce_ir::prelude::*;
use sconce_syntax::graph_text::Spelling;

fn corpus(name: &str) -> Corpus {
    testdata(name).unwrap_or_else(|e| panic!("testdata/{name}: {e}"))
}

/// How a text comes back: `Err` says what went wrong, and where.
fn round_trip(context: &Context, name: &str, text: &str) -> Result<(), String> {
    let imported = import_text(context, name, text, "forward").map_err(|e| format!("{name}: import: {e}"))?;
    let same = |stage: &str, module: &Module<'_>| {
        let out = export(module, Spelling::Colons).map_err(|e| format!("{name}: {stage}: {e}"))?;
        match text.lines().zip(out.lines()).enumerate().find(|(_, (a, b))| a != b) {
            Some((line, (a, b))) => Err(format!("{name}:{}: {stage}:\n  {a}\n  {b}", line + 1)),
            None if text != out => Err(format!("{name}: {stage}: {} bytes became {}", text.len(), out.len())),
            None => Ok(()),
        }
    };
    same("from the dialect", &imported.module)?;
    let mlir = print_module_with_locations(&imported.module);
    let back = parse_module(context, mlir.as_bytes(), "printed.mlir").map_err(|e| format!("{name}: .mlir: {e}"))?;
    same("from .mlir", &back)
}

/// Runs all texts and reports every failure at once.
fn check<'t>(texts: impl Iterator<Item = (&'t str, &'t str)>) -> usize {
    let context = context::new(false);
    let mut failures = Vec::new();
    let mut count = 0;
    for (name, text) in texts {
        count += 1;
        if let Err(failure) = round_trip(&context, name, text) {
            failures.push(failure);
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {count} fail:\n{}",
        failures.len(),
        failures[..failures.len().min(40)].join("\n")
    );
    count
}

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("recorded texts are UTF-8")
}

#[test]
fn printed_graphs_come_back() {
    let listings = corpus("listings");
    let texts = listings.below("graphs/").filter(|(name, _)| name.ends_with(".txt"));
    assert_eq!(check(texts.map(|(name, text)| (name, utf8(text)))), 253);
}

#[test]
fn programs_come_back() {
    let programs = corpus("programs");
    let texts = programs.iter().filter(|(name, _)| name.ends_with("graph.txt"));
    assert_eq!(check(texts.map(|(name, text)| (name, utf8(text)))), 1026);
}
