//! Programs assembled by hand: control flow, calls, tasks, errors and limits.

mod common;

use common::{copy, function, moved};
use sconce_interpreter::program::{Class, Function, Op, Place, Program, Target};
use sconce_interpreter::{Cause, CompiledRegion, CustomKernel, Executable, Fuel, Options, RegionCounts, RunError};
use sconce_kernels::Outputs;
use sconce_schema::Type;
use sconce_tensor::{IValue, Tensor};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

fn run(program: &Program, inputs: Vec<IValue>, options: &Options) -> Result<Outputs, RunError> {
    Executable::new(Arc::new(program.clone())).expect("the test's program is sound").run(0, inputs, options)
}

fn int(v: &IValue) -> i64 {
    v.as_int().expect("an int")
}

/// `total = 0; for i in range(n): total = step(i)` with the callee at function 1.
fn counting(step: Function) -> Program {
    let mut program = Program { constants: vec![IValue::Int(0), IValue::Bool(true)], ..Program::default() };
    // 0 n, 1 i, 2 total, 3 true
    let mut f = function("count", 1, 4, 1);
    f.push(Op::Constant(0), [1], [], None);
    f.push(Op::Constant(0), [2], [], None);
    f.push(Op::Constant(1), [3], [], None);
    let top = f.push(Op::LoopUnless(0), [], [copy(1), copy(0), copy(3)], None);
    f.push(Op::CallFunction(1), [2], [copy(1)], None);
    f.push(Op::Next, [1], [moved(1)], None);
    f.push(Op::Jump(top), [], [], None);
    let end = f.push(Op::Store, [], [moved(2)], None);
    f.set_target(top, end);
    program.functions = vec![f, step];
    program
}

fn identity(name: &str) -> Function {
    let mut f = function(name, 1, 1, 1);
    f.push(Op::Store, [], [moved(0)], None);
    f
}

#[test]
fn a_loop_with_calls_counts() {
    let program = counting(identity("id"));
    let out = run(&program, vec![IValue::Int(10)], &Options::default()).unwrap();
    assert_eq!(int(&out[0]), 9);
    let none = run(&program, vec![IValue::Int(0)], &Options::default()).unwrap();
    assert_eq!(int(&none[0]), 0);
}

#[test]
fn fuel_and_cancellation_end_a_loop_that_does_not() {
    let program = counting(identity("id"));
    let options = Options { fuel: Some(100_000), ..Options::default() };
    let error = run(&program, vec![IValue::Int(i64::MAX)], &options).unwrap_err();
    assert_eq!(error.cause, Cause::Fuel);
    assert!(run(&program, vec![IValue::Int(1000)], &options).is_ok());

    let cancelled = Options { cancel: Some(Arc::new(AtomicBool::new(true))), ..Options::default() };
    let error = run(&program, vec![IValue::Int(i64::MAX)], &cancelled).unwrap_err();
    assert_eq!(error.cause, Cause::Cancelled);
}

#[test]
#[cfg_attr(miri, ignore = "a deep stack, slowly")]
fn endless_recursion_is_an_error_with_a_bounded_depth() {
    let mut f = function("forward", 1, 2, 1);
    f.push(Op::CallFunction(0), [1], [moved(0)], None);
    f.push(Op::Store, [], [moved(1)], None);
    let program = Program { functions: vec![f], ..Program::default() };
    let options = Options { max_depth: 50_000, ..Options::default() };
    let error = run(&program, vec![IValue::Int(1)], &options).unwrap_err();
    assert_eq!((error.cause, error.trace.len()), (Cause::Depth, 50_000));
    assert_eq!(error.last_line(), "RecursionError: maximum recursion depth exceeded");
}

#[test]
fn the_last_use_lets_a_tensor_die() {
    // The list takes the tensor over, and dropping the list frees it before the function returns.
    let mut f = function("f", 1, 2, 1);
    f.push(Op::ListConstruct(0), [1], [moved(0)], None);
    f.push(Op::Drop, [], [moved(1)], None);
    f.push(Op::Raise, [], [copy(0)], None);
    let program = Program { functions: vec![f], types: vec![Type::list(Type::tensor())], ..Program::default() };
    let t = Tensor::from_vec(vec![1f32; 4], &[4]);
    let storage = t.storage();
    let _ = run(&program, vec![IValue::Tensor(t)], &Options::default());
    assert_eq!(storage.use_count(), 1);
}

/// `futures = [fork(work, i) for i in range(n)]; return [wait(f) for f in futures]`, unrolled.
fn forking(n: u32, work: Function) -> Program {
    let mut f = function("f", 0, 3 * n + 1, 1);
    let mut constants = Vec::new();
    for i in 0..n {
        constants.push(IValue::Int(i64::from(i)));
        f.push(Op::Constant(i), [3 * i], [], None);
        f.push(Op::Fork(1), [3 * i + 1], [moved(3 * i)], None);
    }
    for i in 0..n {
        f.push(Op::Wait, [3 * i + 2], [moved(3 * i + 1)], None);
    }
    f.push(Op::ListConstruct(0), [3 * n], (0..n).map(|i| moved(3 * i + 2)), None);
    f.push(Op::Store, [], [moved(3 * n)], None);
    Program { functions: vec![f, work], constants, types: vec![Type::list(Type::Int)], ..Program::default() }
}

