//! Reading and writing the small texts that operators are made of: a cursor with columns, numbers and strings as PyTorch prints them.

use std::fmt::Write as _;

/// Text that is not what it should be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct SyntaxError {
    /// Counted from 1, in bytes.
    pub column: usize,
    pub expected: String,
    pub found: String,
}

/// A position in a text. Every reading method skips blanks first.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Cursor { text, at: 0 }
    }
    pub(crate) fn position(&self) -> usize {
        self.at
    }
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }
    pub(crate) fn at_end(&self) -> bool {
        self.at == self.text.len()
    }
    pub(crate) fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }
    pub(crate) fn error(&self, expected: &str) -> SyntaxError {
        self.error_at(self.at, expected)
    }
    pub(crate) fn error_at(&self, at: usize, expected: &str) -> SyntaxError {
        let rest = &self.text[at..];
        let found = match rest.chars().next() {
            None => "the end".to_owned(),
            Some(_) => format!("`{}`", rest.chars().take(20).collect::<String>().escape_debug()),
        };
        SyntaxError { column: at + 1, expected: expected.to_owned(), found }
    }
    /// Takes `token` if it is next. A word is taken only whole.
    pub(crate) fn eat(&mut self, token: &str) -> bool {
        self.skip_blanks();
        let rest = self.rest();
        let word = token.chars().last().is_some_and(is_name_part);
        if rest.starts_with(token) && !(word && rest[token.len()..].starts_with(is_name_part)) {
            self.at += token.len();
            return true;
        }
        false
    }
    pub(crate) fn expect(&mut self, token: &str) -> Result<(), SyntaxError> {
        if self.eat(token) { Ok(()) } else { Err(self.error(&format!("`{token}`"))) }
    }
    fn take(&mut self, len: usize) -> &'a str {
        let taken = &self.rest()[..len];
        self.at += len;
        taken
    }
    /// `name`
    pub(crate) fn name(&mut self) -> Option<&'a str> {
        self.skip_blanks();
        let rest = self.rest();
        if !rest.starts_with(is_name_start) {
            return None;
        }
        let len = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
        Some(self.take(len))
    }
    /// `a.b.c`; parts after the first may begin with a digit or be `<locals>`, as Python's qualified names do.
    pub(crate) fn dotted_name(&mut self) -> Option<&'a str> {
        let start = self.at;
        self.name()?;
        loop {
            let rest = self.rest();
            let Some(next) = rest.strip_prefix('.') else { break };
            let len = if next.starts_with("<locals>") {
                "<locals>".len()
            } else {
                next.find(|c| !is_name_part(c)).unwrap_or(next.len())
            };
            if len == 0 {
                break;
            }
            self.at += 1 + len;
        }
        Some(self.text[start..self.at].trim_start())
    }
    /// A decimal integer that fits 64 bits; nothing is taken when it does not.
    pub(crate) fn integer(&mut self) -> Option<i64> {
        self.skip_blanks();
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return None;
        }
        let n = rest[..sign + digits].parse().ok()?;
        self.at += sign + digits;
        Some(n)
    }
    /// The characters of a number: `-1.5e-05`, `inf`, `1.`.
    pub(crate) fn number_text(&mut self) -> Option<&'a str> {
        self.skip_blanks();
        let rest = self.rest().as_bytes();
        let mut len = usize::from(rest.first().is_some_and(|b| *b == b'-' || *b == b'+'));
        if self.rest()[len..].starts_with("inf") || self.rest()[len..].starts_with("nan") {
            return Some(self.take(len + 3));
        }
        let start = len;
        while let Some(b) = rest.get(len) {
            let exponent_sign = (*b == b'-' || *b == b'+') && len > start && matches!(rest[len - 1], b'e' | b'E');
            if b.is_ascii_digit() || *b == b'.' || exponent_sign || (matches!(b, b'e' | b'E') && len > start) {
                len += 1;
            } else {
                break;
            }
        }
        if len == start {
            return None;
        }
        Some(self.take(len))
    }
    /// A quoted string with PyTorch's escapes, decoded. Bytes that are no UTF-8 after decoding are an error.
    pub(crate) fn string(&mut self) -> Result<String, SyntaxError> {
        self.skip_blanks();
        let start = self.at;
        let quote = match self.rest().chars().next() {
            Some(q @ ('"' | '\'')) => q as u8,
            _ => return Err(self.error("a string")),
        };
        let bytes = self.text.as_bytes();
        let mut out = Vec::new();
        let mut at = self.at + 1;
        loop {
            let Some(&b) = bytes.get(at) else { return Err(self.error_at(start, "a closed string")) };
            at += 1;
            if b == quote {
                break;
            }
            if b != b'\\' {
                out.push(b);
                continue;
            }
            let Some(&e) = bytes.get(at) else { return Err(self.error_at(start, "a closed string")) };
            at += 1;
            out.push(match e {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'a' => 0x07,
                b'b' => 0x08,
                b'f' => 0x0c,
                b'v' => 0x0b,
                b'0'..=b'7' => {
                    let mut n = u32::from(e - b'0');
                    for _ in 0..2 {
                        match bytes.get(at) {
                            Some(d @ b'0'..=b'7') => {
                                n = n * 8 + u32::from(d - b'0');
                                at += 1;
                            }
                            _ => break,
                        }
                    }
                    (n & 0xff) as u8
                }
                other => other,
            });
        }
        let text = String::from_utf8(out).map_err(|_| self.error_at(start, "a string of UTF-8 text"))?;
        self.at = at;
        Ok(text)
    }
    /// Everything up to one of `stops` that stands outside brackets and quotes.
    pub(crate) fn balanced_until(&mut self, stops: &[char]) -> Result<&'a str, SyntaxError> {
        let start = self.at;
        let mut depth = 0u32;
        while let Some(c) = self.rest().chars().next() {
            if depth == 0 && stops.contains(&c) {
                return Ok(&self.text[start..self.at]);
            }
            match c {
                '"' | '\'' => {
                    self.string()?;
                    continue;
                }
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += c.len_utf8();
        }
        Err(self.error_at(start, "a closing bracket"))
    }
}

