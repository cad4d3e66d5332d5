//! The order in which sympy lists what has none of its own, such as the arguments of `Max`: numbers, symbols, products, sums, functions.

use super::{Function, SymExpr};
use std::cmp::Ordering;

/// An expression in the parts that are compared one after the other.
struct Parts<'e> {
    class: (u8, &'e str),
    args: &'e [SymExpr],
    name: &'e str,
    exponent: Option<&'e SymExpr>,
    coefficient: f64,
}

const ONE: SymExpr = SymExpr::Int(1);

fn number(expr: &SymExpr) -> Option<f64> {
    match expr {
        SymExpr::Int(n) => Some(*n as f64),
        SymExpr::Rational(n, d) => Some(*n as f64 / *d as f64),
        SymExpr::Float(x) => Some(*x),
        _ => None,
    }
}

fn parts(expr: &SymExpr) -> Parts<'_> {
    let mut coefficient = 1.0;
    let mut expr = expr;
    let mut factors: &[SymExpr] = &[];
    if let SymExpr::Apply(Function::Mul, args) = expr {
        factors = args;
        if let [first, rest @ ..] = &args[..]
            && let Some(n) = number(first)
        {
            (coefficient, factors) = (n, rest);
            if let [only] = rest {
                expr = only;
            }
        }
    }
    let mut exponent = None;
    if let SymExpr::Apply(Function::Pow, args) = expr
        && let [base, power] = &args[..]
    {
        (expr, exponent) = (base, Some(power));
    }
    let part = |class, args| Parts { class, args, name: "", exponent, coefficient };
    match expr {
        SymExpr::Symbol(s) => Parts { name: &s.name, ..part((2, ""), &[]) },
        SymExpr::Constant(c) => Parts { name: c.name(), ..part((2, ""), &[]) },
        SymExpr::Apply(Function::Mul, _) => part((3, "0"), factors),
        SymExpr::Apply(Function::Add, args) => part((3, "1"), args),
        SymExpr::Apply(f @ (Function::Min | Function::Max), args) => part((5, f.name()), args),
        SymExpr::Apply(f, args) => part((4, f.name()), args),
        known => Parts { coefficient: number(known).unwrap_or(coefficient), ..part((1, ""), &[]) },
    }
}

/// Which of two expressions is listed first.
pub(super) fn compare(a: &SymExpr, b: &SymExpr) -> Ordering {
    let (a, b) = (parts(a), parts(b));
    let each = || a.args.iter().zip(b.args).map(|(a, b)| compare(a, b)).find(|o| o.is_ne());
    let exponents = || match (a.exponent, b.exponent) {
        (None, None) => Ordering::Equal,
        (a, b) => compare(a.unwrap_or(&ONE), b.unwrap_or(&ONE)),
    };
    (a.class.cmp(&b.class))
        .then(a.name.cmp(b.name))
        .then(a.args.len().cmp(&b.args.len()))
        .then_with(|| each().unwrap_or(Ordering::Equal))
        .then_with(exponents)
        .then_with(|| a.coefficient.total_cmp(&b.coefficient))
}
