//! Expressions over sizes: the normal form keeps the number, what is written is read again, bounds hold, and guards say what was assumed.

use proptest::prelude::*;
use sconce_schema::dim::{Bounds, Dim, DimOp, Guard, Relation, assume, collect, parse, parse_guard};

fn symbol(name: &str) -> Option<u32> {
    name.strip_prefix(['s', 'u'])?.parse().ok()
}

fn read(text: &str) -> Dim {
    parse(text, symbol).unwrap()
}

#[test]
fn equal_sizes_compare_equal() {
    for (a, b) in [
        ("2*s0 + 1", "s0 + 1 + s0"),
        ("(s0 - 3)//2 + 1", "(s0 + 1)//2 - 1"),
        ("(4*s0 + 2)//2", "2*s0 + 1"),
        ("(s0 + 1)*(s0 - 1)", "s0**2 - 1"),
        ("s0*s1//s1", "s0"),
        ("Mod(s0 + 16, 8)", "s0 % 8"),
        ("Max(s0 + 1, s0)", "s0 + 1"),
        ("Min(s1, s0)", "Min(s0, s1)"),
        ("s0 - s0", "0"),
        ("FloorDiv(6*s0*s1, 3*s0)", "2*s1"),
    ] {
        assert_eq!(read(a), read(b), "{a} and {b}");
    }
    assert_ne!(read("s0//2*2"), read("s0"));
    assert!(read("s0 + 1").differs(read("s0")));
    assert!(!read("s0").differs(read("s1")));
}

#[test]
fn text_is_as_sympy_writes_it() {
    for text in ["2*s0 + 1", "Mod(s0, 8)", "(s0 + 1)//2", "Max(1, s0)", "s0*s1", "s0 - s1", "-7", "2*((s0 + 1)//2)"] {
        assert_eq!(read(text).to_string(), text);
    }
    for text in ["", "2*", "s0 s1", "x0", "f(s0)", "(s0", "s0**s1", "99999999999999999999"] {
        assert!(parse(text, symbol).is_err(), "{text}");
    }
    assert!(parse(&"(".repeat(100_000), symbol).is_err());
    let guard = |text: &str| parse_guard(text, symbol).unwrap().to_string();
    assert_eq!(guard("Eq(Mod(s0, 8), 0)"), "Mod(s0, 8) == 0");
    assert_eq!(guard("s0 < 64"), "s0 + 1 <= 64");
    assert_eq!(guard("s0 >= 2"), "2 <= s0");
    assert_eq!(guard("Ne(s0, 1)"), "s0 != 1");
}

#[test]
fn what_is_too_large_is_unknown() {
    assert_eq!(Dim::Known(i64::MAX).plus(1), Dim::Unknown);
    assert_eq!(Dim::Symbol(0).over(0), Dim::Unknown);
    let deep = (0..100).fold(Dim::Symbol(0), |d, n| d.plus(n).over(Dim::Symbol(1)));
    assert_eq!(deep, Dim::Unknown);
    let wide = (0..100).fold(Dim::Known(0), |d, n| d.plus(Dim::Symbol(n)));
    assert_eq!(wide, Dim::Unknown);
}

#[test]
fn assumptions_are_said_once_and_only_where_somebody_asks() {
    let (a, b) = (Dim::Symbol(0), Dim::Symbol(1));
    assert!(!assume(Relation::Equal, a, b));
    assert!(assume(Relation::Equal, a, a));
    let (held, guards) = collect(|| {
        let inner = collect(|| assume(Relation::Differs, b, Dim::Known(1)));
        assert_eq!(inner.1.len(), 1);
        assume(Relation::Equal, a, b) && assume(Relation::Equal, a, b) && !assume(Relation::Equal, a, a.plus(1))
    });
    assert!(held);
    assert_eq!(guards, [Guard { relation: Relation::Equal, left: a, right: b }]);
}

#[derive(Clone, Debug)]
enum Tree {
    Number(i64),
    Symbol(u32),
    Op(DimOp, Box<(Tree, Tree)>),
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![(-9i64..40).prop_map(Tree::Number), (0u32..3).prop_map(Tree::Symbol)];
    let op = prop::sample::select(vec![
        DimOp::Add,
        DimOp::Sub,
        DimOp::Mul,
        DimOp::FloorDiv,
        DimOp::Mod,
        DimOp::Min,
        DimOp::Max,
    ]);
    leaf.prop_recursive(4, 24, 2, move |inner| {
        (op.clone(), inner.clone(), inner).prop_map(|(op, a, b)| Tree::Op(op, Box::new((a, b))))
    })
}

impl Tree {
    fn dim(&self) -> Dim {
        match self {
            Tree::Number(n) => Dim::Known(*n),
            Tree::Symbol(s) => Dim::Symbol(*s),
            Tree::Op(op, p) => Dim::op(*op, p.0.dim(), p.1.dim()),
        }
    }
    fn eval(&self, values: &[i64; 3]) -> Option<i64> {
        match self {
            Tree::Number(n) => Some(*n),
            Tree::Symbol(s) => Some(values[*s as usize]),
            Tree::Op(op, p) => op.apply(p.0.eval(values)?, p.1.eval(values)?),
        }
    }
}

proptest! {
    #[test]
    fn the_normal_form_keeps_the_number(tree in tree(), values in [-5i64..50, 0i64..50, 1i64..7]) {
        let dim = tree.dim();
        let value = |s: u32| values.get(s as usize).copied();
        // A division by what is zero has no number; cancelled, it may have one.
        if let (Some(want), true) = (tree.eval(&values), dim != Dim::Unknown) {
            prop_assert_eq!(dim.eval(&value), Some(want), "{}", dim);
            let bounds = dim.bounds(&|s| Bounds { low: [-5, 0, 1][s as usize], high: [49, 49, 6][s as usize] });
            prop_assert!(bounds.contains(want), "{} in {:?}", dim, bounds);
            prop_assert!(dim.bounds(&|_| Bounds::ANY).contains(want), "{}", dim);
            prop_assert_eq!(dim.substitute(&|s| value(s).map(Dim::Known)), Dim::Known(want));
        }
        prop_assert_eq!(dim == Dim::Unknown, dim.to_string().contains('?'));
        if dim != Dim::Unknown {
            prop_assert_eq!(read(&dim.to_string()), dim);
        }
    }
}
