//===- tensor_info.td - The op table: questions about a tensor -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> ()", [TorchMlir, Effect, Quantized]> { let kernel = "tensor_info::assert_tensor_metadata"; }

def : Op<"aten::_shape_as_tensor(Tensor self) -> Tensor", [TorchMlir, Quantized]> { let kernel = "tensor_info::shape_as_tensor"; let shape = "like::indices"; }

def : Op<"aten::_size_if_not_equal(int[] self_size, int[] other_size) -> int[]?", [MayView, Quantized]> { let kernel = "facts::size_if_not_equal"; }

def : Op<"aten::device.with_index(str type, int index) -> Device", [TorchMlir]> { let kernel = "tensor_info::make_device"; }

def : Op<"aten::dim(Tensor self) -> int", [TorchMlir, Nested, Quantized]> { let kernel = "tensor_info::dim"; }

def : Op<"aten::element_size(Tensor self) -> int", [Quantized]> { let kernel = "tensor_info::element_size"; }

def : Op<"aten::is_complex(Tensor self) -> bool", [Quantized]> { let kernel = "tensor_info::is_complex"; }

def : Op<"aten::is_contiguous(Tensor self) -> bool", [Quantized]> { let kernel = "tensor_info::is_contiguous"; }
def : Op<"aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool", [Quantized]> { let kernel = "tensor_info::is_contiguous"; }

def : Op<"aten::is_floating_point(Tensor self) -> bool", [TorchMlir, Quantized]> { let kernel = "tensor_info::is_floating_point"; }

def : Op<"aten::len.Tensor(Tensor t) -> int", [TorchMlir, Quantized]> { let kernel = "tensor_info::len"; }

def : Op<"aten::numel(Tensor self) -> int", [TorchMlir, Quantized]> { let kernel = "tensor_info::numel"; }

def : Op<"aten::size(Tensor self) -> int[]", [TorchMlir, Quantized]> { let kernel = "tensor_info::size"; }
def : Op<"aten::size.int(Tensor self, int dim) -> int", [TorchMlir, Quantized]> { let kernel = "tensor_info::size_int"; }

def : Op<"aten::storage_offset(Tensor self) -> int", [Quantized]> { let kernel = "tensor_info::storage_offset"; }

def : Op<"aten::stride(Tensor self) -> int[]", [Quantized]> { let kernel = "tensor_info::stride"; }
def : Op<"aten::stride.int(Tensor self, int dim) -> int", [Quantized]> { let kernel = "tensor_info::stride_int"; }

def : Op<"aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()", [TorchMlir, Effect]> { let kernel = "tensor_info::sym_constrain_range"; }

def : Op<"aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()", [TorchMlir, Effect]> { let kernel = "tensor_info::sym_constrain_range"; }

def : Op<"aten::sym_is_contiguous(Tensor self, MemoryFormat memory_format=0) -> SymBool"> { let kernel = "tensor_info::is_contiguous"; }

def : Op<"aten::sym_numel(Tensor self) -> SymInt", [Quantized]> { let kernel = "tensor_info::numel"; }

def : Op<"aten::sym_size(Tensor self) -> SymInt[]", [Quantized]> { let kernel = "tensor_info::size"; }
def : Op<"aten::sym_size.int(Tensor self, int dim) -> SymInt", [Quantized]> { let kernel = "tensor_info::size_int"; }

def : Op<"aten::sym_storage_offset(Tensor self) -> SymInt", [Quantized]> { let kernel = "tensor_info::storage_offset"; }

def : Op<"aten::sym_stride.int(Tensor self, int dim) -> SymInt", [Quantized]> { let kernel = "tensor_info::stride_int"; }

def : Op<"aten::values(Tensor(a) self) -> Tensor(a)"> { let needs = "a sparse tensor"; }
def : Op<"prim::device(Tensor a) -> Device", [TorchMlir]> { let kernel = "tensor_info::device"; }

def : Op<"prim::dtype(Tensor a) -> int", [TorchMlir]> { let kernel = "tensor_info::dtype"; }

def : Op<"prim::is_cuda(Tensor a) -> bool"> { let kernel = "tensor_info::is_cuda"; }

def : Op<"prim::is_nested(Tensor a) -> bool"> { let kernel = "tensor_info::is_nested"; }

def : Op<"prim::itemsize(Tensor a) -> int"> { let kernel = "tensor_info::element_size"; }

def : Op<"prim::layout(Tensor a) -> Layout", [TorchMlir]> { let kernel = "tensor_info::layout"; }

def : Op<"aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)", [NoGradient, Quantized]> { let kernel = "grad::require"; let shape = "like::dtype_of_first"; }

def : Op<"prim::grad(Tensor a) -> Tensor(*)", [NoGradient, ScriptOnly]> { let shape = "like::unknown"; let kernel = "grad::none"; }

