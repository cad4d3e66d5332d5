//! Outlining: runs of operations that a target can compile become `sconce.region`, and what stays says why.
//!
//! A region has the meaning of the operations it replaces: nothing that writes lies between them, what shares storage with a value outside stays
//! outside, and the region stands where the last of them stood.
#![forbid(unsafe_code)]

mod fresh;
mod outline;
mod pass;

pub use outline::{NotTaken, Options, Outlined, Report, Taken, Target, no_lowering, outline};
pub use pass::{OutlineRegions, PASSES};
