//===- view.td - The op table: results that share storage with their argument -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)", [TorchMlir, MayView]>;

def : Op<"aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor", [TorchMlir]>;
def : Op<"aten::_unsafe_view.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::alias(Tensor(a) self) -> Tensor(a)", [TorchMlir]>;

def : Op<"aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)", [TorchMlir]>;
def : Op<"aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)">;

def : Op<"aten::atleast_1d(Tensor self) -> Tensor", [TorchMlir]>;

def : Op<"aten::atleast_2d(Tensor self) -> Tensor", [TorchMlir]>;

def : Op<"aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]", [TorchMlir]>;

def : Op<"aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)", [TorchMlir]>;

def : Op<"aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]", [TorchMlir]>;

def : Op<"aten::detach(Tensor(a) self) -> Tensor(a)", [TorchMlir]>;
def : Op<"aten::detach_(Tensor(a!) self) -> Tensor(a!)">;

def : Op<"aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)", [TorchMlir]>;

def : Op<"aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)", [TorchMlir]>;

def : Op<"aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)", [TorchMlir, MayView]>;

def : Op<"aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)", [TorchMlir, MayView]>;

def : Op<"aten::imag(Tensor(a) self) -> Tensor(a)", [TorchMlir]>;

def : Op<"aten::meshgrid(Tensor[] tensors) -> Tensor[]", [TorchMlir]>;
def : Op<"aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]", [TorchMlir]>;

def : Op<"aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)", [TorchMlir, MayView]>;
def : Op<"aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", [MayView]>;

def : Op<"aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)", [TorchMlir]>;
def : Op<"aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)", [TorchMlir]>;

def : Op<"aten::numpy_T(Tensor(a) self) -> Tensor(a)", [TorchMlir]> { let numerics = Close; }
def : Op<"aten::numpy_T.a(Tensor(a) self) -> Tensor(a)">;

def : Op<"aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)", [TorchMlir]>;

def : Op<"aten::real(Tensor(a) self) -> Tensor(a)", [TorchMlir, MayView]>;

def : Op<"aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", [TorchMlir, MayView]>;

def : Op<"aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", [TorchMlir, MayView]> { let numerics = Close; }

def : Op<"aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)", [TorchMlir]>;

def : Op<"aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)", [TorchMlir]>;

def : Op<"aten::split(Tensor(a -> *) self, int[] split_sizes, int dim=0) -> Tensor(a)[]">;
def : Op<"aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]", [TorchMlir]>;
def : Op<"aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]", [TorchMlir]>;

def : Op<"aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]", [TorchMlir]>;

def : Op<"aten::squeeze(Tensor(a) self) -> Tensor(a)", [TorchMlir]>;
def : Op<"aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", [TorchMlir]>;
def : Op<"aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)">;
def : Op<"aten::squeeze_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)">;
def : Op<"aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)">;

def : Op<"aten::t(Tensor(a) self) -> Tensor(a)", [TorchMlir]>;
def : Op<"aten::t_(Tensor(a!) self) -> Tensor(a!)">;

def : Op<"aten::tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]", [TorchMlir]>;

def : Op<"aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", [TorchMlir]>;
def : Op<"aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)">;

def : Op<"aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", [TorchMlir]>;

def : Op<"aten::unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)", [TorchMlir, MayView]>;

def : Op<"aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", [TorchMlir]>;

def : Op<"aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]">;

def : Op<"aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", [TorchMlir]>;
def : Op<"aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)", [TorchMlir]>;

def : Op<"aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)", [TorchMlir]>;
def : Op<"aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)", [TorchMlir]>;

def : Op<"aten::view_as_complex(Tensor(a) self) -> Tensor(a)", [TorchMlir]>;

def : Op<"aten::view_as_real(Tensor(a) self) -> Tensor(a)", [TorchMlir]>;

def : Op<"prim::ConstantChunk(...) -> ...">;

def : Op<"prim::data(Tensor(a) a) -> Tensor(a)">;

def : Op<"prims::collapse(Tensor a, int start, int end) -> Tensor", [TorchMlir]> { let numerics = Close; }

def : Op<"prims::split_dim(Tensor(a) a, int dim, SymInt outer_length) -> Tensor(a)", [TorchMlir]> { let numerics = Close; }

def : Op<"prims::squeeze(Tensor(a) a, int[] dimensions) -> Tensor(a)", [TorchMlir]>;

def : Op<"prims::view_of(Tensor(a) a) -> Tensor(a)", [TorchMlir]> { let numerics = Close; }
