//! The torch dialect's text: what torch-mlir prints parses, verifies and prints unchanged, and survives the generic form.

use super::{Tally, Verdict};
use crate::engine::Engine;
use crate::error::ErrorKind;
use sconce_request::{Question, Subject, Want};

/// Which files are samples of unchanged text. The others (linalg of other passes, broken text, verifier cases) are judged by lit tests.
fn is_sample(name: &str) -> bool {
    let folder = name.rsplit('/').nth(1).unwrap_or("");
    matches!(folder, "samples" | "fx") || name.ends_with(".torch.mlir") || name.ends_with(".backend.mlir")
}

pub fn check(engine: &Engine, name: &str, text: &str, tally: &mut Tally) {
    if is_sample(name) {
        let subject = Subject::Mlir { name: name.to_owned(), bytes: text.into() };
        let verdict = match engine.ask(&Question { subject, want: Want::RoundTrip }) {
            Ok(_) => Verdict::Passed,
            Err(e) if e.kind() == ErrorKind::NoCompiler => Verdict::Skipped("there is no compiler".into()),
            Err(why) => Verdict::Failed(why.to_string()),
        };
        tally.add("torch dialect texts", || name.to_string(), verdict);
    }
}
