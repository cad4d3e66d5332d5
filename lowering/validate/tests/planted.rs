//! Passes that are wrong on purpose are found, and what is to blame is named with a small program; passes that are right are not.

use expect_test::expect;
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassResult, PassRow, PassRun, fuel, row};
use sconce_validate::{Budget, bisect, steps, validate};
use std::collections::BTreeMap;

/// Takes the operands of every third subtraction for each other, and renames what is harmless.
struct SwapsOperands;

impl Pass for SwapsOperands {
    const NAME: &'static str = "planted-swap";
    const DESCRIPTION: &'static str = "Wrong on purpose";
    const ANCHOR: Option<&'static str> = None;

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        for (i, op) in root.find_all("torch.aten.sub.Tensor").into_iter().enumerate() {
            let rule = if i % 3 == 2 { "sub-swaps" } else { "sub-stays" };
            if fuel::spend(rule, op) && i % 3 == 2 {
                let operands = op.operand_values();
                op.set_operand_values(&[operands[1], operands[0], operands[2]]);
            }
        }
        Ok(())
    }
}

/// Forgets writes.
struct ForgetsWrites;

impl Pass for ForgetsWrites {
    const NAME: &'static str = "planted-forget";
    const DESCRIPTION: &'static str = "Wrong on purpose";
    const ANCHOR: Option<&'static str> = None;

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        for op in root.find_all("torch.aten.add_.Tensor") {
            op.replace_with(&op.operand_values()[..1])?;
        }
        Ok(())
    }
}

static PLANTED: &[PassRow] = &[row::<SwapsOperands>(), row::<ForgetsWrites>()];

fn context() -> Context {
    sconce_pass::register(PLANTED).expect("the passes register");
    sconce_pass::register(sconce_passes::PASSES).expect("the passes register");
    sconce_torch::context(false).expect("a context")
}

fn split(pipeline: &str) -> Vec<String> {
    let named = |name: &str| {
        sconce_passes::PIPELINES.iter().find(|(known, ..)| *known == name).map(|(.., passes)| (*passes).to_owned())
    };
    steps(pipeline, &named).expect("the pipeline is whole")
}

/// Straight-line code in which each operation uses those before it.
fn program(operations: usize) -> String {
    let mut text = String::from(
        "func.func @f(%x: !torch.tensor, %y: !torch.tensor, %b: !torch.bool) -> !torch.tensor {\n  %one = torch.constant.int 1\n",
    );
    let mut last = ("%x".to_owned(), "%y".to_owned());
    for i in 0..operations {
        let t = ": !torch.tensor, !torch.tensor";
        let line = match i % 7 {
            0 => format!("torch.aten.sub.Tensor {}, {}, %one {t}, !torch.int -> !torch.tensor", last.0, last.1),
            4 => format!("torch.aten.sub.Tensor {}, %x, %one {t}, !torch.int -> !torch.tensor", last.0),
            1 => format!("torch.aten.mul.Tensor {}, {} {t} -> !torch.tensor", last.0, last.1),
            3 => format!(
                "torch.prim.If %b -> (!torch.tensor) {{\n torch.prim.If.yield {} : !torch.tensor\n }} else {{\n torch.prim.If.yield {} : !torch.tensor\n }}",
                last.0, last.1
            ),
            2 => format!("torch.aten.sin {} : !torch.tensor -> !torch.tensor", last.0),
            _ => format!("torch.aten.sigmoid {} : !torch.tensor -> !torch.tensor", last.0),
        };
        text.push_str(&format!("  %{i} = {line}\n"));
        last = (format!("%{i}"), last.0);
    }
    text.push_str(&format!("  return {} : !torch.tensor\n}}\n", last.0));
    text
}

#[test]
fn a_wrong_pass_is_named_with_its_rule_and_reduced() {
    let context = context();
    let module = parse_module(&context, program(300).as_bytes(), "f.mlir").expect("it parses");
    let steps = split("dce,torch-cse,planted-swap,constant-pooling");
    let culprit = bisect(&module, &steps, &BTreeMap::new(), Budget::default());
    let culprit = culprit.expect("the passes run").expect("one is wrong");
    assert_eq!(culprit.finding.step, "planted-swap");
    assert_eq!(culprit.rules, ["sub-swaps"]);
    assert!(culprit.change.as_ref().is_some_and(|change| change.rule == "sub-swaps"), "{culprit}");
    assert!(culprit.operations <= 10 && culprit.is_reproducible, "{culprit}\n{}", culprit.reduced);
    // What was reduced shows it by itself.
    let reduced = parse_module(&context, culprit.reduced.as_bytes(), "reduced.mlir").expect("it parses");
    let shown = validate(&reduced, &split("planted-swap"), BTreeMap::new()).expect("it runs");
    assert!(shown.finding.is_some(), "{}", culprit.reduced);
}

#[test]
fn a_forgotten_write_is_seen_in_the_argument() {
    let context = context();
    let text = "func.func @f(%x: !torch.tensor, %y: !torch.tensor) -> !torch.none {
  %one = torch.constant.int 1
  %0 = torch.aten.add_.Tensor %x, %y, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
  %none = torch.constant.none
  return %none : !torch.none
}";
    let module = parse_module(&context, text.as_bytes(), "f.mlir").expect("it parses");
    let found = validate(&module, &split("default,planted-forget"), BTreeMap::new()).expect("it runs").finding;
    let text = found.map(|found| found.to_string()).unwrap_or_default();
    expect!["planted-forget changed what @f computes: called with random tensors, element 0 of argument 0 was 0.78125, now 0.8515625"]
        .assert_eq(&text);
}

#[test]
fn passes_that_are_right_are_not_blamed() {
    let context = context();
    // Twice the same, which is done once.
    let text = program(60).replacen("%0 =", "%again = torch.aten.sub.Tensor %x, %y, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor\n  %0 =", 1);
    let text = text.replacen("torch.aten.mul.Tensor %0, %x", "torch.aten.mul.Tensor %0, %again", 1);
    let module = parse_module(&context, text.as_bytes(), "f.mlir").expect("it parses");
    let validated =
        validate(&module, &split("dce,torch-cse,unroll,constant-pooling,functionalize,default"), BTreeMap::new())
            .expect("it runs");
    assert_eq!(validated.finding, None);
    assert!(validated.compared > 0 && validated.skipped.is_empty(), "{:?}", validated.skipped);
}
