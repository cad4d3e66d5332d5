//===- rearrange.td - The op table: copies of elements in another order or shape -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor", [TorchMlir]> { let shape = "view::reshape_alias"; let kernel = "view::reshape_alias_copy"; }
def : Op<"aten::_reshape_alias_copy.out(Tensor self, SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::alias_copy(Tensor self) -> Tensor", [TorchMlir]> { let shape = "view::alias"; let kernel = "view::alias_copy"; let quantized = "move_integers::copied"; }
def : Op<"aten::alias_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor", [TorchMlir]> { let shape = "view::as_strided"; let kernel = "view::as_strided_copy"; }
def : Op<"aten::as_strided_copy.out(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor", [TorchMlir]> { let shape = "rearrange::as_strided_scatter"; let kernel = "rearrange::as_strided_scatter"; }
def : Op<"aten::as_strided_scatter.out(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::cartesian_prod(Tensor[] tensors) -> Tensor", [MayView]> { let shape = "rearrange::cartesian_prod"; }

def : Op<"aten::cat(Tensor[] tensors, int dim=0) -> Tensor", [TorchMlir, Differentiable]> { let shape = "rearrange::cat"; let kernel = "rearrange::cat"; let quantized = "over_numbers::keep"; }
def : Op<"aten::cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::column_stack(Tensor[] tensors) -> Tensor", [TorchMlir]> { let shape = "rearrange::column_stack"; }
def : Op<"aten::column_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::detach_copy(Tensor self) -> Tensor", [TorchMlir]> { let shape = "view::alias"; let kernel = "view::alias_copy"; let quantized = "move_integers::copied"; }
def : Op<"aten::detach_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::diag(Tensor self, int diagonal=0) -> Tensor", [TorchMlir]> { let shape = "rearrange::diag"; }
def : Op<"aten::diag.out(Tensor self, int diagonal=0, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor", [TorchMlir]> { let shape = "rearrange::diag_embed"; }
def : Op<"aten::diag_embed.out(Tensor self, int offset=0, int dim1=-2, int dim2=-1, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor", [TorchMlir]> { let shape = "view::diagonal"; let kernel = "view::diagonal_copy"; }
def : Op<"aten::diagonal_copy.out(Tensor self, int offset=0, int dim1=0, int dim2=1, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor", [TorchMlir]> { let shape = "rearrange::diagonal_scatter"; let kernel = "rearrange::diagonal_scatter"; }
def : Op<"aten::diagonal_scatter.out(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor", [TorchMlir]> { let shape = "view::expand"; let kernel = "view::expand_copy"; let quantized = "move_integers::moved"; }
def : Op<"aten::expand_copy.out(Tensor self, SymInt[] size, *, bool implicit=False, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)"> { let shape = "rearrange::fill_diagonal"; let kernel = "rearrange::fill_diagonal"; }

def : Op<"aten::flip(Tensor self, int[] dims) -> Tensor", [TorchMlir]> { let shape = "rearrange::flip"; let kernel = "rearrange::flip"; let quantized = "move_integers::moved"; }
def : Op<"aten::flip.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::fliplr(Tensor self) -> Tensor", [TorchMlir]> { let shape = "rearrange::fliplr"; let quantized = "move_integers::moved"; }

def : Op<"aten::flipud(Tensor self) -> Tensor", [TorchMlir]> { let shape = "rearrange::flipud"; let quantized = "move_integers::moved"; }

