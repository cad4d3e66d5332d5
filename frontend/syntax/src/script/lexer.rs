//! Text becomes tokens: lines and indentation are tokens outside brackets and nothing inside them.

use super::Dialect;
use super::token::{KEYWORDS, Kind, SIGNS, Token};
use super::tree::NumberKind;
use crate::Span;
use crate::limits::{MAX_INDENTS, MAX_SCRIPT_BRACKETS};

/// What is wrong, and where.
pub(super) type Problem = (Span, String);

/// The tokens of a text, an [`Kind::End`] last.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub tokens: Vec<Token>,
    /// `# type: …` comments, in order.
    pub type_comments: Vec<TypeComment>,
}

/// A `# type: …` comment that is not `# type: ignore`.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeComment {
    /// The number of the token that follows it.
    pub before: usize,
    /// What stands after the colon.
    pub span: Span,
}

const INCONSISTENT: &str = "inconsistent use of tabs and spaces in indentation";

/// How far a line is indented. Python holds tabs to be eight columns, and refuses lines that another width would order otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Width {
    columns: usize,
    characters: usize,
}

impl Width {
    fn of(indentation: &str) -> Width {
        // A form feed starts the count again.
        let counted = &indentation[indentation.rfind('\u{c}').map_or(0, |i| i + 1)..];
        let columns = counted.bytes().fold(0, |at, b| if b == b'\t' { at / 8 * 8 + 8 } else { at + 1 });
        Width { columns, characters: counted.len() }
    }
}

/// The tokens of `range` of `text`. With `inside`, the range stands between brackets: lines mean nothing.
pub(super) fn lex(text: &str, range: std::ops::Range<usize>, inside: bool, dialect: Dialect) -> Result<Tokens> {
    let end = range.end.min(text.len());
    let lexer = Lexer {
        text,
        at: range.start,
        end,
        inside,
        dialect,
        brackets: vec![],
        indents: vec![],
        out: Tokens::default(),
    };
    lexer.run()
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    inside: bool,
    dialect: Dialect,
    /// Open brackets: the sign that closes, and where the opening one stands.
    brackets: Vec<(Kind, u32)>,
    /// Widths of the indentations that are open, the outermost first.
    indents: Vec<Width>,
    out: Tokens,
}

type Result<T> = std::result::Result<T, Problem>;

