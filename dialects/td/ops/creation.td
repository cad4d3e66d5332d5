//===- creation.td - The op table: tensors from sizes and numbers -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let shape = "creation::arange"; let numerics = Close; let kernel = "creation::arange"; }
def : Op<"aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let shape = "creation::arange_start"; let numerics = Close; let kernel = "creation::arange_start"; }
def : Op<"aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let shape = "creation::arange_step"; let numerics = Close; let kernel = "creation::arange_step"; }
def : Op<"aten::arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)", [TorchMlir]>;

def : Op<"aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir]> { let shape = "creation::sized"; let numerics = Meta; let kernel = "creation::empty"; }
def : Op<"aten::empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir, NoGradient]> { let shape = "creation::like"; let numerics = Meta; let kernel = "creation::zeros_like"; }
def : Op<"aten::empty_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let shape = "creation::strided_sized"; let numerics = Meta; let kernel = "creation::empty_strided"; }
def : Op<"aten::empty_strided.out(SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let shape = "creation::eye"; let kernel = "creation::eye"; }
def : Op<"aten::eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let shape = "creation::eye_m"; let kernel = "creation::eye"; }
def : Op<"aten::eye.m_out(SymInt n, SymInt m, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::eye.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fill.Scalar(Tensor self, Scalar value) -> Tensor", [TorchMlir]> { let shape = "creation::fill"; let kernel = "creation::fill"; }
def : Op<"aten::fill.Tensor(Tensor self, Tensor value) -> Tensor", [TorchMlir]> { let shape = "creation::fill"; let kernel = "creation::fill"; }
def : Op<"aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)", [TorchMlir]> { let shape = "creation::fill"; let kernel = "creation::fill_inplace"; let quantized = "over_numbers::fill_inplace"; }
def : Op<"aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)", [TorchMlir]> { let shape = "creation::fill"; let kernel = "creation::fill_inplace"; let quantized = "over_numbers::fill_inplace"; }
def : Op<"aten::fill.Scalar_out(Tensor self, Scalar value, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::fill.Tensor_out(Tensor self, Tensor value, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let shape = "creation::full"; let kernel = "creation::full"; }
def : Op<"aten::full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)"> { let kernel = "creation::full_out"; }

def : Op<"aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir, NoGradient]> { let shape = "creation::like_with"; let kernel = "creation::full_like"; }
def : Op<"aten::full_like.out(Tensor self, Scalar fill_value, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let shape = "creation::linspace"; let numerics = Close; let kernel = "creation::linspace"; }
def : Op<"aten::linspace.Scalar_Tensor(Scalar start, Tensor end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let shape = "creation::linspace"; let numerics = Close; let kernel = "creation::linspace"; }
def : Op<"aten::linspace.Tensor_Scalar(Tensor start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let shape = "creation::linspace"; let numerics = Close; let kernel = "creation::linspace"; }
def : Op<"aten::linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let shape = "creation::linspace"; let numerics = Close; let kernel = "creation::linspace"; }
def : Op<"aten::linspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::linspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::linspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::linspace.out(Scalar start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::logspace(Scalar start, Scalar end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let shape = "creation::logspace"; let numerics = Close; let kernel = "creation::logspace"; }
def : Op<"aten::logspace.Scalar_Tensor(Scalar start, Tensor end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let shape = "creation::logspace"; let numerics = Close; let kernel = "creation::logspace"; }
def : Op<"aten::logspace.Tensor_Scalar(Tensor start, Scalar end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let shape = "creation::logspace"; let numerics = Close; let kernel = "creation::logspace"; }
def : Op<"aten::logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let shape = "creation::logspace"; let numerics = Close; let kernel = "creation::logspace"; }
def : Op<"aten::logspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, float base=10., *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::logspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, float base=10., *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::logspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, float base=10., *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::logspace.out(Scalar start, Scalar end, int steps, float base=10., *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir, NoGradient]> { let shape = "creation::new_sized"; let numerics = Meta; let kernel = "creation::zeros"; }
def : Op<"aten::new_empty.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir, NoGradient]> { let shape = "creation::new_strided"; let numerics = Meta; let kernel = "creation::empty_strided"; }
def : Op<"aten::new_empty_strided.out(Tensor self, SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir, NoGradient]> { let shape = "creation::new_full"; let kernel = "creation::new_full"; }
def : Op<"aten::new_full.out(Tensor self, SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir, NoGradient]> { let shape = "creation::new_sized"; let kernel = "creation::ones"; }
def : Op<"aten::new_ones.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir, NoGradient]> { let shape = "creation::new_sized"; let kernel = "creation::zeros"; }
def : Op<"aten::new_zeros.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let shape = "creation::sized"; let kernel = "creation::ones"; }
def : Op<"aten::ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir, NoGradient]> { let shape = "creation::like"; let kernel = "creation::ones_like"; }
def : Op<"aten::ones_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let shape = "creation::scalar_tensor"; let kernel = "creation::scalar_tensor"; }
def : Op<"aten::scalar_tensor.out(Scalar s, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::tensor(t[] data, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor", [TorchMlir, NoGradient, ScriptOnly]> { let kernel = "creation::tensor"; let shape = "like::unknown"; }
def : Op<"aten::tensor.bool(bool t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor", [TorchMlir, ScriptOnly]> { let kernel = "creation::tensor_of_number"; let shape = "like::number"; }
def : Op<"aten::tensor.complex(complex t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor", [ScriptOnly]> { let kernel = "creation::tensor_of_number"; let shape = "like::number"; }
def : Op<"aten::tensor.float(float t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor", [TorchMlir, ScriptOnly]> { let kernel = "creation::tensor_of_number"; let shape = "like::number"; }
def : Op<"aten::tensor.int(int t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor", [TorchMlir, ScriptOnly]> { let kernel = "creation::tensor_of_number"; let shape = "like::number"; }

