//! Kernels of family `rnn`. Made by `cargo xtask codegen` from dialects/td/ops/rnn.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::rnn::gru_packed), // aten::gru.data
    Some(crate::rnn::gru), // aten::gru.input
    Some(crate::rnn::gru_cell), // aten::gru_cell
    Some(crate::rnn::lstm_packed), // aten::lstm.data
    Some(crate::rnn::lstm), // aten::lstm.input
    Some(crate::rnn::tanh_cell), // aten::rnn_tanh_cell
    Some(crate::rnn::lstm_cell), // aten::lstm_cell
    Some(crate::rnn::one_layer), // aten::mkldnn_rnn_layer
    Some(crate::rnn::relu_packed), // aten::rnn_relu.data
    Some(crate::rnn::relu), // aten::rnn_relu.input
    Some(crate::rnn::relu_cell), // aten::rnn_relu_cell
    Some(crate::rnn::tanh_packed), // aten::rnn_tanh.data
    Some(crate::rnn::tanh), // aten::rnn_tanh.input
];
