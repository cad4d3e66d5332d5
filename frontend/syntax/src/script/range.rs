//! The ranges that PyTorch gives to nodes, where they are not simply those of the text.
//!
//! Its Python frontend knows where a node begins and computes the rest: a constant is as long as Python prints it, an attribute's name begins one after its
//! object's range. Reports underline these ranges, so they are computed here in the same way.

use super::Dialect;
use super::token::Token;
use super::tree::NumberKind;
use crate::Span;
use sconce_schema::text::python_float;

/// The range that spans both.
pub(super) fn merge(a: Span, b: Span) -> Span {
    Span { start: a.start.min(b.start), end: a.end.max(b.end) }
}

impl Token {
    pub(super) fn span(self) -> Span {
        Span { start: self.start, end: self.end }
    }

    /// The first `length` bytes from the token's start.
    pub(super) fn head(self, length: usize, text: &str) -> Span {
        let start = self.start as usize;
        Span::new(start, (start + length).min(text.len()))
    }
}

/// A numeric constant's range.
pub(super) fn number(token: Token, kind: NumberKind, text: &str, dialect: Dialect) -> Span {
    match dialect {
        Dialect::Python => token.head(printed_number(token.text(text), kind).len(), text),
        Dialect::Archive => token.span(),
    }
}

/// A string constant's range.
pub(super) fn string(token: Token, value: &[u8], text: &str, dialect: Dialect) -> Span {
    match dialect {
        Dialect::Python => token.head(String::from_utf8_lossy(value).chars().count() + 1, text),
        Dialect::Archive => token.span(),
    }
}

/// A bytes constant's range.
pub(super) fn bytes(token: Token, value: &[u8], text: &str, dialect: Dialect) -> Span {
    let printed = |byte: &u8| match byte {
        b'\\' | b'\n' | b'\r' | b'\t' => 2,
        b' '..=b'~' => 1,
        _ => 4,
    };
    match dialect {
        Dialect::Python => token.head("b''".len() + value.iter().map(printed).sum::<usize>(), text),
        Dialect::Archive => token.span(),
    }
}

/// The range of `base.name`, where `name` is the token after the dot.
pub(super) fn select(base: Span, name: Token, text: &str, dialect: Dialect) -> (Span, Span) {
    let name = match dialect {
        Dialect::Archive => name.span(),
        Dialect::Python => {
            let after = (base.end as usize + 1).min(text.len());
            let blanks = text.as_bytes()[after..].iter().take_while(|b| b" \t\n\r\x0b\x0c".contains(b)).count();
            let start = after + blanks;
            Span::new(start, (start + name.text(text).chars().count()).min(text.len()))
        }
    };
    (merge(base, name), name)
}

/// A number as Python prints it.
pub(super) fn printed_number(literal: &str, kind: NumberKind) -> String {
    let digits = literal.replace('_', "");
    match kind {
        NumberKind::Int => printed_int(&digits).unwrap_or(digits),
        NumberKind::Float => digits.parse().map_or(digits, |v: f64| python_float(v)),
        NumberKind::Imaginary => {
            let number = digits.trim_end_matches(['j', 'J']);
            number.parse().map_or(digits.clone(), |v: f64| python_float(v).trim_end_matches(".0").to_owned() + "j")
        }
    }
}

/// `None` for what is printed as it is written.
fn printed_int(digits: &str) -> Option<String> {
    let radix = match digits.as_bytes().get(1) {
        Some(b'x' | b'X') => 16,
        Some(b'o' | b'O') => 8,
        Some(b'b' | b'B') => 2,
        _ => return digits.bytes().all(|b| b == b'0').then(|| "0".to_owned()),
    };
    u128::from_str_radix(digits.get(2..)?, radix).ok().map(|v| v.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_long_as_python_prints_them() {
        for (literal, length) in [
            ("0.1", 3),
            ("1.", 3),
            ("1e-5", 5),
            ("1e10", 13),
            ("1e16", 5),
            ("1e15", 18),
            ("0.0001", 6),
            ("0.00001", 5),
            ("1.5e300", 8),
            ("1e999", 3),
            ("0e0", 3),
        ] {
            assert_eq!(printed_number(literal, NumberKind::Float).len(), length, "{literal}");
        }
        for (literal, length) in [("1_000", 4), ("0x10", 2), ("0b11", 1), ("0o17", 2), ("00", 1), ("123", 3)] {
            assert_eq!(printed_number(literal, NumberKind::Int).len(), length, "{literal}");
        }
        assert_eq!(printed_number("2j", NumberKind::Imaginary).len(), 2);
        assert_eq!(printed_number("2.50j", NumberKind::Imaginary).len(), 4);
    }
}
