//===- reduce.td - The op table: reductions and scans -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::all(Tensor self) -> Tensor", [TorchMlir]> { let fold = (all $self); }
def : Op<"aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", [TorchMlir]> { let fold = (all $self); }
def : Op<"aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor"> { let fold = (all $self); }
def : Op<"aten::all.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::all.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::all.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool equal_nan=False) -> bool", [DataDependentOutput]> { let shape = "reduce::allclose"; }

def : Op<"aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", [TorchMlir]> { let fold = (amax $self); let refuses = [NoKernelForSome<"max_values_cpu", [Complexes]>]; }
def : Op<"aten::amax.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)", [SameDType, Overlaps]>;

def : Op<"aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", [TorchMlir]> { let fold = (amin $self); let refuses = [NoKernelForSome<"min_values_cpu", [Complexes]>]; }
def : Op<"aten::amin.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)", [SameDType, Overlaps]>;

def : Op<"aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)", [TorchMlir]> { let shape = "reduce::aminmax"; let fold = (results (amin $self), (amax $self)); }
def : Op<"aten::aminmax.out(Tensor self, *, int? dim=None, bool keepdim=False, Tensor(a!) min, Tensor(b!) max) -> (Tensor(a!) min, Tensor(b!) max)">;

def : Op<"aten::any(Tensor self) -> Tensor", [TorchMlir]> { let fold = (any $self); }
def : Op<"aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", [TorchMlir]> { let fold = (any $self); }
def : Op<"aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", [TorchMlir]> { let fold = (any $self); }
def : Op<"aten::any.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::any.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::any.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", [TorchMlir]> { let fold = (argmax $self); let refuses = [Refuse<"argmax(): does not support complex input", [Complexes], "", "Type">, Refuse<"argmax(): does not support bool input", [Bools]>]; }
def : Op<"aten::argmax.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", [TorchMlir]> { let fold = (argmin $self); let refuses = [Refuse<"argmin(): does not support complex input", [Complexes], "", "Type">, Refuse<"argmin(): does not support bool input", [Bools]>]; }
def : Op<"aten::argmin.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor", [TorchMlir, DynamicOutputShape]> { let shape = "reduce::bincount"; let kernel = "counts::bincount"; }
def : Op<"aten::bincount.out(Tensor self, Tensor? weights=None, SymInt minlength=0, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::count_nonzero(Tensor self, int? dim=None) -> Tensor", [TorchMlir]> { let fold = (count $self); }
def : Op<"aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", [TorchMlir]> { let fold = (count $self); }
def : Op<"aten::count_nonzero.dim_IntList_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::count_nonzero.out(Tensor self, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)"> { let fold = (running (amax $self), (argmax $self)); let refuses = [NoKernel<"cummax_cpu", [Complexes]>]; }
def : Op<"aten::cummax.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)">;

def : Op<"aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (running (prod $self)); let refuses = [NoKernelForSome<"cumprod_out_cpu", [Bools, HalfComplexes], "result">]; }
def : Op<"aten::cumprod_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)", [Destined]>;
def : Op<"aten::cumprod.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", [Destined]>;

def : Op<"aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (running (sum $self)); let refuses = [NoKernelForSome<"cumsum_out_cpu", [Bools, HalfComplexes], "result">]; }
def : Op<"aten::cumsum_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)", [Destined]>;
def : Op<"aten::cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", [Destined]>;

def : Op<"aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor"> { let numerics = Close; let shape = "reduce::diff"; }
def : Op<"aten::diff.out(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::equal(Tensor self, Tensor other) -> bool", [DataDependentOutput]> { let shape = "reduce::equal"; let kernel = "reduce::equal"; let quantized = "over_numbers::equal"; }

