//! `lines` counts what people wrote and have to read: lines of code by crate, tests and generated files apart, and holds parts that once grew to their bounds.

use crate::circles::without_tests;
use crate::{TaskResult, root};
use std::collections::BTreeMap;

/// Folders that are to stay below a number of lines.
const BOUNDS: &[(&str, usize)] = &[("dialects/schema/src/shape", 7_300), ("runtime/kernels/src", 22_000)];

/// No file is longer, its tests and what is generated apart.
const FILE: usize = 800;

pub fn run(_arguments: &[String]) -> TaskResult {
    let listed = crate::output("git", &["ls-files", "*/src/*.rs"])?;
    let mut crates: BTreeMap<String, usize> = BTreeMap::new();
    let mut bounded = vec![0; BOUNDS.len()];
    let mut long = Vec::new();
    for path in String::from_utf8_lossy(&listed).lines() {
        // A file may be deleted and still be listed.
        let Ok(text) = std::fs::read_to_string(root().join(path)) else { continue };
        let Some((folder, _)) = path.split_once("/src/") else { continue };
        let lines = count(&text);
        *crates.entry(folder.to_owned()).or_default() += lines;
        for (sum, (bounded, _)) in bounded.iter_mut().zip(BOUNDS) {
            let inside = path.strip_prefix(bounded).is_some_and(|rest| rest.starts_with(['/', '.']));
            *sum += if inside { lines } else { 0 };
        }
        if lines > FILE {
            long.push(format!("  {lines:6}  {path}"));
        }
    }
    for (folder, lines) in &crates {
        println!("{lines:8}  {folder}");
    }
    println!("{:8}  all together", crates.values().sum::<usize>());
    println!("bounds:");
    for ((folder, bound), lines) in BOUNDS.iter().zip(bounded) {
        let over = if lines > *bound { format!(", {} over", lines - bound) } else { String::new() };
        println!("  {lines:6}  {folder} (bound {bound}{over})");
    }
    println!("files of more than {FILE} lines: {}", long.len());
    long.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// Lines of a file, without tests; none of one that is generated.
fn count(text: &str) -> usize {
    let heading = text.lines().take_while(|line| line.starts_with("//"));
    if heading.into_iter().any(|line| line.contains("do not edit")) { 0 } else { without_tests(text).lines().count() }
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn tests_and_generated_files_do_not_count() {
        assert_eq!(count("//! What it is.\n\nfn f() {}\n\n#[cfg(test)]\nmod tests {\n    use super::f;\n}\n"), 4);
        assert_eq!(count("//! Rows. Made by `cargo xtask codegen`; do not edit.\nstatic A: u8 = 1;\n"), 0);
    }
}
