//! The file format: what is written is read back equal, and no change to the bytes does more than cause an error.

use proptest::prelude::*;
use sconce_interpreter::program::{
    Class, ClassKind, Condition, Function, Guard, Init, NamedConstant, Op, Operand, Parameter, Place, Program, Region,
    RegionCode, Target,
};
use sconce_schema::types::{Device, NamedTuple};
use sconce_schema::{DType, Type};
use sconce_source::SourceText;
use sconce_tensor::{IValue, Object, Tensor};
use std::sync::Arc;

fn types() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        Just(Type::Int),
        Just(Type::Float),
        Just(Type::Str),
        Just(Type::tensor()),
        Just(Type::Any),
        Just(Type::AnyEnum),
        "[a-z.]{1,12}".prop_map(|n| Type::Class(n.into())),
        "[a-z.]{1,12}".prop_map(|n| Type::Enum(n.into())),
    ];
    leaf.prop_recursive(4, 20, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(Type::list),
            inner.clone().prop_map(Type::optional),
            (inner.clone(), inner.clone()).prop_map(|(k, v)| Type::dict(k, v)),
            prop::collection::vec(inner.clone(), 0..3).prop_map(|t| Type::Tuple(t.into())),
            prop::collection::vec(("[a-z]{1,5}".prop_map(Arc::from), inner), 0..3).prop_map(|fields| {
                Type::NamedTuple(Arc::new(NamedTuple { name: "P".into(), fields, defaults: vec![] }))
            }),
        ]
    })
}

fn values() -> impl Strategy<Value = IValue> {
    let leaf = prop_oneof![
        Just(IValue::None),
        any::<bool>().prop_map(IValue::Bool),
        any::<i64>().prop_map(IValue::Int),
        any::<u64>().prop_map(|b| IValue::Double(f64::from_bits(b))),
        ".{0,20}".prop_map(IValue::str),
        prop::collection::vec(any::<u32>(), 0..12).prop_map(|bits| {
            let data: Vec<f32> = bits.into_iter().map(f32::from_bits).collect();
            let n = data.len() as i64;
            IValue::Tensor(Tensor::from_vec(data, &[n]))
        }),
        any::<Option<i32>>().prop_map(|index| IValue::Device(Arc::new(Device { kind: "cpu".into(), index }))),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        let items = prop::collection::vec(inner, 0..4);
        prop_oneof![
            items.clone().prop_map(IValue::tuple),
            (types(), items).prop_map(|(ty, items)| IValue::list(ty, items)),
        ]
    })
}

