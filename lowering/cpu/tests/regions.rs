//! Regions that lower to the same code are compiled once, and threads that compile them change nothing: each is what it is when it is compiled alone.

use sconce_cpu::{CodeOptions, compile, compile_regions};
use sconce_ir::prelude::*;
use sconce_linalg::lower_region;

/// A region of a function of one tensor, as text.
fn region(name: &str, operators: &[&str], rows: usize) -> String {
    let ty = format!("!torch.vtensor<[{rows},3],f32>");
    let steps = operators.iter().enumerate();
    let steps = steps.map(|(i, op)| format!("  %{} = torch.aten.{op} %{i} : {ty} -> {ty}\n", i + 1));
    let last = operators.len();
    format!(
        "func.func @{name}(%x: {ty}) -> {ty} {{\n  %y = sconce.region \"{name}.r0\"(%x) : ({ty}) -> {ty} {{\n  ^bb0(%0: {ty}):\n{}  sconce.yield %{last} : {ty}\n  }}\n  return %y : {ty}\n}}\n",
        steps.collect::<String>()
    )
}

/// A product, whose short form leaves out how it multiplies and sums.
const PRODUCT: &str = "func.func @e(%x: !torch.vtensor<[1,16,256],f32>, %w: !torch.vtensor<[256,256],f32>, %b: !torch.vtensor<[256],f32>) -> !torch.vtensor<[1,16,256],f32> {
  %y = sconce.region \"e.r0\"(%x, %w, %b) : (!torch.vtensor<[1,16,256],f32>, !torch.vtensor<[256,256],f32>, !torch.vtensor<[256],f32>) -> !torch.vtensor<[1,16,256],f32> {
  ^bb0(%0: !torch.vtensor<[1,16,256],f32>, %1: !torch.vtensor<[256,256],f32>, %2: !torch.vtensor<[256],f32>):
  %3 = torch.aten.linear %0, %1, %2 : !torch.vtensor<[1,16,256],f32>, !torch.vtensor<[256,256],f32>, !torch.vtensor<[256],f32> -> !torch.vtensor<[1,16,256],f32>
  sconce.yield %3 : !torch.vtensor<[1,16,256],f32>
  }
  return %y : !torch.vtensor<[1,16,256],f32>
}
";

#[test]
fn equal_regions_have_the_code_that_each_has_alone() {
    let context = sconce_torch::context(false).unwrap();
    let texts = [
        region("a", &["relu", "tanh"], 2),
        region("b", &["sigmoid"], 2),
        region("c", &["relu", "tanh"], 2),
        region("d", &["relu", "tanh"], 5),
        PRODUCT.into(),
    ];
    let module = parse_module(&context, texts.concat().as_bytes(), "regions.mlir").unwrap();
    let options = CodeOptions::default();
    let results = compile_regions(module.as_operation(), &options);
    let names: Vec<_> = results.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names, ["a.r0", "b.r0", "c.r0", "d.r0", "e.r0"]);
    let objects: Vec<_> = results.iter().map(|r| &r.outcome.as_ref().unwrap().object).collect();
    assert_eq!(objects[0], objects[2]);
    assert_ne!(objects[0], objects[1]);
    assert_ne!(objects[0], objects[3], "sizes are part of the code");
    for (region, object) in module.as_operation().find_all("sconce.region").into_iter().zip(objects) {
        let (alone, _) = lower_region(region).unwrap();
        assert_eq!(&compile(&alone, &options).unwrap().object, object);
    }
    // Code that is called by a name has one of its own.
    let named = CodeOptions { symbol: Some("part".into()), ..options };
    let named = compile_regions(module.as_operation(), &named);
    let [first, third] = [0, 2].map(|i| &named[i].outcome.as_ref().unwrap().object);
    assert_ne!(first, third);
}
