//! Numbers and strings, read and printed as PyTorch prints them.

use super::Text;
use sconce_schema::text::{format_double, quote_bytes};

/// A double as PyTorch prints it in graphs, where a NaN may show its sign.
pub fn float_text(value: f64) -> String {
    if value.is_nan() && value.is_sign_negative() { "-nan".to_owned() } else { format_double(value) }
}

/// `re+imj`, the sign of the imaginary part between them.
pub(super) fn complex_text(re: f64, im: f64) -> String {
    // A NaN compares as not positive, as in PyTorch.
    let sign = if im >= 0.0 { '+' } else { '-' };
    format!("{}{sign}{}j", float_text(re), float_text(im.abs()))
}

/// Reads what [`float_text`] prints, and any decimal number.
pub(super) fn read_float(text: &str) -> Option<f64> {
    match text {
        "nan" => Some(f64::NAN),
        "-nan" => Some(-f64::NAN),
        _ => text.parse().ok(),
    }
}

/// Reads a complex literal: `1.+2.j`, `2j`.
///
/// PyTorch prints neither a zero's nor a NaN's sign in the imaginary part; they are dropped here, so that what is printed is
/// what was read.
pub(super) fn read_complex(text: &str) -> Option<(f64, f64)> {
    let body = text.strip_suffix('j')?;
    let bytes = body.as_bytes();
    let split =
        (1..bytes.len()).rev().find(|&i| matches!(bytes[i], b'+' | b'-') && !matches!(bytes[i - 1], b'e' | b'E'));
    let (re, im) = match split {
        Some(i) => (read_float(&body[..i])?, read_float(body[i..].strip_prefix('+').unwrap_or(&body[i..]))?),
        None => (0.0, read_float(body)?),
    };
    let im = if im.is_nan() { f64::NAN } else { im + 0.0 };
    Some((re, im))
}

/// A string literal: correct, unless it was read with PyTorch's wrong digits.
pub(super) fn quoted(text: &Text) -> String {
    if !text.signed_octal {
        return quote_bytes(&text.bytes);
    }
    let mut out = String::from("\"");
    for part in text.bytes.chunk_by(|a, b| (*a > 127) == (*b > 127)) {
        if part[0] > 127 {
            for digits in part.iter().map(|byte| signed_digits(*byte)) {
                out.push('\\');
                out.extend(digits.map(char::from));
            }
        } else {
            let quoted = quote_bytes(part);
            out.push_str(&quoted[1..quoted.len() - 1]);
        }
    }
    out.push('"');
    out
}

/// The three characters PyTorch prints for a byte above 127: it divides the negative `char`, and adds `'0'`.
pub(crate) fn signed_digits(byte: u8) -> [u8; 3] {
    let c = i32::from(byte) - 256;
    [c / 64, c % 64 / 8, c % 8].map(|digit| (i32::from(b'0') + digit) as u8)
}

/// What is wrong with a string literal, and at which byte of it.
pub(super) struct BadEscape {
    pub offset: usize,
    pub message: &'static str,
}

/// The bytes of a string literal without its quotes.
pub(super) fn unquote(literal: &str) -> Result<Text, BadEscape> {
    let source = literal.as_bytes();
    let mut text = Text { bytes: Vec::with_capacity(source.len()), signed_octal: false };
    let mut i = 0;
    while i < source.len() {
        if source[i] != b'\\' {
            text.bytes.push(source[i]);
            i += 1;
            continue;
        }
        let bad = |message| BadEscape { offset: i, message };
        let simple = match source.get(i + 1) {
            Some(b'n') => Some(b'\n'),
            Some(b't') => Some(b'\t'),
            Some(b'r') => Some(b'\r'),
            Some(b'a') => Some(0x07),
            Some(b'b') => Some(0x08),
            Some(b'f') => Some(0x0c),
            Some(b'v') => Some(0x0b),
            Some(&c @ (b'\\' | b'"' | b'\'')) => Some(c),
            _ => None,
        };
        if let Some(byte) = simple {
            text.bytes.push(byte);
            i += 2;
            continue;
        }
        let Some(digits) = source.get(i + 1..i + 4) else {
            return Err(bad("expected an escape: \\n, \\t, \\\\, \\\", … or three octal digits"));
        };
        if digits.iter().all(|d| (b'0'..=b'7').contains(d)) {
            let value = digits.iter().fold(0u32, |n, d| n * 8 + u32::from(d - b'0'));
            text.bytes.push(u8::try_from(value).map_err(|_| bad("an octal escape is at most \\377"))?);
        } else {
            let byte = (128..=255).find(|&b| signed_digits(b) == digits);
            text.bytes.push(
                byte.ok_or_else(|| bad("unknown escape; expected \\n, \\t, \\\\, \\\", … or three octal digits"))?,
            );
            text.signed_octal = true;
        }
        i += 4;
    }
    // One flag stands for the whole string: correct digits for high bytes beside wrong ones are not PyTorch's, and are
    // printed correctly from then on.
    if text.signed_octal && quoted(&text).as_bytes() != [b"\"", source, b"\""].concat() {
        text.signed_octal = false;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_pytorch_prints_them() {
        let cases: &[(f64, &str)] = &[
            (1.0, "1."),
            (-0.0, "-0."),
            (0.1, "0.10000000000000001"),
            (1e-5, "1.0000000000000001e-05"),
            (1e20, "1e+20"),
            (9999999999.0, "9999999999."),
            (1e10, "10000000000"),
            (1e16, "10000000000000000"),
            (1e17, "1e+17"),
            (123456789.5, "123456789.5"),
            (12345678901.5, "12345678901.5"),
            (5e-324, "4.9406564584124654e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::NEG_INFINITY, "-inf"),
            (0.0001, "0.0001"),
            (-2.5, "-2.5"),
        ];
        for (value, text) in cases {
            assert_eq!(float_text(*value), *text);
            assert_eq!(read_float(text).map(f64::to_bits), Some(value.to_bits()), "{text}");
        }
    }

    #[test]
    fn strings_survive_pytorchs_wrong_digits() {
        let text = unquote(r"\0)+\/.)").ok().expect("both escapes are known");
        assert_eq!(text.bytes, "é".as_bytes());
        assert_eq!(quoted(&text), r#""\0)+\/.)""#);
        assert_eq!(quoted(&Text { signed_octal: false, ..text }), r#""\303\251""#);
        assert!(unquote(r"\9").is_err() && unquote(r"\777").is_err() && unquote(r"\").is_err());
    }

    proptest::proptest! {
        #[test]
        fn every_float_reads_back(bits: u64) {
            let value = f64::from_bits(bits);
            let back = read_float(&float_text(value)).expect("printed by float_text");
            assert!(back.to_bits() == bits || (value.is_nan() && back.is_nan()));
        }

        #[test]
        fn every_byte_string_reads_back(bytes: Vec<u8>, signed_octal: bool) {
            let text = Text { signed_octal: signed_octal && bytes.iter().any(|b| *b > 127), bytes };
            let literal = quoted(&text);
            let back = unquote(&literal[1..literal.len() - 1]).ok().expect("printed by quoted");
            assert_eq!(back, text);
        }
    }
}
