//! Graph text: each value with its definition and its uses, each node with its schema, as the reader of listings and the graph they say have them.

use crate::analysis::{Analysis, Candidate, Candidates, Finding, Kind, Symbol, arranged, code};
use crate::operators;
use lsp_types::SymbolKind;
use sconce_graph::graph::{Attr, BlockId, Graph, NodeId, ValueId};
use sconce_graph::listing::{Spans, as_written};
use sconce_schema::{Type, overload, overloads};
use sconce_source::{SourceText, Span};
use sconce_syntax::graph_text::{self, Block, Listing, Node};
use std::sync::Arc;

/// What is known of a text of one or more listings.
pub(crate) struct GraphText {
    source: Arc<SourceText>,
    findings: Vec<Finding>,
    symbols: Vec<Section>,
    values: Vec<Defined>,
    calls: Vec<Call>,
}

/// A listing with what names it in its file.
struct Section {
    name: String,
    listing: Listing,
}

/// A value, where it is defined and where it is used.
struct Defined {
    name: String,
    ty: Type,
    /// What makes it, in words.
    maker: String,
    definition: Span,
    uses: Vec<Span>,
    /// The listing that it is in.
    section: usize,
}

/// A node's kind in the text.
struct Call {
    span: Span,
    kind: Arc<str>,
    /// The schema that takes its operands.
    schema: Option<String>,
}

impl GraphText {
    /// What is known of a text, unless it is the text of an FX graph, which looks alike and is another language.
    pub fn read(source: Arc<SourceText>) -> Option<GraphText> {
        (!sconce_fx::text::is_fx_text(source.text())).then(|| GraphText::new(source))
    }

    /// Reads the listings of a text; errors in one hide nothing of the others.
    fn new(source: Arc<SourceText>) -> GraphText {
        let (file, text) = (source.name(), source.text());
        let said = |e: &sconce_syntax::Error| (e.span, e.message.clone());
        let mut known = Reading { text, section: 0, findings: Vec::new(), values: Vec::new(), calls: Vec::new() };
        let mut symbols = Vec::new();
        for (name, read) in graph_text::read_each(file, text) {
            let (listing, warnings) = match read {
                Ok(read) => read,
                Err(error) => {
                    let (span, message) = said(&error);
                    known.findings.push(Finding::error(span, message));
                    continue;
                }
            };
            match graph_text::lint(file, text, &listing) {
                Ok(()) => {
                    let passed_over = warnings.iter().map(said);
                    known.findings.extend(passed_over.map(|(span, message)| Finding::warning(span, message)));
                }
                // What the reader passes over no program may have: it is told once.
                Err(error) => known.findings.push(Finding::error(error.span, error.message)),
            }
            known.section = symbols.len();
            known.listing(&listing);
            symbols.push(Section { name, listing });
        }
        let Reading { findings, values, calls, .. } = known;
        GraphText { findings: arranged(findings), source, symbols, values, calls }
    }

    fn value_at(&self, offset: u32) -> Option<(&Defined, Span)> {
        let at = |v: &Defined| v.places().find(|s| holds(*s, offset));
        self.values.iter().find_map(|v| at(v).map(|span| (v, span)))
    }
}

impl Defined {
    fn places(&self) -> impl Iterator<Item = Span> {
        std::iter::once(self.definition).chain(self.uses.iter().copied())
    }
}

/// A cursor behind the last letter is on the word too.
fn holds(span: Span, offset: u32) -> bool {
    span.start <= offset && offset <= span.end
}

struct Reading<'t> {
    text: &'t str,
    section: usize,
    findings: Vec<Finding>,
    values: Vec<Defined>,
    calls: Vec<Call>,
}

