//! Declared types are hints: recorded programs whose listings lie about every tensor still compute what PyTorch recorded, interpreted, by static plans and compiled.
//!
//! `SCONCE_LISTINGS` is how many are made (60; a long run makes 644), `SCONCE_SEED` the seed; what became of them is printed (`--nocapture`). `SCONCE_KEEP` names a file
//! that keeps them, packed, for `sconce check FILE --from inlined-graph`.

#[path = "compiling"]
mod compiling {
    pub mod checking;
    pub mod engine;
    pub mod worker;
}
mod lies;

use sconce::check::{From, Question, Tally, check};
use sconce::executor::Specialization;
use sconce::request::Compiler;
use sconce::{Options, StaticOptions};
use sconce_corpus::Corpus;
use sconce_tensor::mersenne::Engine;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// A listing in which most types of tensors say something else, and how many do.
fn lying(listing: &str, e: &mut Engine) -> (String, usize) {
    let (mut text, mut lies) = (String::new(), 0);
    let mut rest = listing;
    while let Some(at) = rest.find(" : Tensor") {
        let (before, after) = rest.split_at(at + " : Tensor".len());
        rest = after;
        // A list or an optional of tensors is said as it is.
        if after.starts_with([',', ')', ' ']) && lies::below(e, 5) > 0 {
            text.push_str(before.strip_suffix("Tensor").unwrap_or(before));
            text.push_str(&lies::lie(e));
            lies += 1;
        } else {
            text.push_str(before);
        }
    }
    text.push_str(rest);
    (text, lies)
}

/// So many programs that lie, drawn evenly from those that have a tensor to lie about and can be judged at all; beside each what is compared with.
fn programs(count: usize, seed: u64, truth: &Tally) -> (Corpus, usize) {
    let recorded = sconce_corpus::testdata("programs").expect("testdata");
    let listings: Vec<(&str, &str, &[u8])> = recorded
        .iter()
        .filter_map(|(path, text)| {
            let program = path.strip_suffix("/inlined_graph.txt")?;
            let text = std::str::from_utf8(text).ok()?;
            let judged = !truth.skipped.iter().any(|(case, _)| case.ends_with(&format!("/{program}")));
            let calls = recorded.get(&format!("{program}/calls.json"))?;
            (judged && lying(text, &mut Engine::new(0)).1 > 0).then_some((program, text, calls))
        })
        .collect();
    let mut made = Corpus::default();
    let mut lies = 0;
    for i in 0..count {
        let all = listings.len();
        let (round, at) = if count < all { (0, i * all / count) } else { (i / all, i % all) };
        let (program, text, calls) = listings[at];
        let mut e = Engine::new(seed.wrapping_mul(1 << 32).wrapping_add(i as u64));
        let (text, n) = lying(text, &mut e);
        lies += n;
        made.insert(format!("{program}.{round}/inlined_graph.txt"), text.into_bytes());
        made.insert(format!("{program}.{round}/calls.json"), calls.to_vec());
    }
    (made, lies)
}

fn tally(path: &Path, options: Options) -> Tally {
    let mut tally = Tally::default();
    check(path, &Question { from: From::InlinedGraph, options, ..Question::default() }, None, &mut tally)
        .expect("the listings are readable");
    tally
}

/// The cases that failed, without the number of their lie.
fn failed(tally: &Tally) -> BTreeSet<String> {
    let name = |case: &str| case.rsplit_once('.').map_or(case, |(name, _)| name).rsplit('/').next().map(str::to_owned);
    tally.failed.iter().filter_map(|(case, _)| name(case)).collect()
}

#[test]
fn results_are_as_recorded_whatever_is_declared() {
    let (count, seed) = (number("SCONCE_LISTINGS", 60) as usize, number("SCONCE_SEED", 1));
    let truth =
        tally(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/programs.tar.zst"), Options::default());
    let (made, lies) = programs(count, seed, &truth);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lies.tar.zst");
    std::fs::write(&path, made.pack().expect("it packs")).expect("a file");
    if let Some(kept) = std::env::var_os("SCONCE_KEEP") {
        std::fs::copy(&path, kept).expect("SCONCE_KEEP can be written");
    }
    let known: BTreeSet<String> =
        truth.failed.iter().filter_map(|(case, _)| case.rsplit('/').next().map(str::to_owned)).collect();
    let checking: Arc<dyn Compiler> = Arc::new(compiling::checking::checking());
    let plan = StaticOptions { rehearse: true, ..StaticOptions::default() };
    let modes = [
        ("interpreted", Options::default()),
        ("by static plans", Options { static_plan: Some(plan), ..Options::default() }),
        ("compiled", compiling::engine::options(Specialization::Static)),
        ("compiled for any size, accesses checked", compiling::engine::by(checking, Specialization::Dynamic)),
    ];
    let mut wrong = Vec::new();
    for (mode, options) in modes {
        let tally = tally(&path, options);
        let new: Vec<String> = failed(&tally).difference(&known).cloned().collect();
        let (passed, skipped) = (tally.passed, tally.skipped.len());
        println!(
            "{count} listings with {lies} lies, {mode}: {passed} as recorded, {} not, {skipped} skipped",
            new.len()
        );
        assert!(passed > count / 2, "{mode}: {passed} of {count}");
        let why = |name: &String| tally.failed.iter().find(|(case, _)| case.contains(name.as_str()));
        wrong.extend(new.iter().map(|name| format!("{mode}: {name}: {:?}", why(name).map(|w| &w.1))));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
