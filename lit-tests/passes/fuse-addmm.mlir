// A product and what is added to it are one operator, on values too, where types say that the sum is as large as the product.
// RUN: sconce-opt %s --fuse-addmm --dce | FileCheck %s

// CHECK-LABEL: func.func @bias
// CHECK-NOT: torch.aten.mm
// CHECK: torch.aten.addmm %arg2, %arg0, %arg1
// CHECK-NOT: torch.aten.add.Tensor
// CHECK: return
func.func @bias(%x: !torch.vtensor<[2,3],f32>, %w: !torch.vtensor<[3,4],f32>, %b: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32> {
  %one = torch.constant.int 1
  %p = torch.aten.mm %x, %w : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3,4],f32> -> !torch.vtensor<[2,4],f32>
  %s = torch.aten.add.Tensor %p, %b, %one : !torch.vtensor<[2,4],f32>, !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[2,4],f32>
  return %s : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @larger
// CHECK: torch.aten.mm
// CHECK-NOT: torch.aten.addmm
// CHECK: return
func.func @larger(%x: !torch.vtensor<[1,3],f32>, %w: !torch.vtensor<[3,4],f32>, %b: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> {
  %one = torch.constant.int 1
  %p = torch.aten.mm %x, %w : !torch.vtensor<[1,3],f32>, !torch.vtensor<[3,4],f32> -> !torch.vtensor<[1,4],f32>
  %s = torch.aten.add.Tensor %p, %b, %one : !torch.vtensor<[1,4],f32>, !torch.vtensor<[2,4],f32>, !torch.int -> !torch.vtensor<[2,4],f32>
  return %s : !torch.vtensor<[2,4],f32>
}
