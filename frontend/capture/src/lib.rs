//! A method of TorchScript is run once with example inputs and becomes an exported program: what the inputs decided is decided in it, and every assumption stands in it.
//!
//! Numbers and containers of the program are values here and gone afterwards; tensors are nodes. A size that may vary is a symbol: arithmetic with it is nodes,
//! and a comparison of it is answered as the example answers it, with a guard that refuses inputs which would have it otherwise. What depends on the elements
//! of tensors is a node too; a branch by it is `cond` with both sides, and a loop by it `while_loop`.
#![forbid(unsafe_code)]

mod branches;
mod calls;
mod emit;
mod error;
mod joined;
mod loops;
mod numbers;
mod run;
mod scopes;
mod script;
mod structure;
mod symbols;
mod trees;

pub use error::Error;

use sconce_export_program::{ExportedProgram, StoredAs};
use sconce_graph::unit::Unit;
use sconce_tensor::{IValue, Object, Tensor};
use std::sync::Arc;

/// What is captured: a function, or a method of an object.
pub struct Subject<'u> {
    pub unit: &'u Unit,
    /// The qualified name of the function.
    pub function: &'u str,
    /// The object whose method it is. Its state is as it was afterwards if the run raises; else what the method left there.
    pub object: Option<Arc<Object>>,
    /// The module's tensors by the names of its state dict, each tensor once.
    pub state: Vec<(String, StoredAs, Tensor)>,
}

/// A size of an argument that may vary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicSize {
    /// The parameter's name.
    pub parameter: String,
    /// The dimension, not negative.
    pub dim: usize,
    /// Sizes of one name are one size.
    pub name: String,
    pub low: i64,
    /// None is no bound.
    pub high: Option<i64>,
}

/// An argument of the run.
#[derive(Clone)]
pub struct Argument {
    /// As the caller gives it: what is no tensor, other calls must give so.
    pub given: IValue,
    /// As the function takes it: a float where an int was given for one, a named tuple where a tuple was.
    pub value: IValue,
}

/// A captured program.
pub struct Captured {
    pub program: ExportedProgram,
    /// What was assumed of sizes that may vary, in words, with the place that needed it.
    pub assumptions: Vec<String>,
}

impl Captured {
    /// What PyTorch must be told before it loads the program: classes that its trees name, and how each is registered. Sconce itself need not know them.
    pub fn classes(&self) -> Vec<String> {
        let mut classes = Vec::new();
        for spec in [&self.program.in_spec, &self.program.out_spec] {
            trees::classes(spec, &mut classes);
        }
        classes
    }
}

/// Runs a function once with these arguments and gives what it did. Parameters that are left out take their defaults, and are no inputs of the program.
///
/// # Errors
/// What raises, what depends on the elements of tensors where that must be known, operators that PyTorch does not have; each with its place.
pub fn capture(
    subject: Subject<'_>,
    arguments: &[(String, Argument)],
    dynamic: &[DynamicSize],
) -> Result<Captured, Error> {
    run::capture(subject, arguments, dynamic)
}
