// The same of the same is computed once; not around a write to what it may be, and not what draws numbers.
// RUN: sconce-opt %s --torch-cse | FileCheck %s

// CHECK-LABEL: func.func @pure
// CHECK: %[[S:.*]] = torch.aten.sin %arg0
// CHECK-NOT: torch.aten.sin
// CHECK: torch.aten.mul.Tensor %[[S]], %[[S]]
// CHECK: torch.aten.rand_like
// CHECK: torch.aten.rand_like
func.func @pure(%x: !torch.tensor) -> !torch.list<tensor> {
  %none = torch.constant.none
  %1 = torch.aten.sin %x : !torch.tensor -> !torch.tensor
  %2 = torch.aten.sin %x : !torch.tensor -> !torch.tensor
  %3 = torch.aten.mul.Tensor %1, %2 : !torch.tensor, !torch.tensor -> !torch.tensor
  %4 = torch.aten.rand_like %3, %none, %none, %none, %none, %none : !torch.tensor, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.tensor
  %5 = torch.aten.rand_like %3, %none, %none, %none, %none, %none : !torch.tensor, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.tensor
  %6 = torch.prim.ListConstruct %3, %4, %5 : (!torch.tensor, !torch.tensor, !torch.tensor) -> !torch.list<tensor>
  return %6 : !torch.list<tensor>
}

// CHECK-LABEL: func.func @written
// CHECK: torch.aten.cos %arg0
// CHECK: torch.aten.relu_ %arg1
// CHECK: torch.aten.cos %arg0
func.func @written(%x: !torch.tensor, %y: !torch.tensor) -> !torch.list<tensor> {
  %1 = torch.aten.cos %x : !torch.tensor -> !torch.tensor
  %2 = torch.aten.relu_ %y : !torch.tensor -> !torch.tensor
  %3 = torch.aten.cos %x : !torch.tensor -> !torch.tensor
  %4 = torch.prim.ListConstruct %1, %3 : (!torch.tensor, !torch.tensor) -> !torch.list<tensor>
  return %4 : !torch.list<tensor>
}

// Tensors as values, inside a block: what stands before it, stands for what is in it; not what stands in another branch.
// CHECK-LABEL: func.func @values
// CHECK: %[[V:.*]] = torch.aten.sin %arg0
// CHECK-NEXT: torch.prim.If
// CHECK-NEXT: torch.aten.add.Tensor %[[V]], %[[V]]
// CHECK: torch.aten.cos
// CHECK: else
// CHECK: torch.aten.cos
func.func @values(%x: !torch.vtensor<[2],f32>, %b: !torch.bool) -> !torch.vtensor<[2],f32> {
  %one = torch.constant.int 1
  %1 = torch.aten.sin %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %2 = torch.prim.If %b -> (!torch.vtensor<[2],f32>) {
    %3 = torch.aten.sin %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    %4 = torch.aten.add.Tensor %1, %3, %one : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
    %5 = torch.aten.cos %4 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    torch.prim.If.yield %5 : !torch.vtensor<[2],f32>
  } else {
    %3 = torch.aten.cos %1 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    torch.prim.If.yield %3 : !torch.vtensor<[2],f32>
  }
  return %2 : !torch.vtensor<[2],f32>
}

// A copy of a tensor's contents is one of another moment behind a write.
// CHECK-LABEL: func.func @copies
// CHECK: torch.copy.to_vtensor %arg0
// CHECK: torch.aten.relu_ %arg0
// CHECK: torch.copy.to_vtensor %arg0
func.func @copies(%x: !torch.tensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) {
  %1 = torch.copy.to_vtensor %x : !torch.vtensor<[2],f32>
  %2 = torch.aten.relu_ %x : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %3 = torch.copy.to_vtensor %x : !torch.vtensor<[2],f32>
  return %1, %3 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

// `is` tells equal members of an enumeration apart, as PyTorch does.
// CHECK-LABEL: func.func @members
// CHECK-COUNT-2: torch.operator "prim.Constant"
torch.class_type @__torch__.E {
  torch.attr "A" : !torch.int {torch.constant = "1"}
} {torch.class_kind = "enum", torch.enum_value = "int"}
func.func @members() -> !torch.bool {
  %a = torch.operator "prim.Constant"() {torch.value = {enum = "__torch__.E", member = "A", value = 1 : i64}} : () -> !torch.enum<"__torch__.E">
  %b = torch.operator "prim.Constant"() {torch.value = {enum = "__torch__.E", member = "A", value = 1 : i64}} : () -> !torch.enum<"__torch__.E">
  %0 = torch.aten.__is__ %a, %b : !torch.enum<"__torch__.E">, !torch.enum<"__torch__.E"> -> !torch.bool
  return %0 : !torch.bool
}
