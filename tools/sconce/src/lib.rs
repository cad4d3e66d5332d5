//! The library people hold: load a TorchScript program, call it, look at every stage on its way to machine code.
#![forbid(unsafe_code)]

pub mod files;
pub mod value_text;
