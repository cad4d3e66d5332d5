//! No text ends the process, and the text of what is read reads as the same graph; sizes likewise.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sconce_fx::SymExpr;
use sconce_fx::text::{read, unreadable};
use sconce_fx::verify::{Dialect, verify_graph};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(expr) = SymExpr::parse(text) {
        let (short, long) = (expr.to_string(), expr.srepr());
        let back = SymExpr::parse(&long).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(back.to_string(), short, "{long}");
        expr.to_dim(&|_| Some(0));
    }
    let graph = match read("fuzz", text) {
        Ok(graph) => graph,
        Err(error) => {
            assert!(error.line > 0 && error.column > 0);
            error.report(true);
            return;
        }
    };
    verify_graph(&graph, Dialect::Functional);
    sconce_fx::GraphModule::new(graph.clone()).readable();
    let printed = graph.to_string();
    let back = read("printed", &printed).unwrap_or_else(|e| panic!("{}\n{printed}", e.report(false)));
    assert_eq!(printed, back.to_string());
    // Broken graphs, as one with two default values, have no text of their own.
    assert!(graph == back || unreadable(&graph).is_some(), "{printed}");
});
