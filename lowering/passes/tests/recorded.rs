//! Passes one by one against recordings of PyTorch's: graph text to the dialect, the pass, and back to graph text; values are compared after renumbering.

use expect_test::expect;
use sconce_corpus::{Corpus, records, testdata};
use sconce_graph::graph::Graph;
use sconce_graph::lint::lint;
use sconce_graph::listing::{from_listing, to_listing};
use sconce_ir::prelude::*;
use sconce_syntax::graph_text::{self, Spelling};
use std::collections::BTreeMap;
use std::fmt::Write;

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

/// The graph text that a pipeline makes of one.
fn run(context: &Context, name: &str, text: &str, pipeline: &str) -> String {
    let module = sconce_import::text::import_text(context, name, text, "forward")
        .unwrap_or_else(|e| panic!("{name}: {e}"))
        .module;
    // PyTorch's passes leave the graphs that nodes hold alone.
    let function = SymbolTable::of(module.as_operation()).get("forward").expect("the graph is a function");
    // Those that need the functions it names see the module.
    let on_module = sconce_passes::PASSES.iter().any(|row| row.name == pipeline && row.anchor.is_some());
    let ran = if on_module { run_on_module(&module, pipeline) } else { run_pipeline(function, pipeline) };
    ran.unwrap_or_else(|e| panic!("{pipeline} {name}: {e}"));
    sconce_import::text::export(&module, Spelling::default()).unwrap_or_else(|e| panic!("{pipeline} {name}: {e}"))
}

/// How many graphs of a variant come out as recorded, how many there are, and how many the text does not say wholly.
fn judge(corpus: &Corpus, context: &Context, recording: &str, variant: &str, pipeline: &str, out: &mut String) {
    let before = recorded(corpus, &format!("before.{variant}.txt"));
    let after = recorded(corpus, &format!("{recording}.{variant}.txt"));
    let (mut equal, mut total, mut changed, mut partial) = (0, 0, 0, 0);
    let mut differing = Vec::new();
    for (name, text) in &before {
        let recorded = after.get(name).unwrap_or(text);
        let (Some(_), Some(expected)) = (read(name, text), read(name, recorded)) else {
            partial += 1;
            continue;
        };
        let made =
            read(name, &run(context, name, text, pipeline)).unwrap_or_else(|| panic!("{pipeline} {name}: not whole"));
        lint(&made).unwrap_or_else(|e| panic!("{recording}.{variant} {name}: {e}"));
        total += 1;
        changed += usize::from(after.contains_key(name));
        let (is, should) = (plain(&made), plain(&expected));
        if is == should {
            equal += 1;
        } else {
            differing.push(*name);
            if std::env::var_os("SHOW").is_some() {
                println!("== {recording}.{variant} {name}\n-- before\n{text}-- is\n{is}-- should\n{should}");
            }
        }
    }
    let _ =
        writeln!(out, "{recording}.{variant}: {equal} of {total} ({changed} change), {partial} partial {differing:?}");
}

