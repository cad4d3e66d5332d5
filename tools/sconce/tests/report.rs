//! A report says of every plan what its regions are, where they ran and how often; and each thing once.

#[path = "compiling"]
mod compiling {
    pub mod engine;
    pub mod worker;
}

use sconce::executor::Specialization;
use sconce::report::Report;
use sconce::{Engine, Module, Options, Tensor};

const PROGRAM: &str = "graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::mul(%x, %x)
  %b : Tensor = aten::add(%a, %x, %one)
  %c : Tensor = aten::nonzero(%b)
  %d : Tensor = aten::nonzero(%c)
  return (%d)
";

fn load(options: Options) -> Module {
    let engine = Engine::new(options).expect("an engine");
    engine.load_bytes("report.txt", "f", PROGRAM.as_bytes()).expect("a program")
}

/// The report after calls with tensors of these sizes.
fn report(module: &Module, calls: &[&[i64]]) -> Report {
    for sizes in calls {
        let count = sizes.iter().product::<i64>() as usize;
        module.call("f", &[Tensor::from_vec(vec![1f32; count], sizes).into()]).expect("a result");
    }
    module.report("f")
}

#[test]
fn each_plan_has_its_regions_with_its_counts() {
    let module = load(compiling::engine::options(Specialization::Static));
    let report = report(&module, &[&[2, 3], &[4, 3], &[2, 3], &[2, 3]]);
    let rows: Vec<_> = report.regions.iter().map(|r| (&*r.name, r.target.as_deref(), r.compiled, r.fallback)).collect();
    assert_eq!(rows, [("f.r0", Ok("cpu"), 3, 0), ("f.r0", Ok("cpu"), 1, 0)]);
    // What rules gained is told of each plan.
    let text = report.to_string();
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains("egraph: ")).collect();
    for (line, sizes) in lines[1..].iter().zip(["2, 3", "4, 3"]) {
        assert!(line.starts_with(&format!("  region f.r0 for (Float({sizes}, ")), "{line}");
    }
    // The function twice asks for sizes that elements decide, whatever it was compiled for.
    let left: Vec<_> = report.interpreted.iter().map(|row| (&*row.operation, row.count)).collect();
    assert_eq!(left, [("aten::nonzero", 2)], "{report}");
    // What is the same for all plans is not told twice.
    assert_eq!(lines.len(), 4, "{report}");
}

#[test]
fn one_plan_is_told_without_its_arguments() {
    let module = load(compiling::engine::options(Specialization::Dynamic));
    let report = report(&module, &[&[2, 3], &[4, 3]]);
    assert!(
        report.to_string().contains("region f.r0 on cpu: 2 operations (aten::square, aten::add.Tensor), "),
        "{report}"
    );
    assert_eq!((report.regions.len(), report.regions[0].compiled), (1, 2));
}

/// What was wanted for a GPU is where it really is: there, or on this processor and the report says why, once.
#[test]
fn a_region_is_where_its_code_was_loaded() {
    let module = load(Options { gpu: true, ..compiling::engine::options(Specialization::Static) });
    let report = report(&module, &[&[2, 3], &[4, 3]]);
    let why = report.notes.iter().filter(|n| n.starts_with("region f.r0 does not run on the GPU: ")).count();
    let targets: Vec<_> = report.regions.iter().map(|r| r.target.as_deref()).collect();
    let expected = if why == 0 { [Ok("gpu"); 2] } else { [Ok("cpu"); 2] };
    assert_eq!(targets, expected, "{report}");
    assert!(why <= 1 && report.regions.iter().all(|r| r.compiled == 1), "{report}");
}
