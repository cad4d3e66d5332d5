// What is done to each element of a convolution's result, and to nothing else of it, is done by the convolution: an operator alone, or a sum and one behind it.
// RUN: sconce-opt %s --fuse-conv-pointwise | FileCheck %s

!image = !torch.vtensor<[1,4,8,8],f32>
!weight = !torch.vtensor<[4,4,3,3],f32>
!list = !torch.list<int>

// CHECK-LABEL: func.func @clamp
// CHECK-SAME: %[[X:.*]]: !torch.vtensor<[1,4,8,8],f32>, %[[W:.*]]: !torch.vtensor<[4,4,3,3],f32>, %[[ONES:.*]]: !torch.list<int>
// CHECK-DAG: %[[NONE:.*]] = torch.constant.none
// CHECK-DAG: %[[SIX:.*]] = torch.constant.float 6
// CHECK: %[[WORD:.*]] = torch.constant.str "hardtanh"
// CHECK: %[[SCALARS:.*]] = torch.prim.ListConstruct %{{.*}}, %[[SIX]]
// CHECK-NOT: torch.aten
// CHECK: %[[Y:.*]] = torch.operator "mkldnn._convolution_pointwise"(%[[X]], %[[W]], %[[NONE]], %[[ONES]], %[[ONES]], %[[ONES]], %{{.*}}, %[[WORD]], %[[SCALARS]], %{{.*}})
// CHECK-NOT: torch.aten
// CHECK: return %[[Y]]
func.func @clamp(%x: !image, %w: !weight, %ones: !list) -> !image {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %zero = torch.constant.float 0.0
  %six = torch.constant.float 6.0
  %c = torch.aten.conv2d %x, %w, %none, %ones, %ones, %ones, %one : !image, !weight, !torch.none, !list, !list, !list, !torch.int -> !image
  %r = torch.aten.hardtanh %c, %zero, %six : !image, !torch.float, !torch.float -> !image
  return %r : !image
}

// The sum's sides may change places; what is behind it goes along.
// CHECK-LABEL: func.func @residual
// CHECK-NOT: torch.aten
// CHECK: torch.operator "mkldnn._convolution_pointwise.binary"(%arg0, %arg3, %arg1,
// CHECK-NOT: torch.aten
// CHECK: return
func.func @residual(%x: !image, %w: !weight, %ones: !list, %before: !image) -> !image {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %c = torch.aten.conv2d %x, %w, %none, %ones, %ones, %ones, %one : !image, !weight, !torch.none, !list, !list, !list, !torch.int -> !image
  %s = torch.aten.add.Tensor %before, %c, %one : !image, !image, !torch.int -> !image
  %r = torch.aten.relu %s : !image -> !image
  return %r : !image
}

// A result that somebody else reads stays, and a sum that is larger than it.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: mkldnn
// CHECK: return
func.func @kept(%x: !image, %w: !weight, %ones: !list, %more: !torch.vtensor<[2,4,8,8],f32>) -> (!image, !image, !torch.vtensor<[2,4,8,8],f32>) {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %c = torch.aten.conv2d %x, %w, %none, %ones, %ones, %ones, %one : !image, !weight, !torch.none, !list, !list, !list, !torch.int -> !image
  %r = torch.aten.relu %c : !image -> !image
  %d = torch.aten.conv2d %x, %w, %none, %ones, %ones, %ones, %one : !image, !weight, !torch.none, !list, !list, !list, !torch.int -> !image
  %s = torch.aten.add.Tensor %d, %more, %one : !image, !torch.vtensor<[2,4,8,8],f32>, !torch.int -> !torch.vtensor<[2,4,8,8],f32>
  return %c, %r, %s : !image, !image, !torch.vtensor<[2,4,8,8],f32>
}

// The kernel would be read behind the write to it.
// CHECK-LABEL: func.func @written
// CHECK: torch.aten.conv2d
// CHECK: torch.aten.zero_
// CHECK: torch.aten.relu
func.func @written(%x: !torch.tensor<[1,4,8,8],f32>, %w: !torch.tensor<[4,4,3,3],f32>, %ones: !list) -> !torch.tensor<[1,4,8,8],f32> {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %c = torch.aten.conv2d %x, %w, %none, %ones, %ones, %ones, %one : !torch.tensor<[1,4,8,8],f32>, !torch.tensor<[4,4,3,3],f32>, !torch.none, !list, !list, !list, !torch.int -> !torch.tensor<[1,4,8,8],f32>
  %z = torch.aten.zero_ %w : !torch.tensor<[4,4,3,3],f32> -> !torch.tensor<[4,4,3,3],f32>
  %r = torch.aten.relu %c : !torch.tensor<[1,4,8,8],f32> -> !torch.tensor<[1,4,8,8],f32>
  return %r : !torch.tensor<[1,4,8,8],f32>
}
