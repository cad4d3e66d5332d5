//! Kernels by family: what a structured operation becomes in place of the scalar loops that it would be.

pub mod contraction;
pub mod window;