#[test]
fn recorded_passes() {
    let corpus = testdata("passes").unwrap_or_else(|e| panic!("testdata/passes: {e}"));
    let context = sconce_torch::context(false).expect("a context");
    sconce_pass::register(sconce_passes::PASSES).expect("the passes register");
    let rows: [(&str, &[&str], &str); 15] = [
        ("dce", &["plain", "traced", "frozen"], "dce"),
        ("constant_pooling", &["plain", "traced"], "constant-pooling"),
        ("constant_propagation_immutable_types", &["plain"], "constant-propagation{immutable-only=1}"),
        ("constant_propagation", &["plain", "shaped", "traced", "frozen"], "constant-propagation"),
        ("cse", &["plain", "shaped", "traced", "frozen"], "torch-cse"),
        ("peephole", &["plain", "traced", "shaped"], "peephole"),
        ("constant_loop_unrolling", &["plain"], "unroll"),
        ("loop_unrolling", &["plain"], "unroll{factor=8}"),
        ("lower_all_tuples", &["plain", "traced"], "lower-tuples"),
        ("remove_mutation", &["plain", "traced", "shaped"], "remove-list-mutation,functionalize{containers=0}"),
        ("fuse_linear", &["plain"], "fuse-linear"),
        ("decompose_ops", &["plain", "shaped"], "decompose-ops"),
        ("canonicalize_graph_fuser_ops", &["plain"], "canonicalize-ops"),
        ("remove_expands", &["plain", "shaped"], "remove-expands"),
        ("inline_fork_wait", &["call", "plain"], "inline-fork-wait"),
    ];
    let mut out = String::new();
    for (recording, variants, pipeline) in rows {
        for variant in variants {
            judge(&corpus, &context, recording, variant, pipeline, &mut out);
        }
    }
    expect![[r#"
        dce.plain: 67 of 67 (6 change), 0 partial []
        dce.traced: 10 of 10 (0 change), 0 partial []
        dce.frozen: 5 of 5 (2 change), 9 partial []
        constant_pooling.plain: 67 of 67 (50 change), 0 partial []
        constant_pooling.traced: 10 of 10 (10 change), 0 partial []
        constant_propagation_immutable_types.plain: 67 of 67 (3 change), 0 partial []
        constant_propagation.plain: 67 of 67 (14 change), 0 partial []
        constant_propagation.shaped: 34 of 34 (10 change), 0 partial []
        constant_propagation.traced: 10 of 10 (3 change), 0 partial []
        constant_propagation.frozen: 5 of 5 (0 change), 9 partial []
        cse.plain: 67 of 67 (5 change), 0 partial []
        cse.shaped: 34 of 34 (4 change), 0 partial []
        cse.traced: 10 of 10 (8 change), 0 partial []
        cse.frozen: 5 of 5 (0 change), 9 partial []
        peephole.plain: 65 of 67 (7 change), 0 partial ["list_idioms", "losses"]
        peephole.traced: 10 of 10 (1 change), 0 partial []
        peephole.shaped: 32 of 34 (7 change), 0 partial ["integer_refine", "number_types"]
        constant_loop_unrolling.plain: 66 of 67 (2 change), 0 partial ["small_loop"]
        loop_unrolling.plain: 66 of 67 (9 change), 0 partial ["small_loop"]
        lower_all_tuples.plain: 65 of 67 (26 change), 0 partial ["loop_zip_dict", "tuple_noise"]
        lower_all_tuples.traced: 10 of 10 (2 change), 0 partial []
        remove_mutation.plain: 65 of 67 (4 change), 0 partial ["activations_inplace", "inplace"]
        remove_mutation.traced: 9 of 10 (1 change), 0 partial ["inplace"]
        remove_mutation.shaped: 33 of 34 (3 change), 0 partial ["inplace"]
        fuse_linear.plain: 67 of 67 (2 change), 0 partial []
        decompose_ops.plain: 67 of 67 (2 change), 0 partial []
        decompose_ops.shaped: 33 of 34 (1 change), 0 partial ["addmm_direct"]
        canonicalize_graph_fuser_ops.plain: 67 of 67 (8 change), 0 partial []
        remove_expands.plain: 67 of 67 (0 change), 0 partial []
        remove_expands.shaped: 34 of 34 (0 change), 0 partial []
        inline_fork_wait.call: 8 of 8 (1 change), 0 partial []
        inline_fork_wait.plain: 67 of 67 (1 change), 0 partial []
    "#]]
    .assert_eq(&out);
}

/// Passes in an order that a pipeline may have them in.
const ALL: &str = "torch-inline,lower-simple-tuples,dce,torch-cse,peephole,constant-propagation,unroll,torch-cse,constant-pooling,canonicalize-outputs,dce";

/// Every listing that PyTorch printed, of every version, stays a sound module that is graph text, also when the passes run twice.
#[test]
fn listings_stay_sound() {
    let corpus = testdata("listings").unwrap_or_else(|e| panic!("testdata/listings: {e}"));
    let context = sconce_torch::context(false).expect("a context");
    sconce_pass::register(sconce_passes::PASSES).expect("the passes register");
    let (mut read, mut sound) = (0, 0);
    for (name, bytes) in corpus.below("").filter(|(name, _)| name.ends_with(".txt")) {
        let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| sconce_import::text::is_graph_text(text)) else {
            continue;
        };
        let Ok(imported) = sconce_import::text::import_text(&context, name, text, "forward") else { continue };
        read += 1;
        for _ in 0..2 {
            run_on_module(&imported.module, ALL).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        let made = sconce_import::text::export(&imported.module, Spelling::default())
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        sound += usize::from(!made.is_empty());
    }
    expect!["269 of 269"].assert_eq(&format!("{sound} of {read}"));
}
