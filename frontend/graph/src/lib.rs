//! A program's graphs, and the unit of functions and classes that owns them: read from text, checked, printed, and nothing here knows MLIR.
#![forbid(unsafe_code)]

pub mod build;
pub mod error;
pub mod graph;
pub mod head;
pub mod insert;
pub mod instances;
pub mod lint;
pub mod listing;
pub mod named;
pub mod schema_text;
pub mod unit;
pub mod value_type;
