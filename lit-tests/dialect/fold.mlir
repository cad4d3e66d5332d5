// What the structural operations know of each other: tuples come apart where they were made, casts to the same type are nothing.
// RUN: sconce-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @tuples
func.func @tuples(%x: !torch.vtensor, %n: !torch.int) -> (!torch.vtensor, !torch.int, !torch.int, !torch.any) {
  %int-1 = torch.constant.int -1
  %int5 = torch.constant.int 5
  %t = torch.prim.TupleConstruct %x, %n : !torch.vtensor, !torch.int -> !torch.tuple<vtensor, int>
  %0:2 = torch.prim.TupleUnpack %t : !torch.tuple<vtensor, int> -> !torch.vtensor, !torch.int
  %1 = torch.prim.TupleIndex %t, %int-1 : !torch.tuple<vtensor, int>, !torch.int -> !torch.int
  // Out of range: it raises when it runs.
  // CHECK: %[[T:.*]] = torch.prim.TupleConstruct
  // CHECK-NEXT: %[[R:.*]] = torch.prim.TupleIndex %[[T]], %int5
  %2 = torch.prim.TupleIndex %t, %int5 : !torch.tuple<vtensor, int>, !torch.int -> !torch.any
  // CHECK-NEXT: return %arg0, %arg1, %arg1, %[[R]]
  return %0#0, %0#1, %1, %2 : !torch.vtensor, !torch.int, !torch.int, !torch.any
}

// An element that went in as a subtype does not come out as one.
// CHECK-LABEL: @subtype
func.func @subtype(%n: !torch.int) -> !torch.optional<int> {
  // CHECK: torch.prim.TupleUnpack
  %t = torch.prim.TupleConstruct %n : !torch.int -> !torch.tuple<optional<int>>
  %0 = torch.prim.TupleUnpack %t : !torch.tuple<optional<int>> -> !torch.optional<int>
  return %0 : !torch.optional<int>
}

// CHECK-LABEL: @casts
func.func @casts(%x: !torch.tensor, %n: !torch.int) -> (!torch.tensor, !torch.int, !torch.int) {
  %0 = torch.tensor_static_info_cast %x : !torch.tensor to !torch.tensor
  %1 = torch.derefine %n : !torch.int to !torch.int
  %2 = torch.prim.unchecked_cast %n : !torch.int -> !torch.int
  // CHECK-NEXT: return %arg0, %arg1, %arg1
  return %0, %1, %2 : !torch.tensor, !torch.int, !torch.int
}
