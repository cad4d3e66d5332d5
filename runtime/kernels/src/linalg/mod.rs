//! Products of matrices, decompositions and transforms.

pub mod batch_mm;
pub mod batched_gemm;
pub mod decompositions;
pub mod eigen;
pub mod fft;
pub mod gemm;
pub mod grouped_mm;
pub mod ldl;
pub mod matmul;
pub mod solvers;
pub mod windows;
