//! Programs get their named constants and what their init functions compute, or an error that says which is missing or why it failed.

use sconce_interpreter::program::{Function, Init, NamedConstant, Op, Operand, Program};
use sconce_interpreter::{BindError, CustomOperators, Executable, LoadError, Options, bind};
use sconce_schema::Type;
use sconce_tensor::{IValue, Tensor};

/// `f` gives the constant 1, which the init function computes: the product of the named constant 0 with itself.
fn program() -> Program {
    let mut program = Program {
        constants: vec![IValue::Uninitialized, IValue::Uninitialized],
        named: vec![NamedConstant { name: "w".into(), constant: 0 }],
        init: Some(Init { function: 1, constants: vec![1] }),
        operators: vec!["aten::mm".into()],
        ..Program::default()
    };
    let mut f = Function { name: "f".into(), registers: 1, results: vec![Type::tensor()], ..Function::default() };
    f.push(Op::Load, [], [], None);
    f.push(Op::Constant(1), [0], [], None);
    f.push(Op::Store, [], [Operand::moved(0)], None);
    let mut init = Function { name: "init".into(), registers: 2, results: vec![Type::tensor()], ..Function::default() };
    init.push(Op::Load, [], [], None);
    init.push(Op::Constant(0), [0], [], None);
    init.push(Op::Call(0), [1], [Operand::copy(0), Operand::moved(0)], None);
    init.push(Op::Store, [], [Operand::moved(1)], None);
    program.functions = vec![f, init];
    program
}

fn bound(program: &mut Program, weight: Option<Tensor>) -> Result<(), BindError> {
    let value = |name: &str| weight.clone().filter(|_| name == "w").map(IValue::Tensor);
    bind(program, value, &CustomOperators::new(), &Options::default())
}

#[test]
fn the_init_function_runs_once_for_all_runs() {
    let mut program = program();
    bound(&mut program, Some(Tensor::from_vec(vec![2f32], &[1, 1]))).expect("it is bound");
    let executable = Executable::new(program.into()).expect("nothing is missing");
    let run =
        || executable.run(0, vec![], &Options::default()).expect("a result")[0].as_tensor().cloned().expect("a tensor");
    assert_eq!(run().to_vec::<f32>(), [4.0]);
    assert!(run().is(&run()));
}

#[test]
fn what_is_not_bound_does_not_run() {
    let unbound = Executable::new(program().into()).err();
    assert_eq!(unbound, Some(LoadError::Unbound("w".into())));
    let uninitialized = Executable::new(Program { named: vec![], ..program() }.into()).err();
    assert_eq!(uninitialized, Some(LoadError::Uninitialized));
    assert_eq!(bound(&mut program(), None), Err(BindError::Unknown("w".into())));
}

#[test]
fn an_init_function_that_fails_says_why() {
    let error = bound(&mut program(), Some(Tensor::from_vec(vec![2f32, 3.], &[1, 2]))).expect_err("no such product");
    assert!(
        error.to_string().starts_with("the init function failed: RuntimeError: mm: mat1 and mat2 shapes"),
        "{error}"
    );
}

#[test]
fn an_init_function_of_another_shape_is_refused() {
    let refused = |init: Init, why: &str| {
        let error = Program { init: Some(init), ..program() }.verify().expect_err("it is damaged");
        assert_eq!(error.what, why);
    };
    refused(Init { function: 9, constants: vec![1] }, "the init function is function 9, which does not exist");
    refused(Init { function: 1, constants: vec![] }, "the init function init has other parameters and results");
    refused(Init { function: 1, constants: vec![7] }, "the init function gives constant 7, which does not exist");
}
