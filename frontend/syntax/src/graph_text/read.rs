//! The reader: statements by the grammar, their nesting by a stack, names by the check.

mod types;

use super::check::check;
use super::literals::{read_complex, read_float, unquote};
use super::{Attribute, AttributeValue, Block, Graph, Listing, Node, Subgraph, Use, Value};
use crate::limits::{MAX_BLOCKS, MAX_BRACKETS, MAX_TEXT};
use crate::source::one_of;
use crate::{Error, Span};
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::{Pair, Pairs};
use sconce_schema::Type;

#[derive(pest_derive::Parser)]
#[grammar = "graph_text/graph.pest"]
struct Grammar;

/// Reads a listing. `file` is what errors call the text.
///
/// # Errors
/// The first thing that is not graph text, with its line and column and what was expected there; names that are used and not
/// defined; nesting beyond [`crate::limits`].
pub fn read(file: &str, text: &str) -> Result<Listing, Error> {
    read_with_warnings(file, text).map(|(listing, _)| listing)
}

/// [`read`], and what PyTorch's reader would pass over in silence: values defined again, text after the end.
pub fn read_with_warnings(file: &str, text: &str) -> Result<(Listing, Vec<Error>), Error> {
    read_from(file, text, 0)
}

/// Refuses what no program may have although it can be read: a value that is defined twice, control flow of the wrong shape. `file` and
/// `text` are those the listing was read from.
///
/// # Errors
/// The first such thing, with its place.
pub fn lint(file: &str, text: &str, listing: &Listing) -> Result<(), Error> {
    super::check::lint(listing).map_err(|f| Error::new(file, text, f.span, f.message))
}

/// A method's or function's listing in a file of several: its qualified name, or nothing if the file names none.
pub type Named = (String, Listing);

/// Reads a file in which each listing stands under a line `== name`, as recorded programs keep their methods. A file without
/// such lines is one listing without a name. Comments may stand between listings, and above the first.
///
/// # Errors
/// As [`read`].
pub fn read_methods(file: &str, text: &str) -> Result<Vec<Named>, Error> {
    read_each(file, text).into_iter().map(|(name, read)| Ok((name, read?.0))).collect()
}

/// The same, each listing with [what is passed over](read_with_warnings) in it, or the first error in it: that hides nothing of the others.
pub fn read_each(file: &str, text: &str) -> Vec<(String, Result<(Listing, Vec<Error>), Error>)> {
    let mut methods = Vec::new();
    let mut name = String::new();
    let mut start = 0;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if let Some(next) = line.strip_prefix("== ") {
            if skip_blank(&text[..offset], start) < offset {
                methods.push((name, read_from(file, &text[..offset], start)));
            }
            name = next.trim().to_owned();
            start = offset + line.len();
        }
        offset += line.len();
    }
    if methods.is_empty() || skip_blank(text, start) < text.len() {
        methods.push((name, read_from(file, text, start)));
    }
    methods
}

/// Reads the listing that begins at `start`; places are counted from the beginning of `text`.
fn read_from(file: &str, text: &str, start: usize) -> Result<(Listing, Vec<Error>), Error> {
    let mut reader = Reader::new(file, text)?;
    reader.base = start;
    let listing = reader.listing()?;
    let mut warnings = std::mem::take(&mut reader.warnings);
    match check(&listing) {
        Ok(found) => warnings.extend(found.into_iter().map(|f| Error::new(file, text, f.span, f.message))),
        Err(f) => return Err(Error::new(file, text, f.span, f.message)),
    }
    Ok((listing, warnings))
}

/// Reads a type in the spelling of graphs or of annotations.
///
/// # Errors
/// As [`read`].
pub fn read_type(text: &str) -> Result<Type, Error> {
    let reader = Reader::new("<type>", text)?;
    let mut pairs = reader.parse(Rule::whole_type, 0)?;
    let whole = reader.next(&mut pairs, "a type")?;
    let mut inner = whole.into_inner();
    reader.ty(reader.next(&mut inner, "a type")?)
}

