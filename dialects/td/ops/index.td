//===- index.td - The op table: gather, scatter and indexing -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor", [TorchMlir]> { let shape = "index::same"; let kernel = "index::index_put"; }
def : Op<"aten::_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor(a!)", [TorchMlir]> { let shape = "index::same"; let numerics = Close; let kernel = "index::index_put_inplace"; }
def : Op<"aten::_index_put_impl.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]> { let numerics = Close; }

def : Op<"aten::_unsafe_index_put.hacked_twin(Tensor self, Tensor[] indices, Tensor values, bool accumulate=False) -> Tensor", [TorchMlir, ScriptOnly]> { let shape = "index::same"; let kernel = "index::index_put"; }

def : Op<"aten::argwhere(Tensor self) -> Tensor"> { let shape = "index::nonzero"; let kernel = "index::nonzero"; }

def : Op<"aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor", [TorchMlir]> { let shape = "index::gather"; let kernel = "index::gather"; let quantized = "move_integers::moved"; }
def : Op<"aten::gather.out(Tensor self, int dim, Tensor index, *, bool sparse_grad=False, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", [TorchMlir]> { let shape = "index::index"; let kernel = "index::index"; let quantized = "move_integers::moved"; }
def : Op<"aten::index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor", [TorchMlir, Differentiable, ScriptOnly]> { let shape = "index::index"; let kernel = "index::index"; }
def : Op<"aten::index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)", [SameDType, ApartFirst]>;

def : Op<"aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor"> { let shape = "index::index_add"; let numerics = Close; let kernel = "scatter::index_add"; }
def : Op<"aten::index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor(a!)">;
def : Op<"aten::index_add.out(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor", [TorchMlir]> { let shape = "index::same"; let numerics = Close; let kernel = "index::index_put"; }
def : Op<"aten::index_put.hacked_twin(Tensor self, Tensor[] indices, Tensor values, bool accumulate=False) -> Tensor", [TorchMlir, ScriptOnly]> { let shape = "index::same"; let numerics = Close; let kernel = "index::index_put"; }
def : Op<"aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)", [TorchMlir]> { let shape = "index::same"; let kernel = "index::index_put_inplace"; }
def : Op<"aten::index_put_.hacked_twin(Tensor(a!) self, Tensor[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)", [TorchMlir, ScriptOnly]> { let shape = "index::same"; let kernel = "index::index_put_inplace"; }
def : Op<"aten::index_put.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::index_select(Tensor self, int dim, Tensor index) -> Tensor", [TorchMlir]> { let shape = "index::index_select"; let kernel = "index::index_select"; let quantized = "move_integers::moved"; }
def : Op<"aten::index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!)", [SameDType, ApartFirst]>;

def : Op<"aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", [TorchMlir]> { let kernel = "index::masked_scatter"; let shape = "like::broadcast_of_two"; }
def : Op<"aten::masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::masked_scatter.out(Tensor self, Tensor mask, Tensor source, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::masked_select(Tensor self, Tensor mask) -> Tensor", [TorchMlir, DynamicOutputShape]> { let shape = "index::masked_select"; let kernel = "index::masked_select"; }
def : Op<"aten::masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)", [SameDType, ApartFirst]>;

def : Op<"aten::nonzero(Tensor self) -> Tensor", [TorchMlir, Differentiable, DynamicOutputShape]> { let shape = "index::nonzero"; let kernel = "index::nonzero"; }
def : Op<"aten::nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::nonzero_numpy(Tensor self) -> Tensor[]", [TorchMlir, DynamicOutputShape]> { let kernel = "index::nonzero_numpy"; let shape = "like::unknown"; }

