//! Both of sympy's forms: the short one that people read, which is [`Display`](std::fmt::Display), and `srepr`, which archives hold.

use super::order::compare;
use super::{Function, SymExpr};
use std::fmt;

/// How strongly what is printed binds; sympy's own numbers, because PyTorch's functions lie between.
type Strength = u8;
const XOR: Strength = 10;
const OR: Strength = 20;
const AND: Strength = 30;
const RELATION: Strength = 35;
const SUM: Strength = 40;
const PRODUCT: Strength = 50;
const POWER: Strength = 60;
const FUNCTION: Strength = 70;
const NOT: Strength = 100;
const ATOM: Strength = 255;

/// Digits of a float in the short form.
const DIGITS: usize = 15;
/// Digits of a float in the long form: as many as tell it from all others.
const ALL_DIGITS: usize = 17;

/// Functions that bind as weakly as a relation although they print as calls.
const WEAK: &[(&str, Strength)] = &[
    ("Where", RELATION),
    ("IntTrueDiv", RELATION),
    ("FloatTrueDiv", RELATION),
    ("BitwiseFn_bitwise_or", 36),
    ("BitwiseFn_bitwise_xor", 37),
    ("BitwiseFn_bitwise_and", 38),
    ("LShift", PRODUCT),
    ("RShift", PRODUCT),
    ("FloatPow", POWER),
];

fn strength(expr: &SymExpr) -> Strength {
    match expr {
        SymExpr::Int(n) if *n < 0 => SUM,
        SymExpr::Float(x) if x.is_sign_negative() => SUM,
        SymExpr::Rational(n, _) => {
            if *n < 0 {
                SUM
            } else {
                PRODUCT
            }
        }
        SymExpr::Int(_) | SymExpr::Float(_) | SymExpr::Bool(_) | SymExpr::Constant(_) | SymExpr::Symbol(_) => ATOM,
        SymExpr::Apply(function, args) => match function {
            Function::Xor => XOR,
            Function::Or => OR,
            Function::And => AND,
            Function::Equal
            | Function::Unequal
            | Function::Less
            | Function::AtMost
            | Function::Greater
            | Function::AtLeast
            | Function::FloorDiv
            | Function::CleanDiv
            | Function::Mod
            | Function::PythonMod
            | Function::ModularIndexing
            | Function::Identity => RELATION,
            Function::Add => SUM,
            Function::Mul if args.first().is_some_and(is_negative) => SUM,
            Function::Mul | Function::PowByNatural => PRODUCT,
            Function::Pow => POWER,
            Function::Min | Function::Max => ATOM,
            Function::Not => NOT,
            Function::Other(name) => WEAK.iter().find(|(n, _)| **n == **name).map_or(FUNCTION, |(_, s)| *s),
        },
    }
}

fn is_negative(expr: &SymExpr) -> bool {
    match expr {
        SymExpr::Int(n) | SymExpr::Rational(n, _) => *n < 0,
        SymExpr::Float(x) => x.is_sign_negative(),
        _ => false,
    }
}

/// In parentheses where it binds no stronger than `least`.
fn bound(expr: &SymExpr, least: Strength) -> String {
    let text = inner(expr);
    if strength(expr) <= least { format!("({text})") } else { text }
}

/// As it prints inside of another: floats lose their zeros.
fn inner(expr: &SymExpr) -> String {
    match expr {
        SymExpr::Float(x) => float(*x, DIGITS, true),
        other => other.to_string(),
    }
}

fn joined(args: &[SymExpr], between: &str, each: impl Fn(&SymExpr) -> String) -> String {
    args.iter().map(each).collect::<Vec<_>>().join(between)
}

fn sum(args: &[SymExpr]) -> String {
    let mut out = String::new();
    for (i, term) in args.iter().enumerate() {
        let text = inner(term);
        let is_sum = matches!(term, SymExpr::Apply(Function::Add, _));
        let (sign, text) = match text.strip_prefix('-') {
            Some(rest) if !is_sum => ("-", rest.to_owned()),
            _ => ("+", text),
        };
        match (i, sign) {
            (0, "-") => out.push('-'),
            (0, _) => {}
            (_, sign) => out.extend([" ", sign, " "]),
        }
        if is_sum || strength(term) < SUM {
            out.extend(["(", &text, ")"]);
        } else {
            out.push_str(&text);
        }
    }
    out
}

