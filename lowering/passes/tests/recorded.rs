//! Passes one by one against recordings of PyTorch's: graph text to the dialect, the pass, and back to graph text; values are compared after renumbering.

use expect_test::{expect, expect_file};
use sconce_corpus::{Corpus, records, testdata};
use sconce_graph::graph::Graph;
use sconce_graph::lint::lint;
use sconce_graph::listing::{from_listing, to_listing};
use sconce_ir::prelude::*;
use sconce_syntax::graph_text::{self, Spelling};
use std::collections::BTreeMap;

/// `## name` and a listing, each.
fn recorded<'c>(corpus: &'c Corpus, file: &str) -> BTreeMap<&'c str, &'c str> {
    let parts = records(corpus.text(file).unwrap_or_default(), "## ");
    parts.into_iter().map(|(line, text)| (line.trim_start_matches("## "), text)).collect()
}

fn read(name: &str, text: &str) -> Option<Graph> {
    let listing = graph_text::read(name, text).expect("recorded text is graph text");
    from_listing(&listing).ok()
}

/// Recordings whose names and numbers are compared as well.
const NAMED: &[&str] = &["canonicalize", "canonicalize_names"];

/// The text without names.
fn plain(graph: &Graph) -> String {
    to_listing(&graph.clone().without_names()).to_string()
}

/// The functions and methods that the recorded programs call, each under `== name` (`record_callees.py`).
const CALLEES: &str = include_str!("callees.txt");

/// The graph text that a pipeline makes of one.
fn run(context: &Context, name: &str, text: &str, pipeline: &str) -> String {
    let text =
        if pipeline == "torch-inline{callers=0}" { format!("== forward\n{text}{CALLEES}") } else { text.to_owned() };
    let module = sconce_import::text::import_text(context, name, &text, "forward")
        .unwrap_or_else(|e| panic!("{name}: {e}"))
        .module;
    // PyTorch's passes leave the graphs that nodes hold alone.
    let function = SymbolTable::of(module.as_operation()).get("forward").expect("the graph is a function");
    // Those that need the functions it names see the module.
    let names = |wanted: &str| pipeline.split(['{', ',']).any(|word| word == wanted);
    let on_module = sconce_passes::PASSES.iter().any(|row| row.anchor.is_some() && names(row.name));
    let ran = if on_module { run_on_module(&module, pipeline) } else { run_pipeline(function, pipeline) };
    ran.unwrap_or_else(|e| panic!("{pipeline} {name}: {e}"));
    let made = sconce_import::text::export_function(function).unwrap_or_else(|e| panic!("{pipeline} {name}: {e}"));
    made.print(Spelling::default())
}

/// Shows what is not as recorded, where that is asked for.
fn show(pipeline: &str, name: &str, before: &str, is: &str, should: &str) {
    if std::env::var_os("SHOW").is_some() {
        println!("== {pipeline} {name}\n-- before\n{before}-- is\n{is}-- should\n{should}");
    }
}

/// How the graphs of one variant came out.
#[derive(Default)]
struct Tally {
    total: usize,
    equal: usize,
    /// Those that PyTorch's pass changes, and how many of them come out equal.
    changed: usize,
    changed_equal: usize,
    /// The same graphs with types that say more.
    more: usize,
    /// Those whose text does not say them wholly.
    partial: usize,
    differing: Vec<String>,
}

impl Tally {
    fn row(&self, recording: &str, variant: &str, pipeline: &str) -> String {
        let differing: Vec<String> = self.differing.iter().map(|name| format!("`{name}`")).collect();
        format!(
            "| `{recording}` | {variant} | `{pipeline}` | {} of {} | {} of {} | {} | {} | {} |\n",
            self.equal,
            self.total,
            self.changed_equal,
            self.changed,
            self.more,
            self.partial,
            differing.join(" ")
        )
    }

    /// Judges by the text itself, with all names and numbers.
    fn judge_text(&mut self, context: &Context, (name, text): (&str, &str), recorded: Option<&str>, pipeline: &str) {
        let made = run(context, name, text, pipeline);
        self.total += 1;
        self.changed += usize::from(recorded.is_some());
        if made == recorded.unwrap_or(text) {
            self.equal += 1;
            self.changed_equal += usize::from(recorded.is_some());
        } else {
            self.differing.push(name.to_owned());
            show(pipeline, name, text, &made, recorded.unwrap_or(text));
        }
    }

    fn judge(&mut self, context: &Context, (name, text): (&str, &str), recorded: Option<&str>, pipeline: &str) {
        let (Some(_), Some(expected)) = (read(name, text), read(name, recorded.unwrap_or(text))) else {
            self.partial += 1;
            return;
        };
        let made =
            read(name, &run(context, name, text, pipeline)).unwrap_or_else(|| panic!("{pipeline} {name}: not whole"));
        lint(&made).unwrap_or_else(|e| panic!("{pipeline} {name}: {e}"));
        self.total += 1;
        self.changed += usize::from(recorded.is_some());
        let (is, should) = (plain(&made), plain(&expected));
        if is == should {
            self.equal += 1;
            self.changed_equal += usize::from(recorded.is_some());
        } else if plain(&less_typed(&made, &expected)) == should {
            self.more += 1;
        } else {
            self.differing.push(name.to_owned());
            show(pipeline, name, text, &is, &should);
        }
    }
}

