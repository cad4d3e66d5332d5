//! The torch dialect in Rust: what the dialect holds is said in `dialects/td`, `cpp/` and the op table, and read from there.
#![forbid(unsafe_code)]
