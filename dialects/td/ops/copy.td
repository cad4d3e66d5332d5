//===- copy.td - The op table: copies and conversions -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_cast_Float(Tensor self, bool non_blocking=False) -> Tensor", [MayView, TorchMlir, Groups]> { let numerics = Close; let kernel = "copy::cast_float"; let shape = "like::single_of_first"; }

def : Op<"aten::_cast_Long(Tensor self, bool non_blocking=False) -> Tensor", [MayView, TorchMlir]> { let kernel = "copy::cast_long"; let shape = "like::longs"; }

def : Op<"aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir]> { let kernel = "copy::to_copy"; let shape = "like::in_second"; }
def : Op<"aten::_to_copy.out(Tensor self, *, bool non_blocking=False, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir]> { let shape = "creation::same"; let kernel = "copy::clone"; let quantized = "move_integers::copied"; }
def : Op<"aten::clone.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)", [TorchMlir, MayView, Differentiable, Rows]> { let shape = "creation::same"; let kernel = "copy::contiguous"; let quantized = "move_integers::copied"; }

def : Op<"aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor", [TorchMlir]> { let shape = "creation::same"; let kernel = "copy::copy"; }
def : Op<"aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)", [TorchMlir]> { let shape = "creation::same"; let kernel = "copy::copy_inplace"; let quantized = "over_numbers::copy_inplace"; }
def : Op<"aten::copy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", [ScriptOnly]> { let shape = "creation::same"; let kernel = "copy::copy_inplace"; }
def : Op<"aten::copy_.float(Tensor(a!) self, float other) -> Tensor(a!)", [ScriptOnly]> { let shape = "creation::same"; let kernel = "copy::copy_inplace"; }
def : Op<"aten::copy_.int(Tensor(a!) self, int other) -> Tensor(a!)", [ScriptOnly]> { let shape = "creation::same"; let kernel = "copy::copy_inplace"; }
def : Op<"aten::copy.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::cpu(Tensor(a) self) -> Tensor(b|a)", [TorchMlir, MayView, Quantized, ScriptOnly]> { let shape = "creation::same"; let kernel = "prim::identity"; }

def : Op<"aten::cuda(Tensor(a) self) -> Tensor(b|a)", [TorchMlir, MayView, ScriptOnly]> { let needs = "a CUDA device"; }
def : Op<"aten::lift_fresh_copy(Tensor self) -> Tensor", [TorchMlir, Quantized]> { let shape = "creation::same"; let numerics = Close; let kernel = "copy::plain_copy"; }
def : Op<"aten::lift_fresh_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir]> { let numerics = Meta; let kernel = "copy::resize"; let shape = "like::sized_by_second"; }
def : Op<"aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)", [TorchMlir]> { let kernel = "copy::resize_inplace"; let shape = "like::sized_by_second"; }
def : Op<"aten::resize.out(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", [TorchMlir, MayView, Quantized]> { let kernel = "copy::to_device"; let shape = "like::in_third"; }
def : Op<"aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", [TorchMlir, MayView, Quantized]> { let kernel = "copy::to_dtype"; let shape = "like::in_second"; }
def : Op<"aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", [TorchMlir, MayView, Quantized]> { let kernel = "copy::to_dtype_layout"; let shape = "like::in_second"; }
def : Op<"aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", [TorchMlir, MayView, Quantized]> { let kernel = "copy::to_other"; let shape = "like::first_as_second"; }
def : Op<"aten::to.prim_Device(Tensor(a) self, Device? device, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)", [TorchMlir, MayView, Quantized, Differentiable, ScriptOnly]> { let kernel = "copy::to_prim_device"; let shape = "like::in_third"; }
def : Op<"aten::to.prim_dtype(Tensor(a) self, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)", [MayView, Quantized, ScriptOnly]> { let kernel = "copy::to_dtype"; let shape = "like::in_second"; }
def : Op<"aten::to.prim_other(Tensor(a) self, bool non_blocking=False, bool copy=False) -> Tensor(b|a)", [MayView, Quantized, ScriptOnly]> { let kernel = "copy::to_prim_other"; let shape = "like::first"; }

def : Op<"aten::to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor", [MayView]> { let numerics = Close; let kernel = "copy::to_dense"; let shape = "like::in_second"; }

def : Op<"aten::to_mkldnn(Tensor self, ScalarType? dtype=None) -> Tensor"> { let needs = "the oneDNN library"; }
def : Op<"aten::to_mkldnn.out(Tensor self, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]> { let needs = "the oneDNN library"; }
def : Op<"aten::type_as(Tensor self, Tensor other) -> Tensor", [MayView, TorchMlir, Quantized, Groups, Differentiable]> { let kernel = "copy::type_as"; let shape = "like::first_as_second"; }

