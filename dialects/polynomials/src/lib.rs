//! exp, log, sin and their kin, each as one formula: the kernels run it on numbers, the lowering prints it as operations, and the bits agree.
//!
//! A formula ([`exponential`], [`logarithm`], [`angle`], [`normal`], [`power`]) is a function over the arithmetic of [`number`], free of branches, of numbers of
//! 32 bits; f16 and bf16 are computed in them. Its polynomials stand in [`coefficients`], fitted by `examples/fit`. [`formulas`] says which function of the
//! operators' vocabulary has which formula and how far off it may be. Numbers of 64 bits have calls instead ([`wide`]).

pub mod angle;
pub mod coefficients;
pub mod exponential;
pub mod formulas;
pub mod logarithm;
pub mod normal;
pub mod number;
pub mod power;
mod steps;
pub mod wide;
