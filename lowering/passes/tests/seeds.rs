//! The steps of the LSTM cell in PyTorch's overview of its JIT, each made of the one before.

use sconce_corpus::testdata;
use sconce_graph::listing::{from_listing, to_listing};
use sconce_ir::prelude::*;
use sconce_syntax::graph_text::{self, Spelling};

/// A text without names.
fn plain(name: &str, text: &str) -> String {
    let listing = graph_text::read(name, text).unwrap_or_else(|e| panic!("{name}: {e}"));
    to_listing(&from_listing(&listing).unwrap_or_else(|e| panic!("{name}: {e}")).without_names()).to_string()
}

/// From the graph for inputs of known types to the one with a fusion group.
const STEPS: &[(&str, &str, &str)] = &[
    (
        "s0_lstm_specialized",
        "canonicalize-ops,constant-propagation,propagate-shapes-on-graph,propagate-dtype,dce",
        "s0_lstm_propagated",
    ),
    ("s0_lstm_propagated", "dce,torch-cse,constant-pooling,peephole", "s0_lstm_optimized"),
    ("s0_lstm_optimized", "fuse-graph", "s0_lstm_fused"),
    ("s0_lstm_fused", "inline-groups,fuse-graph", "s0_lstm_fused"),
    ("s0_lstm_optimized", "create-autodiff-subgraphs", "s0_lstm_differentiable"),
    ("s0_lstm_differentiable", "inline-groups,constant-pooling", "s0_lstm_optimized"),
];

#[test]
fn overview_of_the_jit() {
    let corpus = testdata("listings").unwrap_or_else(|e| panic!("testdata/listings: {e}"));
    let context = sconce_torch::context(false).expect("a context");
    sconce_pass::register(sconce_passes::PASSES).expect("the passes register");
    for (from, pipeline, to) in STEPS {
        let text = |name: &str| corpus.text(&format!("seeds/{name}.txt")).expect("the overview's listing is here");
        let module = sconce_import::text::import_text(&context, from, text(from), "forward")
            .unwrap_or_else(|e| panic!("{from}: {e}"))
            .module;
        run_on_module(&module, pipeline).unwrap_or_else(|e| panic!("{pipeline} {from}: {e}"));
        let made = sconce_import::text::export(&module, Spelling::default()).unwrap_or_else(|e| panic!("{from}: {e}"));
        assert_eq!(plain(from, &made), plain(to, text(to)), "{from} after {pipeline}");
    }
}
