//! Every operator with a scalar expression gives the same bits compiled and interpreted (of NaN, that it is one): of 16-bit types every number, of f32 a
//! number in 65537, and the ends of the line.
//!
//! `SCONCE_ALL_FLOATS=1 cargo test --profile perf -p sconce-cpu --test pointwise_bits -- --nocapture` asks those of one tensor about every f32;
//! `SCONCE_ONLY=aten::tanh` about one operator.

mod operator_call;

use operator_call::{Program, program};
use sconce_cpu::{CodeOptions, compile};
use sconce_interpreter::{CompiledRegion, Fuel};
use sconce_ir::prelude::*;
use sconce_schema::op::OpEntry;
use sconce_schema::{DType, Type as TorchType};
use sconce_tensor::{IValue, Tensor};
use std::collections::BTreeMap;

/// Numbers where functions change what they do.
const ENDS: [f64; 18] = [
    0.0,
    1.0,
    0.5,
    2.0,
    3.0,
    1e-45,
    1e-40,
    1.17549435e-38,
    f64::EPSILON,
    0.9999999403953552,
    1.0000001192092896,
    88.72283935546875,
    103.97208404541016,
    1e9,
    3.4028234663852886e38,
    1e300,
    f64::INFINITY,
    f64::NAN,
];

const DTYPES: [DType; 6] = [DType::F32, DType::F64, DType::F16, DType::BF16, DType::I32, DType::Bool];

/// How many elements a call has that is no exhaustive one.
const COUNT: usize = 1 << 16;

/// Elements of a tensor, the `operand`-th of its call: the same numbers in another order, so that pairs are of all kinds.
fn sample(dtype: DType, operand: usize) -> Tensor {
    // Odd factors: each number once.
    let at = |i: usize| i.wrapping_mul([1, 40503, 28411, 10007][operand % 4]) % COUNT;
    let ends = |i: usize| {
        let k = at(i) % (2 * ENDS.len());
        if k < ENDS.len() { ENDS[k] } else { -ENDS[k - ENDS.len()] }
    };
    // Every eighth is an end.
    let is_end = |i: usize| i % 8 == 7;
    let sizes = [COUNT as i64];
    match dtype {
        DType::F64 => {
            // As many bits of each kind as of f32, and some below them.
            let of = |i: usize| {
                let wide = f64::from(f32::from_bits((at(i) * 65537) as u32));
                f64::from_bits(wide.to_bits() ^ (i as u64 & 0xff))
            };
            Tensor::from_vec((0..COUNT).map(|i| if is_end(i) { ends(i) } else { of(i) }).collect(), &sizes)
        }
        DType::F16 => Tensor::from_vec((0..COUNT).map(|i| half::f16::from_bits(at(i) as u16)).collect(), &sizes),
        DType::BF16 => Tensor::from_vec((0..COUNT).map(|i| half::bf16::from_bits(at(i) as u16)).collect(), &sizes),
        DType::I32 => {
            // Without overflows, which one of the two cuts at each step and the other at the end; third operands are divisors.
            let shift = if operand == 2 { 101 } else { 0 };
            Tensor::from_vec((0..COUNT).map(|i| at(i) as i32 % 200 - 100 + shift).collect(), &sizes)
        }
        DType::Bool => {
            Tensor::from_vec((0..COUNT).map(|i| sconce_tensor::Bool::from(at(i) % 3 == 0)).collect(), &sizes)
        }
        _ => {
            let of = |i: usize| f32::from_bits((at(i) * 65537 + at(i) % 7919) as u32);
            Tensor::from_vec((0..COUNT).map(|i| if is_end(i) { ends(i) as f32 } else { of(i) }).collect(), &sizes)
        }
    }
}

/// The bits of elements, all NaN alike.
fn bits(t: &Tensor) -> Option<Vec<u64>> {
    Some(match t.dtype() {
        DType::F32 => {
            t.to_vec::<f32>().iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits().into() }).collect()
        }
        DType::F64 => t.to_vec::<f64>().iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }).collect(),
        DType::F16 => {
            t.to_vec::<half::f16>().iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits().into() }).collect()
        }
        DType::BF16 => {
            t.to_vec::<half::bf16>().iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits().into() }).collect()
        }
        DType::I32 => t.to_vec::<i32>().iter().map(|x| *x as u64).collect(),
        DType::I64 => t.to_vec::<i64>().iter().map(|x| *x as u64).collect(),
        DType::Bool => t.to_vec::<sconce_tensor::Bool>().iter().map(|x| u64::from(bool::from(*x))).collect(),
        _ => return None,
    })
}

/// A call's arguments: tensors of a dtype, numbers where there is no default.
fn arguments(entry: &OpEntry, dtype: DType) -> Option<Vec<IValue>> {
    let mut tensors = 0;
    let argument = |a: &sconce_schema::Argument| {
        if let Some(default) = &a.default {
            return Some(sconce_kernels::defaults::default_value(default, a));
        }
        Some(match &a.ty {
            TorchType::Tensor(_) => {
                tensors += 1;
                IValue::Tensor(sample(dtype, tensors - 1))
            }
            TorchType::Number if dtype.is_float() => IValue::Double(0.75),
            TorchType::Number | TorchType::Int => IValue::Int(2),
            TorchType::Float => IValue::Double(0.75),
            TorchType::Bool => IValue::Bool(true),
            TorchType::Optional(_) => IValue::None,
            TorchType::Str => IValue::str("none"),
            _ => return None,
        })
    };
    entry.schema().arguments.iter().map(argument).collect()
}

