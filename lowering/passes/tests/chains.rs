//! Passes one behind the other against recordings of PyTorch's: each is given what the recorded ones before it made.

use expect_test::expect;
use sconce_corpus::{records, testdata};
use sconce_graph::listing::{from_listing, to_listing};
use sconce_ir::prelude::*;
use sconce_syntax::graph_text::{self, Spelling};

/// The recorded steps that have a pass here. What `canonicalize` does is what reading and printing do.
const STEPS: &[(&str, &str)] = &[
    ("constant_loop_unrolling", "unroll"),
    ("constant_propagation", "constant-propagation"),
    ("peephole", "peephole"),
    ("cse", "torch-cse"),
    ("constant_pooling", "constant-pooling"),
    ("dce", "dce"),
    ("batch_mm", "batch-mm"),
    ("decompose_ops", "decompose-ops"),
    ("fuse_addmm", "fuse-addmm"),
];

/// A text without names.
fn plain(name: &str, text: &str) -> String {
    let listing = graph_text::read(name, text).unwrap_or_else(|e| panic!("{name}: {e}"));
    to_listing(&from_listing(&listing).unwrap_or_else(|e| panic!("{name}: {e}")).without_names()).to_string()
}

fn run(context: &Context, name: &str, text: &str, pipeline: &str) -> String {
    let imported = sconce_import::text::import_text(context, name, text, "forward");
    let module = imported.unwrap_or_else(|e| panic!("{name}: {e}")).module;
    let function = SymbolTable::of(module.as_operation()).get("forward").expect("the graph is a function");
    run_pipeline(function, pipeline).unwrap_or_else(|e| panic!("{pipeline} {name}: {e}"));
    sconce_import::text::export(&module, Spelling::default()).unwrap_or_else(|e| panic!("{pipeline} {name}: {e}"))
}

#[test]
fn recorded_chains() {
    let corpus = testdata("passes").unwrap_or_else(|e| panic!("testdata/passes: {e}"));
    let context = sconce_torch::context(false).expect("a context");
    sconce_pass::register(sconce_passes::PASSES).expect("the passes register");
    let (mut equal, mut total, mut differing) = (0, 0, Vec::new());
    for (name, chain) in records(corpus.text("chains.txt").unwrap_or_default(), "## ") {
        let steps = records(chain, "# after ");
        for (before, after) in steps.iter().zip(steps.iter().skip(1)) {
            let step = after.0.trim_start_matches("# after ");
            let Some((_, pipeline)) = STEPS.iter().find(|(recorded, _)| *recorded == step) else { continue };
            total += 1;
            let is = plain(name, &run(&context, name, before.1, pipeline));
            if is == plain(name, after.1) {
                equal += 1;
            } else {
                differing.push(format!("{} {step}", name.trim_start_matches("## ")));
            }
        }
    }
    expect![[r#"26 of 27 steps, not ["addmm_pattern addmm there and back decompose_ops"]"#]]
        .assert_eq(&format!("{equal} of {total} steps, not {differing:?}"));
}
