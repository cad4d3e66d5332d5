//! Rows of the op table, family `prim`. Made by `cargo xtask codegen` from dialects/td/ops/prim.td; do not edit.

use crate::op::{Limits, OpRecord, Trait::*, Traits};

const ROW: OpRecord = OpRecord::DEFAULT;
const NONE: Limits = Limits::NONE;

#[rustfmt::skip]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "aten::_assert_async(Tensor self) -> ()", traits: Traits::of(&[Effect]), ..ROW },
    OpRecord { schema_text: "aten::_assert_async.msg(Tensor self, str assert_msg) -> ()", traits: Traits::of(&[Effect]), ..ROW },
    OpRecord { schema_text: "aten::_assert_scalar(Scalar self, str assert_msg) -> ()", in_torch_mlir: true, traits: Traits::of(&[Effect]), ..ROW },
    OpRecord { schema_text: "aten::_unwrap_optional(t(a)? optional) -> t(a)", traits: Traits::of(&[Effect, View]), ..ROW },
    OpRecord { schema_text: "aten::get_autocast_dtype(str device_type) -> ScalarType", traits: Traits::of(&[Effect]), ..ROW },
    OpRecord { schema_text: "aten::is_autocast_cpu_enabled() -> bool", traits: Traits::of(&[Effect]), ..ROW },
    OpRecord { schema_text: "aten::is_autocast_enabled() -> bool", traits: Traits::of(&[Effect]), ..ROW },
    OpRecord { schema_text: "aten::is_grad_enabled() -> bool", traits: Traits::of(&[Effect]), ..ROW },
    OpRecord { schema_text: "aten::set_grad_enabled(bool val) -> ()", traits: Traits::of(&[Effect]), ..ROW },
    OpRecord { schema_text: "aten::wait(Future(t) self) -> t", traits: Traits::of(&[Effect]), limits: &Limits { needs: Some("the interpreter: it is an instruction, not a kernel"), ..NONE }, ..ROW },
    OpRecord { schema_text: "aten::warn(str message, int stacklevel=2) -> ()", in_torch_mlir: true, traits: Traits::of(&[Effect]), ..ROW },
    OpRecord { schema_text: "prim::BroadcastMKLDNNTensors(...) -> ...", limits: &Limits { needs: Some("the oneDNN library"), ..NONE }, ..ROW },
    OpRecord { schema_text: "prim::BroadcastSizes(...) -> int[]", limits: &Limits { needs: Some("PyTorch's profiling executor"), ..NONE }, ..ROW },
    OpRecord { schema_text: "prim::ConstantMKLDNNTensor(...) -> ...", limits: &Limits { needs: Some("the oneDNN library"), ..NONE }, ..ROW },
    OpRecord { schema_text: "prim::DifferentiableGraph(...) -> ...", limits: &Limits { needs: Some("PyTorch's profiling executor"), ..NONE }, ..ROW },
    OpRecord { schema_text: "prim::EnumName(AnyEnumType enum) -> str", traits: Traits::of(&[Pure]), ..ROW },
    OpRecord { schema_text: "prim::EnumValue.float(AnyEnumType enum) -> float", traits: Traits::of(&[Pure]), ..ROW },
    OpRecord { schema_text: "prim::EnumValue.int(AnyEnumType enum) -> int", traits: Traits::of(&[Pure]), ..ROW },
    OpRecord { schema_text: "prim::EnumValue.str(AnyEnumType enum) -> str", traits: Traits::of(&[Pure]), ..ROW },
    OpRecord { schema_text: "prim::FusionGroup(...) -> ...", limits: &Limits { needs: Some("PyTorch's profiling executor"), ..NONE }, ..ROW },
    OpRecord { schema_text: "prim::IfThenElse(bool cond, Any(a) x, Any(b) y) -> Any(b|a)", traits: Traits::of(&[View]), ..ROW },
    OpRecord { schema_text: "prim::MMBatchSide(...) -> ...", ..ROW },
    OpRecord { schema_text: "prim::MMTreeReduce(...) -> Tensor", traits: Traits::of(&[ScriptOnly]), shape: Some(|a| crate::shape::rule(crate::shape::matmul::mm_tree_reduce, a, ())), ..ROW },
    OpRecord { schema_text: "prim::ModuleContainerIndex.dict(Any self, str ind) -> Any", traits: Traits::of(&[Pure]), ..ROW },
    OpRecord { schema_text: "prim::ModuleContainerIndex.list(Any self, int ind) -> Any", traits: Traits::of(&[Pure]), ..ROW },
    OpRecord { schema_text: "prim::Print(...) -> ()", in_torch_mlir: true, traits: Traits::of(&[Effect]), limits: &Limits { needs: Some("the interpreter: it is an instruction, not a kernel"), ..NONE }, ..ROW },
    OpRecord { schema_text: "prim::RaiseException(str msg, str? cls=None) -> ()", in_torch_mlir: true, traits: Traits::of(&[Effect]), limits: &Limits { needs: Some("the interpreter: it is an instruction, not a kernel"), ..NONE }, ..ROW },
    OpRecord { schema_text: "prim::RequiresGradCheck(...) -> ...", limits: &Limits { needs: Some("PyTorch's profiling executor"), ..NONE }, ..ROW },
    OpRecord { schema_text: "prim::TupleIndex(Any tup, int i) -> Any", in_torch_mlir: true, traits: Traits::of(&[Pure]), ..ROW },
    OpRecord { schema_text: "prim::TupleUnpack(Any tup) -> ...", in_torch_mlir: true, traits: Traits::of(&[Pure]), ..ROW },
    OpRecord { schema_text: "prim::TypeCheck(...) -> ...", limits: &Limits { needs: Some("PyTorch's profiling executor"), ..NONE }, ..ROW },
    OpRecord { schema_text: "prim::Uninitialized() -> Any", in_torch_mlir: true, traits: Traits::of(&[Pure]), ..ROW },
    OpRecord { schema_text: "prim::mkldnn_convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int groups) -> Tensor", traits: Traits::of(&[ScriptOnly, Pure]), limits: &Limits { needs: Some("the oneDNN library"), ..NONE }, ..ROW },
    OpRecord { schema_text: "prim::profile(...) -> ...", limits: &Limits { needs: Some("PyTorch's profiling executor"), ..NONE }, ..ROW },
    OpRecord { schema_text: "prim::unchecked_cast(t x) -> t", in_torch_mlir: true, traits: Traits::of(&[Effect]), ..ROW },
    OpRecord { schema_text: "prim::VarConcat(...) -> Tensor", traits: Traits::of(&[ScriptOnly]), shape: Some(|a| crate::shape::rule(crate::shape::like::dtype_of_first, a, ())), ..ROW },
    OpRecord { schema_text: "prim::VarStack(...) -> Tensor", traits: Traits::of(&[ScriptOnly]), shape: Some(|a| crate::shape::rule(crate::shape::like::dtype_of_first, a, ())), ..ROW },
    OpRecord { schema_text: "prim::unchecked_unwrap_optional(t(a)? optional) -> t(a)", traits: Traits::of(&[View]), ..ROW },
];