enum Answer {
    /// Differences, of which the first is said.
    Differs(String),
    Same,
    NotLowered(String),
    /// The operator refuses the dtype, or the test has no words for it.
    NotAsked,
}

fn ask(context: &Context, entry: &'static OpEntry, dtype: DType, all_floats: bool) -> Answer {
    let Some(arguments) = arguments(entry, dtype) else { return Answer::NotAsked };
    let interpret = |arguments: &[IValue]| match sconce_kernels::call(entry, &mut arguments.to_vec()) {
        Ok(results) => match &results[..] {
            [IValue::Tensor(t)] => Some(t.clone()),
            _ => None,
        },
        Err(_) => None,
    };
    let Some(result) = interpret(&arguments).filter(|t| bits(t).is_some()) else { return Answer::NotAsked };
    let made = program(context, entry.name, &arguments, &[IValue::Tensor(result.clone())], false);
    let Some(Program { module, inputs }) = made else { return Answer::NotAsked };
    let function = module.body().ops()[0];
    let spec = match sconce_linalg::convert_function(context, function) {
        Ok(spec) => spec,
        Err(e) => return Answer::NotLowered(e.to_string()),
    };
    function.erase().expect("a function has no results");
    let code = compile(&module, &CodeOptions::default()).unwrap_or_else(|e| panic!("{}: {e}", entry.name));
    // SAFETY: compiled for this spec just now.
    let region = unsafe { sconce_exec::load(spec, &code.object) }.expect("an object that was just made links");
    let compare = |arguments: &[IValue], inputs: &[IValue], want: &Tensor| {
        let got = match region.run(inputs, &Fuel::default()) {
            Ok(Some(got)) => got,
            Ok(None) => return Some("a guard refuses the call".to_string()),
            Err(e) => return Some(e.to_string()),
        };
        let [IValue::Tensor(got)] = &got[..] else { return Some("no tensor comes back".to_string()) };
        let (Some(got), Some(want)) = (bits(got), bits(want)) else { return Some("no bits to compare".to_string()) };
        let at = (0..want.len()).find(|i| got.get(*i) != want.get(*i))?;
        let count = got.iter().zip(&want).filter(|(a, b)| a != b).count();
        let element = |v: &IValue| match v {
            IValue::Tensor(t) => bits(t).map_or_else(String::new, |b| format!("{:x}", b[at])),
            other => format!("{other:?}"),
        };
        let of: Vec<String> = arguments.iter().map(element).collect();
        Some(format!(
            "{count} of {} differ, first of ({}): {:x}, interpreted {:x}",
            want.len(),
            of.join(", "),
            got[at],
            want[at]
        ))
    };
    if let Some(why) = compare(&arguments, &inputs, &result) {
        return Answer::Differs(why);
    }
    if all_floats && dtype == DType::F32 && inputs.len() == 1 {
        for part in 0..(1usize << 32) / COUNT {
            let values = (0..COUNT).map(|i| f32::from_bits((part * COUNT + i) as u32)).collect();
            let x = IValue::Tensor(Tensor::from_vec(values, &[COUNT as i64]));
            let put = |v: &IValue| if matches!(v, IValue::Tensor(_)) { x.clone() } else { v.clone() };
            let arguments: Vec<IValue> = arguments.iter().map(put).collect();
            let Some(want) = interpret(&arguments) else { return Answer::Differs("refused".into()) };
            if let Some(why) = compare(&arguments, std::slice::from_ref(&x), &want) {
                return Answer::Differs(why);
            }
        }
    }
    Answer::Same
}

/// In-place forms and those with `out` are derived from the others.
fn is_functional(entry: &OpEntry) -> bool {
    entry.schema().arguments.iter().all(|a| a.alias.is_none())
}

#[test]
fn compiled_is_interpreted_in_bits() {
    let context = context::new(false);
    let all_floats = std::env::var_os("SCONCE_ALL_FLOATS").is_some();
    let only = std::env::var("SCONCE_ONLY").ok();
    let (mut same, mut differing) = (0, Vec::new());
    let mut not_lowered: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for entry in sconce_schema::table().iter().filter(|e| e.scalar.is_some() && is_functional(e)) {
        if only.as_ref().is_some_and(|o| o != entry.name) {
            continue;
        }
        for dtype in DTYPES {
            if all_floats && dtype != DType::F32 {
                continue;
            }
            match ask(&context, entry, dtype, all_floats) {
                Answer::Same => same += 1,
                Answer::Differs(why) => differing.push(format!("{} of {dtype}: {why}", entry.name)),
                Answer::NotLowered(why) => not_lowered.entry(why).or_default().push(entry.name),
                Answer::NotAsked => {}
            }
        }
        if all_floats {
            println!("{}: {same} same, {} differ", entry.name, differing.len());
        }
    }
    println!("{same} calls with the same bits");
    for (why, names) in &not_lowered {
        println!("not lowered, {why}: {}", names.join(" "));
    }
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
    assert!(same > 0, "nothing was compiled");
}
