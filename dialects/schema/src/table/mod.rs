//! The op table's rows, one module per family. Made by `cargo xtask codegen` from dialects/td/ops; do not edit.

mod activation;
mod complex;
mod conv;
mod copy;
mod creation;
mod dict;
mod embedding;
mod fft;
mod foreach;
mod index;
mod linalg;
mod list;
mod loss;
mod matmul;
mod norm;
mod optimizer;
mod pad;
mod pointwise;
mod pool;
mod prim;
mod quantized;
mod random;
mod rearrange;
mod reduce;
mod rnn;
mod scalar;
mod sort;
mod special;
mod string;
mod tensor_info;
mod upsample;
mod view;
mod vision;

/// The rows of every family, families in alphabetical order, rows in their records' order.
pub(crate) static FAMILIES: &[(&str, &[crate::op::OpRecord])] = &[
    ("activation", activation::ROWS),
    ("complex", complex::ROWS),
    ("conv", conv::ROWS),
    ("copy", copy::ROWS),
    ("creation", creation::ROWS),
    ("dict", dict::ROWS),
    ("embedding", embedding::ROWS),
    ("fft", fft::ROWS),
    ("foreach", foreach::ROWS),
    ("index", index::ROWS),
    ("linalg", linalg::ROWS),
    ("list", list::ROWS),
    ("loss", loss::ROWS),
    ("matmul", matmul::ROWS),
    ("norm", norm::ROWS),
    ("optimizer", optimizer::ROWS),
    ("pad", pad::ROWS),
    ("pointwise", pointwise::ROWS),
    ("pool", pool::ROWS),
    ("prim", prim::ROWS),
    ("quantized", quantized::ROWS),
    ("random", random::ROWS),
    ("rearrange", rearrange::ROWS),
    ("reduce", reduce::ROWS),
    ("rnn", rnn::ROWS),
    ("scalar", scalar::ROWS),
    ("sort", sort::ROWS),
    ("special", special::ROWS),
    ("string", string::ROWS),
    ("tensor_info", tensor_info::ROWS),
    ("upsample", upsample::ROWS),
    ("view", view::ROWS),
    ("vision", vision::ROWS),
];

pub mod names;