def : Op<"aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (norm $self); }
def : Op<"aten::frobenius_norm.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor"> { let shape = "reduce::histc"; let kernel = "counts::histc"; let refuses = [NoKernel<"linspace_cpu", [Bools]>, NoKernel<"histogram_cpu", [Ints]>]; }
def : Op<"aten::histc.out(Tensor self, int bins=100, Scalar min=0, Scalar max=0, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (norm $self, $ord); }
def : Op<"aten::linalg_vector_norm.out(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::logcumsumexp(Tensor self, int dim) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (running (logsumexp $self)); let refuses = [NoKernel<"logcumsumexp_out_cpu", [Bools, Ints]>]; }
def : Op<"aten::logcumsumexp.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let fold = (logsumexp $self); }
def : Op<"aten::logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::max(Tensor self) -> Tensor", [TorchMlir]> { let quantized = "over_numbers::keep"; let fold = (amax $self); let refuses = [NoKernelForSome<"max_all", [Complexes]>]; }
def : Op<"aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", [TorchMlir]> { let quantized = "over_numbers::keep"; let fold = (results (amax $self), (argmax $self)); let refuses = [Refuse<"max(): does not support complex input", [Complexes], "", "Type">]; }
def : Op<"aten::max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values) -> (Tensor(a!) values, Tensor(b!) indices)", [OwnDType]>;
def : Op<"aten::max.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let quantized = "over_numbers::averaged"; let fold = (mean $self); }
def : Op<"aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let quantized = "over_numbers::averaged"; let fold = (mean $self); }
def : Op<"aten::mean.dtype_out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::mean.out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", [Overlaps]>;

