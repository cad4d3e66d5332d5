// What the rules know to be equal and cheaper stands for what was written; tensors that can be written to are left alone.
// RUN: sconce-opt %s --egraph | FileCheck %s
// RUN: sconce-opt %s --egraph=class=reassociates | FileCheck %s --check-prefix=LOOSE
// RUN: sconce-opt %s '--egraph=builtin=0' | FileCheck %s --check-prefix=NONE
// RUN: sconce-opt %s '--egraph=report=1' 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not sconce-opt %s '--egraph=class=some' 2>&1 | FileCheck %s --check-prefix=CLASS

// CLASS: there is no class 'some'; expected exact, reassociates or approximates

// CHECK-LABEL: func.func @transposes
// CHECK-NEXT: %[[R:.*]] = torch.aten.relu %arg0
// CHECK-NEXT: return %[[R]]
// NONE-LABEL: func.func @transposes
// NONE: torch.aten.transpose.int
// NONE: torch.aten.transpose.int
// REPORT: egraph: modelled cost {{[0-9]+}} -> {{[0-9]+}} ns; {{.*}}relu-transpose x1
func.func @transposes(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %1 = torch.aten.transpose.int %x, %int0, %int1 : !torch.vtensor<[4,8],f32>, !torch.int, !torch.int -> !torch.vtensor<[8,4],f32>
  %2 = torch.aten.relu %1 : !torch.vtensor<[8,4],f32> -> !torch.vtensor<[8,4],f32>
  %3 = torch.aten.transpose.int %2, %int0, %int1 : !torch.vtensor<[8,4],f32>, !torch.int, !torch.int -> !torch.vtensor<[4,8],f32>
  return %3 : !torch.vtensor<[4,8],f32>
}

// A vector is multiplied last: (x y) z costs a product of matrices more than x (y z). Sums in another order are other bits.
// CHECK-LABEL: func.func @associative
// CHECK: torch.aten.mm %arg0, %arg1
// LOOSE-LABEL: func.func @associative
// LOOSE: %[[V:.*]] = torch.aten.mm %arg1, %arg2 {{.*}} -> !torch.vtensor<[256,1],f32>
// LOOSE-NEXT: torch.aten.mm %arg0, %[[V]]
func.func @associative(%x: !torch.vtensor<[256,256],f32>, %y: !torch.vtensor<[256,256],f32>, %z: !torch.vtensor<[256,1],f32>) -> !torch.vtensor<[256,1],f32> {
  %1 = torch.aten.mm %x, %y : !torch.vtensor<[256,256],f32>, !torch.vtensor<[256,256],f32> -> !torch.vtensor<[256,256],f32>
  %2 = torch.aten.mm %1, %z : !torch.vtensor<[256,256],f32>, !torch.vtensor<[256,1],f32> -> !torch.vtensor<[256,1],f32>
  return %2 : !torch.vtensor<[256,1],f32>
}

// A quotient by a power of two is a product, to the bit; by three it is not.
// CHECK-LABEL: func.func @quotients
// CHECK: %[[HALF:.*]] = torch.constant.float 5.000000e-01
// CHECK: %[[M:.*]] = torch.aten.mul.Scalar %arg0, %[[HALF]]
// CHECK: torch.aten.div.Scalar %[[M]], %int3
func.func @quotients(%x: !torch.vtensor<[1000],f32>) -> !torch.vtensor<[1000],f32> {
  %int2 = torch.constant.int 2
  %int3 = torch.constant.int 3
  %1 = torch.aten.div.Scalar %x, %int2 : !torch.vtensor<[1000],f32>, !torch.int -> !torch.vtensor<[1000],f32>
  %2 = torch.aten.div.Scalar %1, %int3 : !torch.vtensor<[1000],f32>, !torch.int -> !torch.vtensor<[1000],f32>
  return %2 : !torch.vtensor<[1000],f32>
}

// What was taken apart is put together again, also where sizes are not known.
// CHECK-LABEL: func.func @apart
// CHECK-NEXT: return %arg0
func.func @apart(%x: !torch.vtensor<[?,6],f32>) -> !torch.vtensor<[?,6],f32> {
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %1 = torch.aten.split.Tensor %x, %int3, %int1 : !torch.vtensor<[?,6],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %2:2 = torch.prim.ListUnpack %1 : !torch.list<vtensor> -> !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>
  %3 = torch.prim.ListConstruct %2#0, %2#1 : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>) -> !torch.list<vtensor>
  %4 = torch.aten.cat %3, %int1 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,6],f32>
  return %4 : !torch.vtensor<[?,6],f32>
}

// x * 1 of integers and a float is no x: the types tell.
// CHECK-LABEL: func.func @other_type
// CHECK: torch.aten.mul.Scalar
func.func @other_type(%x: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3],f32> {
  %one = torch.constant.float 1.0
  %1 = torch.aten.mul.Scalar %x, %one : !torch.vtensor<[3],si64>, !torch.float -> !torch.vtensor<[3],f32>
  return %1 : !torch.vtensor<[3],f32>
}

// Tensors that can be written to are not values.
// CHECK-LABEL: func.func @written
// CHECK: torch.aten.neg
// CHECK: torch.aten.neg
func.func @written(%x: !torch.tensor<[3],f32>) -> !torch.tensor<[3],f32> {
  %1 = torch.aten.neg %x : !torch.tensor<[3],f32> -> !torch.tensor<[3],f32>
  %2 = torch.aten.neg %1 : !torch.tensor<[3],f32> -> !torch.tensor<[3],f32>
  return %2 : !torch.tensor<[3],f32>
}
