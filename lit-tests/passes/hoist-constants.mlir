// What depends on named constants alone moves to a function that runs once.
// RUN: sconce-opt %s --hoist-constants | FileCheck %s

// CHECK-LABEL: func.func private @sconce.init
// CHECK-SAME: () -> (!torch.tensor<[8,4],f32>, !torch.tensor<[4],f32>)
// CHECK: %[[W:.*]] = torch.operator "sconce.named_constant"() {torch.attributes = {{.*}}"w"
// CHECK: %[[T:.*]] = torch.aten.t %[[W]]
// CHECK: %[[B:.*]] = torch.operator "sconce.named_constant"() {torch.attributes = {{.*}}"b"
// CHECK: %[[S:.*]] = torch.aten.mul.Tensor %[[T]], %[[B]]
// CHECK: %[[R:.*]] = torch.aten.rsqrt %[[B]]
// CHECK: return %[[S]], %[[R]]

// CHECK-LABEL: func.func @scaled
// CHECK: %[[C0:.*]] = torch.operator "sconce.named_constant"() {torch.attributes = {{.*}}"sconce.init.0"
// CHECK: %[[C1:.*]] = torch.operator "sconce.named_constant"() {torch.attributes = {{.*}}"sconce.init.1"
// CHECK-NOT: rsqrt
// CHECK: %[[M:.*]] = torch.aten.mm %arg0, %[[C0]]
// CHECK: torch.aten.mul.Tensor %[[M]], %[[C1]]
func.func @scaled(%x: !torch.tensor<[2,8],f32>) -> !torch.tensor {
  %w = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "w"]]} : () -> !torch.tensor<[4,8],f32>
  %b = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "b"]]} : () -> !torch.tensor<[4],f32>
  %t = torch.aten.t %w : !torch.tensor<[4,8],f32> -> !torch.tensor<[8,4],f32>
  %s = torch.aten.mul.Tensor %t, %b : !torch.tensor<[8,4],f32>, !torch.tensor<[4],f32> -> !torch.tensor<[8,4],f32>
  %r = torch.aten.rsqrt %b : !torch.tensor<[4],f32> -> !torch.tensor<[4],f32>
  %m = torch.aten.mm %x, %s : !torch.tensor<[2,8],f32>, !torch.tensor<[8,4],f32> -> !torch.tensor<[2,4],f32>
  %y = torch.aten.mul.Tensor %m, %r : !torch.tensor<[2,4],f32>, !torch.tensor<[4],f32> -> !torch.tensor
  return %y : !torch.tensor
}

// A view alone stays: it costs nothing. What is returned is made anew in each call, as is what is written to, drawn, or large.
// CHECK-LABEL: func.func @stays
// CHECK: torch.aten.t
// CHECK: torch.aten.neg
// CHECK: torch.aten.exp
// CHECK: torch.aten.relu_
// CHECK: torch.aten.bernoulli
// CHECK: torch.aten.repeat
func.func @stays(%x: !torch.tensor<[2,8],f32>) -> (!torch.tensor, !torch.tensor<[4],f32>, !torch.tensor) {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %many = torch.constant.int 100000
  %w = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "w"]]} : () -> !torch.tensor<[4,8],f32>
  %b = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "b"]]} : () -> !torch.tensor<[4],f32>
  %t = torch.aten.t %w : !torch.tensor<[4,8],f32> -> !torch.tensor<[8,4],f32>
  %m = torch.aten.mm %x, %t : !torch.tensor<[2,8],f32>, !torch.tensor<[8,4],f32> -> !torch.tensor<[2,4],f32>
  %n = torch.aten.neg %b : !torch.tensor<[4],f32> -> !torch.tensor<[4],f32>
  %e = torch.aten.exp %b : !torch.tensor<[4],f32> -> !torch.tensor<[4],f32>
  %i = torch.aten.relu_ %e : !torch.tensor<[4],f32> -> !torch.tensor<[4],f32>
  %d = torch.aten.bernoulli %b, %none : !torch.tensor<[4],f32>, !torch.none -> !torch.tensor<[4],f32>
  %sizes = torch.prim.ListConstruct %many, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %l = torch.aten.repeat %b, %sizes : !torch.tensor<[4],f32>, !torch.list<int> -> !torch.tensor<[100000,4],f32>
  %0 = torch.aten.mul.Tensor %m, %e : !torch.tensor<[2,4],f32>, !torch.tensor<[4],f32> -> !torch.tensor<[2,4],f32>
  %1 = torch.aten.mul.Tensor %0, %d : !torch.tensor<[2,4],f32>, !torch.tensor<[4],f32> -> !torch.tensor
  %2 = torch.aten.sum %l, %none : !torch.tensor<[100000,4],f32>, !torch.none -> !torch.tensor
  return %1, %n, %2 : !torch.tensor, !torch.tensor<[4],f32>, !torch.tensor
}
