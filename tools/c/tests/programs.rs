//! The library as people hold it: installed, and used by programs in C and C++ that pkg-config and CMake build, also under AddressSanitizer.

#![cfg(target_os = "linux")]

use expect_test::expect_file;
use sconce::written::Form;
use sconce::{Engine, Options, SourceOptions};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// What a step of a build prints; it must succeed.
fn output(command: &mut Command) -> String {
    let out = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(out.status.success(), "{command:?} ended with {}\n{}{}", out.status, text(&out.stdout), text(&out.stderr));
    text(&out.stdout)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("tools/c lies two below the root")
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn example(name: &str) -> PathBuf {
    root().join("examples/c").join(name)
}

/// Where the library is installed, without any other feature than `sconce-rt` has.
static PREFIX: LazyLock<PathBuf> = LazyLock::new(|| {
    let prefix = scratch("prefix");
    let mut install = Command::new(std::env::var_os("CARGO").expect("Cargo runs tests"));
    install.args(["run", "--quiet", "--package", "xtask", "--", "install-c", "--profile", "dev", "--prefix"]);
    output(install.arg(&prefix).current_dir(root()));
    prefix
});

/// The model that the examples load.
static MODEL: LazyLock<PathBuf> = LazyLock::new(|| {
    let source = std::fs::read_to_string(example("model.py")).expect("the example's model");
    let engine = Engine::new(Options::default()).expect("an engine");
    let options = SourceOptions { entry: Some("Scorer().eval()".to_owned()), ..SourceOptions::default() };
    let module = engine.compile_source("model.py", &source, &options).expect("it compiles");
    let path = scratch("model").join("model.pt");
    module.written(Form::Pt, "model").and_then(|written| written.write(&path)).expect("an archive");
    path
});

/// Whether there is such a tool; without it a test says so and passes.
fn has(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok_and(|out| out.status.success());
    if !found {
        eprintln!("there is no {tool}: nothing is tested");
    }
    found
}

/// Flags of the installed library.
fn flags(options: &[&str]) -> Vec<String> {
    let mut ask = Command::new("pkg-config");
    ask.args(options).arg("sconce_rt").env("PKG_CONFIG_PATH", PREFIX.join("lib/pkgconfig"));
    output(&mut ask).split_whitespace().map(str::to_owned).collect()
}

/// Every warning is an error.
const STRICT: &[&str] = &["-O1", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread"];

/// Compiles an example and links it with the shared library; gives the program.
fn compiled(file: &str, folder: &Path, more: &[&str]) -> PathBuf {
    let (compiler, standard) = if file.ends_with(".cpp") { ("c++", "-std=c++17") } else { ("cc", "-std=c11") };
    let program = folder.join(file.replace('.', "_"));
    let mut compile = Command::new(compiler);
    compile.arg(standard).args(STRICT).args(more).arg(example(file)).args(flags(&["--cflags", "--libs"]));
    output(compile.arg("-o").arg(&program));
    program
}

const EXAMPLES: &[&str] = &["score.c", "errors.c", "threads.c", "memory.c", "score.cpp"];

/// Runs a program built of an example, which prints what it should.
fn prints(example: &str, program: &Path) {
    let mut run = Command::new(program);
    if example != "memory.c" {
        run.arg(&*MODEL);
    }
    run.env("LD_LIBRARY_PATH", PREFIX.join("lib")).env("ASAN_OPTIONS", "detect_leaks=1");
    expect_file![format!("expected/{example}.txt")].assert_eq(&output(&mut run));
}

#[test]
fn examples_build_by_pkg_config_and_print_what_they_should() {
    if !has("pkg-config") {
        return;
    }
    let folder = scratch("by-pkg-config");
    EXAMPLES.iter().for_each(|file| prints(file, &compiled(file, &folder, &[])));
}

#[test]
fn nothing_leaks_and_no_memory_is_misused() {
    if !has("pkg-config") {
        return;
    }
    let folder = scratch("address-sanitizer");
    let checked = ["-fsanitize=address", "-fno-omit-frame-pointer"];
    EXAMPLES.iter().for_each(|file| prints(file, &compiled(file, &folder, &checked)));
}

#[test]
fn examples_build_by_cmake() {
    if !has("cmake") {
        return;
    }
    let folder = scratch("by-cmake");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(root().join("examples/c")).arg("-B").arg(&folder);
    output(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", PREFIX.display())));
    output(Command::new("cmake").arg("--build").arg(&folder));
    EXAMPLES.iter().for_each(|file| prints(file, &folder.join(file.replace(".cpp", "_cpp").replace(".c", ""))));
    let alone = folder.join("score_static");
    prints("score.c", &alone);
    let mut needs = Command::new("ldd");
    assert!(!output(needs.arg(&alone)).contains("libsconce_rt"), "the archive is in the program");
}

#[test]
fn a_program_loads_a_library_of_operators() {
    if !has("pkg-config") {
        return;
    }
    let folder = scratch("operators");
    let example = |name: &str| root().join("examples/custom_operator").join(name);
    let library = folder.join("libmine.so");
    let mut compile = Command::new("cc");
    compile.arg("-std=c11").args(STRICT).args(["-shared", "-fPIC"]).args(flags(&["--cflags"]));
    output(compile.arg(example("mine.c")).arg("-o").arg(&library));
    for (name, more) in [("use", &[][..]), ("use_checked", &["-fsanitize=address"][..])] {
        let program = folder.join(name);
        let mut compile = Command::new("cc");
        compile.arg("-std=c11").args(STRICT).args(more).arg(example("use.c")).args(flags(&["--cflags", "--libs"]));
        output(compile.arg("-o").arg(&program));
        let mut run = Command::new(program);
        run.arg(&library).env("LD_LIBRARY_PATH", PREFIX.join("lib"));
        expect_file!["expected/use.c.txt"].assert_eq(&output(&mut run));
    }
}

/// The shared library has the recorded functions, each with its version, and no other symbol.
#[test]
fn symbols_are_those_that_are_recorded() {
    let abi = std::fs::read_to_string(root().join("tools/c/include/sconce.abi")).expect("the record");
    let soname = abi.lines().find(|l| l.starts_with("libsconce_rt")).expect("the library's name");
    let number = soname.rsplit('.').next().expect("a number");
    let declared = abi.lines().filter(|l| !l.starts_with("typedef"));
    let functions = declared.filter_map(|l| l.split_once('(')).filter_map(|(head, _)| head.rsplit([' ', '*']).next());
    let mut expected: Vec<String> = functions.map(|f| format!("{f}@@SCONCE_{number}")).collect();
    expected.sort();
    let mut list = Command::new("nm");
    let listed = output(list.args(["-D", "--defined-only", "-P"]).arg(PREFIX.join("lib/libsconce_rt.so")));
    // The version itself stands among them as an absolute symbol.
    let symbols = listed.lines().filter_map(|l| l.split_once(' ')).filter(|(_, rest)| !rest.starts_with('A'));
    let mut found: Vec<String> = symbols.map(|(name, _)| name.to_owned()).collect();
    found.sort();
    assert_eq!(found, expected);
    let mut dynamic = Command::new("readelf");
    let dynamic = output(dynamic.arg("-d").arg(PREFIX.join("lib/libsconce_rt.so")));
    assert!(dynamic.contains(&format!("soname: [{soname}]")), "{dynamic}");
}
