//! Passes one by one against recordings of PyTorch's, from and to text; values are compared after renumbering.

use expect_test::expect;
use sconce_corpus::{Corpus, records, testdata};
use sconce_graph::graph::Graph;
use sconce_graph::lint::lint;
use sconce_graph::listing::{from_listing, to_listing};
use sconce_script::passes;
use sconce_syntax::graph_text;
use std::collections::BTreeMap;
use std::fmt::Write;

fn corpus() -> Corpus {
    testdata("passes").unwrap_or_else(|e| panic!("testdata/passes: {e}"))
}

/// `## name` and a listing, each.
fn recorded<'c>(corpus: &'c Corpus, file: &str) -> BTreeMap<&'c str, &'c str> {
    let parts = records(corpus.text(file).unwrap_or_default(), "## ");
    parts.into_iter().map(|(line, text)| (line.trim_start_matches("## "), text)).collect()
}

fn read(name: &str, text: &str) -> Option<Graph> {
    let listing = graph_text::read(name, text).expect("recorded text is graph text");
    from_listing(&listing).ok()
}

/// The text without names.
fn plain(graph: &Graph) -> String {
    to_listing(&graph.clone().without_names()).to_string()
}

/// How many graphs of a variant come out as recorded, how many there are, and how many the text does not say wholly.
fn judge(corpus: &Corpus, pass: &str, variant: &str, run: &dyn Fn(&mut Graph), out: &mut String) {
    let before = recorded(corpus, &format!("before.{variant}.txt"));
    let after = recorded(corpus, &format!("{pass}.{variant}.txt"));
    let (mut equal, mut total, mut changed, mut partial) = (0, 0, 0, 0);
    let mut differing = Vec::new();
    for (name, text) in &before {
        let recorded = after.get(name).unwrap_or(text);
        let (Some(mut graph), Some(expected)) = (read(name, text), read(name, recorded)) else {
            partial += 1;
            continue;
        };
        run(&mut graph);
        lint(&graph).unwrap_or_else(|e| panic!("{pass}.{variant} {name}: {e}"));
        total += 1;
        changed += usize::from(after.contains_key(name));
        let (is, should) = (plain(&graph), plain(&expected));
        if is == should {
            equal += 1;
        } else {
            differing.push(*name);
            if std::env::var_os("SHOW").is_some() {
                println!("== {pass}.{variant} {name}\n-- before\n{}-- is\n{is}-- should\n{should}", text);
            }
        }
    }
    let _ = writeln!(out, "{pass}.{variant}: {equal} of {total} ({changed} change), {partial} partial {differing:?}");
}

#[test]
fn recorded_passes() {
    let corpus = corpus();
    type Run = fn(&mut Graph);
    let rows: [(&str, &[&str], Run); 3] = [
        ("dce", &["plain", "traced", "frozen"], passes::eliminate_dead_code),
        ("constant_pooling", &["plain", "traced"], passes::constant_pooling),
        ("constant_propagation_immutable_types", &["plain"], |g| {
            passes::constant_propagation(g);
        }),
    ];
    let mut out = String::new();
    for (pass, variants, run) in rows {
        for variant in variants {
            judge(&corpus, pass, variant, &run, &mut out);
        }
    }
    expect![[r#"
        dce.plain: 67 of 67 (6 change), 0 partial []
        dce.traced: 10 of 10 (0 change), 0 partial []
        dce.frozen: 5 of 5 (2 change), 9 partial []
        constant_pooling.plain: 67 of 67 (50 change), 0 partial []
        constant_pooling.traced: 10 of 10 (10 change), 0 partial []
        constant_propagation_immutable_types.plain: 67 of 67 (3 change), 0 partial []
    "#]]
    .assert_eq(&out);
}
