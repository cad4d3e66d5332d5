//! TorchScript's source, and the objects of archives, become typed graphs here: what PyTorch's own compiler accepts, with its meaning.
#![forbid(unsafe_code)]

pub mod closures;
pub mod concrete;
pub mod emit;
pub mod exits;
pub mod finish;
pub mod graph;
pub mod hooks;
pub mod importer;
mod inline_order;
pub mod lint;
pub mod listing;
pub mod mobile;
pub mod named;
pub mod passes;
pub mod printer;
pub mod python;
pub mod save;
pub mod ssa;
pub mod trace;
pub mod trace_scopes;
pub mod unit;
pub mod upgraders;
pub mod values;
