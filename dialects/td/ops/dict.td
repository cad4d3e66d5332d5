//===- dict.td - The op table: dictionaries -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::Delete.Dict_Tensor(Dict(Tensor, t)(a!) self, Tensor key) -> ()"> { let kernel = "dict::delete"; }
def : Op<"aten::Delete.Dict_bool(Dict(bool, t)(a!) self, bool key) -> ()"> { let kernel = "dict::delete"; }
def : Op<"aten::Delete.Dict_complex(Dict(complex, t)(a!) self, complex key) -> ()"> { let kernel = "dict::delete"; }
def : Op<"aten::Delete.Dict_float(Dict(float, t)(a!) self, float key) -> ()"> { let kernel = "dict::delete"; }
def : Op<"aten::Delete.Dict_int(Dict(int, t)(a!) self, int key) -> ()"> { let kernel = "dict::delete"; }
def : Op<"aten::Delete.Dict_str(Dict(str, t)(a!) self, str key) -> ()", [TorchMlir]> { let kernel = "dict::delete"; }

def : Op<"aten::__contains__.Tensor(Dict(Tensor, t) dict, Tensor key) -> bool"> { let kernel = "dict::contains"; }
def : Op<"aten::__contains__.bool(Dict(bool, t) dict, bool key) -> bool"> { let kernel = "dict::contains"; }
def : Op<"aten::__contains__.complex(Dict(complex, t) dict, complex key) -> bool"> { let kernel = "dict::contains"; }
def : Op<"aten::__contains__.float(Dict(float, t) dict, float key) -> bool"> { let kernel = "dict::contains"; }
def : Op<"aten::__contains__.int(Dict(int, t) dict, int key) -> bool"> { let kernel = "dict::contains"; }
def : Op<"aten::__contains__.str(Dict(str, t) dict, str key) -> bool", [TorchMlir]> { let kernel = "dict::contains"; }

def : Op<"aten::__getitem__.Dict_Tensor(Dict(Tensor, t) self, Tensor key) -> t(*)"> { let kernel = "dict::getitem"; }
def : Op<"aten::__getitem__.Dict_bool(Dict(bool, t) self, bool key) -> t(*)"> { let kernel = "dict::getitem"; }
def : Op<"aten::__getitem__.Dict_complex(Dict(complex, t) self, complex key) -> t(*)"> { let kernel = "dict::getitem"; }
def : Op<"aten::__getitem__.Dict_float(Dict(float, t) self, float key) -> t(*)"> { let kernel = "dict::getitem"; }
def : Op<"aten::__getitem__.Dict_int(Dict(int, t) self, int key) -> t(*)"> { let kernel = "dict::getitem"; }
def : Op<"aten::__getitem__.Dict_str(Dict(str, t) self, str key) -> t(*)", [TorchMlir]> { let kernel = "dict::getitem"; }

def : Op<"aten::_set_item.Tensor(Dict(Tensor, t)(a!) l, Tensor(b -> *) idx, t(c -> *) v) -> ()"> { let kernel = "dict::set_item"; }
def : Op<"aten::_set_item.bool(Dict(bool, t)(a!) l, bool(b -> *) idx, t(c -> *) v) -> ()"> { let kernel = "dict::set_item"; }
def : Op<"aten::_set_item.complex(Dict(complex, t)(a!) l, complex(b -> *) idx, t(c -> *) v) -> ()"> { let kernel = "dict::set_item"; }
def : Op<"aten::_set_item.float(Dict(float, t)(a!) l, float(b -> *) idx, t(c -> *) v) -> ()"> { let kernel = "dict::set_item"; }
def : Op<"aten::_set_item.int(Dict(int, t)(a!) l, int(b -> *) idx, t(c -> *) v) -> ()"> { let kernel = "dict::set_item"; }
def : Op<"aten::_set_item.str(Dict(str, t)(a!) l, str(b -> *) idx, t(c -> *) v) -> ()", [TorchMlir]> { let kernel = "dict::set_item"; }

def : Op<"aten::clear.Tensor(Dict(Tensor, t)(a!) self) -> ()"> { let kernel = "dict::clear"; }
def : Op<"aten::clear.bool(Dict(bool, t)(a!) self) -> ()"> { let kernel = "dict::clear"; }
def : Op<"aten::clear.complex(Dict(complex, t)(a!) self) -> ()"> { let kernel = "dict::clear"; }
def : Op<"aten::clear.float(Dict(float, t)(a!) self) -> ()"> { let kernel = "dict::clear"; }
def : Op<"aten::clear.int(Dict(int, t)(a!) self) -> ()"> { let kernel = "dict::clear"; }
def : Op<"aten::clear.str(Dict(str, t)(a!) self) -> ()"> { let kernel = "dict::clear"; }

