//! Sizes as text, as sympy writes them: `2*s0 + 1`, `Mod(s0, 8)`, `(s0 + 1)//2`, `Max(1, s0)`; relations as `Eq(s0, 4)` or `s0 <= 64`.

use super::{Dim, DimOp, Form, Guard, Relation};
use std::fmt;

/// How strongly an operator binds: a sum, a product, one thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Sum,
    Product,
    One,
}

fn print(dim: Dim, least: Strength, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (op, a, b) = match dim.form() {
        Form::Known(n) if n < 0 && least > Strength::Sum => return write!(f, "({n})"),
        Form::Known(n) => return write!(f, "{n}"),
        Form::Symbol(s) => return write!(f, "s{s}"),
        Form::Unknown => return f.write_str("?"),
        Form::Op(op, a, b) => (op, a, b),
    };
    let (sign, strength) = match op {
        DimOp::Add => (" + ", Strength::Sum),
        DimOp::Sub => (" - ", Strength::Sum),
        DimOp::Mul => ("*", Strength::Product),
        DimOp::FloorDiv => ("//", Strength::Product),
        DimOp::Mod | DimOp::Min | DimOp::Max => {
            f.write_str(match op {
                DimOp::Mod => "Mod(",
                DimOp::Min => "Min(",
                _ => "Max(",
            })?;
            print(a, Strength::Sum, f)?;
            f.write_str(", ")?;
            print(b, Strength::Sum, f)?;
            return f.write_str(")");
        }
    };
    if strength < least {
        f.write_str("(")?;
    }
    // Numbers stand before what they multiply.
    let (a, b) = if op == DimOp::Mul && b.known().is_some() { (b, a) } else { (a, b) };
    let behind = match op {
        DimOp::Add | DimOp::Sub => Strength::Product,
        _ => Strength::One,
    };
    // A quotient is no factor without its parentheses: `(s0//2)*2` is not `s0//2*2` to every reader.
    let before = if op == DimOp::Mul || op == DimOp::FloorDiv { factor_strength(a) } else { strength };
    print(a, before, f)?;
    f.write_str(sign)?;
    print(b, behind, f)?;
    if strength < least { f.write_str(")") } else { Ok(()) }
}

fn factor_strength(dim: Dim) -> Strength {
    if matches!(dim.form(), Form::Op(DimOp::FloorDiv, ..)) { Strength::One } else { Strength::Product }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(*self, Strength::Sum, f)
    }
}

/// Why a text is no size.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is no size: {why}")]
pub struct Unreadable {
    pub text: String,
    pub why: String,
}

/// Text that nests deeper is not read.
const MOST_DEEP: usize = 64;

struct Reader<'t, F> {
    rest: &'t str,
    symbol: F,
    depth: usize,
}

/// Reads a size; `symbol` says which symbol a name is.
pub fn parse(text: &str, symbol: impl Fn(&str) -> Option<u32>) -> Result<Dim, Unreadable> {
    whole(text, symbol, Reader::sum)
}

/// Reads a relation of two sizes: `Eq(a, b)`, `Ne(a, b)`, or one of the signs `==`, `!=`, `<=`, `<`, `>=`, `>`.
pub fn parse_guard(text: &str, symbol: impl Fn(&str) -> Option<u32>) -> Result<Guard, Unreadable> {
    whole(text, symbol, Reader::relation)
}

fn whole<'t, T, F: Fn(&str) -> Option<u32>>(
    text: &'t str,
    symbol: F,
    read: impl FnOnce(&mut Reader<'t, F>) -> Result<T, String>,
) -> Result<T, Unreadable> {
    let mut reader = Reader { rest: text, symbol, depth: 0 };
    let value = read(&mut reader).and_then(|value| match reader.next() {
        "" => Ok(value),
        more => Err(format!("nothing is expected before `{more}`")),
    });
    value.map_err(|why| Unreadable { text: text.to_owned(), why })
}

