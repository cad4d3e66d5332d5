//===- tensor_info.td - The op table: questions about a tensor -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> ()", [TorchMlir, Effect]>;

def : Op<"aten::_shape_as_tensor(Tensor self) -> Tensor", [TorchMlir]>;

def : Op<"aten::_size_if_not_equal(int[] self_size, int[] other_size) -> int[]?">;

def : Op<"aten::device.with_index(str type, int index) -> Device", [TorchMlir]>;

def : Op<"aten::dim(Tensor self) -> int", [TorchMlir]>;

def : Op<"aten::element_size(Tensor self) -> int">;

def : Op<"aten::is_complex(Tensor self) -> bool">;

def : Op<"aten::is_contiguous(Tensor self) -> bool">;
def : Op<"aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool">;

def : Op<"aten::is_floating_point(Tensor self) -> bool", [TorchMlir]>;

def : Op<"aten::len.Tensor(Tensor t) -> int", [TorchMlir]>;

def : Op<"aten::numel(Tensor self) -> int", [TorchMlir]>;

def : Op<"aten::size(Tensor self) -> int[]", [TorchMlir]>;
def : Op<"aten::size.int(Tensor self, int dim) -> int", [TorchMlir]>;

def : Op<"aten::storage_offset(Tensor self) -> int">;

def : Op<"aten::stride(Tensor self) -> int[]">;
def : Op<"aten::stride.int(Tensor self, int dim) -> int">;

def : Op<"aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()", [TorchMlir, Effect]>;

def : Op<"aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()", [TorchMlir, Effect]>;

def : Op<"aten::sym_is_contiguous(Tensor self, MemoryFormat memory_format=0) -> SymBool">;

def : Op<"aten::sym_numel(Tensor self) -> SymInt">;

def : Op<"aten::sym_size(Tensor self) -> SymInt[]">;
def : Op<"aten::sym_size.int(Tensor self, int dim) -> SymInt">;

def : Op<"aten::sym_storage_offset(Tensor self) -> SymInt">;

def : Op<"aten::sym_stride.int(Tensor self, int dim) -> SymInt">;

def : Op<"aten::values(Tensor(a) self) -> Tensor(a)">;

def : Op<"prim::device(Tensor a) -> Device", [TorchMlir]>;

def : Op<"prim::dtype(Tensor a) -> int", [TorchMlir]>;

def : Op<"prim::is_cuda(Tensor a) -> bool">;

def : Op<"prim::is_nested(Tensor a) -> bool">;

def : Op<"prim::itemsize(Tensor a) -> int">;

def : Op<"prim::layout(Tensor a) -> Layout", [TorchMlir]>;

def : Op<"prim::requires_grad(Tensor a) -> bool">;

def : Op<"prim::type(Device self) -> str">;