/// A graph with another's types, where its own say more.
fn less_typed(made: &Graph, other: &Graph) -> Graph {
    let mut graph = made.clone();
    for (node, like) in made.walk(made.root()).into_iter().zip(other.walk(other.root())) {
        for (value, like) in made.outputs(node).iter().zip(other.outputs(like)) {
            if made.ty(*value).is_subtype_of(other.ty(*like)) {
                graph.set_type(*value, other.ty(*like).clone());
            }
        }
    }
    graph
}

/// The programs on which PyTorch's own pass fails.
fn failures(corpus: &Corpus, key: &str) -> Vec<String> {
    let index = corpus.text("index.json").expect("the recordings have an index");
    let index: serde_json::Value = serde_json::from_str(index).expect("the index is JSON");
    let failed = index.get(key).and_then(|recording| recording.get("failed")).and_then(serde_json::Value::as_object);
    failed.map(|failed| failed.keys().cloned().collect()).unwrap_or_default()
}

/// The table's row of a recording.
fn judge(corpus: &Corpus, context: &Context, recording: &str, variant: &str, pipeline: &str) -> String {
    let before = recorded(corpus, &format!("before.{variant}.txt"));
    let after = recorded(corpus, &format!("{recording}.{variant}.txt"));
    let failed = failures(corpus, &format!("{recording}.{variant}"));
    let mut tally = Tally::default();
    for (name, text) in before.into_iter().filter(|(name, _)| !failed.iter().any(|f| f == name)) {
        let recorded = after.get(name).copied();
        match NAMED.contains(&recording) {
            true => tally.judge_text(context, (name, text), recorded, pipeline),
            false => tally.judge(context, (name, text), recorded, pipeline),
        }
    }
    tally.row(recording, variant, pipeline)
}

/// The table's row of a pass on modules: records "NAME before" and "NAME after PASS" of the graphs of their methods.
fn judge_modules(corpus: &Corpus, context: &Context, pass: &str, pipeline: &str) -> String {
    let mut tally = Tally::default();
    let records = records(corpus.text("module_passes.txt").unwrap_or_default(), "## ");
    for ((name, before), (after, text)) in records.iter().zip(records.iter().skip(1)) {
        let name = name.trim_start_matches("## ").trim_end_matches(" before");
        if after.trim_start_matches("## ") == format!("{name} after {pass}") {
            tally.judge(context, (name, before), (before != text).then_some(text), pipeline);
        }
    }
    tally.row(pass, "module", pipeline)
}

const HEAD: &str = "| recording | variant | here | equal | of those that change | equal but for types that say more | not wholly in text | different |
|---|---|---|---|---|---|---|---|
";

#[test]
fn recorded_passes() {
    let corpus = testdata("passes").unwrap_or_else(|e| panic!("testdata/passes: {e}"));
    let context = sconce_torch::context(false).expect("a context");
    sconce_pass::register(sconce_passes::PASSES).expect("the passes register");
    let rows: [(&str, &[&str], &str); 34] = [
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
        ("fuse_addmm", &["traced", "plain"], "fuse-addmm"),
        ("decompose_ops", &["plain", "shaped"], "decompose-ops"),
        ("canonicalize_graph_fuser_ops", &["plain"], "canonicalize-ops"),
        ("remove_expands", &["plain", "shaped"], "remove-expands"),
        ("fuse", &["shaped"], "fuse-graph"),
        ("propagate_shapes_on_graph", &["plain", "shaped"], "propagate-shapes-on-graph"),
        ("propagate_device", &["plain", "shaped"], "propagate-device"),
        ("propagate_dtype", &["shaped"], "propagate-dtype"),
        ("fold_frozen_conv_bn", &["frozen"], "fold-conv-bn,constant-propagation,dce"),
        ("fold_frozen_linear_bn", &["frozen"], "fold-conv-bn,constant-propagation,dce"),
        ("batch_mm", &["plain", "shaped"], "batch-mm"),
        ("inline", &["call"], "torch-inline{callers=0}"),
        ("inline_fork_wait", &["call", "plain"], "inline-fork-wait"),
        ("optimize_frozen_graph", &["frozen"], "remove-dropout,fold-conv-bn,constant-propagation,dce"),
        ("fold_frozen_conv_add_or_sub", &["frozen"], "dce"),
        ("fold_frozen_conv_mul_or_div", &["frozen"], "dce"),
        ("refine_integer_values", &["plain"], "refine-integer-values"),
        ("integer_value_refinement", &["plain"], "refine-integer-values"),
        ("erase_shape_information", &["shaped", "traced"], "erase-shape-information"),
        ("canonicalize", &["fresh"], "renumber"),
        ("canonicalize_names", &["fresh"], "renumber{names=0}"),
        ("create_autodiff_subgraphs", &["grad"], "create-autodiff-subgraphs"),
        ("create_autodiff_subgraphs_1", &["grad"], "create-autodiff-subgraphs{threshold=1}"),
    ];
    let mut table = String::from(HEAD);
    for (recording, variants, pipeline) in rows {
        for variant in variants {
            table.push_str(&judge(&corpus, &context, recording, variant, pipeline));
        }
    }
    table.push_str(&judge_modules(&corpus, &context, "remove_dropout", "remove-dropout"));
    expect_file!["recorded.md"].assert_eq(&table);
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
