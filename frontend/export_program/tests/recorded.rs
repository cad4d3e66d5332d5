//! What PyTorch recorded of the values of its programs is what the shape rules say of them.

mod common;

use common::{archives, open, recorded};
use expect_test::expect;
use sconce_export_program::values;

#[test]
fn recorded_values_are_what_the_rules_say() {
    let corpus = recorded();
    let (mut nodes, mut sizes) = (0, 0);
    for (name, bytes) in archives(&corpus) {
        let program = open(bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        let compared = values::compare(&program.graph_module);
        compared.disagreements.iter().for_each(|d| println!("{name}: {d}"));
        assert!(compared.disagreements.is_empty());
        (nodes, sizes) = (nodes + compared.nodes, sizes + compared.sizes);
    }
    expect!["209 nodes, 380 sizes"].assert_eq(&format!("{nodes} nodes, {sizes} sizes"));
}
