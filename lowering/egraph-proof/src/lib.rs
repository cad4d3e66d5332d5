//! Proofs of rewrite rules: what a rule claims is seen on operands by the thousand, then proved for all of them where a method for its kind is known.
//!
//! | | |
//! |---|---|
//! | [`operands`] | what variables may stand for |
//! | [`evaluate`] | both sides by the interpreter's kernels |
//! | [`compare`] | equal bits, or equal but for rounding |
//! | [`cases`] | counterexamples, small operands and whole dtypes |
//! | [`elements`] | a side element by element: as terms, or as numbers |
//! | [`fraction`] | exact arithmetic on polynomials and their fractions |
//! | [`general`] | proofs for all elements |
//! | [`solver`], [`recorded`] | proofs by SMT of what is elementwise, and what was proved so before |
//! | [`replay`] | the checker of explanations, which shares no code with the rewriter |
//! | [`verify`] | the verdict on a rule |
//!
//! What operators compute comes from their records and kernels; nothing of it is said here again.
#![forbid(unsafe_code)]

pub mod cases;
pub mod compare;
pub mod elements;
pub mod evaluate;
pub mod fraction;
pub mod general;
pub mod operands;
pub mod recorded;
pub mod replay;
pub mod solver;
pub mod verify;
