//! Tasks and threads: any number of workers gives the same, nothing hangs, and what waits here may go on there.

mod common;

use common::{copy, function, moved};
use sconce_interpreter::program::{Class, Op, Program};
use sconce_interpreter::{Cause, Executable, Options, Progress};
use sconce_schema::Type;
use sconce_tensor::{Future, IValue};
use std::sync::Arc;

fn load(program: Program) -> Executable {
    Executable::new(Arc::new(program)).expect("the test's program is sound")
}

/// `def tree(n): return 1 if n <= 0 else wait(fork(tree, n - 1)) + wait(fork(tree, n - 1))`
fn tree() -> Program {
    let mut p = Program { constants: vec![IValue::Int(0), IValue::Int(1)], ..Program::default() };
    let [le, sub, add] = ["aten::le.int", "aten::sub.int", "aten::add.int"].map(|n| p.operator_id(n));
    let mut f = function("tree", 1, 9, 1);
    f.push(Op::Constant(0), [1], [], None);
    f.push(Op::Constant(1), [2], [], None);
    f.push(Op::Call(le), [3], [copy(0), moved(1)], None);
    let test = f.push(Op::JumpUnless(0), [], [moved(3)], None);
    f.push(Op::Store, [], [moved(2)], None);
    let more = f.push(Op::Call(sub), [4], [moved(0), moved(2)], None);
    f.set_target(test, more);
    f.push(Op::Fork(0), [5], [copy(4)], None);
    f.push(Op::Fork(0), [6], [moved(4)], None);
    f.push(Op::Wait, [7], [moved(5)], None);
    f.push(Op::Wait, [8], [moved(6)], None);
    f.push(Op::Call(add), [7], [moved(7), moved(8)], None);
    f.push(Op::Store, [], [moved(7)], None);
    p.functions = vec![f];
    p
}

#[test]
fn nested_forks_give_the_same_with_any_number_of_workers() {
    let executable = load(tree());
    for workers in [0, 1, 2, 8] {
        let options = Options { workers, ..Options::default() };
        let out = executable.run(0, vec![IValue::Int(9)], &options).unwrap();
        assert_eq!(out[0].as_int(), Ok(512), "{workers} workers");
    }
}

/// `for i in range(n): total = total + wait(fork(same, i))`
fn waits(n: i64) -> Program {
    let mut p = Program { constants: vec![IValue::Int(0), IValue::Bool(true), IValue::Int(n)], ..Program::default() };
    let add = p.operator_id("aten::add.int");
    let mut f = function("waits", 0, 6, 1);
    f.push(Op::Constant(0), [0], [], None);
    f.push(Op::Constant(0), [1], [], None);
    f.push(Op::Constant(1), [2], [], None);
    f.push(Op::Constant(2), [3], [], None);
    let top = f.push(Op::LoopUnless(0), [], [copy(1), copy(3), copy(2)], None);
    f.push(Op::Fork(1), [4], [copy(1)], None);
    f.push(Op::Wait, [5], [moved(4)], None);
    f.push(Op::Call(add), [0], [moved(0), moved(5)], None);
    f.push(Op::Next, [1], [moved(1)], None);
    f.push(Op::Jump(top), [], [], None);
    let end = f.push(Op::Store, [], [moved(0)], None);
    f.set_target(top, end);
    let mut same = function("same", 1, 1, 1);
    same.push(Op::Store, [], [moved(0)], None);
    p.functions = vec![f, same];
    p
}

#[test]
fn ten_thousand_waits_on_a_pool_of_one_end() {
    let executable = load(waits(10_000));
    for workers in [0, 1] {
        let options = Options { workers, ..Options::default() };
        let out = executable.run(0, vec![], &options).unwrap();
        assert_eq!(out[0].as_int(), Ok(10_000 * 9_999 / 2));
    }
}

/// Two tasks that wait for each other's futures, which they find in a list.
fn circle() -> Program {
    let mut p = Program {
        constants: vec![IValue::Int(0), IValue::Int(1)],
        types: vec![Type::list(Type::Any)],
        ..Program::default()
    };
    let [append, item] = ["aten::append.t", "aten::__getitem__.t"].map(|n| p.operator_id(n));
    let mut f = function("circle", 0, 6, 1);
    f.push(Op::ListConstruct(0), [0], [], None);
    f.push(Op::Constant(0), [1], [], None);
    f.push(Op::Constant(1), [2], [], None);
    f.push(Op::Fork(1), [3], [copy(0), copy(2)], None);
    f.push(Op::Fork(1), [4], [copy(0), copy(1)], None);
    f.push(Op::Call(append), [], [copy(0), copy(3)], None);
    f.push(Op::Call(append), [], [copy(0), copy(4)], None);
    f.push(Op::Wait, [5], [moved(3)], None);
    f.push(Op::Store, [], [moved(5)], None);
    let mut g = function("other", 2, 4, 1);
    g.push(Op::Call(item), [2], [moved(0), moved(1)], None);
    g.push(Op::Wait, [3], [moved(2)], None);
    g.push(Op::Store, [], [moved(3)], None);
    p.functions = vec![f, g];
    p
}

