//! What an operator computes does not depend on how its arguments lie in memory, nor on the form in which it is called.

mod large;

use sconce_conformance::layouts::{below, compare, copied, laid, mapped};
use sconce_conformance::vectors::Case;
use sconce_kernels::cast;
use sconce_schema::{OpEntry, Trait};
use sconce_tensor::mersenne::Engine;
use sconce_tensor::{IValue, Tensor};

/// Operators that speak of the layout itself.
pub fn about_layout(entry: &OpEntry) -> bool {
    let name = entry.base_name();
    // PyTorch factors the transpose of a matrix that lies by rows, bags of rows that lie side by side are summed without their maps, and one
    // element repeated by a stride of 0 is not sorted.
    let by_layout = [
        "_linalg_det",
        "_linalg_slogdet",
        "_embedding_bag",
        "_embedding_bag_forward_only",
        "embedding_bag",
        "sort",
        "argsort",
    ];
    // These read strides as arguments, or views that not every layout has.
    let by_strides = ["_reshape_alias", "_reshape_alias_copy", "slice_inverse", "view_as_complex_copy", "view_copy"];
    if by_layout.iter().chain(&by_strides).any(|n| name.strip_prefix("aten::") == Some(n)) {
        return true;
    }
    ["stride", "contiguous", "storage", "resize", "set", "empty", "as_strided", "memory_format", "_ncf"]
        .iter()
        .any(|w| name.contains(w))
}

pub fn cases() -> Vec<(&'static OpEntry, Case)> {
    let corpus = sconce_corpus::operator_calls().expect("testdata is packed");
    let mut all = Vec::new();
    for (_, bytes) in corpus.iter().filter(|(p, _)| p.starts_with("value/")) {
        for line in std::str::from_utf8(bytes).expect("recordings are UTF-8").lines() {
            let case = Case::parse(line).expect("recordings parse");
            if let Some(entry) = sconce_schema::lookup(case.op()) {
                all.push((entry, case));
            }
        }
    }
    all
}

