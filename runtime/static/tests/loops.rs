//! Loops over numbers are one node, which the interpreter runs: with its results, its errors and its limits.

mod build;

use build::{Code, interpreted, planned, tensor, text};
use sconce_interpreter::program::{FunctionId, Register};
use sconce_interpreter::{Cause, Options as RunOptions, Program};
use sconce_schema::Type;
use sconce_static::Options;
use sconce_tensor::IValue;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// `for _ in range(n): s = s * 3 + 1 if s % 2 == 0 else s - 7`, of a carried number and the number of rounds.
fn numbers(c: &mut Code<'_>, n: Register, s: Register) -> Register {
    let [zero, one, two, three, seven] = [0i64, 1, 2, 3, 7].map(|v| c.constant(v));
    c.repeat(n, &[s], |c, carried| {
        let rest = c.call("aten::remainder.int", &[carried[0], two]);
        let even = c.call("aten::eq.int", &[rest, zero]);
        c.branch(
            even,
            |c| {
                let product = c.call("aten::mul.int", &[carried[0], three]);
                vec![c.call("aten::add.int", &[product, one])]
            },
            |c| vec![c.call("aten::sub.int", &[carried[0], seven])],
        )
    })[0]
}

fn alone(program: &mut Program) -> FunctionId {
    let mut c = Code::new(program, "alone", &[Type::Int, Type::Int]);
    let s = numbers(&mut c, 0, 1);
    // What came in is used behind the loop, too.
    let sum = c.call("aten::add.int", &[s, 0]);
    c.finish(&[sum, s])
}

/// A loop over tensors with one over numbers in it.
fn inside(program: &mut Program) -> FunctionId {
    let mut c = Code::new(program, "inside", &[Type::tensor(), Type::Int]);
    let one = c.constant(1i64);
    let start = c.constant(5i64);
    let last = c.repeat(1, &[0, start], |c, carried| {
        let s = numbers(c, 1, carried[1]);
        let more = c.call("aten::add.Scalar", &[carried[0], s, one]);
        vec![more, s]
    });
    c.finish(&last)
}

/// A loop that divides by what reaches 0.
fn failing(program: &mut Program) -> FunctionId {
    let mut c = Code::new(program, "failing", &[Type::Int, Type::Int]);
    let one = c.constant(1i64);
    let last = c.repeat(0, &[1], |c, carried| {
        let rest = c.call("aten::remainder.int", &[one, carried[0]]);
        let less = c.call("aten::sub.int", &[carried[0], one]);
        let kept = c.call("aten::mul.int", &[rest, one]);
        let back = c.call("aten::sub.int", &[kept, kept]);
        vec![c.call("aten::add.int", &[less, back])]
    });
    c.finish(&last)
}

#[test]
fn a_loop_over_numbers_is_one_node() {
    let mut program = Program::default();
    let f = alone(&mut program);
    let module = planned(&program, f, Options::default());
    let listing = module.listing();
    assert!(listing.contains(" = loop ") && !listing.contains("aten::remainder"), "{listing}");
    for (n, s) in [(0, 4), (1, 4), (2, 5), (50, 9), (-3, 8)] {
        let given = [IValue::Int(n), IValue::Int(s)];
        let expected = interpreted(&program, f, &given).unwrap();
        for _ in 0..3 {
            assert_eq!(
                text(&module.run(&given, &RunOptions::default()).unwrap()),
                text(&expected),
                "{n} rounds of {s}"
            );
        }
    }
}

#[test]
fn only_what_is_of_numbers_is_left_to_the_interpreter() {
    let mut program = Program::default();
    let f = inside(&mut program);
    let module = planned(&program, f, Options::default());
    let listing = module.listing();
    assert!(listing.contains(" = loop ") && listing.contains("aten::add.Scalar"), "{listing}");
    assert!(listing.contains("leave the loop"), "the outer loop is the plan's: {listing}");
    for n in [0, 1, 6] {
        let given = [tensor(&[2, 3], 7), IValue::Int(n)];
        let expected = interpreted(&program, f, &given).unwrap();
        for _ in 0..3 {
            assert_eq!(text(&module.run(&given, &RunOptions::default()).unwrap()), text(&expected), "{n}");
        }
    }
}

#[test]
fn its_errors_are_the_interpreters() {
    let mut program = Program::default();
    let f = failing(&mut program);
    let module = planned(&program, f, Options::default());
    assert!(module.listing().contains(" = loop "), "{}", module.listing());
    let given = [IValue::Int(9), IValue::Int(4)];
    let expected = interpreted(&program, f, &given).unwrap_err();
    assert_eq!(module.run(&given, &RunOptions::default()).unwrap_err(), expected);
}

#[test]
fn one_fuel_is_for_the_plan_and_its_loops() {
    let mut program = Program::default();
    let f = inside(&mut program);
    let module = planned(&program, f, Options::default());
    let run = |rounds: i64, fuel: Option<u64>, cancel: bool| {
        let cancel = Some(Arc::new(AtomicBool::new(cancel)));
        let options = RunOptions { fuel, cancel, ..RunOptions::default() };
        module.run(&[tensor(&[2], 1), IValue::Int(rounds)], &options).map_err(|e| e.cause)
    };
    assert_eq!(run(i64::MAX, Some(100_000), false).unwrap_err(), Cause::Fuel);
    assert_eq!(run(1000, Some(100_000), false).unwrap_err(), Cause::Fuel);
    assert!(run(100, Some(1_000_000), false).is_ok() && run(100, None, false).is_ok());
    assert_eq!(run(i64::MAX, None, true).unwrap_err(), Cause::Cancelled);
}
