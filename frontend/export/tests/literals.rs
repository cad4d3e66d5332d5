//! What the printer writes for a number or string reads back as the same value, whichever it is.

use proptest::prelude::*;
use sconce_export::printer::{constant_text, float_text};
use sconce_graph::unit::Unit;
use sconce_schema::text::quote_literal;
use sconce_syntax::script::tree::{Expr, ExprKind, NumberKind, StmtKind, UnaryOp};
use sconce_tensor::IValue;

fn read(text: &str) -> Expr {
    let file = format!("x = {text}\n");
    let mut module = sconce_syntax::script::parse_archive("literal.py", &file).expect(text);
    match module.body.pop().map(|s| s.kind) {
        Some(StmtKind::Assign { value, .. }) => value,
        other => panic!("{text} is {other:?}"),
    }
}

/// A float's text as the reader takes it: a literal with or without a sign, or a name.
fn read_float(text: &str) -> f64 {
    fn value(e: &Expr) -> f64 {
        match &e.kind {
            ExprKind::Number(n) => {
                assert_eq!(n.kind, NumberKind::Float, "{} is no float", n.text);
                n.text.parse().expect("a number")
            }
            ExprKind::Unary(UnaryOp::Neg, inner) => -value(inner),
            ExprKind::Var(name) if name.name == "inf" => f64::INFINITY,
            ExprKind::Var(name) if name.name == "nan" => f64::NAN,
            other => panic!("{other:?}"),
        }
    }
    value(&read(text))
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

proptest! {
    #[test]
    fn every_float_reads_back(bits in any::<u64>()) {
        let x = f64::from_bits(bits);
        let text = float_text(x);
        prop_assert!(same(read_float(&text), x), "{} is printed {}", x, text);
    }

    #[test]
    fn integral_floats_stay_floats(n in any::<i64>(), shift in 0u32..60) {
        let x = (n >> shift) as f64;
        prop_assert!(same(read_float(&float_text(x)), x), "{}", float_text(x));
    }

    #[test]
    fn every_byte_string_reads_back(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let text = quote_literal(&bytes);
        prop_assert!(text.is_ascii());
        match read(&text).kind {
            ExprKind::Str(read) => prop_assert_eq!(read, bytes, "{}", text),
            other => prop_assert!(false, "{} is {:?}", text, other),
        }
    }
}

#[test]
fn floats_are_spelled_as_pytorch_spells_them() {
    let cases = [
        (1.0, "1."),
        (-0.0, "-0."),
        (9_999_999_999.0, "9999999999."),
        (0.1, "0.10000000000000001"),
        (1e-5, "1.0000000000000001e-05"),
        (1e20, "1e+20"),
        (f64::INFINITY, "inf"),
        (f64::NEG_INFINITY, "-inf"),
        // PyTorch's own text of these reads back as an int.
        (1e10, "10000000000."),
        (-1e16, "-10000000000000000."),
    ];
    for (x, text) in cases {
        assert_eq!(float_text(x), text);
    }
}

#[test]
fn strings_escape_what_has_no_letter_in_octal() {
    assert_eq!(quote_literal(b"a\"b'\\\n\t\x07"), r#""a\"b\'\\\n\t\a""#);
    assert_eq!(quote_literal(b"\r\0\x7f"), r#""\015\000\177""#);
}

#[test]
fn complex_numbers_with_negative_zeros_are_calls() {
    let unit = Unit::default();
    let text = |re, im| constant_text(&unit, &IValue::complex(re, im)).expect("no table is needed");
    assert_eq!(text(1.0, -2.5), "1.-2.5j");
    assert_eq!(text(-0.0, 2.0), "complex(-0., 2.)");
}

#[test]
fn containers_say_their_type_where_it_does_not_show() {
    use sconce_schema::Type;
    let unit = Unit::default();
    let text = |v: &IValue| constant_text(&unit, v).expect("no table is needed");
    assert_eq!(text(&IValue::int_list(&[1, 2])), "[1, 2]");
    assert_eq!(text(&IValue::int_list(&[])), "annotate(List[int], [])");
    let optional = IValue::list(Type::optional(Type::Int), vec![IValue::None, IValue::Int(3)]);
    assert_eq!(text(&optional), "annotate(List[Optional[int]], [None, 3])");
    assert_eq!(text(&IValue::tuple(vec![IValue::Int(1)])), "(1,)");
}
