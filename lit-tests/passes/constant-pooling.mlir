// One operation for each constant, at the start, also of functions on tensors as values, and out of blocks.
// RUN: sconce-opt %s --constant-pooling | FileCheck %s

// CHECK-LABEL: func.func @values
// CHECK-NEXT: torch.constant.int 2
// CHECK-NEXT: %[[L:.*]] = torch.vtensor.literal
// CHECK-NEXT: torch.prim.If
// CHECK-NEXT: torch.aten.mul.Tensor %arg0, %[[L]]
// CHECK-NOT: torch.vtensor.literal
func.func @values(%x: !torch.vtensor<[2],f32>, %b: !torch.bool) -> !torch.vtensor<[2],f32> {
  %0 = torch.prim.If %b -> (!torch.vtensor<[2],f32>) {
    %l = torch.vtensor.literal(dense<[1.0, 2.0]> : tensor<2xf32>) : !torch.vtensor<[2],f32>
    %1 = torch.aten.mul.Tensor %x, %l : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    torch.prim.If.yield %1 : !torch.vtensor<[2],f32>
  } else {
    %l = torch.vtensor.literal(dense<[1.0, 2.0]> : tensor<2xf32>) : !torch.vtensor<[2],f32>
    %two = torch.constant.int 2
    %1 = torch.aten.mul.Scalar %l, %two : !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
    torch.prim.If.yield %1 : !torch.vtensor<[2],f32>
  }
  return %0 : !torch.vtensor<[2],f32>
}

// A tensor constant that is written is its own.
// CHECK-LABEL: func.func @written
// CHECK-COUNT-2: torch.tensor.literal
func.func @written() -> !torch.tensor {
  %one = torch.constant.int 1
  %a = torch.tensor.literal(dense<[1.0, 2.0]> : tensor<2xf32>) : !torch.tensor<[2],f32>
  %b = torch.tensor.literal(dense<[1.0, 2.0]> : tensor<2xf32>) : !torch.tensor<[2],f32>
  %0 = torch.aten.relu_ %a : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %1 = torch.aten.add.Tensor %0, %b, %one : !torch.tensor<[2],f32>, !torch.tensor<[2],f32>, !torch.int -> !torch.tensor
  return %1 : !torch.tensor
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