def : Op<"prims::convert_element_type(Tensor a, ScalarType dtype) -> Tensor", [TorchMlir]> { let kernel = "copy::convert_element_type"; let shape = "like::in_second"; }

def : Op<"aten::_autocast_to_full_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled) -> Tensor(a)", [MayView, Differentiable]> { let kernel = "prim::identity"; let shape = "like::sizes_of_first"; }

def : Op<"aten::_autocast_to_reduced_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled, ScalarType cuda_dtype, ScalarType cpu_dtype) -> Tensor(a)", [MayView, Differentiable]> { let shape = "like::sizes_of_first"; }

def : Op<"aten::_cast_Byte(Tensor self, bool non_blocking=False) -> Tensor", [MayView]> { let kernel = "copy::cast_byte"; let shape = "like::bytes"; }

def : Op<"aten::_cast_Char(Tensor self, bool non_blocking=False) -> Tensor", [MayView]> { let kernel = "copy::cast_char"; let shape = "like::chars"; }

def : Op<"aten::_cast_Double(Tensor self, bool non_blocking=False) -> Tensor", [MayView]> { let numerics = Loose; let kernel = "copy::cast_double"; let shape = "like::doubles"; }

def : Op<"aten::_cast_Half(Tensor self, bool non_blocking=False) -> Tensor", [MayView]> { let numerics = Close; let kernel = "copy::cast_half"; let shape = "like::halves"; }

def : Op<"aten::_cast_Int(Tensor self, bool non_blocking=False) -> Tensor", [MayView]> { let kernel = "copy::cast_int"; let shape = "like::ints"; }

def : Op<"aten::_cast_Short(Tensor self, bool non_blocking=False) -> Tensor", [MayView]> { let kernel = "copy::cast_short"; let shape = "like::shorts"; }

def : Op<"aten::_conj_physical(Tensor self) -> Tensor"> { let shape = "view::alias"; let kernel = "conjugate::conj"; }
def : Op<"aten::_conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_saturate_weight_to_fp16(Tensor weight) -> Tensor", [MayView]> { let kernel = "prim::identity"; let shape = "like::first"; }

def : Op<"aten::_to_cpu(Tensor[] tensors) -> Tensor[]", [MayView]> { let kernel = "copy_on_write::copied_list"; let shape = "like::list_of_first"; }

def : Op<"aten::chalf(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor"> { let numerics = Close; let shape = "like::complex_half"; }

def : Op<"aten::conj_physical(Tensor self) -> Tensor", [MayView]> { let shape = "view::alias"; let kernel = "conjugate::conj"; }
def : Op<"aten::conj_physical_(Tensor(a!) self) -> Tensor(a!)"> { let shape = "view::alias"; let kernel = "conjugate::conj_inplace"; }
def : Op<"aten::conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [SameDType]>;

def : Op<"aten::resize_as(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor"> { let numerics = Meta; let shape = "like::first_in_sizes_of_second"; }
def : Op<"aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)"> { let kernel = "copy::resize_as_inplace"; let shape = "like::first_in_sizes_of_second"; }
def : Op<"aten::resize_as.out(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::set(Tensor self) -> Tensor"> { let shape = "like::dtype_of_first"; }
def : Op<"aten::set.source_Tensor(Tensor self, Tensor source) -> Tensor", [Effect]> { let shape = "like::dtype_of_first"; }
def : Op<"aten::set_(Tensor(a!) self) -> Tensor(a!)", [Effect]> { let shape = "like::dtype_of_first"; }
def : Op<"aten::set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)", [Effect]> { let kernel = "copy::set_source"; let shape = "like::dtype_of_first"; }
def : Op<"aten::set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, SymInt[] size, SymInt[] stride=[]) -> Tensor(a!)", [Effect]> { let shape = "like::dtype_of_first"; }
def : Op<"aten::set.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::set.source_Tensor_out(Tensor self, Tensor source, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"prims::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor"> { let shape = "creation::same"; let kernel = "copy::clone"; }

def : Op<"prims::conj_physical(Tensor self) -> Tensor", [MayView]> { let shape = "view::alias"; let kernel = "conjugate::conj"; }

def : Op<"prims::copy_to(Tensor(a!) a, Tensor b) -> Tensor(a!)"> { let shape = "creation::same"; let numerics = Close; let kernel = "copy::copy_inplace"; }

def : Op<"prims::device_put(Tensor a, Device device, bool non_blocking=False) -> Tensor", [MayView]> { let kernel = "prim::identity"; let shape = "like::first"; }

def : Op<"prims::resize(Tensor(a!) a, SymInt[] shape) -> Tensor(a!)"> { let numerics = Meta; let shape = "like::sized_by_second"; let kernel = "copy::resize_inplace"; }