/// Reads an attribute's value, as it stands after `name=`.
///
/// # Errors
/// As [`read`].
pub fn read_attribute_value(text: &str) -> Result<AttributeValue, Error> {
    let reader = Reader::new("<attribute>", text)?;
    let mut pairs = reader.parse(Rule::whole_literal, 0)?;
    let whole = reader.next(&mut pairs, "a literal")?;
    let mut inner = whole.into_inner();
    let pair = reader.next(&mut inner, "a literal")?;
    if pair.as_rule() == Rule::printed_tensor {
        return Ok(AttributeValue::Tensor(text[..pair.as_span().end()].to_owned()));
    }
    reader.literal(pair)
}

struct Reader<'t> {
    file: &'t str,
    text: &'t str,
    /// Where the statement that is being read begins: pest is given the text from there.
    base: usize,
    warnings: Vec<Error>,
}

/// A graph or block whose end has not come yet.
struct Open {
    inputs: Vec<Value>,
    nodes: Vec<Node>,
    span: Span,
}

type P<'t> = Pair<'t, Rule>;

impl<'t> Reader<'t> {
    fn new(file: &'t str, text: &'t str) -> Result<Reader<'t>, Error> {
        let reader = Reader { file, text, base: 0, warnings: Vec::new() };
        if text.len() > MAX_TEXT {
            return Err(reader
                .error(Span::default(), format!("the text has {} bytes; at most {MAX_TEXT} are read", text.len())));
        }
        reader.bound_brackets()?;
        Ok(reader)
    }

    fn error(&self, span: Span, message: impl Into<String>) -> Error {
        Error::new(self.file, self.text, span, message)
    }

    fn span(&self, pair: &P<'_>) -> Span {
        let span = pair.as_span();
        Span::new(self.base + span.start(), self.base + span.end())
    }

    fn error_at(&self, pair: &P<'_>, message: impl Into<String>) -> Error {
        self.error(self.span(pair), message)
    }

    /// Refuses bracket nesting that could exhaust the stack of the (recursive) parser. Braces that open blocks do not nest
    /// there and are not counted.
    fn bound_brackets(&self) -> Result<(), Error> {
        let bytes = self.text.as_bytes();
        let mut depth = 0usize;
        let mut previous = b'\n';
        let mut i = 0;
        while i < bytes.len() {
            let byte = bytes[i];
            match byte {
                b'#' => {
                    i = skip_to(bytes, i, |b| b == b'\n');
                    continue;
                }
                b'"' | b'\'' => {
                    i = skip_string(bytes, i);
                    previous = byte;
                    continue;
                }
                b'{' if previous == b')' => {}
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > MAX_BRACKETS {
                return Err(self.error(Span::new(i, i + 1), format!("brackets nest deeper than {MAX_BRACKETS}")));
            }
            if !byte.is_ascii_whitespace() {
                previous = byte;
            }
            i += 1;
        }
        Ok(())
    }

    // Statements.

    fn listing(&mut self) -> Result<Listing, Error> {
        let mut graph: Option<Graph> = None;
        let mut subgraphs: Vec<Subgraph> = Vec::new();
        let mut name: Option<(String, Span)> = None;
        let mut open: Vec<Open> = Vec::new();
        let mut brace_may_close = false;
        loop {
            self.base = skip_blank(self.text, self.base);
            let rest = &self.text[self.base..];
            let here = Span::new(self.base, self.base + rest.chars().next().map_or(0, char::len_utf8));
            if rest.is_empty() {
                break;
            }
            if open.is_empty() && graph.is_some() && !starts_with_word(rest, "with") && !rest.starts_with('}') {
                // PyTorch's reader stops at the first `return`; what follows is nobody's.
                let warning = self.error(here, "the text after the end of the graph is passed over");
                self.warnings.push(warning);
                break;
            }
            if graph.is_none() && open.is_empty() && !starts_with_word(rest, "graph") {
                return Err(self.error(here, "expected `graph(`"));
            }
            let mut pairs = self.parse(Rule::statement, self.base)?;
            let statement = self.next(&mut pairs, "a statement")?;
            let after = self.base + statement.as_span().end();
            let mut inner = statement.into_inner();
            let statement = self.next(&mut inner, "a statement")?;
            let span = self.span(&statement);
            let rule = statement.as_rule();
            match rule {
                Rule::graph_header if open.is_empty() && graph.is_none() => open.push(self.header(statement)?),
                Rule::with_header if open.is_empty() && graph.is_some() => {
                    let mut parts = statement.into_inner();
                    for part in parts.by_ref() {
                        match part.as_rule() {
                            Rule::kind => name = Some((part.as_str().to_owned(), span)),
                            Rule::graph_header => open.push(self.header(part)?),
                            _ => {}
                        }
                    }
                }
                Rule::close_brace if brace_may_close => {}
                _ if open.is_empty() => return Err(self.error(here, "expected `graph(`")),
                Rule::graph_header | Rule::with_header => {
                    return Err(self.error(here, format!("a graph begins before {}", self.missing_end(&open))));
                }
                Rule::block_header => {
                    let block = self.header(statement)?;
                    if open.last().is_none_or(|top| top.nodes.is_empty()) {
                        return Err(self.error(span, "a block stands here without a node that it belongs to"));
                    }
                    if open.len() > MAX_BLOCKS {
                        return Err(self.error(span, format!("blocks nest deeper than {MAX_BLOCKS}")));
                    }
                    open.push(block);
                }
                Rule::yield_statement => {
                    let outputs = self.uses(statement);
                    let (Some(block), Some(parent)) = (open.pop(), open.last_mut()) else {
                        return Err(
                            self.error(here, "`->` ends a block, but no block is open; a graph ends with `return (…)`")
                        );
                    };
                    let block = Block { inputs: block.inputs, nodes: block.nodes, outputs, span: block.span };
                    if let Some(node) = parent.nodes.last_mut() {
                        node.blocks.push(block);
                    }
                }
                Rule::return_statement => {
                    let outputs = self.uses(statement);
                    let Some(top) = open.pop() else { return Err(self.error(here, "expected `graph(`")) };
                    if !open.is_empty() {
                        open.push(top);
                        return Err(self.error(here, format!("the graph returns before {}", self.missing_end(&open))));
                    }
                    let done = Graph { inputs: top.inputs, nodes: top.nodes, outputs, span: top.span };
                    match name.take() {
                        Some((name, span)) => subgraphs.push(Subgraph { name, graph: done, span }),
                        None => graph = Some(done),
                    }
                }
                Rule::close_brace => return Err(self.error(here, "`}` stands here before the end of a block or graph")),
                _ => {
                    let node = self.node(statement)?;
                    if let Some(top) = open.last_mut() {
                        top.nodes.push(node);
                    }
                }
            }
            brace_may_close = matches!(rule, Rule::yield_statement | Rule::return_statement | Rule::close_brace);
            self.base = after;
        }
        let end = Span::new(self.text.len(), self.text.len());
        if !open.is_empty() {
            return Err(self.error(end, format!("the text ends before {}", self.missing_end(&open))));
        }
        let graph = graph.ok_or_else(|| self.error(end, "expected `graph(`, found the end of the text"))?;
        Ok(Listing { graph, subgraphs })
    }

    /// What the innermost open graph or block lacks.
    fn missing_end(&self, open: &[Open]) -> String {
        let Some(top) = open.last() else { return "`graph(`".to_owned() };
        let (line, _) = crate::source::line_column(self.text, top.span.start);
        match open.len() {
            1 => format!("the `return (…)` of the graph that begins on line {line}"),
            _ => format!("the `-> (…)` of the block that begins on line {line}"),
        }
    }

    fn header(&self, pair: P<'t>) -> Result<Open, Error> {
        let span = self.span(&pair);
        let mut inputs = Vec::new();
        for part in pair.into_inner() {
            if part.as_rule() == Rule::values {
                inputs = self.values(part)?;
            }
        }
        Ok(Open { inputs, nodes: Vec::new(), span })
    }

    fn values(&self, pair: P<'t>) -> Result<Vec<Value>, Error> {
        pair.into_inner().filter(|p| p.as_rule() == Rule::value).map(|p| self.value(p)).collect()
    }

    fn value(&self, pair: P<'t>) -> Result<Value, Error> {
        let mut name = String::new();
        let mut span = self.span(&pair);
        let mut ty = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::value_name => {
                    name = part.as_str()[1..].to_owned();
                    span = self.span(&part);
                }
                Rule::r#type => ty = Some(self.ty(part)?),
                _ => {}
            }
        }
        Ok(Value { name, ty: ty.unwrap_or_else(Type::tensor), span })
    }

    fn uses(&self, pair: P<'t>) -> Vec<Use> {
        let mut uses = Vec::new();
        for part in pair.into_inner().flatten() {
            if part.as_rule() == Rule::value_name {
                uses.push(Use { name: part.as_str()[1..].to_owned(), span: self.span(&part) });
            }
        }
        uses
    }

    fn node(&self, pair: P<'t>) -> Result<Node, Error> {
        let mut span = self.span(&pair);
        let mut node = Node {
            outputs: Vec::new(),
            kind: String::new(),
            attributes: Vec::new(),
            inputs: Vec::new(),
            scope: None,
            comment: None,
            blocks: Vec::new(),
            span,
        };
        for part in pair.into_inner() {
            let part_span = self.span(&part);
            match part.as_rule() {
                Rule::outputs => node.outputs = self.values(part)?,
                Rule::kind | Rule::python_op => node.kind = part.as_str().to_owned(),
                Rule::attributes => node.attributes = self.attributes(part)?,
                Rule::uses => node.inputs = self.uses(part),
                Rule::close => span.end = part_span.end,
                Rule::scope => {
                    let text = part.into_inner().find(|p| p.as_rule() == Rule::scope_text);
                    node.scope = text.map(|p| p.as_str().trim().to_owned()).filter(|s| !s.is_empty());
                }
                Rule::comment => {
                    let text = part.as_str().trim_start_matches('#').trim();
                    node.comment = Some(text.to_owned()).filter(|s| !s.is_empty());
                }
                _ => {}
            }
        }
        node.span = span;
        Ok(node)
    }

    // Attributes.

    fn attributes(&self, pair: P<'t>) -> Result<Vec<Attribute>, Error> {
        let mut attributes: Vec<Attribute> = Vec::new();
        for part in pair.into_inner().filter(|p| p.as_rule() == Rule::attribute) {
            let span = self.span(&part);
            let mut name = String::new();
            let mut after_equals = 0;
            let mut value = AttributeValue::None;
            for piece in part.into_inner() {
                match piece.as_rule() {
                    Rule::attribute_name => name = piece.as_str().to_owned(),
                    Rule::equals => after_equals = self.base + piece.as_span().end(),
                    // The blanks before a printed tensor are its own.
                    Rule::printed_tensor => {
                        let end = self.base + piece.as_span().end();
                        value = AttributeValue::Tensor(self.text[after_equals..end].to_owned());
                    }
                    _ => value = self.literal(piece)?,
                }
            }
            if attributes.iter().any(|a| a.name == name) {
                return Err(self.error(span, format!("the attribute {name} is given twice")));
            }
            attributes.push(Attribute { name, value, span });
        }
        Ok(attributes)
    }

    fn literals(&self, pair: P<'t>) -> Result<Vec<AttributeValue>, Error> {
        pair.into_inner().filter(|p| p.as_rule() == Rule::literal).map(|p| self.literal(p)).collect()
    }

    fn literal(&self, pair: P<'t>) -> Result<AttributeValue, Error> {
        let pair = if pair.as_rule() == Rule::literal {
            let mut inner = pair.into_inner();
            self.next(&mut inner, "a literal")?
        } else {
            pair
        };
        let text = pair.as_str();
        Ok(match pair.as_rule() {
            Rule::none => AttributeValue::None,
            Rule::true_ => AttributeValue::Bool(true),
            Rule::false_ => AttributeValue::Bool(false),
            Rule::integer => AttributeValue::Int(self.int(&pair)?),
            Rule::float => AttributeValue::Float(read_float(text).ok_or_else(|| self.error_at(&pair, "not a number"))?),
            Rule::complex => {
                let (re, im) = read_complex(text).ok_or_else(|| self.error_at(&pair, "not a complex number"))?;
                AttributeValue::Complex(re, im)
            }
            Rule::string => {
                let start = self.span(&pair).start as usize + 1;
                let body = &text[1..text.len() - 1];
                AttributeValue::Str(unquote(body).map_err(|bad| {
                    let at = start + bad.offset;
                    self.error(Span::new(at, at + 2), bad.message)
                })?)
            }
            Rule::list => AttributeValue::List(self.literals(pair)?),
            Rule::tuple => {
                let items = self.literals(pair)?;
                // `(int, Tensor)` is a type.
                let types: Option<Vec<Type>> = items.iter().map(AttributeValue::as_type).collect();
                match types {
                    Some(types) if !types.is_empty() && items.iter().any(|i| matches!(i, AttributeValue::Type(_))) => {
                        AttributeValue::Type(Type::Tuple(types.into()))
                    }
                    _ => AttributeValue::Tuple(items),
                }
            }
            Rule::dict => {
                let mut entries = Vec::new();
                for entry in pair.into_inner().filter(|p| p.as_rule() == Rule::entry) {
                    let mut parts = self.literals(entry)?.into_iter();
                    if let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                        entries.push((key, value));
                    }
                }
                AttributeValue::Dict(entries)
            }
            Rule::annotated => {
                let mut ty = Type::Any;
                let mut value = AttributeValue::None;
                for part in pair.into_inner() {
                    match part.as_rule() {
                        // Annotations say less than types of graphs do; what they cannot say is dropped here.
                        Rule::r#type => {
                            ty = self.ty(part)?;
                            ty = sconce_schema::types::parse(&ty.annotation_str()).unwrap_or(ty);
                        }
                        Rule::literal => value = self.literal(part)?,
                        _ => {}
                    }
                }
                AttributeValue::Annotated(ty, Box::new(value))
            }
            Rule::opaque | Rule::call => AttributeValue::Opaque(text.to_owned()),
            Rule::single_tensor => AttributeValue::Tensor(text.to_owned()),
            _ => {
                let mut inner = pair.into_inner();
                match self.ty(self.next(&mut inner, "a literal")?)? {
                    Type::Class(name) if !name.contains('<') => AttributeValue::Name(name.to_string()),
                    ty => AttributeValue::Type(ty),
                }
            }
        })
    }

    fn int(&self, pair: &P<'_>) -> Result<i64, Error> {
        let number = pair.as_str().trim();
        number.parse().map_err(|_| self.error_at(pair, format!("{number} is not a 64-bit integer")))
    }

    // Types.

    /// Runs the grammar on the text from `base`.
    fn parse(&self, rule: Rule, base: usize) -> Result<Pairs<'t, Rule>, Error> {
        Grammar::parse(rule, &self.text[base..]).map_err(|error| {
            let at = base
                + match error.location {
                    InputLocation::Pos(at) => at,
                    InputLocation::Span((start, _)) => start,
                };
            let found = match self.text[at..].chars().next() {
                None => "the end of the text".to_owned(),
                Some('\n') => "the end of the line".to_owned(),
                Some(c) => format!("`{}`", found_word(&self.text[at..], c)),
            };
            let width = self.text[at..]
                .chars()
                .next()
                .filter(|c| *c != '\n')
                .map_or(0, |c| found_word(&self.text[at..], c).len());
            let message = match &error.variant {
                ErrorVariant::ParsingError { positives, .. } => {
                    format!("expected {}, found {found}", expected(positives))
                }
                ErrorVariant::CustomError { message } => message.clone(),
            };
            self.error(Span::new(at, at + width), message)
        })
    }

    /// The next pair of a rule whose grammar promises one.
    fn next(&self, pairs: &mut impl Iterator<Item = P<'t>>, what: &str) -> Result<P<'t>, Error> {
        pairs.next().ok_or_else(|| self.error(Span::new(self.base, self.base), format!("expected {what}")))
    }
}

