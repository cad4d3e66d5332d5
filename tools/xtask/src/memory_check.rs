//! Memory checking of the kernels and the interpreter, one word a check: AddressSanitizer, ThreadSanitizer, valgrind, Miri.

use crate::{TaskResult, command, root, target};
use std::path::PathBuf;
use std::process::Command;

const HOST: &str = "x86_64-unknown-linux-gnu";
/// What holds the unsafe code that programs reach.
const CRATES: [&str; 14] = [
    "-p",
    "sconce-tensor",
    "-p",
    "sconce-parallel",
    "-p",
    "sconce-gemm",
    "-p",
    "sconce-kernels",
    "-p",
    "sconce-interpreter",
    "-p",
    "sconce-exec",
    "-p",
    "sconce-conformance",
];

struct Check {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> TaskResult,
}

const CHECKS: &[Check] = &[
    Check {
        name: "asan",
        about: "AddressSanitizer over all recordings (of FOLDER, or testdata's), the tests, 500 hostile programs, 644 listings and indexes written meanwhile",
        run: asan,
    },
    Check {
        name: "valgrind",
        about: "memcheck over the recordings of some families and the interpreter's tests",
        run: valgrind,
    },
    Check {
        name: "tsan",
        about: "ThreadSanitizer: threads over one module, program, executor, cache and plan, and inside kernels",
        run: tsan,
    },
    Check { name: "miri", about: "Miri: tests of sconce-tensor and of the interpreter (nightly with miri)", run: miri },
];

pub fn run(arguments: &[String]) -> TaskResult {
    match arguments.first().and_then(|name| CHECKS.iter().find(|c| c.name == name)) {
        Some(check) => (check.run)(&arguments[1..]),
        None => Err(CHECKS.iter().fold("which?".to_string(), |t, c| format!("{t}\n  {:9} {}", c.name, c.about))),
    }
}

