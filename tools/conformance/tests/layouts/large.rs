//! Recorded calls with larger tensors: large enough for wide vectors and their tails, for tiles and for threads.

use super::{about_layout, cases, report};
use sconce_conformance::layouts::{below, compare, copied, laid, mapped};
use sconce_kernels::derived::meta_of;
use sconce_kernels::{Outputs, cast, parallel};
use sconce_schema::shape::Meta;
use sconce_schema::{OpEntry, Trait};
use sconce_tensor::mersenne::Engine;
use sconce_tensor::{DType, IValue, Tensor};
use std::collections::{BTreeMap, BTreeSet};

/// Products of the sizes that a call names are at most this: larger ones only take longer.
const WORK: f64 = 1e5;
/// Elements of a result, at most: a diagonal matrix of 70,000 would fill a machine.
const MOST_OF_RESULT: i64 = 1 << 24;
/// Calls of each operator.
const CALLS: usize = 2;

/// What each size becomes, the same one everywhere in a call, so that what fitted still fits.
struct Sizes {
    map: BTreeMap<i64, i64>,
    most: usize,
}

impl Sizes {
    fn of(tensors: &[Tensor], e: &mut Engine) -> Sizes {
        let distinct: BTreeSet<i64> = tensors.iter().flat_map(|t| t.sizes()).copied().filter(|n| *n > 1).collect();
        let rank = tensors.iter().map(Tensor::dim).max().unwrap_or(0);
        let mut map = BTreeMap::new();
        let mut work = 1.0;
        for n in distinct {
            let wanted = match (rank, below(e, 8)) {
                (0..2, 0) => 70_000 + below(e, 100),
                (0..2, 1..4) => 1000 + below(e, 3000),
                (2, 0) => 300 + below(e, 300),
                (0..3, _) => 15 + below(e, 56),
                (_, 0..3) => 15 + below(e, 20),
                _ => n as usize,
            };
            let wanted = if work * wanted as f64 > WORK { n } else { (wanted as i64).max(n) };
            work *= wanted as f64;
            map.insert(n, wanted);
        }
        Sizes { map, most: 200_000 }
    }

    /// The tensor with the larger sizes, its elements over and over; `None` when that is too large.
    fn grown(&self, t: &Tensor) -> Option<Tensor> {
        if t.is_wrapped_number() || t.numel() == 0 {
            return Some(copied(t));
        }
        let sizes: Vec<i64> = t.sizes().iter().map(|n| self.map.get(n).copied().unwrap_or(*n)).collect();
        let count = sconce_tensor::numel(&sizes).filter(|n| *n <= self.most)?;
        let out = Tensor::zeros(&sizes, t.dtype()).expect("small tensors fit");
        let (bytes, size) = (t.contiguous().expect("small tensors fit").read_bytes(), t.dtype().size());
        // The period is odd, or every row would be the same.
        let period = if t.numel() > 2 { t.numel() - 1 + t.numel() % 2 } else { t.numel() };
        let all: Vec<u8> = (0..count).flat_map(|i| &bytes[i % period * size..][..size]).copied().collect();
        out.write_bytes(&all);
        Some(out)
    }
}

/// The dtype that all tensors of a dtype get, so that those with few recordings are called too.
fn another(dtype: DType, draw: usize) -> DType {
    match (dtype, draw) {
        (DType::F32, 0) => DType::F64,
        (DType::F32, 1) => DType::F16,
        (DType::F32, 2) => DType::BF16,
        (DType::F32, 3) => DType::C64,
        (DType::F32, 4) => DType::C128,
        (DType::F32 | DType::I64, 5) => DType::I32,
        (DType::I64, 6) => DType::I16,
        (DType::I64, 7) => DType::U8,
        (DType::I64, 8) => DType::I8,
        (DType::I64, 9) => DType::Bool,
        _ => dtype,
    }
}

fn tensors(args: &[IValue]) -> Vec<Tensor> {
    let mut all = Vec::new();
    for v in args {
        mapped(v, &mut |t| {
            all.push(t.clone());
            t.clone()
        });
    }
    all
}

fn bytes(v: &IValue) -> Vec<Vec<u8>> {
    let bits = |t: &Tensor| t.contiguous().expect("small tensors fit").read_bytes();
    tensors(std::slice::from_ref(v)).iter().map(bits).collect()
}

/// One thread and two give the same bits.
fn same_bits(one: &Outputs, two: &Outputs) -> Result<(), String> {
    match one.iter().zip(two).all(|(a, b)| bytes(a) == bytes(b)) {
        true => Ok(()),
        false => Err("one thread and two give other bits".to_string()),
    }
}

