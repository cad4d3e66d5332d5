//===- list.td - The op table: lists -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::Delete.t(t[](a!) self, int idx) -> ()"> { let kernel = "list::delete"; }

def : Op<"aten::__contains__.float_list(float[] l, float item) -> bool"> { let kernel = "list::contains"; }
def : Op<"aten::__contains__.int_list(int[] l, int item) -> bool", [TorchMlir]> { let kernel = "list::contains"; }
def : Op<"aten::__contains__.str_list(str[] l, str item) -> bool", [TorchMlir]> { let kernel = "list::contains"; }

def : Op<"aten::__getitem__.t(t[](a) list, int idx) -> t(*)", [TorchMlir]> { let kernel = "list::getitem"; }

def : Op<"aten::_set_item.t(t[](a!) l, int idx, t(b -> *) el) -> t[](a!)", [TorchMlir]> { let kernel = "list::set_item"; }

def : Op<"aten::add.t(t[] a, t[] b) -> t[]", [TorchMlir]> { let kernel = "list::add"; }
def : Op<"aten::add_.t(t[](a!) self, t[] b) -> t[]"> { let kernel = "list::add_inplace"; }

def : Op<"aten::all.bool(bool[] self) -> bool", [TorchMlir]> { let kernel = "list::all"; }
def : Op<"aten::all.float(float[] self) -> bool"> { let kernel = "list::all"; }
def : Op<"aten::all.int(int[] self) -> bool"> { let kernel = "list::all"; }

def : Op<"aten::any.bool(bool[] self) -> bool", [TorchMlir]> { let kernel = "list::any"; }
def : Op<"aten::any.float(float[] self) -> bool"> { let kernel = "list::any"; }
def : Op<"aten::any.int(int[] self) -> bool"> { let kernel = "list::any"; }
def : Op<"aten::any.str(str[] self) -> bool"> { let kernel = "list::any"; }

def : Op<"aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!)", [TorchMlir]> { let kernel = "list::append"; }

def : Op<"aten::clear.t(t[](a!) self) -> ()"> { let kernel = "list::clear"; }

def : Op<"aten::copy.t(t[](a) self) -> t[]"> { let kernel = "copy_on_write::copied_list"; }

def : Op<"aten::count.Tensor(Tensor[] self, Tensor el) -> int", [DataDependentOutput]> { let kernel = "list::count"; }
def : Op<"aten::count.bool(bool[] self, bool el) -> int"> { let kernel = "list::count"; }
def : Op<"aten::count.float(float[] self, float el) -> int"> { let kernel = "list::count"; }
def : Op<"aten::count.int(int[] self, int el) -> int"> { let kernel = "list::count"; }
def : Op<"aten::count.str(str[] self, str el) -> int"> { let kernel = "list::count"; }

def : Op<"aten::eq.Tensor_list(Tensor[] a, Tensor[] b) -> bool", [DataDependentOutput]> { let kernel = "list::eq"; }
def : Op<"aten::eq.bool_list(bool[] a, bool[] b) -> bool"> { let kernel = "list::eq"; }
def : Op<"aten::eq.float_list(float[] a, float[] b) -> bool"> { let kernel = "list::eq"; }
def : Op<"aten::eq.int_list(int[] a, int[] b) -> bool", [TorchMlir]> { let kernel = "list::eq"; }
def : Op<"aten::eq.str_list(str[] a, str[] b) -> bool"> { let kernel = "list::eq"; }

def : Op<"aten::extend.t(t[](a!) self, t[] other) -> ()"> { let kernel = "list::extend"; }

def : Op<"aten::index.list_Tensor(Tensor[] self, Tensor el) -> int", [DataDependentOutput]> { let kernel = "list::index"; }
def : Op<"aten::index.list_bool(bool[] self, bool el) -> int"> { let kernel = "list::index"; }
def : Op<"aten::index.list_float(float[] self, float el) -> int"> { let kernel = "list::index"; }
def : Op<"aten::index.list_int(int[] self, int el) -> int"> { let kernel = "list::index"; }
def : Op<"aten::index.list_str(str[] self, str el) -> int"> { let kernel = "list::index"; }

