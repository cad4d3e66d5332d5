//===- view.td - The op table: results that share storage with their argument -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)", [TorchMlir, MayView, Quantized, Strides]> { let shape = "view::reshape_alias"; let kernel = "view::reshape_alias"; }

def : Op<"aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor", [MayView, TorchMlir, Quantized, Strides]> { let shape = "view::reshape"; let kernel = "view::view"; }
def : Op<"aten::_unsafe_view.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::alias(Tensor(a) self) -> Tensor(a)", [TorchMlir, Quantized]> { let shape = "view::alias"; let kernel = "view::alias"; }

def : Op<"aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)", [TorchMlir, Quantized, Strides]> { let shape = "view::as_strided"; let kernel = "view::as_strided"; }
def : Op<"aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)"> { let shape = "view::as_strided"; let kernel = "view::as_strided_inplace"; }

def : Op<"aten::atleast_1d(Tensor self) -> Tensor", [MayView, TorchMlir]> { let shape = "view::atleast_1d"; let kernel = "view::atleast_1d"; }

def : Op<"aten::atleast_2d(Tensor self) -> Tensor", [MayView, TorchMlir]> { let shape = "view::atleast_2d"; let kernel = "view::atleast_2d"; }

def : Op<"aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]", [MayView, TorchMlir]> { let kernel = "view::broadcast_tensors"; let shape = "like::broadcast_list"; }

def : Op<"aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)", [TorchMlir, Quantized]> { let shape = "view::expand"; let kernel = "view::expand"; }

def : Op<"aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]", [TorchMlir, Quantized]> { let shape = "view::chunk"; let kernel = "view::chunk"; }

def : Op<"aten::detach(Tensor(a) self) -> Tensor(a)", [TorchMlir, NoGradient, Quantized]> { let shape = "view::alias"; let kernel = "view::detach"; }
def : Op<"aten::detach_(Tensor(a!) self) -> Tensor(a!)", [NoGradient, Quantized]> { let shape = "view::alias"; let kernel = "view::detach_inplace"; }

def : Op<"aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)", [TorchMlir, Quantized]> { let shape = "view::diagonal"; let kernel = "view::diagonal"; }

def : Op<"aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)", [TorchMlir, Quantized]> { let shape = "view::expand"; let kernel = "view::expand"; }

def : Op<"aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)", [TorchMlir, MayView, Quantized]> { let shape = "view::expand_as"; let kernel = "view::expand_as"; }

def : Op<"aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)", [TorchMlir, MayView]> { let shape = "view::flatten"; let kernel = "view::flatten"; let quantized = "move_integers::reshaped"; }

def : Op<"aten::imag(Tensor(a) self) -> Tensor(a)", [TorchMlir]> { let shape = "view::imag"; let kernel = "view::imag"; }

def : Op<"aten::meshgrid(Tensor[] tensors) -> Tensor[]", [MayView, TorchMlir, Differentiable]> { let kernel = "view::meshgrid"; let shape = "view::meshgrid"; }
def : Op<"aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]", [MayView, TorchMlir]> { let kernel = "view::meshgrid"; let shape = "view::meshgrid"; }

def : Op<"aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)", [TorchMlir, MayView, Quantized]> { let shape = "view::movedim"; let kernel = "view::movedim"; }
def : Op<"aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", [MayView, Quantized]> { let shape = "view::movedim"; let kernel = "view::movedim"; }

def : Op<"aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)", [TorchMlir, Quantized]> { let shape = "view::narrow"; let kernel = "view::narrow"; }
def : Op<"aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)", [TorchMlir, Quantized]> { let kernel = "view::narrow_tensor"; let shape = "view::narrow_tensor"; }

def : Op<"aten::numpy_T(Tensor(a) self) -> Tensor(a)", [TorchMlir, Quantized]> { let shape = "view::numpy_t"; let numerics = Close; let kernel = "view::numpy_t"; }
def : Op<"aten::numpy_T.a(Tensor(a) self) -> Tensor(a)", [ScriptOnly]> { let shape = "view::numpy_t"; let kernel = "view::numpy_t"; }

def : Op<"aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)", [TorchMlir, Quantized, Differentiable]> { let shape = "view::permute"; let kernel = "view::permute"; }

def : Op<"aten::real(Tensor(a) self) -> Tensor(a)", [TorchMlir, MayView]> { let shape = "view::real"; let kernel = "view::real"; }

def : Op<"aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", [TorchMlir, MayView]> { let shape = "view::reshape"; let kernel = "view::reshape"; let quantized = "move_integers::reshaped"; }

