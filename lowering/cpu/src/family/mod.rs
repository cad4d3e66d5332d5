//! Kernels by family: what a structured operation becomes in place of the scalar loops that it would be.

pub mod contraction;
pub mod window;

/// Lanes of a vector register, by element size.
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    /// Bytes of a vector register.
    pub bytes: usize,
}

impl Registers {
    /// Of a processor with these features, as LLVM spells them.
    pub fn of(features: &str) -> Registers {
        let has = |f: &str| features.split(',').any(|x| x == f);
        Registers {
            bytes: if has("+avx512f") {
                64
            } else if has("+avx2") {
                32
            } else {
                16
            },
        }
    }
}
