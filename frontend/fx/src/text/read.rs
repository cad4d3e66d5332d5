//! The reader: each line by the grammar, strings by the operator's schema, names when all are known.
//!
//! A node may stand before one that it uses, and an output may be missing: that is for the verifier to say, with the graph at hand.

use super::resolve::{Item, resolve};
use crate::graph::Place;
use crate::limits::{MAX_BRACKETS, MAX_MODULE_DEPTH, MAX_TEXT};
use crate::{Argument, Graph, GraphModule, Node, NodeId, Op, OperatorName};
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;
use sconce_schema::types::Device;
use sconce_schema::{DType, Layout, MemoryFormat};
use sconce_source::{Loc, SourceText, Span};
use sconce_syntax::Error;
use sconce_syntax::source::one_of;
use std::ops::Range;
use std::sync::Arc;

#[derive(pest_derive::Parser)]
#[grammar = "text/fx.pest"]
struct Grammar;

/// Reads the text of one graph: what PyTorch prints, also with the `[#users=1]` of older versions, and the spelling of its documents, `%x = placeholder[target = x](args = ())`.
/// `file` is what errors call the text.
///
/// # Errors
/// The first thing that is not FX text, with its line and column and what was expected there: text that was left out (`…`), a name that no node has or two have, a number of
/// users that is not that of the graph, a string whose commas or brackets cannot be told from those of the text, brackets that nest deeper than
/// [`MAX_BRACKETS`](crate::limits::MAX_BRACKETS).
pub fn read(file: &str, text: &str) -> Result<Graph, Error> {
    read_part(file, text, 0..text.len(), 0)
}

/// What stands before the path of a graph inside, on the line in front of it: `## true_graph_0`.
const INSIDE: &str = "## ";

/// Reads a graph and those inside of it, each behind a line with its path from the first: `## true_graph_0`, `## true_graph_0.false_graph_0`.
///
/// # Errors
/// As of [`read`]; a graph inside of one that does not stand before it, or that stands twice.
pub fn read_module(file: &str, text: &str) -> Result<GraphModule, Error> {
    // The path of each graph, where that stands, and the number of lines before the graph.
    let mut parts: Vec<(&str, Range<usize>, u32)> = vec![("", 0..0, 0)];
    let mut at = 0;
    for (number, line) in (1u32..).zip(text.split_inclusive('\n')) {
        let here = at..at + line.len();
        at = here.end;
        if let Some(path) = line.strip_prefix(INSIDE) {
            parts.push((path.trim_matches(BLANKS), here, number));
        }
    }
    let ends: Vec<usize> = parts.iter().skip(1).map(|(_, here, _)| here.start).chain([text.len()]).collect();
    let mut root: Option<GraphModule> = None;
    for ((path, here, number), end) in parts.into_iter().zip(ends) {
        let graph = read_part(file, text, here.end..end, number)?;
        let Some(root) = &mut root else {
            root = Some(GraphModule::new(graph));
            continue;
        };
        let wrong = |what: String| Error::new(file, text, Span::new(here.start, here.end), what);
        let (owner, name) = path.rsplit_once('.').unwrap_or(("", path));
        let mut inside = Some(root);
        for part in owner.split('.').filter(|part| !part.is_empty()).take(MAX_MODULE_DEPTH) {
            inside = inside.and_then(|module| module.submodules.get_mut(part));
        }
        let inside = inside.filter(|_| owner.split('.').count() <= MAX_MODULE_DEPTH && !name.is_empty());
        let inside = inside.ok_or_else(|| wrong(format!("no graph `{owner}` stands before `{path}`")))?;
        if inside.submodules.contains_key(name) {
            return Err(wrong(format!("the graph `{path}` stands twice")));
        }
        inside
            .submodules
            .insert(name.to_owned(), GraphModule { class_name: name.to_owned(), ..GraphModule::new(graph) });
    }
    root.ok_or_else(|| Error::new(file, text, Span::default(), "expected a graph"))
}