#[test]
fn tasks_give_their_results_with_any_number_of_workers() {
    // Each task forks another and waits for it, so a worker that blocked in `wait` would starve the pool.
    let mut work = function("work", 1, 3, 1);
    work.push(Op::Fork(2), [1], [moved(0)], None);
    work.push(Op::Wait, [2], [moved(1)], None);
    work.push(Op::Store, [], [moved(2)], None);
    let mut program = forking(2000, work);
    program.functions.push(identity("inner"));
    for workers in [0, 1, 2, 8] {
        let out = run(&program, vec![], &Options { workers, ..Options::default() }).unwrap();
        let items = out[0].as_int_list().unwrap();
        assert!(items.iter().copied().eq(0..2000), "{workers} workers");
    }
}

#[test]
fn a_tasks_exception_is_raised_where_it_is_waited_for() {
    let mut work = function("bad", 1, 2, 1);
    work.push(Op::Constant(0), [1], [], None);
    work.push(Op::Raise, [], [moved(1)], None);
    let mut program = forking(1, work);
    program.constants[0] = IValue::str("broken");
    let error = run(&program, vec![], &Options::default()).unwrap_err();
    assert!(error.message.contains("RuntimeError: broken"), "{error}");
    assert_eq!(error.cause, Cause::Operator);
}

#[test]
fn tasks_that_wait_for_a_future_nobody_completes_are_an_error() {
    let mut f = function("f", 1, 2, 1);
    f.push(Op::Wait, [1], [moved(0)], None);
    f.push(Op::Store, [], [moved(1)], None);
    let program = Program { functions: vec![f], ..Program::default() };
    for workers in [0, 2] {
        let pending = IValue::Future(sconce_tensor::Future::pending());
        let options = Options { workers, ..Options::default() };
        assert_eq!(run(&program, vec![pending], &options).unwrap_err().cause, Cause::Deadlock);
    }
}

#[test]
fn an_exception_has_its_class_message_and_places() {
    let mut program =
        Program { constants: vec![IValue::str("no"), IValue::str("builtins.ValueError")], ..Program::default() };
    let source = program.source_id("m.py");
    let at = |line| Some(Place { source, line, column: 4, length: 0 });
    let mut f = function("__torch__.m.outer", 0, 1, 1);
    f.push(Op::CallFunction(1), [0], [], at(9));
    f.push(Op::Store, [], [moved(0)], None);
    let mut g = function("__torch__.m.inner", 0, 2, 1);
    g.push(Op::Constant(0), [0], [], None);
    g.push(Op::Constant(1), [1], [], None);
    g.push(Op::Raise, [], [moved(0), moved(1)], at(3));
    program.functions = vec![f, g];
    let error = run(&program, vec![], &Options::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "The following operation failed in the TorchScript interpreter.\n\
         Traceback of TorchScript (most recent call last):\n  File \"m.py\", line 9, in outer\n  \
         File \"m.py\", line 3, in inner\nbuiltins.ValueError: no\n"
    );
    assert_eq!(error.python_class(), "Error");
}

#[test]
fn with_leaves_its_object_also_when_the_body_raises() {
    // class C: __enter__ and __exit__ print; with c: raise
    let names = vec!["__enter__".into(), "__exit__".into()];
    let class = Class::new("C".into(), vec![], vec![("__enter__".into(), 1), ("__exit__".into(), 2)]);
    let mut program = Program {
        names,
        classes: vec![class],
        constants: vec![IValue::str("enter"), IValue::str("exit"), IValue::str("body"), IValue::None],
        ..Program::default()
    };
    let mut f = function("f", 0, 3, 1);
    f.push(Op::CreateObject(0), [0], [], None);
    f.push(Op::Enter, [1], [copy(0)], None);
    f.push(Op::Constant(2), [2], [], None);
    f.push(Op::Raise, [], [moved(2)], None);
    let speaker = |name: &str, parameters: usize, constant| {
        let first = parameters as u32;
        let mut g = function(name, parameters, first + 1, 1);
        g.push(Op::Constant(constant), [first], [], None);
        g.push(Op::Print, [], [moved(first)], None);
        g.push(Op::Constant(3), [first], [], None);
        g.push(Op::Store, [], [moved(first)], None);
        g
    };
    program.functions = vec![f, speaker("__enter__", 1, 0), speaker("__exit__", 4, 1)];
    let printed: Arc<Mutex<Vec<u8>>> = Arc::default();
    let options = Options { output: Some(printed.clone()), ..Options::default() };
    let error = run(&program, vec![], &options).unwrap_err();
    assert_eq!(error.last_line(), "RuntimeError: body");
    assert_eq!(String::from_utf8_lossy(&printed.lock().unwrap()), "enter\nexit\n");
}

struct Doubler;
impl CompiledRegion for Doubler {
    fn run(&self, inputs: &[IValue], _: &Fuel) -> Result<Option<Outputs>, sconce_kernels::Error> {
        Ok(match &inputs[0] {
            IValue::Int(v) => Some([IValue::Int(v * 2)].into_iter().collect()),
            _ => None,
        })
    }

