//! String literals, and strings with fields, as Python and as archives write them.

use super::{Level, Printer};
use crate::script::Dialect;
use crate::script::tree::{Expr, FPart};

/// Strings.
impl Printer {
    pub(super) fn string(&mut self, text: &[u8], prefix: &str) {
        if self.inside_field {
            return self.raw_string(&String::from_utf8_lossy(text), prefix);
        }
        self.put(prefix);
        self.put("\"");
        let body = self.escaped(text, prefix == "b");
        self.put(&body);
        self.put("\"");
    }

    /// The body of a literal between double quotes.
    fn escaped(&self, text: &[u8], bytes: bool) -> String {
        let mut out = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            if let (Some(unit), Dialect::Python, false) = (surrogate(rest), self.dialect, bytes) {
                out.push_str(&format!("\\u{unit:04x}"));
                rest = &rest[3..];
                continue;
            }
            let Some(chunk) = rest.utf8_chunks().next() else { break };
            chunk.valid().chars().for_each(|c| self.escape(c, bytes, &mut out));
            rest = &rest[chunk.valid().len()..];
            if surrogate(rest).is_none() || self.dialect == Dialect::Archive || bytes {
                // Bytes that are no UTF-8: only archives and bytes have them.
                chunk.invalid().iter().for_each(|b| out.push_str(&format!("\\{b:03o}")));
                rest = &rest[chunk.invalid().len()..];
            }
        }
        out
    }

    fn escape(&self, c: char, bytes: bool, out: &mut String) {
        let simple = match c {
            '\n' => "\\n",
            '\t' => "\\t",
            '\r' => "\\r",
            '\x07' => "\\a",
            '\x08' => "\\b",
            '\x0c' => "\\f",
            '\x0b' => "\\v",
            '\\' => "\\\\",
            '"' => "\\\"",
            _ if c.is_ascii() && !c.is_ascii_control() => return out.push(c),
            _ if self.dialect == Dialect::Python && !bytes && !c.is_control() => return out.push(c),
            _ => {
                // In both dialects three octal digits are a byte, or the character of that number below 128.
                let mut buffer = [0; 4];
                let octal = self.dialect == Dialect::Archive || bytes || c.is_ascii();
                if !octal {
                    return out.push_str(&format!("\\u{:04x}", u32::from(c)));
                }
                return c.encode_utf8(&mut buffer).bytes().for_each(|b| out.push_str(&format!("\\{b:03o}")));
            }
        };
        out.push_str(simple);
    }

    /// A string in a field, where no backslash may stand: pieces in the quotes they do not hold.
    fn raw_string(&mut self, text: &str, prefix: &str) {
        let mut rest = text;
        loop {
            let quote = if rest.starts_with('\'') { '"' } else { '\'' };
            let length = rest.find([quote, '\n']).unwrap_or(rest.len());
            let (piece, quotes) = match rest[length..].starts_with('\n') {
                true => (&rest[..=length], quote.to_string().repeat(3)),
                false => (&rest[..length], quote.to_string()),
            };
            self.put(prefix);
            self.put(&quotes);
            self.put(piece);
            self.put(&quotes);
            rest = &rest[piece.len()..];
            if rest.is_empty() {
                return;
            }
            self.put(" ");
        }
    }

    pub(super) fn fstring(&mut self, parts: &[FPart]) {
        let pieces: Vec<String> = parts.iter().map(|part| self.piece(part)).collect();
        let held = |quotes: &str| {
            pieces.iter().zip(parts).any(|(p, part)| !matches!(part, FPart::Text(_)) && p.contains(quotes))
        };
        if parts.is_empty() || !(self.inside_field || held("\"") || held("\n")) {
            let quotes = if self.inside_field { "'" } else { "\"" };
            return self.put(&format!("f{quotes}{}{quotes}", pieces.concat()));
        }
        // Each part is a literal of its own, in quotes it does not hold.
        for (i, (piece, part)) in pieces.iter().zip(parts).enumerate() {
            if i > 0 {
                self.put(" ");
            }
            match part {
                FPart::Text(_) if self.inside_field => self.raw_string(piece, "f"),
                FPart::Text(_) => self.put(&format!("f\"{piece}\"")),
                FPart::Field { .. } => {
                    let fits =
                        |quotes: &&&str| !piece.contains(**quotes) && (quotes.len() == 3 || !piece.contains('\n'));
                    let quotes = ["\"", "'", "\"\"\"", "'''"].iter().find(fits).copied().unwrap_or("\"");
                    self.put(&format!("f{quotes}{piece}{quotes}"));
                }
            }
        }
    }

    /// A part between its quotes.
    fn piece(&mut self, part: &FPart) -> String {
        match part {
            FPart::Text(text) => {
                let text = if self.inside_field {
                    String::from_utf8_lossy(text).into_owned()
                } else {
                    self.escaped(text, false)
                };
                text.replace('{', "{{").replace('}', "}}")
            }
            FPart::Field { value, conversion, format } => self.field(value, *conversion, format.as_deref()),
        }
    }

    fn field(&mut self, value: &Expr, conversion: Option<char>, format: Option<&str>) -> String {
        let mut inner = Printer { out: String::new(), indent: 0, dialect: self.dialect, inside_field: true };
        // A lambda's colon would end the field.
        inner.expr(value, Level::Or);
        let blank = if inner.out.starts_with('{') { " " } else { "" };
        let conversion = conversion.map_or_else(String::new, |c| format!("!{c}"));
        let format = format.map_or_else(String::new, |format| format!(":{format}"));
        format!("{{{blank}{}{conversion}{format}}}", inner.out)
    }
}

/// Half of a surrogate pair at the start of `bytes`, in the three bytes it has in Python's strings.
fn surrogate(bytes: &[u8]) -> Option<u32> {
    match bytes {
        [0xed, b @ 0xa0..=0xbf, c @ 0x80..=0xbf, ..] => Some(0xd000 | u32::from(b & 0x3f) << 6 | u32::from(c & 0x3f)),
        _ => None,
    }
}
