//! Random changes of what is read end no process: a changed `.sconce` file is refused or is the program that it was, and changed values and MLIR texts are
//! read or refused.
//!
//! `SCONCE_SEED` is the seed and `SCONCE_MUTANTS` how many are made of each kind; what became of them is printed (`--nocapture`).

use sconce::{Engine as Sconce, IValue, Options, value_text};
use sconce_interpreter::Program;
use sconce_tensor::Memory;
use sconce_tensor::mersenne::Engine;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn below(e: &mut Engine, n: usize) -> usize {
    e.below(n.max(1) as u64) as usize
}

/// The files of a folder of the repository that end so, in order.
fn files(folder: &str, end: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("a folder").map(|f| f.expect("a file").path()).collect();
    paths.retain(|p| p.to_string_lossy().ends_with(end));
    paths.sort();
    paths.iter().map(|p| std::fs::read(p).expect("a file")).collect()
}

/// One to four changes: a bit or byte, a cut, a piece that goes, comes twice, or comes from another file or from `words`.
fn mutant(e: &mut Engine, seeds: &[Vec<u8>], words: &[&str]) -> (usize, Vec<u8>) {
    let seed = below(e, seeds.len());
    let mut bytes = seeds[seed].clone();
    for _ in 0..=below(e, 4) {
        let at = below(e, bytes.len());
        let end = (at + below(e, 16)).min(bytes.len());
        match below(e, 7) {
            _ if bytes.is_empty() => break,
            0 => bytes[at] ^= 1 << below(e, 8),
            1 => bytes[at] = below(e, 256) as u8,
            2 if below(e, 4) == 0 => bytes.truncate(at),
            3 => _ = bytes.drain(at..end),
            4 => {
                let piece = bytes[at..end].to_vec();
                _ = bytes.splice(at..at, piece);
            }
            5 => {
                let other = &seeds[below(e, seeds.len())];
                let from = below(e, other.len());
                let piece = other[from..(from + below(e, 32)).min(other.len())].to_vec();
                _ = bytes.splice(at..end, piece);
            }
            _ if !words.is_empty() => _ = bytes.splice(at..end, words[below(e, words.len())].bytes()),
            _ => bytes[at] = bytes[at].wrapping_add(1),
        }
    }
    (seed, bytes)
}

/// Reads `count` mutants; gives how many `read` took.
fn all_end(what: &str, default: u64, seeds: &[Vec<u8>], words: &[&str], read: impl Fn(usize, &[u8]) -> bool) {
    assert!(!seeds.is_empty());
    let (count, seed) = (number("SCONCE_MUTANTS", default), number("SCONCE_SEED", 1));
    let mut e = Engine::new(seed);
    let mut taken = 0;
    for _ in 0..count {
        let (of, bytes) = mutant(&mut e, seeds, words);
        match catch_unwind(AssertUnwindSafe(|| read(of, &bytes))) {
            Ok(is_read) => taken += u64::from(is_read),
            Err(_) => panic!("{what}: a panic on {:?}", String::from_utf8_lossy(&bytes)),
        }
    }
    println!("{count} mutants of {what} with seed {seed}: {taken} read, {} refused, 0 ended otherwise", count - taken);
}

#[test]
fn changed_programs_are_refused_or_are_what_they_were() {
    let seeds = files("fuzz/seeds/program", ".sconce");
    let whole: Vec<String> = seeds.iter().map(|s| Program::from_bytes(s).expect("a program").full_listing()).collect();
    all_end(".sconce files", 4000, &seeds, &[], |of, bytes| match Program::from_bytes(bytes) {
        Ok(program) => {
            assert!(program.full_listing() == whole[of], "a changed file is another program");
            true
        }
        Err(_) => false,
    });
}

const VALUES: [&str; 14] = [
    "2x3xf32",
    "4xi64=arange",
    "f32=1.5",
    "3",
    "-1e300",
    "1-2j",
    "True",
    "None",
    "\"te\\x1bxt\\n\"",
    "[1, 2, [3, None]]",
    "(2xf32, 3)",
    "{\"x\": 2xf32, \"y\": {1: 2.5}}",
    "2x3xc64=zeros",
    "2xbool=1",
];

const WORDS: [&str; 12] = [
    "9223372036854775807",
    "99999999999x",
    "x0x",
    "[[[[[[[[",
    "bf16",
    "inf",
    "nan",
    "=rand",
    "\u{202e}",
    "\\u{",
    "-",
    "\"",
];

#[test]
fn changed_values_of_the_command_line_are_read_or_refused() {
    Memory::set_limit(64 << 20);
    let seeds: Vec<Vec<u8>> = VALUES.iter().map(|v| v.as_bytes().to_vec()).collect();
    all_end("values", 20_000, &seeds, &WORDS, |_, bytes| {
        let text = String::from_utf8_lossy(bytes);
        // Names of files are read as such.
        if [".npy", ".npz", ".safetensors"].iter().any(|end| text.contains(end)) {
            return false;
        }
        let Ok(values) = value_text::parse_input(&text, 1) else { return false };
        let small = |v: &IValue| !matches!(v, IValue::Tensor(t) if t.numel() > 1000);
        values.iter().filter(|v| small(v)).for_each(|v| _ = value_text::format_value(v));
        true
    });
}

#[test]
fn changed_mlir_texts_are_read_or_refused() {
    let seeds = [files("lit-tests/dialect", ".mlir"), files("lit-tests/passes", ".mlir")].concat();
    let words = [
        "!torch.vtensor<[?,9223372036854775807],f32>",
        "dense<\"0x\">",
        "%0#3",
        "loc(#x)",
        "#map",
        "@",
        "->",
        "({",
        "})",
        "!torch.list<",
        ": () -> ()",
    ];
    let options = Options { compiler: Some(Arc::new(sconce_compiler::InProcess)), ..Options::default() };
    let engine = Sconce::new(options).expect("an engine");
    all_end("MLIR texts", 1000, &seeds, &words, |_, bytes| engine.load_bytes("fuzz.mlir", "f", bytes).is_ok());
}