def : Op<"aten::tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let shape = "creation::tril_indices"; }
def : Op<"aten::tril_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let shape = "creation::triu_indices"; }
def : Op<"aten::triu_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::zero(Tensor self) -> Tensor", [TorchMlir]> { let shape = "creation::same"; let kernel = "creation::zero"; }
def : Op<"aten::zero_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]> { let shape = "creation::same"; let kernel = "creation::zero_inplace"; }
def : Op<"aten::zero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let shape = "creation::sized"; let kernel = "creation::zeros"; }
def : Op<"aten::zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir, NoGradient]> { let shape = "creation::like"; let kernel = "creation::zeros_like"; }
def : Op<"aten::zeros_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"prims::iota(SymInt length, *, SymInt start, SymInt step, ScalarType dtype, Device device, bool requires_grad) -> Tensor", [TorchMlir]> { let shape = "creation::iota"; let kernel = "creation::iota"; }

def : Op<"aten::_dim_arange(Tensor like, int dim) -> Tensor", [Differentiable]> {let shape = "like::indices"; }

def : Op<"aten::_new_zeros_with_same_feature_meta(Tensor self, Tensor other, *, int self_num_batch_dims=0) -> Tensor", [NoGradient]> { let numerics = Close; let shape = "like::batch_and_features"; }
def : Op<"aten::_new_zeros_with_same_feature_meta.out(Tensor self, Tensor other, *, int self_num_batch_dims=0, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_no_grad_fill_(Tensor(a!) tensor, float val) -> Tensor(a!)", [ScriptOnly]> { let kernel = "creation::fill_inplace"; let shape = "like::first"; }

def : Op<"aten::_no_grad_zero_(Tensor(a!) tensor) -> Tensor(a!)", [ScriptOnly]> { let kernel = "creation::zero_inplace"; let shape = "like::first"; }

def : Op<"aten::as_tensor(Tensor(a) data, *, ScalarType? dtype=None, Device? device=None) -> Tensor(b|a)", [ScriptOnly]> { let kernel = "creation::as_tensor"; let shape = "like::unknown"; }
def : Op<"aten::as_tensor.bool(bool t, *, ScalarType? dtype=None, Device? device=None) -> Tensor", [ScriptOnly]> { let kernel = "creation::tensor_of_number"; let shape = "like::number"; }
def : Op<"aten::as_tensor.complex(complex t, *, ScalarType? dtype=None, Device? device=None) -> Tensor", [ScriptOnly]> { let kernel = "creation::tensor_of_number"; let shape = "like::number"; }
def : Op<"aten::as_tensor.float(float t, *, ScalarType? dtype=None, Device? device=None) -> Tensor", [ScriptOnly]> { let kernel = "creation::tensor_of_number"; let shape = "like::number"; }
def : Op<"aten::as_tensor.int(int t, *, ScalarType? dtype=None, Device? device=None) -> Tensor", [ScriptOnly]> { let kernel = "creation::tensor_of_number"; let shape = "like::number"; }

def : Op<"aten::range(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let shape = "creation::range_inclusive"; let numerics = Close; let kernel = "creation::range_inclusive"; }
def : Op<"aten::range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let shape = "creation::range_inclusive_step"; let numerics = Close; let kernel = "creation::range_inclusive"; }
def : Op<"aten::range.out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::range.out_(Scalar start, Scalar end, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"prims::_make_token() -> Tensor"> { let numerics = Close; let shape = "like::token"; }

def : Op<"prims::_sink_tokens(Tensor[] tokens) -> ()">;

def : Op<"prims::empty(SymInt[] shape, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor"> { let shape = "creation::sized"; let numerics = Meta; let kernel = "creation::zeros"; }

def : Op<"prims::empty_permuted(SymInt[] shape, int[] physical_layout, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor"> { let numerics = Meta; let shape = "creation::sized_with"; }

def : Op<"prims::empty_strided(SymInt[] shape, SymInt[] strides, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor"> { let numerics = Meta; let shape = "creation::sized_with"; }

def : Op<"prims::fill(Tensor self, Scalar value) -> Tensor"> { let shape = "creation::fill"; let kernel = "creation::fill"; }

def : Op<"prims::full(SymInt[] shape, Scalar fill_value, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor"> { let shape = "creation::full"; let kernel = "creation::full"; }

def : Op<"prims::full_like(Tensor a, Scalar fill_value, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor"> { let shape = "creation::like_with"; let kernel = "creation::full_like"; }

def : Op<"aten::_efficientzerotensor(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let shape = "creation::sized"; let kernel = "creation::zeros"; }