def : Op<"aten::hstack(Tensor[] tensors) -> Tensor", [TorchMlir]> { let shape = "rearrange::hstack"; let quantized = "over_numbers::keep"; }
def : Op<"aten::hstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::permute_copy(Tensor self, int[] dims) -> Tensor", [TorchMlir]> { let shape = "view::permute"; let kernel = "view::permute_copy"; let quantized = "move_integers::moved"; }
def : Op<"aten::permute_copy.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::repeat(Tensor self, SymInt[] repeats) -> Tensor", [TorchMlir]> { let shape = "rearrange::repeat"; let kernel = "rearrange::repeat"; let quantized = "move_integers::moved"; }
def : Op<"aten::repeat.out(Tensor self, SymInt[] repeats, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor", [TorchMlir, DynamicOutputShape]> { let shape = "rearrange::repeat_interleave_counts"; let kernel = "rearrange::repeat_interleave_counts"; }
def : Op<"aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor", [DynamicOutputShape]> { let shape = "rearrange::repeat_interleave_tensor"; let kernel = "rearrange::repeat_interleave_tensor"; let refuses = [NoKernel<"repeat_interleave_cpu", [Bools, Floats, Complexes], "repeats">]; }
def : Op<"aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor", [TorchMlir]> { let shape = "rearrange::repeat_interleave_int"; let kernel = "rearrange::repeat_interleave_int"; let quantized = "move_integers::moved"; }
def : Op<"aten::repeat_interleave.Tensor_out(Tensor repeats, *, SymInt? output_size=None, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor", [TorchMlir]> { let shape = "rearrange::roll"; let kernel = "rearrange::roll"; let quantized = "move_integers::moved"; }
def : Op<"aten::roll.out(Tensor self, SymInt[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor", [TorchMlir]> { let shape = "rearrange::rot90"; let quantized = "move_integers::moved"; }
def : Op<"aten::rot90.out(Tensor self, int k=1, int[] dims=[0, 1], *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::select_copy.int(Tensor self, int dim, SymInt index) -> Tensor", [TorchMlir]> { let shape = "view::select"; let kernel = "view::select_copy"; let quantized = "move_integers::moved"; }
def : Op<"aten::select_copy.int_out(Tensor self, int dim, SymInt index, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor", [TorchMlir]> { let shape = "rearrange::select_scatter"; let kernel = "rearrange::select_scatter"; }
def : Op<"aten::select_scatter.out(Tensor self, Tensor src, int dim, SymInt index, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor", [TorchMlir]> { let shape = "view::slice"; let kernel = "view::slice_copy"; let quantized = "move_integers::moved"; }
def : Op<"aten::slice_copy.Tensor_out(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor", [TorchMlir]> { let shape = "rearrange::slice_scatter"; let kernel = "rearrange::slice_scatter"; }
def : Op<"aten::slice_scatter.out(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]", [TorchMlir]> { let shape = "view::split"; let kernel = "view::split_copy"; }

def : Op<"aten::split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]", [TorchMlir]> { let shape = "view::split_with_sizes"; let kernel = "view::split_with_sizes_copy"; }

def : Op<"aten::squeeze_copy(Tensor self) -> Tensor", [TorchMlir]> { let shape = "view::squeeze"; let kernel = "view::squeeze_copy"; let quantized = "move_integers::moved"; }
def : Op<"aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor", [TorchMlir]> { let shape = "view::squeeze_dim"; let kernel = "view::squeeze_dim_copy"; }
def : Op<"aten::squeeze_copy.dim_out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::squeeze_copy.dims_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::squeeze_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::stack(Tensor[] tensors, int dim=0) -> Tensor", [TorchMlir, Differentiable]> { let shape = "rearrange::stack"; let kernel = "rearrange::stack"; let quantized = "over_numbers::keep"; }
def : Op<"aten::stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::t_copy(Tensor self) -> Tensor", [TorchMlir]> { let shape = "view::t"; let kernel = "view::t_copy"; let quantized = "move_integers::moved"; }
def : Op<"aten::t_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::tile(Tensor self, SymInt[] dims) -> Tensor", [TorchMlir]> { let shape = "rearrange::tile"; let kernel = "rearrange::repeat"; let quantized = "move_integers::moved"; }

