//===- rnn.td - The op table: recurrent networks -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)", [Random]> { let numerics = Close; let shape = "rnn::packed"; let kernel = "rnn::gru_packed"; let refuses = [LongIndices<"batch_sizes">]; }
def : Op<"aten::gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)", [Random]> { let numerics = Close; let shape = "rnn::layer"; let kernel = "rnn::gru"; }

def : Op<"aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor"> { let numerics = Close; let shape = "rnn::cell"; let kernel = "rnn::gru_cell"; }

def : Op<"aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor, Tensor)", [Random]> { let numerics = Close; let shape = "rnn::lstm_packed"; let kernel = "rnn::lstm_packed"; let refuses = [LongIndices<"batch_sizes">]; }
def : Op<"aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)", [Random]> { let numerics = Close; let shape = "rnn::lstm"; let kernel = "rnn::lstm"; }

def : Op<"aten::rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor"> { let numerics = Close; let shape = "rnn::cell"; let kernel = "rnn::tanh_cell"; }

def : Op<"aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor, Tensor)"> { let numerics = Close; let shape = "rnn::lstm_cell"; let kernel = "rnn::lstm_cell"; }

def : Op<"aten::mkldnn_rnn_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor weight3, Tensor hx_, Tensor cx_, bool reverse, int[] batch_sizes, int mode, int hidden_size, int num_layers, bool has_biases, bool bidirectional, bool batch_first, bool train) -> (Tensor, Tensor, Tensor, Tensor)"> { let numerics = Close; let shape = "rnn::one_layer"; let kernel = "mkldnn::rnn_layer"; }
def : Op<"aten::rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)", [Random]> { let numerics = Close; let shape = "rnn::packed"; let kernel = "rnn::relu_packed"; let refuses = [LongIndices<"batch_sizes">]; }
def : Op<"aten::rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)", [Random]> { let numerics = Close; let shape = "rnn::layer"; let kernel = "rnn::relu"; }

def : Op<"aten::rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor"> { let numerics = Close; let shape = "rnn::cell"; let kernel = "rnn::relu_cell"; }

def : Op<"aten::rnn_tanh.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)", [Random]> { let numerics = Close; let shape = "rnn::packed"; let kernel = "rnn::tanh_packed"; let refuses = [LongIndices<"batch_sizes">]; }
def : Op<"aten::rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)", [Random]> { let numerics = Close; let shape = "rnn::layer"; let kernel = "rnn::tanh"; }
