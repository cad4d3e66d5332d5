//! Reports are PyTorch's byte for byte, and every place that PyTorch underlines is a node's range here.

use sconce_source::{Loc, SourceText};
use sconce_syntax::Span;
use sconce_syntax::script::report::{CallStack, Frame, traceback};
use sconce_syntax::script::tree::*;
use sconce_syntax::script::{self, frontend};
use std::collections::HashSet;
use std::sync::Arc;

/// Every range of a tree, read from its debug text.
fn ranges(tree: &impl std::fmt::Debug) -> HashSet<(u32, u32)> {
    let text = format!("{tree:?}");
    let range = |part: &str| {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(part.len());
        let (start, end) = part[..end].split_once("..")?;
        Some((start.parse().ok()?, end.parse().ok()?))
    };
    text.split("span: ").skip(1).filter_map(range).collect()
}

/// All functions, methods too, outer ones first.
fn functions<'a>(body: &'a [Stmt], out: &mut Vec<&'a Def>) {
    for statement in body {
        match &statement.kind {
            StmtKind::Def(def) => {
                out.push(def);
                functions(&def.body, out);
            }
            StmtKind::Class(class) => functions(&class.body, out),
            StmtKind::If { then, otherwise, .. } => {
                functions(then, out);
                functions(otherwise, out);
            }
            _ => {}
        }
    }
}

/// A frame of a recorded report: where its lines begin, its function, and the place that its underline shows.
struct Shown<'a> {
    text: &'a str,
    function: &'a str,
    place: Span,
}

/// The frames of `report` that show places in `file`, whose text is `source`.
fn shown<'a>(report: &'a str, file: &str, source: &str) -> Vec<Shown<'a>> {
    let starts: Vec<usize> = std::iter::once(0).chain(source.match_indices('\n').map(|(i, _)| i + 1)).collect();
    let header = format!("  File \"{file}\", line ");
    let mut out = Vec::new();
    for (at, _) in report.match_indices(&header) {
        let text = &report[at..];
        let first = text[header.len()..].lines().next().unwrap_or_default();
        let (number, function) = first.split_once(", in ").unwrap_or((first, ""));
        let mut line: usize = number.parse().expect("a line's number");
        let (mut start, mut end) = (None, 0);
        for row in text.lines().skip(1).take_while(|row| !row.starts_with("  File ")) {
            let marks = row.trim_start().trim_end_matches(" <--- HERE");
            if marks.is_empty() || !marks.bytes().all(|b| b == b'~') {
                continue;
            }
            line += usize::from(start.is_some());
            let column = row.len() - row.trim_start().len();
            let from = starts[line - 1] + column;
            start.get_or_insert(from);
            end = from + marks.len();
            if row.ends_with("HERE") {
                break;
            }
        }
        out.extend(start.map(|start| Shown { text, function, place: Span::new(start, end) }));
    }
    out
}

#[test]
fn refused_programs_are_reported_as_pytorch_reports_them() {
    let rejects = sconce_corpus::testdata("rejects").expect("packed");
    let text = String::from_utf8(rejects.get("rejects.jsonl").expect("the set's file").to_vec()).expect("UTF-8");
    let (mut frames, mut by_frontend, mut parser) = (0, 0, 0);
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let get = |key: &str| case[key].as_str().expect("a string");
        let (name, source, expected) = (get("name"), get("source"), get("expected"));
        let module = match script::parse("source.py", source) {
            Ok(module) => module,
            Err(error) => {
                assert_eq!(get("by"), "python parser", "{name}: {error}");
                parser += 1;
                continue;
            }
        };
        let text = SourceText::file("source.py", source);
        let mut defs = Vec::new();
        functions(&module.body, &mut defs);
        // A module's constructor is run, not compiled.
        let compiled = defs.iter().filter(|def| def.name.name != "__init__");
        let refused: Vec<_> = compiled.filter_map(|def| Some((def, frontend::check(def, source).err()?))).collect();
        if !refused.is_empty() {
            by_frontend += 1;
            let reports = refused
                .iter()
                .map(|(def, refusal)| refusal.report(&text, def.source, &CallStack::default()).to_string());
            let reports: Vec<_> = reports.collect();
            assert!(get("by") == "accident" || reports.iter().any(|r| r == expected), "{name}: {reports:#?}{expected}");
        }
        let ranges = ranges(&module);
        for frame in shown(expected, "source.py", source) {
            // A function is compiled as it stands, an inner one where the outer one is not.
            let owners =
                defs.iter().filter(|d| d.source.start <= frame.place.start && frame.place.start < d.source.end);
            let mut highlights = owners.map(|d| Loc::new(&text, frame.place).within(d.source).highlight());
            assert!(highlights.any(|h| frame.text.starts_with(&h)), "{name}: {}", frame.text);
            let place = (frame.place.start, frame.place.end);
            assert!(!refused.is_empty() || ranges.contains(&place), "{name}: {}", frame.text);
            frames += 1;
        }
    }
    println!("{frames} frames, {by_frontend} refused by the frontend, {parser} by the parser");
    assert!(frames > 150 && by_frontend > 20 && parser > 1);
}

