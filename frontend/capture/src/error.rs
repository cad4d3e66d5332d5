//! Why a program cannot be captured: which operator, where, and what is in the way.

use sconce_source::Loc;

/// Why a program cannot be captured.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something in the program; `place` is where it was written.
    #[error("{}{what}{}", operator.as_ref().map_or(String::new(), |o| format!("{o}: ")), at(place))]
    Refused { operator: Option<String>, what: String, place: Option<Loc> },
    /// An argument, or a size that was said to vary.
    #[error("{0}")]
    Argument(String),
    #[error(transparent)]
    Graph(#[from] sconce_fx::Error),
    #[error(transparent)]
    Tensor(#[from] sconce_tensor::Error),
}

fn at(place: &Option<Loc>) -> String {
    let Some(place) = place else { return String::new() };
    let origin = place.origin().map_or_else(|| place.to_string(), ToString::to_string);
    format!("\n  written at {origin}")
}

impl Error {
    /// Names the operator and its place where nothing inside did.
    pub(crate) fn within(self, kind: &str, loc: Option<&Loc>) -> Error {
        match self {
            Error::Refused { operator: None, what, place } => {
                Error::Refused { operator: Some(kind.to_owned()), what, place: place.or_else(|| loc.cloned()) }
            }
            Error::Refused { operator, what, place: None } => Error::Refused { operator, what, place: loc.cloned() },
            other => other,
        }
    }
}

/// A refusal whose place and operator are added by who runs the node.
pub(crate) fn refused(what: impl Into<String>) -> Error {
    Error::Refused { operator: None, what: what.into(), place: None }
}
