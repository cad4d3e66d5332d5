//! TorchScript's source, and the objects of archives, become typed graphs here: what PyTorch's own compiler accepts, with its meaning.
#![forbid(unsafe_code)]

pub mod concrete;
pub mod emit;
pub mod graph;
pub mod printer;
pub mod unit;
pub mod upgraders;
pub mod values;
