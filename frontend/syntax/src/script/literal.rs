//! Numbers and strings of source text: what they say, in Python's reading and in that of PyTorch's printer.

use super::Dialect;
use super::tree::NumberKind;
use crate::graph_text::signed_digits;

/// What is wrong with a literal, and at which byte of it.
pub(super) type BadLiteral = (usize, &'static str);

/// `r`, `b`, `u`, `f` and their combinations, in both cases.
pub(super) fn is_prefix(word: &str) -> bool {
    ["r", "b", "u", "f", "rb", "br", "rf", "fr"].iter().any(|prefix| prefix.eq_ignore_ascii_case(word))
}

/// A string token taken apart.
pub(super) struct StringParts<'a> {
    pub raw: bool,
    pub bytes: bool,
    pub formatted: bool,
    /// Between the quotes.
    pub body: &'a str,
    /// Where the body begins in the token.
    pub offset: usize,
}

impl StringParts<'_> {
    pub(super) fn new(token: &str) -> StringParts<'_> {
        let prefix = token.find(['"', '\'']).unwrap_or(0);
        let has = |letter: char| token[..prefix].contains([letter, letter.to_ascii_uppercase()]);
        let quoted = &token[prefix..];
        let quotes =
            if quoted.len() >= 6 && (quoted.starts_with("\"\"\"") || quoted.starts_with("'''")) { 3 } else { 1 };
        let body = quoted.get(quotes..quoted.len().saturating_sub(quotes)).unwrap_or_default();
        StringParts { raw: has('r'), bytes: has('b'), formatted: has('f'), body, offset: prefix + quotes }
    }
}

/// The text of a literal's body, appended to `out`.
pub(super) fn unescape(body: &str, raw: bool, dialect: Dialect, out: &mut Vec<u8>) -> Result<(), BadLiteral> {
    if raw {
        push_normalized(body, out);
        return Ok(());
    }
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        push_normalized(&rest[..at], out);
        let offset = body.len() - rest.len() + at;
        let used = escape(&rest[at + 1..], dialect, out).map_err(|message| (offset, message))?;
        rest = &rest[at + 1 + used..];
    }
    push_normalized(rest, out);
    Ok(())
}

/// Line ends of a file are newlines.
fn push_normalized(text: &str, out: &mut Vec<u8>) {
    if text.contains("\r\n") {
        out.extend(text.replace("\r\n", "\n").bytes());
    } else {
        out.extend(text.bytes());
    }
}

/// One escape after its backslash; how many bytes it has.
fn escape(text: &str, dialect: Dialect, out: &mut Vec<u8>) -> Result<usize, &'static str> {
    let bytes = text.as_bytes();
    let simple = match bytes.first() {
        Some(b'n') => b'\n',
        Some(b't') => b'\t',
        Some(b'r') => b'\r',
        Some(b'a') => 0x07,
        Some(b'b') => 0x08,
        Some(b'f') => 0x0c,
        Some(b'v') => 0x0b,
        Some(&c @ (b'\\' | b'"' | b'\'')) => c,
        Some(b'\n') => return Ok(1),
        Some(b'\r') if bytes.get(1) == Some(&b'\n') => return Ok(2),
        Some(b'x') => return code_point(text, 2, dialect, out),
        Some(b'u') => return code_point(text, 4, Dialect::Python, out),
        Some(b'U') => return code_point(text, 8, Dialect::Python, out),
        Some(b'N') if bytes.get(1) == Some(&b'{') && dialect == Dialect::Python => {
            return Err("characters by name are not known; write the character or its number");
        }
        Some(b'0'..=b'7') => return octal(bytes, dialect, out),
        _ => match printed_octal(bytes, dialect) {
            Some(byte) => {
                out.push(byte);
                return Ok(3);
            }
            None => {
                // Python leaves a backslash that begins no escape.
                out.push(b'\\');
                return Ok(0);
            }
        },
    };
    out.push(simple);
    Ok(1)
}

/// `\x41`, `\u00e9`, `\U0001f600`. In PyTorch's own text a byte is a byte.
fn code_point(text: &str, digits: usize, dialect: Dialect, out: &mut Vec<u8>) -> Result<usize, &'static str> {
    let wrong = "expected hexadecimal digits: two after \\x, four after \\u, eight after \\U";
    let digits_text = text.get(1..=digits).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit())).ok_or(wrong)?;
    let value = u32::from_str_radix(digits_text, 16).map_err(|_| wrong)?;
    push_code(value, dialect, out)?;
    Ok(1 + digits)
}

