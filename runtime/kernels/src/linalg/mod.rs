//! Products of matrices, decompositions and transforms.

pub mod batched_gemm;
pub mod matmul;
pub(crate) mod packed_factor;
