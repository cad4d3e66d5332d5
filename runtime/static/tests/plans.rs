//! Plans by the way they are made: places, growth, outputs, borrowing, blocks, tasks, threads.

mod build;

use build::{Code, chain, control, conv_net, copies, forks, interpreted, lstm_cell, mlp, planned, tensor, text};
use expect_test::expect;
use sconce_interpreter::program::{FunctionId, Op};
use sconce_interpreter::{Cause, Options as RunOptions, Program};
use sconce_kernels::Outputs;
use sconce_schema::Type;
use sconce_static::{Launcher, LoadError, Options, StaticModule, StaticRuntime};
use sconce_tensor::{Dict, DictKey, IValue};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

type Make = fn(&mut Program) -> FunctionId;

const NETS: &[(Make, &[&[i64]])] =
    &[(mlp, &[&[8, 16]]), (lstm_cell, &[&[2, 8], &[2, 8], &[2, 8]]), (conv_net, &[&[2, 1, 8, 8]])];

fn inputs(sizes: &[&[i64]], seed: u64) -> Vec<IValue> {
    (seed..).zip(sizes).map(|(seed, sizes)| tensor(sizes, seed)).collect()
}

#[test]
fn modules_are_shared_and_instances_sent() {
    fn shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    shared::<StaticModule>();
    sent::<StaticRuntime<'_>>();
}

#[test]
fn no_option_changes_a_result() {
    for (make, sizes) in NETS {
        let mut program = Program::default();
        let f = make(&mut program);
        for options in Options::all() {
            let module = planned(&program, f, options);
            let (mut first, mut held) = (module.runtime(), Vec::new());
            let mut second = first.clone();
            for seed in 0..4 {
                let given = inputs(sizes, seed);
                let expected = text(&interpreted(&program, f, &copies(&given)).unwrap());
                for runtime in [&mut first, &mut second] {
                    let got = runtime.run(&given).unwrap();
                    assert_eq!(text(&got), expected, "{options}");
                    held.push((got, expected.clone()));
                }
                assert_eq!(text(&module.run(&given, &RunOptions::default()).unwrap()), expected, "{options}");
            }
            held.iter().for_each(|(got, expected)| assert_eq!(&text(got), expected, "{options}"));
        }
    }
}

#[test]
fn options_go_by_pytorchs_names() {
    let mut options = Options::default();
    assert!(options.set("manage_output_tensors", false) && !options.set("enable_tensorexpr", true));
    expect!["enable_out_variant=true optimize_memory=true manage_output_tensors=false use_copy_variants=false use_maybe_copy_variants=true"]
        .assert_eq(&options.to_string());
    assert_eq!((Options::names().count(), Options::all().count()), (5, 32));
}

#[test]
fn what_is_unpacked_is_borrowed() {
    let mut program = Program::default();
    let pair = Type::Tuple([Type::tensor(), Type::tensor()].into());
    let mut c = Code::new(&mut program, "unpack", &[pair]);
    let parts = c.op(Op::TupleUnpack, &[0], 2);
    let seen = c.call("test::uses", &parts);
    let one = c.constant(1i64);
    let sum = c.call("aten::add.Tensor", &[parts[0], parts[1], one]);
    let f = c.finish(&[seen, sum]);
    // Who looks at a borrowed value sees the container's hold and the look itself.
    let uses: sconce_interpreter::CustomKernel = Arc::new(|args| {
        let count = |v: &IValue| v.as_tensor().map(|t| IValue::Int(t.use_count() as i64)).unwrap();
        Ok([IValue::tuple(args.iter().map(count))].into_iter().collect())
    });
    let custom = [("test::uses".to_owned(), uses)].into_iter().collect();
    let module = StaticModule::new(&program, f, &custom, Options::default()).unwrap();
    let outputs = module.run(&[IValue::tuple(inputs(&[&[2], &[2]], 2))], &RunOptions::default()).unwrap();
    assert_eq!(format!("{:?}", outputs[0]), "(2, 2)");
}

#[test]
fn what_a_dictionary_lacks_is_the_error_it_would_be() {
    let mut program = Program::default();
    let dict = Type::Dict(Type::Str.into(), Type::tensor().into());
    let mut c = Code::new(&mut program, "find", &[dict]);
    let key = c.constant("k");
    let found = c.call("aten::__getitem__.Dict_str", &[0, key]);
    let one = c.constant(1i64);
    let sum = c.call("aten::add.Tensor", &[found, found, one]);
    let f = c.finish(&[sum]);
    let module = planned(&program, f, Options::default());
    assert!(module.listing().contains("borrow %0[%1]"), "{}", module.listing());
    let (empty, full) = (Dict::new(Type::Str, Type::tensor()), Dict::new(Type::Str, Type::tensor()));
    full.write().insert(DictKey::from_value(&"k".into()).unwrap(), tensor(&[2], 1));
    for given in [[IValue::Dict(full)], [IValue::Dict(empty)]] {
        let expected = interpreted(&program, f, &given).map(|v| text(&v)).map_err(|e| e.to_string());
        let got = module.run(&given, &RunOptions::default());
        assert_eq!(got.map(|v| text(&v)).map_err(|e| e.to_string()), expected);
    }
}

