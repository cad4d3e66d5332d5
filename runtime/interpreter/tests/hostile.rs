//! Programs that verify but mean nothing (registers of the wrong kind, calls of the wrong function, jumps anywhere, any constants) end with a
//! result or an error.
//!
//! `SCONCE_SEED` and `SCONCE_PROGRAMS` are the seed and how many programs are made.

use sconce_interpreter::program::{Function, Instruction, Op, Operand, Program};
use sconce_interpreter::{Executable, Options};
use sconce_schema::{DType, Type};
use sconce_tensor::mersenne::Engine;
use sconce_tensor::{Dict, IValue, Memory, Tensor};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

fn below(e: &mut Engine, n: usize) -> usize {
    e.below(n.max(1) as u64) as usize
}

fn value(e: &mut Engine) -> IValue {
    match below(e, 12) {
        0 => IValue::None,
        1 => IValue::Bool(below(e, 2) == 0),
        2 => IValue::Int([i64::MIN, i64::MAX, -1, 1 << 40][below(e, 4)]),
        3 => IValue::Int(below(e, 4) as i64),
        4 => IValue::Double([f64::NAN, f64::INFINITY, 0.5, -1e300][below(e, 4)]),
        5 => "text".into(),
        6 => IValue::int_list(&[2, -1, 3]),
        7 => IValue::tensor_list(vec![Tensor::scalar(1f32); 2]),
        8 => IValue::tuple(vec![IValue::Int(1), "a".into()]),
        9 => IValue::Dict(Dict::new(Type::Str, Type::Int)),
        10 => Tensor::from_vec(vec![1i64, 0, 2], &[3]).into(),
        _ => Tensor::zeros(&[2, 3], DType::F32).expect("small tensors fit").into(),
    }
}

/// The programs of the fuzz target, which are compiled ones.
fn seeds() -> Vec<Program> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/program");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("seeds").map(|f| f.expect("a file").path()).collect();
    files.sort();
    let read = |path| Program::from_bytes(&std::fs::read(path).expect("a file")).expect("a seed is a program");
    files.into_iter().map(read).collect()
}

/// One change that leaves every index in range, so that the program still verifies.
fn change(program: &mut Program, e: &mut Engine) {
    let (functions, constants, operators) = (program.functions.len(), program.constants.len(), program.operators.len());
    let all: Vec<&'static str> = sconce_schema::table().iter().map(|o| o.name).collect();
    match below(e, 10) {
        0 if constants > 0 => program.constants[below(e, constants)] = value(e),
        1 if operators > 0 => program.operators[below(e, operators)] = all[below(e, all.len())].into(),
        _ => {
            let (names, classes, types) = (program.names.len(), program.classes.len(), program.types.len());
            let f = &mut program.functions[below(e, functions)];
            let (registers, length) = (f.registers as usize, f.code.len());
            if length == 0 || registers == 0 {
                return;
            }
            let register = below(e, registers) as u32;
            let at = below(e, length);
            match below(e, 6) {
                0 | 1 if !f.operands.is_empty() => {
                    let i = below(e, f.operands.len());
                    f.operands[i] = if below(e, 2) == 0 { Operand::copy(register) } else { Operand::moved(register) };
                }
                2 if !f.outputs.is_empty() => {
                    let i = below(e, f.outputs.len());
                    f.outputs[i] = register;
                }
                3 => {
                    let to = below(e, length) as u32;
                    f.code[at].op = match f.code[at].op {
                        Op::Jump(_) => Op::Jump(to),
                        Op::JumpUnless(_) => Op::JumpUnless(to),
                        Op::LoopUnless(_) => Op::LoopUnless(to),
                        Op::CallFunction(_) => Op::CallFunction(below(e, functions) as u32),
                        Op::Call(_) => Op::Call(below(e, operators) as u32),
                        Op::GetAttr(_) => Op::GetAttr(below(e, names) as u32),
                        other => other,
                    };
                }
                _ => {
                    let ty = below(e, types) as u32;
                    let f_id = below(e, functions) as u32;
                    let op = [
                        Op::Move,
                        Op::Next,
                        Op::TupleUnpack,
                        Op::TupleIndex,
                        Op::ListUnpack,
                        Op::ListConstruct(ty),
                        Op::DictConstruct(ty),
                        Op::NamedTupleConstruct(ty),
                        Op::ConstantChunk { chunks: 3, dim: -1 },
                        Op::IsInstance(ty),
                        Op::ToList(ty),
                        Op::Raise,
                        Op::Wait,
                        Op::Fork(f_id),
                        Op::CallFunction(f_id),
                        Op::CallMethod(below(e, names) as u32),
                        Op::GetAttr(below(e, names) as u32),
                        Op::SetAttr(below(e, names) as u32),
                        Op::CreateObject(below(e, classes) as u32),
                        Op::Enter,
                        Op::Exit,
                        Op::EnumValue,
                        Op::CopyTensor,
                        Op::Uninitialized,
                        Op::Drop,
                    ];
                    f.code[at].op = op[below(e, op.len())];
                }
            }
        }
    }
}

