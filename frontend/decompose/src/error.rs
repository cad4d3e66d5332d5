//! Why a program has no form in Core ATen: each error names the node, its operator and what was wrong there.

/// Why a program cannot be decomposed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A node that has no form in Core ATen.
    #[error("{}node `{node}` ({target}): {what}", within(graph))]
    Node {
        /// The path of the graph inside the program; empty for the root.
        graph: String,
        node: String,
        target: String,
        what: String,
    },
    /// What holds of no single node.
    #[error("{0}")]
    Program(String),
}

fn within(graph: &str) -> String {
    if graph.is_empty() { String::new() } else { format!("graph {graph}: ") }
}

/// What is wrong, before it is known at which node.
#[derive(Debug)]
pub(crate) struct Fault(pub String);

impl From<sconce_fx::Error> for Fault {
    fn from(e: sconce_fx::Error) -> Fault {
        Fault(e.to_string())
    }
}

pub(crate) type Outcome<T> = Result<T, Fault>;

/// Refuses with a message.
pub(crate) fn fault<T>(what: impl Into<String>) -> Outcome<T> {
    Err(Fault(what.into()))
}
