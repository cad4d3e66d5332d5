//! `tidy` keeps a crate's modules in an order: what a module uses does not use it, by any way round, neither module by module nor room by room.
//!
//! A module is a file of a room (`engine/cast.rs`) with the folder of its own name; a room whose `mod.rs` keeps code (`pointwise`) is one module. Tests are
//! not read.

use crate::{TaskResult, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The crates that are kept in order.
const CRATES: &[&str] = &["runtime/kernels"];

pub fn findings(findings: &mut Vec<String>) -> TaskResult {
    for name in CRATES {
        let files = files(&root().join(name).join("src"))?;
        findings.extend(circles(&files).into_iter().map(|c| format!("{name}: {c}")));
    }
    Ok(())
}

/// Texts by module path (`engine::cast`; the crate's root is empty).
type Files = BTreeMap<Vec<String>, String>;

fn files(folder: &Path) -> Result<Files, String> {
    let mut out = Files::new();
    let mut todo = vec![(folder.to_path_buf(), Vec::new())];
    while let Some((folder, at)) = todo.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let mut path: Vec<String> = at.clone();
            if entry.path().is_dir() {
                path.push(name);
                todo.push((entry.path(), path));
            } else if let Some(stem) = name.strip_suffix(".rs") {
                if !["mod", "lib"].contains(&stem) {
                    path.push(stem.to_owned());
                }
                let text =
                    std::fs::read_to_string(entry.path()).map_err(|e| format!("{}: {e}", entry.path().display()))?;
                out.insert(path, text);
            }
        }
    }
    Ok(out)
}

fn circles(files: &Files) -> Vec<String> {
    let mut found = Vec::new();
    let code: BTreeMap<&[String], String> = files.iter().map(|(m, t)| (&m[..], code_of(t))).collect();
    // What the crate's root gives other names.
    let mut named: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in code.get(&[][..]).map(|t| paths(t, "use ")).into_iter().flatten() {
        named.insert(path.last().cloned().unwrap_or_default(), path);
    }
    let mut modules: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut rooms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (&module, text) in code.iter().filter(|(m, _)| !m.is_empty()) {
        for path in paths(text, "crate::") {
            let path = match path.first() {
                Some(first) if !files.contains_key(&path[..1]) => match named.get(first) {
                    Some(meant) => meant,
                    None => {
                        let reason =
                            "which is in the crate's root; that only declares modules and names what others use";
                        found.push(format!("{} uses `{first}`, {reason}", module.join("::")));
                        continue;
                    }
                },
                _ => &path,
            };
            let used = (1..=path.len()).rev().map(|n| &path[..n]).find(|p| files.contains_key(*p)).unwrap_or(&[]);
            let edge = |graph: &mut BTreeMap<String, BTreeSet<String>>, from: String, to: String| {
                if from != to {
                    graph.entry(from).or_default().insert(to);
                }
            };
            edge(&mut modules, unit(module, &code), unit(used, &code));
            if let (Some(from), Some(to)) = (module.first(), used.first()) {
                edge(&mut rooms, from.clone(), to.clone());
            }
        }
    }
    for (kind, graph) in [("rooms", &rooms), ("modules", &modules)] {
        if let Some(circle) = circle(graph) {
            found.push(format!("{kind} use one another in a circle: {}", circle.join(" -> ")));
        }
    }
    found
}

/// The module that a file is part of.
fn unit(path: &[String], code: &BTreeMap<&[String], String>) -> String {
    let keeps_code = |room: &[String]| code.get(room).is_some_and(|t| t.contains("fn "));
    let n = if path.len() > 1 && keeps_code(&path[..1]) { 1 } else { path.len().min(2) };
    path[..n].join("::")
}

/// A text without its tests, which are its last module.
pub fn without_tests(text: &str) -> &str {
    &text[..text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len())]
}

