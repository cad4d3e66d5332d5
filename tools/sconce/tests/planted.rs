//! A wrong pass and a wrong rule, planted in what compiles, are found by validation, by shadow mode and by bisection, which makes a program of at most 10 operations of it.

use sconce::request::{Blamed, Checks};
use sconce::{Engine, IValue, Module, Options, Tensor};
use sconce_executor::{CompileMode, Settings};
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassResult, PassRow, PassRun, fuel, row};
use std::io::Write;
use std::sync::Arc;

/// Takes sines for cosines.
struct SineForCosine;

impl Pass for SineForCosine {
    const NAME: &'static str = "planted-sine";
    const DESCRIPTION: &'static str = "Wrong on purpose";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        for op in root.find_all("torch.aten.cos").into_iter().filter(|op| fuel::spend("cos", *op)) {
            let at = Builder::before(op);
            let sine = at.op("torch.aten.sin", op.location()).operands(&op.operand_values());
            op.replace_with(&[sine.results(&op.result_types()).build_value()?])?;
        }
        Ok(())
    }
}

static PLANTED: &[PassRow] = &[row::<SineForCosine>()];

/// A rule that is false, beside one that is true.
const RULES: &str = "# wrong\nrule planted-exp exact: aten.exp(?x) => aten.relu(?x) if is_float(?x);\n# x + y = y + x\nrule planted-turned exact: aten.add.Tensor(?x, ?y, 1) => aten.add.Tensor(?y, ?x, 1) if dtype(?x) == dtype(?y);\n";

/// A chain with a cosine and a square somewhere in it.
const SOURCE: &str = "import torch\nfrom torch import Tensor
def f(x: Tensor, y: Tensor):
    z = x * y
    for i in range(3):
        z = torch.sigmoid(z + y) * x
    c = torch.cos(z)
    s = (c + y) * (c + y)
    a = torch.relu(s) + torch.exp(-s)
    return torch.tanh(a - x), a
";

fn options(passes: Option<String>) -> Options {
    sconce_compiler::passes::register().expect("the passes register");
    sconce_pass::register(PLANTED).expect("the passes register");
    let executor = Settings { compile: CompileMode::Now, profiled_runs: 0, ..Settings::default() };
    Options { compiler: Some(Arc::new(sconce_compiler::InProcess)), executor, passes, ..Options::default() }
}

fn load(options: Options) -> Module {
    let engine = Engine::new(options).expect("an engine");
    engine.compile_source("f.py", SOURCE, &Default::default()).expect("it compiles")
}

fn arguments() -> Vec<IValue> {
    let numbers = |from: f32| Tensor::from_vec((0..12).map(|i| from + i as f32 / 8.0).collect::<Vec<_>>(), &[3, 4]);
    vec![numbers(-0.5).into(), numbers(0.25).into()]
}

/// Found by validation and by shadow mode; who is to blame.
fn found(passes: &str) -> Blamed {
    let validating = Options { checks: Checks { validate: true, fuel: None }, ..options(Some(passes.into())) };
    let module = load(validating);
    module.call("f", &arguments()).expect("it runs");
    let report = module.report("f");
    assert!(report.unsound.iter().any(|why| why.contains("changed what")), "{report}");

    let module = load(Options { shadow: 1.0, ..options(Some(passes.into())) });
    module.call("f", &arguments()).expect("it runs");
    let mismatches = module.mismatches();
    assert!(mismatches.iter().any(|m| m.difference.contains("element")), "{mismatches:?}");

    let module = load(options(Some(passes.into())));
    module.blame("f", &arguments(), None).expect("it runs").expect("something is wrong")
}

#[test]
fn a_wrong_pass_is_found_and_named() {
    let blamed = found("planted-sine");
    assert_eq!(blamed.step, "planted-sine");
    assert!(blamed.description.contains("rule: cos"), "{}", blamed.description);
    assert!(blamed.operations <= 10 && blamed.is_reproducible, "{}\n{}", blamed.description, blamed.reduced);
}

#[test]
fn a_wrong_rule_is_found_and_named() {
    let mut file = tempfile::Builder::new().suffix(".rules").tempfile().expect("a file");
    file.write_all(RULES.as_bytes()).expect("it is written");
    let blamed = found(&format!("egraph{{rules={} builtin=false}}", file.path().display()));
    assert!(blamed.step.starts_with("egraph"), "{}", blamed.step);
    assert!(blamed.description.contains("rule: planted-exp\n"), "{}", blamed.description);
    assert!(blamed.operations <= 10 && blamed.is_reproducible, "{}\n{}", blamed.description, blamed.reduced);
}

#[test]
fn what_is_right_is_not_blamed() {
    let module = load(Options { shadow: 1.0, checks: Checks { validate: true, fuel: None }, ..options(None) });
    for _ in 0..3 {
        module.call("f", &arguments()).expect("it runs");
    }
    let report = module.report("f");
    assert!(report.unsound.is_empty() && report.validation.compared > 0, "{report}");
    assert_eq!(module.shadow_counts(), (3, 3));
    assert!(module.mismatches().is_empty());
    assert_eq!(load(options(None)).blame("f", &arguments(), None).expect("it runs"), None);
}

#[test]
fn fuel_stops_passes() {
    let module =
        load(Options { checks: Checks { validate: false, fuel: Some(0) }, ..options(Some("planted-sine".into())) });
    let plain =
        load(Options { executor: Settings { compile: CompileMode::Off, ..Settings::default() }, ..options(None) });
    let shown = |module: &Module| format!("{:?}", module.call("f", &arguments()).expect("it runs"));
    assert_eq!(shown(&module), shown(&plain));
    let report = module.report("f");
    assert!(report.notes.iter().any(|note| note.contains("0 changes were made; there were more")), "{report}");
}
