// Convolutions and pools fold windows that move over a padded tensor: one index map reads them.
// RUN: sconce-opt %s --convert-torch-to-linalg | FileCheck %s

// CHECK-DAG: #[[CONV:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d5, d3 * 2 + d6, d4 * 2 + d7)>
// CHECK-DAG: #[[POOL:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4, d3 * 2 + d5)>

// CHECK-LABEL: func.func @conv
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 1, 1] [2, 4, 7, 7] [1, 1, 1, 1]
// CHECK: linalg.generic {indexing_maps = [#[[CONV]]
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK: return %{{.*}} : tensor<2x6x4x4xf32>
func.func @conv(%x: !torch.vtensor<[2,4,7,7],f32>, %w: !torch.vtensor<[6,2,3,3],f32>, %b: !torch.vtensor<[6],f32>) -> !torch.vtensor<[2,6,4,4],f32> {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %stride = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.conv2d %x, %w, %b, %stride, %ones, %ones, %two : !torch.vtensor<[2,4,7,7],f32>, !torch.vtensor<[6,2,3,3],f32>, !torch.vtensor<[6],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[2,6,4,4],f32>
  return %r : !torch.vtensor<[2,6,4,4],f32>
}

// A stride that is left out is the kernel's. Nothing lies outside, so nothing is padded.
// CHECK-LABEL: func.func @pool
// CHECK-NOT: tensor.insert_slice
// CHECK: linalg.generic {indexing_maps = [#[[POOL]]
// CHECK: arith.maximumf
// CHECK: return %{{.*}} : tensor<1x3x?x4xf32>
func.func @pool(%x: !torch.vtensor<[1,3,?,8],f32>) -> !torch.vtensor<[1,3,?,4],f32> {
  %false = torch.constant.bool false
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %none = torch.prim.ListConstruct : () -> !torch.list<int>
  %kernel = torch.prim.ListConstruct %two, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %zero, %zero : (!torch.int, !torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.max_pool2d %x, %kernel, %none, %zeros, %ones, %false : !torch.vtensor<[1,3,?,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,3,?,4],f32>
  return %r : !torch.vtensor<[1,3,?,4],f32>
}

// Where padding does not count, windows at the border are divided by less.
// CHECK-LABEL: func.func @average
// CHECK: linalg.index 2
// CHECK: arith.divf
func.func @average(%x: !torch.vtensor<[1,3,5,5],f32>) -> !torch.vtensor<[1,3,5,5],f32> {
  %false = torch.constant.bool false
  %one = torch.constant.int 1
  %three = torch.constant.int 3
  %none = torch.constant.none
  %kernel = torch.prim.ListConstruct %three, %three : (!torch.int, !torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.avg_pool2d %x, %kernel, %ones, %ones, %false, %false, %none : !torch.vtensor<[1,3,5,5],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[1,3,5,5],f32>
  return %r : !torch.vtensor<[1,3,5,5],f32>
}