/// A text without comments and tests.
fn code_of(text: &str) -> String {
    without_tests(text).lines().map(|l| l.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Every path that follows a word, groups written out: `crate::{a, b::{c, d}}` is three.
fn paths(text: &str, word: &str) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    for (at, _) in text.match_indices(word) {
        let before = text[..at].chars().next_back();
        if !before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            tree(&text[at + word.len()..], &mut Vec::new(), &mut out);
        }
    }
    out
}

/// Reads one path, or a group of them, and gives how many bytes it took.
fn tree(text: &str, before: &mut Vec<String>, out: &mut Vec<Vec<String>>) -> usize {
    if text.starts_with('{') {
        let mut at = 1;
        loop {
            at += text[at..].len() - text[at..].trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
            if !text[at..].starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '{') {
                return at + usize::from(text[at..].starts_with('}'));
            }
            at += tree(&text[at..], before, out);
            // ` as name`
            at += text[at..].find([',', '}', '{']).unwrap_or(text.len() - at);
        }
    }
    let length = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let depth = before.len();
    if &text[..length] != "self" && length > 0 {
        before.push(text[..length].to_owned());
    }
    let mut at = length;
    match text[at..].strip_prefix("::") {
        Some(rest) if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '{') => {
            at += 2;
            at += tree(&text[at..], before, out);
        }
        _ => out.push(before.clone()),
    }
    before.truncate(depth);
    at
}

/// A circle of a graph, its first node again at the end.
fn circle(graph: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    /// Nodes that lead to no circle are in `done`; those on the way are in `way`.
    fn follow<'a>(
        node: &'a str,
        graph: &'a BTreeMap<String, BTreeSet<String>>,
        way: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<Vec<String>> {
        if let Some(first) = way.iter().position(|n| *n == node) {
            return Some(way[first..].iter().chain([&node]).map(|n| n.to_string()).collect());
        }
        if done.contains(node) {
            return None;
        }
        way.push(node);
        let found = graph.get(node).into_iter().flatten().find_map(|next| follow(next, graph, way, done));
        way.pop();
        done.insert(node);
        found
    }
    let mut done = BTreeSet::new();
    graph.keys().find_map(|node| follow(node, graph, &mut Vec::new(), &mut done))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[(&str, &str)]) -> Vec<String> {
        let path = |p: &str| p.split("::").filter(|s| !s.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        circles(&texts.iter().map(|(p, t)| (path(p), (*t).to_owned())).collect())
    }

    #[test]
    fn what_is_used_one_way_is_no_circle() {
        let texts = [
            ("", "mod a; mod b;\npub use a::low::Error;"),
            ("a", "pub mod low; pub mod mid;"),
            ("a::low", "pub fn f() {}"),
            ("a::mid", "use crate::Error; // and not crate::b::high\n"),
            ("b", "pub mod high;"),
            ("b::high", "use crate::{Error, a::{low, mid as m}};\n#[cfg(test)]\nmod tests { use crate::c::d; }"),
        ];
        assert_eq!(of(&texts), [""; 0]);
    }

    #[test]
    fn circles_are_named_also_through_the_root() {
        let modules =
            [("", "pub use a::y::Y;"), ("a", ""), ("a::x", "use crate::Y;"), ("a::y", "fn f() { crate::a::x::g() }")];
        assert_eq!(of(&modules), ["modules use one another in a circle: a::x -> a::y -> a::x"]);
        let rooms = [
            ("", ""),
            ("a", ""),
            ("a::x", "use crate::b::{self, z};"),
            ("b", ""),
            ("b::y", "use crate::a::w;"),
            ("a::w", ""),
            ("b::z", ""),
        ];
        assert_eq!(of(&rooms), ["rooms use one another in a circle: a -> b -> a"]);
        let kept = [("", "fn g() {}"), ("a", ""), ("a::x", "crate::g()")];
        assert!(of(&kept)[0].contains("a::x uses `g`"), "{:?}", of(&kept));
    }
}
