//! Rows of the op table, family `tensor_info`. Made by `cargo xtask codegen` from dialects/td/ops/tensor_info.td; do not edit.

#[allow(unused_imports)]
use crate::op::{Numerics::*, OpRecord, Trait::*};

const ROW: OpRecord = OpRecord { family: "tensor_info", ..OpRecord::DEFAULT };

#[rustfmt::skip]
#[allow(clippy::approx_constant)]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "aten::_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> ()", in_torch_mlir: true, traits: &[Effect], ..ROW },
    OpRecord { schema_text: "aten::_shape_as_tensor(Tensor self) -> Tensor", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::_size_if_not_equal(int[] self_size, int[] other_size) -> int[]?", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::device.with_index(str type, int index) -> Device", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::dim(Tensor self) -> int", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::element_size(Tensor self) -> int", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::is_complex(Tensor self) -> bool", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::is_contiguous(Tensor self) -> bool", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::is_floating_point(Tensor self) -> bool", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::len.Tensor(Tensor t) -> int", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::numel(Tensor self) -> int", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::size(Tensor self) -> int[]", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::size.int(Tensor self, int dim) -> int", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::storage_offset(Tensor self) -> int", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::stride(Tensor self) -> int[]", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::stride.int(Tensor self, int dim) -> int", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()", in_torch_mlir: true, traits: &[Effect], ..ROW },
    OpRecord { schema_text: "aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()", in_torch_mlir: true, traits: &[Effect], ..ROW },
    OpRecord { schema_text: "aten::sym_is_contiguous(Tensor self, MemoryFormat memory_format=0) -> SymBool", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::sym_numel(Tensor self) -> SymInt", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::sym_size(Tensor self) -> SymInt[]", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::sym_size.int(Tensor self, int dim) -> SymInt", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::sym_storage_offset(Tensor self) -> SymInt", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::sym_stride.int(Tensor self, int dim) -> SymInt", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::values(Tensor(a) self) -> Tensor(a)", traits: &[View], ..ROW },
    OpRecord { schema_text: "prim::device(Tensor a) -> Device", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "prim::dtype(Tensor a) -> int", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "prim::is_cuda(Tensor a) -> bool", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "prim::is_nested(Tensor a) -> bool", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "prim::itemsize(Tensor a) -> int", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "prim::layout(Tensor a) -> Layout", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "prim::requires_grad(Tensor a) -> bool", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "prim::type(Device self) -> str", traits: &[Pure], ..ROW },
];
