//===- prim.td - The op table: operators of the language itself -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_assert_async(Tensor self) -> ()", [Effect]> { let kernel = "prim::assert_async"; }
def : Op<"aten::_assert_async.msg(Tensor self, str assert_msg) -> ()", [Effect]> { let kernel = "prim::assert_tensor"; }

def : Op<"aten::_assert_scalar(Scalar self, str assert_msg) -> ()", [TorchMlir, Effect]> { let kernel = "prim::assert_scalar"; }

def : Op<"aten::_unwrap_optional(t(a)? optional) -> t(a)", [Effect]> { let kernel = "prim::unwrap_optional"; }

def : Op<"aten::get_autocast_dtype(str device_type) -> ScalarType", [Effect]> { let kernel = "prim::autocast_dtype"; }

def : Op<"aten::is_autocast_cpu_enabled() -> bool", [Effect]> { let kernel = "prim::never"; }

def : Op<"aten::is_autocast_enabled() -> bool", [Effect]> { let kernel = "prim::never"; }

def : Op<"aten::is_grad_enabled() -> bool", [Effect]> { let kernel = "grad::enabled"; }

def : Op<"aten::set_grad_enabled(bool val) -> ()", [Effect]> { let kernel = "grad::set_enabled"; }

def : Op<"aten::wait(Future(t) self) -> t", [Effect]> { let needs = "the interpreter: it is an instruction, not a kernel"; }

def : Op<"aten::warn(str message, int stacklevel=2) -> ()", [TorchMlir, Effect]> { let kernel = "prim::warn"; }

def : Op<"prim::BroadcastMKLDNNTensors(...) -> ..."> { let needs = "the oneDNN library"; }

def : Op<"prim::BroadcastSizes(...) -> int[]"> { let needs = "PyTorch's profiling executor"; }

def : Op<"prim::ConstantMKLDNNTensor(...) -> ..."> { let needs = "the oneDNN library"; }

def : Op<"prim::DifferentiableGraph(...) -> ..."> { let needs = "PyTorch's profiling executor"; }

def : Op<"prim::EnumName(AnyEnumType enum) -> str"> { let kernel = "prim::enum_name"; }

def : Op<"prim::EnumValue.float(AnyEnumType enum) -> float"> { let kernel = "prim::enum_value"; }
def : Op<"prim::EnumValue.int(AnyEnumType enum) -> int"> { let kernel = "prim::enum_value"; }
def : Op<"prim::EnumValue.str(AnyEnumType enum) -> str"> { let kernel = "prim::enum_value"; }

def : Op<"prim::FusionGroup(...) -> ..."> { let needs = "PyTorch's profiling executor"; }

def : Op<"prim::IfThenElse(bool cond, Any(a) x, Any(b) y) -> Any(b|a)"> { let kernel = "prim::if_then_else"; }

def : Op<"prim::MMBatchSide(...) -> ..."> { let kernel = "batch_mm::batch_side"; }

def : Op<"prim::MMTreeReduce(...) -> Tensor", [ScriptOnly]> { let kernel = "batch_mm::tree_reduce"; let shape = "matmul::mm_tree_reduce"; }

def : Op<"prim::ModuleContainerIndex.dict(Any self, str ind) -> Any"> { let kernel = "prim::module_container_index"; }
def : Op<"prim::ModuleContainerIndex.list(Any self, int ind) -> Any"> { let kernel = "prim::module_container_index"; }

def : Op<"prim::Print(...) -> ()", [TorchMlir, Effect]> { let needs = "the interpreter: it is an instruction, not a kernel"; }

def : Op<"prim::RaiseException(str msg, str? cls=None) -> ()", [TorchMlir, Effect]> { let needs = "the interpreter: it is an instruction, not a kernel"; }

def : Op<"prim::RequiresGradCheck(...) -> ..."> { let needs = "PyTorch's profiling executor"; }

def : Op<"prim::TupleIndex(Any tup, int i) -> Any", [TorchMlir]> { let kernel = "prim::tuple_index"; }

def : Op<"prim::TupleUnpack(Any tup) -> ...", [TorchMlir]> { let kernel = "prim::tuple_unpack"; }

def : Op<"prim::TypeCheck(...) -> ..."> { let needs = "PyTorch's profiling executor"; }

def : Op<"prim::Uninitialized() -> Any", [TorchMlir]> { let kernel = "prim::uninitialized"; }

def : Op<"prim::mkldnn_convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int groups) -> Tensor", [ScriptOnly]> { let needs = "the oneDNN library"; }

def : Op<"prim::profile(...) -> ..."> { let needs = "PyTorch's profiling executor"; }

def : Op<"prim::unchecked_cast(t x) -> t", [TorchMlir, Effect]> { let kernel = "prim::identity"; }

def : Op<"prim::VarConcat(...) -> Tensor", [ScriptOnly]> { let shape = "like::dtype_of_first"; let kernel = "sequence::var_concat"; }

def : Op<"prim::VarStack(...) -> Tensor", [ScriptOnly]> { let shape = "like::dtype_of_first"; let kernel = "sequence::var_stack"; }

def : Op<"prim::unchecked_unwrap_optional(t(a)? optional) -> t(a)"> { let kernel = "prim::identity"; }
