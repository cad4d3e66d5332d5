//! The texts of a program with what each of their lines is: a line is tied to the nodes that came of it or are written in it.

use crate::bounds::{MOST_CHARACTERS, MOST_LINE, MOST_LINES, MOST_TEXT, cut};
use crate::graphs::{Graphs, Shown};
use crate::{Code, View};
use rustc_hash::FxHashMap;
use sconce_graph::graph::{Graph, Loc, NodeId};
use sconce_graph::listing::{Names, to_listing_in};
use sconce_request::Place;
use sconce_source::SourceMap;
use sconce_syntax::graph_text::{Spelling, source_location};
use serde::Serialize;
use std::sync::Arc;

/// A pane of the page.
#[derive(Serialize, Debug)]
pub struct Pane {
    name: &'static str,
    title: &'static str,
    texts: Vec<Text>,
}

/// A text of a pane: a file, a function.
#[derive(Serialize, Debug)]
struct Text {
    title: String,
    /// The number of the first line in its file.
    first_line: u32,
    text: String,
    /// Line of the text from 0, function, node.
    links: Vec<[u32; 3]>,
}

/// The panes that a program has.
pub fn panes(view: &View<'_>, graphs: &Graphs<'_>, omitted: &mut Vec<String>) -> Vec<Pane> {
    let sources = sources(graphs);
    // Of an archive without records of its source the code is what was compiled.
    let is_source = |code: &Code| sources.iter().any(|text| text.title == code.title);
    let printed = Printed::new(graphs);
    let code = in_order(view.code.iter().filter(|code| !is_source(code)).map(|code| printed.text(code)).collect());
    let mut panes = vec![
        Pane { name: "code", title: "TorchScript", texts: code },
        Pane { name: "source", title: "Source", texts: sources },
        Pane {
            name: "graph",
            title: "Graph",
            texts: (0..).zip(&graphs.shown).filter_map(|(at, shown)| graph_text(view, at, shown)).collect(),
        },
    ];
    let mut placed = None;
    panes.extend(view.stages.iter().map(|stage| Pane {
        name: stage.name,
        title: stage.title,
        texts: vec![Text {
            title: String::new(),
            first_line: 1,
            links: match stage.name {
                "mlir" => dialect_links(&stage.text.text, graphs),
                _ => placed_links(&stage.text.places, placed.get_or_insert_with(|| by_place(graphs))),
            },
            text: stage.text.text.clone(),
        }],
    }));
    panes.retain(|pane| !pane.texts.is_empty());
    for pane in &mut panes {
        bound(pane, omitted);
    }
    panes
}

/// Cuts what no browser shows.
fn bound(pane: &mut Pane, omitted: &mut Vec<String>) {
    let mut left = MOST_TEXT;
    let whole = pane.texts.len();
    for text in &mut pane.texts {
        text.title = cut(&text.title, MOST_CHARACTERS);
        if text.text.lines().any(|line| line.len() > MOST_LINE) {
            text.text = text.text.lines().map(|line| cut(line, MOST_LINE) + "\n").collect();
        }
        if text.text.len() > left {
            let ends = text.text.split_inclusive('\n').scan(0, |end, line| {
                *end += line.len();
                Some(*end)
            });
            let end = ends.take_while(|end| *end <= left).last().unwrap_or(0);
            text.text.truncate(end);
            let lines = text.text.lines().count() as u32;
            text.links.retain(|[line, ..]| *line < lines);
            left = 0;
        }
        left -= text.text.len().min(left);
    }
    pane.texts.retain(|text| !text.text.is_empty());
    if left == 0 {
        let cut = format!(
            "what is beyond {MOST_TEXT} bytes of “{}”: {} of {whole} texts are there",
            pane.title,
            pane.texts.len()
        );
        omitted.push(cut);
    }
}

