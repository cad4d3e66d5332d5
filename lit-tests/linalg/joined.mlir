// Tensors one after the other are insertions into a fresh one; what is empty is not inserted.
// RUN: sconce-opt %s --convert-torch-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @empty
// CHECK: %[[E:.*]] = tensor.empty() : tensor<0x5xf32>
// CHECK-NOT: tensor.insert_slice
// CHECK: return %[[E]]
func.func @empty(%x: !torch.vtensor<[0,2],f32>, %y: !torch.vtensor<[0,3],f32>) -> !torch.vtensor<[0,5],f32> {
  %one = torch.constant.int 1
  %0 = torch.prim.ListConstruct %x, %y : (!torch.vtensor<[0,2],f32>, !torch.vtensor<[0,3],f32>) -> !torch.list<vtensor>
  %1 = torch.aten.cat %0, %one : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[0,5],f32>
  return %1 : !torch.vtensor<[0,5],f32>
}

// The empty one takes no place.
// CHECK-LABEL: func.func @one_empty
// CHECK-COUNT-1: tensor.insert_slice %arg1 into %{{.*}}[0, 0] [2, 3] [1, 1]
// CHECK-NOT: tensor.insert_slice
func.func @one_empty(%x: !torch.vtensor<[2,0],f32>, %y: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  %one = torch.constant.int 1
  %0 = torch.prim.ListConstruct %x, %y : (!torch.vtensor<[2,0],f32>, !torch.vtensor<[2,3],f32>) -> !torch.list<vtensor>
  %1 = torch.aten.cat %0, %one : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[2,3],f32>
  return %1 : !torch.vtensor<[2,3],f32>
}

// A size that only one of them knows is the result's; each is inserted as it is.
// CHECK-LABEL: func.func @known_of_one
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[0, 0] [%{{.*}}, 2] [1, 1] : tensor<?x2xf32> into tensor<4x5xf32>
// CHECK: tensor.insert_slice %arg1 into %{{.*}}[0, 2] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x5xf32>
func.func @known_of_one(%x: !torch.vtensor<[?,2],f32>, %y: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,5],f32> {
  %one = torch.constant.int 1
  %0 = torch.prim.ListConstruct %x, %y : (!torch.vtensor<[?,2],f32>, !torch.vtensor<[4,3],f32>) -> !torch.list<vtensor>
  %1 = torch.aten.cat %0, %one : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4,5],f32>
  return %1 : !torch.vtensor<[4,5],f32>
}
