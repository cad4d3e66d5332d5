//! A graph stands together with the modules that it names: what `torch.fx.GraphModule` is, without parameters.

use crate::Graph;
use indexmap::IndexMap;

/// A graph and the graph modules that its `get_attr` nodes name.
#[derive(Clone, PartialEq, Debug)]
pub struct GraphModule {
    /// The class's name in Python code: `GraphModule`, and the attribute's name for a submodule.
    pub class_name: String,
    pub graph: Graph,
    /// In the order in which they were added: `true_graph_0`, `false_graph_0`.
    pub submodules: IndexMap<String, GraphModule>,
}

impl GraphModule {
    /// A module of PyTorch's usual class name without submodules.
    pub fn new(graph: Graph) -> GraphModule {
        GraphModule { class_name: "GraphModule".to_owned(), graph, submodules: IndexMap::new() }
    }

    /// The submodule at a path of names with dots between them.
    pub fn submodule(&self, path: &str) -> Option<&GraphModule> {
        path.split('.').try_fold(self, |module, name| module.submodules.get(name))
    }
}
