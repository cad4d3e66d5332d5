//! A compilation unit becomes a Program: one register for each value in order, structured control flow as jumps, each last use a move.
//!
//! | in a [`Unit`](sconce_graph::unit::Unit) | in the Program |
//! |---|---|
//! | a function | a function of the same name, with the same parameters |
//! | the graph that a node holds | a function, named after the one around it and the node |
//! | a class | a class: what its objects hold, its methods and constants; an interface has the methods it asks for |
//! | a node that an operator of the table takes | [`Op::Call`](sconce_interpreter::program::Op::Call) of the overload that its operands' types mean |
//! | a structural `prim` node | the instruction of that name |
//! | `prim::If`, `prim::Loop` | jumps; what blocks pass on is moved to the results' registers |
//! | casts that change no value | nothing: operand and result are one register |
//! | `aten::chunk` by constants and `prim::ListUnpack` | `ConstantChunk` |
//! | [`REGION`] with its graph | a region, and a function with its graph to fall back to |
//! | [`NAMED_CONSTANT`] | a constant that is bound by its name |
//! | [`KERNEL`] that names `k` | the same, falling back to the function `k` |
//!
//! Constants that no instruction reads, and other nodes that only compute what nobody reads, are left out.
#![forbid(unsafe_code)]

mod calls;
mod classes;
mod constants;
mod control;
mod lower;
mod moves;
mod nodes;
mod numbers;
mod places;
mod snapshots;
mod types;

pub use lower::{RegionArtifact, lower};

/// The node that stands for a compiled region: its attribute `name` is the region's, and its graph is interpreted where there is no code for it.
pub const REGION: &str = "sconce::region";
/// The node that stands for a value which whoever loads the Program binds to it: its attribute `name` is the constant's.
pub const NAMED_CONSTANT: &str = "sconce::named_constant";
/// The node that calls a kernel: its attribute `name` is the kernel's, and the function that is interpreted where there is none.
pub const KERNEL: &str = "sconce::call_kernel";

/// Why a unit cannot become a Program.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// Nodes that the runtime has no instruction or operator for: all of them, each with its first place.
    #[error("unsupported: {}", .0.iter().map(Unsupported::to_string).collect::<Vec<_>>().join(", "))]
    Unsupported(Vec<Unsupported>),
    /// A graph is not what its nodes mean.
    #[error("{place}{message}")]
    Malformed {
        /// `file:line:column: `, where it is known.
        place: String,
        message: String,
    },
    #[error(transparent)]
    Program(#[from] sconce_interpreter::program::Invalid),
}

/// A node that cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// `aten::foo`, `prim::bar`, or the name of an operation of another dialect; with what about it is the matter.
    pub op: String,
    /// `file:line:column`, where it is known.
    pub place: Option<String>,
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.op)?;
        match &self.place {
            Some(place) => write!(f, " at {place}"),
            None => Ok(()),
        }
    }
}
