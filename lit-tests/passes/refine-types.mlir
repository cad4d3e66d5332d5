// Shape rules give results ranks, sizes and dtypes; who insists on the old type gets a cast.
// RUN: sconce-opt %s --refine-types | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK: torch.aten.mm {{.*}} -> !torch.tensor<[?,5],f32>
// CHECK: %[[S:.*]] = torch.aten.add.Tensor {{.*}} -> !torch.tensor<[?,5],f32>
// CHECK: %[[C:.*]] = torch.tensor_static_info_cast %[[S]] : !torch.tensor<[?,5],f32> to !torch.tensor
// CHECK: return %[[C]] : !torch.tensor
func.func @f(%a: !torch.tensor<[?,4],f32>, %b: !torch.tensor<[4,5],f32>, %c: !torch.tensor<[5],f32>) -> !torch.tensor {
  %one = torch.constant.int 1
  %0 = torch.aten.mm %a, %b : !torch.tensor<[?,4],f32>, !torch.tensor<[4,5],f32> -> !torch.tensor
  %1 = torch.aten.add.Tensor %0, %c, %one : !torch.tensor, !torch.tensor<[5],f32>, !torch.int -> !torch.tensor
  return %1 : !torch.tensor
}

// Integers promote to the float; a comparison is bool.
// CHECK-LABEL: func.func @promote
// CHECK: torch.aten.mul.Tensor {{.*}} -> !torch.vtensor<[2,3],f32>
// CHECK: torch.aten.gt.Scalar {{.*}} -> !torch.vtensor<[2,3],i1>
func.func @promote(%a: !torch.vtensor<[2,1],si64>, %b: !torch.vtensor<[3],f32>) -> !torch.vtensor {
  %zero = torch.constant.int 0
  %0 = torch.aten.mul.Tensor %a, %b : !torch.vtensor<[2,1],si64>, !torch.vtensor<[3],f32> -> !torch.vtensor
  %1 = torch.aten.gt.Scalar %0, %zero : !torch.vtensor, !torch.int -> !torch.vtensor
  return %1 : !torch.vtensor
}
