//! Expressions are read from sympy's long form and print in both as sympy printed them.

use expect_test::expect;
use sconce_fx::SymExpr;
use sconce_schema::dim::Dim;

fn recorded() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("sympy.txt").lines().filter_map(|line| line.split_once('\t'))
}

#[test]
fn both_forms_print_as_sympy_prints_them() {
    let mut wrong = Vec::new();
    for (long, short) in recorded() {
        match SymExpr::parse(long) {
            Err(error) => wrong.push(error.to_string()),
            Ok(expr) => {
                if expr.to_string() != short {
                    wrong.push(format!("{long}\n  sympy {short}\n  here  {expr}"));
                }
                if expr.srepr() != long {
                    wrong.push(format!("sympy {long}\n  here  {}", expr.srepr()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_short_form_reads_back() {
    let mut wrong = Vec::new();
    // `Identity` prints as parentheses only.
    for (_, short) in recorded().filter(|(long, _)| !long.contains("Identity")) {
        match SymExpr::parse(short) {
            Err(error) => wrong.push(error.to_string()),
            Ok(expr) if expr.to_string() != short => wrong.push(format!("sympy {short}\n  here  {expr}")),
            Ok(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// A number for the digits of a name.
fn number(name: &str) -> Option<u32> {
    name.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().ok()
}

#[test]
fn sizes_become_dims() {
    let dim = |text: &str| SymExpr::parse(text).ok().and_then(|e| e.to_dim(&number));
    assert_eq!(dim("Add(Symbol('s77', positive=True, integer=True), Integer(1))"), Some(Dim::Symbol(77).plus(1)));
    assert_eq!(dim("2*s3 - (s4//2)"), Some(Dim::Symbol(3).times(2).minus(Dim::Symbol(4).over(2))));
    assert_eq!(dim("ModularIndexing(s1, 2, 4)"), Some(Dim::Symbol(1).over(2).modulo(4)));
    assert_eq!(dim("s1**2"), Some(Dim::Symbol(1).times(Dim::Symbol(1))));
    assert_eq!([dim("s1/2"), dim("2.5"), dim("s1 < 2"), dim("q + 1"), dim("int_oo")], [None; 5]);
    let guard = |text: &str| SymExpr::parse(text).ok().and_then(|e| e.to_guard(&number)).map(|g| g.to_string());
    assert_eq!(guard("u0 >= 2").as_deref(), Some("2 <= s0"));
    assert_eq!(guard("Ne(u0, 2*u1)").as_deref(), Some("s0 != 2*s1"));
    assert_eq!(guard("u0 + 2"), None);
}

#[test]
fn what_is_no_expression_is_refused_where_it_fails() {
    let deep = format!("{}u0{}", "(".repeat(70), ")".repeat(70));
    let chain = format!("u0{}", "//u1".repeat(70));
    let minus = format!("{}u0", "-".repeat(100_000));
    let texts = [
        "",
        "u0 +",
        "u0 u1",
        "(u0",
        "Max(u0,, 1)",
        "Symbol(s0)",
        "Symbol('s0', positive=3)",
        "Integer(9223372036854775808)",
        "99999999999999999999",
        "9223372036854775807*2",
        "u0/0",
        "Rational(1, 0)",
        "FloorDiv(u0)",
        "Float('x')",
        "()",
        "u0 @ u1",
        "Symbol('a\\'b')",
        "é",
        &deep,
        &chain,
        &minus,
    ];
    let said = texts.map(|text| {
        SymExpr::parse(text).map_or_else(|e| format!("{}: {}\n", e.offset, e.why), |e| format!("read: {e}\n"))
    });
    expect![[r#"
        0: expected a number, a name or `(`
        4: expected a number, a name or `(`
        3: expected an operator or the end
        3: expected `)`
        7: expected a number, a name or `(`
        7: expected a string
        23: expected `True` or `False`
        27: expected an integer of 64 bits, found `9223372036854775808`
        20: expected a number of 64 bits, found `99999999999999999999`
        21: expected a number of 64 bits
        4: expected a divisor other than 0
        14: expected a divisor other than 0
        0: expected 2 arguments of `FloorDiv`, found 1
        10: expected a float, found `x`
        2: expected an expression before `)`
        3: expected an operator or the end
        8: expected the end of a string without escapes
        read: é
        65: nested deeper than 64
        258: nested deeper than 64
        65: nested deeper than 64
    "#]]
    .assert_eq(&said.concat());
}

#[test]
fn long_sums_cost_no_stack() {
    let text = vec!["u0*u1"; 20_000].join(" + ");
    let expr = SymExpr::parse(&text).expect("a sum");
    assert_eq!(expr.to_string(), text);
}