def : Op<"aten::insert.t(t[](a!) self, int idx, t(b -> *) el) -> ()", [TorchMlir]> { let kernel = "list::insert"; }

def : Op<"aten::len.any(Any[] a) -> int"> { let kernel = "list::len"; }
def : Op<"aten::len.t(t[] a) -> int", [TorchMlir]> { let kernel = "list::len"; }

def : Op<"aten::list.t(t[] l) -> t[]", [TorchMlir]> { let kernel = "copy_on_write::copied_list"; }

def : Op<"aten::mul.left_t(t[] l, int n) -> t[]", [TorchMlir]> { let kernel = "list::mul"; }
def : Op<"aten::mul_.t(t[](a!) l, int n) -> t[](a!)"> { let kernel = "list::mul_inplace"; }

def : Op<"aten::ne.Tensor_list(Tensor[] a, Tensor[] b) -> bool", [DataDependentOutput]> { let kernel = "list::ne"; }
def : Op<"aten::ne.bool_list(bool[] a, bool[] b) -> bool"> { let kernel = "list::ne"; }
def : Op<"aten::ne.float_list(float[] a, float[] b) -> bool"> { let kernel = "list::ne"; }
def : Op<"aten::ne.int_list(int[] a, int[] b) -> bool", [TorchMlir]> { let kernel = "list::ne"; }
def : Op<"aten::ne.str_list(str[] a, str[] b) -> bool"> { let kernel = "list::ne"; }

def : Op<"aten::pop.t(t[](a!) self, int idx=-1) -> t(*)"> { let kernel = "list::pop"; }

def : Op<"aten::remove.Tensor(Tensor[](a!) self, Tensor el) -> ()"> { let kernel = "list::remove"; }
def : Op<"aten::remove.bool(bool[](a!) self, bool el) -> ()"> { let kernel = "list::remove"; }
def : Op<"aten::remove.float(float[](a!) self, float el) -> ()"> { let kernel = "list::remove"; }
def : Op<"aten::remove.int(int[](a!) self, int el) -> ()"> { let kernel = "list::remove"; }
def : Op<"aten::remove.str(str[](a!) self, str el) -> ()"> { let kernel = "list::remove"; }

def : Op<"aten::reverse.t(t[](a!) self) -> ()"> { let kernel = "list::reverse"; }

def : Op<"aten::select.t(t[](a) list, int idx) -> t(*)"> { let kernel = "list::getitem"; }

def : Op<"aten::slice.t(t[] l, int? start=None, int? end=None, int step=1) -> t[]", [TorchMlir]> { let kernel = "list::slice"; }

def : Op<"aten::sort.Tensor(Tensor[](a!) self, bool reverse=False) -> ()"> { let kernel = "list::sort"; }
def : Op<"aten::sort.any(t[](a!) self, bool reverse=False) -> ()"> { let kernel = "list::sort"; }
def : Op<"aten::sort.bool(bool[](a!) self, bool reverse=False) -> ()"> { let kernel = "list::sort"; }
def : Op<"aten::sort.float(float[](a!) self, bool reverse=False) -> ()"> { let kernel = "list::sort"; }
def : Op<"aten::sort.int(int[](a!) self, bool reverse=False) -> ()", [TorchMlir]> { let kernel = "list::sort"; }
def : Op<"aten::sort.str(str[](a!) self, bool reverse=False) -> ()"> { let kernel = "list::sort"; }

