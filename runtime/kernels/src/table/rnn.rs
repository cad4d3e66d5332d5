//! Kernels of family `rnn`. Made by `cargo xtask codegen` from dialects/td/ops/rnn.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::gru.data", crate::rnn::gru_packed),
    ("aten::gru.input", crate::rnn::gru),
    ("aten::gru_cell", crate::rnn::gru_cell),
    ("aten::lstm.data", crate::rnn::lstm_packed),
    ("aten::lstm.input", crate::rnn::lstm),
    ("aten::rnn_tanh_cell", crate::rnn::tanh_cell),
    ("aten::lstm_cell", crate::rnn::lstm_cell),
    ("aten::rnn_relu.input", crate::rnn::relu),
    ("aten::rnn_relu_cell", crate::rnn::relu_cell),
    ("aten::rnn_tanh.data", crate::rnn::tanh_packed),
    ("aten::rnn_tanh.input", crate::rnn::tanh),
];
