//! An exported program is called as Python calls it, keeps its state from call to call, and fails where its author wrote what fails.

use expect_test::expect;
use sconce::written::Form;
use sconce::{IValue, Module, Tensor};
use sconce_tensor::DType;
use std::fmt::Write;

fn load(name: &str) -> Module {
    let corpus = sconce_corpus::testdata("export").expect("testdata/export.tar.zst");
    let bytes = corpus.get(&format!("{name}/program.pt2")).expect("the program is recorded");
    Module::from_bytes("program.pt2", bytes).expect("it loads")
}

fn numbers(values: &[f32]) -> IValue {
    Tensor::from_vec(values.to_vec(), &[values.len() as i64]).into()
}

fn elements(value: &IValue) -> Vec<f32> {
    value.as_tensor().expect("a tensor").to_vec()
}

#[test]
fn arguments_go_by_name() {
    let module = load("kwargs_scalar");
    let parameters: Vec<String> = module.parameters("forward").expect("it has one").into_iter().map(|p| p.0).collect();
    assert_eq!(parameters, ["x", "scale"]);
    let x = numbers(&[1., 2., 3.]);
    let whole = module.call("forward", &[x.clone(), IValue::Int(3)]).expect("it runs");
    let named = module.call_named("forward", &[], &[("scale", IValue::Int(3)), ("x", x.clone())]).expect("it runs");
    assert_eq!(elements(&whole), elements(&named));
    let refused = module.call_named("forward", &[x], &[("scale", IValue::Int(4))]).expect_err("it is refused");
    expect!["`scale` is 4, and the program was exported for 3 alone (Guard failed: scale == 3)"]
        .assert_eq(&refused.to_string());
}

#[test]
fn buffers_stay_from_call_to_call() {
    let module = load("buffer_mutation");
    let x = numbers(&[1., 1.]);
    let first = elements(&module.call("forward", std::slice::from_ref(&x)).expect("it runs"));
    let second = elements(&module.call("forward", &[x]).expect("it runs"));
    assert_ne!(first, second);
}

/// What the program refuses, archives that it is converted to refuse too: nothing but their code says so.
#[test]
fn converted_programs_ask_for_the_same() {
    let tensor = |sizes: &[i64]| IValue::from(Tensor::zeros(sizes, DType::F32).expect("there is memory"));
    let mut said = String::new();
    for (name, taken, refused) in [
        ("mlp_dynamic", &[&[7, 4][..]][..], &[&[&[65, 4][..]][..], &[&[7, 5]], &[&[7, 4, 1]]][..]),
        ("two_dims_equal", &[&[3, 2], &[3, 2]], &[&[&[3, 2], &[4, 2]]]),
        ("derived_dim", &[&[3], &[4]], &[&[&[3], &[3]], &[&[0], &[1]]]),
    ] {
        let arguments = |sizes: &[&[i64]]| sizes.iter().map(|s| tensor(s)).collect::<Vec<_>>();
        let bytes = load(name).written(Form::Pt, "program").expect("it is written").bytes;
        let read = Module::from_bytes("program.pt", &bytes).expect("it is read");
        assert!(!read.is_exported());
        read.call("forward", &arguments(taken)).expect("it runs");
        for sizes in refused {
            let error = read.call("forward", &arguments(sizes)).expect_err("it is refused").to_string();
            let last = error.lines().last().unwrap_or_default();
            writeln!(said, "{name}: {last}").expect("text has room");
        }
    }
    expect![[r#"
        mlp_dynamic: RuntimeError: AssertionError: dimension 0 of `x` is 65, and the program was not exported for that (Guard failed: x.size()[0] <= 64)
        mlp_dynamic: RuntimeError: AssertionError: dimension 1 of `x` is 5, and the program was not exported for that (Guard failed: x.size()[1] == 4)
        mlp_dynamic: RuntimeError: AssertionError: the rank of `x` is 3, and the program was not exported for that (Guard failed: x.dim() == 2)
        two_dims_equal: RuntimeError: AssertionError: dimension 0 of `y` is 4, and the program was not exported for that (Guard failed: y.size()[0] == x.size()[0])
        derived_dim: RuntimeError: AssertionError: dimension 0 of `y` is 3, and the program was not exported for that (Guard failed: y.size()[0] == x.size()[0] + 1)
        derived_dim: RuntimeError: AssertionError: Guard failed: -1 + y.size()[0] >= 2
    "#]].assert_eq(&said);
}

#[test]
fn errors_show_the_line_of_the_author() {
    let module = load("nested_modules");
    let wide = Tensor::zeros(&[2, 4], DType::F64).expect("there is memory");
    let error = module.call("forward", &[wide.into()]).expect_err("its weights are f32");
    expect![[r#"
        The following operation failed in the TorchScript interpreter.
        Traceback of TorchScript (most recent call last):
          File "programs.py", line 49, in forward
            def forward(s, x): return s.act(s.a(x))
            ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ <--- HERE
        RuntimeError: expected m1 and m2 to have the same dtype, but got: double != float
    "#]]
    .assert_eq(&error.to_string());
}
