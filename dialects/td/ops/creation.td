//===- creation.td - The op table: tensors from sizes and numbers -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let numerics = Close; }
def : Op<"aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let numerics = Close; }
def : Op<"aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let numerics = Close; }
def : Op<"aten::arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)", [TorchMlir]>;

def : Op<"aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir]> { let numerics = Meta; }
def : Op<"aten::empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir]> { let numerics = Meta; }
def : Op<"aten::empty_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let numerics = Meta; }
def : Op<"aten::empty_strided.out(SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::eye.m_out(SymInt n, SymInt m, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::eye.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fill.Scalar(Tensor self, Scalar value) -> Tensor", [TorchMlir]>;
def : Op<"aten::fill.Tensor(Tensor self, Tensor value) -> Tensor", [TorchMlir]>;
def : Op<"aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::fill.Scalar_out(Tensor self, Scalar value, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::fill.Tensor_out(Tensor self, Tensor value, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::full_like.out(Tensor self, Scalar fill_value, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let numerics = Close; }
def : Op<"aten::linspace.Scalar_Tensor(Scalar start, Tensor end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; }
def : Op<"aten::linspace.Tensor_Scalar(Tensor start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; }
def : Op<"aten::linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; }
def : Op<"aten::linspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::linspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::linspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::linspace.out(Scalar start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::logspace(Scalar start, Scalar end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; }
def : Op<"aten::logspace.Scalar_Tensor(Scalar start, Tensor end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; }
def : Op<"aten::logspace.Tensor_Scalar(Tensor start, Scalar end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; }
def : Op<"aten::logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; }
def : Op<"aten::logspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, float base=10., *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::logspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, float base=10., *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::logspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, float base=10., *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::logspace.out(Scalar start, Scalar end, int steps, float base=10., *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let numerics = Meta; }
def : Op<"aten::new_empty.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let numerics = Meta; }
def : Op<"aten::new_empty_strided.out(Tensor self, SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::new_full.out(Tensor self, SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::new_ones.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::new_zeros.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::ones_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::scalar_tensor.out(Scalar s, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::tensor(t[] data, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor", [TorchMlir]>;
def : Op<"aten::tensor.bool(bool t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor", [TorchMlir]>;
def : Op<"aten::tensor.complex(complex t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor">;
def : Op<"aten::tensor.float(float t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor", [TorchMlir]>;
def : Op<"aten::tensor.int(int t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor", [TorchMlir]>;

def : Op<"aten::tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::tril_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::triu_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::zero(Tensor self) -> Tensor", [TorchMlir]>;
def : Op<"aten::zero_(Tensor(a!) self) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::zero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir]>;
def : Op<"aten::zeros_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"prims::iota(SymInt length, *, SymInt start, SymInt step, ScalarType dtype, Device device, bool requires_grad) -> Tensor", [TorchMlir]>;

def : Op<"aten::_dim_arange(Tensor like, int dim) -> Tensor">;

def : Op<"aten::_new_zeros_with_same_feature_meta(Tensor self, Tensor other, *, int self_num_batch_dims=0) -> Tensor"> { let numerics = Close; }
def : Op<"aten::_new_zeros_with_same_feature_meta.out(Tensor self, Tensor other, *, int self_num_batch_dims=0, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_no_grad_fill_(Tensor(a!) tensor, float val) -> Tensor(a!)">;

def : Op<"aten::_no_grad_zero_(Tensor(a!) tensor) -> Tensor(a!)">;

def : Op<"aten::as_tensor(Tensor(a) data, *, ScalarType? dtype=None, Device? device=None) -> Tensor(b|a)">;
def : Op<"aten::as_tensor.bool(bool t, *, ScalarType? dtype=None, Device? device=None) -> Tensor">;
def : Op<"aten::as_tensor.complex(complex t, *, ScalarType? dtype=None, Device? device=None) -> Tensor">;
def : Op<"aten::as_tensor.float(float t, *, ScalarType? dtype=None, Device? device=None) -> Tensor">;
def : Op<"aten::as_tensor.int(int t, *, ScalarType? dtype=None, Device? device=None) -> Tensor">;

def : Op<"aten::range(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; }
def : Op<"aten::range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; }
def : Op<"aten::range.out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::range.out_(Scalar start, Scalar end, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"prims::_make_token() -> Tensor"> { let numerics = Close; }

def : Op<"prims::_sink_tokens(Tensor[] tokens) -> ()">;

def : Op<"prims::empty(SymInt[] shape, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor"> { let numerics = Meta; }

def : Op<"prims::empty_permuted(SymInt[] shape, int[] physical_layout, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor"> { let numerics = Meta; }

def : Op<"prims::empty_strided(SymInt[] shape, SymInt[] strides, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor"> { let numerics = Meta; }

def : Op<"prims::fill(Tensor self, Scalar value) -> Tensor">;

def : Op<"prims::full(SymInt[] shape, Scalar fill_value, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor">;

def : Op<"prims::full_like(Tensor a, Scalar fill_value, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor">;
