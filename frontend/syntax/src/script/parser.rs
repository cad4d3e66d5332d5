//! The cursor over the tokens: `cur`, `next`, `lookahead`, `next_if`, `expect`, and the bounds on depth that no text passes.

use super::Dialect;
use super::lexer::{Problem, TypeComment, lex};
use super::token::{Kind, Token};
use super::tree::{Expr, ExprKind, Module};
use crate::Span;
use crate::limits::{MAX_BLOCK_DEPTH, MAX_EXPRESSION_DEPTH, MAX_SCRIPT, MAX_SCRIPT_BRACKETS};
use std::ops::Range;

pub(super) type Result<T> = std::result::Result<T, Problem>;

/// Where a statement stands, as far as Python asks.
#[derive(Clone, Copy, Default)]
pub(super) struct Context {
    pub in_class: bool,
    pub in_function: bool,
    pub in_loop: bool,
}

pub(super) struct Parser<'a> {
    pub text: &'a str,
    pub dialect: Dialect,
    pub context: Context,
    tokens: Vec<Token>,
    type_comments: Vec<TypeComment>,
    at: usize,
    /// How many expressions are being read inside each other.
    nesting: usize,
    /// The height of the expression that was read last.
    pub height: u32,
    /// How many statements are being read inside each other.
    blocks: u32,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, range: Range<usize>, inside: bool, dialect: Dialect) -> Result<Parser<'a>> {
        if text.len() > MAX_SCRIPT {
            return Err((Span::default(), format!("the text has {} bytes; at most {MAX_SCRIPT} are read", text.len())));
        }
        let lexed = lex(text, range, inside, dialect)?;
        Ok(Parser {
            text,
            dialect,
            context: Context::default(),
            tokens: lexed.tokens,
            type_comments: lexed.type_comments,
            at: 0,
            nesting: 0,
            height: 0,
            blocks: 0,
        })
    }

    pub fn module(&mut self) -> Result<Module> {
        let mut body = Vec::new();
        while self.cur() != Kind::End {
            self.statement(&mut body)?;
        }
        Ok(Module { body, span: Span::new(0, self.text.len()) })
    }

    /// Reads another range of the text: a string's field, a comment's type.
    pub fn part<T>(&mut self, range: Range<usize>, parse: impl FnOnce(&mut Parser<'a>) -> Result<T>) -> Result<T> {
        let mut part = Parser::new(self.text, range, true, self.dialect)?;
        part.nesting = self.nesting;
        part.blocks = self.blocks;
        let read = part.nested(parse)?;
        part.expect(Kind::End)?;
        self.height = part.height;
        Ok(read)
    }

    pub fn cur(&self) -> Kind {
        self.token().kind
    }

    /// The current token. The last one, [`Kind::End`], is never passed.
    pub fn token(&self) -> Token {
        self.token_at(self.at)
    }

    fn token_at(&self, at: usize) -> Token {
        let end = Token { kind: Kind::End, start: 0, end: 0 };
        self.tokens.get(at).or(self.tokens.last()).copied().unwrap_or(end)
    }

    pub fn lookahead(&self) -> Kind {
        self.token_at(self.at + 1).kind
    }

    pub fn next(&mut self) -> Token {
        let token = self.token();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    pub fn next_if(&mut self, kind: Kind) -> bool {
        let matches = self.cur() == kind;
        if matches {
            self.next();
        }
        matches
    }

    pub fn expect(&mut self, kind: Kind) -> Result<Token> {
        if self.cur() == kind { Ok(self.next()) } else { Err(self.expected(kind.describe())) }
    }

    /// The token before the current one.
    pub fn previous(&self) -> Token {
        self.token_at(self.at.saturating_sub(1))
    }

    /// The last token that is more than a line's end.
    pub fn last_before_newlines(&self) -> Token {
        let line_end = |t: &&Token| matches!(t.kind, Kind::Newline | Kind::Dedent | Kind::Indent);
        let before = self.tokens.get(..self.at).unwrap_or_default();
        before.iter().rev().find(|t| !line_end(t)).copied().unwrap_or(self.token())
    }

    /// The number of the token after the newline that ends the line of the token numbered `from`.
    pub fn after_first_line(&self, from: usize) -> usize {
        let line = self.tokens.iter().skip(from).take_while(|t| t.kind != Kind::Newline).count();
        from + line + 1
    }

    /// The tokens from the current one on.
    pub fn following(&self) -> &[Token] {
        self.tokens.get(self.at..).unwrap_or_default()
    }

    /// The number of the current token.
    pub fn position(&self) -> usize {
        self.at
    }

    /// `expected a name, found …` at the current token.
    pub fn expected(&self, what: &str) -> Problem {
        let token = self.token();
        let found = match token.kind {
            Kind::Name | Kind::Number(_) => format!("`{}`", token.text(self.text)),
            kind => kind.describe().to_owned(),
        };
        (self.place(), format!("expected {what}, found {found}"))
    }

    /// Where an error at the current token is shown: the end of a line stands where the line ends.
    pub fn place(&self) -> Span {
        match self.token() {
            token if matches!(token.kind, Kind::Newline | Kind::Dedent | Kind::Indent) => {
                let end = self.previous().end as usize;
                Span::new(end, end)
            }
            token => token.span(),
        }
    }

    /// The `# type:` comments that stand before the tokens numbered `from` to `to`.
    pub fn type_comments(&self, from: usize, to: usize) -> &[TypeComment] {
        let first = self.type_comments.partition_point(|c| c.before < from);
        let last = self.type_comments.partition_point(|c| c.before <= to);
        self.type_comments.get(first..last).unwrap_or_default()
    }

    /// One expression inside another.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.nesting > MAX_SCRIPT_BRACKETS {
            return Err((self.place(), format!("expressions nest deeper than {MAX_SCRIPT_BRACKETS}")));
        }
        self.nesting += 1;
        let read = parse(self);
        self.nesting -= 1;
        read
    }

    /// One statement inside another.
    pub fn nested_statement<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.blocks >= MAX_BLOCK_DEPTH {
            return Err((self.place(), format!("statements nest deeper than {MAX_BLOCK_DEPTH}")));
        }
        self.blocks += 1;
        let read = parse(self);
        self.blocks -= 1;
        read
    }

    /// An expression whose tallest part is `tallest` high.
    pub fn node(&mut self, kind: ExprKind, span: Span, tallest: u32) -> Result<Expr> {
        self.height = tallest + 1;
        if self.height > MAX_EXPRESSION_DEPTH {
            return Err((span, format!("the expression is deeper than {MAX_EXPRESSION_DEPTH} operations")));
        }
        Ok(Expr { kind, span })
    }
}