#[test]
fn plans_are_for_inference() {
    let mut program = Program::default();
    let f = chain(&mut program);
    let module = planned(&program, f, Options::default());
    let x = tensor(&[2], 1);
    x.as_tensor().unwrap().set_requires_grad(true);
    let x = [x];
    assert!(!module.accepts(&x));
    let refused = module.run(&x, &RunOptions::default()).unwrap_err();
    assert_eq!(refused.cause, Cause::Argument);
    assert!(refused.message.contains("inference only"), "{refused}");
    let before = sconce_kernels::grad::enable(false);
    let outputs = module.run(&x, &RunOptions::default());
    sconce_kernels::grad::enable(before);
    assert!(!outputs.unwrap()[0].as_tensor().unwrap().requires_grad());
}

#[test]
fn an_operator_that_nobody_has_is_refused_at_once() {
    let mut program = Program::default();
    let mut c = Code::new(&mut program, "f", &[Type::tensor()]);
    let y = c.call("nobody::has", &[0]);
    let f = c.finish(&[y]);
    let refused = StaticModule::new(&program, f, &Default::default(), Options::default()).err().unwrap();
    assert!(matches!(&refused, LoadError::Missing(m) if m.0.contains_key("nobody::has")), "{refused}");
}

#[test]
fn forks_run_on_the_launcher_that_is_given() {
    let mut program = Program::default();
    let f = forks(&mut program);
    let module = planned(&program, f, Options::default());
    let x = [tensor(&[3, 3], 1)];
    let expected = text(&interpreted(&program, f, &x).unwrap());
    let run = |launcher: Option<Launcher>| {
        let future = module.run_async(&x, &RunOptions::default(), launcher);
        future.wait().unwrap()
    };
    for _ in 0..20 {
        assert_eq!(text(&module.run(&x, &RunOptions::default()).unwrap()), expected);
        assert_eq!(text(&[run(None)]), expected);
    }
    // A pool of one thread that is given twelve tasks, of which six wait for the others.
    let (sender, receiver) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
    let worker = std::thread::spawn(move || receiver.into_iter().for_each(|task| task()));
    let launched = Arc::new(AtomicUsize::new(0));
    let (count, sender) = (launched.clone(), Mutex::new(sender));
    let launcher: Launcher = Arc::new(move |task| {
        count.fetch_add(1, Ordering::Relaxed);
        sender.lock().unwrap().send(task).unwrap();
    });
    for _ in 0..20 {
        assert_eq!(text(&[run(Some(launcher.clone()))]), expected);
    }
    assert_eq!(launched.load(Ordering::Relaxed), 20 * 12);
    drop(launcher);
    worker.join().unwrap();
}

#[test]
fn eight_threads_run_one_module() {
    for (make, sizes) in NETS {
        let mut program = Program::default();
        let f = make(&mut program);
        let module = planned(&program, f, Options { manage_output_tensors: true, ..Options::default() });
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (module, program) = (&module, &program);
                scope.spawn(move || {
                    let given = inputs(sizes, thread * 100);
                    let expected = text(&interpreted(program, f, &copies(&given)).unwrap());
                    let mut own = module.runtime();
                    let mut last: Option<Outputs> = None;
                    for i in 0..1000 {
                        let got = if i % 2 == 0 { module.run(&given, &RunOptions::default()) } else { own.run(&given) };
                        let got = got.unwrap();
                        assert_eq!(text(&got), expected);
                        if let Some(last) = last.replace(got) {
                            assert_eq!(text(&last), expected);
                        }
                    }
                });
            }
        });
    }
}

#[test]
fn fuel_and_cancellation_end_a_loop() {
    let mut program = Program::default();
    let f = control(&mut program);
    let module = planned(&program, f, Options::default());
    let given = [tensor(&[2], 1), IValue::Int(i64::MAX), IValue::Bool(true)];
    let options = RunOptions { fuel: Some(10_000), ..RunOptions::default() };
    assert_eq!(module.run(&given, &options).unwrap_err().cause, Cause::Fuel);
    let cancel = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let options = RunOptions { cancel: Some(cancel), ..RunOptions::default() };
    assert_eq!(module.run(&given, &options).unwrap_err().cause, Cause::Cancelled);
}
