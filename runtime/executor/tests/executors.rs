//! Which plan runs a call: by mode, strategy and guard; whatever runs, the result is the interpreter's.

mod build;

use build::{Copies, chain, executor, looping, run, tensor, with};
use expect_test::expect;
use sconce_executor::{
    CompileMode, CompileRequest, Compiler, DebugState, Executor, ExecutorMode, PlanKind, Settings, Setup, last_executed,
};
use sconce_interpreter::{Executable, Options, Program};
use sconce_kernels::grad;
use sconce_tensor::IValue;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn compiling(strategy: &str, more: Settings) -> (Executor, Arc<Copies>) {
    let copies = Arc::new(Copies::default());
    let settings = Settings { compile: CompileMode::Now, fusion: strategy.parse().unwrap(), ..more };
    (with(chain(), Setup { settings, compiler: Some(copies.clone()), ..Setup::default() }), copies)
}

fn pair(sizes: &[i64]) -> [IValue; 2] {
    [tensor(sizes), tensor(sizes)]
}

fn counters(executor: &Executor) -> sconce_executor::Counters {
    match executor.debug_state() {
        DebugState::Ready { counters, .. } => counters,
        DebugState::Profiling { .. } => Default::default(),
    }
}

#[test]
fn strategies_say_how_often_and_how_tightly() {
    let (executor, copies) = compiling("STATIC 2, DYNAMIC 1", Settings::default());
    let expected =
        run(&self::executor(chain(), Settings { mode: ExecutorMode::Off, ..Settings::default() }), &pair(&[2, 3]));
    for size in [3, 3, 4, 5, 6, 1, 3, 4] {
        run(&executor, &pair(&[2, size]));
    }
    assert_eq!(run(&executor, &pair(&[2, 3])), expected);
    expect![[r#"
        STATIC: Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu), Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)
        STATIC: Float(2, 4, strides=[4, 1], requires_grad=0, device=cpu), Float(2, 4, strides=[4, 1], requires_grad=0, device=cpu)
        DYNAMIC: Float(SS(-1), SS(-2), requires_grad=0, device=cpu), Float(SS(-1), SS(-2), requires_grad=0, device=cpu)"#]]
    .assert_eq(&copies.requests.lock().unwrap().join("\n"));
    // A size of 1 may be broadcast: no plan takes it, and none is made any more.
    expect![[r#"
        profiling, 4 plans
          Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu), Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu): compiled STATIC, 3 runs
          Float(2, 4, strides=[4, 1], requires_grad=0, device=cpu), Float(2, 4, strides=[4, 1], requires_grad=0, device=cpu): compiled STATIC, 2 runs
          Float(SS(-1), SS(-2), requires_grad=0, device=cpu), Float(SS(-1), SS(-2), requires_grad=0, device=cpu): compiled DYNAMIC, 2 runs
          any arguments: interpreted, 1 runs
        4 hits, 5 misses, 3 fallbacks, 3 compiled, 0 failed"#]]
    .assert_eq(&executor.debug_state().to_string());
}

#[test]
fn depth_nought_never_specialises() {
    for strategy in ["STATIC 0", ""] {
        let (executor, copies) = compiling(strategy, Settings::default());
        (0..3).for_each(|_| drop(run(&executor, &pair(&[2, 3]))));
        assert!(executor.profile().is_none());
        assert_eq!(
            (executor.plan_for(&pair(&[2, 3])).kind(), copies.count.load(Ordering::Relaxed)),
            (PlanKind::Interpreted, 0)
        );
    }
}

#[test]
fn runs_are_watched_as_often_as_is_said() {
    for runs in 0..4 {
        let (executor, _) = compiling("STATIC 2", Settings { profiled_runs: runs, ..Settings::default() });
        for left in (1..=runs).rev() {
            assert_eq!(executor.debug_state().to_string(), format!("profiling, {left} runs left"));
            assert_eq!(executor.plan_for(&pair(&[2, 3])).kind(), PlanKind::Profiling);
            run(&executor, &pair(&[2, 3]));
        }
        assert!(matches!(executor.plan_for(&pair(&[2, 3])).kind(), PlanKind::Compiled(_)), "{runs}");
    }
}

