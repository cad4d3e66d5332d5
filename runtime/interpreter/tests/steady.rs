//! A run on a thread that has run the program before makes no frames, and a program of numbers and calls allocates nothing at all.

use sconce_interpreter::program::{Function, Op, Operand, Parameter, Program};
use sconce_interpreter::{Executable, Options};
use sconce_schema::Type;
use sconce_tensor::IValue;
use sconce_tensor::allocations::{Counted, counted};
use std::sync::Arc;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

fn copy(r: u32) -> Operand {
    Operand::copy(r)
}
fn moved(r: u32) -> Operand {
    Operand::moved(r)
}

/// `s = 0; for i in range(n): s = f(s, i) if i % 3 > 0 else s - i; return s` with `f(a, b) = a * 5 + b`, and a list of numbers that is read.
fn program() -> Program {
    let constant = IValue::Int;
    let mut p = Program {
        constants: vec![constant(0), constant(5), constant(3), IValue::Bool(true)],
        types: vec![Type::list(Type::Int)],
        ..Program::default()
    };
    let [mul, add, rem, gt, sub, item] = [
        "aten::mul.int",
        "aten::add.int",
        "aten::remainder.int",
        "aten::gt.int",
        "aten::sub.int",
        "aten::__getitem__.t",
    ]
    .map(|name| p.operator_id(name));
    let int = |name: &str| Parameter::new(name, Type::Int);
    // 0 n, 1 list, 2 zero, 3 five, 4 three, 5 true, 6 s, 7 i, 8 rest, 9 test, 10 next, 11 item
    let mut f = Function { name: "f".into(), registers: 12, results: vec![Type::Int], ..Function::default() };
    f.parameters = vec![int("n"), Parameter::new("l", Type::list(Type::Int))];
    f.push(Op::Load, [0, 1], [], None);
    f.push(Op::Constant(0), [2], [], None);
    f.push(Op::Constant(2), [4], [], None);
    f.push(Op::Constant(3), [5], [], None);
    f.push(Op::Constant(0), [6], [], None);
    f.push(Op::Constant(0), [7], [], None);
    let top = f.push(Op::LoopUnless(0), [], [copy(7), copy(0), copy(5)], None);
    f.push(Op::Call(rem), [8], [copy(7), copy(4)], None);
    f.push(Op::Call(gt), [9], [copy(8), copy(2)], None);
    let test = f.push(Op::JumpUnless(0), [], [moved(9)], None);
    f.push(Op::CallFunction(1), [10], [moved(6), copy(7)], None);
    let over = f.push(Op::Jump(0), [], [], None);
    let other = f.push(Op::Call(sub), [10], [moved(6), copy(7)], None);
    let after = f.push(Op::Call(item), [11], [copy(1), moved(8)], None);
    f.push(Op::Call(add), [6], [moved(10), moved(11)], None);
    f.push(Op::Next, [7], [moved(7)], None);
    f.push(Op::Jump(top), [], [], None);
    let end = f.push(Op::Store, [], [moved(6)], None);
    f.set_target(top, end);
    f.set_target(test, other);
    f.set_target(over, after);
    let mut g = Function { name: "g".into(), registers: 5, results: vec![Type::Int], ..Function::default() };
    g.parameters = vec![int("a"), int("b")];
    g.push(Op::Load, [0, 1], [], None);
    g.push(Op::Constant(1), [2], [], None);
    g.push(Op::Call(mul), [3], [moved(0), moved(2)], None);
    g.push(Op::Call(add), [4], [moved(3), moved(1)], None);
    g.push(Op::Store, [], [moved(4)], None);
    p.functions = vec![f, g];
    p
}

#[test]
fn a_second_run_allocates_nothing() {
    let executable = Executable::new(Arc::new(program())).unwrap();
    let options = Options::default();
    let list = [10, 20, 30];
    let expected = (0..100i64).fold(0i64, |s, i| {
        let next = if i % 3 > 0 { s.wrapping_mul(5).wrapping_add(i) } else { s.wrapping_sub(i) };
        next.wrapping_add(list[(i % 3) as usize])
    });
    let mut least = u64::MAX;
    for _ in 0..20 {
        // The vector of the inputs is the caller's; results of up to two values need no memory.
        let inputs = vec![IValue::Int(100), IValue::int_list(&list)];
        let (out, made) = counted(|| executable.run(0, inputs, &options).unwrap());
        assert_eq!(out[0].as_int(), Ok(expected));
        // The harness's own thread may allocate meanwhile; a run that allocates does so every time.
        least = least.min(made.count);
    }
    assert_eq!(least, 0, "allocations of a run");
}
