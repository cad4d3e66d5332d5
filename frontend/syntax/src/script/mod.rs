//! TorchScript's text, and the Python it lives in, as trees with ranges.

pub mod tree;
