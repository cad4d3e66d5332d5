//! What rules compute: conditions over what is known of terms, and constants of the right side. What is not known has no value, and then the rule does not apply.

use sconce_schema::DType;
use sconce_schema::shape::{Meta, Size};
use std::fmt;
use std::sync::Arc;

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Expression {
    /// What is known of what a variable stands for.
    Variable(Arc<str>),
    Constant(Meta),
    List(Vec<Expression>),
    Call(&'static Function, Vec<Expression>),
}

/// A function: its name, how many arguments it takes, and what it gives.
pub struct Function {
    pub name: &'static str,
    pub arity: usize,
    /// Whether it is written between its arguments.
    infix: bool,
    apply: fn(&[Meta]) -> Option<Meta>,
    /// One line for the documentation.
    pub description: &'static str,
}

impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Expression {
    /// Its value, with what variables stand for.
    pub fn value(&self, known: &dyn Fn(&str) -> Option<Meta>) -> Option<Meta> {
        match self {
            Expression::Variable(name) => known(name),
            Expression::Constant(value) => Some(value.clone()),
            Expression::List(items) => items.iter().map(|e| e.value(known)).collect::<Option<_>>().map(Meta::List),
            Expression::Call(function, arguments) => {
                let arguments: Vec<Meta> = arguments.iter().map(|e| e.value(known)).collect::<Option<_>>()?;
                (function.apply)(&arguments)
            }
        }
    }

    /// Every variable in it.
    pub fn variables(&self, found: &mut Vec<Arc<str>>) {
        match self {
            Expression::Variable(name) => found.push(name.clone()),
            Expression::Constant(_) => {}
            Expression::List(items) | Expression::Call(_, items) => items.iter().for_each(|e| e.variables(found)),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, items: &[Expression]| {
            items.iter().enumerate().try_for_each(|(i, e)| write!(f, "{}{e}", if i > 0 { ", " } else { "" }))
        };
        match self {
            Expression::Variable(name) => write!(f, "?{name}"),
            Expression::Constant(Meta::Int(Size::Known(n))) => write!(f, "{n}"),
            Expression::Constant(Meta::Float(x)) => write!(f, "{x:?}"),
            Expression::Constant(Meta::Bool(b)) => write!(f, "{b}"),
            Expression::Constant(Meta::Str(s)) => write!(f, "{s:?}"),
            Expression::Constant(_) => f.write_str("none"),
            Expression::List(items) => {
                f.write_str("[")?;
                list(f, items)?;
                f.write_str("]")
            }
            Expression::Call(function, arguments) => match &arguments[..] {
                [a, b] if function.infix => write!(f, "{a} {} {b}", function.name),
                _ => {
                    write!(f, "{}(", function.name)?;
                    list(f, arguments)?;
                    f.write_str(")")
                }
            },
        }
    }
}

const fn function(
    name: &'static str,
    arity: usize,
    apply: fn(&[Meta]) -> Option<Meta>,
    description: &'static str,
) -> Function {
    Function { name, arity, infix: false, apply, description }
}

const fn infix(name: &'static str, apply: fn(&[Meta]) -> Option<Meta>, description: &'static str) -> Function {
    Function { name, arity: 2, infix: true, apply, description }
}

/// All functions, by name.
pub static FUNCTIONS: &[Function] = &[
    infix("+", |v| arithmetic(v, i64::checked_add, |a, b| a + b), "sum of numbers"),
    infix("-", |v| arithmetic(v, i64::checked_sub, |a, b| a - b), "difference of numbers"),
    infix("*", |v| arithmetic(v, i64::checked_mul, |a, b| a * b), "product of numbers"),
    infix(
        "/",
        |v| arithmetic(v, exact_quotient, |a, b| a / b),
        "quotient of floats; of integers where nothing is left",
    ),
    infix("%", |v| arithmetic(v, i64::checked_rem_euclid, f64::rem_euclid), "remainder, not negative"),
    infix("==", |v| equal(&v[0], &v[1]).map(Meta::Bool), "equal numbers, sizes or lists of them"),
    infix("!=", |v| equal(&v[0], &v[1]).map(|b| Meta::Bool(!b)), "different numbers"),
    infix("<", |v| compare(v, |a, b| a < b), "less"),
    infix("<=", |v| compare(v, |a, b| a <= b), "less or equal"),
    infix(">", |v| compare(v, |a, b| a > b), "greater"),
    infix(">=", |v| compare(v, |a, b| a >= b), "greater or equal"),
    function("rank", 1, |v| v[0].sizes().map(|s| integer(s.len() as i64)), "dimensions of a tensor"),
    function("size", 2, |v| size(&v[0], int(&v[1])?), "a size of a tensor"),
    function(
        "shape",
        1,
        |v| v[0].sizes().map(|s| Meta::List(s.iter().map(|d| Meta::Int(*d)).collect())),
        "sizes of a tensor",
    ),
    function("dtype", 1, |v| dtype(&v[0]).map(|d| integer(d.number())), "number of a tensor's dtype"),
    function("is_float", 1, |v| dtype(&v[0]).map(|d| Meta::Bool(d.is_float())), "elements are floating-point numbers"),
    function(
        "is_integral",
        1,
        |v| dtype(&v[0]).map(|d| Meta::Bool(!d.is_float() && !d.is_complex() && d != DType::Bool)),
        "elements are integers, not booleans",
    ),
    function("is_real", 1, |v| dtype(&v[0]).map(|d| Meta::Bool(!d.is_complex())), "elements are no complex numbers"),
    function(
        "is_signed",
        1,
        |v| dtype(&v[0]).map(|d| Meta::Bool(d.is_float() || d.is_complex() || d.is_signed_int())),
        "elements have a sign",
    ),
    function("is_bool", 1, |v| dtype(&v[0]).map(|d| Meta::Bool(d == DType::Bool)), "elements are booleans"),
    function("is_constant", 1, |v| Some(Meta::Bool(is_constant(&v[0]))), "the value is known"),
    function("len", 1, |v| items(&v[0]).map(|l| integer(l.len() as i64)), "elements of a list"),
    function("wrap", 2, |v| wrap(int(&v[0])?, int(&v[1])?).map(integer), "a dimension counted from the front"),
    function(
        "compose",
        2,
        |v| compose(&ints(&v[0])?, &ints(&v[1])?),
        "the permutation that does the first, then the second",
    ),
    function(
        "is_identity",
        1,
        |v| ints(&v[0]).map(|p| Meta::Bool(p.iter().enumerate().all(|(i, d)| *d == i as i64))),
        "a permutation that moves nothing",
    ),
    function(
        "swap",
        3,
        |v| swap(int(&v[0])?, int(&v[1])?, int(&v[2])?),
        "the permutation that exchanges two dimensions of so many",
    ),
    function("abs", 1, |v| int(&v[0])?.checked_abs().map(integer), "without its sign"),
    function(
        "is_power_of_two",
        1,
        |v| float(&v[0]).map(|x| Meta::Bool(is_power_of_two(x))),
        "a power of two with a reciprocal, both normal: a product with it is its quotient by the other, to the bit",
    ),
];

/// A function by its name.
pub fn by_name(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|f| f.name == name)
}

fn integer(n: i64) -> Meta {
    Meta::Int(Size::Known(n))
}

fn int(value: &Meta) -> Option<i64> {
    match value {
        Meta::Int(Size::Known(n)) => Some(*n),
        _ => None,
    }
}

fn float(value: &Meta) -> Option<f64> {
    match value {
        Meta::Float(x) => Some(*x),
        // Beyond that an integer is no float.
        Meta::Int(Size::Known(n)) if n.unsigned_abs() <= 1 << 53 => Some(*n as f64),
        _ => None,
    }
}

fn items(value: &Meta) -> Option<&[Meta]> {
    if let Meta::List(items) = value { Some(items) } else { None }
}

fn ints(value: &Meta) -> Option<Vec<i64>> {
    items(value)?.iter().map(int).collect()
}

fn dtype(value: &Meta) -> Option<DType> {
    if let Meta::Tensor(t) = value { t.dtype } else { None }
}

fn is_constant(value: &Meta) -> bool {
    match value {
        Meta::Unknown | Meta::Tensor(_) => false,
        Meta::Int(size) => matches!(size, Size::Known(_)),
        Meta::List(items) => items.iter().all(is_constant),
        _ => true,
    }
}

fn arithmetic(values: &[Meta], ints: fn(i64, i64) -> Option<i64>, floats: fn(f64, f64) -> f64) -> Option<Meta> {
    if let (Some(a), Some(b)) = (int(&values[0]), int(&values[1])) {
        return ints(a, b).map(integer);
    }
    Some(Meta::Float(floats(float(&values[0])?, float(&values[1])?)))
}

fn exact_quotient(a: i64, b: i64) -> Option<i64> {
    (a.checked_rem(b)? == 0).then(|| a / b)
}

fn compare(values: &[Meta], holds: fn(f64, f64) -> bool) -> Option<Meta> {
    Some(Meta::Bool(holds(float(&values[0])?, float(&values[1])?)))
}

/// Are they equal? A symbol equals itself, and what it equals besides is not known.
fn equal(a: &Meta, b: &Meta) -> Option<bool> {
    match (a, b) {
        (Meta::Int(Size::Symbol(x)), Meta::Int(Size::Symbol(y))) if x == y => Some(true),
        (Meta::List(x), Meta::List(y)) if x.len() != y.len() => Some(false),
        (Meta::List(x), Meta::List(y)) => {
            x.iter().zip(y).map(|(a, b)| equal(a, b)).try_fold(true, |all, one| Some(all && one?))
        }
        (Meta::Bool(x), Meta::Bool(y)) => Some(x == y),
        (Meta::Str(x), Meta::Str(y)) => Some(x == y),
        (Meta::None, Meta::None) => Some(true),
        (Meta::None, known) | (known, Meta::None) if is_constant(known) => Some(false),
        _ => Some(float(a)? == float(b)?),
    }
}

fn wrap(dim: i64, rank: i64) -> Option<i64> {
    let at = if dim < 0 { dim.checked_add(rank)? } else { dim };
    (0..rank).contains(&at).then_some(at)
}

fn size(tensor: &Meta, dim: i64) -> Option<Meta> {
    let sizes = tensor.sizes()?;
    let at = wrap(dim, sizes.len() as i64)?;
    sizes.get(usize::try_from(at).ok()?).filter(|s| **s != Size::Unknown).map(|s| Meta::Int(*s))
}

fn compose(first: &[i64], second: &[i64]) -> Option<Meta> {
    let rank = first.len() as i64;
    let at = |d: i64| first.get(usize::try_from(wrap(d, rank)?).ok()?).and_then(|p| wrap(*p, rank)).map(integer);
    if first.len() != second.len() {
        return None;
    }
    second.iter().map(|d| at(*d)).collect::<Option<_>>().map(Meta::List)
}

fn swap(a: i64, b: i64, rank: i64) -> Option<Meta> {
    let (a, b) = (wrap(a, rank)?, wrap(b, rank)?);
    let other = |d: i64| {
        if d == a {
            b
        } else if d == b {
            a
        } else {
            d
        }
    };
    (rank <= 64).then(|| Meta::List((0..rank).map(|d| integer(other(d))).collect()))
}

/// A power of two that f32 holds as a normal number, and its reciprocal too: f16 and bf16 are computed in f32.
fn is_power_of_two(x: f64) -> bool {
    const MANTISSA: u64 = (1 << 52) - 1;
    let is_normal = |x: f64| (f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX)).contains(&x.abs());
    x.to_bits() & MANTISSA == 0 && is_normal(x) && is_normal(1.0 / x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: &[Meta]) -> Option<Meta> {
        let constants = arguments.iter().cloned().map(Expression::Constant).collect();
        Expression::Call(by_name(name)?, constants).value(&|_| None)
    }

    #[test]
    fn what_is_not_known_has_no_value() {
        let (symbol, other) = (Meta::Int(Size::Symbol(1)), Meta::Int(Size::Symbol(2)));
        assert_eq!(call("==", &[symbol.clone(), symbol.clone()]), Some(Meta::Bool(true)));
        assert_eq!(call("==", &[symbol.clone(), other]), None);
        assert_eq!(call("+", &[symbol, integer(1)]), None);
        assert_eq!(call("+", &[integer(i64::MAX), integer(1)]), None);
        assert_eq!(call("/", &[integer(7), integer(2)]), None);
        assert_eq!(call("/", &[integer(1), integer(0)]), None);
    }

    #[test]
    fn permutations_compose() {
        let list = |v: &[i64]| Meta::List(v.iter().map(|n| integer(*n)).collect());
        assert_eq!(call("compose", &[list(&[1, 2, 0]), list(&[2, 0, 1])]), Some(list(&[0, 1, 2])));
        assert_eq!(call("compose", &[list(&[-1, 0, 1]), list(&[0, -2, 2])]), Some(list(&[2, 0, 1])));
        assert_eq!(call("compose", &[list(&[1, 0]), list(&[2, 0])]), None);
        assert_eq!(call("swap", &[integer(-1), integer(0), integer(3)]), Some(list(&[2, 1, 0])));
    }

    #[test]
    fn powers_of_two() {
        for (x, is) in [
            (2.0, true),
            (-0.5, true),
            (3.0, false),
            (0.0, false),
            (f64::INFINITY, false),
            (1e-320, false),
            (2f64.powi(127), false),
        ] {
            assert_eq!(call("is_power_of_two", &[Meta::Float(x)]), Some(Meta::Bool(is)), "{x}");
        }
    }
}
