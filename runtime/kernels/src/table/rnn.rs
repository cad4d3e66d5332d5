//! Kernels of family `rnn`. Made by `cargo xtask codegen` from dialects/td/ops/rnn.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::kernel(crate::nn::rnn::gru_packed)), // aten::gru.data
    Some(crate::kernel(crate::nn::rnn::gru)), // aten::gru.input
    Some(crate::kernel(crate::nn::rnn::gru_cell)), // aten::gru_cell
    Some(crate::kernel(crate::nn::rnn::lstm_packed)), // aten::lstm.data
    Some(crate::kernel(crate::nn::rnn::lstm)), // aten::lstm.input
    Some(crate::kernel(crate::nn::rnn::tanh_cell)), // aten::rnn_tanh_cell
    Some(crate::kernel(crate::nn::rnn::lstm_cell)), // aten::lstm_cell
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::mkldnn_rnn_layer
    Some(crate::kernel(crate::nn::rnn::relu_packed)), // aten::rnn_relu.data
    Some(crate::kernel(crate::nn::rnn::relu)), // aten::rnn_relu.input
    Some(crate::kernel(crate::nn::rnn::relu_cell)), // aten::rnn_relu_cell
    Some(crate::kernel(crate::nn::rnn::tanh_packed)), // aten::rnn_tanh.data
    Some(crate::kernel(crate::nn::rnn::tanh)), // aten::rnn_tanh.input
];
