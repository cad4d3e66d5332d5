//! What passes do to a program is held against what the program did before: by running both.
//!
//! | | |
//! |---|---|
//! | [`steps`] | a pipeline as the passes it runs |
//! | [`inputs`] | values to call functions with |
//! | [`validate`] | the first pass after which a call shows something else |
//! | [`bisect`] | of that pass, what is to blame |
//! | [`reduce`] | a smaller program that is still wrong |
#![forbid(unsafe_code)]

mod bisect;
pub mod inputs;
mod reduce;
mod run;
mod steps;
mod validate;

pub use bisect::{Culprit, bisect};
pub use inputs::Given;
pub use reduce::{Budget, copy_of, operations, reduce};
pub use run::{Artifacts, Calls, Runnable, unit_of};
pub use sconce_interpreter::outcome;
pub use steps::{pass_of, steps};
pub use validate::{Finding, Validated, Validator, closeness, first_difference, validate};
