//! Nodes name the text that the archive's code was printed from, where its debug records know it.

use super::Error;
use crate::graph::{Attr, Graph, Loc};
use crate::unit::Unit;
use rustc_hash::FxHashMap;
use sconce_archive::{DebugRanges, PtArchive};

/// Replaces the places of all nodes.
pub(super) fn run(archive: &PtArchive, unit: &mut Unit) -> Result<(), Error> {
    let mut records = Records::default();
    for file in archive.code_files() {
        if let Some(ranges) = archive.debug_ranges(file)? {
            records.0.insert(file.path.as_str(), ranges);
        }
    }
    for function in unit.functions.values_mut() {
        records.graph(&mut function.graph);
    }
    Ok(())
}

/// By code file.
#[derive(Default)]
struct Records<'a>(FxHashMap<&'a str, DebugRanges>);

impl Records<'_> {
    fn graph(&self, graph: &mut Graph) {
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
    fn original(&self, loc: Loc) -> Option<Loc> {
        let Some(ranges) = self.0.get(loc.source.name()) else { return Some(loc) };
        let Some(place) = ranges.find(loc.span.start as usize) else { return Some(loc) };
        (!place.source.name().is_empty()).then(|| place.clone())
    }
}
