//! An exported program's graphs say here what PyTorch's `torch.fx` graphs say: nodes in order, arguments, metadata, submodules.
//!
//! A [`GraphModule`] is a [`Graph`] and the modules that its `get_attr` nodes name. Nothing here runs anything, and nothing here knows how a graph was stored.
//!
//! ```
//! use sconce_fx::{Argument, Graph, Node, Op};
//! let mut graph = Graph::default();
//! let x = graph.push(Node::new(Op::Placeholder, "x", "x"))?;
//! let relu = Node::new(Op::CallFunction, "relu", "torch.ops.aten.relu.default").with_args([Argument::Node(x)]);
//! let relu = graph.push(relu)?;
//! graph.push(Node::new(Op::Output, "output", "output").with_args([Argument::Node(relu)]))?;
//! assert_eq!(graph.users(x).collect::<Vec<_>>(), [relu]);
//! # Ok::<(), sconce_fx::Error>(())
//! ```
#![forbid(unsafe_code)]

mod argument;
mod graph;
pub mod limits;
mod meta;
mod module;
mod operators;
mod python;
mod readable;
pub mod symbolic;
pub mod text;
pub mod verify;

pub use argument::{Argument, OperatorName};
pub use graph::{Error, Graph, Node, NodeId, Op, Place};
pub use meta::{Meta, ModuleFrame, SourceFn, TensorMeta, Val};
pub use module::GraphModule;
pub use symbolic::SymExpr;
