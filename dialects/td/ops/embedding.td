//===- embedding.td - The op table: embeddings -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)", [TorchMlir]> { let numerics = Loose; let kernel = "embedding::embedding_bag"; let shape = "like::bag"; let refuses = [Refuse<"Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, Float, Double; but got torch.{}Tensor instead (while checking arguments for embedding_bag)", [Bools, Ints, Complexes], "weight", "Runtime">]; }
def : Op<"aten::_embedding_bag.out(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))", [OwnDType]>;

def : Op<"aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor", [TorchMlir, Differentiable]> { let shape = "index::embedding"; let kernel = "embedding::embedding"; }
def : Op<"aten::embedding.out(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False) -> (Tensor, Tensor, Tensor, Tensor)"> { let numerics = Loose; let kernel = "embedding::embedding_bag"; let shape = "like::bag"; let refuses = [Refuse<"Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, Float, Double; but got torch.{}Tensor instead (while checking arguments for embedding_bag)", [Bools, Ints, Complexes], "weight", "Runtime">]; }
def : Op<"aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)", [TorchMlir]> { let numerics = Loose; let kernel = "embedding::embedding_bag"; let shape = "like::bag"; let refuses = [Refuse<"Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, Float, Double; but got torch.{}Tensor instead (while checking arguments for embedding_bag)", [Bools, Ints, Complexes], "weight", "Runtime">]; }

def : Op<"aten::embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq) -> Tensor", [TorchMlir]> { let numerics = Close; let kernel = "embedding_rows::dense_backward"; let shape = "like::rows_of_gradient"; }
def : Op<"aten::embedding_dense_backward.out(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::one_hot(Tensor self, int num_classes=-1) -> Tensor", [TorchMlir]> { let shape = "index::one_hot"; }

def : Op<"aten::_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor"> { let numerics = Close; let shape = "like::bag_gradient"; let kernel = "bags::bag_backward"; }
def : Op<"aten::_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)"> { let numerics = Loose; let kernel = "embedding::embedding_bag"; let shape = "like::bag"; let refuses = [Refuse<"Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, Float, Double; but got torch.{}Tensor instead (while checking arguments for embedding_bag)", [Bools, Ints, Complexes], "weight", "Runtime">]; }
def : Op<"aten::_embedding_bag_forward_only.out(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))", [OwnDType]>;

def : Op<"aten::_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1) -> Tensor"> { let numerics = Close; let shape = "like::bag_weights_gradient"; let kernel = "bags::bag_weights_backward"; }
def : Op<"aten::_embedding_bag_per_sample_weights_backward.out(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor"> { let numerics = Close; let shape = "like::first"; let kernel = "embedding_rows::embedding_renorm"; }
def : Op<"aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor(a!)", [Overlaps]>;
def : Op<"aten::embedding_renorm.out(Tensor self, Tensor indices, float max_norm, float norm_type, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_no_grad_embedding_renorm_(Tensor weight, Tensor input, float max_norm, float norm_type) -> Tensor", [ScriptOnly]> { let numerics = Close; let shape = "like::first"; }