fn is_too_large(result: &Meta) -> bool {
    match result {
        Meta::Tensor(t) => t.numel().known().is_some_and(|n| n > MOST_OF_RESULT),
        Meta::List(items) => items.iter().any(is_too_large),
        _ => false,
    }
}

/// Whether its shape rule says that a call's results are too large to be made several times.
fn gives_too_much(entry: &OpEntry, args: &[IValue]) -> bool {
    let metas: Vec<Meta> = args.iter().map(meta_of).collect();
    let Some(Ok(results)) = sconce_schema::shape::infer(entry, &metas) else { return false };
    results.iter().any(is_too_large)
}

fn call(entry: &'static OpEntry, args: &[IValue], threads: usize) -> Result<Outputs, sconce_kernels::Error> {
    parallel::set_threads(threads);
    sconce_conformance::call(entry, &mut args.to_vec())
}

#[test]
fn large_results_depend_neither_on_layout_nor_on_threads() {
    let seed = std::env::var("SCONCE_SEED").ok().map_or(20_261_124, |v| v.parse().expect("a number"));
    let mut e = Engine::new(seed);
    let (mut tried, mut wrong) = (0, Vec::new());
    let mut each = BTreeMap::<&str, usize>::new();
    let (mut families, mut dtypes, mut known) = (BTreeMap::<&str, usize>::new(), BTreeSet::new(), BTreeSet::new());
    for (entry, case) in cases() {
        if !entry.schema().is_functional()
            || entry.has(Trait::Random)
            || entry.has(Trait::Effect)
            || about_layout(entry)
        {
            continue;
        }
        let Ok((args, _)) = case.arguments(entry.schema()) else { continue };
        let originals = tensors(&args);
        if originals.is_empty() {
            continue;
        }
        known.insert(entry.family);
        // A few recordings of each operator, others with another seed.
        let calls = each.entry(entry.name).or_default();
        // Unoptimised kernels take minutes for all: a few of each family then.
        let enough = cfg!(debug_assertions) && families.get(entry.family).is_some_and(|n| *n >= 12);
        if enough || *calls == CALLS || below(&mut e, 3) > 0 {
            continue;
        }
        let (sizes, draw) = (Sizes::of(&originals, &mut e), below(&mut e, 20));
        let mut too_large = false;
        let mut grow = |t: &Tensor| -> Tensor {
            let dtype = another(t.dtype(), draw);
            let t = if t.is_wrapped_number() { t.clone() } else { cast::convert(t, dtype).expect("numbers convert") };
            sizes.grown(&t).unwrap_or_else(|| {
                too_large = true;
                t
            })
        };
        let plain: Vec<IValue> = args.iter().map(|v| mapped(v, &mut grow)).collect();
        if too_large || gives_too_much(entry, &plain) {
            continue;
        }
        let turned: Vec<IValue> = plain.iter().map(|v| mapped(v, &mut |t| laid(t, &mut e))).collect();
        let Ok(want) = call(entry, &plain, 1) else { continue };
        tried += 1;
        *each.entry(entry.name).or_default() += 1;
        *families.entry(entry.family).or_default() += 1;
        dtypes.extend(tensors(&plain).iter().map(|t| t.dtype().short_name()));
        let outcome = match call(entry, &turned, 1) {
            Ok(got) => want.iter().zip(&got).try_for_each(|(a, b)| compare(entry, a, b)),
            // Not every layout can be viewed otherwise.
            Err(_) if entry.has(Trait::View) || entry.family == "view" => Ok(()),
            Err(e) => Err(format!("raised {e}")),
        };
        let again = |args: &[IValue]| match (call(entry, args, 1), call(entry, args, 2)) {
            (Ok(one), Ok(two)) => same_bits(&one, &two),
            _ => Ok(()),
        };
        if let Err(why) = outcome.and_then(|()| again(&plain)).and_then(|()| again(&turned)) {
            let shapes: Vec<String> = tensors(&turned)
                .iter()
                .map(|t| format!("{:?}{:?} by {:?} from {}", t.dtype(), t.sizes(), t.strides(), t.storage_offset()))
                .collect();
            wrong.push(format!("{}: {why} ({})", entry.name, shapes.join("; ")));
        }
    }
    println!("families {families:?}\ndtypes {dtypes:?}");
    let silent: Vec<&&str> = known.iter().filter(|f| !families.contains_key(**f)).collect();
    assert!(silent.is_empty(), "no call of {silent:?}");
    let all = ["u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128", "bool"];
    let missing: Vec<&&str> = all.iter().filter(|d| !dtypes.contains(**d)).collect();
    assert!(missing.is_empty(), "no tensor of {missing:?}");
    report(seed, tried, wrong);
}
