// Casts that a narrower one undoes.
// RUN: sconce-opt %s --egraph | FileCheck %s

// CHECK-LABEL: @back
// CHECK-NEXT: return %arg0
func.func @back(%x: !torch.vtensor<[64],f16>) -> !torch.vtensor<[64],f16> {
  %c0 = torch.constant.int 6
  %c1 = torch.constant.bool false
  %c2 = torch.constant.none
  %r1 = torch.aten.to.dtype %x, %c0, %c1, %c1, %c2 : !torch.vtensor<[64],f16>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[64],f32>
  %c3 = torch.constant.int 5
  %r2 = torch.aten.to.dtype %r1, %c3, %c1, %c1, %c2 : !torch.vtensor<[64],f32>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[64],f16>
  return %r2 : !torch.vtensor<[64],f16>
}