fn found_word(text: &str, first: char) -> &str {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let end = if word(first) { text.find(|c| !word(c)).unwrap_or(text.len()) } else { first.len_utf8() };
    let end =
        text.char_indices().map(|(i, _)| i).take_while(|i| *i <= 40).find(|i| *i >= end).unwrap_or(end.min(text.len()));
    if text.is_char_boundary(end) { &text[..end] } else { &text[..first.len_utf8()] }
}

/// The rules that could have continued, in words.
fn expected(rules: &[Rule]) -> String {
    // What may follow a type says little where something else may follow, too.
    let suffix = |r: &Rule| {
        matches!(
            r,
            Rule::type_suffix | Rule::list_suffix | Rule::optional_suffix | Rule::undefined | Rule::tensor_arguments
        )
    };
    let only_suffixes = rules.iter().all(suffix);
    one_of(rules.iter().filter(|r| only_suffixes || !suffix(r)).map(|rule| in_words(*rule)))
}

fn in_words(rule: Rule) -> &'static str {
    match rule {
        Rule::open => "`(`",
        Rule::close => "`)`",
        Rule::open_bracket => "`[`",
        Rule::close_bracket => "`]`",
        Rule::close_brace => "`}`",
        Rule::open_block => "`:` or `{`",
        Rule::comma => "`,`",
        Rule::colon => "`:`",
        Rule::equals => "`=`",
        Rule::semicolon => "`;`",
        Rule::arrow | Rule::yield_statement => "`->`",
        Rule::with_keyword | Rule::with_header => "`with`",
        Rule::graph_keyword | Rule::graph_header => "`graph(`",
        Rule::return_keyword | Rule::return_statement => "`return`",
        Rule::block_name | Rule::block_header => "a block",
        Rule::kind | Rule::python_op => "an operator such as `aten::add`",
        Rule::statement | Rule::node => "a node",
        Rule::value | Rule::value_name | Rule::use_ | Rule::values | Rule::uses | Rule::outputs => {
            "a value such as `%x`"
        }
        Rule::r#type | Rule::type_atom | Rule::attribute_type => "a type",
        Rule::type_suffix | Rule::list_suffix | Rule::optional_suffix | Rule::undefined | Rule::tensor_arguments => {
            "`[]` or `?`"
        }
        Rule::tensor_argument | Rule::dimension | Rule::size => "a size",
        Rule::attributes => "attributes",
        Rule::attribute | Rule::attribute_name => "an attribute's name",
        Rule::literal | Rule::printed_tensor => "a literal",
        Rule::end_of_line | Rule::comment => "the end of the line",
        Rule::scope | Rule::scope_text => "a scope",
        Rule::integer => "an integer",
        Rule::truth => "0 or 1",
        Rule::double_quote | Rule::single_quote => "a closing quote",
        Rule::ident | Rule::dotted => "a name",
        Rule::device => "a device",
        Rule::EOI => "the end of the text",
        _ => "a literal",
    }
}

fn skip_to(bytes: &[u8], from: usize, stop: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|b| stop(*b)).map_or(bytes.len(), |n| from + n)
}

/// The byte after the string that begins at `from`, or the end of its line if it does not end there.
fn skip_string(bytes: &[u8], from: usize) -> usize {
    let quote = bytes[from];
    let mut i = from + 1;
    while i < bytes.len() && bytes[i] != b'\n' {
        match bytes[i] {
            b'\\' if bytes.get(i + 1).is_some_and(|b| *b != b'\n') => i += 2,
            b if b == quote => return i + 1,
            _ => i += 1,
        }
    }
    i
}

/// The next byte that is no blank, no end of line and no comment.
fn skip_blank(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut i = from;
    while i < bytes.len() {
        match bytes[i] {
            b' ' | b'\t' | b'\r' | b'\n' => i += 1,
            b'#' => i = skip_to(bytes, i, |b| b == b'\n'),
            _ => break,
        }
    }
    i
}

fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}