/// Reads the graph in a part of a text, before which there are so many lines.
fn read_part(file: &str, text: &str, part: Range<usize>, line: u32) -> Result<Graph, Error> {
    let mut reader = Reader { file, text, part, base: 0, line: (line, 0), names: Vec::new() };
    if text.len() > MAX_TEXT {
        return Err(
            reader.error(Span::default(), format!("the text has {} bytes; at most {MAX_TEXT} are read", text.len()))
        );
    }
    let lines = reader.lines()?;
    reader.graph(lines)
}

/// What the grammar passes over; any other white space is a string's own.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// Is a text that begins with `graph` FX text, and not TorchScript's? Its nodes say what they are in brackets.
pub fn is_fx_text(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let header = lines.next().is_some_and(|line| line.starts_with("graph"));
    header && lines.next().is_some_and(|line| Op::ALL.iter().any(|op| line.contains(&format!("= {op}[target"))))
}

struct Reader<'t> {
    file: &'t str,
    text: &'t str,
    /// Where the graph stands in it.
    part: Range<usize>,
    /// Where the line that is being read begins: pest is given the line alone.
    base: usize,
    /// The line's number from 1, and how many bytes of it were blank.
    line: (u32, usize),
    /// Nodes that arguments name; until all nodes are known, a handle is a number in this list.
    names: Vec<(&'t str, Span)>,
}

/// A node whose arguments are not resolved.
struct Line {
    node: Node,
    name: Span,
    users: Option<(usize, Span)>,
}

type P<'t> = Pair<'t, Rule>;

impl<'t> Reader<'t> {
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

    /// The lines of nodes, and of what is returned.
    fn lines(&mut self) -> Result<Vec<Line>, Error> {
        let mut lines = Vec::new();
        let mut is_open = false;
        let mut at = self.part.start;
        let text = self.text;
        for line in text[self.part.clone()].split_inclusive('\n') {
            let blank = line.len() - line.trim_start_matches(BLANKS).len();
            self.base = at + blank;
            self.line = (self.line.0.saturating_add(1), blank);
            at += line.len();
            let line = line.trim_matches(BLANKS);
            if line.is_empty() {
                continue;
            }
            self.bound_brackets(line)?;
            if !is_open {
                self.header(line, &mut lines)?;
                is_open = true;
            } else if line.starts_with("graph(") {
                let span = Span::new(self.base, self.base + line.len());
                return Err(self.error(span, "a second graph begins here; expected one, or the path of a graph inside before it: `## true_graph_0`"));
            } else {
                let pair = self.parse(Rule::line, line)?;
                let inner = pair.into_inner().next();
                let inner = inner.ok_or_else(|| self.error(Span::new(self.base, at), "expected a node"))?;
                lines.push(if inner.as_rule() == Rule::node { self.node(inner)? } else { self.returned(inner)? });
            }
        }
        if is_open {
            Ok(lines)
        } else {
            Err(self.error(Span::new(at, at), "expected `graph():`, found the end of the text"))
        }
    }

    /// Refuses nesting that could exhaust the stack of the (recursive) parser.
    fn bound_brackets(&self, line: &str) -> Result<(), Error> {
        let mut depth = 0usize;
        for (i, byte) in line.bytes().enumerate() {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > MAX_BRACKETS {
                let at = self.base + i;
                return Err(self.error(Span::new(at, at + 1), format!("brackets nest deeper than {MAX_BRACKETS}")));
            }
        }
        Ok(())
    }

    fn parse(&self, rule: Rule, line: &'t str) -> Result<P<'t>, Error> {
        let mut pairs = Grammar::parse(rule, line).map_err(|error| self.refusal(&error, line))?;
        pairs.next().ok_or_else(|| self.error(Span::new(self.base, self.base), "expected a node"))
    }

    fn refusal(&self, error: &pest::error::Error<Rule>, line: &str) -> Error {
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        let rest = line.get(at..).unwrap_or_default();
        let width = rest
            .chars()
            .take_while(|c| !c.is_whitespace() && !",()[]{}".contains(*c))
            .map(char::len_utf8)
            .sum::<usize>();
        let width = if width == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { width };
        let span = Span::new(self.base + at, self.base + at + width);
        if let Some(left_out) = line.find('…').or_else(|| line.find("...")) {
            let at = self.base + left_out;
            return self.error(
                Span::new(at, at + '…'.len_utf8()),
                "something is left out of the text here; only what is complete is read",
            );
        }
        let found =
            rest.get(..width).filter(|f| !f.is_empty()).map_or("the end of the line".to_owned(), |f| format!("`{f}`"));
        let expected = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => one_of(positives.iter().map(|rule| in_words(*rule))),
            ErrorVariant::CustomError { message } => message.clone(),
        };
        let mut message = format!("expected {expected}, found {found}");
        if line.contains("(args = ") && line.matches(['(', '[', '{']).count() != line.matches([')', ']', '}']).count() {
            message.push_str("; strings stand without quotes here, and one with a bracket of no pair cannot be read");
        }
        self.error(span, message)
    }