def : Op<"aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor", [TorchMlir]> { let shape = "view::transpose"; let kernel = "view::transpose_copy"; let quantized = "move_integers::moved"; }
def : Op<"aten::transpose_copy.int_out(Tensor self, int dim0, int dim1, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::tril(Tensor self, SymInt diagonal=0) -> Tensor", [TorchMlir]> { let shape = "rearrange::tril"; let kernel = "rearrange::tril"; }
def : Op<"aten::tril_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)", [TorchMlir, Overlaps]> { let kernel = "rearrange::triangle_inplace"; }
def : Op<"aten::tril.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::triu(Tensor self, SymInt diagonal=0) -> Tensor", [TorchMlir]> { let shape = "rearrange::triu"; let kernel = "rearrange::triu"; }
def : Op<"aten::triu_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)", [TorchMlir, Overlaps]> { let kernel = "rearrange::triangle_inplace"; }
def : Op<"aten::triu.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]", [TorchMlir]> { let shape = "view::unbind"; let kernel = "view::unbind_copy"; }

def : Op<"aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor", [TorchMlir]> { let shape = "view::unfold"; let kernel = "view::unfold_copy"; }
def : Op<"aten::unfold_copy.out(Tensor self, int dimension, int size, int step, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::unsqueeze_copy(Tensor self, int dim) -> Tensor", [TorchMlir]> { let shape = "view::unsqueeze"; let kernel = "view::unsqueeze_copy"; let quantized = "move_integers::moved"; }
def : Op<"aten::unsqueeze_copy.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::view_copy(Tensor self, SymInt[] size) -> Tensor", [TorchMlir]> { let shape = "view::reshape"; let kernel = "view::view_copy"; let quantized = "move_integers::moved"; }
def : Op<"aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor", [TorchMlir]> { let shape = "view::view_dtype"; let kernel = "view::view_dtype_copy"; }
def : Op<"aten::view_copy.dtype_out(Tensor self, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::view_copy.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::vstack(Tensor[] tensors) -> Tensor"> { let shape = "rearrange::vstack"; let quantized = "over_numbers::keep"; }
def : Op<"aten::vstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor"> { let shape = "rearrange::chunk_cat"; }
def : Op<"aten::_chunk_cat.out(Tensor[] tensors, int dim, int num_chunks, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_conj_copy(Tensor self) -> Tensor"> { let shape = "like::first"; }
def : Op<"aten::_conj_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_neg_view_copy(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first"; }
def : Op<"aten::_neg_view_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_nested_tensor_from_mask(Tensor t, Tensor mask, bool mask_check=True) -> Tensor"> { let shape = "like::first"; let kernel = "nested::from_mask"; }
def : Op<"aten::_nested_tensor_from_mask_left_aligned(Tensor t, Tensor mask) -> bool", [DataDependentOutput]> { let kernel = "nested::left_aligned"; }
def : Op<"aten::to_padded_tensor(Tensor self, float padding, int[]? output_size=None) -> Tensor", [Nested]> { let shape = "like::padded"; let kernel = "nested::to_padded"; }

def : Op<"aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)"> { let numerics = Close; let shape = "like::data_and_lengths"; }
def : Op<"aten::_pack_padded_sequence.out(Tensor input, Tensor lengths, bool batch_first, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [OwnDType]>;

def : Op<"aten::_pack_sequence(Tensor output, Tensor batch_sizes, Tensor? sorted_indices, Tensor? unsorted_indices) -> (Tensor, Tensor, Tensor?, Tensor?)", [MayView, ScriptOnly]> { let shape = "like::unknown"; }

def : Op<"aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, int total_length) -> (Tensor, Tensor)"> { let numerics = Close; let shape = "like::data_and_lengths"; let refuses = [Refuse<"'lengths' argument should be a 1D CPU int64 tensor, but got 1D cpu {} tensor", [Bools, Bytes, Floats, Complexes], "batch_sizes", "Runtime">]; }

def : Op<"aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor"> { let shape = "view::reshape"; let kernel = "view::view_copy"; }

def : Op<"aten::_stack(Tensor[] tensors, int dim=0) -> Tensor"> { let shape = "rearrange::stack"; let kernel = "rearrange::stack"; }
def : Op<"aten::_stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::block_diag(Tensor[] tensors) -> Tensor"> { let shape = "rearrange::block_diag"; }
def : Op<"aten::block_diag.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor"> {let shape = "rearrange::combinations"; }