def : Op<"aten::sorted.Tensor(Tensor[](a) input) -> Tensor[]", [MayView]> { let kernel = "list::sorted"; let shape = "like::unknown"; }
def : Op<"aten::sorted.any(t[](a) self) -> t[]"> { let kernel = "list::sorted"; }
def : Op<"aten::sorted.bool(bool[](a) input) -> bool[]"> { let kernel = "list::sorted"; }
def : Op<"aten::sorted.float(float[](a) input) -> float[]"> { let kernel = "list::sorted"; }
def : Op<"aten::sorted.int(int[](a) input) -> int[]"> { let kernel = "list::sorted"; }
def : Op<"aten::sorted.str(str[](a) input) -> str[]"> { let kernel = "list::sorted"; }

def : Op<"aten::sum.bool(bool[] self) -> int"> { let kernel = "list::sum"; }
def : Op<"aten::sum.complex(complex[] self) -> complex"> { let numerics = Close; let kernel = "list::sum"; }
def : Op<"aten::sum.float(float[] self) -> float"> { let numerics = Close; let kernel = "list::sum"; }
def : Op<"aten::sum.int(int[] self) -> int"> { let kernel = "list::sum"; }

def : Op<"prim::max.bool_list(bool[] l, bool[] r) -> bool[]", [MayView]> { let kernel = "list::max_of_two"; }
def : Op<"prim::max.float_list(float[] l, float[] r) -> float[]", [MayView]> { let kernel = "list::max_of_two"; }
def : Op<"prim::max.int_list(int[] l, int[] r) -> int[]", [MayView]> { let kernel = "list::max_of_two"; }
def : Op<"prim::max.self_bool(bool[] self) -> bool"> { let kernel = "list::max"; }
def : Op<"prim::max.self_float(float[] self) -> float"> { let kernel = "list::max"; }
def : Op<"prim::max.self_int(int[] self) -> int", [TorchMlir]> { let kernel = "list::max"; }

def : Op<"prim::min.bool_list(bool[] l, bool[] r) -> bool[]", [MayView]> { let kernel = "list::min_of_two"; }
def : Op<"prim::min.float_list(float[] l, float[] r) -> float[]", [MayView]> { let kernel = "list::min_of_two"; }
def : Op<"prim::min.int_list(int[] l, int[] r) -> int[]", [MayView]> { let kernel = "list::min_of_two"; }
def : Op<"prim::min.self_bool(bool[] self) -> bool"> { let kernel = "list::min"; }
def : Op<"prim::min.self_float(float[] self) -> float"> { let kernel = "list::min"; }
def : Op<"prim::min.self_int(int[] self) -> int", [TorchMlir]> { let kernel = "list::min"; }

def : Op<"prim::tolist(...) -> ...", [TorchMlir]> { let kernel = "list::tolist"; }

def : Op<"aten::Size(int[] sizes) -> int[]"> { let kernel = "copy_on_write::copied_list"; }

def : Op<"aten::_efficientzerotensor.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]> { let numerics = Close; let functional = "aten::_efficientzerotensor"; }
def : Op<"aten::_infer_size(int[] a, int[] b) -> int[]"> { let kernel = "list::broadcast_sizes"; }

def : Op<"aten::_list_to_tensor(int[] self) -> Tensor", [ScriptOnly]> { let shape = "creation::integers_of_list"; let kernel = "facts::list_to_tensor"; }
def : Op<"aten::_tensor_to_list(Tensor self) -> int[]", [DataDependentOutput]> { let kernel = "facts::tensor_to_list"; }
def : Op<"aten::as_tensor.list(t[] data, *, ScalarType? dtype=None, Device? device=None) -> Tensor", [ScriptOnly]> { let kernel = "creation::tensor"; let shape = "like::unknown"; }

def : Op<"aten::broadcast_shapes(int[] a, int[] b) -> int[]"> { let kernel = "list::broadcast_sizes"; }

def : Op<"aten::empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Meta; let shape = "creation::sized_with"; }
def : Op<"aten::empty_permuted.out(SymInt[] size, int[] physical_layout, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"prim::ReductionSizes(int[] size, int[] red_axes, bool keepdim=False) -> int[]">;

def : Op<"prim::rangelist(int n) -> int[]"> { let kernel = "list::range_list"; }
