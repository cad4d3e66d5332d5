//! Views in programs: a tensor that nobody else holds becomes its view, every other stays what it is, and sizes are read where they lie.

mod common;

use common::{copy, function, moved};
use sconce_interpreter::program::{Op, Operand, Parameter, Program};
use sconce_interpreter::{Executable, Options, RunError};
use sconce_schema::Type;
use sconce_tensor::{IValue, Tensor};
use std::sync::Arc;

/// `def f(t, n): return t.view([n, 2])`, which reads `t` so.
fn view(t: Operand) -> Program {
    let mut p = Program { constants: vec![IValue::Int(2)], types: vec![Type::list(Type::Int)], ..Program::default() };
    let view = p.operator_id("aten::view");
    // 0 t, 1 n, 2 two, 3 sizes, 4 result
    let mut f = function("f", 2, 5, 1);
    f.parameters[1] = Parameter::new("n", Type::Int);
    f.push(Op::Constant(0), [2], [], None);
    f.push(Op::ListConstruct(0), [3], [moved(1), moved(2)], None);
    f.push(Op::Call(view), [4], [t, moved(3)], None);
    f.push(Op::Store, [], [moved(4)], None);
    p.functions = vec![f];
    p
}

fn run(program: Program, t: Tensor, n: i64) -> Result<Tensor, RunError> {
    let executable = Executable::new(Arc::new(program)).expect("the test's program is sound");
    let out = executable.run(0, vec![IValue::Tensor(t), IValue::Int(n)], &Options::default())?;
    Ok(out[0].as_tensor().expect("a tensor").clone())
}

fn four() -> Tensor {
    Tensor::from_vec(vec![1f32, 2.0, 3.0, 4.0], &[4])
}

#[test]
fn a_tensor_that_is_given_up_becomes_its_view() {
    let t = four();
    let (place, storage) = (t.address(), t.storage());
    let out = run(view(moved(0)), t, 2).unwrap();
    assert_eq!((out.sizes(), out.address(), out.is_over(&storage)), (&[2i64, 2][..], place, true));
    assert_eq!(out.to_vec::<f32>(), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn a_tensor_that_somebody_holds_stays_what_it_is() {
    for operand in [moved(0), copy(0)] {
        let t = four();
        let out = run(view(operand), t.clone(), 2).unwrap();
        assert_eq!((t.sizes(), out.sizes()), (&[4i64][..], &[2i64, 2][..]));
        assert!(!out.is(&t) && out.shares_storage(&t));
    }
    // Its register holds it, though nobody else does: it is read again.
    let out = run(view(copy(0)), four(), -1).unwrap();
    assert_eq!(out.sizes(), [2, 2]);
}

#[test]
fn a_view_that_cannot_be_is_the_operators_error() {
    let t = four();
    let error = run(view(moved(0)), t.clone(), 3).unwrap_err();
    assert_eq!(error.message, "shape '[3, 2]' is invalid for input of size 4");
    assert_eq!(t.sizes(), [4]);
}

#[test]
fn what_asks_for_gradients_gives_views_that_do() {
    let t = four();
    t.set_requires_grad(true);
    let out = run(view(moved(0)), t, 2).unwrap();
    assert!(out.requires_grad() && !out.is_leaf());
}
