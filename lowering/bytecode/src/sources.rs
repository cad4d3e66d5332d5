//! A place names the text it is in only where there is no doubt which text that is: what a traceback shows is what was compiled.

use rustc_hash::{FxHashMap, FxHashSet};
use sconce_interpreter::Program;
use sconce_interpreter::program::Source;
use sconce_script::graph::{Attr, Graph, SourceFile};
use sconce_script::unit::Unit;
use std::sync::Arc;

/// The texts that a unit's nodes come from, each once, in the order of its functions.
pub fn sources(unit: &Unit) -> Vec<Source> {
    let mut found = Found::default();
    for f in unit.functions.values() {
        found.graph(&f.graph);
    }
    found.sources
}

#[derive(Default)]
struct Found {
    seen: FxHashSet<*const SourceFile>,
    sources: Vec<Source>,
}

impl Found {
    fn graph(&mut self, graph: &Graph) {
        for node in graph.walk(graph.root()) {
            if let Some(loc) = graph.loc(node)
                && self.seen.insert(Arc::as_ptr(&loc.source))
            {
                let SourceFile { name, text, first_line } = &*loc.source;
                self.sources.push(Source {
                    file: name.as_str().into(),
                    text: Some(text.as_str().into()),
                    first_line: *first_line,
                });
            }
            if let Some(Attr::Graph(inner)) = graph.attr(node, "Subgraph") {
                self.graph(inner);
            }
        }
    }
}

/// The texts by file.
#[derive(Default)]
pub(crate) struct Texts<'r> {
    files: FxHashMap<&'r str, Vec<Text<'r>>>,
}

pub(crate) struct Text<'r> {
    source: &'r Source,
    text: &'r str,
    /// Offsets of the lines.
    lines: Vec<u32>,
    /// Its number in the program, once a place is in it.
    number: Option<u32>,
}

impl<'r> Texts<'r> {
    pub fn new(sources: &'r [Source]) -> Texts<'r> {
        let mut files: FxHashMap<&'r str, Vec<Text<'r>>> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        for source in sources {
            let Some(text) = source.text.as_deref() else { continue };
            if seen.insert((&*source.file, text, source.first_line)) {
                let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
                let lines = std::iter::once(0).chain(ends).collect();
                files.entry(&source.file).or_default().push(Text { source, text, lines, number: None });
            }
        }
        Texts { files }
    }

    /// The only text that has this line.
    pub fn find(&mut self, file: &str, line: u32) -> Option<&mut Text<'r>> {
        let mut those = self.files.get_mut(file)?.iter_mut().filter(|t| t.has(line));
        let text = those.next()?;
        those.next().is_none().then_some(text)
    }
}

impl Text<'_> {
    fn has(&self, line: u32) -> bool {
        let at = line.checked_sub(self.source.first_line).and_then(|l| self.lines.get(l as usize));
        at.is_some_and(|at| (*at as usize) < self.text.len())
    }

    /// Its number in the program.
    pub fn number(&mut self, program: &mut Program) -> u32 {
        *self.number.get_or_insert_with(|| {
            program.sources.push(self.source.clone());
            (program.sources.len() - 1) as u32
        })
    }

    /// The number of bytes between two lines and columns.
    pub fn length(&self, start: (u32, u32), end: (u32, u32)) -> u32 {
        let offset = |(line, column): (u32, u32)| {
            let line = line.saturating_sub(self.source.first_line) as usize;
            self.lines.get(line).map_or(self.text.len() as u32, |at| at.saturating_add(column))
        };
        offset(end).saturating_sub(offset(start))
    }
}
