//===- list.td - The op table: lists -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::Delete.t(t[](a!) self, int idx) -> ()">;

def : Op<"aten::__contains__.float_list(float[] l, float item) -> bool">;
def : Op<"aten::__contains__.int_list(int[] l, int item) -> bool", [TorchMlir]>;
def : Op<"aten::__contains__.str_list(str[] l, str item) -> bool", [TorchMlir]>;

def : Op<"aten::__getitem__.t(t[](a) list, int idx) -> t(*)", [TorchMlir]>;

def : Op<"aten::_set_item.t(t[](a!) l, int idx, t(b -> *) el) -> t[](a!)", [TorchMlir]>;

def : Op<"aten::add.t(t[] a, t[] b) -> t[]", [TorchMlir]>;
def : Op<"aten::add_.t(t[](a!) self, t[] b) -> t[]">;

def : Op<"aten::all.bool(bool[] self) -> bool", [TorchMlir]>;
def : Op<"aten::all.float(float[] self) -> bool">;
def : Op<"aten::all.int(int[] self) -> bool">;

def : Op<"aten::any.bool(bool[] self) -> bool", [TorchMlir]>;
def : Op<"aten::any.float(float[] self) -> bool">;
def : Op<"aten::any.int(int[] self) -> bool">;
def : Op<"aten::any.str(str[] self) -> bool">;

def : Op<"aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!)", [TorchMlir]>;

def : Op<"aten::clear.t(t[](a!) self) -> ()">;

def : Op<"aten::copy.t(t[](a) self) -> t[]">;

def : Op<"aten::count.Tensor(Tensor[] self, Tensor el) -> int">;
def : Op<"aten::count.bool(bool[] self, bool el) -> int">;
def : Op<"aten::count.float(float[] self, float el) -> int">;
def : Op<"aten::count.int(int[] self, int el) -> int">;
def : Op<"aten::count.str(str[] self, str el) -> int">;

def : Op<"aten::eq.Tensor_list(Tensor[] a, Tensor[] b) -> bool">;
def : Op<"aten::eq.bool_list(bool[] a, bool[] b) -> bool">;
def : Op<"aten::eq.float_list(float[] a, float[] b) -> bool">;
def : Op<"aten::eq.int_list(int[] a, int[] b) -> bool", [TorchMlir]>;
def : Op<"aten::eq.str_list(str[] a, str[] b) -> bool">;

def : Op<"aten::extend.t(t[](a!) self, t[] other) -> ()">;

def : Op<"aten::index.list_Tensor(Tensor[] self, Tensor el) -> int">;
def : Op<"aten::index.list_bool(bool[] self, bool el) -> int">;
def : Op<"aten::index.list_float(float[] self, float el) -> int">;
def : Op<"aten::index.list_int(int[] self, int el) -> int">;
def : Op<"aten::index.list_str(str[] self, str el) -> int">;

def : Op<"aten::insert.t(t[](a!) self, int idx, t(b -> *) el) -> ()", [TorchMlir]>;

def : Op<"aten::len.any(Any[] a) -> int">;
def : Op<"aten::len.t(t[] a) -> int", [TorchMlir]>;

def : Op<"aten::list.t(t[] l) -> t[]", [TorchMlir]>;

def : Op<"aten::mul.left_t(t[] l, int n) -> t[]", [TorchMlir]>;
def : Op<"aten::mul_.t(t[](a!) l, int n) -> t[](a!)">;

def : Op<"aten::ne.Tensor_list(Tensor[] a, Tensor[] b) -> bool">;
def : Op<"aten::ne.bool_list(bool[] a, bool[] b) -> bool">;
def : Op<"aten::ne.float_list(float[] a, float[] b) -> bool">;
def : Op<"aten::ne.int_list(int[] a, int[] b) -> bool", [TorchMlir]>;
def : Op<"aten::ne.str_list(str[] a, str[] b) -> bool">;

def : Op<"aten::pop.t(t[](a!) self, int idx=-1) -> t(*)">;

def : Op<"aten::remove.Tensor(Tensor[](a!) self, Tensor el) -> ()">;
def : Op<"aten::remove.bool(bool[](a!) self, bool el) -> ()">;
def : Op<"aten::remove.float(float[](a!) self, float el) -> ()">;
def : Op<"aten::remove.int(int[](a!) self, int el) -> ()">;
def : Op<"aten::remove.str(str[](a!) self, str el) -> ()">;

def : Op<"aten::reverse.t(t[](a!) self) -> ()">;

def : Op<"aten::select.t(t[](a) list, int idx) -> t(*)">;

def : Op<"aten::slice.t(t[] l, int? start=None, int? end=None, int step=1) -> t[]", [TorchMlir]>;

def : Op<"aten::sort.Tensor(Tensor[](a!) self, bool reverse=False) -> ()">;
def : Op<"aten::sort.any(t[](a!) self, bool reverse=False) -> ()">;
def : Op<"aten::sort.bool(bool[](a!) self, bool reverse=False) -> ()">;
def : Op<"aten::sort.float(float[](a!) self, bool reverse=False) -> ()">;
def : Op<"aten::sort.int(int[](a!) self, bool reverse=False) -> ()", [TorchMlir]>;
def : Op<"aten::sort.str(str[](a!) self, bool reverse=False) -> ()">;

def : Op<"aten::sorted.Tensor(Tensor[](a) input) -> Tensor[]">;
def : Op<"aten::sorted.any(t[](a) self) -> t[]">;
def : Op<"aten::sorted.bool(bool[](a) input) -> bool[]">;
def : Op<"aten::sorted.float(float[](a) input) -> float[]">;
def : Op<"aten::sorted.int(int[](a) input) -> int[]">;
def : Op<"aten::sorted.str(str[](a) input) -> str[]">;

def : Op<"aten::sum.bool(bool[] self) -> int">;
def : Op<"aten::sum.complex(complex[] self) -> complex"> { let numerics = Close; }
def : Op<"aten::sum.float(float[] self) -> float"> { let numerics = Close; }
def : Op<"aten::sum.int(int[] self) -> int">;

def : Op<"prim::max.bool_list(bool[] l, bool[] r) -> bool[]">;
def : Op<"prim::max.float_list(float[] l, float[] r) -> float[]">;
def : Op<"prim::max.int_list(int[] l, int[] r) -> int[]">;
def : Op<"prim::max.self_bool(bool[] self) -> bool">;
def : Op<"prim::max.self_float(float[] self) -> float">;
def : Op<"prim::max.self_int(int[] self) -> int", [TorchMlir]>;

def : Op<"prim::min.bool_list(bool[] l, bool[] r) -> bool[]">;
def : Op<"prim::min.float_list(float[] l, float[] r) -> float[]">;
def : Op<"prim::min.int_list(int[] l, int[] r) -> int[]">;
def : Op<"prim::min.self_bool(bool[] self) -> bool">;
def : Op<"prim::min.self_float(float[] self) -> float">;
def : Op<"prim::min.self_int(int[] self) -> int", [TorchMlir]>;

def : Op<"prim::tolist(...) -> ...", [TorchMlir]>;