def : Op<"aten::copy.Dict_Tensor(Dict(Tensor, t)(a) self) -> Dict(Tensor, t)"> { let kernel = "copy_on_write::copied_dict"; }
def : Op<"aten::copy.Dict_bool(Dict(bool, t)(a) self) -> Dict(bool, t)"> { let kernel = "copy_on_write::copied_dict"; }
def : Op<"aten::copy.Dict_complex(Dict(complex, t)(a) self) -> Dict(complex, t)"> { let kernel = "copy_on_write::copied_dict"; }
def : Op<"aten::copy.Dict_float(Dict(float, t)(a) self) -> Dict(float, t)"> { let kernel = "copy_on_write::copied_dict"; }
def : Op<"aten::copy.Dict_int(Dict(int, t)(a) self) -> Dict(int, t)"> { let kernel = "copy_on_write::copied_dict"; }
def : Op<"aten::copy.Dict_str(Dict(str, t)(a) self) -> Dict(str, t)"> { let kernel = "copy_on_write::copied_dict"; }

def : Op<"aten::dict() -> Dict(str, Tensor)"> { let kernel = "dict::dict"; }
def : Op<"aten::dict.Dict_Tensor(Dict(Tensor, t)(a) self) -> Dict(Tensor, t)"> { let kernel = "copy_on_write::copied_dict"; }
def : Op<"aten::dict.Dict_bool(Dict(bool, t)(a) self) -> Dict(bool, t)"> { let kernel = "copy_on_write::copied_dict"; }
def : Op<"aten::dict.Dict_complex(Dict(complex, t)(a) self) -> Dict(complex, t)"> { let kernel = "copy_on_write::copied_dict"; }
def : Op<"aten::dict.Dict_float(Dict(float, t)(a) self) -> Dict(float, t)"> { let kernel = "copy_on_write::copied_dict"; }
def : Op<"aten::dict.Dict_int(Dict(int, t)(a) self) -> Dict(int, t)"> { let kernel = "copy_on_write::copied_dict"; }
def : Op<"aten::dict.Dict_str(Dict(str, t)(a) self) -> Dict(str, t)"> { let kernel = "copy_on_write::copied_dict"; }
def : Op<"aten::dict.Tensor((Tensor, tVal)[] inputs) -> Dict(Tensor, tVal)"> { let kernel = "dict::dict"; }
def : Op<"aten::dict.bool((bool, tVal)[] inputs) -> Dict(bool, tVal)"> { let kernel = "dict::dict"; }
def : Op<"aten::dict.complex((complex, tVal)[] inputs) -> Dict(complex, tVal)"> { let kernel = "dict::dict"; }
def : Op<"aten::dict.float((float, tVal)[] inputs) -> Dict(float, tVal)"> { let kernel = "dict::dict"; }
def : Op<"aten::dict.int((int, tVal)[] inputs) -> Dict(int, tVal)"> { let kernel = "dict::dict"; }
def : Op<"aten::dict.str((str, tVal)[] inputs) -> Dict(str, tVal)"> { let kernel = "dict::dict"; }

def : Op<"aten::get.Tensor(Dict(Tensor, t) self, Tensor key) -> t(*)?"> { let kernel = "dict::get_default"; }
def : Op<"aten::get.bool(Dict(bool, t) self, bool key) -> t(*)?"> { let kernel = "dict::get_default"; }
def : Op<"aten::get.complex(Dict(complex, t) self, complex key) -> t(*)?"> { let kernel = "dict::get_default"; }
def : Op<"aten::get.default_Tensor(Dict(Tensor, t) self, Tensor key, t default_value) -> t(*)"> { let kernel = "dict::get_default"; }
def : Op<"aten::get.default_bool(Dict(bool, t) self, bool key, t default_value) -> t(*)"> { let kernel = "dict::get_default"; }
def : Op<"aten::get.default_complex(Dict(complex, t) self, complex key, t default_value) -> t(*)"> { let kernel = "dict::get_default"; }
def : Op<"aten::get.default_float(Dict(float, t) self, float key, t default_value) -> t(*)"> { let kernel = "dict::get_default"; }
def : Op<"aten::get.default_int(Dict(int, t) self, int key, t default_value) -> t(*)"> { let kernel = "dict::get_default"; }
def : Op<"aten::get.default_str(Dict(str, t) self, str key, t default_value) -> t(*)", [TorchMlir]> { let kernel = "dict::get_default"; }
def : Op<"aten::get.float(Dict(float, t) self, float key) -> t(*)?"> { let kernel = "dict::get_default"; }
def : Op<"aten::get.int(Dict(int, t) self, int key) -> t(*)?"> { let kernel = "dict::get_default"; }
def : Op<"aten::get.str(Dict(str, t) self, str key) -> t(*)?"> { let kernel = "dict::get_default"; }