    /// Names of placeholders may stand in the header, as in PyTorch 1.8.
    fn header(&mut self, line: &'t str, lines: &mut Vec<Line>) -> Result<(), Error> {
        let pair = self.parse(Rule::header, line)?;
        for parameter in pair.into_inner().filter(|p| p.as_rule() == Rule::parameter) {
            let name = parameter.as_str().trim_start_matches('%');
            let mut node = Node::new(Op::Placeholder, name, name);
            node.place = self.place(self.span(&parameter));
            lines.push(Line { node, name: self.span(&parameter), users: None });
        }
        Ok(())
    }

    fn place(&self, span: Span) -> Place {
        // Only the file's name and the line are kept: a text may be long, and each node has a place.
        let (line, blank) = self.line;
        let column = (span.start as usize).saturating_sub(self.base).saturating_add(blank);
        let column = u32::try_from(column).unwrap_or(u32::MAX);
        Place(Some(Loc::new(&SourceText::unknown(self.file, line), Span { start: column, end: column })))
    }

    fn node(&mut self, pair: P<'t>) -> Result<Line, Error> {
        let whole = self.span(&pair);
        let mut node = Node::new(Op::CallFunction, "", "");
        let (mut name, mut users, mut has_target) = (whole, None, false);
        let (mut args, mut kwargs) = (Vec::new(), Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::node_name => {
                    node.name = part.as_str().trim_start_matches('%').to_owned();
                    name = self.span(&part);
                }
                Rule::annotation => {
                    for piece in part.into_inner() {
                        match piece.as_rule() {
                            Rule::type_text => {
                                node.ty = Some(piece.as_str().trim_matches(BLANKS).to_owned()).filter(|t| !t.is_empty())
                            }
                            Rule::users => {
                                let count = piece.clone().into_inner().find(|p| p.as_rule() == Rule::count);
                                let count = count.and_then(|c| c.as_str().parse().ok());
                                let count = count.ok_or_else(|| self.error_at(&piece, "expected a number of users"))?;
                                users = Some((count, self.span(&piece)));
                            }
                            _ => {}
                        }
                    }
                }
                Rule::op => node.op = Op::ALL.into_iter().find(|op| op.as_str() == part.as_str()).unwrap_or(node.op),
                Rule::target => {
                    has_target = true;
                    node.target = part.as_str().trim_matches(BLANKS).to_owned();
                }
                Rule::default => {
                    for value in part.into_inner().filter(|p| p.as_rule() == Rule::value) {
                        args.push(self.value(value)?);
                    }
                }
                Rule::call => {
                    for piece in part.into_inner() {
                        match piece.as_rule() {
                            Rule::tuple => args = self.items(piece)?.0,
                            Rule::dict => kwargs = self.entries(piece)?,
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        if node.op == Op::Output {
            if node.name.is_empty() {
                node.name = "output".to_owned();
            }
            node.target = "output".to_owned();
        } else if node.name.is_empty() {
            return Err(self.error(whole, format!("expected `%` and a name before {}", node.op)));
        } else if !has_target {
            return Err(self.error(whole, format!("expected `target=` of {}", node.op)));
        }
        resolve(&mut node, args, kwargs, self.text).map_err(|(span, message)| self.error(span, message))?;
        node.place = self.place(whole);
        Ok(Line { node, name, users })
    }

    /// `return …`
    fn returned(&mut self, pair: P<'t>) -> Result<Line, Error> {
        let span = self.span(&pair);
        let mut node = Node::new(Op::Output, "output", "output");
        if let Some(value) = pair.into_inner().find(|p| p.as_rule() == Rule::printed) {
            let place = value.clone();
            let value = self.printed(value)?;
            if matches!(value, Argument::Str(_)) {
                let message = "a string that is returned alone has no quotes and cannot be told from a name; expected a node or a tuple";
                return Err(self.error_at(&place, message));
            }
            node.args.push(value);
        }
        node.place = self.place(span);
        Ok(Line { node, name: span, users: None })
    }

    fn handle(&mut self, pair: &P<'t>) -> Argument {
        let id = NodeId(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push((pair.as_str().trim_start_matches('%'), self.span(pair)));
        Argument::Node(id)
    }

    /// The items of a list or tuple, and whether a comma stands behind the last.
    fn items(&mut self, pair: P<'t>) -> Result<(Vec<Item>, bool), Error> {
        let mut items = Vec::new();
        let mut comma = false;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::value => items.push(self.value(part)?),
                Rule::last_comma => comma = true,
                _ => {}
            }
        }
        Ok((items, comma))
    }

    fn entries(&mut self, pair: P<'t>) -> Result<Vec<(&'t str, Item)>, Error> {
        let mut entries = Vec::new();
        for entry in pair.into_inner().filter(|p| p.as_rule() == Rule::entry) {
            let mut key = "";
            for part in entry.into_inner() {
                match part.as_rule() {
                    Rule::key => key = part.as_str().trim_matches(BLANKS),
                    Rule::value => entries.push((key, self.value(part)?)),
                    _ => {}
                }
            }
        }
        Ok(entries)
    }

    fn value(&mut self, pair: P<'t>) -> Result<Item, Error> {
        let span = self.span(&pair);
        let place = pair.clone();
        let source = pair.as_str().trim_end_matches(BLANKS);
        let inner = pair.into_inner().next().ok_or_else(|| self.error_at(&place, "expected a value"))?;
        let argument = match inner.as_rule() {
            Rule::node_name => self.handle(&inner),
            Rule::literal => self.literal(inner)?,
            Rule::slice => self.slice(inner)?,
            Rule::list => Argument::List(self.items(inner)?.0.into_iter().map(|i| i.argument).collect()),
            Rule::tuple => match self.items(inner)? {
                (items, false) if items.len() == 1 => Argument::Str(source.to_owned()),
                (items, _) => Argument::Tuple(items.into_iter().map(|i| i.argument).collect()),
            },
            Rule::dict => {
                let entries = self.entries(inner)?;
                Argument::Dict(entries.into_iter().map(|(key, item)| (key_of(key), item.argument)).collect())
            }
            _ if source == "…" || source == "..." => {
                return Err(
                    self.error_at(&place, "something is left out of the text here; only what is complete is read")
                );
            }
            _ => Argument::Str(source.to_owned()),
        };
        Ok(Item { argument, span: Span { start: span.start, end: span.start + source.len() as u32 } })
    }

    fn literal(&self, pair: P<'t>) -> Result<Argument, Error> {
        let place = pair.clone();
        let inner = pair.into_inner().next().ok_or_else(|| self.error_at(&place, "expected a value"))?;
        let text = inner.as_str();
        Ok(match inner.as_rule() {
            Rule::none => Argument::None,
            Rule::true_ => Argument::Bool(true),
            Rule::false_ => Argument::Bool(false),
            Rule::ellipsis => Argument::Ellipsis,
            Rule::integer => Argument::Int(
                text.parse().map_err(|_| self.error_at(&inner, format!("{text} is not a 64-bit integer")))?,
            ),
            Rule::float => {
                Argument::Float(text.parse().map_err(|_| self.error_at(&inner, format!("{text} is no float")))?)
            }
            Rule::complex => {
                let (re, im) =
                    complex(text).ok_or_else(|| self.error_at(&inner, format!("{text} is no complex number")))?;
                Argument::Complex(re, im)
            }
            _ => {
                let name = text.strip_prefix("torch.").unwrap_or(text);
                (DType::from_torch_name(name).map(Argument::DType))
                    .or_else(|| Layout::from_torch_name(name).map(Argument::Layout))
                    .or_else(|| MemoryFormat::from_torch_name(name).map(Argument::MemoryFormat))
                    .ok_or_else(|| self.error_at(&inner, format!("{text} is no dtype, layout or memory format")))?
            }
        })
    }

    fn slice(&mut self, pair: P<'t>) -> Result<Argument, Error> {
        let mut parts = self.all_printed(pair)?.into_iter();
        let mut next = || parts.next().unwrap_or(Argument::None);
        Ok(Argument::Slice(Box::new([next(), next(), next()])))
    }

    fn all_printed(&mut self, pair: P<'t>) -> Result<Vec<Argument>, Error> {
        pair.into_inner().filter(|p| p.as_rule() == Rule::printed).map(|p| self.printed(p)).collect()
    }

    fn printed(&mut self, pair: P<'t>) -> Result<Argument, Error> {
        let place = pair.clone();
        let inner = pair.into_inner().next().ok_or_else(|| self.error_at(&place, "expected a value"))?;
        Ok(match inner.as_rule() {
            Rule::node_use => self.handle(&inner),
            Rule::literal => self.literal(inner)?,
            Rule::slice => self.slice(inner)?,
            Rule::printed_list => Argument::List(self.all_printed(inner)?),
            Rule::printed_tuple => {
                let comma = inner.clone().into_inner().any(|p| p.as_rule() == Rule::last_comma);
                let mut items = self.all_printed(inner)?;
                match (items.pop(), comma) {
                    // Parentheses alone make no tuple.
                    (Some(only), false) if items.is_empty() => only,
                    (last, _) => {
                        items.extend(last);
                        Argument::Tuple(items)
                    }
                }
            }
            Rule::printed_dict => {
                let mut entries = Vec::new();
                for entry in inner.into_inner().filter(|p| p.as_rule() == Rule::printed_entry) {
                    let mut parts = self.all_printed(entry)?.into_iter();
                    if let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                        entries.push((key, value));
                    }
                }
                Argument::Dict(entries)
            }
            Rule::string => Argument::Str(self.string(&inner)?),
            Rule::device => {
                let (mut kind, mut index) = (String::new(), None);
                for part in inner.into_inner() {
                    match part.as_rule() {
                        Rule::string => kind = self.string(&part)?,
                        Rule::integer => {
                            let wrong = |_| self.error_at(&part, "expected the number of a device");
                            index = Some(part.as_str().parse().map_err(wrong)?);
                        }
                        _ => {}
                    }
                }
                Argument::Device(Device { kind: Arc::from(kind), index })
            }
            _ => {
                let mut parts = inner.into_inner();
                let packet = parts.next().map_or("", |p| p.as_str());
                let (namespace, name) = packet.split_once('.').unwrap_or_default();
                Argument::Operator(OperatorName {
                    namespace: namespace.to_owned(),
                    name: name.to_owned(),
                    overload: parts.next().map_or("", |p| p.as_str()).to_owned(),
                })
            }
        })
    }

    /// A Python string without its quotes.
    fn string(&self, pair: &P<'t>) -> Result<String, Error> {
        let literal = pair.as_str();
        let body = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
        let mut out = String::with_capacity(body.len());
        let mut chars = body.chars();
        while let Some(c) = chars.next() {
            if c != '\\' {
                out.push(c);
                continue;
            }
            let digits = match chars.next() {
                Some('n') => {
                    out.push('\n');
                    continue;
                }
                Some('t') => {
                    out.push('\t');
                    continue;
                }
                Some('r') => {
                    out.push('\r');
                    continue;
                }
                Some(c @ ('\\' | '\'' | '"')) => {
                    out.push(c);
                    continue;
                }
                Some('x') => 2,
                Some('u') => 4,
                Some('U') => 8,
                _ => 0,
            };
            let hex: String = chars.by_ref().take(digits).collect();
            let code = u32::from_str_radix(&hex, 16).ok().filter(|_| hex.len() == digits && digits > 0);
            let c = code.and_then(char::from_u32);
            out.push(
                c.ok_or_else(|| self.error_at(pair, r#"expected an escape: \n, \t, \r, \\, \', \", \x, \u or \U"#))?,
            );
        }
        Ok(out)
    }

    // Names.

    /// Makes the graph when all names are known.
    fn graph(&self, lines: Vec<Line>) -> Result<Graph, Error> {
        let mut graph = Graph::default();
        let mut ids = Vec::with_capacity(lines.len());
        let mut waiting = Vec::with_capacity(lines.len());
        for Line { mut node, name, users } in lines {
            let (args, kwargs) = (std::mem::take(&mut node.args), std::mem::take(&mut node.kwargs));
            if node.op == Op::Output && graph.find(&node.name).is_some() {
                node.name = graph.unique_name("output");
            }
            let id = graph.push(node).map_err(|error| self.error(name, error.to_string()))?;
            ids.push((id, name, users));
            waiting.push((args, kwargs));
        }
        for ((id, name, _), (args, kwargs)) in ids.iter().zip(waiting) {
            let mut missing = None;
            let mut to = |at: NodeId| {
                let (name, span) = self.names.get(at.0 as usize).copied().unwrap_or_default();
                match graph.find(name) {
                    Some(id) => Argument::Node(id),
                    None => {
                        missing.get_or_insert((name, span));
                        Argument::None
                    }
                }
            };
            let args = args.iter().map(|a| a.map_nodes(&mut to)).collect();
            let kwargs = kwargs.iter().map(|(k, a)| (k.clone(), a.map_nodes(&mut to))).collect();
            if let Some((name, span)) = missing {
                return Err(self.error(span, format!("no node is named `{name}`")));
            }
            graph.set_args(*id, args, kwargs).map_err(|error| self.error(*name, error.to_string()))?;
        }
        for (id, _, users) in ids {
            let count = graph.num_users(id);
            if let Some((said, span)) = users.filter(|(said, _)| *said != count) {
                return Err(self.error(span, format!("{said} users are said here, but the graph has {count}")));
            }
        }
        Ok(graph)
    }
}

/// A dictionary's key: a number or a string.
fn key_of(text: &str) -> Argument {
    match text {
        "None" => Argument::None,
        "True" => Argument::Bool(true),
        "False" => Argument::Bool(false),
        _ => text.parse().map_or_else(|_| Argument::Str(text.to_owned()), Argument::Int),
    }
}

/// `(2+3j)`, `-1j`
fn complex(text: &str) -> Option<(f64, f64)> {
    let body = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(text).strip_suffix('j')?;
    let bytes = body.as_bytes();
    let is_sign = |i: usize| matches!(bytes.get(i), Some(b'+' | b'-')) && !matches!(bytes.get(i - 1), Some(b'e'));
    match (1..bytes.len()).rev().find(|i| is_sign(*i)) {
        Some(at) => Some((body.get(..at)?.parse().ok()?, body.get(at..)?.parse().ok()?)),
        None => Some((0.0, body.parse().ok()?)),
    }
}

fn in_words(rule: Rule) -> &'static str {
    match rule {
        Rule::open => "`(`",
        Rule::close => "`)`",
        Rule::open_bracket => "`[`",
        Rule::close_bracket => "`]`",
        Rule::open_brace => "`{`",
        Rule::close_brace => "`}`",
        Rule::comma | Rule::last_comma => "`,`",
        Rule::colon => "`:`",
        Rule::equals => "`=`",
        Rule::end => "the end of the line",
        Rule::graph_keyword | Rule::header => "`graph():`",
        Rule::return_keyword | Rule::return_line => "`return`",
        Rule::target_keyword => "`target=`",
        Rule::users_keyword | Rule::users => "`[num_users=…]`",
        Rule::default_keyword => "`default=`",
        Rule::args_keyword => "`args =`",
        Rule::kwargs_keyword => "`kwargs =`",
        Rule::op => "placeholder, get_attr, call_function, call_module, call_method or output",
        Rule::node | Rule::line | Rule::node_name => "`%` and a name",
        Rule::type_text | Rule::annotation => "a type",
        Rule::parameter | Rule::name | Rule::node_use => "a name",
        Rule::tuple => "a tuple of arguments",
        Rule::dict => "a dictionary of arguments",
        Rule::integer => "an integer",
        Rule::string => "a string",
        Rule::key => "a key",
        Rule::target => "a target",
        Rule::count => "a number",
        _ => "a value",
    }
}