impl Reading<'_> {
    fn listing(&mut self, listing: &Listing) {
        match as_written(listing) {
            Ok(written) => {
                self.graph(&written.graph, &written.spans);
                for (_, graph) in &written.unused {
                    self.graph(graph, &written.spans);
                }
            }
            Err(why) => self.findings.push(Finding::error(listing.graph.span, why.to_string())),
        }
    }

    fn graph(&mut self, graph: &Graph, spans: &Spans) {
        let root = graph.root();
        self.inputs(graph, root, spans, "the graph");
        for node in graph.walk(root) {
            self.node(graph, node, spans);
            for (i, output) in graph.outputs(node).iter().enumerate() {
                self.value(graph, *output, spans, format!("result {i} of `{}`", graph.kind(node)));
            }
            for block in graph.blocks(node) {
                self.inputs(graph, *block, spans, &format!("a block of `{}`", graph.kind(node)));
            }
            if let Some(Attr::Graph(inner)) = graph.attr(node, "Subgraph") {
                self.graph(inner, spans);
            }
        }
    }

    fn inputs(&mut self, graph: &Graph, block: BlockId, spans: &Spans, of: &str) {
        for (i, input) in graph.block_inputs(block).iter().enumerate() {
            self.value(graph, *input, spans, format!("input {i} of {of}"));
        }
    }

    fn value(&mut self, graph: &Graph, value: ValueId, spans: &Spans, maker: String) {
        let Some(definition) = spans.values.get(&value).copied() else { return };
        let mut uses: Vec<Span> = graph.uses(value).iter().filter_map(|u| spans.uses.get(u).copied()).collect();
        uses.sort_by_key(|s| s.start);
        let name = graph.label(value).map(ToString::to_string).unwrap_or_default();
        let ty = graph.ty(value).clone();
        self.values.push(Defined { name, ty, maker, definition, uses, section: self.section });
    }

    fn node(&mut self, graph: &Graph, node: NodeId, spans: &Spans) {
        let Some(whole) = spans.nodes.get(&node).copied() else { return };
        let kind = graph.kind(node).clone();
        let after = graph.outputs(node).last().and_then(|v| spans.values.get(v)).map_or(whole.start, |s| s.end);
        let said = self.text.get(after as usize..whole.end as usize).unwrap_or_default();
        let Some(at) = said.find(&*kind) else { return };
        let start = after as usize + at;
        let span = Span::new(start, start + kind.len());
        let schema = if kind.starts_with("aten::") { self.schema(graph, node, &kind, span) } else { None };
        self.calls.push(Call { span, kind, schema });
    }

    /// The schema of a call, or what is wrong with the call. That an operator is unknown, or takes something else, costs only who runs it.
    fn schema(&mut self, graph: &Graph, node: NodeId, kind: &str, span: Span) -> Option<String> {
        if overloads(kind).is_empty() {
            let meant = operators::similar(kind).map(|name| format!("; did you mean {name}?")).unwrap_or_default();
            self.findings.push(Finding::warning(span, format!("no operator is called {kind}{meant}")));
            return None;
        }
        let operands: Vec<Type> = graph.inputs(node).iter().map(|v| graph.ty(*v).clone()).collect();
        match overload::of_node(kind, &operands) {
            Ok(entry) => Some(entry.schema().to_string()),
            Err(why) => {
                self.findings.push(Finding::warning(span, why.to_string().trim()));
                None
            }
        }
    }
}

impl Analysis for GraphText {
    fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn hover(&self, offset: u32) -> Option<(Span, String)> {
        if let Some((value, span)) = self.value_at(offset) {
            let line = code("torchscript-graph", &format!("%{} : {}", value.name, value.ty));
            let uses = match value.uses.len() {
                1 => "once".to_owned(),
                n => format!("{n} times"),
            };
            return Some((span, format!("{line}\n\nThe value is {}, used {uses}", value.maker)));
        }
        let call = self.calls.iter().find(|c| holds(c.span, offset))?;
        Some((call.span, operators::described(&call.kind, call.schema.as_deref())?))
    }

    fn definitions(&self, offset: u32) -> Vec<Span> {
        self.value_at(offset).map(|(value, _)| value.definition).into_iter().collect()
    }

    fn references(&self, offset: u32) -> Vec<Span> {
        self.value_at(offset).map(|(value, _)| value.places().collect()).unwrap_or_default()
    }

    fn rename(&self, offset: u32, name: &str) -> Result<Vec<(Span, String)>, String> {
        let (value, _) = self.value_at(offset).ok_or("there is no value here: only values of graphs can be renamed")?;
        let name = name.strip_prefix('%').unwrap_or(name);
        let probe = format!("graph(%{name} : Tensor):\n  return (%{name})\n");
        let fits = |listing: Listing| matches!(listing.graph.inputs.as_slice(), [only] if only.name == name);
        if !graph_text::read("<name>", &probe).is_ok_and(fits) {
            return Err(format!("%{name} is no name of a value: letters, digits, `_` and `.` are expected"));
        }
        if name != value.name && self.values.iter().any(|v| v.section == value.section && v.name == name) {
            return Err(format!("a value of the graph is called %{name} already"));
        }
        Ok(value.places().map(|span| (span, format!("%{name}"))).collect())
    }

