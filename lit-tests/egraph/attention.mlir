// Attention that was written out, with and without a mask.
// RUN: sconce-opt %s '--egraph=class=reassociates' | FileCheck %s

// CHECK-LABEL: @masked
// CHECK: torch.aten.scaled_dot_product_attention %arg0, %arg1, %arg2, %arg3
// CHECK-NOT: torch.aten.softmax
func.func @masked(%q: !torch.vtensor<[1,4,64,32],f32>, %k: !torch.vtensor<[1,4,64,32],f32>, %v: !torch.vtensor<[1,4,64,32],f32>, %m: !torch.vtensor<[1,1,1,64],f32>) -> !torch.vtensor<[1,4,64,32],f32> {
  %c0 = torch.constant.int -1
  %c1 = torch.constant.int -2
  %r1 = torch.aten.transpose.int %k, %c0, %c1 : !torch.vtensor<[1,4,64,32],f32>, !torch.int, !torch.int -> !torch.vtensor<[1,4,32,64],f32>
  %r2 = torch.aten.matmul %q, %r1 : !torch.vtensor<[1,4,64,32],f32>, !torch.vtensor<[1,4,32,64],f32> -> !torch.vtensor<[1,4,64,64],f32>
  %c2 = torch.constant.float 8.0
  %r3 = torch.aten.div.Scalar %r2, %c2 : !torch.vtensor<[1,4,64,64],f32>, !torch.float -> !torch.vtensor<[1,4,64,64],f32>
  %c3 = torch.constant.int 1
  %r4 = torch.aten.add.Tensor %r3, %m, %c3 : !torch.vtensor<[1,4,64,64],f32>, !torch.vtensor<[1,1,1,64],f32>, !torch.int -> !torch.vtensor<[1,4,64,64],f32>
  %c4 = torch.constant.none
  %r5 = torch.aten.softmax.int %r4, %c0, %c4 : !torch.vtensor<[1,4,64,64],f32>, !torch.int, !torch.none -> !torch.vtensor<[1,4,64,64],f32>
  %r6 = torch.aten.matmul %r5, %v : !torch.vtensor<[1,4,64,64],f32>, !torch.vtensor<[1,4,64,32],f32> -> !torch.vtensor<[1,4,64,32],f32>
  return %r6 : !torch.vtensor<[1,4,64,32],f32>
}

// CHECK-LABEL: @plain
// CHECK: torch.aten.scaled_dot_product_attention %arg0, %arg1, %arg2
// CHECK-NOT: torch.aten.softmax
func.func @plain(%q: !torch.vtensor<[1,4,64,32],f32>, %k: !torch.vtensor<[1,4,64,32],f32>, %v: !torch.vtensor<[1,4,64,32],f32>) -> !torch.vtensor<[1,4,64,32],f32> {
  %c0 = torch.constant.float 0.25
  %r1 = torch.aten.mul.Scalar %q, %c0 : !torch.vtensor<[1,4,64,32],f32>, !torch.float -> !torch.vtensor<[1,4,64,32],f32>
  %c1 = torch.constant.int 2
  %c2 = torch.constant.int 3
  %r2 = torch.aten.transpose.int %k, %c1, %c2 : !torch.vtensor<[1,4,64,32],f32>, !torch.int, !torch.int -> !torch.vtensor<[1,4,32,64],f32>
  %r3 = torch.aten.matmul %r1, %r2 : !torch.vtensor<[1,4,64,32],f32>, !torch.vtensor<[1,4,32,64],f32> -> !torch.vtensor<[1,4,64,64],f32>
  %c3 = torch.constant.none
  %r4 = torch.aten.softmax.int %r3, %c2, %c3 : !torch.vtensor<[1,4,64,64],f32>, !torch.int, !torch.none -> !torch.vtensor<[1,4,64,64],f32>
  %r5 = torch.aten.matmul %r4, %v : !torch.vtensor<[1,4,64,64],f32>, !torch.vtensor<[1,4,64,32],f32> -> !torch.vtensor<[1,4,64,32],f32>
  return %r5 : !torch.vtensor<[1,4,64,32],f32>
}
