//! Shape and dtype rules: one function per operator over possibly symbolic dimensions.
//!
//! From it come the verifier's knowledge, type refinement, entry guards, the run-time checks and their messages.

pub mod activation;
pub mod args;
pub mod complex;
pub mod conv;
pub mod creation;
#[cfg(feature = "table")]
mod derived;
pub mod fft;
#[cfg(feature = "table")]
mod fold;
pub mod index;
pub mod like;
pub mod linalg;
pub mod loss;
pub mod matmul;
pub mod norm;
pub mod pad;
pub mod pointwise;
pub mod pool;
pub mod quantized;
pub mod rearrange;
pub mod reduce;
pub mod rnn;
pub mod sort;
pub mod special;
pub mod typed;
pub mod upsample;
pub mod view;
pub mod vision;

pub use args::{check_cast, common_dtype};
#[cfg(feature = "table")]
pub use derived::{
    comparison_dtype, functional_args, infer, pointwise as pointwise_rule, takes_only_its_dtype, written_arguments,
};

use crate::op::DefaultValue;
use crate::types::Device;
use crate::{Argument, DType};
use smallvec::SmallVec;
use std::sync::Arc;

pub use crate::dim::Dim as Size;
pub use typed::rule;

pub type Sizes = SmallVec<[Size; 6]>;

/// What a rule knows of a tensor argument, and says of a tensor result.
#[derive(Clone, PartialEq, Debug)]
pub struct TensorMeta {
    /// `None`: not known (compile time only).
    pub dtype: Option<DType>,
    /// `None`: rank not known (compile time only).
    pub sizes: Option<Sizes>,
    pub device: Option<Device>,
    /// A tensor of rank 0 made from a Python number: it takes part in promotion as a number does.
    pub wrapped_number: bool,
}

/// An argument (or a non-tensor result) as a rule sees it. At run time everything is known; at compile time `Unknown` stands for the rest.
#[derive(Clone, PartialEq, Debug)]
pub enum Meta {
    Unknown,
    None,
    Tensor(TensorMeta),
    Bool(bool),
    /// Integers may be sizes, hence symbolic.
    Int(Size),
    Float(f64),
    /// A float of which nothing else is known (compile time only).
    AnyFloat,
    Complex(f64, f64),
    Str(Arc<str>),
    Device(Device),
    List(Vec<Meta>),
}

impl Meta {
    /// A tensor's sizes, if its rank is known.
    pub fn sizes(&self) -> Option<Sizes> {
        if let Meta::Tensor(t) = self { t.sizes.clone() } else { None }
    }
    /// What is known of an argument that takes its default.
    pub fn from_default(argument: &Argument) -> Meta {
        fn of(value: &DefaultValue) -> Meta {
            match value {
                DefaultValue::None => Meta::None,
                DefaultValue::Bool(b) => Meta::Bool(*b),
                DefaultValue::Int(i) => Meta::Int(Size::Known(*i)),
                DefaultValue::Float(f) => Meta::Float(*f),
                DefaultValue::Complex(re, im) => Meta::Complex(*re, *im),
                DefaultValue::Str(s) => Meta::Str(s.clone()),
                DefaultValue::List(items) => Meta::List(items.iter().map(of).collect()),
            }
        }
        argument.default.as_ref().map_or(Meta::Unknown, of)
    }
}

/// The result of a rule: one `Meta` per schema return.
pub type RuleResult = Result<SmallVec<[Meta; 2]>, ShapeError>;

/// A shape and dtype rule. Arguments in schema order, defaults filled in, keyword-only ones too.
///
/// At compile time an unknown makes the result less precise, never wrong; at run time every size is known and the rule's error is the user's message.
pub type Rule = fn(&[Meta]) -> RuleResult;

/// Why a call is wrong. `message` is PyTorch's text wherever PyTorch's text is known; `kind` the Python class it raises.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ShapeError {
    pub kind: ErrorKind,
    pub message: String,
}

impl ShapeError {
    pub fn of(kind: ErrorKind, message: impl Into<String>) -> ShapeError {
        ShapeError { kind, message: message.into() }
    }
    pub fn runtime(message: impl Into<String>) -> ShapeError {
        ShapeError::of(ErrorKind::Runtime, message)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    Runtime,
    Index,
    Value,
    Type,
    NotImplemented,
}
