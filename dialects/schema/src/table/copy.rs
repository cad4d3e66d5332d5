//! Rows of the op table, family `copy`. Made by `cargo xtask codegen` from dialects/td/ops/copy.td; do not edit.

#[allow(unused_imports)]
use crate::op::{Numerics::*, OpRecord, Trait::*};

const ROW: OpRecord = OpRecord { family: "copy", ..OpRecord::DEFAULT };

#[rustfmt::skip]
#[allow(clippy::approx_constant)]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "aten::_cast_Float(Tensor self, bool non_blocking=False) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::_cast_Long(Tensor self, bool non_blocking=False) -> Tensor", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::_to_copy.out(Tensor self, *, bool non_blocking=False, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], functional: Some("aten::_to_copy"), ..ROW },
    OpRecord { schema_text: "aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::clone.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], functional: Some("aten::clone"), ..ROW },
    OpRecord { schema_text: "aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)", in_torch_mlir: true, traits: &[MayView], ..ROW },
    OpRecord { schema_text: "aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)", in_torch_mlir: true, traits: &[InPlace, Writes], functional: Some("aten::copy"), ..ROW },
    OpRecord { schema_text: "aten::copy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", traits: &[InPlace, Writes], ..ROW },
    OpRecord { schema_text: "aten::copy_.float(Tensor(a!) self, float other) -> Tensor(a!)", traits: &[InPlace, Writes], ..ROW },
    OpRecord { schema_text: "aten::copy_.int(Tensor(a!) self, int other) -> Tensor(a!)", traits: &[InPlace, Writes], ..ROW },
    OpRecord { schema_text: "aten::copy.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], functional: Some("aten::copy"), ..ROW },
    OpRecord { schema_text: "aten::cpu(Tensor(a) self) -> Tensor(b|a)", in_torch_mlir: true, traits: &[MayView], ..ROW },
    OpRecord { schema_text: "aten::cuda(Tensor(a) self) -> Tensor(b|a)", in_torch_mlir: true, traits: &[MayView], ..ROW },
    OpRecord { schema_text: "aten::lift_fresh_copy(Tensor self) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::lift_fresh_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::lift_fresh_copy"), ..ROW },
    OpRecord { schema_text: "aten::resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Meta, ..ROW },
    OpRecord { schema_text: "aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)", in_torch_mlir: true, traits: &[InPlace, Writes], numerics: Meta, functional: Some("aten::resize"), ..ROW },
    OpRecord { schema_text: "aten::resize.out(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Meta, functional: Some("aten::resize"), ..ROW },
    OpRecord { schema_text: "aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", in_torch_mlir: true, traits: &[MayView], ..ROW },
    OpRecord { schema_text: "aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", in_torch_mlir: true, traits: &[MayView], ..ROW },
    OpRecord { schema_text: "aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", in_torch_mlir: true, traits: &[MayView], ..ROW },
    OpRecord { schema_text: "aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", in_torch_mlir: true, traits: &[MayView], ..ROW },
    OpRecord { schema_text: "aten::to.prim_Device(Tensor(a) self, Device? device, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)", in_torch_mlir: true, traits: &[MayView], ..ROW },
    OpRecord { schema_text: "aten::to.prim_dtype(Tensor(a) self, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)", traits: &[MayView], ..ROW },
    OpRecord { schema_text: "aten::to.prim_other(Tensor(a) self, bool non_blocking=False, bool copy=False) -> Tensor(b|a)", traits: &[MayView], ..ROW },
    OpRecord { schema_text: "aten::to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::to_mkldnn(Tensor self, ScalarType? dtype=None) -> Tensor", traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::to_mkldnn.out(Tensor self, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], functional: Some("aten::to_mkldnn"), ..ROW },
    OpRecord { schema_text: "aten::type_as(Tensor self, Tensor other) -> Tensor", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "prims::convert_element_type(Tensor a, ScalarType dtype) -> Tensor", in_torch_mlir: true, traits: &[Pure], ..ROW },
];
