// Any operator with a scalar expression, broadcast, with known and unknown sizes.
// RUN: sconce-opt %s --convert-torch-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @sigmoid(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: linalg.generic
// CHECK: arith.negf
// CHECK-NEXT: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
func.func @sigmoid(%a: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  %0 = torch.aten.sigmoid %a : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}

// f16 is computed in f32 and rounded once.
// CHECK-LABEL: func.func @half
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: math.tanh %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @half(%a: !torch.vtensor<[3],f16>) -> !torch.vtensor<[3],f16> {
  %0 = torch.aten.tanh %a : !torch.vtensor<[3],f16> -> !torch.vtensor<[3],f16>
  return %0 : !torch.vtensor<[3],f16>
}

// Integer and float: the integer is converted in the body.
// CHECK-LABEL: func.func @broadcast(%arg0: tensor<?x1xi64>, %arg1: tensor<5xf32>) -> tensor<?x5xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<?x1xi64>, tensor<5xf32>)
// CHECK: arith.sitofp
// CHECK: arith.mulf
func.func @broadcast(%a: !torch.vtensor<[?,1],si64>, %b: !torch.vtensor<[5],f32>) -> !torch.vtensor<[?,5],f32> {
  %0 = torch.aten.mul.Tensor %a, %b : !torch.vtensor<[?,1],si64>, !torch.vtensor<[5],f32> -> !torch.vtensor<[?,5],f32>
  return %0 : !torch.vtensor<[?,5],f32>
}
