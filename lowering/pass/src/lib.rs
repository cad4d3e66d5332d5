//! A pass written in Rust is declared once here and is then an MLIR pass like any other.
#![forbid(unsafe_code)]
