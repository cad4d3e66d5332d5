//! Recorded programs and models, from the archives that PyTorch saved and from their sources, as `sconce check` judges them.

#[path = "compiling"]
mod compiling {
    pub mod engine;
    pub mod worker;
}

use sconce::check::{From, Question, Tally, What, check};
use sconce::executor::{CompileMode, Settings, Specialization};
use sconce::written::Form;
use sconce::{Options, StaticOptions};
use std::path::{Path, PathBuf};

/// PyTorch merges equal expressions across `no_grad`, which changes what requires a gradient: a mistake of its own, not copied.
const UNLIKE: &[&str] = &["surprising/cse_across_no_grad", "with_stmt/no_grad_nested"];

/// Failures beyond those.
fn unexpected(tally: &Tally) -> usize {
    tally.failed.iter().filter(|(case, _)| !UNLIKE.iter().any(|known| case.contains(known))).count()
}

fn tally(set: &str, from: From, what: What) -> Tally {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(set);
    let mut tally = Tally::default();
    let options = Options::default();
    check(&path, &Question { from, what, options, ..Question::default() }, None, &mut tally)
        .expect("the recordings are readable");
    for (case, why) in &tally.failed {
        println!("FAILED {case}: {why}");
    }
    tally
}

#[test]
fn archives_of_every_layout_run_as_recorded() {
    let tally = tally("archives.tar.zst", From::Archive, What::Calls);
    assert_eq!(unexpected(&tally), 0);
    assert!(tally.passed >= 740, "{} passed", tally.passed);
}

#[test]
fn code_prints_as_recorded_and_stays() {
    let tally = tally("archives.tar.zst", From::Archive, What::Code);
    assert!(tally.passed >= 505, "{} passed", tally.passed);
    let moved = tally.failed.iter().filter(|(_, why)| why.contains("printed twice")).count();
    assert_eq!(moved, 0);
}

#[test]
fn sources_run_as_recorded() {
    let tally = tally("archives.tar.zst", From::Source, What::Calls);
    assert!(tally.passed >= 503, "{} passed", tally.passed);
}

#[test]
fn models_are_within_their_tolerance() {
    let tally = tally("models.tar.zst", From::Archive, What::Calls);
    assert!(tally.failed.is_empty() && tally.passed >= 5, "{} passed", tally.passed);
}

/// Modules through PyTorch's flows of quantization (dynamic, static, FX), and operators alone.
#[test]
fn quantized_programs_run_as_recorded() {
    let tally = tally("quantized.tar.zst", From::Archive, What::Calls);
    assert!(tally.failed.is_empty() && tally.passed >= 32, "{} passed", tally.passed);
}

/// The passes of the torch dialect, in an order that compilers would take.
const PASSES: &str = "torch-inline,lower-simple-tuples,constant-propagation,torch-cse,dce,peephole,unroll,constant-pooling,canonicalize-outputs";

/// Interpreted, each as every pass one after the other leaves it.
#[test]
fn programs_run_as_recorded_after_passes() {
    let executor = Settings { compile: CompileMode::Off, ..Settings::default() };
    let options = Options { executor, ..compiling::engine::options(Specialization::Static) };
    for (set, from, least) in [
        ("archives.tar.zst", From::Archive, 740),
        ("aliasing.tar.zst", From::Source, 300),
        ("aliasing_chosen.tar.zst", From::Source, 70),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(set);
        let question =
            Question { from, pipeline: Some(PASSES.into()), options: options.clone(), ..Question::default() };
        let mut tally = Tally::default();
        check(&path, &question, None, &mut tally).expect("the recordings are readable");
        assert!(unexpected(&tally) == 0 && tally.passed >= least, "{set}: {} passed, {:?}", tally.passed, tally.failed);
    }
}

/// A form in which programs are written and read again, and how they run.
type Way = (Option<Form>, Options);

fn ways_without_compiler() -> Vec<Way> {
    let static_plan = Some(StaticOptions { rehearse: true, ..StaticOptions::default() });
    vec![
        (None, Options::default()),
        (None, Options { static_plan, ..Options::default() }),
        (Some(Form::Pt), Options::default()),
        (Some(Form::Sconce), Options::default()),
    ]
}

fn share_what_python_shares(set: &str, least: usize, ways: Vec<Way>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(set);
    for (number, (through, options)) in ways.into_iter().enumerate() {
        let question = Question { from: From::Source, through, options, ..Question::default() };
        let mut tally = Tally::default();
        check(&folder, &question, None, &mut tally).expect("the recordings are readable");
        let (passed, failed) = (tally.passed, &tally.failed);
        assert!(failed.is_empty() && passed >= least, "{number}, {through:?}: {passed} passed, {failed:?}");
    }
}

/// Programs about who shares what with whom, with Python's answers: from the source, and from what is written of it.
#[test]
fn random_programs_share_what_python_shares() {
    share_what_python_shares("aliasing.tar.zst", 300, ways_without_compiler());
}

/// Chosen ones, each named by what it shows; compiled, too.
#[test]
fn chosen_programs_share_what_python_shares() {
    let mut ways = ways_without_compiler();
    ways.extend([
        (None, compiling::engine::options(Specialization::Static)),
        (None, compiling::engine::options(Specialization::Dynamic)),
        (Some(Form::Pt), compiling::engine::options(Specialization::Static)),
    ]);
    share_what_python_shares("aliasing_chosen.tar.zst", 70, ways);
}

/// Programs of torch.export, all their calls one after the other; compiled, and from what is written of them, too.
#[test]
fn exported_programs_run_as_recorded() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/export.tar.zst");
    let mut ways = ways_without_compiler();
    ways.extend([
        (None, compiling::engine::options(Specialization::Static)),
        (None, compiling::engine::options(Specialization::Dynamic)),
    ]);
    for (number, (through, options)) in ways.into_iter().enumerate() {
        let mut tally = Tally::default();
        let question = Question { through, options, ..Question::default() };
        check(&path, &question, None, &mut tally).expect("the recordings are readable");
        let (held, failed) = (tally.exported, &tally.failed);
        assert!(failed.is_empty() && tally.passed == 56, "{number}, {through:?}: {} passed, {failed:?}", tally.passed);
        assert!(held.verified == 56 && held.equal >= 75 && held.nodes >= 209, "{number}: {}", held.line());
    }
}

/// Programs whose types lie and whose sizes fit nowhere, with PyTorch's results and errors.
#[test]
fn hostile_programs_end_as_in_pytorch() {
    let static_plan = Some(StaticOptions { rehearse: true, ..StaticOptions::default() });
    let ways = [
        Options::default(),
        Options { static_plan, ..Options::default() },
        compiling::engine::options(Specialization::Static),
    ];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/hostile.tar.zst");
    for (number, options) in ways.into_iter().enumerate() {
        let question = Question { from: From::InlinedGraph, options, ..Question::default() };
        let mut tally = Tally::default();
        check(&path, &question, None, &mut tally).expect("the recordings are readable");
        let (passed, failed) = (tally.passed, &tally.failed);
        assert!(failed.is_empty() && passed >= 60, "{number}: {passed} passed, {failed:?}");
    }
}
