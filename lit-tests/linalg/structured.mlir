// Products read transposed operands in place; views, reductions and rows.
// RUN: sconce-opt %s --convert-torch-to-linalg --canonicalize | FileCheck %s

// CHECK: #[[$NT:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @linear
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul indexing_maps = [#{{.*}}, #[[$NT]], #{{.*}}] ins(%arg0, %arg1 : tensor<?x4xf32>, tensor<5x4xf32>)
// CHECK: linalg.generic
func.func @linear(%x: !torch.vtensor<[?,4],f32>, %w: !torch.vtensor<[5,4],f32>, %b: !torch.vtensor<[5],f32>) -> !torch.vtensor<[?,5],f32> {
  %0 = torch.aten.linear %x, %w, %b : !torch.vtensor<[?,4],f32>, !torch.vtensor<[5,4],f32>, !torch.vtensor<[5],f32> -> !torch.vtensor<[?,5],f32>
  return %0 : !torch.vtensor<[?,5],f32>
}

// CHECK-LABEL: func.func @chunk
// CHECK: tensor.extract_slice %arg0[0, 0] [%{{.*}}, 4] [1, 1] : tensor<?x6xf32> to tensor<?x4xf32>
// CHECK: tensor.extract_slice %arg0[0, 4] [%{{.*}}, 2] [1, 1] : tensor<?x6xf32> to tensor<?x2xf32>
func.func @chunk(%x: !torch.vtensor<[?,6],f32>) -> (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,2],f32>) {
  %four = torch.constant.int 4
  %one = torch.constant.int 1
  %l = torch.aten.split.Tensor %x, %four, %one : !torch.vtensor<[?,6],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %0:2 = torch.prim.ListUnpack %l : !torch.list<vtensor> -> !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,2],f32>
  return %0#0, %0#1 : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,2],f32>
}

// What begins at the end holds nothing, wherever it stops.
// CHECK-LABEL: func.func @slice_from_the_end
// CHECK-NOT: tensor.extract_slice
// CHECK: tensor.empty() : tensor<0xi64>
func.func @slice_from_the_end(%x: !torch.vtensor<[2],si64>, %y: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],si64> {
  %zero = torch.constant.int 0
  %stop = torch.aten.size.int %y, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %far = torch.constant.int 2147483648
  %one = torch.constant.int 1
  %0 = torch.aten.slice.Tensor %x, %zero, %far, %stop, %one : !torch.vtensor<[2],si64>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?],si64>
  return %0 : !torch.vtensor<[?],si64>
}

// CHECK-LABEL: func.func @view
// CHECK: tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]]
func.func @view(%x: !torch.vtensor<[?,6],f32>) -> !torch.vtensor<[?,2,3],f32> {
  %m1 = torch.constant.int -1
  %two = torch.constant.int 2
  %three = torch.constant.int 3
  %s = torch.prim.ListConstruct %m1, %two, %three : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.view %x, %s : !torch.vtensor<[?,6],f32>, !torch.list<int> -> !torch.vtensor<[?,2,3],f32>
  return %0 : !torch.vtensor<[?,2,3],f32>
}

// CHECK-LABEL: func.func @softmax
// CHECK: arith.maximumf {{.*}} fastmath<reassoc,nnan,nsz>
// CHECK: math.exp
// CHECK: arith.addf {{.*}} fastmath<reassoc>
// CHECK: arith.divf
func.func @softmax(%x: !torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32> {
  %d = torch.constant.int -1
  %none = torch.constant.none
  %0 = torch.aten.softmax.int %x, %d, %none : !torch.vtensor<[2,?],f32>, !torch.int, !torch.none -> !torch.vtensor<[2,?],f32>
  return %0 : !torch.vtensor<[2,?],f32>
}
