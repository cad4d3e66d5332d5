//! Why an archive is no program that can run: each error says what, where and what was expected.

use sconce_fx::GraphModule;

/// Why an exported program is refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The archive itself is damaged, or lacks a member.
    #[error(transparent)]
    Archive(#[from] sconce_archive::Error),
    /// A file of another kind or version; `what` says which, and the next step.
    #[error("{file}: {what}")]
    Foreign { file: String, what: String },
    /// A document that does not say what it must: the member, the path inside its JSON, and what is wrong there.
    #[error("{entry}: {}{what}", at(path))]
    Json { entry: String, path: String, what: String },
    /// A tensor whose bytes are not what its metadata says.
    #[error("{member}: `{name}`: {what}")]
    Tensor { member: String, name: String, what: String },
    /// There is no memory for a tensor's bytes.
    #[error("{0}")]
    Storage(String),
    /// What stands in a graph and cannot be: which graph (the empty path is the root), which node, and where the user wrote it.
    #[error("models/model.json: {}node `{node}` ({target}): {what}{}", in_graph(graph), written(place))]
    Node { graph: String, node: String, target: String, what: String, place: Option<sconce_source::Loc> },
    /// A graph that no FX graph can be: a name that stands twice, a use before the definition.
    #[error("models/model.json: {}{what}", in_graph(graph))]
    Graph { graph: String, what: String },
    /// What stands in a text's graph and cannot be: the file, and the line where there is one.
    #[error("{place}: {what}")]
    Text { place: String, what: String },
}

impl Error {
    /// The same of a graph that was read from a text: its place there in place of a document.
    pub(crate) fn in_text(self, module: &GraphModule) -> Error {
        let inside = |graph: &str| if graph.is_empty() { Some(module) } else { module.submodule(graph) };
        let place = |node: Option<&sconce_fx::Node>| {
            let place = node.and_then(|node| node.place.0.as_ref());
            place.map_or_else(|| "a text".to_owned(), ToString::to_string)
        };
        match self {
            Error::Node { graph, node, target, what, .. } => {
                let found = inside(&graph).and_then(|m| m.graph.find(&node).map(|id| &m.graph[id]));
                Error::Text {
                    place: place(found),
                    what: format!("{}node `{node}` ({target}): {what}", in_graph(&graph)),
                }
            }
            Error::Graph { graph, what } => {
                let first = inside(&graph).and_then(|m| m.graph.nodes().next()).map(|(_, node)| node);
                Error::Text { place: place(first), what: format!("{}{what}", in_graph(&graph)) }
            }
            other => other,
        }
    }
}

fn at(path: &str) -> String {
    if path.is_empty() || path == "." { String::new() } else { format!("at {path}: ") }
}

fn in_graph(graph: &str) -> String {
    if graph.is_empty() { String::new() } else { format!("graph {graph}: ") }
}

fn written(place: &Option<sconce_source::Loc>) -> String {
    place.as_ref().map_or_else(String::new, |place| format!("\n  written at {place}"))
}
