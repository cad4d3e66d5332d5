// Batch normalisation by constants becomes part of the constant weights of the layer before it.
// RUN: sconce-opt %s --fold-conv-bn | FileCheck %s
// RUN: sconce-opt %s --pass-pipeline="builtin.module(fold-conv-bn,hoist-constants)" | FileCheck %s --check-prefix=INIT

// All of it runs once.
// INIT-LABEL: func.func private @sconce.init
// INIT: torch.aten.rsqrt
// INIT-LABEL: func.func @conv
// INIT-NOT: torch.aten.rsqrt
// INIT: torch.aten.conv2d %arg0, %{{.*}}, %{{.*}}
// INIT-NEXT: return

// CHECK-LABEL: func.func @conv
// CHECK: %[[W:.*]] = torch.operator "sconce.named_constant"() {torch.attributes = {{.*}}"w"
// CHECK: %[[E:.*]] = torch.aten.add.Scalar %[[VAR:.*]], %{{.*}}, %{{.*}}
// CHECK: %[[R:.*]] = torch.aten.rsqrt %[[E]]
// CHECK: %[[S:.*]] = torch.aten.mul.Tensor %[[R]], %[[GAMMA:.*]] :
// CHECK: %[[C:.*]] = torch.aten.reshape %[[S]]
// CHECK: %[[NW:.*]] = torch.aten.mul.Tensor %[[W]], %[[C]]
// CHECK: %[[N:.*]] = torch.aten.neg
// CHECK: %[[B:.*]] = torch.aten.mul.Tensor %[[N]], %[[S]]
// CHECK: %[[NB:.*]] = torch.aten.add.Tensor %[[B]]
// CHECK: %[[CAST:.*]] = torch.derefine %[[NB]]
// CHECK: %[[Y:.*]] = torch.aten.conv2d %arg0, %[[NW]], %[[CAST]]
// CHECK-NOT: torch.aten.batch_norm
// CHECK: return %[[Y]]
func.func @conv(%x: !torch.tensor<[1,3,8,8],f32>) -> !torch.tensor {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %eps = torch.constant.float 1.0e-05
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %pair = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %zero, %zero : (!torch.int, !torch.int) -> !torch.list<int>
  %w = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "w"]]} : () -> !torch.tensor<[4,3,3,3],f32>
  %no = torch.derefine %none : !torch.none to !torch.optional<tensor>
  %0 = torch.aten.conv2d %x, %w, %no, %pair, %zeros, %pair, %one : !torch.tensor<[1,3,8,8],f32>, !torch.tensor<[4,3,3,3],f32>, !torch.optional<tensor>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.tensor
  %gamma = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "gamma"]]} : () -> !torch.tensor<[4],f32>
  %beta = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "beta"]]} : () -> !torch.tensor<[4],f32>
  %mean = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "mean"]]} : () -> !torch.tensor<[4],f32>
  %var = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "var"]]} : () -> !torch.tensor<[4],f32>
  %1 = torch.aten.batch_norm %0, %gamma, %beta, %mean, %var, %false, %eps, %eps, %false : !torch.tensor, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.tensor
  return %1 : !torch.tensor
}

// In training it learns; of what else reads the layer's result nothing may change; a transposed convolution has its output channels elsewhere.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-3: torch.aten.batch_norm
func.func @stays(%x: !torch.tensor<[1,4,8,8],f32>) -> (!torch.tensor, !torch.tensor, !torch.tensor, !torch.tensor) {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  %eps = torch.constant.float 1.0e-05
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %pair = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %zero, %zero : (!torch.int, !torch.int) -> !torch.list<int>
  %w = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "w"]]} : () -> !torch.tensor<[4,4,3,3],f32>
  %v = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "v"]]} : () -> !torch.tensor<[4],f32>
  %no = torch.derefine %none : !torch.none to !torch.optional<tensor>
  %0 = torch.aten.conv2d %x, %w, %no, %pair, %zeros, %pair, %one : !torch.tensor<[1,4,8,8],f32>, !torch.tensor<[4,4,3,3],f32>, !torch.optional<tensor>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.tensor
  %1 = torch.aten.batch_norm %0, %v, %v, %v, %v, %true, %eps, %eps, %false : !torch.tensor, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.tensor
  %2 = torch.aten.conv2d %x, %w, %no, %pair, %zeros, %pair, %one : !torch.tensor<[1,4,8,8],f32>, !torch.tensor<[4,4,3,3],f32>, !torch.optional<tensor>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.tensor
  %3 = torch.aten.batch_norm %2, %v, %v, %v, %v, %false, %eps, %eps, %false : !torch.tensor, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.tensor
  %4 = torch.aten.convolution %x, %w, %no, %pair, %zeros, %pair, %true, %zeros, %one : !torch.tensor<[1,4,8,8],f32>, !torch.tensor<[4,4,3,3],f32>, !torch.optional<tensor>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.tensor
  %5 = torch.aten.batch_norm %4, %v, %v, %v, %v, %false, %eps, %eps, %false : !torch.tensor, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.tensor
  return %1, %2, %3, %5 : !torch.tensor, !torch.tensor, !torch.tensor, !torch.tensor
}
