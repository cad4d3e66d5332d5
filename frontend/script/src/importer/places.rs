//! Nodes name the text that the archive's code was printed from, where its debug records know it.

use super::Error;
use crate::graph::{Attr, Graph, Loc, SourceFile};
use crate::unit::Unit;
use rustc_hash::FxHashMap;
use sconce_archive::{DebugRanges, DebugSource, PtArchive};
use sconce_syntax::Span;
use std::sync::Arc;

/// Replaces the places of all nodes.
pub(super) fn run(archive: &PtArchive, unit: &mut Unit) -> Result<(), Error> {
    let mut records = FxHashMap::default();
    for file in archive.code_files() {
        if let Some(ranges) = archive.debug_ranges(file)? {
            records.insert(file.path.as_str(), ranges);
        }
    }
    let mut places = Places { records, sources: FxHashMap::default() };
    for function in unit.functions.values_mut() {
        places.graph(&mut function.graph);
    }
    Ok(())
}

struct Places<'a> {
    records: FxHashMap<&'a str, DebugRanges>,
    /// By the address of the record's source, which lives as long as the records.
    sources: FxHashMap<*const DebugSource, Option<Arc<SourceFile>>>,
}

impl Places<'_> {
    fn graph(&mut self, graph: &mut Graph) {
        for node in graph.walk(graph.root()) {
            if let Some(loc) = graph.loc(node).cloned() {
                graph.set_loc(node, self.original(loc));
            }
            let subgraph = match graph.attr(node, "Subgraph") {
                Some(Attr::Graph(inner)) => Some(inner.clone()),
                _ => None,
            };
            if let Some(mut inner) = subgraph {
                self.graph(&mut inner);
                graph.set_attr(node, "Subgraph", Attr::Graph(inner));
            }
        }
    }

    /// The place a record gives; the place in the code where no record does; none where the record says that there is none.
    fn original(&mut self, loc: Loc) -> Option<Loc> {
        let Some(ranges) = self.records.get(loc.source.name.as_str()) else { return Some(loc) };
        let Some(range) = ranges.find(loc.span.start as usize) else { return Some(loc) };
        let source = self.sources.entry(Arc::as_ptr(&range.source)).or_insert_with(|| source_file(&range.source));
        let source = source.clone()?;
        Some(Loc { source, span: Span::new(range.start, range.end) })
    }
}

fn source_file(source: &DebugSource) -> Option<Arc<SourceFile>> {
    let name = source.file.clone()?;
    let first_line = u32::try_from(source.first_line).ok()?;
    Some(Arc::new(SourceFile { name, text: source.text.clone(), first_line }))
}
