//! The library people hold: load a TorchScript program, call it, look at every stage on its way to machine code.
#![forbid(unsafe_code)]

pub mod check;
pub mod cli;
pub mod compare;
mod compile;
pub mod engine;
pub mod files;
pub mod report;
pub mod value_json;
pub mod value_text;
