//! torch operators to linalg on tensors: a function of value tensors becomes a function of builtin tensors that computes the same.
//!
//! Every operator with a scalar expression or a fold is lowered from that (`scalar`, `pointwise`, `fold`); the other families have a table of
//! names and functions each, and a program may [`register`] more. What no table holds, or what a lowering cannot say for these types and constants, is refused with the reason,
//! and stays interpreted.
#![forbid(unsafe_code)]

mod buffers;
mod control_flow;
mod convert;
mod creation;
mod destination;
mod element;
pub mod emit;
mod fold;
mod formula;
mod im2col;
mod index;
mod inner_sizes;
mod lower;
mod math;
mod matmul;
mod norm;
mod numbers;
mod operator_call;
mod pad;
mod pass;
mod places;
mod pointwise;
mod pool;
mod rearrange;
mod reduce;
mod registered;
mod scalar;
mod separate_factors;
mod split_concats;
mod stages;
mod strides;
mod upsample;
mod view;
mod window;

pub use control_flow::{UNINITIALIZED, is_control_flow, used_values};
pub use convert::{
    CALLS_FROM, DIALECTS, ROWS, ResultLayout, Work, convert_function, lower_region, refused_together, supports,
};
pub use lower::{Call, Item, Lower, TensorValue};
pub use pass::{ConvertTorchToLinalg, PASSES};
pub use registered::register;
pub use stages::PIPELINES;

use sconce_analysis::operators::operator_name;
use sconce_analysis::sizes::is_of_sizes;
use sconce_ir::OperationRef;
use sconce_schema::{OpEntry, OpId};

/// Why an operation is not lowered.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// The operator has no lowering, or not for these types and constants.
    #[error("{0}")]
    Unsupported(String),
    /// MLIR refused what the lowering built: a defect here, not in the program.
    #[error("internal: {0}")]
    Internal(String),
}

impl Error {
    pub(crate) fn unsupported<T>(why: impl Into<String>) -> Result<T, Error> {
        Err(Error::Unsupported(why.into()))
    }

    /// The same, with the operation that it is about.
    fn of(self, op: OperationRef<'_, '_>) -> Error {
        match self {
            Error::Unsupported(why) => Error::Unsupported(format!("{}: {why}", operator_name(op))),
            internal => internal,
        }
    }
}

/// The lowering of one operator: takes its arguments, gives an item for each result.
pub type Lowering = for<'c> fn(&mut Lower<'c>, &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error>;

/// Lowerings by family.
const FAMILIES: &[&[(OpId, Lowering)]] = &[
    creation::OPS,
    element::OPS,
    im2col::OPS,
    index::OPS,
    matmul::OPS,
    norm::OPS,
    operator_call::OPS,
    pad::OPS,
    pool::OPS,
    rearrange::OPS,
    upsample::OPS,
    view::OPS,
    window::OPS,
];

/// The lowering of an operator that is not pointwise.
pub(crate) fn find(op: OpId) -> Option<Lowering> {
    FAMILIES
        .iter()
        .flat_map(|t| t.iter())
        .find(|(id, _)| *id == op)
        .map(|(_, f)| *f)
        .or_else(|| registered::find_registered(op))
}

/// How an operator gets into a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// By code of its own.
    Code,
    /// By a call of the runtime's kernel.
    Call,
}

/// How the operator gets into a region, if it does. For these types and constants it may still be refused: [`supports`] asks for an operation.
pub fn way(entry: &OpEntry) -> Option<Way> {
    let means = entry.scalar.is_some() || entry.fold.as_ref().is_some_and(|f| !f.is_sequential());
    if means || find(entry.op()).is_some() || is_of_sizes(entry.op()) || numbers::are_of(entry) {
        return Some(Way::Code);
    }
    entry.computes_tensors().then_some(Way::Call)
}
