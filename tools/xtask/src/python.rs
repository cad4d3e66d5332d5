//! `python` builds the Python package and tests it in an environment of its own; with `--wheel` it makes what people install, tries that where there is nothing else, and tests it by the
//! interpreters that are named.

use crate::{TaskResult, environment, root, target};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// The package's folder.
const FOLDER: &str = "python";
/// Differences of stubs that are none.
const ALLOWED: &str = "tests/stubs_allowed.txt";
/// What builds it.
const BUILDER: &str = "maturin>=1.9,<2";
/// Bytes that a wheel stays below.
const LIMIT: u64 = 40_000_000;

/// What is tried of an installed wheel: it needs no other package.
const TRIED: &str = "import sconce, sys
assert not {'numpy', 'torch'} & set(sys.modules)
assert sconce.compile('def f(x: int) -> int: return x + 1')(41) == 42
t = sconce.compile('import torch\\ndef f(): return torch.ones(2, 2)')()
assert t.tolist() == [[1, 1], [1, 1]] and t.dtype == 'float32'
print(sconce.__file__)";

pub fn run(arguments: &[String]) -> TaskResult {
    match arguments {
        [] => match tested()? {
            (_, 0) => Ok(()),
            (_, failed) => Err(format!("{failed} tests of the package failed")),
        },
        [first, interpreters @ ..] if first == "--wheel" => wheel(interpreters),
        _ => Err("only --wheel is known, and interpreters behind it".into()),
    }
}

/// Runs a program in the package's folder.
fn inside(program: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root().join(FOLDER));
    command
}

fn succeeds(mut command: Command) -> TaskResult {
    let status = command.status().map_err(|e| format!("{command:?}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} ended with {status}")) }
}

/// Tests that passed and that failed; the package is built for them as it stands.
pub fn tested() -> Result<(usize, usize), String> {
    let folder = target().join("python");
    let python = environment::python(&folder, &[BUILDER])?;
    let mut build = inside(&python, &["-m", "maturin", "develop", "--quiet", "--extras", "test"]);
    build.env("VIRTUAL_ENV", &folder).env("CARGO_TARGET_DIR", target());
    succeeds(build)?;
    let mut stubs =
        inside(&python, &["-m", "mypy.stubtest", "sconce", "--ignore-disjoint-bases", "--allowlist", ALLOWED]);
    stubs.stdout(Stdio::inherit());
    succeeds(stubs)?;
    let mut tests = inside(&python, &["-m", "pytest", "-q", "--color=no"]);
    // The one that the workspace's build leaves; without it what asks a compiler is left out.
    let compiler = target().join("debug/sconce-compiler");
    if std::env::var_os("SCONCE_COMPILER").is_none() && compiler.is_file() {
        tests.env("SCONCE_COMPILER", compiler);
    }
    counted(tests)
}

/// What a run of pytest counts.
fn counted(mut tests: Command) -> Result<(usize, usize), String> {
    let out = tests.stderr(Stdio::inherit()).output().map_err(|e| format!("pytest: {e}"))?;
    let text = String::from_utf8_lossy(&out.stdout);
    print!("{text}");
    // `2 failed, 700 passed in 5.36s`
    let last = text.lines().last().unwrap_or_default();
    let count = |word| crate::test::number_before(last, word);
    let failed = count("failed") + count("errors") + count("error");
    if !out.status.success() && failed == 0 {
        return Err(format!("pytest ended with {}", out.status));
    }
    Ok((count("passed"), failed))
}

/// Makes the wheel, installs it where there is nothing else, says how large it is, and runs the tests on it by these interpreters.
fn wheel(interpreters: &[String]) -> TaskResult {
    let (out, folder) = (target().join("wheels"), target().join("python"));
    let python = environment::python(&folder, &[BUILDER])?;
    let shown = out.display().to_string();
    let _ = std::fs::remove_dir_all(&out);
    let mut build = inside(&python, &["-m", "maturin", "build", "--release", "--quiet", "--out", &shown]);
    build.env("VIRTUAL_ENV", &folder).env("CARGO_TARGET_DIR", target());
    succeeds(build)?;
    let made = std::fs::read_dir(&out).map_err(|e| format!("{shown}: {e}"))?;
    let wheel = made.flatten().map(|e| e.path()).find(|p| p.extension() == Some("whl".as_ref()));
    let wheel = wheel.ok_or_else(|| format!("maturin made no wheel in {shown}"))?;
    tried(&wheel)?;
    let bytes = std::fs::metadata(&wheel).map_err(|e| format!("{}: {e}", wheel.display()))?.len();
    println!("{}: {:.1} MB (bound: {:.0} MB)", wheel.display(), bytes as f64 / 1e6, LIMIT as f64 / 1e6);
    if bytes > LIMIT {
        return Err("the wheel is larger than its bound".into());
    }
    interpreters.iter().try_for_each(|interpreter| tested_by(interpreter, &wheel))
}

/// The tests on the wheel by another interpreter: one wheel is for all of them.
fn tested_by(interpreter: &str, wheel: &Path) -> TaskResult {
    let folder = target().join(format!("python-{}", interpreter.replace('/', "-")));
    let python = environment::python_by(interpreter, &folder, &[])?;
    let shown = wheel.display().to_string();
    succeeds(inside(&python, &["-m", "pip", "install", "--quiet", &format!("{shown}[test]")]))?;
    // Another wheel has the same version.
    succeeds(inside(&python, &["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", &shown]))?;
    let mut tests = Command::new(&python);
    // Not in the package's folder, whose sources Python would find first.
    tests.args(["-m", "pytest", "-q", "--color=no"]).arg(root().join(FOLDER)).current_dir(&folder);
    match counted(tests)? {
        (_, 0) => Ok(()),
        (_, failed) => Err(format!("{interpreter}: {failed} tests of the package failed")),
    }
}

/// The wheel alone in a new environment.
fn tried(wheel: &Path) -> TaskResult {
    let folder = target().join("python-alone");
    let _ = std::fs::remove_dir_all(&folder);
    let python = environment::python(&folder, &[])?;
    succeeds(inside(&python, &["-m", "pip", "install", "--quiet", "--no-index", &wheel.display().to_string()]))?;
    // Not in the package's folder, whose sources Python would find first.
    let away = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.args(arguments).current_dir(&folder);
        succeeds(command)
    };
    away(&["-c", TRIED])?;
    away(&["-m", "sconce", "run", "-e", "def f(x: int) -> int: return x + 1", "-i", "41", "--compile", "off"])
}
