//! Every instruction knows its place in a source: which text, from where, how long.

use rustc_hash::FxHashMap;
use sconce_graph::graph::Loc;
use sconce_interpreter::Program;
use sconce_interpreter::program::Place;
use sconce_source::{SourceMap, SourceText};
use std::sync::Arc;

/// The texts that places are in, each with its number in the program.
#[derive(Default)]
pub(crate) struct Places {
    sources: SourceMap,
    /// Of files that are not known, what is listed of them.
    unknown: FxHashMap<Arc<str>, Arc<SourceText>>,
}

impl Places {
    /// The place of a node.
    pub fn place(&mut self, program: &mut Program, loc: &Loc) -> Place {
        let (line, column) = loc.line_column();
        let source = if loc.source.is_known() {
            self.sources.id(&loc.source)
        } else {
            let name = loc.source.name();
            let listed = match self.unknown.get(name) {
                Some(listed) => listed,
                None => self.unknown.entry(name.into()).or_insert_with(|| SourceText::unknown(name, 1)),
            };
            self.sources.id(listed)
        };
        let length = loc.span.end.saturating_sub(loc.span.start);
        program.sources.extend_from_slice(&self.sources.texts()[program.sources.len()..]);
        Place { source, line, column, length }
    }
}