fn programs() -> impl Strategy<Value = Program> {
    let constants = prop::collection::vec(values(), 1..5);
    let table = prop::collection::vec(types(), 1..5);
    let picks = prop::collection::vec((any::<prop::sample::Index>(), 0..6u8, any::<bool>()), 0..12);
    let numbers = (any::<[i64; 2]>(), any::<bool>());
    (constants, table, picks, numbers, prop::collection::vec(any::<u8>(), 0..40)).prop_map(
        |(constants, types, picks, ([a, b], flag), bytes)| {
            let mut f = Function {
                name: "f".into(),
                parameters: vec![Parameter {
                    default: Some(constants[0].clone()),
                    kwarg_only: flag,
                    ..Parameter::new("x", types[0].clone())
                }],
                schema: flag.then(|| "f(Any x) -> Any".into()),
                results: vec![Type::Any],
                registers: 2,
                ..Function::default()
            };
            f.push(Op::Load, [0], [], None);
            for (index, kind, flag) in picks {
                let place = flag.then_some(Place { source: 0, line: 3, column: 1, length: 9 });
                let input = if flag { Operand::moved(0) } else { Operand::copy(0) };
                let op = match kind {
                    0 => Op::Constant(index.index(constants.len()) as u32),
                    1 => Op::ListConstruct(index.index(types.len()) as u32),
                    2 => Op::IsInstance(index.index(types.len()) as u32),
                    3 => Op::ConstantChunk { chunks: 4, dim: -1 },
                    4 => Op::TupleSlice { start: 1, end: 2 },
                    _ => Op::GetAttr(0),
                };
                let inputs = if matches!(op, Op::Constant(_)) { vec![] } else { vec![input] };
                f.push(op, [1], inputs, place);
            }
            f.push(Op::Store, [], [Operand::moved(1)], None);
            f.value_names = vec![None, Some("gates".into())];
            let guards = vec![
                Guard { input: 0, condition: Condition::Size { dim: 1, size: a } },
                Guard { input: 0, condition: Condition::Int(b) },
                Guard { input: 0, condition: Condition::DType(DType::BF16) },
            ];
            let code =
                RegionCode { target: Target::Ptx, bytes: bytes.into(), metadata: vec![("entry".into(), "k".into())] };
            let mut init =
                Function { name: "init".into(), registers: 1, results: vec![types[0].clone()], ..Function::default() };
            init.push(Op::Load, [], [], None);
            init.push(Op::Constant(0), [0], [], None);
            init.push(Op::Store, [], [Operand::moved(0)], None);
            Program {
                functions: vec![f, init],
                classes: vec![Class {
                    kind: if flag { ClassKind::Interface } else { ClassKind::Enum },
                    constants: vec![("RED".into(), constants[0].clone())],
                    required: vec!["call".into()],
                    ..Class::new("C".into(), vec![("a".into(), types[0].clone())], vec![("m".into(), 0)])
                }],
                regions: vec![Region { name: "r".into(), fallback: 0, guards, codes: vec![code] }],
                operators: vec!["aten::add.Tensor".into()],
                names: vec!["weight".into()],
                types,
                constants,
                named: vec![NamedConstant { name: "w".into(), constant: 0 }],
                init: flag.then(|| Init { function: 1, constants: vec![0] }),
                sources: vec![Arc::new(SourceText::numbered("m.py", "x\ny\n", 2))],
                entry: flag.then_some(0),
                object: None,
            }
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(program in programs()) {
        let bytes = program.to_bytes().unwrap();
        let back = Program::from_bytes(&bytes).unwrap();
        prop_assert_eq!(back.to_bytes().unwrap(), bytes);
        prop_assert_eq!(back.full_listing(), program.full_listing());
        prop_assert_eq!(format!("{:?}", back.constants), format!("{:?}", program.constants));
        prop_assert_eq!(back.types, program.types);
        prop_assert_eq!(&back.regions[0].guards, &program.regions[0].guards);
    }

    #[test]
    fn damage_is_an_error_at_worst(
        program in programs(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = program.to_bytes().unwrap();
        prop_assert!(Program::from_bytes(&bytes[..cut.index(bytes.len())]).is_err());
        let whole = bytes.clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        prop_assert!(bytes == whole || Program::from_bytes(&bytes).is_err());
        // With the sum of what it now is, it is a program that somebody made so.
        let sum = crc32fast::hash(&bytes[16..]);
        bytes[12..16].copy_from_slice(&sum.to_le_bytes());
        if let Ok(p) = Program::from_bytes(&bytes) {
            // Whatever is accepted can be listed and written again.
            p.full_listing();
            p.to_bytes().unwrap();
        }
    }
}

#[test]
fn a_count_larger_than_the_file_is_refused() {
    let mut bytes = Program::default().to_bytes().unwrap()[..12].to_vec();
    bytes.extend(crc32fast::hash(&u32::MAX.to_le_bytes()).to_le_bytes());
    bytes.extend(u32::MAX.to_le_bytes());
    let error = Program::from_bytes(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "byte 20: 4294967295 items announced, 0 bytes left");
    bytes[16] = 0;
    let error = Program::from_bytes(&bytes).unwrap_err();
    assert!(error.to_string().starts_with("the checksum is "), "{error}");
    bytes[8] = 3;
    let error = Program::from_bytes(&bytes).unwrap_err();
    assert!(error.to_string().starts_with("version 3 of the .sconce format; this build reads version "), "{error}");
    assert!(Program::from_bytes(b"PK\x03\x04").is_err());
}

/// A class with a part of its own class and two tensors, one a view of the other.
fn with_object() -> Program {
    let class = |name: &str, attributes: Vec<(Arc<str>, Type)>| Class::new(name.into(), attributes, Vec::new());
    let part = Type::Class("P".into());
    let inner = class("P", vec![("w".into(), Type::tensor())]);
    let outer = class("M", vec![("a".into(), part.clone()), ("b".into(), part), ("row".into(), Type::tensor())]);
    let weight = Tensor::from_vec(vec![1f32, 2.0, 3.0, 4.0], &[2, 2]);
    let shared = Object::new("P".into(), inner.names.clone());
    shared.set(0, IValue::Tensor(weight.clone()));
    let object = Object::new("M".into(), outer.names.clone());
    object.set(0, IValue::Object(shared.clone()));
    object.set(1, IValue::Object(shared));
    object.set(2, IValue::Tensor(weight.as_strided(&[2], &[1], 2).unwrap()));
    Program { classes: vec![inner, outer], object: Some(IValue::Object(object)), ..Program::default() }
}

#[test]
fn an_object_keeps_what_its_parts_share() {
    let bytes = with_object().to_bytes().unwrap();
    let program = Program::from_bytes(&bytes).unwrap();
    let Some(IValue::Object(object)) = program.object.clone() else { panic!("an object expected") };
    let part = |slot| match object.get(slot) {
        Some(IValue::Object(o)) => o,
        other => panic!("{other:?}"),
    };
    assert!(Arc::ptr_eq(&part(0), &part(1)));
    let (Some(IValue::Tensor(weight)), Some(IValue::Tensor(row))) = (part(0).get(0), object.get(2)) else {
        panic!("tensors expected");
    };
    assert!(row.shares_storage(&weight));
    assert_eq!((weight.to_vec::<f32>(), row.to_vec::<f32>()), (vec![1.0, 2.0, 3.0, 4.0], vec![3.0, 4.0]));
    assert_eq!(program.to_bytes().unwrap(), bytes);
}

#[test]
fn an_object_is_what_its_class_declares() {
    let refused = |change: fn(&mut Program)| {
        let mut program = with_object();
        change(&mut program);
        Program::from_bytes(&program.to_bytes().unwrap()).unwrap_err().to_string()
    };
    let error = refused(|p| {
        let Some(IValue::Object(object)) = &p.object else { panic!("an object expected") };
        object.set(2, IValue::Int(3));
    });
    assert!(error.contains("attribute row of M is no Tensor"), "{error}");
    let error = refused(|p| {
        p.classes.pop();
    });
    assert!(error.contains("an object of class M, which is not in the program"), "{error}");
}
