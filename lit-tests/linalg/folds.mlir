// A reduction, a scan or a loss is lowered from its record's fold: an element, a loop that carries a state, and what is made of that.
// RUN: sconce-opt %s --convert-torch-to-linalg --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @mean_of_squares
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]{{.*}} ins(%arg0, %arg1
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "reduction"]
// CHECK: arith.addf {{.*}} fastmath<reassoc>
// CHECK: arith.divf
func.func @mean_of_squares(%x: !torch.vtensor<[4,8],f32>, %y: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[],f32> {
  %mean = torch.constant.int 1
  %0 = torch.aten.mse_loss %x, %y, %mean : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.int -> !torch.vtensor<[],f32>
  return %0 : !torch.vtensor<[],f32>
}

// A loss that nothing reduces is its element.
// CHECK-LABEL: func.func @distances
// CHECK-NOT: "reduction"
// CHECK: math.absf
// CHECK-NOT: "reduction"
// CHECK: return
func.func @distances(%x: !torch.vtensor<[4,8],f32>, %y: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %none = torch.constant.int 0
  %0 = torch.aten.l1_loss %x, %y, %none : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.int -> !torch.vtensor<[4,8],f32>
  return %0 : !torch.vtensor<[4,8],f32>
}

// CHECK-LABEL: func.func @counted
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: arith.cmpf une
// CHECK: arith.extui {{.*}} i1 to i64
// CHECK: arith.addi
func.func @counted(%x: !torch.vtensor<[4,?],f32>) -> !torch.vtensor<[4],si64> {
  %last = torch.constant.int -1
  %0 = torch.aten.count_nonzero %x, %last : !torch.vtensor<[4,?],f32>, !torch.int -> !torch.vtensor<[4],si64>
  return %0 : !torch.vtensor<[4],si64>
}

// A norm of order 3: powers of magnitudes, and the root of their sum.
// CHECK-LABEL: func.func @third_norm
// CHECK: math.absf
// CHECK: math.powf
// CHECK: arith.addf
// CHECK: math.powf
func.func @third_norm(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,1],f32> {
  %three = torch.constant.float 3.0
  %last = torch.constant.int -1
  %dims = torch.prim.ListConstruct %last : (!torch.int) -> !torch.list<int>
  %true = torch.constant.bool true
  %none = torch.constant.none
  %0 = torch.aten.linalg_vector_norm %x, %three, %dims, %true, %none : !torch.vtensor<[4,8],f32>, !torch.float, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// CHECK-LABEL: func.func @running
// CHECK: scf.for
// CHECK: arith.cmpf uge
// CHECK: tensor.insert
func.func @running(%x: !torch.vtensor<[4,8],f32>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],si64>) {
  %last = torch.constant.int -1
  %0:2 = torch.operator "aten.cummax"(%x, %last) : (!torch.vtensor<[4,8],f32>, !torch.int) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],si64>)
  return %0#0, %0#1 : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],si64>
}
