//! Recorded calls with other sizes, dtypes and layouts, compiled: sizes of 0 and 1, primes, gaps between rows, dimensions in another order, elements that are one.

use super::{CodeOptions, Tally, check_call};
use sconce_conformance::layouts::{below, copied, laid, mapped};
use sconce_conformance::vectors::Case;
use sconce_ir::prelude::*;
use sconce_kernels::cast;
use sconce_schema::{OpEntry, Trait};
use sconce_tensor::mersenne::Engine;
use sconce_tensor::{DType, IValue, Tensor};
use std::collections::BTreeMap;

/// Elements of a tensor, at most.
const MOST: i64 = 4000;

/// What sizes become.
const SIZES: &[i64] = &[0, 1, 1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 31];

/// Each size another one, the same everywhere in a call, so that what fitted still fits.
fn sizes(arguments: &[IValue], e: &mut Engine) -> BTreeMap<i64, i64> {
    let mut map = BTreeMap::new();
    for v in arguments {
        mapped(v, &mut |t| {
            for n in t.sizes() {
                let keeps = *n == 1 && below(e, 4) > 0 || below(e, 4) == 0;
                let other = if keeps { *n } else { SIZES[below(e, SIZES.len())] };
                map.entry(*n).or_insert(other);
            }
            t.clone()
        });
    }
    map
}

/// The tensor in other sizes, its elements over and over; none when that is too large.
fn resized(t: &Tensor, map: &BTreeMap<i64, i64>) -> Option<Tensor> {
    if t.is_wrapped_number() || t.numel() == 0 {
        return Some(copied(t));
    }
    let sizes: Vec<i64> = t.sizes().iter().map(|n| map.get(n).copied().unwrap_or(*n)).collect();
    let count = sizes.iter().try_fold(1i64, |n, s| n.checked_mul(*s)).filter(|n| *n <= MOST)?;
    let out = Tensor::zeros(&sizes, t.dtype()).expect("small tensors fit");
    let (bytes, size) = (t.contiguous().expect("small tensors fit").read_bytes(), t.dtype().size());
    // The period is odd, or every row would be the same.
    let period = if t.numel() > 2 { t.numel() - 1 + t.numel() % 2 } else { t.numel() };
    let all: Vec<u8> = (0..count as usize).flat_map(|i| &bytes[i % period * size..][..size]).copied().collect();
    out.write_bytes(&all);
    Some(out)
}

/// Lists of sizes among the arguments follow the tensors' sizes, now and then.
fn followed(v: &IValue, map: &BTreeMap<i64, i64>) -> IValue {
    match v {
        IValue::List(l) => IValue::list(l.element.clone(), l.read().iter().map(|v| followed(v, map))),
        IValue::Int(n) if *n > 1 => IValue::Int(map.get(n).copied().unwrap_or(*n)),
        other => other.clone(),
    }
}

fn another(dtype: DType, draw: usize) -> DType {
    match (dtype, draw) {
        (DType::F32, 0) => DType::F64,
        (DType::F32, 1) => DType::F16,
        (DType::F32, 2) => DType::BF16,
        (DType::F64, 3) => DType::F32,
        (DType::I64, 4) => DType::I32,
        (DType::I64, 5) => DType::I16,
        (DType::I64, 6) => DType::U8,
        (DType::I64, 7) => DType::I8,
        (DType::I64, 8) => DType::Bool,
        _ => dtype,
    }
}

/// Some elements that are one: a dimension of stride 0.
fn expanded(t: &Tensor, e: &mut Engine) -> Tensor {
    if t.dim() == 0 || t.numel() == 0 || t.is_wrapped_number() {
        return copied(t);
    }
    let d = below(e, t.dim());
    let mut strides = t.contiguous().expect("small tensors fit").strides().to_vec();
    strides[d] = 0;
    copied(t).as_strided(t.sizes(), &strides, 0).expect("inside")
}

fn cases() -> Vec<(&'static OpEntry, Case)> {
    let corpus = sconce_corpus::operator_calls().expect("testdata is packed");
    let mut all = Vec::new();
    for (_, bytes) in corpus.iter().filter(|(p, _)| p.starts_with("value/")) {
        for line in std::str::from_utf8(bytes).expect("recordings are UTF-8").lines() {
            let case = Case::parse(line).expect("recordings parse");
            let lowers = |entry: &&OpEntry| sconce_linalg::way(entry).is_some() && !entry.has(Trait::Random);
            if let Some(entry) = sconce_schema::lookup(case.op()).filter(lowers) {
                all.push((entry, case));
            }
        }
    }
    all
}

#[test]
fn random_calls_compiled() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().map_or(otherwise, |v| v.parse().unwrap_or_else(|_| panic!("{name} is no number")))
    };
    let (seed, wanted) = (number("SCONCE_SEED", 20_261_126), number("SCONCE_CALLS", 150));
    let mut e = Engine::new(seed);
    let cases = cases();
    let context = context::new(false);
    let mut tally = Tally::default();
    let mut tried = 0;
    while tally.same + tally.guarded < wanted as usize && tried < 50 * wanted {
        tried += 1;
        let (entry, case) = &cases[below(&mut e, cases.len())];
        let Ok((arguments, _)) = case.arguments(entry.schema()) else { continue };
        let (map, draw, follows) = (sizes(&arguments, &mut e), below(&mut e, 24), below(&mut e, 2) == 0);
        let mut fits = true;
        let mut change = |t: &Tensor| {
            let t = if t.is_wrapped_number() {
                t.clone()
            } else {
                cast::convert(t, another(t.dtype(), draw)).expect("numbers convert")
            };
            let Some(t) = resized(&t, &map) else {
                fits = false;
                return t;
            };
            match below(&mut e, 8) {
                0 => expanded(&t, &mut e),
                1..4 => laid(&t, &mut e),
                _ => t,
            }
        };
        let changed: Vec<IValue> = arguments.iter().map(|v| mapped(v, &mut change)).collect();
        if !fits {
            continue;
        }
        let changed: Vec<IValue> = if follows { changed.iter().map(|v| followed(v, &map)).collect() } else { changed };
        let before = tally.failures.len();
        check_call(&context, entry, &changed, below(&mut e, 3) == 0, &CodeOptions::default(), &mut tally);
        for failure in &mut tally.failures[before..] {
            failure.push_str(&format!("\n  {changed:?}").chars().take(600).collect::<String>());
        }
    }
    println!(
        "seed {seed}: {} equal, {} left to the interpreter by a guard, of {tried} tried",
        tally.same, tally.guarded
    );
    assert!(tally.failures.is_empty(), "{} differ:\n{}", tally.failures.len(), tally.failures.join("\n"));
    assert!(tally.same as u64 >= wanted / 3, "only {} calls were compiled", tally.same);
}
