//! A program of `torch.export` is read from its archive, and becomes a unit that runs: what the archive says of inputs, state and sizes is kept or refused.
//!
//! An archive ([`Archive`]) holds a document, as [`schema`] spells it, and tensors. [`ExportedProgram`] is both together: the document's graphs as FX has
//! them, and the state by its names. [`Lowered`] is the same as a unit of TorchScript, whose `forward` takes the leaves of the arguments and gives the leaves
//! of the result; a [`Boundary`] takes arguments apart, refuses those that the program was not exported for, and puts results together.
#![forbid(unsafe_code)]

mod archive;
mod boundary;
mod error;
mod graph_to_fx;
mod guard;
mod json;
mod lower;
mod program;
pub mod pytree;
pub mod schema;
mod signature;
mod to_fx;
pub mod values;
mod write;

pub use archive::{Archive, Payload, foreign_file};
pub use boundary::{Boundary, CHECK, Checks, OutOfRange, Parameter, Unequal, Violation};
pub use error::Error;
pub use graph_to_fx::{Inexpressible, graph_to_fx};
pub use json::{Float, Table};
pub use lower::{Lowered, function};
pub use program::{Constraint, ExportedProgram, Stored, StoredAs};
pub use pytree::TreeSpec;