def : Op<"aten::median(Tensor self) -> Tensor"> { let shape = "reduce::median"; let kernel = "reduce::median"; }
def : Op<"aten::median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"> { let shape = "reduce::median_dim"; let kernel = "reduce::median_dim"; }
def : Op<"aten::median.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)", [OwnDType]>;
def : Op<"aten::median.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::min(Tensor self) -> Tensor", [TorchMlir]> { let quantized = "over_numbers::keep"; let fold = (amin $self); let refuses = [NoKernelForSome<"min_all", [Complexes]>]; }
def : Op<"aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", [TorchMlir]> { let quantized = "over_numbers::keep"; let fold = (results (amin $self), (argmin $self)); let refuses = [Refuse<"min(): does not support complex input", [Complexes], "", "Type">]; }
def : Op<"aten::min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!) min_indices) -> (Tensor(a!) values, Tensor(b!) indices)", [OwnDType]>;
def : Op<"aten::min.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (norm $self, $p); }
def : Op<"aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (norm $self, $p); }
def : Op<"aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) -> Tensor"> { let numerics = Close; let fold = (norm $self, $p); }
def : Op<"aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor"> { let numerics = Close; let fold = (norm $self, $p); }
def : Op<"aten::norm.ScalarOpt_dtype_out(Tensor self, Scalar? p, *, ScalarType dtype, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::norm.Scalar_out(Tensor self, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::norm.dtype_out(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::norm.out(Tensor self, Scalar? p, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor"> { let numerics = Close; let shape = "linalg::nuclear_norm"; let kernel = "decompositions::nuclear_norm"; let refuses = [Refuse<"linalg.matrix_norm: Low precision dtypes not supported. Got {}", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor"> { let numerics = Close; let shape = "linalg::nuclear_norm_dim"; let kernel = "decompositions::nuclear_norm_dim"; let refuses = [Refuse<"linalg.matrix_norm: Low precision dtypes not supported. Got {}", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::nuclear_norm.dim_out(Tensor self, int[2] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::nuclear_norm.out(Tensor self, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (prod $self); let refuses = [NoKernelForSome<"sum_cpu", [HalfComplexes], "result">]; }
def : Op<"aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (prod $self); }
def : Op<"aten::prod.int_out(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", [Destined, Overlaps]>;
def : Op<"aten::prod.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::std(Tensor self, bool unbiased=True) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let quantized = "over_numbers::keep"; let fold = (std $self, $unbiased); }
def : Op<"aten::std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let quantized = "over_numbers::keep"; let fold = (std $self, $correction); }
def : Op<"aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let quantized = "over_numbers::keep"; let fold = (std $self, $unbiased); }
def : Op<"aten::std.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::std.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (sum $self); let refuses = [NoKernelForSome<"sum_cpu", [HalfComplexes], "result">]; }
def : Op<"aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (sum $self); let refuses = [NoKernelForSome<"sum_cpu", [HalfComplexes], "result">]; }
def : Op<"aten::sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", [Destined, Overlaps]>;
def : Op<"aten::sum.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::trace(Tensor self) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "reduce::trace"; let refuses = [NoKernel<"trace", [Bools, HalfComplexes], "self">]; }
def : Op<"aten::trace.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::var(Tensor self, bool unbiased=True) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let fold = (var $self, $unbiased); }
def : Op<"aten::var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let fold = (var $self, $correction); }
def : Op<"aten::var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let fold = (var $self, $unbiased); }
def : Op<"aten::var.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::var.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)"> { let numerics = Loose; }

def : Op<"aten::var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", [TorchMlir]> { let numerics = Close; let fold = (results (var $self, $unbiased), (mean $self)); }
def : Op<"aten::var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)", [TorchMlir]> { let numerics = Close; let fold = (results (var $self, $correction), (mean $self)); }
def : Op<"aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)", [TorchMlir]> { let numerics = Close; let fold = (results (var $self, $unbiased), (mean $self)); }
def : Op<"aten::var_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [OwnDType]>;

def : Op<"prims::prod(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (prod $inp); }

def : Op<"prims::sum(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (sum $inp); }

def : Op<"prims::var(Tensor inp, int[]? dims, float? correction=1, *, ScalarType? output_dtype=None) -> Tensor", [TorchMlir]> { let numerics = Close; let fold = (var $inp, $correction); }

def : Op<"aten::_aminmax(Tensor self) -> (Tensor, Tensor)"> { let shape = "reduce::aminmax_all"; let fold = (results (amin $self), (amax $self)); }
def : Op<"aten::_aminmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)"> { let shape = "reduce::aminmax_dim"; }
def : Op<"aten::_aminmax.dim_out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [OwnDType]>;
def : Op<"aten::_aminmax.out(Tensor self, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [OwnDType]>;

def : Op<"aten::_cummax_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()"> { let shape = "like::nothing"; let refuses = [LongIndices<"indices">]; let alike = [Alike<"self values">]; }

def : Op<"aten::_cummin_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()"> { let shape = "like::nothing"; let numerics = Close; let refuses = [LongIndices<"indices">]; let alike = [Alike<"self values">]; }

def : Op<"aten::_grad_sum_to_size(Tensor(a) self, int[]? size) -> Tensor(a)", [MayView, Differentiable, ScriptOnly]> { let shape = "like::dtype_of_first"; }

def : Op<"aten::_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor[]"> { let numerics = Close; let shape = "reduce::histogramdd_edges"; let kernel = "statistics::histogramdd_edges"; let refuses = [NoKernel<"histogramdd", [HalfFloats]>]; }
def : Op<"aten::_histogramdd_bin_edges.out(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False, Tensor(a!)[] out) -> ()", [OwnDType]>;

def : Op<"aten::_histogramdd_from_bin_cts(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor"> { let numerics = Close; let shape = "reduce::histogramdd_counts"; let kernel = "statistics::histogramdd_counts"; let refuses = [NoKernel<"histogramdd", [HalfFloats]>]; }
def : Op<"aten::_histogramdd_from_bin_cts.out(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False) -> Tensor"> { let numerics = Close; let shape = "reduce::histogramdd_tensors"; let kernel = "statistics::histogramdd_tensors"; }
def : Op<"aten::_histogramdd_from_bin_tensors.out(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_is_all_true(Tensor self) -> Tensor"> { let fold = (all $self); }

def : Op<"aten::_is_any_true(Tensor self) -> Tensor"> { let fold = (any $self); }

def : Op<"aten::_logcumsumexp(Tensor self, int dim) -> Tensor"> { let numerics = Close; let fold = (running (logsumexp $self)); let refuses = [NoKernel<"logcumsumexp_out_cpu", [Bools, Ints]>]; }
def : Op<"aten::_logcumsumexp.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)"> { let fold = (running (amin $self), (argmin $self)); let refuses = [NoKernel<"cummin_cpu", [Complexes]>]; }
def : Op<"aten::cummin.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)">;

def : Op<"aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor"> { let numerics = Close; let shape = "reduce::cumulative_trapezoid_dx"; }
def : Op<"aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor"> { let numerics = Close; let shape = "reduce::cumulative_trapezoid_x"; }

def : Op<"aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]"> { let numerics = Close; let shape = "reduce::gradient_array"; let kernel = "statistics::gradient"; let refuses = [Refuse<"torch.gradient does not support uint8 input.", [Bytes]>]; }
def : Op<"aten::gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1) -> Tensor[]"> { let numerics = Close; let shape = "reduce::gradient"; let kernel = "statistics::gradient"; let refuses = [Refuse<"torch.gradient does not support uint8 input.", [Bytes]>]; }
def : Op<"aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int edge_order=1) -> Tensor[]"> { let numerics = Close; let shape = "reduce::gradient"; let kernel = "statistics::gradient"; let refuses = [Refuse<"torch.gradient does not support uint8 input.", [Bytes]>]; }
def : Op<"aten::gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, int edge_order=1) -> Tensor[]"> { let numerics = Close; let shape = "reduce::gradient"; let kernel = "statistics::gradient"; let refuses = [Refuse<"torch.gradient does not support uint8 input.", [Bytes]>]; }
def : Op<"aten::gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, int edge_order=1) -> Tensor[]"> { let numerics = Close; let shape = "reduce::gradient"; let kernel = "statistics::gradient"; let refuses = [Refuse<"torch.gradient does not support uint8 input.", [Bytes]>]; }
def : Op<"aten::gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int edge_order=1) -> Tensor[]"> { let numerics = Close; let shape = "reduce::gradient"; let kernel = "statistics::gradient"; let refuses = [Refuse<"torch.gradient does not support uint8 input.", [Bytes]>]; }
def : Op<"aten::gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, int edge_order=1) -> Tensor[]"> { let numerics = Close; let shape = "reduce::gradient"; let kernel = "statistics::gradient"; let refuses = [Refuse<"torch.gradient does not support uint8 input.", [Bytes]>]; }

def : Op<"aten::hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor"> { let shape = "reduce::hash"; let kernel = "statistics::hash"; let refuses = [NoKernel<"xor_sum_cpu", [Complexes]>]; }
def : Op<"aten::hash_tensor.out(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)"> { let numerics = Close; let shape = "reduce::histogram"; let kernel = "statistics::histogram"; let refuses = [NoKernel<"histogramdd", [HalfFloats]>]; }
def : Op<"aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)"> { let numerics = Close; let shape = "reduce::histogram_bins"; let kernel = "statistics::histogram_bins"; }
def : Op<"aten::histogram.bin_ct_out(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False, Tensor(a!) hist, Tensor(b!) bin_edges) -> (Tensor(a!) hist, Tensor(b!) bin_edges)">;
def : Op<"aten::histogram.bins_tensor_out(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False, Tensor(a!) hist, Tensor(b!) bin_edges) -> (Tensor(a!) hist, Tensor(b!) bin_edges)">;

def : Op<"aten::histogramdd(Tensor self, int[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)"> { let numerics = Close; let shape = "reduce::histogramdd"; let kernel = "statistics::histogramdd"; let refuses = [NoKernel<"histogramdd", [HalfFloats]>]; }
def : Op<"aten::histogramdd.TensorList_bins(Tensor self, Tensor[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)", [MayView]> { let numerics = Close; let shape = "reduce::histogramdd_borders"; let kernel = "statistics::histogramdd"; }
def : Op<"aten::histogramdd.int_bins(Tensor self, int bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)"> { let numerics = Close; let shape = "reduce::histogramdd"; let kernel = "statistics::histogramdd"; let refuses = [NoKernel<"histogramdd", [HalfFloats]>]; }

def : Op<"aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor"> { let shape = "reduce::isin"; }
def : Op<"aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False) -> Tensor"> { let shape = "reduce::isin"; }
def : Op<"aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor"> { let shape = "reduce::isin"; }
def : Op<"aten::isin.Scalar_Tensor_out(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::isin.Tensor_Scalar_out(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::isin.Tensor_Tensor_out(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg__powsum(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> { let numerics = Close; let shape = "reduce::powsum"; }

def : Op<"aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)"> { let shape = "reduce::mode"; let kernel = "reduce::mode"; }
def : Op<"aten::mode.values(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)", [OwnDType]>;

def : Op<"aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> { let numerics = Close; let shape = "reduce::nanmean"; }
def : Op<"aten::nanmean.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::nanmedian(Tensor self) -> Tensor"> { let shape = "reduce::nanmedian"; }
def : Op<"aten::nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"> { let shape = "reduce::median_dim"; }
def : Op<"aten::nanmedian.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)", [OwnDType]>;
def : Op<"aten::nanmedian.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> Tensor"> { let numerics = Close; let shape = "reduce::nanquantile"; }
def : Op<"aten::nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> Tensor"> { let numerics = Close; let shape = "reduce::nanquantile_scalar"; }
def : Op<"aten::nanquantile.out(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\", Tensor(a!) out) -> Tensor(a!)", [SameDType]>;
def : Op<"aten::nanquantile.scalar_out(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\", Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> { let numerics = Close; let shape = "reduce::nansum"; let fold = (sum (select (isnan $self), 0, $self)); }
def : Op<"aten::nansum.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", [Destined]>;

def : Op<"aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor"> { let numerics = Close; let shape = "reduce::norm_except_dim"; }

def : Op<"aten::quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> Tensor"> { let numerics = Close; let shape = "reduce::quantile"; }
def : Op<"aten::quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> Tensor"> { let numerics = Close; let shape = "reduce::quantile_scalar"; }
def : Op<"aten::quantile.out(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\", Tensor(a!) out) -> Tensor(a!)", [SameDType]>;
def : Op<"aten::quantile.scalar_out(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\", Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor"> { let numerics = Close; let shape = "reduce::segment_reduce"; let kernel = "statistics::segment_reduce"; let refuses = [NoKernel<"_segment_reduce_lengths_cpu_kernel1", [Bools, Bytes, Floats, Complexes], "lengths">]; }
def : Op<"aten::segment_reduce.out(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor"> { let numerics = Close; let fold = (logsumexp $self); }
def : Op<"aten::special_logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)"> { let numerics = Close; let fold = (results (std $self, $unbiased), (mean $self)); }
def : Op<"aten::std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)"> { let numerics = Close; let fold = (results (std $self, $correction), (mean $self)); }
def : Op<"aten::std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)"> { let numerics = Close; let fold = (results (std $self, $unbiased), (mean $self)); }
def : Op<"aten::std_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [OwnDType]>;

def : Op<"aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor"> { let numerics = Close; let shape = "reduce::sum_to_size"; let kernel = "reduce::sum_to_size"; }

def : Op<"aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor"> { let numerics = Close; let shape = "reduce::trapezoid_dx"; }
def : Op<"aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor"> { let numerics = Close; let shape = "reduce::trapezoid_x"; }

def : Op<"aten::trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor"> { let numerics = Close; let shape = "reduce::trapezoid_dx"; }
def : Op<"aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor"> { let numerics = Close; let shape = "reduce::trapezoid_x"; }

def : Op<"prims::amax(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor"> { let fold = (amax $inp); }

def : Op<"prims::amin(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor"> { let fold = (amin $inp); }
