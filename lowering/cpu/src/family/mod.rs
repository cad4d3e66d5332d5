//! Kernels by family: what a structured operation becomes in place of the scalar loops that it would be.

pub mod contraction;
pub mod row;
mod sums;
pub mod window;

/// The vector registers of a processor.
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    /// Bytes of a vector register.
    pub bytes: usize,
    /// Sums that a tile keeps in registers, while some are left for what is multiplied.
    pub sums: i64,
}

impl Registers {
    /// Of a processor with these features, as LLVM spells them.
    pub fn of(features: &str) -> Registers {
        let has = |f: &str| features.split(',').any(|x| x == f);
        let bytes = if has("+avx512f") {
            64
        } else if has("+avx2") {
            32
        } else {
            16
        };
        // There are 32 of them, or 16.
        Registers { bytes, sums: if has("+avx512f") || has("+neon") { 24 } else { 12 } }
    }
}