/// The texts that nodes come from, by file.
fn sources(graphs: &Graphs<'_>) -> Vec<Text> {
    let mut map = SourceMap::default();
    let mut links: FxHashMap<u32, Vec<[u32; 3]>> = FxHashMap::default();
    for (function, shown) in (0..).zip(&graphs.shown) {
        for (number, node) in (0..).zip(shown.graph.walk(shown.graph.root())) {
            let Some(loc) = shown.graph.loc(node).filter(|loc| loc.source.is_known()) else { continue };
            let id = map.id(&loc.source);
            let line = |offset| loc.source.line_column(offset).0.saturating_sub(loc.source.first_line());
            let first = line(loc.span.start);
            // An end that begins a line is the end of the one before.
            let last =
                line(loc.span.end.saturating_sub(1).max(loc.span.start)).min(first.saturating_add(MOST_LINES - 1));
            links.entry(id).or_default().extend((first..=last).map(|line| [line, function, number]));
        }
    }
    let texts = (0..).zip(map.texts()).map(|(id, source)| Text {
        title: source.name().to_owned(),
        first_line: source.first_line(),
        text: source.text().to_owned(),
        links: links.remove(&id).unwrap_or_default(),
    });
    in_order(texts.collect())
}

/// Texts by file: in front those of the first functions.
fn in_order(mut texts: Vec<Text>) -> Vec<Text> {
    let mut first: FxHashMap<String, u32> = FxHashMap::default();
    for text in &texts {
        let least = text.links.iter().map(|[_, function, _]| *function).min().unwrap_or(u32::MAX);
        let known = first.entry(text.title.clone()).or_insert(least);
        *known = least.min(*known);
    }
    texts.sort_by_cached_key(|text| (first.get(&text.title).copied(), text.title.clone(), text.first_line));
    texts
}

/// A range of a text, inside of what is known of it.
type Range = (usize, usize, usize);

fn range(loc: &Loc) -> Range {
    let inside = |offset: u32| (offset as usize).min(loc.source.text().len());
    (Arc::as_ptr(&loc.source) as usize, inside(loc.span.start), inside(loc.span.end))
}

/// What code that was printed of graphs is tied to: nodes by their function and where they come from.
struct Printed<'g> {
    functions: FxHashMap<&'g str, u32>,
    nodes: FxHashMap<(u32, Range), Vec<u32>>,
}

impl<'g> Printed<'g> {
    fn new(graphs: &'g Graphs<'_>) -> Printed<'g> {
        let mut nodes: FxHashMap<(u32, Range), Vec<u32>> = FxHashMap::default();
        for (function, shown) in (0..).zip(&graphs.shown) {
            for (number, node) in (0..).zip(shown.graph.walk(shown.graph.root())) {
                if let Some(loc) = shown.graph.loc(node) {
                    nodes.entry((function, range(loc))).or_default().push(number);
                }
            }
        }
        Printed { functions: by_name(graphs), nodes }
    }

    fn text(&self, code: &Code) -> Text {
        let functions = self.functions_of_lines(code);
        let mut links = Vec::new();
        let (mut line, mut from) = (0usize, 0);
        for (offset, loc) in &code.places {
            let Some(between) = code.text.get(from..*offset) else { continue };
            line += between.matches('\n').count();
            from = *offset;
            let Some(function) = functions.get(line).copied().flatten() else { continue };
            let nodes = self.nodes.get(&(function, range(loc))).into_iter().flatten();
            links.extend(nodes.map(|node| [line as u32, function, *node]));
        }
        links.sort_unstable();
        links.dedup();
        Text { title: code.title.clone(), first_line: 1, text: code.text.clone(), links }
    }

    /// The function that each line is of.
    fn functions_of_lines(&self, code: &Code) -> Vec<Option<u32>> {
        let name = |line: &str, word: &str| {
            let rest = line.trim_start().strip_prefix(word)?;
            rest.split(['(', ':']).next().map(str::to_owned)
        };
        let (mut class, mut function) = (None, None);
        let of = |line: &str| {
            if !line.starts_with(' ') && !line.is_empty() {
                class = name(line, "class ");
                function = None;
            }
            if let Some(method) = name(line, "def ") {
                let parts = [Some(&code.module), class.as_ref(), Some(&method)];
                let qualified: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
                function = self.functions.get(&*qualified.join(".")).copied();
            }
            function
        };
        code.text.lines().map(of).collect()
    }
}