/// A finding per operator is enough.
pub fn report(seed: u64, tried: usize, mut wrong: Vec<String>) {
    wrong.sort();
    wrong.dedup_by(|a, b| a.split(':').take(3).eq(b.split(':').take(3)));
    println!("seed {seed}: {tried} calls");
    // Unoptimised kernels are too slow for large tensors by the thousand.
    let least = if cfg!(debug_assertions) { 300 } else { 1000 };
    assert!(tried > least, "only {tried} calls were made");
    assert!(wrong.is_empty(), "seed {seed}: {} operators differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_result_does_not_depend_on_how_arguments_lie() {
    let seed = 20261121;
    let mut e = Engine::new(seed);
    let (mut tried, mut wrong) = (0, Vec::new());
    for (entry, case) in cases() {
        if !entry.schema().is_functional()
            || entry.has(Trait::Random)
            || entry.has(Trait::Effect)
            || about_layout(entry)
        {
            continue;
        }
        let Ok((args, _)) = case.arguments(entry.schema()) else { continue };
        // Half the time the first row stands for all: expanded on one side, copied on the other.
        let one_row = below(&mut e, 4) == 0;
        let expanded = |t: &Tensor| match (one_row, t.sizes()) {
            (true, [n, ..]) if *n > 0 => {
                let mut strides: Vec<i64> = t.strides().to_vec();
                strides[0] = 0;
                t.as_strided(t.sizes(), &strides, t.storage_offset()).expect("less of the same storage")
            }
            _ => t.clone(),
        };
        let mut plain: Vec<IValue> = args.iter().map(|v| mapped(v, &mut |t| copied(&expanded(t)))).collect();
        let mut turned: Vec<IValue> =
            args.iter().map(|v| mapped(v, &mut |t| if one_row { expanded(t) } else { laid(t, &mut e) })).collect();
        let Ok(want) = sconce_conformance::call(entry, &mut plain) else { continue };
        tried += 1;
        let outcome = match sconce_conformance::call(entry, &mut turned) {
            Ok(got) => want.iter().zip(&got).try_for_each(|(a, b)| compare(entry, a, b)),
            // Not every layout can be viewed otherwise.
            Err(_) if entry.has(Trait::View) || entry.family == "view" => Ok(()),
            Err(e) => Err(format!("raised {e}")),
        };
        if let Err(why) = outcome {
            wrong.push(format!("{}: {why}", entry.name));
        }
    }
    report(seed, tried, wrong);
}

#[test]
fn in_place_forms_do_what_the_functional_ones_do() {
    let seed = 20261122;
    let mut e = Engine::new(seed);
    let (mut tried, mut wrong) = (0, Vec::new());
    for (entry, case) in cases() {
        let Some(functional) = entry.functional_entry() else { continue };
        if !entry.has(Trait::InPlace)
            || entry.has(Trait::Random)
            || functional.has(Trait::Random)
            || about_layout(entry)
        {
            continue;
        }
        let Ok((args, _)) = case.arguments(entry.schema()) else { continue };
        let fresh = |e: &mut Engine| -> Vec<IValue> { args.iter().map(|v| mapped(v, &mut |t| laid(t, e))).collect() };
        let (mut written, given) = (fresh(&mut e), fresh(&mut e));
        // A dtype that is left open is the tensor's own.
        let option = |o: &sconce_schema::Argument| match given.first().map(IValue::as_tensor) {
            Some(Ok(t)) if &*o.name == "dtype" => t.dtype().into(),
            _ => IValue::None,
        };
        let args = sconce_schema::shape::functional_args(entry, functional, &given, IValue::is_none, option);
        let Some(mut inner) = args else { continue };
        let (Ok(want), Ok(_)) =
            (sconce_conformance::call(functional, &mut inner), sconce_conformance::call(entry, &mut written.clone()))
        else {
            continue;
        };
        let (Some(IValue::Tensor(target)), Some(IValue::Tensor(value))) = (written.first_mut(), want.first()) else {
            continue;
        };
        tried += 1;
        let value = cast::convert(value, target.dtype()).expect("what was written in place converts");
        if let Err(why) = compare(entry, &value.into(), &target.clone().into()) {
            wrong.push(format!("{}: {why}", entry.name));
        }
    }
    report(seed, tried, wrong);
}

/// One random view of a tensor.
fn viewed(t: &Tensor, e: &mut Engine) -> Option<Tensor> {
    let dim = below(e, t.dim().max(1)) as i64;
    let size = t.sizes().get(dim as usize).copied().unwrap_or(0);
    let int = IValue::Int;
    let (name, rest) = match below(e, 7) {
        0 if t.dim() > 1 && size > 0 => ("aten::select.int", vec![int(dim), int(below(e, size as usize) as i64)]),
        1 if t.dim() > 0 => {
            let step = 1 + below(e, 2) as i64;
            let start = below(e, size.max(1) as usize) as i64;
            ("aten::slice.Tensor", vec![int(dim), int(start), IValue::None, int(step)])
        }
        2 if t.dim() > 1 => ("aten::transpose.int", vec![int(dim), int(below(e, t.dim()) as i64)]),
        3 => ("aten::unsqueeze", vec![int(dim)]),
        4 => ("aten::squeeze", vec![]),
        5 if t.dim() > 1 => ("aten::diagonal", vec![]),
        6 if t.dim() > 0 && size > 1 => ("aten::unfold", vec![int(dim), int(2), int(2)]),
        _ => return None,
    };
    let args: Vec<IValue> = std::iter::once(t.clone().into()).chain(rest).collect();
    let views = sconce_kernels::call_by_name(name, &args).unwrap_or_else(|e| panic!("{name} of {:?}: {e}", t.sizes()));
    Some(views[0].as_tensor().expect("a view is a tensor").clone())
}

#[test]
fn writes_through_chains_of_views_reach_exactly_what_is_seen() {
    let seed = 20261123;
    let mut e = Engine::new(seed);
    for _ in 0..2000 {
        let sizes: Vec<i64> = (0..1 + below(&mut e, 4)).map(|_| 1 + below(&mut e, 5) as i64).collect();
        let base = Tensor::from_vec((0..sizes.iter().product()).collect::<Vec<i64>>(), &sizes);
        let mut view = base.clone();
        for _ in 0..12 {
            if let Some(next) = viewed(&view, &mut e).filter(|v| v.dim() < 9) {
                view = next;
            }
        }
        assert!(view.shares_storage(&base), "seed {seed}");
        // Each element says where it stands in the base.
        let seen = view.to_vec::<i64>();
        sconce_kernels::call_by_name("aten::fill_.Scalar", &[view.into(), IValue::Int(-1)])
            .expect("a view can be filled");
        for (i, v) in base.to_vec::<i64>().into_iter().enumerate() {
            let want = if seen.contains(&(i as i64)) { -1 } else { i as i64 };
            assert_eq!(v, want, "seed {seed}: element {i} of {sizes:?}");
        }
    }
}