#[test]
fn programs_that_mean_nothing_end_with_an_error() {
    let setting = |name, otherwise| std::env::var(name).ok().map_or(otherwise, |v| v.parse().expect("a number"));
    let (seed, count) = (setting("SCONCE_SEED", 20_261_122), setting("SCONCE_PROGRAMS", 6000));
    Memory::set_limit(64 << 20);
    let seeds = seeds();
    let (mut loaded, mut runs, mut finished) = (0, 0, 0);
    for i in 0..count {
        let mut e = Engine::new(seed + i);
        let mut program = seeds[below(&mut e, seeds.len())].clone();
        for _ in 0..1 + below(&mut e, 12) {
            change(&mut program, &mut e);
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let Ok(executable) = Executable::new(Arc::new(program)) else { return (0, 0, 0) };
            let options = Options { fuel: Some(3000), max_depth: 60, workers: below(&mut e, 2), ..Options::default() };
            let (mut runs, mut finished) = (0, 0);
            for (id, f) in (0..).zip(&executable.program().functions).take(4) {
                let inputs = f.parameters.iter().map(|_| value(&mut e)).collect();
                runs += 1;
                finished += u32::from(executable.run(id, inputs, &options).is_ok());
            }
            (1, runs, finished)
        }));
        let (l, r, f) = outcome
            .unwrap_or_else(|_| panic!("seed {seed}: program {i} panics (SCONCE_SEED={} SCONCE_PROGRAMS=1)", seed + i));
        (loaded, runs, finished) = (loaded + l, runs + r, finished + f);
    }
    println!("seed {seed}: {count} programs, {loaded} loaded, {runs} runs, {finished} with a result");
    assert!(count < 1000 || loaded * 8 > count as u32, "only {loaded} of {count} programs load");
}

fn one_call(op: &str, arguments: usize) -> Program {
    let mut f = Function { name: "f".into(), registers: 4, results: vec![Type::Any], ..Function::default() };
    f.parameters =
        (0..arguments).map(|i| sconce_interpreter::program::Parameter::new(format!("p{i}"), Type::Any)).collect();
    f.push(Op::Load, 0..arguments as u32, [], None);
    f.push(Op::Call(0), [3], (0..arguments as u32).map(Operand::copy), None);
    f.push(Op::Store, [], [Operand::moved(3)], None);
    Program { functions: vec![f], operators: vec![op.into()], ..Program::default() }
}

/// Lists in lists in lists: what walks values needs no stack for it, or says that it is too deep.
#[test]
fn values_nested_without_end_are_an_error_at_worst() {
    let deep = || (0..200_000).fold(IValue::Int(1), |inner, _| IValue::list(Type::Any, vec![inner]));
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let of_one = [
            "aten::str",
            "aten::len.t",
            "aten::copy.t",
            "aten::hash.generic",
            "aten::list.t",
            "aten::sort.any",
            "aten::sorted.any",
        ];
        let of_two = [
            "aten::eq.int_list",
            "aten::__is__",
            "aten::append.t",
            "aten::__contains__.int_list",
            "aten::add.t",
            "aten::format",
            "aten::index.list_int",
        ];
        for (op, n) in of_one.iter().map(|op| (*op, 1)).chain(of_two.iter().map(|op| (*op, 2))) {
            let Ok(executable) = Executable::new(Arc::new(one_call(op, n))) else { continue };
            let mut inputs = vec![deep(), deep()];
            if op == "aten::format" {
                inputs[0] = "{}".into();
            }
            inputs.truncate(n);
            let _ = executable.run(0, inputs, &Options::default());
        }
    });
    thread.expect("a thread").join().expect("no operator panics");
}

/// A list that holds itself has no end either.
#[test]
fn a_list_that_holds_itself_is_an_error_at_worst() {
    let list = sconce_tensor::List::new(Type::Any, Vec::new());
    list.write().push(IValue::List(list.clone()));
    for op in ["aten::str", "aten::hash.generic", "aten::sort.any", "aten::copy.t"] {
        let Ok(executable) = Executable::new(Arc::new(one_call(op, 1))) else { continue };
        let _ = executable.run(0, vec![IValue::List(list.clone())], &Options::default());
    }
    list.write().clear();
}

#[test]
fn instructions_without_inputs_or_outputs_are_refused() {
    let ops =
        [Op::Next, Op::TupleIndex, Op::JumpUnless(0), Op::LoopUnless(0), Op::Raise, Op::Wait, Op::ToList(0), Op::Enter];
    for op in ops {
        let mut f = Function { name: "f".into(), registers: 1, ..Function::default() };
        f.code.push(Instruction { op, inputs: (0, 0), outputs: (0, 0) });
        f.places.push(None);
        let program = Program { functions: vec![f], types: vec![Type::Int], ..Program::default() };
        assert!(Executable::new(Arc::new(program)).is_err(), "{op:?}");
    }
}