    fn target(&self) -> Target {
        Target::Cpu
    }
}

#[test]
fn a_region_runs_compiled_or_falls_back() {
    let mut f = function("f", 1, 2, 1);
    f.push(Op::Region(0), [1], [moved(0)], None);
    f.push(Op::Store, [], [moved(1)], None);
    let region =
        sconce_interpreter::program::Region { name: "double".into(), fallback: 1, guards: vec![], codes: vec![] };
    let program = Program { functions: vec![f, identity("fallback")], regions: vec![region], ..Program::default() };
    let executable = Executable::new(Arc::new(program)).unwrap();
    let call = |v: IValue| executable.run(0, vec![v], &Options::default()).unwrap()[0].clone();
    assert_eq!(int(&call(IValue::Int(4))), 4);
    assert!(executable.bind_region(0, Arc::new(Doubler)));
    assert_eq!(int(&call(IValue::Int(4))), 8);
    assert!(matches!(call(IValue::None), IValue::None));
    assert_eq!(executable.region_counts(0), RegionCounts { compiled: 1, fallback: 2 });
}

#[test]
fn one_executable_runs_in_many_threads() {
    let executable = Executable::new(Arc::new(counting(identity("id")))).unwrap();
    std::thread::scope(|scope| {
        for n in 1..9 {
            let executable = &executable;
            scope.spawn(move || {
                let out = executable.run(0, vec![IValue::Int(n * 100)], &Options::default()).unwrap();
                assert_eq!(int(&out[0]), n * 100 - 1);
            });
        }
    });
}

#[test]
fn a_started_run_gives_a_future() {
    let executable = Arc::new(Executable::new(Arc::new(counting(identity("id")))).unwrap());
    let stop = Arc::new(AtomicBool::new(false));
    let options = Options { cancel: Some(stop.clone()), ..Options::default() };
    // It has not ended when `start` returns: it ends when it is told to.
    let endless = executable.run_async(0, vec![IValue::Int(i64::MAX)], &options);
    assert!(endless.poll().is_none());
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(endless.wait().unwrap_err().contains("cancelled"));
    let short = executable.run_async(0, vec![IValue::Int(10)], &Options::default());
    assert_eq!(int(&short.wait().unwrap()), 9);
}

#[test]
fn arguments_of_another_kind_are_refused_before_anything_runs() {
    let mut program = counting(identity("id"));
    program.functions[0].parameters[0].ty = sconce_schema::Type::Int;
    let error = run(&program, vec![IValue::str("x")], &Options::default()).unwrap_err();
    assert_eq!(error.cause, Cause::Argument);
    assert!(
        error
            .to_string()
            .starts_with("count() Expected a value of type 'int' for argument 'p0' but instead found type 'str'.")
    );
}

#[test]
fn missing_operators_are_named_with_their_place() {
    let mut program = Program::default();
    let id = program.operator_id("aten::no_such_thing");
    let source = program.source_id("m.py");
    let mut f = function("f", 1, 2, 1);
    f.push(Op::Call(id), [1], [moved(0)], Some(Place { source, line: 7, column: 2, length: 0 }));
    f.push(Op::Store, [], [moved(1)], None);
    program.functions = vec![f];
    let program = Arc::new(program);
    let executable = Executable::new(program.clone()).unwrap();
    assert_eq!(executable.missing().to_string(), "missing operators: aten::no_such_thing at m.py:7:2");
    let error = executable.run(0, vec![IValue::Int(1)], &Options::default()).unwrap_err();
    assert_eq!((error.cause, error.trace[0].place.as_ref().map(|p| p.0.line)), (Cause::Missing, Some(7)));
    assert!(error.message.contains("aten::no_such_thing"), "{error}");
    // Who runs the program may give it.
    let double: CustomKernel = Arc::new(|args| Ok([IValue::Int(2 * args[0].as_int()?)].into_iter().collect()));
    let custom = [("aten::no_such_thing".to_owned(), double)].into();
    let executable = Executable::with_operators(program, &custom).unwrap();
    let out = executable.run(0, vec![IValue::Int(21)], &Options::default()).unwrap();
    assert_eq!(out[0].as_int(), Ok(42));
}

#[test]
fn damaged_programs_are_refused() {
    let mut f = function("f", 1, 1, 1);
    f.push(Op::Jump(77), [], [], None);
    let refuse = |f: Function| Program { functions: vec![f], ..Program::default() }.verify().unwrap_err().to_string();
    assert_eq!(refuse(f), "function 0 `f`, instruction 1: jump to 77, of 2");
    let mut f = function("f", 1, 1, 1);
    f.push(Op::Store, [], [moved(5)], None);
    assert_eq!(refuse(f), "function 0 `f`, instruction 1: register 5 of 1");
    let mut f = function("f", 1, 1, 1);
    f.push(Op::Drop, [], [moved(0)], None);
    assert_eq!(refuse(f), "function 0 `f`, instruction 0: control runs off the end");
}