#[test]
fn runs_that_disagree_make_a_plan_for_what_they_have_in_common() {
    let (executor, copies) = compiling("STATIC 1", Settings { profiled_runs: 2, ..Settings::default() });
    for size in [3, 4, 5] {
        run(&executor, &pair(&[2, size]));
    }
    let common = "STATIC: Float(2, *, requires_grad=0, device=cpu), Float(2, *, requires_grad=0, device=cpu)";
    assert_eq!(*copies.requests.lock().unwrap(), [common]);
    assert_eq!(executor.plan_for(&pair(&[2, 77])).kind().to_string(), "compiled STATIC");
    assert_eq!(executor.plan_for(&pair(&[3, 77])).kind().to_string(), "interpreted");
}

#[test]
fn the_plan_for_a_call_is_the_one_that_runs_it() {
    for mode in [ExecutorMode::Profiling, ExecutorMode::Traditional, ExecutorMode::Off] {
        let (executor, _) = compiling("STATIC 1, DYNAMIC 1", Settings { mode, ..Settings::default() });
        for sizes in [[2, 3], [2, 3], [4, 4], [5, 2], [1, 1], [2, 3]] {
            let plan = executor.plan_for(&pair(&sizes));
            let before = plan.runs();
            let outputs = run(&executor, &pair(&sizes));
            assert_eq!(plan.runs(), before + 1, "{mode}");
            assert!(Arc::ptr_eq(&last_executed().unwrap(), &plan));
            // By hand it gives the same; arguments that are not its own go to its fallback.
            let by_hand = |sizes| {
                plan.run(pair(sizes).to_vec(), &Options::default()).unwrap()[0].as_tensor().unwrap().to_vec::<f32>()
            };
            assert_eq!(by_hand(&sizes), outputs);
            assert_eq!(by_hand(&[1, 2, 3]).len(), 6);
        }
    }
    assert!(last_executed().is_none(), "no plan outlives its executor");
}

