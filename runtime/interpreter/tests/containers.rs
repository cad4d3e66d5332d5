//! Strings, lists, dictionaries and tuples where the interpreter changes them in place: what somebody else holds stays as it is.

use sconce_interpreter::program::{Function, Op, Operand, Parameter, Program};
use sconce_interpreter::{Executable, Options, register_types};
use sconce_schema::Type;
use sconce_tensor::IValue;
use std::sync::Arc;

fn copy(r: u32) -> Operand {
    Operand::copy(r)
}
fn moved(r: u32) -> Operand {
    Operand::moved(r)
}

fn function(parameters: Vec<Type>, registers: u32, results: usize) -> Function {
    let parameters: Vec<Parameter> = parameters.into_iter().map(|t| Parameter::new("p", t)).collect();
    let mut f = Function { name: "f".into(), registers, results: vec![Type::Any; results], ..Function::default() };
    f.parameters = parameters;
    f.push(Op::Load, 0..f.parameters.len() as u32, [], None);
    f
}

fn run(program: Program, inputs: Vec<IValue>) -> String {
    let executable = Executable::new(Arc::new(program)).expect("the test's program is sound");
    match executable.run(0, inputs, &Options::default()) {
        Ok(out) => format!("{:?}", out.as_slice()),
        Err(e) => e.last_line(),
    }
}

/// `for i in range(n): s = (s + "x")[1:]`
fn rotating() -> Program {
    let constants = vec![IValue::str("x"), IValue::Int(1), IValue::None, IValue::Int(0), IValue::Bool(true)];
    let mut p = Program { constants, ..Program::default() };
    let (add, slice) = (p.operator_id("aten::add.str"), p.operator_id("aten::slice.str"));
    // 0 s, 1 n, 2 "x", 3 one, 4 None, 5 i, 6 true, 7 grown, 8 cut
    let mut f = function(vec![Type::Str, Type::Int], 9, 1);
    for (r, c) in [(2, 0), (3, 1), (4, 2), (5, 3), (6, 4)] {
        f.push(Op::Constant(c), [r], [], None);
    }
    let top = f.push(Op::LoopUnless(0), [], [copy(5), copy(1), copy(6)], None);
    f.push(Op::Call(add), [7], [moved(0), copy(2)], None);
    f.push(Op::Call(slice), [8], [moved(7), copy(3), copy(4), copy(3)], None);
    f.push(Op::Move, [0], [moved(8)], None);
    f.push(Op::Next, [5], [moved(5)], None);
    f.push(Op::Jump(top), [], [], None);
    let end = f.push(Op::Store, [], [moved(0)], None);
    f.set_target(top, end);
    p.functions = vec![f];
    p
}

