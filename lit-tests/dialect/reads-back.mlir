// Where an operation's own form would not read back, or would lose something, the generic form prints, or what else both tools read.
// RUN: sconce-opt %s --split-input-file | FileCheck %s
// RUN: sconce-opt %s --split-input-file | sconce-opt --split-input-file | FileCheck %s

// CHECK-LABEL: @nothing
func.func @nothing(%l: !torch.list<str>, %t: !torch.tuple<>, %s: !torch.str) {
  // CHECK: "torch.prim.TupleConstruct"() : () -> !torch.tuple<>
  %0 = "torch.prim.TupleConstruct"() : () -> !torch.tuple<>
  // CHECK: "torch.prim.ListUnpack"(%arg0) : (!torch.list<str>) -> ()
  "torch.prim.ListUnpack"(%l) : (!torch.list<str>) -> ()
  // CHECK: "torch.prim.TupleUnpack"(%arg1) : (!torch.tuple<>) -> ()
  "torch.prim.TupleUnpack"(%t) : (!torch.tuple<>) -> ()
  // CHECK: "torch.prim.Print"() : () -> ()
  "torch.prim.Print"() : () -> ()
  // CHECK: "torch.aten.format"() : () -> !torch.str
  %1 = "torch.aten.format"() : () -> !torch.str
  // CHECK: "torch.prim.DictConstruct"(%arg2, %arg2, %arg2) : (!torch.str, !torch.str, !torch.str) -> !torch.dict<str, str>
  %2 = "torch.prim.DictConstruct"(%s, %s, %s) : (!torch.str, !torch.str, !torch.str) -> !torch.dict<str, str>
  // CHECK: "torch.operator_terminator"() : () -> ()
  "torch.operator"() <{name = "my.block"}> ({
    "torch.operator_terminator"() : () -> ()
  }) : () -> ()
  // CHECK: "torch.dtype.calculate"() ({
  "torch.dtype.calculate"() ({
    "torch.dtype.calculate.yield"() : () -> ()
  }, {
    "torch.dtype.calculate.yield.dtypes"() : () -> ()
  }) : () -> ()
  return
}

// -----

// An attribute named like one of the operation's own.
// CHECK-LABEL: @shadow
func.func @shadow() {
  // CHECK: torch.constant.str "one" {torch.shadowed = {value = "two"}}
  %0 = "torch.constant.str"() <{value = "one"}> {value = "two"} : () -> !torch.str
  return
}

// -----

// CHECK: #sparse = #sparse_tensor.encoding
// CHECK: @encoding(!torch.tensor<*,unk,#sparse>)
func.func private @encoding(!torch.tensor<*,unk,#sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>>)
