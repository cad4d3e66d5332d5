//! Products of matrices, decompositions and transforms.

pub mod batch_mm;
pub mod batched_gemm;
pub mod fft;
pub mod grouped_mm;
pub mod lu;
pub mod matmul;
pub mod solvers;
pub mod windows;

pub(crate) use sconce_gemm as gemm;