/// Runs cargo with variables set beside those that are.
fn cargo(variables: &[(&str, &str)], arguments: &[&str]) -> TaskResult {
    let status = Command::new("cargo")
        .args(arguments)
        .envs(variables.iter().copied())
        .current_dir(root())
        .status()
        .map_err(|e| format!("cannot start cargo: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("cargo {} ended with {status}", arguments.join(" "))) }
}

/// The folder of recordings: the one named, or those of `testdata/`, unpacked.
fn recordings(arguments: &[String]) -> Result<String, String> {
    if let Some(folder) = arguments.first() {
        return Ok(folder.clone());
    }
    let folder: PathBuf = target().join("memory-check/vectors");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let folder = folder.display().to_string();
    for set in sconce_corpus::OPERATOR_CALLS {
        command("tar", &["--zstd", "-xf", &format!("testdata/{set}.tar.zst"), "-C", &folder])?;
    }
    Ok(folder)
}

/// `vectors` fails where a recording is not reproduced; here only what the sanitizer says counts, and that ends the process with this.
const FOUND: &str = "86";

fn judge(program: &mut Command, what: &str) -> TaskResult {
    let status = program.current_dir(root()).status().map_err(|e| format!("cannot start {what}: {e}"))?;
    match status.code() {
        Some(0 | 1) => Ok(()),
        _ => Err(format!("{what} ended with {status}")),
    }
}

/// The compiler as it always is: MLIR is not what is looked at.
fn compiler() -> Result<String, String> {
    cargo(&[], &["build", "-p", "sconce", "--bin", "sconce-compiler"])?;
    Ok(target().join("debug/sconce-compiler").display().to_string())
}

/// What is built with a sanitizer lies apart, and can be deleted as a whole. The stable toolchain has the sanitizers' runtimes too, and only keeps its flags for
/// nightly.
fn build_folder(sanitizer: &str) -> String {
    target().join("memory-check").join(sanitizer).display().to_string()
}

fn asan(arguments: &[String]) -> TaskResult {
    let folder = recordings(arguments)?;
    // Sizes that fit nowhere are refused by the program, if the allocator lets it. Locals lie on the stack and nowhere else, since what compiled code touches is
    // told from what it must not by where the stack is.
    let options = format!("exitcode={FOUND}:allocator_may_return_null=1:detect_stack_use_after_return=0");
    let (compiler, built) = (compiler()?, build_folder("asan"));
    // C libraries are instrumented, too, by the compiler whose runtime rustc links: GCC's marks a static table of zstd's as a local that has ended.
    let clang = crate::lit::llvm_bin()?.join("clang").display().to_string();
    let variables = [
        ("RUSTC_BOOTSTRAP", "1"),
        ("RUSTFLAGS", "-Zsanitizer=address"),
        ("CC", clang.as_str()),
        ("ASAN_OPTIONS", options.as_str()),
        ("CARGO_TARGET_DIR", built.as_str()),
        ("SCONCE_COMPILER", compiler.as_str()),
        ("SCONCE_PROGRAMS", "500"),
        ("SCONCE_LISTINGS", "644"),
    ];
    let build = ["build", "--profile", "perf", "--target", HOST, "-p", "sconce-conformance", "--bin", "vectors"];
    cargo(&variables, &build)?;
    let vectors = PathBuf::from(&built).join(HOST).join("perf/vectors");
    judge(
        Command::new(vectors).args([&folder, "--quiet"]).env("ASAN_OPTIONS", &options),
        "vectors under AddressSanitizer",
    )?;
    let test = ["test", "--profile", "perf", "--target", HOST];
    cargo(&variables, &[&test[..], &["--tests"], &CRATES[..]].concat())?;
    let hostile = ["hostile_programs", "lying_listings", "index_races"].map(|name| ["--test", name]).concat();
    let of_sconce = ["-p", "sconce", "--no-default-features"];
    cargo(&variables, &[&test[..], &of_sconce, &hostile, &["--", "--nocapture"]].concat())
}

fn valgrind(arguments: &[String]) -> TaskResult {
    let folder = recordings(arguments)?;
    cargo(&[], &["build", "--profile", "perf", "-p", "sconce-conformance", "--bin", "vectors"])?;
    let vectors = target().join("perf/vectors").display().to_string();
    let error = format!("--error-exitcode={FOUND}");
    for family in ["matmul", "conv", "reduce", "index", "view", "norm", "pool", "sort"] {
        let mut run = Command::new("valgrind");
        run.args(["-q", &error, &vectors, &folder, "--family", family, "--kind", "value", "--quiet"]);
        judge(&mut run, &format!("{family} under valgrind"))?;
    }
    let runner = format!("valgrind -q {error}");
    cargo(
        &[("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", runner.as_str())],
        &["test", "--profile", "perf", "-p", "sconce-interpreter", "--test", "run", "--test", "format"],
    )
}

/// The standard library's source, which ThreadSanitizer is built into: it must see every lock.
fn library_source() -> TaskResult {
    let asked = Command::new("rustc").args(["--print", "sysroot"]).output();
    let root = asked.map_err(|e| format!("cannot start rustc: {e}"))?.stdout;
    let root = PathBuf::from(String::from_utf8_lossy(&root).trim());
    if root.join("lib/rustlib/src/rust/library/Cargo.lock").exists() {
        return Ok(());
    }
    command("rustup", &["component", "add", "rust-src"])
}

fn tsan(_: &[String]) -> TaskResult {
    library_source()?;
    let (compiler, built) = (compiler()?, build_folder("tsan"));
    let variables = [
        ("RUSTC_BOOTSTRAP", "1"),
        ("RUSTFLAGS", "-Zsanitizer=thread"),
        ("CARGO_PROFILE_DEV_DEBUG", "line-tables-only"),
        ("CARGO_TARGET_DIR", built.as_str()),
        ("SCONCE_COMPILER", compiler.as_str()),
    ];
    let test = ["test", "-Zbuild-std", "--target", HOST, "-p"];
    let tests = [
        &["sconce", "--no-default-features", "--test", "threads"][..],
        &["sconce-interpreter", "--test", "run", "--test", "tasks"],
        &["sconce-executor", "--test", "executors", "--test", "cache"],
        &["sconce-static", "--test", "plans"],
        &["sconce-kernels", "--test", "products", "--test", "rows"],
    ];
    tests.iter().try_for_each(|what| cargo(&variables, &[&test[..], what].concat()))
}

fn miri(_: &[String]) -> TaskResult {
    // What is printed of a pointer, clocks and files are no errors here, and functions of floats give one result; kernels with vector instructions are not Miri's.
    let flags = "-Zmiri-disable-isolation -Zmiri-deterministic-floats";
    let variables = [("MIRIFLAGS", flags), ("RUSTUP_TOOLCHAIN", "nightly")];
    cargo(&variables, &["miri", "test", "-p", "sconce-tensor", "--lib"])?;
    cargo(&variables, &["miri", "test", "-p", "sconce-interpreter", "--test", "run"])
}
