//! Recorded behaviour, replayed: the JSON spellings of values, what counts as equal, and the judging of one recorded case.
//!
//! | module | recordings |
//! |---|---|
//! | [`vectors`] | one operator call per line: result, mutation, aliasing, error, inferred shape |
//! | [`calls`] | calls of whole programs: result, output, mutation, aliasing, error |
//! | [`rejects`] | sources that PyTorch refuses: verdict, message, underlined place |
//! | [`selection`] | which of them a tool looks at |
//! | [`shares`] | what many operator calls say together |
//! | [`tables`] | result dtypes, cell by cell |
//! | [`draws`] | streams of the random generator, and what is drawn from them |
//! | [`nn`] | `torch.nn`: calls with the operators they execute, constructions, initial values |
//! | [`values`] | values as recordings write them |
//! | [`tolerance`] | when two numbers count as equal |
#![forbid(unsafe_code)]

pub mod calls;
pub mod data;
pub mod draws;
pub mod layouts;
pub mod messages;
pub mod nn;
pub mod rejects;
pub mod selection;
pub mod shares;
pub mod tables;
pub mod tolerance;
pub mod values;
pub mod vectors;

use sconce_kernels::Outputs;

/// Calls an operator, also one whose kernel is in a crate of its own, if this is built with that.
///
/// # Errors
/// Those of the operator.
pub fn call(
    op: &'static sconce_schema::OpEntry,
    args: &mut [sconce_tensor::IValue],
) -> Result<Outputs, sconce_kernels::Error> {
    #[cfg(feature = "extra-kernels")]
    sconce_kernels_extra::install();
    sconce_kernels::call(op, args)
}

/// Why a recording could not be read.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    #[error("not a value of this recording: {0}")]
    Malformed(String),
    #[error(transparent)]
    Tensor(#[from] sconce_tensor::Error),
    /// The recording uses something that is not supported yet.
    #[error("unsupported: {0}")]
    Unsupported(String),
}

impl Error {
    pub(crate) fn malformed(what: &str, json: &serde_json::Value) -> Error {
        let mut text = json.to_string();
        if let Some((cut, _)) = text.char_indices().nth(120) {
            text.truncate(cut);
            text.push('…');
        }
        Error::Malformed(format!("{what}: {text}"))
    }
}
