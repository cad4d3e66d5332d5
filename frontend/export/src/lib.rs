//! Programs leave as others read them: source that compiles to the same graphs, archives, and the instructions of mobile archives.
#![forbid(unsafe_code)]

mod inline_order;
pub mod mobile;
pub mod printer;
pub mod save;
