//! Equality saturation of pure tensor programs: rules from files say what is equal, a cost model says what is cheap, and the program becomes the cheapest of all
//! that the rules make of it.
//!
//! | | |
//! |---|---|
//! | [`term`] | the language: operators of the table over values, constants and lists |
//! | [`facts`] | the e-graph's analysis: dtype, sizes and constants, by the operators' shape rules |
//! | [`rules`] | rule files: grammar, reader, checks |
//! | [`cost`] | what a term costs on a target |
//! | [`extract`] | the choice, with what is shared counted once |
//! | `siblings` | terms of a program that stand beside each other, for rules that are about several |
//! | [`stats`] | how often programs contain what rules look for |
//! | `greedy` | the same rules as a peephole optimiser applies them, to compare with |
//! | `explain` | the steps from what was there to what was chosen |
//! | [`block`] | MLIR to terms and back |
//!
//! What two things are equal is up to the bits where a rule is `exact`; the pass takes no others unless it is told.
#![forbid(unsafe_code)]

pub mod block;
pub mod cost;
mod explain;
pub mod extract;
pub mod facts;
mod greedy;
pub mod optimize;
mod pass;
pub mod rewrite;
pub mod rules;
mod siblings;
pub mod stats;
pub mod term;

pub use pass::{Egraph, pass};
