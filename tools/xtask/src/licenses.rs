//! `licenses` writes what a binary must carry of the libraries in it: their names, the licences they are used under, and those licences' texts.
//!
//! Of several licences that a library offers the Apache License is taken, whose text is the same for all; other licences name their authors, so each
//! library's own text stands.

use crate::{TaskResult, output, root, viewer};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// The programs that are given to people, and the package of each.
const PROGRAMS: &[&str] = &["sconce", "sconce-c", "sconce-extension", "sconce-opt", "sconce-rt", "sconce-translate"];

/// Those of them that write pages.
const WITH_PAGES: &[&str] = &["sconce", "sconce-extension"];

/// Where the texts lie; the programs include them.
pub const FOLDER: &str = "docs/licenses";

/// What binaries use that Cargo does not know.
const BESIDE: &str = "LLVM, MLIR 22: Apache-2.0 WITH LLVM-exception (linked dynamically by what compiles; see LICENSE)";

/// A library of others.
struct Library {
    name: String,
    version: String,
    /// As its package says it: `MIT OR Apache-2.0`.
    offered: String,
    folder: String,
}

pub fn run(_arguments: &[String]) -> TaskResult {
    for program in PROGRAMS {
        let path = format!("{FOLDER}/{program}.txt");
        std::fs::create_dir_all(root().join(FOLDER)).map_err(|e| format!("{FOLDER}: {e}"))?;
        std::fs::write(root().join(&path), text(program)?).map_err(|e| format!("{path}: {e}"))?;
        println!("wrote {path}");
    }
    Ok(())
}

/// Libraries that a program has and its text does not name, or the reverse.
pub fn findings(findings: &mut Vec<String>) -> TaskResult {
    for program in PROGRAMS {
        let path = format!("{FOLDER}/{program}.txt");
        let have = std::fs::read_to_string(root().join(&path)).unwrap_or_default();
        let listed: BTreeSet<String> = listed(&have).map(str::to_owned).collect();
        let used: BTreeSet<String> = libraries(program)?.iter().map(Library::title).collect();
        if let Some(one) = listed.symmetric_difference(&used).next() {
            findings.push(format!("{path} is stale ({one}): run `cargo xtask licenses`"));
        }
    }
    Ok(())
}

/// The titles in a text: lines `name version: licence` up to the first empty line behind the heading.
fn listed(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().skip_while(|l| !l.is_empty()).skip(1).take_while(|l| !l.is_empty());
    lines.filter(|l| *l != BESIDE).filter_map(|l| l.split_once(": ").map(|(title, _)| title))
}

impl Library {
    fn title(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// The licence it is used under.
    fn taken(&self) -> &str {
        let offers = |l: &str| self.offered.split([' ', '/', '(', ')']).any(|w| w == l);
        match () {
            () if self.offered.contains("WITH LLVM-exception") && !self.offered.contains(" OR ") => &self.offered,
            () if self.offered.contains(" AND ") => &self.offered,
            () if offers("Apache-2.0") => "Apache-2.0",
            () if offers("MIT") => "MIT",
            () => &self.offered,
        }
    }

    /// The texts that its package brings for the licence it is used under.
    fn texts(&self) -> Result<Vec<String>, String> {
        let mut files: Vec<(String, std::path::PathBuf)> = Vec::new();
        for entry in std::fs::read_dir(&self.folder).map_err(|e| format!("{}: {e}", self.folder))?.flatten() {
            let name = entry.file_name().to_string_lossy().to_uppercase();
            let is_licence = ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|w| name.starts_with(w));
            if is_licence && entry.path().is_file() {
                files.push((name, entry.path()));
            }
        }
        files.sort();
        let wanted = if self.taken() == "MIT" { "MIT" } else { "" };
        let some = files.iter().any(|(name, _)| !wanted.is_empty() && name.contains(wanted));
        let fits = |name: &str| !some || name.contains(wanted) || name.starts_with("NOTICE");
        let read = |p: &Path| std::fs::read_to_string(p).map_err(|e| format!("{}: {e}", p.display()));
        files.iter().filter(|(name, _)| fits(name)).map(|(_, path)| read(path)).collect()
    }
}

