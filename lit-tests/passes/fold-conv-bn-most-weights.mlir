// A layer with many weights for the few elements that it gives stays as it is, if one says so; where sizes are not known it does not.
// RUN: sconce-opt %s --fold-conv-bn=most-weights=4 | FileCheck %s
// RUN: sconce-opt %s --fold-conv-bn | FileCheck %s --check-prefix=ALL

// ALL-NOT: torch.aten.batch_norm

// CHECK-LABEL: func.func @few
// CHECK-NOT: torch.aten.batch_norm
func.func @few(%x: !torch.tensor<[1,3,8,8],f32>) -> !torch.tensor<[1,4,6,6],f32> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %eps = torch.constant.float 1.0e-05
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %pair = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %zero, %zero : (!torch.int, !torch.int) -> !torch.list<int>
  %no = torch.derefine %none : !torch.none to !torch.optional<tensor>
  %w = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "w"]]} : () -> !torch.tensor<[4,3,3,3],f32>
  %v = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "v"]]} : () -> !torch.tensor<[4],f32>
  %0 = torch.aten.conv2d %x, %w, %no, %pair, %zeros, %pair, %one : !torch.tensor<[1,3,8,8],f32>, !torch.tensor<[4,3,3,3],f32>, !torch.optional<tensor>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.tensor<[1,4,6,6],f32>
  %1 = torch.aten.batch_norm %0, %v, %v, %v, %v, %false, %eps, %eps, %false : !torch.tensor<[1,4,6,6],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.tensor<[1,4,6,6],f32>
  return %1 : !torch.tensor<[1,4,6,6],f32>
}

// CHECK-LABEL: func.func @many
// CHECK-COUNT-1: torch.aten.batch_norm
func.func @many(%x: !torch.tensor<[1,64,3,3],f32>) -> !torch.tensor<[1,4,1,1],f32> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %eps = torch.constant.float 1.0e-05
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %pair = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %zero, %zero : (!torch.int, !torch.int) -> !torch.list<int>
  %no = torch.derefine %none : !torch.none to !torch.optional<tensor>
  %w = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "w"]]} : () -> !torch.tensor<[4,64,3,3],f32>
  %v = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "v"]]} : () -> !torch.tensor<[4],f32>
  %0 = torch.aten.conv2d %x, %w, %no, %pair, %zeros, %pair, %one : !torch.tensor<[1,64,3,3],f32>, !torch.tensor<[4,64,3,3],f32>, !torch.optional<tensor>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.tensor<[1,4,1,1],f32>
  %1 = torch.aten.batch_norm %0, %v, %v, %v, %v, %false, %eps, %eps, %false : !torch.tensor<[1,4,1,1],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.tensor<[1,4,1,1],f32>
  return %1 : !torch.tensor<[1,4,1,1],f32>
}