def : Op<"aten::concat(Tensor[] tensors, int dim=0) -> Tensor"> { let shape = "rearrange::cat"; let kernel = "rearrange::cat"; let quantized = "over_numbers::keep"; }
def : Op<"aten::concat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor"> { let shape = "rearrange::cat"; let kernel = "rearrange::cat"; let quantized = "over_numbers::keep"; }
def : Op<"aten::concatenate.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::diagflat(Tensor self, int offset=0) -> Tensor"> {let shape = "rearrange::diagflat"; }

def : Op<"aten::diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor"> { let numerics = Close;let shape = "like::sized_by_second"; }
def : Op<"aten::diagonal_backward.out(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::dstack(Tensor[] tensors) -> Tensor"> { let shape = "rearrange::dstack"; }
def : Op<"aten::dstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::flatten_dense_tensors(Tensor[] tensors) -> Tensor"> { let numerics = Close; let shape = "like::dtype_of_elements"; }

def : Op<"aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor"> { let shape = "view::narrow"; let kernel = "view::narrow_copy"; }
def : Op<"aten::narrow_copy.out(Tensor self, int dim, SymInt start, SymInt length, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::native_channel_shuffle(Tensor self, SymInt groups) -> Tensor"> { let numerics = Close; let kernel = "rearrange::channel_shuffle"; let shape = "upsample::channel_shuffle"; let quantized = "move_integers::moved"; }

def : Op<"aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., str padding_side=\"right\") -> Tensor"> { let numerics = Close; let shape = "like::dtype_of_elements"; }

def : Op<"aten::row_stack(Tensor[] tensors) -> Tensor"> { let shape = "rearrange::vstack"; }
def : Op<"aten::row_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor"> { let numerics = Close;let shape = "like::sized_by_second"; }
def : Op<"aten::select_backward.out(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step) -> Tensor"> { let numerics = Close;let shape = "like::sized_by_second"; }
def : Op<"aten::slice_backward.out(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::split_copy.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, Tensor(a!)[] out) -> ()">;

def : Op<"aten::split_with_sizes_copy.out(Tensor self, SymInt[] split_sizes, int dim=0, *, Tensor(a!)[] out) -> ()">;

def : Op<"aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor"> { let shape = "view::squeeze_dims"; let kernel = "view::squeeze_dims_copy"; }

def : Op<"aten::unbind_copy.int_out(Tensor self, int dim=0, *, Tensor(a!)[] out) -> ()">;

def : Op<"aten::unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor"> { let numerics = Close; let shape = "rearrange::unfold_backward"; }
def : Op<"aten::unfold_backward.out(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]", [MayView]> { let shape = "view::split_with_sizes"; let numerics = Close; let kernel = "view::split_with_sizes"; }
def : Op<"aten::unsafe_split_with_sizes.out(Tensor self, SymInt[] split_sizes, int dim=0, *, Tensor(a!)[] out) -> ()", [OwnDType]>;

def : Op<"aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor"> { let numerics = Close; let shape = "like::dtype_of_first"; }

def : Op<"aten::view_as_complex_copy(Tensor self) -> Tensor"> { let shape = "view::view_as_complex"; let kernel = "view::view_as_complex_copy"; }
def : Op<"aten::view_as_complex_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::view_as_real_copy(Tensor self) -> Tensor"> { let shape = "view::view_as_real"; let kernel = "view::view_as_real_copy"; }
def : Op<"aten::view_as_real_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"prims::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt storage_offset) -> Tensor"> { let shape = "rearrange::as_strided_scatter"; let kernel = "rearrange::as_strided_scatter"; }

def : Op<"prims::cat(Tensor[] tensors, int dim) -> Tensor"> { let shape = "rearrange::cat"; let kernel = "rearrange::cat"; }

def : Op<"prims::copy_strided(Tensor a, SymInt[] stride) -> Tensor"> { let numerics = Close; let shape = "like::first"; }

def : Op<"prims::reshape(Tensor a, SymInt[] shape) -> Tensor"> { let shape = "view::reshape"; let kernel = "view::view_copy"; }

def : Op<"prims::rev(Tensor a, int[] dims) -> Tensor"> { let shape = "rearrange::flip"; let numerics = Close; let kernel = "rearrange::flip"; }