#[test]
fn a_string_that_grows_in_place_is_nobody_elses() {
    let held = IValue::str("abcd");
    assert_eq!(run(rotating(), vec![held.clone(), IValue::Int(2)]), r#"["cdxx"]"#);
    assert_eq!(format!("{held:?}"), r#""abcd""#);
    // Twice the same constant: it is not changed either.
    let mut p = Program { constants: vec![IValue::str("ab")], ..Program::default() };
    let add = p.operator_id("aten::add.str");
    let mut f = function(vec![], 3, 1);
    f.push(Op::Constant(0), [0], [], None);
    f.push(Op::Call(add), [1], [copy(0), copy(0)], None);
    f.push(Op::Call(add), [1], [moved(1), copy(0)], None);
    f.push(Op::Store, [], [moved(1)], None);
    p.functions = vec![f];
    assert_eq!(run(p.clone(), vec![]), r#"["ababab"]"#);
    assert_eq!(run(p, vec![]), r#"["ababab"]"#);
}

#[test]
fn slices_cut_characters_as_before() {
    assert_eq!(run(rotating(), vec![IValue::str("é"), IValue::Int(1)]), "[\"\u{fffd}x\"]");
    assert_eq!(run(rotating(), vec![IValue::str(""), IValue::Int(3)]), r#"[""]"#);
}

#[test]
fn dictionaries_and_lists_keep_numbers_and_order() {
    // d[k] = d[k] + 1; l[0] = d[k]; l.append(7); return d, l, l[1]
    let mut p = Program { constants: vec![IValue::Int(1), IValue::Int(0), IValue::Int(7)], ..Program::default() };
    let [get, set, add, put, append, item] = [
        "aten::__getitem__.Dict_str",
        "aten::_set_item.str",
        "aten::add.int",
        "aten::_set_item.t",
        "aten::append.t",
        "aten::__getitem__.t",
    ]
    .map(|n| p.operator_id(n));
    let parameters = vec![Type::Dict(Type::Str.into(), Type::Int.into()), Type::list(Type::Int), Type::Str];
    let mut f = function(parameters, 10, 3);
    for (r, c) in [(3, 0), (4, 1), (5, 2)] {
        f.push(Op::Constant(c), [r], [], None);
    }
    f.push(Op::Call(get), [6], [copy(0), copy(2)], None);
    f.push(Op::Call(add), [7], [moved(6), copy(3)], None);
    f.push(Op::Call(set), [], [copy(0), copy(2), copy(7)], None);
    f.push(Op::Call(put), [8], [copy(1), copy(4), moved(7)], None);
    f.push(Op::Drop, [], [moved(8)], None);
    f.push(Op::Call(append), [8], [copy(1), moved(5)], None);
    f.push(Op::Drop, [], [moved(8)], None);
    f.push(Op::Call(item), [9], [copy(1), moved(3)], None);
    f.push(Op::Store, [], [moved(0), moved(1), moved(9)], None);
    p.functions = vec![f];
    for entries in [2i64, 20] {
        let dict = sconce_tensor::Dict::new(Type::Str, Type::Int);
        for i in 0..entries {
            dict.write()
                .insert(sconce_tensor::DictKey::Str(sconce_tensor::Handle::new(format!("k{i}"))), IValue::Int(i));
        }
        let call = |key: &str| {
            let list = IValue::int_list(&[5, 6]);
            run(p.clone(), vec![IValue::Dict(dict.clone()), list, IValue::str(key)])
        };
        let out = call("k1");
        assert!(out.starts_with(r#"[{"k0": 0, "k1": 2"#), "{out}");
        assert!(out.ends_with("[2, 6, 7], 6]"), "{out}");
        assert_eq!(call("none"), "RuntimeError: KeyError: none");
    }
}

#[test]
fn tuples_that_a_loop_swaps_are_right_whole_and_apart() {
    // p = (1, 2); for i in range(n): p = (p[1], p[0] + i); return p[0], p
    // The constant is moved to the loop's register, or lies there from the beginning.
    for (whole, moves) in [(false, true), (true, true), (false, false), (true, false)] {
        let pair = IValue::tuple(vec![IValue::Int(1), IValue::Int(2)]);
        let constants = vec![pair, IValue::Int(0), IValue::Int(1), IValue::Bool(true)];
        let mut p = Program { constants, ..Program::default() };
        let add = p.operator_id("aten::add.int");
        // 0 n, 1 constant pair, 2 zero, 3 one, 4 true, 5 pair, 6 i, 7 second, 8 first, 9 sum, 10 next, 11 out
        let mut f = function(vec![Type::Int], 12, 1);
        for (r, c) in [(1, 0), (2, 1), (3, 2), (4, 3)] {
            f.push(Op::Constant(c), [r], [], None);
        }
        match moves {
            true => f.push(Op::Move, [5], [moved(1)], None),
            false => f.push(Op::Constant(0), [5], [], None),
        };
        f.push(Op::Constant(1), [6], [], None);
        let top = f.push(Op::LoopUnless(0), [], [copy(6), copy(0), copy(4)], None);
        f.push(Op::TupleIndex, [7], [copy(5), copy(3)], None);
        f.push(Op::TupleIndex, [8], [moved(5), copy(2)], None);
        f.push(Op::Call(add), [9], [moved(8), copy(6)], None);
        f.push(Op::TupleConstruct, [10], [moved(7), moved(9)], None);
        f.push(Op::Move, [5], [moved(10)], None);
        f.push(Op::Next, [6], [moved(6)], None);
        f.push(Op::Jump(top), [], [], None);
        let end = if whole {
            f.push(Op::Store, [], [moved(5)], None)
        } else {
            let end = f.push(Op::TupleIndex, [11], [moved(5), copy(2)], None);
            f.push(Op::Store, [], [moved(11)], None);
            end
        };
        f.set_target(top, end);
        p.functions = vec![f];
        let expected = (0..5).fold((1i64, 2i64), |(a, b), i| (b, a + i));
        let text = if whole { format!("[({}, {})]", expected.0, expected.1) } else { format!("[{}]", expected.0) };
        assert_eq!(run(p, vec![IValue::Int(5)]), text);
    }
}

#[test]
fn moves_in_a_circle_read_before_they_write() {
    // while n > 0: a, b, c, x, y = c, a, b, y, x (numbers and strings)
    let mut p = Program { constants: vec![IValue::Int(0), IValue::Int(1)], ..Program::default() };
    let (gt, sub) = (p.operator_id("aten::gt.int"), p.operator_id("aten::sub.int"));
    let types = vec![Type::Int, Type::Int, Type::Int, Type::Int, Type::Str, Type::Str];
    let mut f = function(types, 10, 5);
    f.push(Op::Constant(0), [6], [], None);
    f.push(Op::Constant(1), [7], [], None);
    let top = f.push(Op::Call(gt), [8], [copy(0), copy(6)], None);
    let test = f.push(Op::JumpUnless(0), [], [moved(8)], None);
    f.push(Op::Move, [1, 2, 3, 4, 5], [moved(3), moved(1), moved(2), moved(5), moved(4)], None);
    f.push(Op::Call(sub), [0], [moved(0), copy(7)], None);
    f.push(Op::Jump(top), [], [], None);
    let end = f.push(Op::Store, [], [1, 2, 3, 4, 5].map(moved), None);
    f.set_target(test, end);
    p.functions = vec![f];
    let inputs = |n| {
        let numbers = [n, 10, 20, 30].map(IValue::Int);
        numbers.into_iter().chain([IValue::str("x"), IValue::str("y")]).collect::<Vec<_>>()
    };
    assert_eq!(run(p.clone(), inputs(1)), r#"[30, 10, 20, "y", "x"]"#);
    assert_eq!(run(p.clone(), inputs(2)), r#"[20, 30, 10, "x", "y"]"#);
    assert_eq!(run(p, inputs(3)), r#"[10, 20, 30, "y", "x"]"#);
}

/// What is read from a list needs no tag where every list that it may be says what it holds: one that is a constant, and one that an operator gives.
#[test]
fn a_list_that_is_handed_on_keeps_its_elements_type() {
    let constants = vec![IValue::list(Type::Float, []), IValue::Double(1.5), IValue::Int(0)];
    let mut p = Program { constants, ..Program::default() };
    let (append, getitem) = (p.operator_id("sconce::append.t"), p.operator_id("aten::__getitem__.t"));
    // 0 the list, 1 an element, 2 its index, 3 the longer list, 4 what is read
    let mut f = function(vec![], 5, 1);
    for (r, c) in [(0, 0), (1, 1), (2, 2)] {
        f.push(Op::Constant(c), [r], [], None);
    }
    f.push(Op::Call(append), [3], [moved(0), copy(1)], None);
    f.push(Op::Call(getitem), [4], [moved(3), copy(2)], None);
    f.push(Op::Store, [], [moved(4)], None);
    let floats = Type::list(Type::Float);
    let types = [floats.clone(), Type::Float, Type::Int, floats, Type::Float];
    assert_eq!(register_types(&p, &f), types.map(Some));
    p.functions = vec![f];
    assert_eq!(run(p, vec![]), "[1.5]");
}
