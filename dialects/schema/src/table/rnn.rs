//! Rows of the op table, family `rnn`. Made by `cargo xtask codegen` from dialects/td/ops/rnn.td; do not edit.

use crate::op::{Numerics::*, OpRecord, Trait::*, Traits};

const ROW: OpRecord = OpRecord::DEFAULT;

#[rustfmt::skip]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "aten::gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)", traits: Traits::of(&[Random]), numerics: Close, shape: Some(crate::shape::rnn::packed), ..ROW },
    OpRecord { schema_text: "aten::gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)", traits: Traits::of(&[Random]), numerics: Close, shape: Some(crate::shape::rnn::layer), ..ROW },
    OpRecord { schema_text: "aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(crate::shape::rnn::cell), ..ROW },
    OpRecord { schema_text: "aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor, Tensor)", traits: Traits::of(&[Random]), numerics: Close, shape: Some(crate::shape::rnn::lstm_packed), ..ROW },
    OpRecord { schema_text: "aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)", traits: Traits::of(&[Random]), numerics: Close, shape: Some(crate::shape::rnn::lstm), ..ROW },
    OpRecord { schema_text: "aten::rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(crate::shape::rnn::cell), ..ROW },
    OpRecord { schema_text: "aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor, Tensor)", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(crate::shape::rnn::lstm_cell), ..ROW },
    OpRecord { schema_text: "aten::mkldnn_rnn_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor weight3, Tensor hx_, Tensor cx_, bool reverse, int[] batch_sizes, int mode, int hidden_size, int num_layers, bool has_biases, bool bidirectional, bool batch_first, bool train) -> (Tensor, Tensor, Tensor, Tensor)", traits: Traits::of(&[Pure]), numerics: Close, needs: Some("the oneDNN library"), ..ROW },
    OpRecord { schema_text: "aten::rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)", traits: Traits::of(&[Random]), numerics: Close, shape: Some(crate::shape::rnn::packed), ..ROW },
    OpRecord { schema_text: "aten::rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)", traits: Traits::of(&[Random]), numerics: Close, shape: Some(crate::shape::rnn::layer), ..ROW },
    OpRecord { schema_text: "aten::rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(crate::shape::rnn::cell), ..ROW },
    OpRecord { schema_text: "aten::rnn_tanh.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)", traits: Traits::of(&[Random]), numerics: Close, shape: Some(crate::shape::rnn::packed), ..ROW },
    OpRecord { schema_text: "aten::rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)", traits: Traits::of(&[Random]), numerics: Close, shape: Some(crate::shape::rnn::layer), ..ROW },
];