/// The base and what it is divided by how often, if the factor is a power that divides.
fn divisor(factor: &SymExpr) -> Option<SymExpr> {
    let SymExpr::Apply(Function::Pow, args) = factor else { return None };
    let [base, exponent] = &args[..] else { return None };
    let turned = match exponent {
        SymExpr::Int(-1) => return Some(base.clone()),
        SymExpr::Int(n) if *n < 0 => SymExpr::Int(n.checked_neg()?),
        SymExpr::Rational(n, d) if *n < 0 => SymExpr::Rational(n.checked_neg()?, *d),
        _ => return None,
    };
    Some(SymExpr::Apply(Function::Pow, vec![base.clone(), turned]))
}

fn product(args: &[SymExpr]) -> String {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    let mut sign = "";
    for (i, factor) in args.iter().enumerate() {
        if i == 0 && is_negative(factor) && args.len() > 1 {
            sign = "-";
        }
        let text = match (i, factor) {
            (0, SymExpr::Int(1 | -1)) if args.len() > 1 => continue,
            (0, SymExpr::Int(n)) => n.unsigned_abs().to_string(),
            (0, SymExpr::Float(x)) => float(x.abs(), DIGITS, true),
            (0, SymExpr::Rational(n, d)) => {
                below.push(SymExpr::Int(*d));
                if n.unsigned_abs() == 1 {
                    continue;
                }
                n.unsigned_abs().to_string()
            }
            _ => match divisor(factor) {
                Some(divisor) => {
                    below.push(divisor);
                    continue;
                }
                // A lone sum behind a sign keeps its parentheses.
                None => bound(factor, PRODUCT),
            },
        };
        above.push(text);
    }
    let above = if above.is_empty() { "1".to_owned() } else { above.join("*") };
    match &below[..] {
        [] => format!("{sign}{above}"),
        [one] => format!("{sign}{above}/{}", bound(one, PRODUCT)),
        many => format!("{sign}{above}/({})", joined(many, "*", |f| bound(f, PRODUCT))),
    }
}

fn power(base: &SymExpr, exponent: &SymExpr) -> String {
    match exponent {
        SymExpr::Rational(1, 2) => format!("sqrt({})", inner(base)),
        SymExpr::Rational(-1, 2) => format!("1/sqrt({})", inner(base)),
        SymExpr::Int(-1) => format!("1/{}", bound(base, POWER)),
        _ => format!("{}**{}", bound(base, POWER), bound(exponent, POWER)),
    }
}

/// `srepr` would nest tuples as `ExprCondPair`; the short form writes them as tuples.
fn pair(expr: &SymExpr) -> String {
    match expr {
        SymExpr::Apply(Function::Other(name), args) if **name == *"ExprCondPair" => {
            format!("({})", joined(args, ", ", inner))
        }
        other => inner(other),
    }
}

/// Parts of a condition stand in parentheses, whatever the sign between them; `Eq(…)` has its own.
fn condition(args: &[SymExpr], sign: &str) -> String {
    joined(args, sign, |a| match a {
        SymExpr::Apply(Function::Equal | Function::Unequal, _) => inner(a),
        other => bound(other, RELATION),
    })
}

fn applied(function: &Function, args: &[SymExpr]) -> String {
    use Function::*;
    let relation =
        |sign: &str, a: &SymExpr, b: &SymExpr| format!("{} {sign} {}", bound(a, RELATION), bound(b, RELATION));
    match (function, args) {
        (Add, [_, ..]) => sum(args),
        (Mul, [_, ..]) => product(args),
        (Pow, [base, exponent]) => power(base, exponent),
        (FloorDiv | CleanDiv, [a, b]) => format!("({}//{})", bound(a, ATOM - 1), bound(b, ATOM - 1)),
        (Identity, [a]) => format!("({})", inner(a)),
        (Less, [a, b]) => relation("<", a, b),
        (AtMost, [a, b]) => relation("<=", a, b),
        (Greater, [a, b]) => relation(">", a, b),
        (AtLeast, [a, b]) => relation(">=", a, b),
        (Equal, [a, b]) => format!("Eq({}, {})", inner(a), inner(b)),
        (Unequal, [a, b]) => format!("Ne({}, {})", inner(a), inner(b)),
        (And, [_, _, ..]) => condition(args, " & "),
        (Or, [_, _, ..]) => condition(args, " | "),
        (Xor, [_, _, ..]) => condition(args, " ^ "),
        (Not, [a]) => format!("~{}", bound(a, NOT)),
        (Min | Max, _) => {
            let mut sorted: Vec<&SymExpr> = args.iter().collect();
            sorted.sort_by(|a, b| compare(a, b));
            let sorted = sorted.into_iter().map(inner).collect::<Vec<_>>();
            format!("{}({})", function.name(), sorted.join(", "))
        }
        _ => format!("{}({})", function.name(), joined(args, ", ", pair)),
    }
}

