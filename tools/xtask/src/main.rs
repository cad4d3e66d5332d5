//! Developer tasks; each subcommand is one job a person would otherwise do by hand and get wrong.
//!
//! A task is a function in a module of its own and one row of [`TASKS`].

mod book;
mod build;
mod c_header;
mod circles;
mod codegen;
mod composites;
mod coverage;
mod demo;
mod dist;
mod environment;
mod gpu_check;
mod independence;
mod install_c;
mod library_text;
mod licenses;
mod lines;
mod lit;
mod memory_check;
mod peers;
mod placing;
mod prelude;
mod python;
mod size;
mod test;
mod testdata;
mod tidy;
mod viewer;

use std::process::ExitCode;

/// What a task returns: `Err` is the message for the user.
pub type TaskResult = Result<(), String>;

struct Task {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> TaskResult,
}

const TASKS: &[Task] = &[
    Task {
        name: "book",
        about: "docs as a book of HTML in the target folder, by mdbook, which is installed there",
        run: book::run,
    },
    Task {
        name: "build",
        about: "release binaries sconce, sconce-opt, sconce-translate, sconce-rt into target/release",
        run: build::run,
    },
    Task {
        name: "c-header",
        about: "tools/c/include: sconce.h and the record of its signatures (--break: also where programs would break)",
        run: c_header::run,
    },
    Task {
        name: "codegen",
        about: "Rust tables from the records in dialects/td/ops, Python from those in frontend/prelude, listings of composites; --check fails if they are stale",
        run: codegen::run,
    },
    Task { name: "coverage", about: "docs/operators.md: what every operator of the table has", run: coverage::run },
    Task {
        name: "demo",
        about: "the LSTM cell from graph text to compiled code, every stage shown; archives run, a detector among them",
        run: demo::run,
    },
    Task {
        name: "dist",
        about: "programs, manual pages, completions and licences as they are installed (--prefix DIR, --archive FILE.tar.zst; --bin DIR: built before)",
        run: dist::run,
    },
    Task {
        name: "gpu-check",
        about: "packs into a folder what a machine with only a GPU's driver needs to run our PTX and compare its results",
        run: gpu_check::run,
    },
    Task {
        name: "independence",
        about: "the prelude's texts are our own: figures by file and function (--quiet: totals and broken limits)",
        run: independence::run,
    },
    Task {
        name: "install-c",
        about: "the runtime for C and C++: headers, libraries, pkg-config, CMake (--prefix DIR)",
        run: install_c::run,
    },
    Task {
        name: "licenses",
        about: "docs/licenses: the libraries in sconce and sconce-rt, with their licences' texts",
        run: licenses::run,
    },
    Task {
        name: "lines",
        about: "lines of code by crate, tests and generated files apart, and the parts that have a bound",
        run: lines::run,
    },
    Task { name: "lit", about: "lit/FileCheck tests (arguments: files or folders below lit-tests)", run: lit::run },
    Task {
        name: "memory-check",
        about: "asan | valgrind | tsan | miri: the kernels and the interpreter under a checker of memory",
        run: memory_check::run,
    },
    Task {
        name: "peers",
        about: "times sconce and other engines on ../shared/models, and prints the ratios to the fastest of them (--models A,B, --threads 1,2)",
        run: peers::run,
    },
    Task {
        name: "python",
        about: "builds the Python package and runs its tests (--wheel [PYTHON…]: makes the wheel, tries it where there is nothing else, prints its size, and tests it by these interpreters)",
        run: python::run,
    },
    Task {
        name: "size",
        about: "the runtime alone, built small, is below its bound (--speed: and its time, of the command's)",
        run: size::run,
    },
    Task { name: "test", about: "every test there is, with counts and times", run: test::run },
    Task { name: "testdata", about: "packs recordings into testdata/ (--shared FOLDER)", run: testdata::run },
    Task {
        name: "tidy",
        about: "the rules that no compiler checks: edges between crates, module docs, size",
        run: tidy::run,
    },
    Task {
        name: "viewer",
        about: "pages of `sconce view` tested in a browser (MODEL …: of these models; --vendor: makes the library they lay graphs out with)",
        run: viewer::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(task) = arguments.first().and_then(|name| TASKS.iter().find(|t| t.name == name)) else {
        match arguments.first() {
            Some(other) => eprintln!("xtask: there is no task '{other}'"),
            None => eprintln!("usage: cargo xtask TASK [ARGUMENT…]"),
        }
        for t in TASKS {
            eprintln!("  {:12} {}", t.name, t.about);
        }
        return ExitCode::from(2);
    };
    match (task.run)(&arguments[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {}: {message}", task.name);
            ExitCode::FAILURE
        }
    }
}

/// The repository's root.
pub fn root() -> std::path::PathBuf {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("tools/xtask lies two below the root").to_path_buf()
}

/// Cargo's target folder, which `CARGO_TARGET_DIR` may move.
pub fn target() -> std::path::PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |d| root().join(d))
}

/// Runs a command in the repository's root, its output passed through.
pub fn command(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> TaskResult {
    run_command(std::process::Command::new(program).args(arguments))
}

/// The same of a command that has more to it.
pub fn run_command(command: &mut std::process::Command) -> TaskResult {
    let (program, arguments): (_, Vec<_>) = (command.get_program().to_owned(), command.get_args().collect());
    let arguments = arguments.join(" ".as_ref()).to_string_lossy().into_owned();
    let status = command.current_dir(root()).status();
    let status = status.map_err(|e| format!("cannot start {}: {e}", program.display()))?;
    if status.success() { Ok(()) } else { Err(format!("{} {arguments} ended with {status}", program.display())) }
}

/// What a command that is run in the repository's root prints.
pub fn output(program: &str, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let out = std::process::Command::new(program)
        .args(arguments)
        .current_dir(root())
        .output()
        .map_err(|e| format!("{program}: {e}"))?;
    if !out.status.success() {
        return Err(format!("{program} {}: {}", arguments.join(" "), String::from_utf8_lossy(&out.stderr)));
    }
    Ok(out.stdout)
}
