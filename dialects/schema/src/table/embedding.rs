//! Rows of the op table, family `embedding`. Made by `cargo xtask codegen` from dialects/td/ops/embedding.td; do not edit.

#[allow(unused_imports)]
use crate::op::{Numerics::*, OpRecord, Trait::*};

const ROW: OpRecord = OpRecord { family: "embedding", ..OpRecord::DEFAULT };

#[rustfmt::skip]
#[allow(clippy::approx_constant)]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)", in_torch_mlir: true, traits: &[Pure], numerics: Loose, ..ROW },
    OpRecord { schema_text: "aten::_embedding_bag.out(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))", traits: &[OwnDType, Out, Writes], numerics: Loose, functional: Some("aten::_embedding_bag"), ..ROW },
    OpRecord { schema_text: "aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor", in_torch_mlir: true, traits: &[Pure], shape: Some(crate::shape::index::embedding), ..ROW },
    OpRecord { schema_text: "aten::embedding.out(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False, *, Tensor(a!) out) -> Tensor(a!)", traits: &[OwnDType, Out, Writes], functional: Some("aten::embedding"), ..ROW },
    OpRecord { schema_text: "aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False) -> (Tensor, Tensor, Tensor, Tensor)", traits: &[Pure], numerics: Loose, ..ROW },
    OpRecord { schema_text: "aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)", in_torch_mlir: true, traits: &[Pure], numerics: Loose, ..ROW },
    OpRecord { schema_text: "aten::embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::embedding_dense_backward.out(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq, *, Tensor(a!) out) -> Tensor(a!)", traits: &[OwnDType, Out, Writes], numerics: Close, functional: Some("aten::embedding_dense_backward"), ..ROW },
    OpRecord { schema_text: "aten::one_hot(Tensor self, int num_classes=-1) -> Tensor", in_torch_mlir: true, traits: &[Pure], shape: Some(crate::shape::index::one_hot), ..ROW },
    OpRecord { schema_text: "aten::_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)", traits: &[Pure], numerics: Loose, ..ROW },
    OpRecord { schema_text: "aten::_embedding_bag_forward_only.out(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))", traits: &[OwnDType, Out, Writes], numerics: Loose, functional: Some("aten::_embedding_bag_forward_only"), ..ROW },
    OpRecord { schema_text: "aten::_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::_embedding_bag_per_sample_weights_backward.out(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1, *, Tensor(a!) out) -> Tensor(a!)", traits: &[OwnDType, Out, Writes], numerics: Close, functional: Some("aten::_embedding_bag_per_sample_weights_backward"), ..ROW },
    OpRecord { schema_text: "aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor", traits: &[Pure], numerics: Close, shape: Some(crate::shape::like::first), ..ROW },
    OpRecord { schema_text: "aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor(a!)", traits: &[InPlace, Writes], numerics: Close, functional: Some("aten::embedding_renorm"), ..ROW },
    OpRecord { schema_text: "aten::embedding_renorm.out(Tensor self, Tensor indices, float max_norm, float norm_type, *, Tensor(a!) out) -> Tensor(a!)", traits: &[OwnDType, Out, Writes], numerics: Close, functional: Some("aten::embedding_renorm"), ..ROW },
];
