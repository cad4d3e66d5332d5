//===- sort.td - The op table: sorting, searching and uniqueness -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)", [DynamicOutputShape]> { let shape = "sort::unique"; let refuses = [NoKernel<"unique", [Complexes], "self">]; let kernel = "unique::unique2"; }
def : Op<"aten::_unique2.out(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", [OwnDType]>;

def : Op<"aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", [TorchMlir]> { let shape = "sort::argsort"; let kernel = "sort::argsort"; }
def : Op<"aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor"> { let shape = "sort::argsort_stable"; let kernel = "sort::argsort_stable"; }
def : Op<"aten::argsort.stable_out(Tensor self, *, bool stable, int dim=-1, bool descending=False, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor"> { let shape = "sort::bucketize"; let kernel = "sort::bucketize"; }
def : Op<"aten::bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor", [TorchMlir]> { let shape = "sort::bucketize"; let kernel = "sort::bucketize"; }
def : Op<"aten::bucketize.Scalar_out(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::bucketize.Tensor_out(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)", [TorchMlir]> { let shape = "sort::kthvalue"; let kernel = "selection::kthvalue"; }
def : Op<"aten::kthvalue.values(Tensor self, SymInt k, int dim=-1, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)">;

def : Op<"aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor"> { let shape = "sort::searchsorted"; let kernel = "sort::searchsorted"; }
def : Op<"aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor"> { let shape = "sort::searchsorted"; let kernel = "sort::searchsorted"; }
def : Op<"aten::searchsorted.Scalar_out(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::searchsorted.Tensor_out(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)", [TorchMlir]> { let shape = "sort::sort"; let kernel = "sort::sort"; let quantized = "over_numbers::keep"; }
def : Op<"aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)"> { let shape = "sort::sort_stable"; let kernel = "sort::sort_stable"; let quantized = "over_numbers::keep"; }
def : Op<"aten::sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)">;
def : Op<"aten::sort.values_stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)">;

def : Op<"aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)", [TorchMlir]> { let shape = "sort::topk"; let kernel = "sort::topk"; let quantized = "over_numbers::keep"; }
def : Op<"aten::topk.values(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)">;

def : Op<"aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)", [TorchMlir, DynamicOutputShape]> { let shape = "sort::unique"; let refuses = [NoKernel<"unique", [Complexes], "self">]; let kernel = "unique::unique_consecutive"; }
def : Op<"aten::unique_consecutive.out(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", [OwnDType]>;

def : Op<"aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)", [TorchMlir, DynamicOutputShape]> { let shape = "sort::unique_dim"; let refuses = [NoKernel<"unique_dim", [Complexes], "self">]; let kernel = "unique::unique_dim"; }
def : Op<"aten::unique_dim.out(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", [OwnDType]>;

def : Op<"aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)", [DynamicOutputShape]> { let kernel = "unique::unique"; let shape = "like::data_and_lengths"; }
def : Op<"aten::_unique.out(Tensor self, bool sorted=True, bool return_inverse=False, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [OwnDType]>;

def : Op<"aten::msort(Tensor self) -> Tensor"> { let shape = "sort::msort"; let kernel = "sort::msort"; }
def : Op<"aten::msort.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)", [DynamicOutputShape]> { let shape = "sort::unique_dim"; let refuses = [NoKernel<"unique_dim", [Complexes], "self">]; let numerics = Close; let kernel = "unique::unique_dim_consecutive"; }
def : Op<"aten::unique_dim_consecutive.out(Tensor self, int dim, bool return_inverse=False, bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", [OwnDType]>;