def : Op<"aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", [TorchMlir, MayView]> { let shape = "view::reshape_as"; let numerics = Close; let kernel = "view::reshape_as"; let quantized = "move_integers::reshaped"; }

def : Op<"aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)", [TorchMlir, Quantized]> { let shape = "view::select"; let kernel = "view::select"; }

def : Op<"aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)", [TorchMlir, Quantized]> { let shape = "view::slice"; let kernel = "view::slice"; }

def : Op<"aten::split(Tensor(a -> *) self, int[] split_sizes, int dim=0) -> Tensor(a)[]", [Quantized, ScriptOnly]> { let shape = "view::split"; let kernel = "view::split"; }
def : Op<"aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]", [TorchMlir, Quantized, Differentiable]> { let shape = "view::split"; let kernel = "view::split"; }
def : Op<"aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]", [TorchMlir, Quantized]> { let shape = "view::split"; let kernel = "view::split"; }

def : Op<"aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]", [TorchMlir, Quantized, Differentiable]> { let shape = "view::split_with_sizes"; let kernel = "view::split_with_sizes"; }

def : Op<"aten::squeeze(Tensor(a) self) -> Tensor(a)", [TorchMlir, Quantized, Differentiable]> { let shape = "view::squeeze"; let kernel = "view::squeeze"; }
def : Op<"aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", [TorchMlir, Quantized, Differentiable]> { let shape = "view::squeeze_dim"; let kernel = "view::squeeze_dim"; }
def : Op<"aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)", [Quantized]> { let shape = "view::squeeze_dims"; let kernel = "view::squeeze_dims"; }
def : Op<"aten::squeeze_(Tensor(a!) self) -> Tensor(a!)", [Quantized]> { let shape = "view::squeeze"; let kernel = "view::squeeze_inplace"; }
def : Op<"aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)", [Quantized]> { let shape = "view::squeeze_dim"; let kernel = "view::squeeze_dim_inplace"; }
def : Op<"aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)", [Quantized]> { let shape = "view::squeeze_dims"; let kernel = "view::squeeze_dims_inplace"; }

def : Op<"aten::t(Tensor(a) self) -> Tensor(a)", [TorchMlir, Quantized, Differentiable]> { let shape = "view::t"; let kernel = "view::t"; }
def : Op<"aten::t_(Tensor(a!) self) -> Tensor(a!)", [Quantized]> { let shape = "view::t"; let kernel = "view::t_inplace"; }

def : Op<"aten::tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]", [TorchMlir, Quantized]> { let shape = "view::tensor_split"; let kernel = "view::tensor_split"; }

def : Op<"aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", [TorchMlir, Quantized]> { let shape = "view::transpose"; let kernel = "view::transpose"; }
def : Op<"aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", [Quantized]> { let shape = "view::transpose"; let kernel = "view::transpose_inplace"; }

def : Op<"aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", [TorchMlir, Quantized, Differentiable]> { let shape = "view::unbind"; let kernel = "view::unbind"; }

def : Op<"aten::unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)", [TorchMlir, MayView, Quantized]> { let shape = "view::unflatten"; let kernel = "view::unflatten"; }

def : Op<"aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", [TorchMlir, Quantized]> { let shape = "view::unfold"; let kernel = "view::unfold"; }

def : Op<"aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]", [MayView, Quantized]> { let shape = "view::chunk"; let kernel = "view::chunk"; }

def : Op<"aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", [TorchMlir, Quantized, Differentiable]> { let shape = "view::unsqueeze"; let kernel = "view::unsqueeze"; }
def : Op<"aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)", [TorchMlir, Quantized]> { let shape = "view::unsqueeze"; let kernel = "view::unsqueeze_inplace"; }

def : Op<"aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)", [TorchMlir, Quantized, Strides]> { let shape = "view::reshape"; let kernel = "view::view"; }
def : Op<"aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)", [TorchMlir, Strides]> { let shape = "view::view_dtype"; let kernel = "view::view_dtype"; }

def : Op<"aten::view_as_complex(Tensor(a) self) -> Tensor(a)", [TorchMlir, Strides]> { let shape = "view::view_as_complex"; let kernel = "view::view_as_complex"; }

def : Op<"aten::view_as_real(Tensor(a) self) -> Tensor(a)", [TorchMlir]> { let shape = "view::view_as_real"; let kernel = "view::view_as_real"; }

