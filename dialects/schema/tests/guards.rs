//! Rules over symbols: what they compute, and what they assume where somebody asks.

use sconce_schema::DType;
use sconce_schema::dim::{Dim, collect, parse};
use sconce_schema::shape::{Meta, TensorMeta, infer};

fn dim(text: &str) -> Dim {
    parse(text, |name| name.strip_prefix('s')?.parse().ok()).unwrap()
}

fn tensor(sizes: &[&str]) -> Meta {
    Meta::Tensor(TensorMeta::new(Some(DType::F32), Some(sizes.iter().map(|s| dim(s)).collect())))
}

fn ints(list: &[i64]) -> Meta {
    Meta::List(list.iter().map(|n| Meta::Int(Dim::Known(*n))).collect())
}

/// The sizes of an operator's result and what is assumed, as text; without a collector nothing is.
fn check(op: &str, args: &[Meta], plain: &str, collected: &str, guards: &[&str]) {
    let entry = sconce_schema::lookup(op).unwrap();
    let defaults = entry.schema().arguments.iter().skip(args.len()).map(Meta::from_default);
    let args: Vec<Meta> = args.iter().cloned().chain(defaults).collect();
    let result = || match infer(entry, &args).unwrap().unwrap()[0].sizes() {
        Some(sizes) => sizes.iter().map(Dim::to_string).collect::<Vec<_>>().join(", "),
        None => "unknown".to_owned(),
    };
    assert_eq!(result(), plain, "{op}");
    let (text, assumed) = collect(result);
    assert_eq!(text, collected, "{op}");
    assert_eq!(assumed.iter().map(ToString::to_string).collect::<Vec<_>>(), guards, "{op}");
}

#[test]
fn results_are_expressions() {
    let pool = [tensor(&["s0", "8", "s1", "s1"]), ints(&[3, 3]), ints(&[2, 2]), ints(&[1, 1])];
    check("aten::max_pool2d", &pool, "s0, 8, (s1 + 1)//2, (s1 + 1)//2", "s0, 8, (s1 + 1)//2, (s1 + 1)//2", &[]);
    let joined = [Meta::List(vec![tensor(&["s0", "3"]), tensor(&["s1", "3"])]), Meta::Int(Dim::Known(0))];
    check("aten::cat", &joined, "s0 + s1, 3", "s0 + s1, 3", &[]);
    let repeated = [tensor(&["s0", "s1"]), ints(&[2, 3])];
    check("aten::repeat", &repeated, "2*s0, 3*s1", "2*s0, 3*s1", &[]);
    let flat = [tensor(&["s0", "s1", "4"]), Meta::Int(Dim::Known(1)), Meta::Int(Dim::Known(2))];
    check("aten::flatten.using_ints", &flat, "s0, 4*s1", "s0, 4*s1", &[]);
}

#[test]
fn assumptions_are_collected() {
    check("aten::add.Tensor", &[tensor(&["s0"]), tensor(&["s1"])], "?", "s0", &["s0 == s1"]);
    check("aten::add.Tensor", &[tensor(&["s0"]), tensor(&["5"])], "5", "5", &["s0 == 5"]);
    check("aten::mm", &[tensor(&["s0", "s1"]), tensor(&["s2", "4"])], "s0, 4", "s0, 4", &["s1 == s2"]);
    check("aten::squeeze.dim", &[tensor(&["s0", "3"]), Meta::Int(Dim::Known(0))], "unknown", "s0, 3", &["s0 != 1"]);
    check("aten::add.Tensor", &[tensor(&["s0"]), tensor(&["s0"])], "s0", "s0", &[]);
}

#[test]
fn what_is_certainly_wrong_is_refused() {
    let entry = sconce_schema::lookup("aten::mm").unwrap();
    let error = infer(entry, &[tensor(&["s0", "s1"]), tensor(&["s1 + 1", "4"])]).unwrap().unwrap_err();
    assert_eq!(error.message, "mm: mat1 and mat2 shapes cannot be multiplied (s0xs1 and s1 + 1x4)");
}
