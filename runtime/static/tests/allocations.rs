//! After the first runs, a run does not touch the heap, and memory stays as it is. Alone in its process: it counts what all threads allocate.

mod build;

use build::{
    chain, containers, control, conv_net, copies, fire, growing, interpreted, lstm_cell, mlp, planned, tensor, text,
};
use sconce_interpreter::Program;
use sconce_interpreter::program::FunctionId;
use sconce_static::Options;
use sconce_tensor::allocations::{Counted, counted};
use sconce_tensor::{IValue, Memory};

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// Allocations of runs after ten, and the plan.
fn steady(make: fn(&mut Program) -> FunctionId, inputs: &[IValue]) -> (u64, String) {
    let mut program = Program::default();
    let f = make(&mut program);
    let module = planned(&program, f, Options::default());
    let mut runtime = module.runtime();
    let expected = text(&interpreted(&program, f, &copies(inputs)).unwrap());
    for _ in 0..10 {
        assert_eq!(text(&runtime.run(inputs).unwrap()), expected);
    }
    let live = Memory::live();
    let ((), made) = counted(|| (0..20).for_each(|_| drop(runtime.run(inputs).unwrap())));
    assert_eq!(Memory::live(), live);
    assert_eq!(text(&runtime.run(inputs).unwrap()), expected);
    module.run(inputs, &Default::default()).unwrap();
    (made.count, module.listing())
}

#[test]
fn steady_runs_allocate_nothing() {
    // What other threads are told to do is told over the heap.
    sconce_kernels::parallel::set_threads(1);
    let state = [tensor(&[2, 8], 1), tensor(&[2, 8], 2), tensor(&[2, 8], 3)];
    let nets = [
        ("mlp", steady(mlp, &[tensor(&[8, 16], 1)])),
        ("lstm_cell", steady(lstm_cell, &state)),
        ("conv_net", steady(conv_net, &[tensor(&[2, 1, 8, 8], 1)])),
        ("fire", steady(fire, &[tensor(&[1, 2, 8, 8], 1)])),
        ("chain", steady(chain, &[tensor(&[10, 10], 1)])),
        ("control", steady(control, &[tensor(&[4, 4], 1), IValue::Int(5), IValue::Bool(true)])),
        ("containers", steady(containers, &[tensor(&[6, 8], 1), "name".into()])),
        ("growing", steady(growing, &[tensor(&[2, 3], 1), IValue::Int(7)])),
    ];
    for (name, (allocations, listing)) in nets {
        assert_eq!(allocations, 0, "{name}\n{listing}");
    }
}
