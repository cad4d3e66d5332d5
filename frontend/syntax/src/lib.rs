//! Text becomes trees with spans here, and nothing else: no MLIR, no tensors, every byte hostile.
#![forbid(unsafe_code)]

pub mod graph_text;
pub mod limits;
pub mod script;
pub mod source;

pub use sconce_source::Span;
pub use source::Error;
