// A list of numbers that graph text has as one constant is a constant: it crosses a region's border as a copy.
// RUN: sconce-opt %s --outline-regions | FileCheck %s

// CHECK: sconce.region
// CHECK: torch.operator "prim.Constant"
// CHECK: torch.aten.layer_norm
// CHECK: sconce.yield
func.func @f(%x: !torch.vtensor<[2,8],f32>, %w: !torch.vtensor<[8],f32>) -> !torch.vtensor<[2,8],f32> {
  %sizes = torch.operator "prim.Constant"() {torch.attributes = [["value", [8]]]} : () -> !torch.list<int>
  %yes = torch.constant.bool true
  %eps = torch.constant.float 1.000000e-05
  %r = torch.aten.layer_norm %x, %sizes, %w, %w, %eps, %yes : !torch.vtensor<[2,8],f32>, !torch.list<int>, !torch.vtensor<[8],f32>, !torch.vtensor<[8],f32>, !torch.float, !torch.bool -> !torch.vtensor<[2,8],f32>
  return %r : !torch.vtensor<[2,8],f32>
}
