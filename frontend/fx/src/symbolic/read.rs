//! The reader of sympy's two forms: each operator stands where Python's grammar has it, nothing nests deeper than [`MAX_EXPRESSION_DEPTH`], and what does not fit is an
//! error.

use super::{Constant, Function, SymExpr, Symbol};
use crate::limits::{MAX_EXPRESSION, MAX_EXPRESSION_DEPTH};
use std::sync::Arc;

/// Why a text is no expression.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no expression of sympy's: {why} at byte {offset} of `{text}`")]
pub struct Unreadable {
    /// The text, or its beginning.
    pub text: String,
    pub offset: usize,
    /// `expected a number or a name`
    pub why: String,
}

/// How much of a text an error repeats.
const EXCERPT: usize = 200;

pub(super) fn read(text: &str) -> Result<SymExpr, Unreadable> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let expr = if text.len() > MAX_EXPRESSION {
        reader.fail(format!("more than {MAX_EXPRESSION} bytes"))
    } else {
        reader.expression(0).and_then(|deep| {
            reader.blank();
            if reader.rest().is_empty() { Ok(deep.expr) } else { reader.fail("expected an operator or the end") }
        })
    };
    expr.map_err(|why| Unreadable { text: text.chars().take(EXCERPT).collect(), offset: reader.at, why })
}

/// An expression and how deep it nests.
struct Deep {
    expr: SymExpr,
    depth: usize,
}

impl From<SymExpr> for Deep {
    fn from(expr: SymExpr) -> Deep {
        Deep { expr, depth: 1 }
    }
}

type Read<T> = Result<T, String>;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Of brackets and signs that are open.
    depth: usize,
}

/// Signs between two expressions, longest first, with how strongly they bind.
const BINARY: &[(&str, u8)] = &[
    ("**", 9),
    ("//", 7),
    ("<=", 1),
    (">=", 1),
    ("==", 1),
    ("!=", 1),
    ("<", 1),
    (">", 1),
    ("|", 2),
    ("^", 3),
    ("&", 4),
    ("+", 6),
    ("-", 6),
    ("*", 7),
    ("/", 7),
    ("%", 7),
];
const UNARY: u8 = 8;

