//! From an operator to what computes it.

pub mod bound;
pub mod fast_path;
