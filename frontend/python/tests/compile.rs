//! Sources compile to the graphs that PyTorch shows.

use sconce_corpus::testdata;
use sconce_graph::graph::Graph;
use sconce_graph::lint::lint;
use sconce_graph::listing::{from_listing, to_listing};
use sconce_python::{Options, Program};
use sconce_syntax::graph_text;
use std::collections::BTreeMap;

/// The text without names.
fn plain(graph: &Graph) -> String {
    let graph = graph.clone().without_names().without_places().without_warning_numbers();
    to_listing(&graph).to_string()
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
                    println!("== {name}: {}", e.report());
                }
                refused.push(name.to_owned());
                continue;
            }
        };
        compiled += 1;
        let recorded = corpus.text(&format!("{folder}/graph.txt")).unwrap_or_default().to_owned();
        // Functions of PyTorch's library have texts of our own.
        let own = recorded_graphs(&recorded).into_iter().filter(|(name, _)| !name.starts_with("__torch__.torch."));
        for (function, text) in own {
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