def : Op<"aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor", [TorchMlir]> { let shape = "index::nonzero_static"; let kernel = "index::nonzero_static"; }
def : Op<"aten::nonzero_static.out(Tensor self, *, SymInt size, int fill_value=-1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor", [TorchMlir]> { let shape = "index::scatter_src"; let numerics = Close; let kernel = "scatter::scatter_with"; }
def : Op<"aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", [TorchMlir]> { let shape = "index::scatter_src"; let kernel = "scatter::scatter"; }
def : Op<"aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", [TorchMlir]> { let shape = "index::scatter_value"; let kernel = "scatter::scatter"; }
def : Op<"aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor"> { let shape = "index::scatter_value"; let numerics = Close; let kernel = "scatter::scatter_with"; }
def : Op<"aten::scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor(a!)">;
def : Op<"aten::scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor(a!)">;
def : Op<"aten::scatter.reduce_out(Tensor self, int dim, Tensor index, Tensor src, *, str reduce, Tensor(a!) out) -> Tensor(a!)", [ApartFirst]>;
def : Op<"aten::scatter.src_out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)", [ApartFirst]>;
def : Op<"aten::scatter.value_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType, ApartFirst]>;
def : Op<"aten::scatter.value_reduce_out(Tensor self, int dim, Tensor index, Scalar value, *, str reduce, Tensor(a!) out) -> Tensor(a!)", [ApartFirst]>;

def : Op<"aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", [TorchMlir]> { let shape = "index::scatter_src"; let numerics = Close; let kernel = "scatter::scatter_add"; }
def : Op<"aten::scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::scatter_add.out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)", [ApartFirst]>;

def : Op<"aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor", [TorchMlir]> { let shape = "index::scatter_reduce"; let numerics = Close; let kernel = "scatter::scatter_reduce"; }
def : Op<"aten::scatter_reduce_.two(Tensor(a!) self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::scatter_reduce.two_out(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::take(Tensor self, Tensor index) -> Tensor"> { let shape = "index::take"; let kernel = "index::take"; let quantized = "move_integers::moved"; }
def : Op<"aten::take.out(Tensor self, Tensor index, *, Tensor(a!) out) -> Tensor(a!)", [SameDType, ApartFirst]>;

def : Op<"aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor"> { let shape = "index::take_along_dim"; let kernel = "index::take_along_dim"; }
def : Op<"aten::take_along_dim.out(Tensor self, Tensor indices, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor"> { let shape = "index::index"; let kernel = "index::index"; }

def : Op<"aten::_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor"> { let shape = "index::same"; let numerics = Close; let kernel = "index::index_put"; }

def : Op<"aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor"> { let numerics = Close; let kernel = "scattered::masked_index"; let shape = "index::masked_index"; }

def : Op<"aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor values) -> Tensor"> { let numerics = Close; let shape = "like::first"; }

def : Op<"aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor"> { let shape = "index::same"; let kernel = "scatter::index_copy"; let refuses = [Refuse<"index_copy_(): Expected a long tensor for index, but got {}", [Bools, Bytes, Floats, Complexes], "index", "Runtime">]; }
def : Op<"aten::index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)">;
def : Op<"aten::index_copy.out(Tensor self, int dim, Tensor index, Tensor source, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor"> { let shape = "index::same"; let kernel = "scatter::index_fill"; }
def : Op<"aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor"> { let shape = "index::same"; let kernel = "scatter::index_fill"; }
def : Op<"aten::index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)", [Overlaps]>;
def : Op<"aten::index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) -> Tensor(a!)", [Overlaps]>;
def : Op<"aten::index_fill.int_Scalar_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::index_fill.int_Tensor_out(Tensor self, int dim, Tensor index, Tensor value, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor"> { let shape = "index::index_reduce"; let numerics = Close; let kernel = "scattered::index_reduce"; }
def : Op<"aten::index_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor(a!)">;
def : Op<"aten::index_reduce.out(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor"> { let numerics = Close; let shape = "like::sized_by_third"; }

def : Op<"aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor"> { let shape = "index::same"; let numerics = Close; let kernel = "scattered::put"; }
def : Op<"aten::put_(Tensor(a!) self, Tensor index, Tensor source, bool accumulate=False) -> Tensor(a!)">;
def : Op<"aten::put.out(Tensor self, Tensor index, Tensor source, bool accumulate=False, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_index_put_impl_.hacked_twin(Tensor(a!) self, Tensor[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor(a!)", [ScriptOnly]> { let shape = "index::same"; let numerics = Close; let kernel = "index::index_put_inplace"; }
def : Op<"aten::_unsafe_index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor", [ScriptOnly]> { let shape = "index::index"; let kernel = "index::index"; }