#[test]
fn tracebacks_are_pytorchs() {
    let programs = sconce_corpus::testdata("programs").expect("packed");
    let (mut source_frames, mut code_frames) = (0, 0);
    for (path, bytes) in programs.below("") {
        let Some(folder) = path.strip_suffix("/calls.json") else { continue };
        let file = |name: &str| Some(String::from_utf8_lossy(programs.get(&format!("{folder}/{name}"))?).into_owned());
        let (Some(source), Some(code)) = (file("source.py"), file("code.txt")) else { continue };
        let module = script::parse("source.py", &source).expect("a recorded program");
        let mut defs = Vec::new();
        functions(&module.body, &mut defs);
        let source_ranges = ranges(&module);
        let text = SourceText::file("source.py", source.as_str());
        let calls: serde_json::Value = serde_json::from_slice(bytes).expect("JSON");
        for error in calls.as_array().into_iter().flatten().flat_map(|c| [&c["error"][1], &c["archive_error"][1]]) {
            let Some(error) = error.as_str() else { continue };
            for frame in shown(error, "source.py", &source) {
                let owner =
                    defs.iter().find(|d| d.source.start <= frame.place.start && frame.place.start < d.source.end);
                let place = Loc::new(&text, frame.place).within(owner.expect("a function").source);
                check_frame(&frame, place, path);
                assert!(source_ranges.contains(&(frame.place.start, frame.place.end)), "{path}: {}", frame.text);
                source_frames += 1;
            }
            for part in ["\n", &code].concat().split("\n== ").skip(1) {
                let (name, part) = part.split_once('\n').expect("a name and its text");
                let part = part.to_owned() + "\n";
                let ranges = ranges(&script::parse_archive(name, &part).expect("recorded code"));
                for frame in shown(error, name, &part) {
                    check_frame(&frame, Loc::new(&SourceText::file(name, part.as_str()), frame.place), path);
                    assert!(ranges.contains(&(frame.place.start, frame.place.end)), "{path}: {}", frame.text);
                    code_frames += 1;
                }
            }
        }
    }
    println!("{source_frames} frames in source, {code_frames} in code");
    assert!(source_frames > 100 && code_frames > 60);
}

/// The frame as a traceback of its own.
fn check_frame(frame: &Shown<'_>, place: Loc, path: &str) {
    let place = Some(place);
    let printed = traceback(&[Frame { function: frame.function.to_owned(), place }], "error");
    let header = printed.match_indices("  File ").next().expect("a frame").0;
    let printed = printed[header..].strip_suffix("error\n").expect("the error's line");
    assert!(frame.text.starts_with(printed), "{path}: {printed}{}", frame.text);
}

#[test]
fn serialized_code_shows_both_places() {
    let original = SourceText::file("m.py", "x = 1\ndef f(a):\n    return a / 0\n");
    let origin = Loc::new(&original, Span::new(27, 32)).within(Span::new(6, 33));
    assert_eq!(origin.to_string(), "m.py:3:11");
    let code = SourceText::numbered("code/__torch__.py", "def f(a):\n  return torch.div(a, 0)\n", 1);
    let place = Loc::new(&Arc::new(code.with_origins(vec![(19, origin)])), Span::new(19, 28));
    let frame = Frame { function: "f".to_owned(), place: Some(place) };
    let expected = "The following operation failed in the TorchScript interpreter.
Traceback of TorchScript, serialized code (most recent call last):
  File \"code/__torch__.py\", line 2, in f
def f(a):
  return torch.div(a, 0)
         ~~~~~~~~~ <--- HERE

Traceback of TorchScript, original code (most recent call last):
  File \"m.py\", line 3, in f
def f(a):
    return a / 0
           ~~~~~ <--- HERE
RuntimeError: division by 0
";
    assert_eq!(traceback(&[frame], "RuntimeError: division by 0"), expected);
}