#[test]
fn tasks_that_wait_for_each_other_are_an_error() {
    // With no worker beside the caller the tasks begin after both futures are in the list.
    let error = load(circle()).run(0, vec![], &Options::default()).unwrap_err();
    assert_eq!(error.cause, Cause::Deadlock);
    assert!(error.to_string().contains("every task waits for another"), "{error}");
}

#[test]
fn a_program_that_waits_on_one_thread_goes_on_on_another() {
    // def f(future, n): return wait(future) + n
    let mut p = Program::default();
    let add = p.operator_id("aten::add.int");
    let mut f = function("f", 2, 3, 1);
    f.push(Op::Wait, [2], [moved(0)], None);
    f.push(Op::Call(add), [2], [moved(2), moved(1)], None);
    f.push(Op::Store, [], [moved(2)], None);
    p.functions = vec![f];
    let executable = load(p);
    let (future, options) = (Future::pending(), Options::default());
    let inputs = vec![IValue::Future(future.clone()), IValue::Int(2)];
    let mut execution = executable.begin(0, inputs, &options).unwrap();
    let waits_for = match execution.resume().unwrap() {
        Progress::Waiting(f) => f,
        Progress::Finished(_) => panic!("nobody has completed the future"),
    };
    assert!(Arc::ptr_eq(&waits_for, &future));
    let bytes = execution.state_bytes();
    assert!((100..100_000).contains(&bytes), "{bytes} bytes of state");
    println!("a frame of three registers that waits: {bytes} bytes");
    // Still waiting.
    assert!(matches!(execution.resume(), Ok(Progress::Waiting(_))));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            future.complete(Ok(IValue::Int(40)));
            match execution.resume().unwrap() {
                Progress::Finished(out) => assert_eq!(out[0].as_int(), Ok(42)),
                Progress::Waiting(_) => panic!("the future is there"),
            }
        });
    });
}

#[test]
fn an_exception_of_a_nested_task_is_raised_at_wait() {
    let mut p = Program { constants: vec![IValue::str("deep")], ..Program::default() };
    let mut outer = function("outer", 0, 2, 1);
    outer.push(Op::Fork(1), [0], [], None);
    outer.push(Op::Wait, [1], [moved(0)], None);
    outer.push(Op::Store, [], [moved(1)], None);
    let mut middle = outer.clone();
    middle.code[1].op = Op::Fork(2);
    let mut inner = function("inner", 0, 1, 1);
    inner.push(Op::Constant(0), [0], [], None);
    inner.push(Op::Raise, [], [moved(0)], None);
    p.functions = vec![outer, middle, inner];
    let executable = load(p);
    for workers in [0, 1, 2, 8] {
        let error = executable.run(0, vec![], &Options { workers, ..Options::default() }).unwrap_err();
        assert!(error.message.contains("deep"), "{error}");
    }
}

#[test]
fn eight_threads_run_one_executable_with_equal_results() {
    let executable = load(tree());
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let executable = &executable;
            scope.spawn(move || {
                for round in 0..200 {
                    let n = (thread + round) % 5;
                    let out = executable.run(0, vec![IValue::Int(n)], &Options::default()).unwrap();
                    assert_eq!(out[0].as_int(), Ok(1 << n));
                }
            });
        }
    });
}

#[test]
fn an_exception_in_a_with_statement_restores_the_gradient_mode() {
    let no_grad = Class::new("__torch__.torch.autograd.grad_mode.no_grad".into(), vec![], vec![]);
    let mut p = Program { constants: vec![IValue::str("no")], classes: vec![no_grad], ..Program::default() };
    let enabled = p.operator_id("aten::is_grad_enabled");
    let mut f = function("f", 0, 4, 1);
    f.push(Op::CreateObject(0), [0], [], None);
    f.push(Op::Enter, [1], [copy(0)], None);
    f.push(Op::Constant(0), [3], [], None);
    f.push(Op::Raise, [], [moved(3)], None);
    let mut g = function("g", 0, 4, 1);
    g.push(Op::CreateObject(0), [0], [], None);
    g.push(Op::Enter, [1], [copy(0)], None);
    g.push(Op::Call(enabled), [2], [], None);
    g.push(Op::Exit, [1], [moved(0)], None);
    g.push(Op::Call(enabled), [3], [], None);
    g.push(Op::TupleConstruct, [2], [moved(2), moved(3)], None);
    g.push(Op::Store, [], [moved(2)], None);
    p.functions = vec![f, g];
    let executable = load(p);
    assert!(executable.run(0, vec![], &Options::default()).is_err());
    assert!(sconce_kernels::grad::enabled());
    let out = executable.run(1, vec![], &Options::default()).unwrap();
    assert_eq!(format!("{:?}", out[0]), "(false, true)");
}
