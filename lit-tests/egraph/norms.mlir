// Normalisation that was written out, with its weight.
// RUN: sconce-opt %s '--egraph=class=reassociates' | FileCheck %s

// CHECK-LABEL: @rms
// CHECK: torch.aten.rms_norm %arg0, {{.*}}, %arg1
// CHECK-NOT: torch.aten.rsqrt
func.func @rms(%x: !torch.vtensor<[8,16],f32>, %w: !torch.vtensor<[16],f32>) -> !torch.vtensor<[8,16],f32> {
  %c0 = torch.constant.int 2
  %r1 = torch.aten.pow.Tensor_Scalar %x, %c0 : !torch.vtensor<[8,16],f32>, !torch.int -> !torch.vtensor<[8,16],f32>
  %c1 = torch.constant.int -1
  %c2 = torch.prim.ListConstruct %c1 : (!torch.int) -> !torch.list<int>
  %c3 = torch.constant.bool true
  %c4 = torch.constant.none
  %r2 = torch.aten.mean.dim %r1, %c2, %c3, %c4 : !torch.vtensor<[8,16],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[8,1],f32>
  %c5 = torch.constant.float 1.0e-06
  %c6 = torch.constant.int 1
  %r3 = torch.aten.add.Scalar %r2, %c5, %c6 : !torch.vtensor<[8,1],f32>, !torch.float, !torch.int -> !torch.vtensor<[8,1],f32>
  %r4 = torch.aten.rsqrt %r3 : !torch.vtensor<[8,1],f32> -> !torch.vtensor<[8,1],f32>
  %r5 = torch.aten.mul.Tensor %x, %r4 : !torch.vtensor<[8,16],f32>, !torch.vtensor<[8,1],f32> -> !torch.vtensor<[8,16],f32>
  %r6 = torch.aten.mul.Tensor %w, %r5 : !torch.vtensor<[16],f32>, !torch.vtensor<[8,16],f32> -> !torch.vtensor<[8,16],f32>
  return %r6 : !torch.vtensor<[8,16],f32>
}