/// A double as PyTorch prints it in schemas and graphs: `1.`, `-0.`, `0.10000000000000001`, `1e+20`, `inf`.
///
/// An integral value below 1e10 gets a point; everything else is C's `%.17g`, so integral values from 1e10 to 1e17 look like integers.
pub fn format_double(x: f64) -> String {
    if x.is_nan() {
        return "nan".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    if x.abs() < 1e10 && x.trunc() == x {
        return format!("{x:.0}.");
    }
    // `{:e}` with 16 digits after the point has the 17 significant digits of `%.17g`.
    let scientific = format!("{x:.16e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |m| ("-", m));
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let digits = digits.trim_end_matches('0');
    let mut out = String::from(sign);
    if (-4..17).contains(&exponent) {
        let point = exponent + 1;
        if point <= 0 {
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', (-point) as usize));
            out.push_str(digits);
        } else {
            let point = point as usize;
            out.push_str(&digits[..point.min(digits.len())]);
            if digits.len() > point {
                out.push('.');
                out.push_str(&digits[point..]);
            } else {
                out.extend(std::iter::repeat_n('0', point - digits.len()));
            }
        }
    } else {
        out.push_str(&digits[..1]);
        if digits.len() > 1 {
            out.push('.');
            out.push_str(&digits[1..]);
        }
        let _ = write!(out, "e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
    }
    out
}

/// Python's `repr` of a float: the fewest digits that read back, with an exponent below 1e-4 and from 1e16 on.
pub fn python_float(x: f64) -> String {
    if !x.is_finite() {
        return if x.is_nan() {
            "nan"
        } else if x > 0.0 {
            "inf"
        } else {
            "-inf"
        }
        .to_owned();
    }
    if x != 0.0 && !(1e-4..1e16).contains(&x.abs()) {
        return python_exponent(&format!("{x:e}"));
    }
    format!("{x:?}")
}

/// Rust's `1.5e-7` as Python writes it: the exponent has a sign and two digits at least.
pub fn python_exponent(text: &str) -> String {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// Python's `repr` of a string: single quotes, unless it has those alone; letters that print stand for themselves.
pub fn python_str(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            // What Rust's debug form escapes is what does not print.
            c if c.escape_debug().len() == 1 => out.push(c),
            c => {
                let n = u32::from(c);
                let _ = match n {
                    0..=0xff => write!(out, "\\x{n:02x}"),
                    0x100..=0xffff => write!(out, "\\u{n:04x}"),
                    _ => write!(out, "\\U{n:08x}"),
                };
            }
        }
    }
    out.push(quote);
    out
}

/// Python's `repr` of a complex number: `(2+3j)`; `3j` where the real part is 0 without a sign.
pub fn python_complex(re: f64, im: f64) -> String {
    let part = |x: f64| {
        let text = python_float(x);
        text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
    };
    if re == 0.0 && re.is_sign_positive() {
        return format!("{}j", part(im));
    }
    let sign = if im.is_sign_negative() && !im.is_nan() { "" } else { "+" };
    format!("({}{sign}{}j)", part(re), part(im))
}

/// A string between double quotes with PyTorch's escapes; bytes outside printable ASCII as three octal digits.
pub fn quote_string(s: &str) -> String {
    quote_bytes(s.as_bytes())
}

/// [`quote_string`] for bytes that need not be UTF-8.
pub fn quote_bytes(bytes: &[u8]) -> String {
    quoted(bytes, |b| if b == b'\r' { Some('r') } else { letter(b) })
}

/// A string literal of source code: PyTorch's reader of source has no letter for the carriage return.
pub fn quote_literal(bytes: &[u8]) -> String {
    quoted(bytes, letter)
}

/// What follows the backslash, for bytes that have a letter.
fn letter(byte: u8) -> Option<char> {
    Some(match byte {
        b'\n' => 'n',
        b'\t' => 't',
        0x07 => 'a',
        0x08 => 'b',
        0x0c => 'f',
        0x0b => 'v',
        b'\\' | b'\'' | b'"' => char::from(byte),
        _ => return None,
    })
}

fn quoted(bytes: &[u8], letter: impl Fn(u8) -> Option<char>) -> String {
    let mut out = String::from("\"");
    for &b in bytes {
        match (letter(b), b) {
            (Some(letter), _) => out.extend(['\\', letter]),
            (None, 0x20..=0x7e) => out.push(char::from(b)),
            (None, other) => {
                let _ = write!(out, "\\{other:03o}");
            }
        }
    }
    out.push('"');
    out
}