def : Op<"prim::ConstantChunk(...) -> ...", [Differentiable]> { let needs = "the interpreter: it is an instruction, not a kernel"; }
def : Op<"prim::data(Tensor(a) a) -> Tensor(a)", [NoGradient, ScriptOnly]> { let shape = "view::alias"; let kernel = "view::detach"; }

def : Op<"prims::collapse(Tensor a, int start, int end) -> Tensor", [TorchMlir]> { let shape = "view::collapse"; let numerics = Close; let kernel = "view::collapse_copy"; }

def : Op<"prims::split_dim(Tensor(a) a, int dim, SymInt outer_length) -> Tensor(a)", [TorchMlir, Strides]> { let shape = "view::split_dim"; let numerics = Close; let kernel = "view::split_dim"; }

def : Op<"prims::squeeze(Tensor(a) a, int[] dimensions) -> Tensor(a)", [TorchMlir]> { let shape = "view::squeeze_dims"; let kernel = "view::squeeze_dims"; }

def : Op<"prims::view_of(Tensor(a) a) -> Tensor(a)", [TorchMlir]> { let shape = "view::alias"; let numerics = Close; let kernel = "view::detach"; }

def : Op<"aten::_conj(Tensor(a) self) -> Tensor(a)"> { let shape = "view::alias"; let kernel = "conjugate::conj"; }

def : Op<"aten::_ncf_view(Tensor(a) self, int[] input_shape, int normalized_ndim) -> Tensor(a)", [ScriptOnly, Strides]> { let shape = "like::dtype_of_first"; }
def : Op<"aten::_neg_view(Tensor(a) self) -> Tensor(a)"> { let numerics = Close; let shape = "like::first"; }

def : Op<"aten::_remove_batch_dim(Tensor self, int level, SymInt batch_size, int out_dim) -> Tensor", [MayView]> { let numerics = Close; let shape = "like::dtype_of_first"; }
def : Op<"aten::adjoint(Tensor(a) self) -> Tensor(a)", [Quantized]> { let shape = "view::adjoint"; let kernel = "conjugate::m_h"; }

def : Op<"aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]", [MayView]> { let kernel = "view::atleast_1d_list"; let shape = "view::atleast_1d_list"; }

def : Op<"aten::atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]", [MayView]> { let kernel = "view::atleast_2d_list"; let shape = "view::atleast_2d_list"; }

def : Op<"aten::atleast_3d(Tensor self) -> Tensor", [MayView]> { let shape = "view::atleast_3d"; let kernel = "view::atleast_3d"; }
def : Op<"aten::atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]", [MayView]> { let kernel = "view::atleast_3d_list"; let shape = "view::atleast_3d_list"; }

def : Op<"aten::conj(Tensor(a) self) -> Tensor(a)", [MayView]> { let shape = "view::alias"; let kernel = "conjugate::conj"; }

def : Op<"aten::dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]"> { let shape = "view::dsplit"; let kernel = "view::dsplit"; }
def : Op<"aten::dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]"> { let shape = "view::dsplit"; let kernel = "view::dsplit"; }

def : Op<"aten::hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]"> { let shape = "view::hsplit"; let kernel = "view::hsplit"; }
def : Op<"aten::hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]"> { let shape = "view::hsplit"; let kernel = "view::hsplit"; }

def : Op<"aten::lift(Tensor self) -> Tensor", [MayView, Quantized]> { let shape = "view::alias"; let kernel = "prim::identity"; }
def : Op<"aten::lift.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::lift_fresh(Tensor(a) self) -> Tensor(a)", [MayView, Quantized]> { let shape = "view::alias"; let kernel = "prim::identity"; }

def : Op<"aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)"> { let shape = "view::diagonal"; let numerics = Close; let kernel = "view::diagonal"; }

def : Op<"aten::mH(Tensor(a) self) -> Tensor(a)", [Quantized]> { let shape = "view::m_h"; let numerics = Close; let kernel = "conjugate::m_h"; }
def : Op<"aten::mH.a(Tensor(a) self) -> Tensor(a)", [ScriptOnly]> { let shape = "view::m_h"; let kernel = "conjugate::m_h"; }

def : Op<"aten::mT(Tensor(a) self) -> Tensor(a)", [Quantized]> { let shape = "view::m_t"; let numerics = Close; let kernel = "view::m_t"; }
def : Op<"aten::mT.a(Tensor(a) self) -> Tensor(a)", [ScriptOnly]> { let shape = "view::m_t"; let kernel = "view::m_t"; }

