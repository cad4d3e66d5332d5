//! TorchScript's source, and the objects of archives, become typed graphs here: what PyTorch's own compiler accepts, with its meaning.
#![forbid(unsafe_code)]

pub mod closures;
pub mod concrete;
pub mod emit;
pub mod exits;
pub mod finish;
pub mod hooks;
pub mod importer;
pub mod passes;
pub mod ssa;
pub mod torch_names;
pub mod trace;
pub mod trace_scopes;
pub mod upgraders;
pub mod values;

use sconce_graph::{graph, listing, named, unit};
