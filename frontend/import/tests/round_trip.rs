//! Recorded graphs as units, through the dialect and back, and through `.mlir` in between: the text stays.

use sconce_corpus::{Corpus, testdata};
use sconce_graph::lint::lint;
use sconce_graph::listing::{from_listing, to_listing};
use sconce_graph::unit::{Function, Param, Unit};
use sconce_import::{from_dialect, to_dialect};
use sconce_ir::prelude::*;
use sconce_syntax::graph_text;

fn corpus(name: &str) -> Corpus {
    testdata(name).unwrap_or_else(|e| panic!("testdata/{name}: {e}"))
}

/// The functions of a file of graphs; nothing where the text leaves values out.
fn unit_of(file: &str, text: &str) -> Option<Unit> {
    let listings = if text.starts_with("== ") {
        graph_text::read_methods(file, text).expect("recorded text is graph text")
    } else {
        vec![("forward".to_owned(), graph_text::read(file, text).expect("recorded text is graph text"))]
    };
    let mut unit = Unit::default();
    for (name, listing) in listings {
        let graph = from_listing(&listing).ok()?;
        lint(&graph).unwrap_or_else(|e| panic!("{file}: {e}"));
        let root = graph.root();
        let params = graph.block_inputs(root).iter().enumerate().map(|(i, v)| Param {
            name: graph.name(*v).cloned().unwrap_or_else(|| format!("a{i}").into()),
            ty: graph.ty(*v).clone(),
            default: None,
            keyword_only: false,
            list_size: None,
        });
        let [output] = graph.block_outputs(root) else { return None };
        let function = Function {
            name: name.as_str().into(),
            params: params.collect(),
            returns: graph.ty(*output).clone(),
            graph,
        };
        unit.functions.insert(function.name.clone(), function);
    }
    Some(unit)
}

fn text_of(unit: &Unit) -> String {
    unit.functions.values().map(|f| format!("== {}\n{}", f.name, to_listing(&f.graph))).collect()
}

/// How a unit comes back: `Err` says what went wrong.
fn round_trip(context: &Context, file: &str, unit: &Unit) -> Result<(), String> {
    let text = text_of(unit);
    let same = |stage: &str, module: &Module<'_>| {
        let back = from_dialect(module).map_err(|e| format!("{file}: {stage}: {e}"))?;
        let out = text_of(&back);
        match text.lines().zip(out.lines()).find(|(a, b)| a != b) {
            Some((a, b)) => Err(format!("{file}: {stage}:\n  {a}\n  {b}")),
            None if text != out => Err(format!("{file}: {stage}: {} bytes became {}", text.len(), out.len())),
            None => Ok(()),
        }
    };
    let module = to_dialect(context, unit).map_err(|e| format!("{file}: {e}"))?;
    same("from the dialect", &module)?;
    let back = through_text(context, &module).map_err(|e| format!("{file}: .mlir: {e}"))?;
    same("from .mlir", &back)
}

fn check(set: &str, is_text: impl Fn(&str) -> bool) -> (usize, usize) {
    let context = sconce_torch::context(false).expect("the op table is well-formed");
    let (mut failures, mut done, mut partial) = (Vec::new(), 0, 0);
    for (name, text) in corpus(set).below("").filter(|(name, _)| is_text(name)) {
        let text = std::str::from_utf8(text).expect("recorded texts are UTF-8");
        let Some(unit) = unit_of(name, text) else {
            partial += 1;
            continue;
        };
        done += 1;
        failures.extend(round_trip(&context, name, &unit).err());
    }
    assert!(
        failures.is_empty(),
        "{} of {done} fail:\n{}",
        failures.len(),
        failures[..failures.len().min(40)].join("\n")
    );
    (done, partial)
}

#[test]
fn recorded_programs_come_back() {
    // Those that are partial hold tensors of which the text prints no elements.
    assert_eq!(check("programs", |name| name.ends_with("/graph.txt")), (512, 1));
}

#[test]
fn recorded_listings_come_back() {
    // Those that are partial hold tensors of which the text prints no elements.
    assert_eq!(check("listings", |name| name.starts_with("graphs/") && name.ends_with(".txt")), (235, 18));
}