    fn symbols(&self) -> Vec<Symbol> {
        let section = |section: &Section| {
            let Listing { graph, subgraphs } = &section.listing;
            let name = if section.name.is_empty() { "graph" } else { &section.name };
            let mut symbol = graph_symbol(name, graph, SymbolKind::FUNCTION);
            for inner in subgraphs {
                let held =
                    Symbol { selection: inner.span, ..graph_symbol(&inner.name, &inner.graph, SymbolKind::FUNCTION) };
                symbol.span.end = symbol.span.end.max(held.span.end);
                let span =
                    Span { start: inner.span.start.min(held.span.start), end: held.span.end.max(inner.span.end) };
                symbol.children.push(Symbol { span, ..held });
            }
            symbol
        };
        self.symbols.iter().map(section).collect()
    }

    fn completions(&self, offset: u32) -> Candidates {
        let text = self.source.text().get(..offset as usize).unwrap_or_default();
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '%');
        let written = &text[text.trim_end_matches(is_word).len()..];
        let start = offset - Span::new(0, written.len()).end;
        match written.strip_prefix('%') {
            Some(_) => Candidates::new(start, written, values_before(text, start)),
            None if written.contains("::") => Candidates::new(start, written, operators::names()),
            None => Candidates::default(),
        }
    }
}

/// Values that are defined in the lines of a listing in front of a place. That the listing is being written is no hindrance.
fn values_before(text: &str, start: u32) -> impl Iterator<Item = Candidate> {
    let lines = &text[..start as usize];
    let section = lines.rfind("\n== ").map_or(lines, |at| &lines[at..]);
    let name = |rest: &str| {
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
        (end > 0).then(|| format!("%{}", &rest[..end]))
    };
    let names: Vec<String> = section.split('%').skip(1).filter_map(name).collect();
    names.into_iter().map(|name| Candidate { name, detail: None, operator: None, kind: Kind::Value })
}

fn graph_symbol(name: &str, graph: &graph_text::Graph, kind: SymbolKind) -> Symbol {
    let values: Vec<String> = graph.inputs.iter().map(|v| format!("%{} : {}", v.name, v.ty)).collect();
    let end = graph.outputs.last().map_or(graph.span.end, |u| u.span.end).max(end_of(&graph.nodes));
    let span = Span { start: graph.span.start, end: end.max(graph.span.end) };
    let detail = Some(format!("({})", values.join(", ")));
    Symbol {
        name: name.to_owned(),
        detail,
        kind,
        span,
        selection: graph.span,
        children: nodes_with_blocks(&graph.nodes),
    }
}

/// Nodes that hold blocks, with these.
fn nodes_with_blocks(nodes: &[Node]) -> Vec<Symbol> {
    let symbol = |node: &Node| {
        let names: Vec<String> = node.outputs.iter().map(|v| format!("%{}", v.name)).collect();
        let span = Span { start: node.span.start, end: end_of(std::slice::from_ref(node)) };
        let children = node.blocks.iter().enumerate().map(|(i, block)| block_symbol(i, block)).collect();
        let detail = Some(names.join(", ")).filter(|d| !d.is_empty());
        Symbol { name: node.kind.clone(), detail, kind: SymbolKind::OPERATOR, span, selection: node.span, children }
    };
    nodes.iter().filter(|node| !node.blocks.is_empty()).map(symbol).collect()
}

fn block_symbol(number: usize, block: &Block) -> Symbol {
    let span = Span { start: block.span.start, end: end_of_block(block) };
    let children = nodes_with_blocks(&block.nodes);
    Symbol {
        name: format!("block{number}"),
        detail: None,
        kind: SymbolKind::NAMESPACE,
        span,
        selection: block.span,
        children,
    }
}

fn end_of(nodes: &[Node]) -> u32 {
    nodes.last().map_or(0, |node| node.blocks.last().map_or(node.span.end, end_of_block).max(node.span.end))
}

fn end_of_block(block: &Block) -> u32 {
    block.outputs.last().map_or(block.span.end, |u| u.span.end).max(end_of(&block.nodes)).max(block.span.end)
}
