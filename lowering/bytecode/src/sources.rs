//! A place names the text it is in only where there is no doubt which text that is: what a traceback shows is what was compiled.

use rustc_hash::{FxHashMap, FxHashSet};
use sconce_graph::graph::{Attr, Graph, SourceFile};
use sconce_graph::unit::Unit;
use sconce_interpreter::Program;
use sconce_interpreter::program::Source;
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
    files: FxHashMap<&'r str, File<'r>>,
}

/// The texts of one file, and which line is in which of them.
#[derive(Default)]
struct File<'r> {
    texts: Vec<Text<'r>>,
    /// From a line on, up to the next that is named: the only text that has these lines.
    owners: Vec<(u32, Option<usize>)>,
}

impl File<'_> {
    fn note_owners(&mut self) {
        let mut events: Vec<(u32, usize, bool)> = Vec::new();
        for (i, text) in self.texts.iter().enumerate() {
            let first = text.source.first_line;
            events.extend([(first, i, true), (first.saturating_add(text.count()), i, false)]);
        }
        // A text without lines begins where it ends.
        events.sort_unstable_by_key(|(line, _, begins)| (*line, !begins));
        // Of one text that has a line, the sum of the texts' numbers is its number.
        let (mut count, mut sum) = (0usize, 0usize);
        for (line, text, begins) in events {
            (count, sum) = if begins { (count + 1, sum + text) } else { (count - 1, sum - text) };
            let owner = (count == 1).then_some(sum);
            match self.owners.last_mut() {
                Some(last) if last.0 == line => last.1 = owner,
                _ => self.owners.push((line, owner)),
            }
        }
    }
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
        let mut files: FxHashMap<&'r str, File<'r>> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        for source in sources {
            let Some(text) = source.text.as_deref() else { continue };
            if seen.insert((&*source.file, text, source.first_line)) {
                let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
                let lines = std::iter::once(0).chain(ends).collect();
                files.entry(&source.file).or_default().texts.push(Text { source, text, lines, number: None });
            }
        }
        files.values_mut().for_each(File::note_owners);
        Texts { files }
    }

    /// The only text that has this line.
    pub fn find(&mut self, file: &str, line: u32) -> Option<&mut Text<'r>> {
        let file = self.files.get_mut(file)?;
        let at = file.owners.partition_point(|(first, _)| *first <= line).checked_sub(1)?;
        file.texts.get_mut(file.owners[at].1?)
    }
}

impl Text<'_> {
    /// How many lines it has: none begins at its end.
    fn count(&self) -> u32 {
        self.lines.partition_point(|at| (*at as usize) < self.text.len()) as u32
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

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str, first_line: u32) -> Source {
        Source { file: "m.py".into(), text: Some(text.into()), first_line }
    }

    #[test]
    fn a_line_belongs_to_the_only_text_that_has_it() {
        let sources = [source("a\nb\nc\n", 1), source("c\nd\n", 3), source("", 2), source("", u32::MAX)];
        let mut texts = Texts::new(&sources);
        let mut owner = |line| texts.find("m.py", line).map(|t| t.source.first_line);
        assert_eq!([0, 1, 2, 3, 4, 5].map(&mut owner), [None, Some(1), Some(1), None, Some(3), None]);
    }
}