def : Op<"prim::requires_grad(Tensor a) -> bool"> { let kernel = "tensor_info::requires_grad"; }

def : Op<"prim::type(Device self) -> str"> { let kernel = "tensor_info::device_type"; }

def : Op<"aten::_is_zerotensor(Tensor self) -> bool"> { let kernel = "tensor_info::never"; }

def : Op<"aten::can_cast(ScalarType from_, ScalarType to) -> bool"> { let kernel = "tensor_info::can_cast"; }

def : Op<"aten::dense_dim(Tensor self) -> int", [Quantized]> { let kernel = "tensor_info::dim"; }

def : Op<"aten::device(str a) -> Device", [Quantized]> { let kernel = "tensor_info::make_device"; }

def : Op<"aten::get_device(Tensor self) -> int", [Quantized]> { let kernel = "tensor_info::get_device"; }

def : Op<"aten::is_conj(Tensor self) -> bool", [Quantized]> { let kernel = "tensor_info::never"; }

def : Op<"aten::is_distributed(Tensor self) -> bool"> { let kernel = "tensor_info::never"; }

def : Op<"aten::is_inference(Tensor self) -> bool", [Quantized]> { let kernel = "tensor_info::never"; }

def : Op<"aten::is_leaf(Tensor self) -> bool", [Quantized]> { let kernel = "tensor_info::is_leaf"; }

def : Op<"aten::is_neg(Tensor self) -> bool", [Quantized]> { let kernel = "tensor_info::never"; }

def : Op<"aten::is_non_overlapping_and_dense(Tensor self) -> bool", [Quantized]> { let kernel = "tensor_info::is_non_overlapping_and_dense"; }

def : Op<"aten::is_nonzero(Tensor self) -> bool", [DataDependentOutput]> { let kernel = "tensor_info::is_nonzero"; let quantized = "over_numbers::plainly"; }

def : Op<"aten::is_same_size(Tensor self, Tensor other) -> bool", [Quantized]> { let kernel = "tensor_info::is_same_size"; }

def : Op<"aten::is_set_to(Tensor self, Tensor tensor) -> bool", [Quantized]> { let kernel = "tensor_info::is_set_to"; }

def : Op<"aten::is_signed(Tensor self) -> bool", [Quantized]> { let kernel = "tensor_info::is_signed"; }

def : Op<"aten::is_strides_like_format(Tensor self, MemoryFormat memory_format) -> bool"> { let kernel = "tensor_info::is_strides_like_format"; }

def : Op<"aten::isreal(Tensor self) -> Tensor"> { let shape = "like::truth_of_first"; }

def : Op<"aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType"> { let kernel = "tensor_info::promote_types"; }

def : Op<"aten::result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType"> { let kernel = "tensor_info::result_type"; }
def : Op<"aten::result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType"> { let kernel = "tensor_info::result_type"; }
def : Op<"aten::result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType"> { let kernel = "tensor_info::result_type"; }
def : Op<"aten::result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType"> { let kernel = "tensor_info::result_type"; }

def : Op<"aten::sym_stride(Tensor self) -> SymInt[]", [Quantized]> { let kernel = "tensor_info::stride"; }

def : Op<"prim::index(Device self) -> int?"> { let kernel = "tensor_info::device_index"; }

def : Op<"prim::is_cpu(Tensor a) -> bool"> { let kernel = "tensor_info::is_cpu"; }

def : Op<"prim::is_ipu(Tensor a) -> bool"> { let kernel = "tensor_info::never"; }

def : Op<"prim::is_maia(Tensor a) -> bool"> { let kernel = "tensor_info::never"; }

def : Op<"prim::is_meta(Tensor a) -> bool"> { let kernel = "tensor_info::is_meta"; }

def : Op<"prim::is_mkldnn(Tensor a) -> bool"> { let kernel = "tensor_info::never"; }

def : Op<"prim::is_mps(Tensor a) -> bool"> { let kernel = "tensor_info::never"; }

def : Op<"prim::is_mtia(Tensor a) -> bool"> { let kernel = "tensor_info::never"; }

def : Op<"prim::is_quantized(Tensor a) -> bool"> { let kernel = "quantized::is_quantized"; }

def : Op<"prim::is_sparse(Tensor a) -> bool"> { let kernel = "tensor_info::never"; }

def : Op<"prim::is_sparse_csr(Tensor a) -> bool"> { let kernel = "tensor_info::never"; }

def : Op<"prim::is_vulkan(Tensor a) -> bool"> { let kernel = "tensor_info::never"; }

def : Op<"prim::is_xla(Tensor a) -> bool"> { let kernel = "tensor_info::never"; }

def : Op<"prim::is_xpu(Tensor a) -> bool"> { let kernel = "tensor_info::never"; }

def : Op<"prim::nbytes(Tensor a) -> int"> { let kernel = "tensor_info::nbytes"; }
