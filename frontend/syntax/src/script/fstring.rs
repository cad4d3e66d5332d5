//! `f"…"`: text and fields, each field parsed where it stands.

use super::Dialect;
use super::literal::StringParts;
use super::parser::{Parser, Result};
use super::range::merge;
use super::token::Token;
use super::tree::*;
use crate::Span;

/// A field's text taken apart: where its expression ends, what follows.
struct Field {
    /// The end of the expression.
    value_end: usize,
    /// `{value=}`: the text stands before the value.
    shows_text: bool,
    conversion: Option<char>,
    format: Option<String>,
    /// After the closing brace.
    end: usize,
}

impl Parser<'_> {
    /// Adjacent strings of which at least one is formatted.
    pub(super) fn formatted(&mut self, first: Token, strings: &[(Token, StringParts<'_>)]) -> Result<Expr> {
        let mut parts = Vec::new();
        let mut text = Vec::new();
        let mut tallest = 1;
        for (token, string) in strings {
            if string.formatted {
                self.fields(*token, string, &mut parts, &mut text, &mut tallest)?;
            } else {
                self.unescaped(*token, string, 0..string.body.len(), &mut text)?;
            }
        }
        if !text.is_empty() {
            parts.push(FPart::Text(text));
        }
        let start = match self.dialect {
            Dialect::Python => first.head(1, self.text),
            Dialect::Archive => first.span(),
        };
        let span = parts.iter().fold(start, |span, part| match part {
            FPart::Field { value, .. } => merge(span, value.span),
            FPart::Text(_) => span,
        });
        self.node(ExprKind::FString(parts), span, tallest)
    }

    fn fields(
        &mut self,
        token: Token,
        string: &StringParts<'_>,
        parts: &mut Vec<FPart>,
        text: &mut Vec<u8>,
        tallest: &mut u32,
    ) -> Result<()> {
        let base = token.start as usize + string.offset;
        let body = string.body.as_bytes();
        let (mut at, mut literal) = (0, 0);
        while at < body.len() {
            match body[at] {
                // `\N{…}` would be a character's name; `\{` is no escape.
                b'\\' if !string.raw && body.get(at + 1) != Some(&b'{') => at += 2,
                b'{' | b'}' if body.get(at + 1) == Some(&body[at]) => {
                    self.unescaped(token, string, literal..at + 1, text)?;
                    at += 2;
                    literal = at;
                }
                b'}' => {
                    let span = Span::new(base + at, base + at + 1);
                    return Err((span, "f-string: single '}' is not allowed".to_owned()));
                }
                b'{' => {
                    self.unescaped(token, string, literal..at, text)?;
                    let field = split_field(string.body, at + 1).map_err(|(offset, message)| {
                        (Span::new(base + offset, base + offset + 1), message.to_owned())
                    })?;
                    let value = self.part(base + at + 1..base + field.value_end, Parser::yield_or_expressions)?;
                    *tallest = (*tallest).max(self.height);
                    if field.shows_text {
                        text.extend(string.body[at + 1..].bytes().take(field.text_length(at + 1, string.body)));
                    }
                    if !text.is_empty() {
                        parts.push(FPart::Text(std::mem::take(text)));
                    }
                    parts.push(FPart::Field { value, conversion: field.conversion, format: field.format });
                    at = field.end;
                    literal = at;
                }
                _ => at += 1,
            }
        }
        self.unescaped(token, string, literal..body.len(), text)
    }
}

impl Field {
    /// How many bytes of `{value=}` are shown: through the `=` and the blanks after it.
    fn text_length(&self, start: usize, body: &str) -> usize {
        let after = &body[self.value_end + 1..];
        let blanks = after.len() - after.trim_start_matches(' ').len();
        self.value_end + 1 + blanks - start
    }
}

/// Finds the ends of a field that begins at `start` of `body`, after its brace.
fn split_field(body: &str, start: usize) -> std::result::Result<Field, (usize, &'static str)> {
    let value_end = expression_end(body, start)?;
    let mut field = Field { value_end, shows_text: false, conversion: None, format: None, end: value_end };
    let bytes = body.as_bytes();
    let mut at = value_end;
    if bytes[at] == b'=' {
        field.shows_text = true;
        at += 1;
        while bytes.get(at) == Some(&b' ') {
            at += 1;
        }
    }
    if bytes.get(at) == Some(&b'!') {
        field.conversion = match bytes.get(at + 1) {
            Some(&c @ (b'r' | b's' | b'a')) => Some(char::from(c)),
            _ => return Err((at, "f-string: expected the conversion !r, !s or !a")),
        };
        at += 2;
    }
    if bytes.get(at) == Some(&b':') {
        let end = format_end(body, at + 1)?;
        field.format = Some(body[at + 1..end].to_owned());
        at = end;
    }
    if field.shows_text && field.conversion.is_none() && field.format.is_none() {
        field.conversion = Some('r');
    }
    if bytes.get(at) != Some(&b'}') {
        return Err((at.min(body.len().saturating_sub(1)), "f-string: expected '}'"));
    }
    field.end = at + 1;
    Ok(field)
}

/// The `}`, `!`, `:` or `=` that ends an expression.
fn expression_end(body: &str, start: usize) -> std::result::Result<usize, (usize, &'static str)> {
    let bytes = body.as_bytes();
    let mut open = 0usize;
    let mut at = start;
    while let Some(&b) = bytes.get(at) {
        match b {
            b'\\' => return Err((at, "f-string expression part cannot include a backslash")),
            b'#' => return Err((at, "f-string expression part cannot include '#'")),
            b'"' | b'\'' => {
                let end = string_end(bytes, at)?;
                if let Some(backslash) = bytes[at..end].iter().position(|b| *b == b'\\') {
                    return Err((at + backslash, "f-string expression part cannot include a backslash"));
                }
                at = end;
            }
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' if open > 0 => open -= 1,
            b'}' | b':' if open == 0 => return Ok(at),
            b'!' | b'=' if open == 0 => match (bytes.get(at + 1), b) {
                (Some(b'='), _) => at += 1,
                (_, b'=') if at > start && matches!(bytes[at - 1], b'<' | b'>') => {}
                _ => return Ok(at),
            },
            _ => {}
        }
        at += 1;
    }
    Err((start.saturating_sub(1), "f-string: '{' was never closed"))
}

/// The last quote of the string that begins at `at`.
fn string_end(bytes: &[u8], at: usize) -> std::result::Result<usize, (usize, &'static str)> {
    let quote = [bytes[at]; 3];
    let length = if bytes[at..].starts_with(&quote) { 3 } else { 1 };
    let close = bytes[at + length..].windows(length).position(|w| w == &quote[..length]);
    close.map(|i| at + length + i + length - 1).ok_or((at, "f-string: a string is not closed"))
}

/// The brace that ends a format, over nested fields.
fn format_end(body: &str, start: usize) -> std::result::Result<usize, (usize, &'static str)> {
    let mut open = 0usize;
    for (offset, b) in body.bytes().enumerate().skip(start) {
        match b {
            b'{' => open += 1,
            b'}' if open == 0 => return Ok(offset),
            b'}' => open -= 1,
            _ => {}
        }
    }
    Err((start.saturating_sub(1), "f-string: expected '}'"))
}