impl<F: Fn(&str) -> Option<u32>> Reader<'_, F> {
    fn next(&mut self) -> &str {
        self.rest = self.rest.trim_start();
        self.rest
    }

    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start();
        let Some(after) = rest.strip_prefix(sign) else { return false };
        self.rest = after;
        true
    }

    fn expects(&mut self, sign: &str) -> Result<(), String> {
        if self.takes(sign) { Ok(()) } else { Err(format!("`{sign}` is expected before `{}`", self.next())) }
    }

    fn word(&mut self) -> Option<String> {
        let rest = self.next();
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let word = rest[..end].to_owned();
        self.rest = &self.rest[end..];
        Some(word).filter(|w| !w.is_empty())
    }

    fn relation(&mut self) -> Result<Guard, String> {
        for (name, relation) in [("Eq(", Relation::Equal), ("Ne(", Relation::Differs)] {
            if self.takes(name) {
                let (left, right) = self.two()?;
                return Ok(Guard { relation, left, right });
            }
        }
        let left = self.sum()?;
        type Signs = [(&'static str, fn(Dim, Dim) -> (Relation, Dim, Dim)); 6];
        const SIGNS: Signs = [
            ("==", |a, b| (Relation::Equal, a, b)),
            ("!=", |a, b| (Relation::Differs, a, b)),
            ("<=", |a, b| (Relation::AtMost, a, b)),
            (">=", |a, b| (Relation::AtMost, b, a)),
            ("<", |a, b| (Relation::AtMost, a.plus(1), b)),
            (">", |a, b| (Relation::AtMost, b.plus(1), a)),
        ];
        match SIGNS.iter().find(|(sign, _)| self.takes(sign)) {
            Some((_, make)) => {
                let (relation, left, right) = make(left, self.sum()?);
                Ok(Guard { relation, left, right })
            }
            None => Err(format!("a comparison is expected before `{}`", self.next())),
        }
    }

    /// The rest of a call with two arguments.
    fn two(&mut self) -> Result<(Dim, Dim), String> {
        let first = self.sum()?;
        self.expects(",")?;
        let second = self.sum()?;
        self.expects(")")?;
        Ok((first, second))
    }

    fn sum(&mut self) -> Result<Dim, String> {
        self.depth += 1;
        if self.depth > MOST_DEEP {
            return Err(format!("it nests deeper than {MOST_DEEP}"));
        }
        let mut total = self.product()?;
        loop {
            total = if self.takes("+") {
                total.plus(self.product()?)
            } else if self.takes("-") {
                total.minus(self.product()?)
            } else {
                break;
            };
        }
        self.depth -= 1;
        Ok(total)
    }

    fn product(&mut self) -> Result<Dim, String> {
        if self.takes("-") {
            return Ok(Dim::Known(0).minus(self.product()?));
        }
        let mut total = self.power()?;
        loop {
            total = if self.takes("//") {
                total.over(self.power()?)
            } else if self.takes("*") {
                total.times(self.power()?)
            } else if self.takes("%") {
                total.modulo(self.power()?)
            } else {
                return Ok(total);
            };
        }
    }

    fn power(&mut self) -> Result<Dim, String> {
        let base = self.atom()?;
        if !self.takes("**") {
            return Ok(base);
        }
        match self.atom()? {
            Dim::Known(n @ 0..=16) => Ok((0..n).fold(Dim::Known(1), |p, _| p.times(base))),
            other => Err(format!("{other} is no exponent")),
        }
    }

    fn atom(&mut self) -> Result<Dim, String> {
        if self.takes("(") {
            let inner = self.sum()?;
            self.expects(")")?;
            return Ok(inner);
        }
        let Some(word) = self.word() else { return Err(format!("a size is expected before `{}`", self.next())) };
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return word.parse().map(Dim::Known).map_err(|_| format!("{word} is no number"));
        }
        if !self.takes("(") {
            return (self.symbol)(&word).map(Dim::Symbol).ok_or_else(|| format!("nobody knows `{word}`"));
        }
        let op = match word.as_str() {
            "Mod" | "PythonMod" => DimOp::Mod,
            "FloorDiv" | "CleanDiv" => DimOp::FloorDiv,
            "Min" | "Max" => {
                let op = if word == "Min" { DimOp::Min } else { DimOp::Max };
                let mut total = self.sum()?;
                while self.takes(",") {
                    total = Dim::op(op, total, self.sum()?);
                }
                self.expects(")")?;
                return Ok(total);
            }
            _ => return Err(format!("nobody knows the function `{word}`")),
        };
        let (a, b) = self.two()?;
        Ok(Dim::op(op, a, b))
    }
}
