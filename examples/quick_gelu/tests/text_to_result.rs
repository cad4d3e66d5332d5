//! The operator from text to results: read and checked, printed, rewritten by pass and by rule, compiled, and compared with the interpreter.

use quick_gelu::{RULES, register};
use sconce::executor::{CompileMode, Settings};
use sconce::{Engine, IValue, Module, Options, SourceOptions, Tensor};
use sconce_egraph::rules;
use sconce_egraph_proof::recorded::Recorded;
use sconce_egraph_proof::verify::verify;
use sconce_ir::prelude::*;
use std::sync::Arc;

type Tested = Result<(), Box<dyn std::error::Error>>;

/// The text that passes make of a module.
fn after(passes: &str, text: &str) -> Result<String, Box<dyn std::error::Error>> {
    register()?;
    let context = sconce_torch::context(false)?;
    let module = parse_module(&context, text.as_bytes(), "test.mlir")?;
    run_on_module(&module, passes)?;
    Ok(print(module.as_operation(), &PrintOptions::default()))
}

/// A function of one tensor.
fn function(body: &str) -> String {
    format!(
        "func.func @f(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {{\n{body}\n  return %y : !torch.vtensor<[2,3],f32>\n}}\n"
    )
}

const QUICK: &str = r#"  %alpha = torch.constant.float 1.500000e+00
  %y = torch.operator "clip.quick_gelu"(%x, %alpha) : (!torch.vtensor<[2,3],f32>, !torch.float) -> !torch.vtensor<[2,3],f32>"#;

