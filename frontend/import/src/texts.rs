//! A place names the text it is in only where there is no doubt which text that is: what a traceback shows is what was compiled.

use rustc_hash::{FxHashMap, FxHashSet};
use sconce_graph::graph::{Attr, Graph, Loc, SourceFile};
use sconce_graph::unit::Unit;
use sconce_syntax::Span;
use std::sync::Arc;

/// The texts that locations of a module are places in, by file.
#[derive(Default)]
pub struct Texts {
    files: FxHashMap<String, File>,
}

/// The texts of one file, and which line is in which of them.
#[derive(Default)]
struct File {
    texts: Vec<Text>,
    /// From a line on, up to the next that is named: the only text that has these lines.
    owners: Vec<(u32, Option<usize>)>,
}

impl File {
    fn note_owners(&mut self) {
        let mut events: Vec<(u32, usize, bool)> = Vec::new();
        for (i, text) in self.texts.iter().enumerate() {
            let first = text.file.first_line;
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

struct Text {
    file: Arc<SourceFile>,
    /// Offsets of the lines.
    lines: Vec<u32>,
}

impl Texts {
    /// The texts that a unit's nodes come from.
    pub fn of(unit: &Unit) -> Texts {
        let mut texts = Texts::default();
        let mut seen = Seen::default();
        for f in unit.functions.values() {
            texts.graph(&f.graph, &mut seen);
        }
        texts.files.values_mut().for_each(File::note_owners);
        texts
    }

    fn graph(&mut self, graph: &Graph, seen: &mut Seen) {
        for node in graph.walk(graph.root()) {
            if let Some(loc) = graph.loc(node)
                && !loc.source.is_stand_in()
                && seen.addresses.insert(Arc::as_ptr(&loc.source))
            {
                self.add(&loc.source, seen);
            }
            if let Some(Attr::Graph(inner)) = graph.attr(node, "Subgraph") {
                self.graph(inner, seen);
            }
        }
    }

    fn add(&mut self, file: &Arc<SourceFile>, seen: &mut Seen) {
        if seen.texts.insert((file.name.clone(), file.text.clone(), file.first_line)) {
            let ends = file.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
            let lines = std::iter::once(0).chain(ends).collect();
            self.files.entry(file.name.clone()).or_default().texts.push(Text { file: file.clone(), lines });
        }
    }

    /// The range between two lines and columns, in the only text that has the first.
    pub fn loc(&self, file: &str, start: (u32, u32), end: (u32, u32)) -> Option<Loc> {
        let file = self.files.get(file)?;
        let at = file.owners.partition_point(|(first, _)| *first <= start.0).checked_sub(1)?;
        let text = file.texts.get(file.owners[at].1?)?;
        let start = text.offset(start);
        Some(Loc { source: text.file.clone(), span: Span { start, end: text.offset(end).max(start) } })
    }
}

/// Texts that are listed already.
#[derive(Default)]
struct Seen {
    addresses: FxHashSet<*const SourceFile>,
    texts: FxHashSet<(String, String, u32)>,
}

impl Text {
    /// How many lines it has: none begins at its end.
    fn count(&self) -> u32 {
        self.lines.partition_point(|at| (*at as usize) < self.file.text.len()) as u32
    }

    fn offset(&self, (line, column): (u32, u32)) -> u32 {
        let line = line.saturating_sub(self.file.first_line) as usize;
        let size = self.file.text.len() as u32;
        self.lines.get(line).map_or(size, |at| at.saturating_add(column)).min(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_belongs_to_the_only_text_that_has_it() {
        let (mut texts, mut seen) = (Texts::default(), Seen::default());
        for (text, first_line) in [("a\nb\nc\n", 1), ("c\nd\n", 3), ("", 2), ("", u32::MAX)] {
            let (name, text) = ("m.py".to_owned(), text.to_owned());
            texts.add(&Arc::new(SourceFile { name, text, first_line }), &mut seen);
        }
        texts.files.values_mut().for_each(File::note_owners);
        let owner = |line| texts.loc("m.py", (line, 0), (line, 1)).map(|l| l.source.first_line);
        assert_eq!([0, 1, 2, 3, 4, 5].map(owner), [None, Some(1), Some(1), None, Some(3), None]);
    }
}