impl Lexer<'_> {
    fn run(mut self) -> Result<Tokens> {
        if !self.inside {
            if self.rest().starts_with('\u{feff}') {
                self.at += '\u{feff}'.len_utf8();
            }
            self.begin_text()?;
        }
        while self.at < self.end {
            self.token()?;
        }
        // Between brackets the parser says what is missing.
        if let Some((_, open)) = self.brackets.last().filter(|_| !self.inside) {
            let open = *open as usize;
            return Err((Span::new(open, open + 1), format!("`{}` was never closed", &self.text[open..open + 1])));
        }
        if !self.inside {
            self.end_of_line(self.end, self.end);
            self.dedent_to(Width::default(), self.end, self.end)?;
        }
        self.push(Kind::End, self.end, self.end);
        Ok(self.out)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..self.end]
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        let at = self.at + ahead;
        (at < self.end).then(|| self.text.as_bytes()[at])
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let span = Span::new(start, end);
        self.out.tokens.push(Token { kind, start: span.start, end: span.end });
    }

    /// A [`Kind::Newline`], unless the line has one or holds nothing.
    fn end_of_line(&mut self, start: usize, end: usize) {
        let ended = |t: &Token| matches!(t.kind, Kind::Newline | Kind::Indent | Kind::Dedent);
        if self.out.tokens.last().is_some_and(|t| !ended(t)) {
            self.push(Kind::Newline, start, end);
        }
    }

    /// One token, or what stands between tokens.
    fn token(&mut self) -> Result<()> {
        match self.text.as_bytes()[self.at] {
            b' ' | b'\t' | b'\r' | 0x0c => self.at += 1,
            b'\n' if self.inside || !self.brackets.is_empty() => self.at += 1,
            b'\n' => self.line()?,
            b'#' => self.comment(),
            b'\\' => self.continuation()?,
            b'0'..=b'9' => self.number()?,
            b'.' if self.byte(1).is_some_and(|b| b.is_ascii_digit()) => self.number()?,
            b'"' | b'\'' => self.string(0)?,
            _ => match self.rest().chars().next() {
                Some(c) if c == '_' || c.is_alphabetic() => self.word()?,
                Some(c) => self.sign(c)?,
                None => self.at = self.end,
            },
        }
        Ok(())
    }

    /// The text's first line may be indented only by what the whole text is (PyTorch reads methods so).
    fn begin_text(&mut self) -> Result<()> {
        let (start, end) = self.skip_empty_lines();
        if start == end || end == self.end {
            return Ok(());
        }
        Err((Span::new(start, end), "unexpected indent".to_owned()))
    }

    /// Skips lines without tokens from the start of a line; the range of the indentation of the first other line.
    fn skip_empty_lines(&mut self) -> (usize, usize) {
        loop {
            let start = self.at;
            while matches!(self.byte(0), Some(b' ' | b'\t' | b'\r' | 0x0c)) {
                self.at += 1;
            }
            let end = self.at;
            if self.byte(0) == Some(b'#') {
                self.comment();
            }
            match self.byte(0) {
                Some(b'\n') => self.at += 1,
                _ => return (start, end),
            }
        }
    }

    /// At the end of a logical line: the newline, and what the next line's indentation says.
    fn line(&mut self) -> Result<()> {
        self.at += 1;
        // Comments between the lines belong before the indentation's tokens.
        let comments = self.out.type_comments.len();
        let (start, end) = self.skip_empty_lines();
        let newline = self.out.tokens.len();
        self.end_of_line(start, end);
        if self.out.tokens.len() > newline {
            for comment in &mut self.out.type_comments[comments..] {
                comment.before = self.out.tokens.len();
            }
        }
        if self.at >= self.end {
            return Ok(());
        }
        let indentation = &self.text[start..end];
        let width = Width::of(indentation);
        let current = self.indents.last().copied().unwrap_or_default();
        if (width.columns > current.columns) != (width.characters > current.characters)
            && width.columns >= current.columns
        {
            return Err((Span::new(start, end), INCONSISTENT.to_owned()));
        }
        if width.columns > current.columns {
            if self.indents.len() >= MAX_INDENTS {
                return Err((Span::new(start, end), format!("blocks nest deeper than {MAX_INDENTS}")));
            }
            self.indents.push(width);
            self.push(Kind::Indent, start, end);
            return Ok(());
        }
        self.dedent_to(width, start, end)
    }

    fn dedent_to(&mut self, width: Width, start: usize, end: usize) -> Result<()> {
        while let Some(&open) = self.indents.last() {
            if open.columns <= width.columns {
                break;
            }
            self.indents.pop();
            self.push(Kind::Dedent, start, end);
        }
        let open = self.indents.last().copied().unwrap_or_default();
        if open == width {
            return Ok(());
        }
        if open.columns == width.columns {
            return Err((Span::new(start, end), INCONSISTENT.to_owned()));
        }
        Err((Span::new(start, end), "unindent does not match any outer indentation level".to_owned()))
    }

    fn comment(&mut self) {
        let start = self.at;
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        self.at += length;
        let text = &self.text[start..self.at];
        if let Some(ty) = text.strip_prefix("# type:")
            && !ignores(ty)
        {
            let span = Span::new(self.at - ty.len(), self.at);
            self.out.type_comments.push(TypeComment { before: self.out.tokens.len(), span });
        }
    }

    fn continuation(&mut self) -> Result<()> {
        let length = match (self.byte(1), self.byte(2)) {
            (Some(b'\n'), _) => 2,
            (Some(b'\r'), Some(b'\n')) => 3,
            _ => return Err(self.here(1, "unexpected character after line continuation character")),
        };
        if self.at + length >= self.end {
            return Err(self.here(1, "unexpected end of the text after line continuation character"));
        }
        self.at += length;
        Ok(())
    }

    fn here(&self, length: usize, message: impl Into<String>) -> Problem {
        (Span::new(self.at, self.at + length), message.into())
    }

    fn word(&mut self) -> Result<()> {
        let start = self.at;
        let rest = self.rest();
        let length = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
        let word = &rest[..length];
        let quoted = matches!(rest.as_bytes().get(length), Some(b'"' | b'\''));
        if quoted && super::literal::is_prefix(word) {
            return self.string(length);
        }
        let keyword = KEYWORDS.iter().find(|(text, kind)| *text == word && self.dialect.reserves(*kind));
        let kind = keyword.map_or(Kind::Name, |(_, kind)| *kind);
        self.at += length;
        self.push(kind, start, self.at);
        Ok(())
    }

    fn sign(&mut self, c: char) -> Result<()> {
        let Some((text, kind)) = SIGNS.iter().find(|(text, _)| self.rest().starts_with(text)) else {
            return Err(self.here(c.len_utf8(), format!("the character {c:?} means nothing here")));
        };
        let start = self.at;
        match kind {
            Kind::LParen => self.open(Kind::RParen)?,
            Kind::LBracket => self.open(Kind::RBracket)?,
            Kind::LBrace => self.open(Kind::RBrace)?,
            Kind::RParen | Kind::RBracket | Kind::RBrace => self.close(*kind)?,
            _ => {}
        }
        self.at += text.len();
        self.push(*kind, start, self.at);
        Ok(())
    }

    fn open(&mut self, closing: Kind) -> Result<()> {
        if self.brackets.len() >= MAX_SCRIPT_BRACKETS {
            return Err(self.here(1, format!("brackets nest deeper than {MAX_SCRIPT_BRACKETS}")));
        }
        self.brackets.push((closing, Span::new(self.at, self.at).start));
        Ok(())
    }

    fn close(&mut self, sign: Kind) -> Result<()> {
        match self.brackets.pop() {
            Some((closing, _)) if closing == sign => Ok(()),
            Some((closing, _)) => {
                Err(self.here(1, format!("expected {}, found {}", closing.describe(), sign.describe())))
            }
            None => Err(self.here(1, format!("unmatched {}", sign.describe()))),
        }
    }

    /// A string whose prefix is `prefix` bytes long.
    fn string(&mut self, prefix: usize) -> Result<()> {
        let start = self.at;
        let bytes = &self.text.as_bytes()[..self.end];
        let quote = bytes[start + prefix];
        let triple = bytes[start + prefix..].starts_with(&[quote; 3]);
        let quotes = if triple { 3 } else { 1 };
        let mut at = start + prefix + quotes;
        loop {
            match bytes.get(at) {
                None => break,
                Some(b'\n') if !triple => break,
                Some(b'\\') => at += 2,
                Some(b) if *b == quote && (!triple || bytes[at..].starts_with(&[quote; 3])) => {
                    self.at = at + quotes;
                    self.push(Kind::Str, start, self.at);
                    return Ok(());
                }
                Some(_) => at += 1,
            }
        }
        let kind = if triple { "triple-quoted string" } else { "string" };
        Err((Span::new(start, start + prefix + quotes), format!("the {kind} is not closed")))
    }

    fn number(&mut self) -> Result<()> {
        let start = self.at;
        let (length, kind) = super::literal::scan_number(self.rest(), self.dialect)
            .map_err(|(offset, message)| (Span::new(start, start + offset.max(1)), message.to_owned()))?;
        self.at += length;
        let follows = self.rest();
        if follows.starts_with(|c: char| c == '_' || c.is_alphanumeric()) {
            // `1if x else y` is Python, if not pretty.
            let end = follows.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(follows.len());
            if !["and", "else", "for", "if", "in", "is", "not", "or"].contains(&&follows[..end]) {
                let span = Span::new(start, self.at + end);
                return Err((span, "a number runs into a name; expected a blank or a sign between them".to_owned()));
            }
        }
        self.push(Kind::Number(kind), start, self.at);
        Ok(())
    }
}

