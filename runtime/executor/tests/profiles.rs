//! Watched runs give what unwatched ones give, and the types that they see are those that PyTorch's profiled graphs print.

mod build;

use build::{chain, executor, looping, recorded, recordings, run, tensor};
use expect_test::expect;
use sconce_executor::{PlanKind, Settings};
use sconce_interpreter::{Executable, Options};
use sconce_tensor::IValue;
use std::fmt::Write;
use std::sync::Arc;

#[test]
fn types_are_those_that_pytorch_prints() {
    let rows = recordings("profiles.json");
    assert!(rows.len() >= 14);
    for row in rows {
        let runs = row["runs"].as_array().unwrap();
        let settings = Settings { profiled_runs: runs.len() as u32 + 1, ..Settings::default() };
        let executor = executor(chain(), settings);
        for (run, expected) in runs.iter().zip(row["profiled"].as_array().unwrap()) {
            let IValue::Tuple(inputs) = recorded(run) else { panic!("a call is a tuple") };
            executor.run(inputs.items.to_vec(), &Options::default()).unwrap();
            let seen = executor.profile().unwrap().seen();
            let types: Vec<_> = seen.iter().map(|(_, p)| (p.ty.as_ref().unwrap().to_string(), p.seen_none)).collect();
            let expected = expected.as_array().unwrap().iter();
            let expected: Vec<_> = expected.map(|p| (p[0].as_str().unwrap().to_string(), p[1] == "1")).collect();
            assert_eq!(types, expected, "{}", row["name"]);
        }
    }
}

#[test]
fn loops_branches_and_callees_are_watched() {
    let executor = executor(looping(), Settings { profiled_runs: 2, ..Settings::default() });
    let unwatched = Executable::new(Arc::new(looping())).unwrap();
    let mut text = String::new();
    for inputs in [[tensor(&[4]), IValue::Int(3)], [tensor(&[2, 2]), IValue::Int(2)]] {
        let expected = unwatched.run(0, inputs.to_vec(), &Options::default()).unwrap();
        assert_eq!(executor.plan_for(&inputs).kind(), PlanKind::Profiling);
        assert_eq!(run(&executor, &inputs), expected[0].as_tensor().unwrap().to_vec::<f32>());
        for (site, profiled) in executor.profile().unwrap().seen() {
            let ty = profiled.ty.unwrap();
            writeln!(text, "{} {} {}: {ty}", site.function, site.pc, site.input).unwrap();
        }
        text.push('\n');
    }
    assert_eq!(executor.plan_for(&[tensor(&[4]), IValue::Int(3)]).kind(), PlanKind::Interpreted);
    expect![[r#"
        0 4 0: Float(4, strides=[1], requires_grad=0, device=cpu)
        0 7 0: Float(4, strides=[1], requires_grad=0, device=cpu)
        1 1 0: Float(4, strides=[1], requires_grad=0, device=cpu)
        1 5 0: Float(4, strides=[1], requires_grad=0, device=cpu)
        1 6 0: Float(4, strides=[1], requires_grad=0, device=cpu)
        1 6 1: Float(4, strides=[1], requires_grad=0, device=cpu)
        1 7 0: Float(4, strides=[1], requires_grad=0, device=cpu)

        0 4 0: FloatTensor(requires_grad=0, device=cpu)
        0 7 0: FloatTensor(requires_grad=0, device=cpu)
        1 1 0: FloatTensor(requires_grad=0, device=cpu)
        1 5 0: Float(4, strides=[1], requires_grad=0, device=cpu)
        1 6 0: Float(4, strides=[1], requires_grad=0, device=cpu)
        1 6 1: Float(4, strides=[1], requires_grad=0, device=cpu)
        1 7 0: FloatTensor(requires_grad=0, device=cpu)

    "#]]
    .assert_eq(&text);
}

#[test]
fn a_run_that_fails_does_not_count() {
    let executor = executor(chain(), Settings::default());
    assert_eq!(executor.debug_state().to_string(), "profiling, 1 runs left");
    let error = executor.run(vec![tensor(&[2, 3]), tensor(&[4])], &Options::default()).unwrap_err();
    let alone = Executable::new(Arc::new(chain())).unwrap();
    let expected = alone.run(0, vec![tensor(&[2, 3]), tensor(&[4])], &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), expected.to_string());
    assert_eq!(executor.debug_state().to_string(), "profiling, 1 runs left");
    run(&executor, &[tensor(&[2, 3]), tensor(&[3])]);
    assert_eq!(executor.debug_state().to_string().lines().next(), Some("profiling, 1 plans"));
}
