//! Passes keep what random programs do: the same values, the same storages shared, the same writes to arguments, in the first call and the fourth. `SCONCE_PROGRAMS`
//! says how many programs, `SCONCE_SEED` which is the first.

mod random;

use random::{Random, SIZES, program};
use sconce::value_text::named_tensors;
use sconce::{Engine, IValue, Module, Options};
use sconce_tensor::Tensor;
use std::sync::Arc;

/// Each program goes through the last, and through one of the others.
const PIPELINES: &[&str] = &[
    "dce",
    "torch-cse",
    "peephole",
    "constant-propagation",
    "constant-pooling",
    "canonicalize-outputs",
    "unroll,dce",
    "unroll{factor=8}",
    "remove-list-mutation",
    "lower-simple-tuples",
    "refine-types,functionalize{remarks=0}",
    "remove-expands,decompose-ops,fuse-linear,canonicalize-ops",
    "default,refine-types,functionalize{remarks=0},forward-elements,torch-cse,dce",
];

/// The arguments of a call: two tensors, which may be one or share memory.
fn arguments(kind: usize, turns: i64) -> Vec<IValue> {
    let all: Vec<f32> = (0..18).map(|n| (n as f32 - 7.0) * 0.75).collect();
    let whole = Tensor::from_vec(all, &[18]);
    let part = |t: &Tensor, at: i64| t.as_strided(&SIZES.map(|n| n as i64), &[3, 1], at).expect("inside");
    let first = part(&whole, 0);
    let second = match kind % 4 {
        0 => first.clone(),
        1 => part(&whole, 3),
        _ => part(&whole.copy().expect("it fits"), 9),
    };
    vec![first.into(), second.into(), IValue::Bool(kind % 2 == 0), IValue::Int(turns)]
}

/// All that a call shows: values, which of the tensors share storage, and what is left of the arguments.
fn shown(module: &Module, call: usize) -> String {
    let arguments = arguments(call, (call % 3) as i64);
    let result = match module.call("f", &arguments) {
        Ok(result) => result,
        Err(e) => return format!("error: {}", e.to_string().lines().last().unwrap_or_default()),
    };
    let tensors: Vec<(String, Tensor)> = named_tensors(&result)
        .unwrap_or_default()
        .into_iter()
        .chain(named_tensors(&IValue::from(arguments[0].clone())).unwrap_or_default())
        .chain(named_tensors(&IValue::from(arguments[1].clone())).unwrap_or_default())
        .collect();
    let mut out = String::new();
    for (i, (name, t)) in tensors.iter().enumerate() {
        let values = t.contiguous().map(|t| t.read_bytes()).unwrap_or_default();
        let shared: Vec<usize> = (0..i).filter(|j| tensors[*j].1.shares_storage(t)).collect();
        out.push_str(&format!("{name} {:?} {values:?} shares {shared:?}\n", t.sizes()));
    }
    out
}

fn calls(module: &Module) -> Vec<String> {
    (0..4).map(|call| shown(module, call)).chain([shown(module, 0)]).collect()
}

#[test]
fn passes_keep_what_programs_do() {
    let number = |name: &str, other: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(other);
    let (count, first) = (number("SCONCE_PROGRAMS", 400), number("SCONCE_SEED", 1));
    let options = Options { compiler: Some(Arc::new(sconce_compiler::InProcess)), ..Options::default() };
    let engine = Engine::new(options).expect("an engine");
    let (mut failed, mut writes) = (Vec::new(), [0, 0]);
    for seed in first..first + count {
        let text = program(seed, 4 + Random::new(seed).below(24));
        let load = || engine.load_bytes("f.txt", "f", text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let expected = calls(&load());
        let others = &PIPELINES[..PIPELINES.len() - 1];
        for pipeline in [others[seed as usize % others.len()], PIPELINES[PIPELINES.len() - 1]] {
            let after =
                load().after_passes(pipeline).unwrap_or_else(|e| panic!("seed {seed}, {pipeline}: {e}\n{text}"));
            if pipeline.contains("functionalize") {
                writes[0] += text.matches("_(%").count();
                writes[1] += after.graph("f").unwrap_or_default().matches("_(%").count();
            }
            if let Some((one, other)) = expected.iter().zip(calls(&after)).find(|(one, other)| *one != other) {
                failed.push(format!("seed {seed}, {pipeline}\n{text}\n{one}\nafter the passes\n{other}"));
            }
        }
    }
    println!("{count} programs; of {} writes {} are left", writes[0], writes[1]);
    assert!(writes[1] < writes[0], "of {} writes {} are left: this tests nothing", writes[0], writes[1]);
    assert!(failed.is_empty(), "{} of {count} differ, the shortest:\n{}", failed.len(), {
        failed.sort_by_key(String::len);
        &failed[0]
    });
}