impl fmt::Display for SymExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SymExpr::Int(n) => write!(f, "{n}"),
            SymExpr::Rational(n, d) => write!(f, "{n}/{d}"),
            SymExpr::Float(x) => f.write_str(&float(*x, DIGITS, false)),
            SymExpr::Bool(b) => f.write_str(if *b { "True" } else { "False" }),
            SymExpr::Constant(c) => f.write_str(c.name()),
            SymExpr::Symbol(s) => f.write_str(&s.name),
            SymExpr::Apply(function, args) => f.write_str(&applied(function, args)),
        }
    }
}

impl SymExpr {
    /// The long form: `Add(Symbol('s77', positive=True, integer=True), Integer(1))`.
    pub fn srepr(&self) -> String {
        match self {
            SymExpr::Int(n) => format!("Integer({n})"),
            SymExpr::Rational(n, d) => format!("Rational({n}, {d})"),
            SymExpr::Float(x) => format!("Float('{}', precision=53)", float(*x, ALL_DIGITS, true)),
            SymExpr::Bool(b) => b.to_string(),
            SymExpr::Constant(c) => c.name().to_owned(),
            SymExpr::Symbol(s) => {
                let truth = |b: bool| if b { "True" } else { "False" };
                let said = s.assumptions.iter().map(|(what, holds)| format!(", {what}={}", truth(*holds)));
                format!("Symbol('{}'{})", s.name, said.collect::<String>())
            }
            SymExpr::Apply(Function::Mul, args) => match &args[..] {
                // sympy takes the sign out of the first factor.
                [SymExpr::Int(-1), SymExpr::Constant(c)] => format!("-{}", c.name()),
                [first, rest @ ..] if is_negative(first) && *first != SymExpr::Int(-1) => {
                    let first = match first {
                        SymExpr::Int(n) => format!("Integer({})", n.unsigned_abs()),
                        SymExpr::Rational(n, d) => format!("Rational({}, {d})", n.unsigned_abs()),
                        SymExpr::Float(x) => SymExpr::Float(-x).srepr(),
                        other => other.srepr(),
                    };
                    let rest = rest.iter().map(|a| format!(", {}", a.srepr()));
                    format!("Mul(Integer(-1), {first}{})", rest.collect::<String>())
                }
                args => format!("Mul({})", joined(args, ", ", SymExpr::srepr)),
            },
            SymExpr::Apply(function, args) => format!("{}({})", function.name(), joined(args, ", ", SymExpr::srepr)),
        }
    }
}

/// A float with so many digits as mpmath writes it: `2.50000000000000`, `1.0e+20`; stripped, it keeps one digit behind the point.
fn float(x: f64, digits: usize, strip: bool) -> String {
    if !x.is_finite() {
        return if x.is_nan() {
            "nan"
        } else if x > 0.0 {
            "oo"
        } else {
            "-oo"
        }
        .to_owned();
    }
    if x == 0.0 {
        return if strip { "0.0".to_owned() } else { "0".to_owned() };
    }
    let text = format!("{:.*e}", digits.saturating_sub(1), x.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i64 = exponent.parse().unwrap_or(0);
    let figures: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let is_fixed = exponent > -5 && exponent < i64::try_from(digits).unwrap_or(i64::MAX);
    let mut out = if !is_fixed {
        mantissa.to_owned()
    } else if exponent < 0 {
        let zeros = usize::try_from(-1 - exponent).unwrap_or(0);
        format!("0.{}{figures}", "0".repeat(zeros))
    } else {
        let (whole, rest) = figures.split_at(usize::try_from(exponent + 1).unwrap_or(1).min(figures.len()));
        format!("{whole}.{rest}")
    };
    if strip {
        out.truncate(out.trim_end_matches('0').len());
    }
    if out.ends_with('.') && strip {
        out.push('0');
    }
    if !is_fixed {
        out.push_str(&format!("e{exponent:+}"));
    }
    if x < 0.0 { format!("-{out}") } else { out }
}