/// One to three octal digits.
fn octal(bytes: &[u8], dialect: Dialect, out: &mut Vec<u8>) -> Result<usize, &'static str> {
    let digits = bytes.iter().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
    if digits < 3
        && let Some(byte) = printed_octal(bytes, dialect)
    {
        out.push(byte);
        return Ok(3);
    }
    let value = bytes[..digits].iter().fold(0u32, |n, d| n * 8 + u32::from(d - b'0'));
    push_code(value, dialect, out)?;
    Ok(digits)
}

/// The byte above 127 that PyTorch's printer means by three wrong digits.
fn printed_octal(bytes: &[u8], dialect: Dialect) -> Option<u8> {
    let digits = bytes.get(..3).filter(|_| dialect == Dialect::Archive)?;
    (128..=255).find(|&byte| signed_digits(byte) == digits)
}

fn push_code(value: u32, dialect: Dialect, out: &mut Vec<u8>) -> Result<(), &'static str> {
    match (dialect, u8::try_from(value)) {
        (Dialect::Archive, Ok(byte)) => out.push(byte),
        _ => {
            if let Some(c) = char::from_u32(value) {
                out.extend(c.encode_utf8(&mut [0; 4]).bytes());
            } else if let Ok(unit) = u16::try_from(value) {
                // Half of a surrogate pair: Python has strings with such, in three bytes each.
                let tail = |shift: u16| 0x80 | (unit >> shift & 0x3f) as u8;
                out.extend([0xe0 | (unit >> 12) as u8, tail(6), tail(0)]);
            } else {
                return Err("the escape is no character; the last is \\U0010ffff");
            }
        }
    }
    Ok(())
}

/// The length and kind of the number at the start of `text`.
pub(super) fn scan_number(text: &str, dialect: Dialect) -> Result<(usize, NumberKind), BadLiteral> {
    let bytes = text.as_bytes();
    let radix_digits: fn(&u8) -> bool = match bytes {
        [b'0', b'x' | b'X', ..] => u8::is_ascii_hexdigit,
        [b'0', b'o' | b'O', ..] => |b| (b'0'..=b'7').contains(b),
        [b'0', b'b' | b'B', ..] => |b| matches!(b, b'0' | b'1'),
        _ => return scan_decimal(bytes, dialect),
    };
    let length = 2 + digits(&bytes[2..], true, radix_digits);
    if length == 2 {
        return Err((2, "expected digits after the base"));
    }
    Ok((length, NumberKind::Int))
}

/// How many bytes of digits with single underscores between them.
fn digits(bytes: &[u8], leading_underscore: bool, is_digit: fn(&u8) -> bool) -> usize {
    let mut length = 0;
    loop {
        match (bytes.get(length), bytes.get(length + 1)) {
            (Some(b), _) if is_digit(b) => length += 1,
            (Some(b'_'), Some(b)) if is_digit(b) && (length > 0 || leading_underscore) => length += 2,
            _ => return length,
        }
    }
}

fn scan_decimal(bytes: &[u8], dialect: Dialect) -> Result<(usize, NumberKind), BadLiteral> {
    let decimal: fn(&u8) -> bool = u8::is_ascii_digit;
    let mut length = digits(bytes, false, decimal);
    let whole = length;
    let mut kind = NumberKind::Int;
    if bytes.get(length) == Some(&b'.') {
        kind = NumberKind::Float;
        length += 1;
        length += digits(&bytes[length..], false, decimal);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(&bytes[length + 1 + sign..], false, decimal);
        if exponent > 0 {
            kind = NumberKind::Float;
            length += 1 + sign + exponent;
        }
    }
    if matches!(bytes.get(length), Some(b'j' | b'J')) {
        return Ok((length + 1, NumberKind::Imaginary));
    }
    let zeros = kind == NumberKind::Int && bytes[0] == b'0' && bytes[..whole].iter().any(|b| (b'1'..=b'9').contains(b));
    if zeros && dialect == Dialect::Python {
        return Err((
            whole,
            "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers",
        ));
    }
    Ok((length, kind))
}