def : Op<"aten::items.Tensor(Dict(Tensor, t) self) -> ((Tensor, t)[])"> { let kernel = "dict::items"; }
def : Op<"aten::items.bool(Dict(bool, t) self) -> ((bool, t)[])"> { let kernel = "dict::items"; }
def : Op<"aten::items.complex(Dict(complex, t) self) -> ((complex, t)[])"> { let kernel = "dict::items"; }
def : Op<"aten::items.float(Dict(float, t) self) -> ((float, t)[])"> { let kernel = "dict::items"; }
def : Op<"aten::items.int(Dict(int, t) self) -> ((int, t)[])"> { let kernel = "dict::items"; }
def : Op<"aten::items.str(Dict(str, t) self) -> ((str, t)[])"> { let kernel = "dict::items"; }

def : Op<"aten::keys.Tensor(Dict(Tensor, t) self) -> Tensor[](*)"> { let kernel = "dict::keys"; let shape = "like::unknown"; }
def : Op<"aten::keys.bool(Dict(bool, t) self) -> bool[](*)"> { let kernel = "dict::keys"; }
def : Op<"aten::keys.complex(Dict(complex, t) self) -> complex[](*)"> { let kernel = "dict::keys"; }
def : Op<"aten::keys.float(Dict(float, t) self) -> float[](*)"> { let kernel = "dict::keys"; }
def : Op<"aten::keys.int(Dict(int, t) self) -> int[](*)"> { let kernel = "dict::keys"; }
def : Op<"aten::keys.str(Dict(str, t) self) -> str[](*)", [TorchMlir]> { let kernel = "dict::keys"; }

def : Op<"aten::len.Dict_Tensor(Dict(Tensor, t) self) -> int"> { let kernel = "dict::len"; }
def : Op<"aten::len.Dict_bool(Dict(bool, t) self) -> int"> { let kernel = "dict::len"; }
def : Op<"aten::len.Dict_complex(Dict(complex, t) self) -> int"> { let kernel = "dict::len"; }
def : Op<"aten::len.Dict_float(Dict(float, t) self) -> int"> { let kernel = "dict::len"; }
def : Op<"aten::len.Dict_int(Dict(int, t) self) -> int"> { let kernel = "dict::len"; }
def : Op<"aten::len.Dict_str(Dict(str, t) self) -> int"> { let kernel = "dict::len"; }

def : Op<"aten::pop.Dict_Tensor(Dict(Tensor, t)(a!) self, Tensor key) -> t(*)"> { let kernel = "dict::pop"; }
def : Op<"aten::pop.Dict_bool(Dict(bool, t)(a!) self, bool key) -> t(*)"> { let kernel = "dict::pop"; }
def : Op<"aten::pop.Dict_complex(Dict(complex, t)(a!) self, complex key) -> t(*)"> { let kernel = "dict::pop"; }
def : Op<"aten::pop.Dict_default_Tensor(Dict(Tensor, t)(a!) self, Tensor key, t default_value) -> t(*)"> { let kernel = "dict::pop"; }
def : Op<"aten::pop.Dict_default_bool(Dict(bool, t)(a!) self, bool key, t default_value) -> t(*)"> { let kernel = "dict::pop"; }
def : Op<"aten::pop.Dict_default_complex(Dict(complex, t)(a!) self, complex key, t default_value) -> t(*)"> { let kernel = "dict::pop"; }
def : Op<"aten::pop.Dict_default_float(Dict(float, t)(a!) self, float key, t default_value) -> t(*)"> { let kernel = "dict::pop"; }
def : Op<"aten::pop.Dict_default_int(Dict(int, t)(a!) self, int key, t default_value) -> t(*)"> { let kernel = "dict::pop"; }
def : Op<"aten::pop.Dict_default_str(Dict(str, t)(a!) self, str key, t default_value) -> t(*)"> { let kernel = "dict::pop"; }
def : Op<"aten::pop.Dict_float(Dict(float, t)(a!) self, float key) -> t(*)"> { let kernel = "dict::pop"; }
def : Op<"aten::pop.Dict_int(Dict(int, t)(a!) self, int key) -> t(*)"> { let kernel = "dict::pop"; }
def : Op<"aten::pop.Dict_str(Dict(str, t)(a!) self, str key) -> t(*)"> { let kernel = "dict::pop"; }