def : Op<"aten::matrix_H(Tensor(a) self) -> Tensor(a)"> { let shape = "view::matrix_h"; let numerics = Close; let kernel = "conjugate::m_h"; }
def : Op<"aten::matrix_H.a(Tensor(a) self) -> Tensor(a)", [ScriptOnly]> { let shape = "view::matrix_h"; let kernel = "conjugate::m_h"; }

def : Op<"aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)", [Quantized]> { let shape = "view::movedim"; let kernel = "view::movedim"; }
def : Op<"aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", [Quantized]> { let shape = "view::movedim"; let kernel = "view::movedim"; }

def : Op<"aten::positive(Tensor(a) self) -> Tensor(a)", [MayView, Quantized]> { let shape = "like::first"; let kernel = "prim::identity"; let refuses = [Refuse<"The `+` operator, on a bool tensor is not supported.", [Bools]>]; }

def : Op<"aten::ravel(Tensor(a) self) -> Tensor(a)", [MayView]> { let shape = "view::ravel"; let kernel = "view::ravel"; let quantized = "move_integers::reshaped"; }

def : Op<"aten::resolve_conj(Tensor(a) self) -> Tensor(a)", [MayView, Quantized]> { let shape = "view::alias"; let kernel = "prim::identity"; }

def : Op<"aten::resolve_neg(Tensor(a) self) -> Tensor(a)", [MayView, Quantized]> { let shape = "view::alias"; let kernel = "prim::identity"; }

def : Op<"aten::slice_inverse(Tensor(a) self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)", [Strides]> { let numerics = Close; let shape = "like::first_in_sizes_of_second"; }

def : Op<"aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)", [Quantized]> { let shape = "view::transpose"; let kernel = "view::transpose"; }
def : Op<"aten::swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)"> { let shape = "view::transpose"; let kernel = "view::transpose_inplace"; }

def : Op<"aten::swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", [Quantized]> { let shape = "view::transpose"; let kernel = "view::transpose"; }
def : Op<"aten::swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)"> { let shape = "view::transpose"; let kernel = "view::transpose_inplace"; }

def : Op<"aten::tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]"> { let shape = "view::tensor_split"; let kernel = "view::tensor_split"; }
def : Op<"aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor(a)[]"> { let kernel = "view::tensor_split_by_tensor"; let shape = "like::unknown"; }

def : Op<"aten::unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]", [MayView, Strides]> { let numerics = Close; let shape = "like::each_of_second"; }

def : Op<"aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]", [MayView, Quantized]> { let shape = "view::split"; let kernel = "view::split"; }
def : Op<"aten::unsafe_split.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, Tensor(a!)[] out) -> ()", [OwnDType]>;

def : Op<"aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)", [Quantized, Strides]> { let shape = "view::reshape_as"; let kernel = "view::view_as"; }

def : Op<"aten::vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]"> { let shape = "view::vsplit"; let kernel = "view::vsplit"; }
def : Op<"aten::vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]"> { let shape = "view::vsplit"; let kernel = "view::vsplit"; }

def : Op<"prims::as_strided(Tensor(a!) a, SymInt[] size, SymInt[] stride, SymInt storage_offset) -> Tensor(a!)"> { let shape = "view::as_strided"; let kernel = "view::as_strided"; }

def : Op<"prims::broadcast_in_dim(Tensor(a) a, SymInt[] shape, int[] broadcast_dimensions) -> Tensor(a)"> { let shape = "view::broadcast_in_dim"; let kernel = "view::broadcast_in_dim"; }

def : Op<"prims::collapse_view(Tensor(a) a, int start, int end) -> Tensor(a)", [Strides]> { let shape = "view::collapse"; let kernel = "view::collapse_view"; }

def : Op<"prims::conj(Tensor(a) a) -> Tensor(a)", [MayView]> { let shape = "view::alias"; let kernel = "conjugate::conj"; }

def : Op<"prims::imag(Tensor(a) self) -> Tensor(a)"> { let shape = "view::imag"; let kernel = "view::imag"; }

def : Op<"prims::real(Tensor(a) self) -> Tensor(a)"> { let shape = "view::real"; let kernel = "view::real"; }

def : Op<"prims::transpose(Tensor(a) a, int[] permutation) -> Tensor(a)"> { let shape = "view::permute"; let kernel = "view::permute"; }

def : Op<"prims::view_of_dtype(Tensor(a) a, ScalarType dtype) -> Tensor(a)", [Strides]> { let shape = "view::view_dtype"; let numerics = Close; let kernel = "view::view_dtype"; }
