// Functions that were written out are recognised where the class allows it; what is explained is replayed.
// RUN: sconce-opt %s '--egraph=class=approximates' | FileCheck %s
// RUN: sconce-opt %s --egraph | FileCheck %s --check-prefix=EXACT
// RUN: sconce-opt %s '--egraph=class=approximates explain=1' -o /dev/null 2> %t.explained
// RUN: sconce-opt --replay %t.explained | FileCheck %s --check-prefix=REPLAY

// REPLAY: 4 explanations hold

// CHECK-LABEL: func.func @softmax
// CHECK: torch.aten.softmax.int %arg0
// CHECK-NOT: torch.aten.exp
// EXACT-LABEL: func.func @softmax
// EXACT: torch.aten.exp
func.func @softmax(%x: !torch.vtensor<[8,16],f32>) -> !torch.vtensor<[8,16],f32> {
  %true = torch.constant.bool true
  %none = torch.constant.none
  %dim = torch.constant.int 1
  %dims = torch.prim.ListConstruct %dim : (!torch.int) -> !torch.list<int>
  %e = torch.aten.exp %x : !torch.vtensor<[8,16],f32> -> !torch.vtensor<[8,16],f32>
  %s = torch.aten.sum.dim_IntList %e, %dims, %true, %none : !torch.vtensor<[8,16],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[8,1],f32>
  %q = torch.aten.div.Tensor %e, %s : !torch.vtensor<[8,16],f32>, !torch.vtensor<[8,1],f32> -> !torch.vtensor<[8,16],f32>
  return %q : !torch.vtensor<[8,16],f32>
}

// CHECK-LABEL: func.func @gelu
// CHECK: torch.aten.gelu %arg0
// CHECK-NOT: torch.aten.erf
func.func @gelu(%x: !torch.vtensor<[?,64],f32>) -> !torch.vtensor<[?,64],f32> {
  %int1 = torch.constant.int 1
  %half = torch.constant.float 5.000000e-01
  %root = torch.constant.float 1.4142135623730951
  %1 = torch.aten.mul.Scalar %x, %half : !torch.vtensor<[?,64],f32>, !torch.float -> !torch.vtensor<[?,64],f32>
  %2 = torch.aten.div.Scalar %x, %root : !torch.vtensor<[?,64],f32>, !torch.float -> !torch.vtensor<[?,64],f32>
  %3 = torch.aten.erf %2 : !torch.vtensor<[?,64],f32> -> !torch.vtensor<[?,64],f32>
  %4 = torch.aten.add.Scalar %3, %int1, %int1 : !torch.vtensor<[?,64],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,64],f32>
  %5 = torch.aten.mul.Tensor %1, %4 : !torch.vtensor<[?,64],f32>, !torch.vtensor<[?,64],f32> -> !torch.vtensor<[?,64],f32>
  return %5 : !torch.vtensor<[?,64],f32>
}

// The factors stand the other way round.
// CHECK-LABEL: func.func @silu
// CHECK: torch.aten.silu %arg0
func.func @silu(%x: !torch.vtensor<[32],f32>) -> !torch.vtensor<[32],f32> {
  %1 = torch.aten.sigmoid %x : !torch.vtensor<[32],f32> -> !torch.vtensor<[32],f32>
  %2 = torch.aten.mul.Tensor %1, %x : !torch.vtensor<[32],f32>, !torch.vtensor<[32],f32> -> !torch.vtensor<[32],f32>
  return %2 : !torch.vtensor<[32],f32>
}

// CHECK-LABEL: func.func @rms_norm
// CHECK: torch.aten.rms_norm %arg0
func.func @rms_norm(%x: !torch.vtensor<[8,16],f32>) -> !torch.vtensor<[8,16],f32> {
  %true = torch.constant.bool true
  %none = torch.constant.none
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %dim = torch.constant.int -1
  %eps = torch.constant.float 1.000000e-06
  %dims = torch.prim.ListConstruct %dim : (!torch.int) -> !torch.list<int>
  %1 = torch.aten.pow.Tensor_Scalar %x, %int2 : !torch.vtensor<[8,16],f32>, !torch.int -> !torch.vtensor<[8,16],f32>
  %2 = torch.aten.mean.dim %1, %dims, %true, %none : !torch.vtensor<[8,16],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[8,1],f32>
  %3 = torch.aten.add.Scalar %2, %eps, %int1 : !torch.vtensor<[8,1],f32>, !torch.float, !torch.int -> !torch.vtensor<[8,1],f32>
  %4 = torch.aten.rsqrt %3 : !torch.vtensor<[8,1],f32> -> !torch.vtensor<[8,1],f32>
  %5 = torch.aten.mul.Tensor %x, %4 : !torch.vtensor<[8,16],f32>, !torch.vtensor<[8,1],f32> -> !torch.vtensor<[8,16],f32>
  return %5 : !torch.vtensor<[8,16],f32>
}