#[test]
fn its_text_is_read_and_printed() -> Tested {
    let printed = after("", &function(QUICK))?;
    assert!(printed.contains(r#"torch.operator "clip.quick_gelu"(%arg0, %float1.500000e00)"#), "{printed}");
    Ok(())
}

#[test]
fn a_wrong_call_is_refused_where_it_is() -> Tested {
    let wrong = "  %alpha = torch.constant.str \"much\"
  %y = \"torch.clip.quick_gelu\"(%x, %alpha) : (!torch.vtensor<[2,3],f32>, !torch.str) -> !torch.vtensor<[2,3],f32>";
    let refused = after("", &function(wrong)).err().ok_or("a string was taken for a number")?.to_string();
    assert!(refused.starts_with("test.mlir:3:") && refused.contains("operand #1"), "{refused}");
    Ok(())
}

#[test]
fn passes_know_its_effects_and_its_shape() -> Tested {
    let twice = QUICK.replace("%y", "%z") + "\n" + &QUICK.replace("%alpha", "%beta");
    let printed = after("torch-cse,dce", &function(&twice))?;
    assert_eq!(printed.matches("clip.quick_gelu").count(), 1, "{printed}");
    let vague = "func.func @f(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %alpha = torch.constant.float 1.5
  %y = torch.operator \"clip.quick_gelu\"(%x, %alpha) : (!torch.vtensor<[2,3],f32>, !torch.float) -> !torch.vtensor
  return %y : !torch.vtensor
}";
    let printed = after("refine-types", vague)?;
    assert!(printed.contains("!torch.float) -> !torch.vtensor<[2,3],f32>"), "{printed}");
    Ok(())
}

#[test]
fn the_pass_is_one_of_all() -> Tested {
    let gelu = "  %none = torch.constant.str \"none\"
  %y = torch.aten.gelu %x, %none : !torch.vtensor<[2,3],f32>, !torch.str -> !torch.vtensor<[2,3],f32>";
    let printed = after("func.func(clip-approximate-gelu{alpha=1.5})", &function(gelu))?;
    assert!(printed.contains("clip.quick_gelu") && printed.contains("constant.float 1.5"), "{printed}");
    let printed = after("clip-activations", &function(gelu))?;
    assert!(printed.contains("clip.quick_gelu") && printed.contains("constant.float 1.702"), "{printed}");
    let refused =
        after("clip-approximate-gelu{alpha=much}", &function(gelu)).err().ok_or("`much` was taken for a number")?;
    assert!(refused.to_string().contains("alpha: expected a number, not `much`"), "{refused}");
    Ok(())
}

/// x * sigmoid(1.702 x), as people write it.
const WRITTEN_OUT: &str = "  %alpha = torch.constant.float 1.702
  %s = torch.aten.mul.Scalar %x, %alpha : !torch.vtensor<[2,3],f32>, !torch.float -> !torch.vtensor<[2,3],f32>
  %t = torch.aten.sigmoid %s : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %y = torch.aten.mul.Tensor %t, %x : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>";

/// The e-graph with this crate's rules, from their file.
fn egraph() -> String {
    format!("func.func(egraph{{rules={}/quick_gelu.rules class=reassociates}})", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_rule_is_verified_and_used() -> Tested {
    register()?;
    let all = rules::read("quick_gelu.rules", RULES)?;
    for rule in &all {
        let verdict = verify(rule, &Recorded::default());
        assert!(verdict.outcome.is_ok(), "{verdict}");
    }
    let printed = after(&egraph(), &function(WRITTEN_OUT))?;
    assert!(printed.contains("clip.quick_gelu") && !printed.contains("sigmoid"), "{printed}");
    Ok(())
}

#[test]
fn a_false_rule_about_it_is_refused() -> Tested {
    register()?;
    let wrong = RULES.replace("{1.0 * ?a}", "{1.5 * ?a}");
    let all = rules::read("wrong.rules", &wrong)?;
    let verdict = verify(&all[0], &Recorded::default());
    assert!(verdict.outcome.is_err(), "{verdict}");
    Ok(())
}

/// A file of this text, called `f`, with the compiler of this process; compiled at the first call, or not at all.
fn loaded(compile: CompileMode, name: &str, text: &str) -> Result<Module, Box<dyn std::error::Error>> {
    register()?;
    let compiler: Arc<dyn sconce::request::Compiler> = Arc::new(sconce_compiler::InProcess);
    // No call is watched before.
    let executor = Settings { compile, profiled_runs: 0, ..Settings::default() };
    let engine = Engine::new(Options { compiler: Some(compiler), executor, ..Options::default() })?;
    Ok(match name.strip_suffix(".py") {
        Some(_) => engine.compile_source(name, text, &SourceOptions::default())?,
        None => engine.load_bytes(name, "f", text.as_bytes())?,
    })
}

fn argument() -> IValue {
    Tensor::from_vec(vec![-3.0f32, -0.5, 0.0, 0.25, 1.0, 40.0], &[2, 3]).into()
}

/// What the operator is, computed here.
fn expected(alpha: f64) -> Vec<f32> {
    [-3.0f64, -0.5, 0.0, 0.25, 1.0, 40.0].iter().map(|x| (x / (1.0 + (-alpha * x).exp())) as f32).collect()
}

fn assert_close(have: &IValue, alpha: f64) {
    let have = have.as_tensor().expect("a tensor").to_vec::<f32>();
    let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-6 * b.abs().max(1.0);
    assert!(have.iter().zip(&expected(alpha)).all(near), "{have:?} against {:?}", expected(alpha));
}

const SOURCE: &str = "import torch
def f(x):
    return torch.ops.clip.quick_gelu(x, 1.5)
";

#[test]
fn source_that_calls_it_runs_by_its_kernel() -> Tested {
    let module = loaded(CompileMode::Off, "f.py", SOURCE)?;
    assert_close(&module.call("f", &[argument()])?, 1.5);
    let refused = module.call("f", &[Tensor::from_vec(vec![1i64], &[1]).into()]).err().ok_or("integers were taken")?;
    assert!(refused.to_string().contains("quick_gelu: expected a tensor of floats, not of Long"), "{refused}");
    Ok(())
}

#[test]
fn a_region_with_it_is_compiled_and_gives_the_same() -> Tested {
    for (name, text) in [("f.py", SOURCE.to_owned()), ("f.mlir", function(QUICK))] {
        let module = loaded(CompileMode::Now, name, &text)?;
        assert_close(&module.call("f", &[argument()])?, 1.5);
        let report = module.report("f");
        let compiled = report.regions.iter().find(|r| r.operations.iter().any(|o| o == "clip::quick_gelu"));
        let compiled = compiled.ok_or_else(|| format!("{name}: no region has it: {report:?}"))?;
        assert_eq!((compiled.target.as_deref(), compiled.compiled), (Ok("cpu"), 1), "{name}: {report:?}");
    }
    Ok(())
}

#[test]
fn rewritten_programs_run_compiled() -> Tested {
    let module = loaded(CompileMode::Now, "f.mlir", &function(WRITTEN_OUT))?.after_passes(&egraph())?;
    assert_close(&module.call("f", &[argument()])?, 1.702);
    let report = module.report("f");
    let operations: Vec<&String> = report.regions.iter().flat_map(|r| &r.operations).collect();
    assert_eq!(operations, ["clip::quick_gelu"], "{report:?}");
    Ok(())
}
