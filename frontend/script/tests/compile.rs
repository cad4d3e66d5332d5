//! Sources compile to the graphs that PyTorch shows, and are refused where and as PyTorch refuses them.

use sconce_corpus::testdata;
use sconce_script::graph::{Graph, NodeId, ValueId};
use sconce_script::lint::lint;
use sconce_script::listing::{from_listing, to_listing};
use sconce_script::python::{Error, Options, Program};
use sconce_syntax::graph_text;
use std::collections::BTreeMap;

/// The text without names.
fn plain(graph: &Graph) -> String {
    fn clear(graph: &mut Graph) {
        let nodes: Vec<NodeId> = graph.walk(graph.root());
        let mut values: Vec<ValueId> = graph.block_inputs(graph.root()).to_vec();
        for node in &nodes {
            values.extend(graph.outputs(*node));
            values.extend(graph.blocks(*node).iter().flat_map(|b| graph.block_inputs(*b)));
        }
        values.into_iter().for_each(|v| graph.set_name(v, None));
        for node in nodes {
            graph.set_loc(node, None);
            graph.with_subgraph(node, clear);
        }
    }
    let mut graph = graph.clone();
    clear(&mut graph);
    unwarned(&to_listing(&graph).to_string())
}

/// The text without the numbers of warnings, which PyTorch counts over the whole process.
fn unwarned(text: &str) -> String {
    let mut parts = text.split("warn_id=");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("warn_id=0");
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    out
}

/// `== name` and a listing, each.
fn recorded_graphs(text: &str) -> BTreeMap<&str, &str> {
    let sections = text.split("\n== ").map(|s| s.trim_start_matches("== "));
    sections.filter_map(|s| s.split_once('\n')).collect()
}

/// What recorded programs' entries call beside their own functions.
const GENERATOR: &str = "
def fill(m, seed=0, scale=0.5):
    return m
";

#[test]
fn programs_compile_to_the_recorded_graphs() {
    let corpus = testdata("programs").expect("testdata/programs");
    let (mut compiled, mut refused, mut equal, mut total, mut partial) = (0, Vec::new(), 0, 0, 0);
    let mut differing = Vec::new();
    for (path, source) in corpus.iter() {
        let Some(folder) = path.strip_suffix("/source.py") else { continue };
        let name = folder.rsplit('/').next().unwrap_or(folder);
        let mut source = String::from_utf8(source.to_vec()).expect("sources are UTF-8");
        source.push_str(GENERATOR);
        let entry = source.lines().find_map(|l| l.strip_prefix("#@ entry ")).unwrap_or("f").trim().to_owned();
        if entry.contains("traced(") || entry.contains("frozen(") {
            continue;
        }
        let program = Program::new(&format!("{name}.py"), &source, Options::default());
        let program = match program.and_then(|mut p| p.compile(&entry).map(|_| p)) {
            Ok(program) => program,
            Err(e) => {
                if std::env::var_os("SHOW").is_some() {
                    println!("== {name}: {}", report(&e));
                }
                refused.push(name.to_owned());
                continue;
            }
        };
        compiled += 1;
        let recorded = corpus.text(&format!("{folder}/graph.txt")).unwrap_or_default().to_owned();
        for (function, text) in recorded_graphs(&recorded) {
            let Some(function) = program.compiler.unit.functions.get(function) else { continue };
            lint(&function.graph).unwrap_or_else(|e| panic!("{name} {}: {e}", function.name));
            let expected = graph_text::read(name, text).ok().and_then(|l| from_listing(&l).ok());
            let Some(expected) = expected else {
                partial += 1;
                continue;
            };
            total += 1;
            let (is, should) = (plain(&function.graph), plain(&expected));
            if is == should {
                equal += 1;
            } else {
                differing.push(function.name.trim_start_matches("__torch__.").to_owned());
                if std::env::var_os("SHOW").is_some() {
                    println!("== {name} {}\n-- is\n{is}-- should\n{should}", function.name);
                }
            }
        }
    }
    assert!(compiled >= 426, "{compiled} compile, refused: {refused:?}");
    assert!(partial == 0, "{partial} recorded graphs cannot be read");
    assert!(equal * 100 >= total * 98, "{equal} of {total} graphs are equal, not {differing:?}");
}

fn report(e: &Error) -> String {
    match e {
        Error::Compile(e) => e.report(),
        other => other.to_string(),
    }
}

/// The string value of a JSON object's key, `key` being one that no string before it holds.
fn json_string(line: &str, key: &str) -> Option<String> {
    let start = format!("\"{key}\":\"");
    let rest = &line[line.find(&start)? + start.len()..];
    let mut out = String::new();
    let mut chars = rest.chars();
    loop {
        match chars.next()? {
            '"' => return Some(out),
            '\\' => match chars.next()? {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                'u' => {
                    let code: String = chars.by_ref().take(4).collect();
                    out.push(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32)?);
                }
                c => out.push(c),
            },
            c => out.push(c),
        }
    }
}

/// The underlined line and its underline.
fn underlined(report: &str) -> Option<(&str, &str)> {
    let lines: Vec<&str> = report.lines().collect();
    let at = lines.iter().rposition(|l| l.ends_with("<--- HERE"))?;
    Some((lines.get(at.checked_sub(1)?)?, lines[at]))
}

#[test]
fn refusals_are_pytorchs() {
    let corpus = testdata("rejects").expect("testdata/rejects");
    let text = corpus.text("rejects.jsonl").expect("the recorded refusals");
    let (mut total, mut refused, mut placed, mut equal) = (0, 0, 0, 0);
    let (mut accepted, mut elsewhere) = (Vec::new(), Vec::new());
    for line in text.lines().filter(|l| json_string(l, "by").as_deref() == Some("torchscript")) {
        let field = |key: &str| json_string(line, key).unwrap_or_default();
        let (name, expected) = (field("name"), field("expected"));
        total += 1;
        // PyTorch's texts name the file `source.py`, its classes the module that was made of it.
        let program = Program::new(&format!("{name}.py"), &field("source"), Options::default());
        let Err(e) = program.and_then(|mut p| p.compile(&field("entry")).map(drop)) else {
            accepted.push(name);
            continue;
        };
        refused += 1;
        let got = report(&e)
            .replace(&format!("\"{name}.py\""), "\"source.py\"")
            .replace(&format!("{name}.py:"), "source.py:");
        let same_place = match underlined(&expected) {
            Some(place) => underlined(&got) == Some(place),
            None => got.trim() == expected.trim(),
        };
        if same_place {
            placed += 1;
            equal += usize::from(got.trim() == expected.trim());
        } else {
            elsewhere.push(name);
        }
    }
    assert!(refused * 100 >= total * 98, "{refused} of {total} are refused, not {accepted:?}");
    assert!(placed * 100 >= total * 91, "{placed} of {total} are refused at PyTorch's place, not {elsewhere:?}");
    assert!(equal * 100 >= total * 74, "{equal} of {total} have PyTorch's text");
}
