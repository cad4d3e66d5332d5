//! Rows of the op table, family `sort`. Made by `cargo xtask codegen` from dialects/td/ops/sort.td; do not edit.

use crate::op::{Numerics::*, OpRecord, Trait::*};

const ROW: OpRecord = OpRecord { family: "sort", ..OpRecord::DEFAULT };

#[rustfmt::skip]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)", traits: &[Pure], shape: Some(crate::shape::sort::unique), ..ROW },
    OpRecord { schema_text: "aten::_unique2.out(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", traits: &[OwnDType, Out, Writes], functional: Some("aten::_unique2"), ..ROW },
    OpRecord { schema_text: "aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", in_torch_mlir: true, traits: &[Pure], shape: Some(crate::shape::sort::argsort), ..ROW },
    OpRecord { schema_text: "aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor", traits: &[Pure], shape: Some(crate::shape::sort::argsort_stable), ..ROW },
    OpRecord { schema_text: "aten::argsort.stable_out(Tensor self, *, bool stable, int dim=-1, bool descending=False, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], functional: Some("aten::argsort.stable"), ..ROW },
    OpRecord { schema_text: "aten::bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor", traits: &[Pure], shape: Some(crate::shape::sort::bucketize), ..ROW },
    OpRecord { schema_text: "aten::bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor", in_torch_mlir: true, traits: &[Pure], shape: Some(crate::shape::sort::bucketize), ..ROW },
    OpRecord { schema_text: "aten::bucketize.Scalar_out(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False, Tensor(a!) out) -> Tensor(a!)", traits: &[OwnDType, Out, Writes], functional: Some("aten::bucketize.Scalar"), ..ROW },
    OpRecord { schema_text: "aten::bucketize.Tensor_out(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], functional: Some("aten::bucketize.Tensor"), ..ROW },
    OpRecord { schema_text: "aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)", in_torch_mlir: true, traits: &[Pure], shape: Some(crate::shape::sort::kthvalue), ..ROW },
    OpRecord { schema_text: "aten::kthvalue.values(Tensor self, SymInt k, int dim=-1, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)", traits: &[Out, Writes], functional: Some("aten::kthvalue"), ..ROW },
    OpRecord { schema_text: "aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor", traits: &[Pure], shape: Some(crate::shape::sort::searchsorted), ..ROW },
    OpRecord { schema_text: "aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor", traits: &[Pure], shape: Some(crate::shape::sort::searchsorted), ..ROW },
    OpRecord { schema_text: "aten::searchsorted.Scalar_out(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], functional: Some("aten::searchsorted.Scalar"), ..ROW },
    OpRecord { schema_text: "aten::searchsorted.Tensor_out(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], functional: Some("aten::searchsorted.Tensor"), ..ROW },
    OpRecord { schema_text: "aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)", in_torch_mlir: true, traits: &[Pure], shape: Some(crate::shape::sort::sort), ..ROW },
    OpRecord { schema_text: "aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)", traits: &[Pure], shape: Some(crate::shape::sort::sort_stable), ..ROW },
    OpRecord { schema_text: "aten::sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)", traits: &[OwnDType, Out, Writes], functional: Some("aten::sort"), ..ROW },
    OpRecord { schema_text: "aten::sort.values_stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)", traits: &[Out, Writes], functional: Some("aten::sort.stable"), ..ROW },
    OpRecord { schema_text: "aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)", in_torch_mlir: true, traits: &[Pure], shape: Some(crate::shape::sort::topk), ..ROW },
    OpRecord { schema_text: "aten::topk.values(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)", traits: &[Out, Writes], functional: Some("aten::topk"), ..ROW },
    OpRecord { schema_text: "aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)", in_torch_mlir: true, traits: &[Pure], shape: Some(crate::shape::sort::unique), ..ROW },
    OpRecord { schema_text: "aten::unique_consecutive.out(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", traits: &[OwnDType, Out, Writes], functional: Some("aten::unique_consecutive"), ..ROW },
    OpRecord { schema_text: "aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)", in_torch_mlir: true, traits: &[Pure], shape: Some(crate::shape::sort::unique_dim), ..ROW },
    OpRecord { schema_text: "aten::unique_dim.out(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", traits: &[OwnDType, Out, Writes], functional: Some("aten::unique_dim"), ..ROW },
    OpRecord { schema_text: "aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)", traits: &[Pure], shape: Some(crate::shape::like::data_and_lengths), ..ROW },
    OpRecord { schema_text: "aten::_unique.out(Tensor self, bool sorted=True, bool return_inverse=False, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", traits: &[OwnDType, Out, Writes], functional: Some("aten::_unique"), ..ROW },
    OpRecord { schema_text: "aten::msort(Tensor self) -> Tensor", traits: &[Pure], shape: Some(crate::shape::sort::msort), ..ROW },
    OpRecord { schema_text: "aten::msort.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], functional: Some("aten::msort"), ..ROW },
    OpRecord { schema_text: "aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)", traits: &[Pure], numerics: Close, shape: Some(crate::shape::sort::unique_dim), ..ROW },
    OpRecord { schema_text: "aten::unique_dim_consecutive.out(Tensor self, int dim, bool return_inverse=False, bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", traits: &[OwnDType, Out, Writes], numerics: Close, functional: Some("aten::unique_dim_consecutive"), ..ROW },
];