impl Reader<'_> {
    fn fail<T>(&self, why: impl Into<String>) -> Read<T> {
        Err(why.into())
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn blank(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn takes(&mut self, sign: &str) -> bool {
        self.blank();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn expects(&mut self, sign: &str) -> Read<()> {
        if self.takes(sign) { Ok(()) } else { self.fail(format!("expected `{sign}`")) }
    }

    fn word(&mut self, is_part: impl Fn(char) -> bool) -> &str {
        self.blank();
        let start = self.at;
        self.at += self.rest().find(|c| !is_part(c)).unwrap_or(self.rest().len());
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        if self.depth > MAX_EXPRESSION_DEPTH {
            return self.fail(format!("nested deeper than {MAX_EXPRESSION_DEPTH}"));
        }
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    /// Operators that bind stronger than `least`.
    fn expression(&mut self, least: u8) -> Read<Deep> {
        let mut left = self.operand()?;
        loop {
            self.blank();
            let Some((sign, binds)) = BINARY.iter().copied().find(|(sign, _)| self.rest().starts_with(sign)) else {
                return Ok(left);
            };
            if binds <= least {
                return Ok(left);
            }
            self.at += sign.len();
            // A power's right side may begin with a sign, and contain powers.
            let right = self.nested(|r| r.expression(if sign == "**" { UNARY } else { binds }))?;
            left = self.join(sign, left, right)?;
        }
    }

    fn operand(&mut self) -> Read<Deep> {
        if self.takes("-") {
            let operand = self.nested(|r| r.expression(UNARY))?;
            return self.product(vec![SymExpr::Int(-1).into(), operand], true);
        }
        if self.takes("+") {
            return self.nested(|r| r.expression(UNARY));
        }
        if self.takes("~") {
            let operand = self.nested(|r| r.expression(UNARY))?;
            return self.apply(Function::Not, vec![operand]);
        }
        self.atom()
    }

    fn join(&mut self, sign: &str, left: Deep, right: Deep) -> Read<Deep> {
        let function = match sign {
            "+" => return self.sum(left, right),
            "-" => {
                let right = self.product(vec![SymExpr::Int(-1).into(), right], true)?;
                return self.sum(left, right);
            }
            "*" => return self.product(vec![left, right], true),
            "/" => {
                let right = self.inverse(right)?;
                return self.product(vec![left, right], true);
            }
            "**" => return self.power(vec![left, right]),
            "//" => Function::FloorDiv,
            "%" => Function::PythonMod,
            "<" => Function::Less,
            "<=" => Function::AtMost,
            ">" => Function::Greater,
            ">=" => Function::AtLeast,
            "==" => Function::Equal,
            "!=" => Function::Unequal,
            "&" | "|" | "^" => {
                let function = match sign {
                    "&" => Function::And,
                    "|" => Function::Or,
                    _ => Function::Xor,
                };
                return self.chain(function, left, right);
            }
            other => return self.fail(format!("unknown operator `{other}`")),
        };
        self.apply(function, vec![left, right])
    }

    fn apply(&self, function: Function, args: Vec<Deep>) -> Read<Deep> {
        let depth = 1 + args.iter().map(|a| a.depth).max().unwrap_or(0);
        if depth > MAX_EXPRESSION_DEPTH {
            return self.fail(format!("nested deeper than {MAX_EXPRESSION_DEPTH}"));
        }
        Ok(Deep { expr: SymExpr::Apply(function, args.into_iter().map(|a| a.expr).collect()), depth })
    }

    /// What is joined by one sign again and again is one application.
    fn chain(&self, function: Function, left: Deep, right: Deep) -> Read<Deep> {
        match left.expr {
            SymExpr::Apply(f, mut args) if f == function => {
                args.push(right.expr);
                let depth = left.depth.max(right.depth + 1);
                if depth > MAX_EXPRESSION_DEPTH {
                    return self.fail(format!("nested deeper than {MAX_EXPRESSION_DEPTH}"));
                }
                Ok(Deep { expr: SymExpr::Apply(f, args), depth })
            }
            expr => self.apply(function, vec![Deep { expr, depth: left.depth }, right]),
        }
    }

    fn sum(&self, left: Deep, right: Deep) -> Read<Deep> {
        match (left.expr, right.expr) {
            (SymExpr::Int(a), SymExpr::Int(b)) => match a.checked_add(b) {
                Some(n) => Ok(SymExpr::Int(n).into()),
                None => self.fail("expected an integer of 64 bits"),
            },
            (a, b) => {
                let (left, right) = (Deep { expr: a, depth: left.depth }, Deep { expr: b, depth: right.depth });
                self.chain(Function::Add, left, right)
            }
        }
    }

    /// A product with its numbers in one, in front. `flat` factors that are products are taken apart, as where they stand between signs.
    fn product(&self, factors: Vec<Deep>, flat: bool) -> Read<Deep> {
        let mut number = (1i64, 1i64);
        let mut others: Vec<Deep> = Vec::new();
        let mut pending = factors;
        pending.reverse();
        while let Some(Deep { expr, depth }) = pending.pop() {
            let (n, d) = match expr {
                SymExpr::Int(n) => (n, 1),
                SymExpr::Rational(n, d) => (n, d),
                SymExpr::Apply(Function::Mul, args) if flat => {
                    pending.extend(args.into_iter().rev().map(|expr| Deep { expr, depth }));
                    continue;
                }
                expr => {
                    others.push(Deep { expr, depth });
                    continue;
                }
            };
            let Some(product) = number.0.checked_mul(n).zip(number.1.checked_mul(d)) else {
                return self.fail("expected a number of 64 bits");
            };
            number = product;
        }
        let number = ratio(number.0, number.1).ok_or("expected a divisor other than 0")?;
        // A float behind a sign takes it.
        if let (SymExpr::Int(-1), Some(Deep { expr: SymExpr::Float(x), .. })) = (&number, others.first_mut()) {
            *x = 0.0 - *x;
        } else if number != SymExpr::Int(1) || others.is_empty() {
            others.insert(0, number.into());
        }
        match others.pop() {
            Some(only) if others.is_empty() => Ok(only),
            last => {
                others.extend(last);
                self.apply(Function::Mul, others)
            }
        }
    }

    fn inverse(&self, divisor: Deep) -> Read<Deep> {
        let Deep { expr, depth } = divisor;
        match expr {
            SymExpr::Apply(Function::Pow, mut args) => {
                // `1/sqrt(u0)` is one power.
                let turned = match args.last_mut() {
                    Some(SymExpr::Int(n) | SymExpr::Rational(n, _)) => n.checked_neg().map(|m| *n = m).is_some(),
                    _ => false,
                };
                if turned && let [base, exponent] = &args[..] {
                    return self.power(vec![Deep { expr: base.clone(), depth }, exponent.clone().into()]);
                }
                let power = Deep { expr: SymExpr::Apply(Function::Pow, args), depth };
                self.power(vec![power, SymExpr::Int(-1).into()])
            }
            expr => self.power(vec![Deep { expr, depth }, SymExpr::Int(-1).into()]),
        }
    }

    /// Numbers to whole powers are numbers.
    fn power(&self, args: Vec<Deep>) -> Read<Deep> {
        let [Deep { expr: base, .. }, Deep { expr: SymExpr::Int(exponent), .. }] = &args[..] else {
            return self.apply(Function::Pow, args);
        };
        if *exponent == 1 {
            return args.into_iter().next().map_or_else(|| self.fail("expected a base"), Ok);
        }
        let (n, d) = match base {
            SymExpr::Int(n) => (*n, 1),
            SymExpr::Rational(n, d) => (*n, *d),
            _ => return self.apply(Function::Pow, args),
        };
        let (n, d) = if *exponent < 0 { (d, n) } else { (n, d) };
        if d == 0 {
            return self.fail("expected a divisor other than 0");
        }
        let times = u32::try_from(exponent.unsigned_abs()).ok();
        let power = times.and_then(|times| n.checked_pow(times).zip(d.checked_pow(times)));
        match power.and_then(|(n, d)| ratio(n, d)) {
            Some(number) => Ok(number.into()),
            None => self.fail("expected a number of 64 bits"),
        }
    }

    fn atom(&mut self) -> Read<Deep> {
        if self.takes("(") {
            let mut parts = self.list(")")?;
            return match (parts.pop(), parts.is_empty()) {
                (Some(only), true) => Ok(only),
                (Some(last), false) => {
                    parts.push(last);
                    self.apply(Function::of_name("ExprCondPair"), parts)
                }
                (None, _) => self.fail("expected an expression before `)`"),
            };
        }
        self.blank();
        if self.rest().starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return self.number();
        }
        let start = self.at;
        let name = self.word(|c| c.is_alphanumeric() || c == '_').to_owned();
        if name.is_empty() {
            return self.fail("expected a number, a name or `(`");
        }
        if !self.takes("(") {
            return Ok(named(&name).into());
        }
        match name.as_str() {
            "Symbol" | "Dummy" => self.symbol(),
            "Integer" => {
                let n = self.signed_digits()?;
                self.expects(")")?;
                Ok(SymExpr::Int(n).into())
            }
            "Rational" => {
                let n = self.signed_digits()?;
                self.expects(",")?;
                let d = self.signed_digits()?;
                self.expects(")")?;
                ratio(n, d).map_or_else(|| self.fail("expected a divisor other than 0"), |r| Ok(r.into()))
            }
            "Float" => {
                let text = self.string()?;
                while !self.takes(")") {
                    self.expects(",")?;
                    self.word(|c| c != ',' && c != ')');
                }
                let unread = || format!("expected a float, found `{text}`");
                finite(&text).map(|x| SymExpr::Float(x).into()).ok_or_else(unread)
            }
            "sqrt" => {
                let mut args = self.list(")")?;
                args.push(SymExpr::Rational(1, 2).into());
                if args.len() == 2 { self.power(args) } else { self.fail("expected one argument of `sqrt`") }
            }
            _ => {
                let args = self.list(")")?;
                match (Function::of_name(&name), args.len()) {
                    (Function::Mul, _) => self.product(args, false),
                    (Function::Pow, 2) => self.power(args),
                    (
                        f @ (Function::FloorDiv
                        | Function::CleanDiv
                        | Function::Mod
                        | Function::PythonMod
                        | Function::PowByNatural
                        | Function::Pow
                        | Function::Equal
                        | Function::Unequal
                        | Function::Less
                        | Function::AtMost
                        | Function::Greater
                        | Function::AtLeast),
                        n,
                    ) if n != 2 => {
                        self.at = start;
                        self.fail(format!("expected 2 arguments of `{}`, found {n}", f.name()))
                    }
                    (f, _) => self.apply(f, args),
                }
            }
        }
    }

    /// Expressions with commas between them, and the bracket that closes them.
    fn list(&mut self, close: &str) -> Read<Vec<Deep>> {
        let mut items = Vec::new();
        while !self.takes(close) {
            items.push(self.nested(|r| r.expression(0))?);
            if !self.takes(",") {
                self.expects(close)?;
                break;
            }
        }
        Ok(items)
    }

    /// The rest of `Symbol('s77', positive=True, integer=True)`.
    fn symbol(&mut self) -> Read<Deep> {
        let name = self.string()?;
        let mut assumptions = Vec::new();
        while !self.takes(")") {
            self.expects(",")?;
            let what = self.word(|c| c.is_alphanumeric() || c == '_').to_owned();
            self.expects("=")?;
            match self.word(|c| c.is_alphanumeric() || c == '_') {
                "True" => assumptions.push((what, true)),
                "False" => assumptions.push((what, false)),
                // What tells one dummy from another is no assumption.
                _ if what == "dummy_index" => {}
                _ => return self.fail("expected `True` or `False`"),
            }
        }
        Ok(SymExpr::Symbol(Arc::new(Symbol { name, assumptions })).into())
    }

    fn string(&mut self) -> Read<String> {
        let quote = if self.takes("'") {
            '\''
        } else if self.takes("\"") {
            '"'
        } else {
            return self.fail("expected a string");
        };
        let text = match self.rest().split_once(quote) {
            Some((text, _)) if !text.contains('\\') => text.to_owned(),
            _ => return self.fail("expected the end of a string without escapes"),
        };
        self.at += text.len() + quote.len_utf8();
        Ok(text)
    }

    fn signed_digits(&mut self) -> Read<i64> {
        let text = self.word(|c| c.is_ascii_digit() || c == '-').to_owned();
        text.parse().map_err(|_| format!("expected an integer of 64 bits, found `{text}`"))
    }

    fn number(&mut self) -> Read<Deep> {
        let start = self.at;
        self.word(|c| c.is_ascii_digit() || c == '.');
        if self.rest().starts_with(['e', 'E']) {
            self.at += 1;
            if self.rest().starts_with(['+', '-']) {
                self.at += 1;
            }
            self.at += self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        let value = if text.contains(['.', 'e', 'E']) {
            finite(text).map(SymExpr::Float)
        } else {
            text.parse().map(SymExpr::Int).ok()
        };
        value.map_or_else(|| Err(format!("expected a number of 64 bits, found `{text}`")), |v| Ok(v.into()))
    }
}

/// A float; what is beyond all of them is written as a constant, and a zero has no sign.
fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|x: &f64| x.is_finite()).map(|x| x + 0.0)
}

fn named(name: &str) -> SymExpr {
    match name {
        "true" | "True" => SymExpr::Bool(true),
        "false" | "False" => SymExpr::Bool(false),
        _ => match Constant::ALL.into_iter().find(|c| c.name() == name) {
            Some(constant) => SymExpr::Constant(constant),
            None => SymExpr::symbol(name),
        },
    }
}

/// In lowest terms; nothing where the divisor is 0, or a sign does not fit.
fn ratio(n: i64, d: i64) -> Option<SymExpr> {
    let (mut a, mut b) = (n.checked_abs()?, d.checked_abs().filter(|d| *d != 0)?);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let (n, d) = (n / a.max(1), d / a.max(1));
    let (n, d) = if d < 0 { (n.checked_neg()?, d.checked_neg()?) } else { (n, d) };
    Some(if d == 1 { SymExpr::Int(n) } else { SymExpr::Rational(n, d) })
}
