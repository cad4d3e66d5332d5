//! `viewer` makes pages of `sconce view`, of its own programs or of models, and tests them in a browser; with `--vendor` it makes the library they lay graphs out with, from its package.

use crate::{TaskResult, command, environment, root, target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The library's folder: what npm installs, its licence, and what is made of both.
pub const LIBRARY: &str = "tools/view/assets/dagre";
/// The library in its package, built by its authors.
const BUILT: &str = "node_modules/@dagrejs/dagre/dist/dagre.min.js";
/// What the test is written with: the browser's driver, and the checker of accessibility.
const PACKAGES: &[&str] = &["playwright>=1.50,<2", "axe-playwright-python>=0.1.4,<0.2"];
const TEST: &str = "tools/view/tests/browser.py";
/// Names of the browser.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

pub fn run(arguments: &[String]) -> TaskResult {
    match arguments {
        [one] if one == "--vendor" => vendor(),
        [.., option] | [option, ..] if option.starts_with('-') => {
            Err(format!("`{option}`: only --vendor and models are known"))
        }
        models => match tested_of(models)? {
            (_, 0) => Ok(()),
            (_, failed) => Err(format!("{failed} tests in the browser failed")),
        },
    }
}

/// The browser: the one that `CHROMIUM` names, else one of the path.
fn browser() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").filter(|path| !path.is_empty()).map(PathBuf::from);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let installed = || {
        let all: Vec<PathBuf> = std::env::split_paths(&folders).collect();
        BROWSERS.iter().flat_map(|name| all.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
    };
    named.or_else(installed)
}

/// Tests that passed and that failed.
pub fn tested() -> Result<(usize, usize), String> {
    tested_of(&[])
}

/// The same of the pages of these models, or of the test's own programs where there are none.
fn tested_of(models: &[String]) -> Result<(usize, usize), String> {
    let Some(browser) = browser() else {
        println!(
            "viewer: no Chromium is here (apt install chromium, or CHROMIUM names one): pages are not tested in a browser"
        );
        return Ok((0, 0));
    };
    let python = environment::python(&target().join("viewer"), PACKAGES)?;
    // The command without the compiler: pages need none.
    command(
        "cargo",
        &[
            "build",
            "--quiet",
            "-p",
            "sconce",
            "--bin",
            "sconce",
            "--no-default-features",
            "--features",
            "exported-programs,extra-kernels,text-state,viewer",
        ],
    )?;
    let mut test = Command::new(python);
    test.arg(root().join(TEST))
        .arg(browser)
        .arg(target().join("debug/sconce"))
        .arg(target().join("viewer-pages"))
        .args(models.iter().map(std::path::absolute).collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string())?)
        .current_dir(root());
    let out = test.stderr(std::process::Stdio::inherit()).output().map_err(|e| format!("{TEST}: {e}"))?;
    let text = String::from_utf8_lossy(&out.stdout);
    print!("{text}");
    let last = text.lines().last().unwrap_or_default();
    let (passed, failed) = (crate::test::number_before(last, "passed"), crate::test::number_before(last, "failed"));
    if !out.status.success() && failed == 0 {
        return Err(format!("{TEST} ended with {}", out.status));
    }
    Ok((passed, failed))
}

/// Makes the library's file: its licence, which pages carry, and what its authors built.
fn vendor() -> TaskResult {
    let (folder, install) = (root().join(LIBRARY), target().join("viewer-library"));
    std::fs::create_dir_all(&install).map_err(|e| format!("{}: {e}", install.display()))?;
    for name in ["package.json", "package-lock.json"] {
        copy(&folder.join(name), &install.join(name))?;
    }
    // Versions and hashes are those of the lock; nothing of a package is run.
    command("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", &install.display().to_string()])?;
    let read = |path: PathBuf| std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()));
    let (licence, built) = (read(install.join("node_modules/@dagrejs/dagre/LICENSE"))?, read(install.join(BUILT))?);
    // Both name files that are not here.
    let built: String = built
        .lines()
        .filter(|line| !line.starts_with("//# sourceMappingURL") && !line.starts_with("/*! For license information"))
        .map(|line| format!("{line}\n"))
        .collect();
    let write =
        |name: &str, text: &str| std::fs::write(folder.join(name), text).map_err(|e| format!("{LIBRARY}/{name}: {e}"));
    write("LICENSE", &licence)?;
    write("dagre.min.js", &format!("/*! dagre\n{}\n*/\n{built}", licence.trim()))
}

fn copy(from: &Path, to: &Path) -> TaskResult {
    std::fs::copy(from, to).map(drop).map_err(|e| format!("{}: {e}", from.display()))
}