def : Op<"aten::setdefault.Tensor(Dict(Tensor, t)(a!) self, Tensor(b -> *) key, t(c -> *) default_value) -> t(*)"> { let kernel = "dict::setdefault"; }
def : Op<"aten::setdefault.bool(Dict(bool, t)(a!) self, bool(b -> *) key, t(c -> *) default_value) -> t(*)"> { let kernel = "dict::setdefault"; }
def : Op<"aten::setdefault.complex(Dict(complex, t)(a!) self, complex(b -> *) key, t(c -> *) default_value) -> t(*)"> { let kernel = "dict::setdefault"; }
def : Op<"aten::setdefault.float(Dict(float, t)(a!) self, float(b -> *) key, t(c -> *) default_value) -> t(*)"> { let kernel = "dict::setdefault"; }
def : Op<"aten::setdefault.int(Dict(int, t)(a!) self, int(b -> *) key, t(c -> *) default_value) -> t(*)"> { let kernel = "dict::setdefault"; }
def : Op<"aten::setdefault.str(Dict(str, t)(a!) self, str(b -> *) key, t(c -> *) default_value) -> t(*)"> { let kernel = "dict::setdefault"; }

def : Op<"aten::update.Tensor(Dict(Tensor, t)(a!) self, Dict(Tensor, t)(a!) to_add) -> ()"> { let kernel = "dict::update"; }
def : Op<"aten::update.bool(Dict(bool, t)(a!) self, Dict(bool, t)(a!) to_add) -> ()"> { let kernel = "dict::update"; }
def : Op<"aten::update.complex(Dict(complex, t)(a!) self, Dict(complex, t)(a!) to_add) -> ()"> { let kernel = "dict::update"; }
def : Op<"aten::update.float(Dict(float, t)(a!) self, Dict(float, t)(a!) to_add) -> ()"> { let kernel = "dict::update"; }
def : Op<"aten::update.int(Dict(int, t)(a!) self, Dict(int, t)(a!) to_add) -> ()"> { let kernel = "dict::update"; }
def : Op<"aten::update.str(Dict(str, t)(a!) self, Dict(str, t)(a!) to_add) -> ()"> { let kernel = "dict::update"; }

def : Op<"aten::values.Tensor(Dict(Tensor, t) self) -> t[](*)"> { let kernel = "dict::values"; }
def : Op<"aten::values.bool(Dict(bool, t) self) -> t[](*)"> { let kernel = "dict::values"; }
def : Op<"aten::values.complex(Dict(complex, t) self) -> t[](*)"> { let kernel = "dict::values"; }
def : Op<"aten::values.float(Dict(float, t) self) -> t[](*)"> { let kernel = "dict::values"; }
def : Op<"aten::values.int(Dict(int, t) self) -> t[](*)"> { let kernel = "dict::values"; }
def : Op<"aten::values.str(Dict(str, t) self) -> t[](*)"> { let kernel = "dict::values"; }

def : Op<"aten::popitem.bool(Dict(bool, t)(a!) self) -> ((bool, t))"> { let kernel = "dict::popitem"; }
def : Op<"aten::popitem.complex(Dict(complex, t)(a!) self) -> ((complex, t))"> { let kernel = "dict::popitem"; }
def : Op<"aten::popitem.float(Dict(float, t)(a!) self) -> ((float, t))"> { let kernel = "dict::popitem"; }
def : Op<"aten::popitem.int(Dict(int, t)(a!) self) -> ((int, t))"> { let kernel = "dict::popitem"; }
def : Op<"aten::popitem.str(Dict(str, t)(a!) self) -> ((str, t))"> { let kernel = "dict::popitem"; }