/// The text of a program: the list, then the licences.
fn text(program: &str) -> Result<String, String> {
    let libraries = libraries(program)?;
    let mut out = format!(
        "The libraries in {program}, and the licences they are used under. Made by `cargo xtask licenses`.\n\n"
    );
    let mut apache = None;
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for library in &libraries {
        let _ = writeln!(out, "{}: {}", library.title(), library.taken());
        let own = library.texts()?;
        if library.taken() == "Apache-2.0" {
            apache = apache.or_else(|| own.into_iter().find(|t| t.contains("Version 2.0, January 2004")));
            continue;
        }
        if own.is_empty() {
            return Err(format!("{} brings no text of its licence, {}", library.title(), library.taken()));
        }
        own.into_iter().for_each(|t| texts.entry(t.trim().to_owned()).or_default().push(library.title()));
    }
    let _ = writeln!(out, "{BESIDE}");
    let rule = "-".repeat(80);
    let _ = write!(
        out,
        "\n{rule}\nApache-2.0\n\n{}\n",
        apache.ok_or("no library brings the Apache License's text")?.trim()
    );
    let mut texts: Vec<(Vec<String>, String)> = texts.into_iter().map(|(text, titles)| (titles, text)).collect();
    texts.sort();
    for (titles, text) in texts {
        let _ = write!(out, "\n{rule}\n{}\n\n{text}\n", titles.join(", "));
    }
    Ok(out)
}

/// The libraries of others that a program's package is built with, by name and version. `cargo metadata` knows them with every feature that anybody in the workspace wants of them;
/// which of them this package has with its own, `cargo tree` says.
fn libraries(program: &str) -> Result<Vec<Library>, String> {
    let platform = "x86_64-unknown-linux-gnu";
    let metadata = cargo(&["metadata", "--format-version", "1", "--filter-platform", platform])?;
    let metadata: Value = serde_json::from_slice(&metadata).map_err(|e| e.to_string())?;
    // What only builds or tests a program is not in it.
    let tree = [
        "tree",
        "--package",
        program,
        "--edges",
        "normal",
        "--target",
        platform,
        "--prefix",
        "none",
        "--format",
        "{p}",
    ];
    let tree = String::from_utf8_lossy(&cargo(&tree)?).into_owned();
    // `serde v1.0.229 (*)`
    let pair =
        |line: &str| Some((line.split(' ').next()?.to_owned(), line.split(' ').nth(1)?.strip_prefix('v')?.to_owned()));
    let used: BTreeSet<(String, String)> = tree.lines().filter_map(pair).collect();
    let rows = |v: &Value| v.as_array().cloned().unwrap_or_default();
    let word = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let ours = |p: &Value| p["source"].is_null();
    let mut out: Vec<Library> = Vec::new();
    let is_used = |p: &Value| used.contains(&(word(&p["name"]), word(&p["version"])));
    for p in rows(&metadata["packages"]).iter().filter(|p| !ours(p) && is_used(p)) {
        let manifest = word(&p["manifest_path"]);
        out.push(Library {
            name: word(&p["name"]),
            version: word(&p["version"]),
            offered: word(&p["license"]),
            folder: manifest.trim_end_matches("/Cargo.toml").to_owned(),
        });
    }
    if WITH_PAGES.contains(&program) {
        out.extend(libraries_of_pages()?);
    }
    out.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(out)
}

/// What cargo prints, by the lock file alone.
fn cargo(arguments: &[&str]) -> Result<Vec<u8>, String> {
    output("cargo", &[arguments, &["--locked", "--offline"]].concat())
}

/// The libraries in the pages of `sconce view`, which programs carry as text.
fn libraries_of_pages() -> Result<Vec<Library>, String> {
    let folder = root().join(viewer::LIBRARY);
    let lock = folder.join("package-lock.json");
    let text = std::fs::read_to_string(&lock).map_err(|e| format!("{}: {e}", lock.display()))?;
    let lock: Value = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", lock.display()))?;
    let word = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let packages = lock["packages"].as_object().into_iter().flatten();
    let installed = packages.filter_map(|(path, p)| Some((path.strip_prefix("node_modules/")?, p)));
    let library = |(name, p): (&str, &Value)| Library {
        name: name.to_owned(),
        version: word(&p["version"]),
        offered: word(&p["license"]),
        folder: folder.display().to_string(),
    };
    Ok(installed.map(library).collect())
}
