//! The one interface between a program and its compiler: a question about a unit goes in, a Program or a text comes out, and both are also bytes.
//!
//! Whoever asks needs no MLIR. [`Compiler`] is the interface; [`Worker`] is a compiler in a process of its own, whose crashes, hangs and hunger cost one answer.
#![forbid(unsafe_code)]

mod bytes;
mod crash;
mod identity;
mod instance_bytes;
mod question;
mod unit_bytes;
mod weights;
mod worker;

pub use crash::ask_again;
pub use identity::identity_of;
pub use question::{
    Alone, Answer, ArgumentSignature, Blamed, Checks, Compiled, CompiledRegion, Folding, Job, NamedAttribute, Place,
    PlacedText, Question, Reduction, Refusal, Rewrites, Signature, Stage, Subject, Suspect, Validation, Want, Writes,
};
pub use weights::{bind_weights, lift_tensors, lift_weights, type_of};
pub use worker::{Limits, Worker, serve};

use sconce_interpreter::format::FormatError;

/// Who answers questions. One that fails has answered: the program runs without.
pub trait Compiler: Send + Sync {
    /// # Errors
    /// What is wrong with the question's subject, or with the compiler.
    fn ask(&self, question: &Question) -> Result<Answer, Error>;

    /// A question is certain to come soon: what a compiler must start before it can answer is started now, and not waited for.
    fn expect(&self) {}

    /// What tells it from other compilers, of other builds too: two of one identity answer alike, so that what one answered may be kept for the other. None
    /// when nobody can tell; what such a compiler answers is not kept.
    fn identity(&self) -> Option<String>;

    /// What tells it from other compilers on every machine, which takes longer to learn: two of one content answer alike wherever they lie. None when what it answers
    /// is not to be shared between machines.
    fn content(&self) -> Option<[u8; 32]> {
        None
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The subject cannot be compiled, or the text not read.
    #[error("{0}")]
    Refused(String),
    /// The compiler died, hung, or wanted too much.
    #[error("the compiler {0}")]
    Lost(String),
    #[error("a question or answer of a compiler: {0}")]
    Format(#[from] FormatError),
}