#[test]
fn the_traditional_executor_has_a_plan_for_each_spec_and_no_more_than_it_may() {
    let (executor, copies) =
        compiling("STATIC 1", Settings { mode: ExecutorMode::Traditional, plan_limit: 2, ..Settings::default() });
    for sizes in [&[2, 3][..], &[4, 1], &[5], &[1, 1, 1], &[6, 1], &[1, 1, 2]] {
        run(&executor, &pair(sizes));
    }
    expect![[r#"
        traditional, 2 plans
          Float(*, *, requires_grad=0, device=cpu), Float(*, *, requires_grad=0, device=cpu): compiled, 3 runs
          Float(*, requires_grad=0, device=cpu), Float(*, requires_grad=0, device=cpu): compiled, 1 runs
        2 hits, 4 misses, 0 fallbacks, 2 compiled, 0 failed, 2 refused"#]]
    .assert_eq(&executor.debug_state().to_string());
    assert_eq!(copies.count.load(Ordering::Relaxed), 2);
}

#[test]
fn gradients_have_plans_of_their_own() {
    let (executor, copies) = compiling("STATIC 2", Settings { mode: ExecutorMode::Traditional, ..Settings::default() });
    let inputs = pair(&[2, 3]);
    run(&executor, &inputs);
    inputs[0].as_tensor().unwrap().set_requires_grad(true);
    run(&executor, &inputs);
    let outputs = executor.run(inputs.to_vec(), &Options::default()).unwrap();
    assert!(outputs[0].as_tensor().unwrap().requires_grad());
    let before = grad::enable(false);
    run(&executor, &inputs);
    grad::enable(before);
    assert_eq!((counters(&executor).misses, copies.count.load(Ordering::Relaxed)), (2, 2));
}

#[test]
fn modes_reach_executors_that_are_made_after() {
    let before = executor(chain(), Settings::current());
    {
        let _scope = Settings { mode: ExecutorMode::Traditional, ..Settings::current() }.enter();
        let inside = executor(chain(), Settings::current());
        run(&inside, &pair(&[2, 3]));
        run(&before, &pair(&[2, 3]));
        assert_eq!(
            (inside.settings().mode, before.settings().mode),
            (ExecutorMode::Traditional, ExecutorMode::Profiling)
        );
        assert!(inside.profile().is_none() && before.profile().is_some());
        let other_thread = std::thread::spawn(|| Settings::current().mode).join().unwrap();
        assert_eq!(other_thread, ExecutorMode::Profiling);
    }
    assert_eq!(Settings::current().mode, ExecutorMode::Profiling);
    assert_eq!(
        "fast".parse::<ExecutorMode>().unwrap_err().to_string(),
        "`fast` is not an executor: expected profiling, traditional, off"
    );
    for mode in ["now", "background", "off"] {
        assert_eq!(mode.parse::<CompileMode>().unwrap().to_string(), mode);
    }
}

#[test]
fn off_interprets_and_nothing_else() {
    let (executor, copies) = compiling("STATIC 2", Settings { mode: ExecutorMode::Off, ..Settings::default() });
    (0..5).for_each(|_| drop(run(&executor, &pair(&[2, 3]))));
    assert_eq!(
        executor.debug_state().to_string(),
        "off, 1 plans\n  any arguments: interpreted, 5 runs\n0 hits, 0 misses, 0 fallbacks, 0 compiled, 0 failed"
    );
    assert!(executor.fallback().static_module().is_none() && copies.count.load(Ordering::Relaxed) == 0);
}

/// A setup whose report is kept.
fn reported(compiler: impl Compiler + 'static, compile: CompileMode) -> (Setup, Arc<Mutex<Vec<String>>>) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = lines.clone();
    let settings = Settings { compile, compile_after: Duration::ZERO, ..Settings::default() };
    let report: sconce_executor::Report = Arc::new(move |line| kept.lock().unwrap().push(line.to_owned()));
    (Setup { settings, compiler: Some(Arc::new(compiler)), report: Some(report), ..Setup::default() }, lines)
}

#[test]
fn a_compilation_that_fails_costs_one_line() {
    type Fails = fn(&CompileRequest) -> Result<Program, String>;
    let failures: [(&str, Fails); 4] = [
        ("no lowering", |_| Err("no lowering\nand more of it".into())),
        ("the compiler panicked", |_| panic!("inside")),
        ("the compiled program has no function", |_| Ok(Program::default())),
        ("the compiled function takes 1 arguments, not 2", |_| Ok(build::first_of(1))),
    ];
    let expected = run(&executor(chain(), Settings::default()), &pair(&[2, 3]));
    for (why, fails) in failures {
        for mode in [CompileMode::Now, CompileMode::Background] {
            let (setup, lines) = reported(fails, mode);
            let executor = with(chain(), setup);
            for _ in 0..20 {
                assert_eq!(run(&executor, &pair(&[2, 3])), expected);
                executor.settle();
            }
            let lines = lines.lock().unwrap();
            assert_eq!(lines.len(), 1, "{lines:?}");
            assert!(
                lines[0].starts_with("f stays interpreted for (Float(2, 3, ") && lines[0].contains(why),
                "{}",
                lines[0]
            );
            assert!(!lines[0].contains('\n'));
            assert_eq!(counters(&executor).failed, 1);
        }
    }
}

#[test]
fn regions_that_cannot_be_bound_fail_the_plan() {
    let (mut setup, lines) = reported(Copies::default(), CompileMode::Now);
    setup.bind = Some(Arc::new(|_| Err("no linker".into())));
    let executor = with(chain(), setup);
    (0..3).for_each(|_| drop(run(&executor, &pair(&[2, 3]))));
    assert!(lines.lock().unwrap()[0].ends_with(": no linker"));
}

#[test]
fn calls_go_on_while_it_compiles() {
    let gate = Arc::new((Mutex::new(false), std::sync::Condvar::new()));
    let door = gate.clone();
    let waits = move |request: &CompileRequest| {
        let open = door.1.wait_while(door.0.lock().unwrap(), |open| !*open).unwrap();
        drop(open);
        Ok(Program::clone(&request.program))
    };
    let (setup, _) = reported(waits, CompileMode::Background);
    let executor = with(chain(), setup);
    let expected = run(&executor, &pair(&[2, 3]));
    for _ in 0..10 {
        assert_eq!(run(&executor, &pair(&[2, 3])), expected);
        assert_eq!(executor.plan_for(&pair(&[2, 3])).kind(), PlanKind::Interpreted);
    }
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    executor.settle();
    assert!(matches!(executor.plan_for(&pair(&[2, 3])).kind(), PlanKind::Compiled(_)));
    assert_eq!(run(&executor, &pair(&[2, 3])), expected);
}

#[test]
fn nothing_is_compiled_before_it_pays() {
    let (mut setup, _) = reported(Copies::default(), CompileMode::Background);
    setup.settings.compile_after = Duration::from_secs(3600);
    let executor = with(chain(), setup);
    (0..100).for_each(|_| drop(run(&executor, &pair(&[2, 3]))));
    executor.settle();
    assert_eq!(counters(&executor).compiled, 0);
}

/// Calls that are made before compiling pays are not watched, but the first plan is for what they have in common.
#[test]
fn waiting_for_compilation_to_pay_arguments_are_merged() {
    let calls_of = |sizes: &[&[i64]]| {
        let copies = Arc::new(Copies::default());
        let (mut setup, _) = reported(Copies::default(), CompileMode::Background);
        setup.compiler = Some(copies.clone());
        setup.settings.profiled_runs = 0;
        setup.settings.compile_after = Duration::from_nanos(1);
        let executor = with(chain(), setup);
        // Asking for plans takes none of the time that counts.
        for sizes in sizes {
            assert_eq!(executor.plan_for(&pair(sizes)).kind(), PlanKind::Interpreted);
        }
        (0..2).for_each(|_| drop(run(&executor, &pair(sizes[0]))));
        executor.settle();
        assert!(executor.profile().is_none());
        let requests = copies.requests.lock().unwrap().clone();
        (executor, requests)
    };
    let (executor, requests) = calls_of(&[&[2, 3], &[2, 4], &[2, 3]]);
    let common = "STATIC: Float(2, *, requires_grad=0, device=cpu), Float(2, *, requires_grad=0, device=cpu)";
    assert_eq!(requests, [common]);
    assert_eq!(executor.plan_for(&pair(&[2, 77])).kind().to_string(), "compiled STATIC");
    // Of what has no rank in common there is no code: the plan is for the call at hand.
    let (_, requests) = calls_of(&[&[2, 3], &[4]]);
    let own = "Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)";
    assert_eq!(requests, [format!("STATIC: {own}, {own}")]);
}

#[test]
fn call_1_and_call_1000_have_the_same_bits() {
    for (program, inputs) in [(chain(), pair(&[7, 33])), (looping(), [tensor(&[9]), IValue::Int(4)])] {
        let alone = Executable::new(Arc::new(program.clone())).unwrap();
        let expected =
            alone.run(0, inputs.to_vec(), &Options::default()).unwrap()[0].as_tensor().unwrap().to_vec::<f32>();
        for mode in [ExecutorMode::Profiling, ExecutorMode::Traditional, ExecutorMode::Off] {
            for compile in [CompileMode::Now, CompileMode::Background, CompileMode::Off] {
                let (mut setup, _) = reported(Copies::default(), compile);
                setup.settings.mode = mode;
                let executor = with(program.clone(), setup);
                for _ in 0..1000 {
                    let bits = |values: Vec<f32>| values.into_iter().map(f32::to_bits).collect::<Vec<_>>();
                    assert_eq!(bits(run(&executor, &inputs)), bits(expected.clone()), "{mode} {compile}");
                }
            }
        }
    }
}

#[test]
fn static_plans_run_what_suits_them() {
    let executor = executor(chain(), Settings::default());
    (0..3).for_each(|_| drop(run(&executor, &pair(&[2, 3]))));
    assert!(executor.fallback().static_module().is_some());
    let inputs = pair(&[2, 3]);
    inputs[1].as_tensor().unwrap().set_requires_grad(true);
    let outputs = executor.run(inputs.to_vec(), &Options::default()).unwrap();
    assert!(outputs[0].as_tensor().unwrap().requires_grad(), "what static plans do not know is interpreted");
    let loops = self::executor(looping(), Settings::default());
    (0..3).for_each(|_| drop(run(&loops, &[tensor(&[4]), IValue::Int(2)])));
    assert!(loops.fallback().static_module().is_none());
}

#[test]
fn eight_threads_share_an_executor() {
    for mode in [ExecutorMode::Profiling, ExecutorMode::Traditional] {
        let (mut setup, _) = reported(Copies::default(), CompileMode::Background);
        setup.settings.mode = mode;
        let executor = with(chain(), setup);
        let calls: Vec<_> = (1..7).map(|n| pair(&[2, n])).collect();
        let alone = Executable::new(Arc::new(chain())).unwrap();
        let expected: Vec<_> = calls
            .iter()
            .map(|c| alone.run(0, c.to_vec(), &Options::default()).unwrap()[0].as_tensor().unwrap().to_vec::<f32>())
            .collect();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (executor, calls, expected) = (&executor, &calls, &expected);
                scope.spawn(move || {
                    for i in 0..200 {
                        let at = (i + thread) % calls.len();
                        assert_eq!(run(executor, &calls[at]), expected[at]);
                        if i % 50 == thread {
                            let _ = executor.debug_state().to_string();
                        }
                    }
                });
            }
        });
        executor.settle();
        assert!(counters(&executor).compiled >= 1);
    }
}
