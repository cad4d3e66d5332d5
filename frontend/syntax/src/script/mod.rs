//! TorchScript's text, and the Python it lives in, as trees with ranges.

mod expression;
pub mod frontend;
mod fstring;
mod function;
mod lexer;
mod literal;
mod parser;
mod print;
mod range;
pub mod report;
pub mod sexpr;
mod statement;
pub mod token;
pub mod tree;

pub use lexer::dump as dump_tokens;
pub use print::{print, print_expression};

use crate::Error;
use parser::Parser;
use token::Kind;
use tree::{Expr, Module};

/// Who wrote a text. PyTorch reads the two with different parsers; they agree on meaning but for details, and differ a little in ranges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// A person, in Python. Ranges are those that PyTorch's Python frontend gives.
    #[default]
    Python,
    /// PyTorch's printer: the `code/` of an archive. Escapes stand for bytes; words that TorchScript does not reserve are names; ranges are those of
    /// PyTorch's own parser.
    Archive,
}

impl Dialect {
    /// Is the word reserved?
    fn reserves(self, keyword: Kind) -> bool {
        let python_only = matches!(
            keyword,
            Kind::Async
                | Kind::Await
                | Kind::Except
                | Kind::Finally
                | Kind::From
                | Kind::Lambda
                | Kind::Nonlocal
                | Kind::Try
                | Kind::Yield
        );
        self == Dialect::Python || !python_only
    }
}

/// Reads a source file; `file` is what errors call it.
pub fn parse(file: &str, text: &str) -> Result<Module, Error> {
    read(file, text, Dialect::Python, false, |parser| parser.module())
}

/// Reads a file of an archive's `code/`.
pub fn parse_archive(file: &str, text: &str) -> Result<Module, Error> {
    read(file, text, Dialect::Archive, false, |parser| parser.module())
}

/// Reads one expression: an annotation given as a string, a type such as `Optional[int]` or `__torch__.a.C`, a default value.
pub fn parse_expression(file: &str, text: &str) -> Result<Expr, Error> {
    read(file, text, Dialect::Python, true, |parser| {
        let expression = parser.expressions()?;
        parser.expect(Kind::End)?;
        Ok(expression)
    })
}

fn read<'a, T>(
    file: &str,
    text: &'a str,
    dialect: Dialect,
    inside: bool,
    parse: impl FnOnce(&mut Parser<'a>) -> parser::Result<T>,
) -> Result<T, Error> {
    let parser = Parser::new(text, 0..text.len(), inside, dialect);
    parser.and_then(|mut parser| parse(&mut parser)).map_err(|(span, message)| Error::new(file, text, span, message))
}