fn by_name<'g>(graphs: &'g Graphs<'_>) -> FxHashMap<&'g str, u32> {
    graphs.shown.iter().map(|shown| &*shown.name).zip(0..).collect()
}

/// The graph as `sconce show` prints it. Graphs that nodes hold stand in the text of the function that holds them.
fn graph_text(view: &View<'_>, function: u32, shown: &Shown<'_>) -> Option<Text> {
    view.unit.functions.get(&*shown.name)?;
    let (text, offsets) = to_listing_in(view.unit, shown.graph).print_placed(Spelling::Colons);
    let nodes = shown.graph.walk(shown.graph.root()).len();
    let (mut line, mut from) = (0, 0);
    let links = (0..).zip(offsets.iter().take(nodes)).map(|(node, offset)| {
        line += text[from..*offset].matches('\n').count() as u32;
        from = *offset;
        [line, function, node]
    });
    let links = links.collect();
    Some(Text { title: shown.name.clone(), first_line: 1, text, links })
}

/// Lines of the dialect, by function and the names of the values that they define.
fn dialect_links(text: &str, graphs: &Graphs<'_>) -> Vec<[u32; 3]> {
    let named = by_name(graphs);
    let mut links = Vec::new();
    let mut inside: Option<(u32, FxHashMap<String, u32>)> = None;
    for (number, line) in (0..).zip(text.lines()) {
        let line = line.trim_start();
        if line.starts_with("func.func") {
            let function = symbol(line).and_then(|name| named.get(name));
            inside = function.map(|at| (*at, defined(graphs.shown[*at as usize].graph)));
        } else if let Some((function, values)) = &inside
            && let Some((name, _)) = line.strip_prefix('%').and_then(|line| line.split_once([' ', ':', ',']))
            && let Some(node) = values.get(name)
        {
            links.push([number, *function, *node]);
        }
    }
    links
}

/// Nodes by the places that compiling has of them.
type ByPlace = FxHashMap<Place, Vec<[u32; 2]>>;

fn by_place(graphs: &Graphs<'_>) -> ByPlace {
    let mut nodes = ByPlace::default();
    for (function, shown) in (0..).zip(&graphs.shown) {
        for (number, node) in (0..).zip(shown.graph.walk(shown.graph.root())) {
            if let Some(place) = place(shown.graph, node) {
                nodes.entry(place).or_default().push([function, number]);
            }
        }
    }
    nodes
}

/// Where a node comes from, as its operation in the dialect says it: what graph text notes behind it, else a range of its source.
fn place(graph: &Graph, node: NodeId) -> Option<Place> {
    if let Some(comment) = graph.comment(node) {
        let (file, line, column) = source_location(comment)?;
        return Some(Place { file: file.to_owned(), start: (line, column), end: (line, column) });
    }
    let loc = graph.loc(node)?;
    let end = loc.source.line_column(loc.span.end.max(loc.span.start));
    Some(Place { file: loc.source.name().to_owned(), start: loc.line_column(), end })
}

/// Lines of a stage, by the places that they come from.
fn placed_links(places: &[(u32, Place)], nodes: &ByPlace) -> Vec<[u32; 3]> {
    let of = |(line, place): &(u32, Place)| {
        let line = *line;
        nodes.get(place).into_iter().flatten().map(move |[function, node]| [line, *function, *node])
    };
    let mut links: Vec<[u32; 3]> = places.iter().flat_map(of).collect();
    links.sort_unstable();
    links.dedup();
    links
}

/// The name behind the first `@` of a line.
fn symbol(line: &str) -> Option<&str> {
    let (_, name) = line.split_once('@')?;
    match name.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => name.split('(').next(),
    }
}

/// The nodes of a graph by the names that MLIR gives their first results: its names do not begin with a digit.
fn defined(graph: &Graph) -> FxHashMap<String, u32> {
    let names = Names::of(graph);
    let name = |node: &NodeId| {
        let name = names.get(graph.output(*node)?);
        Some(if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name.to_owned() })
    };
    (0..).zip(&graph.walk(graph.root())).filter_map(|(number, node)| Some((name(node)?, number))).collect()
}