/// Is it `# type: ignore`, with or without a reason?
fn ignores(ty: &str) -> bool {
    let rest = ty.trim_start().strip_prefix("ignore");
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c == '_' || c.is_alphanumeric()))
}

/// One token a line: place, kind and text; lines and indentation by their names.
pub fn dump(file: &str, text: &str) -> std::result::Result<String, crate::Error> {
    use std::fmt::Write;
    let tokens = lex(text, 0..text.len(), false, Dialect::Python)
        .map_err(|(span, message)| crate::Error::new(file, text, span, message))?;
    let mut out = String::new();
    let (mut line, mut line_start, mut at) = (1, 0, 0);
    for token in tokens.tokens {
        let kind = match token.kind {
            Kind::Newline => "NEWLINE",
            Kind::Indent => "INDENT",
            Kind::Dedent => "DEDENT",
            Kind::End => "END",
            Kind::Name => "name",
            Kind::Number(NumberKind::Int) => "int",
            Kind::Number(NumberKind::Float) => "float",
            Kind::Number(NumberKind::Imaginary) => "complex",
            Kind::Str => "string",
            kind if kind.is_keyword() => "keyword",
            _ => "sign",
        };
        if matches!(token.kind, Kind::Newline | Kind::Indent | Kind::Dedent | Kind::End) {
            let _ = writeln!(out, "{kind}");
            continue;
        }
        let start = token.start as usize;
        line += text[at..start].matches('\n').count();
        line_start = text[at..start].rfind('\n').map_or(line_start, |i| at + i + 1);
        at = start;
        let column = text[line_start..start].chars().count() + 1;
        let _ = writeln!(out, "{line}:{column} {kind} {}", token.text(text).replace('\n', "\\n"));
    }
    Ok(out)
}
