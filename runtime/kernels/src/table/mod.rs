//! Which function computes which operator, one module per family. Made by `cargo xtask codegen` from dialects/td/ops; do not edit.

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

/// A kernel, or none, for every row of the op table, in its order.
pub(crate) static FAMILIES: &[&[Option<crate::Kernel>]] = &[
    activation::ROWS,
    complex::ROWS,
    conv::ROWS,
    copy::ROWS,
    creation::ROWS,
    dict::ROWS,
    embedding::ROWS,
    fft::ROWS,
    foreach::ROWS,
    index::ROWS,
    linalg::ROWS,
    list::ROWS,
    loss::ROWS,
    matmul::ROWS,
    norm::ROWS,
    optimizer::ROWS,
    pad::ROWS,
    pointwise::ROWS,
    pool::ROWS,
    prim::ROWS,
    quantized::ROWS,
    random::ROWS,
    rearrange::ROWS,
    reduce::ROWS,
    rnn::ROWS,
    scalar::ROWS,
    sort::ROWS,
    special::ROWS,
    string::ROWS,
    tensor_info::ROWS,
    upsample::ROWS,
    view::ROWS,
    vision::ROWS,
];
