//! `torch.nn` does what PyTorch's was recorded to do; alone in its process, because layers draw from the process's generator.

use sconce::Options;
use sconce::check::{Question, Tally, check};
use std::path::Path;

/// Kinds of `testdata/nn.tar.zst`, each with the least number of cases that pass.
const NN: &[(&str, usize)] = &[
    ("nn functional", 1952),
    ("nn functional errors", 947),
    ("nn calls", 3672),
    ("nn calls errors", 2367),
    ("nn classes", 160),
    ("nn modules", 776),
    ("nn modules errors", 170),
    ("nn init", 436),
    ("nn init errors", 23),
];

#[test]
fn torch_nn_is_as_recorded() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/nn.tar.zst");
    let mut tally = Tally::default();
    let options = Options::default();
    check(&path, &Question { options, ..Question::default() }, None, &mut tally).expect("the recordings are readable");
    for (case, why) in &tally.failed {
        println!("FAILED {case}: {why}");
    }
    for (kind, [passed, failed, skipped, _]) in &tally.kinds {
        println!("{kind}: {passed} passed, {failed} failed, {skipped} skipped");
    }
    for (kind, least) in NN {
        let passed = tally.kinds.get(kind).map_or(0, |[passed, ..]| *passed);
        assert!(passed >= *least, "{kind}: {passed} passed, {least} expected");
    }
}
