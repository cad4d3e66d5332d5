// Runs of operations become regions; writes end them; views that leave are made outside.
// RUN: sconce-opt %s --pass-pipeline='builtin.module(refine-types,outline-regions)' | FileCheck %s
// RUN: sconce-opt %s --pass-pipeline='builtin.module(refine-types,outline-regions{report=true})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// CHECK-LABEL: func.func @write_between
// CHECK: sconce.region "write_between.r0"
// CHECK:   torch.aten.relu
// CHECK:   torch.aten.tanh
// CHECK:   sconce.yield
// CHECK: torch.aten.mul_.Tensor
// CHECK: sconce.region "write_between.r1"
// CHECK:   torch.aten.add.Tensor
// WHY: write_between: aten::mul_.Tensor is not compiled: it writes to a tensor, or may do anything
func.func @write_between(%a: !torch.tensor<[4],f32>) -> !torch.tensor {
  %one = torch.constant.int 1
  %0 = torch.aten.relu %a : !torch.tensor<[4],f32> -> !torch.tensor
  %1 = torch.aten.tanh %0 : !torch.tensor -> !torch.tensor
  %2 = torch.aten.mul_.Tensor %1, %a : !torch.tensor, !torch.tensor<[4],f32> -> !torch.tensor
  %3 = torch.aten.add.Tensor %1, %a, %one : !torch.tensor, !torch.tensor<[4],f32>, !torch.int -> !torch.tensor
  return %3 : !torch.tensor
}

// The transposed tensor is returned, so it shares storage with the region's result.
// CHECK-LABEL: func.func @view_leaves
// CHECK: %[[R:.*]] = sconce.region "view_leaves.r0"
// CHECK: %[[T:.*]] = torch.copy.to_tensor %[[R]]
// CHECK: %[[V:.*]] = torch.aten.t %[[T]]
// CHECK: return
func.func @view_leaves(%a: !torch.tensor<[2,3],f32>) -> (!torch.tensor, !torch.tensor) {
  %0 = torch.aten.exp %a : !torch.tensor<[2,3],f32> -> !torch.tensor
  %1 = torch.aten.t %0 : !torch.tensor -> !torch.tensor
  return %0, %1 : !torch.tensor, !torch.tensor
}

// Nothing is known of the argument, so nothing is compiled.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: sconce.region
// CHECK: return
// WHY: unknown: aten::relu is not compiled: a tensor whose rank or dtype is not known
func.func @unknown(%a: !torch.tensor) -> !torch.tensor {
  %0 = torch.aten.relu %a : !torch.tensor -> !torch.tensor
  return %0 : !torch.tensor
}

// An operator without a lowering stays where it was, between two regions.
// CHECK-LABEL: func.func @gap
// CHECK: sconce.region "gap.r{{[0-9]+}}"
// CHECK: torch.aten.nonzero
// CHECK: sconce.region "gap.r{{[0-9]+}}"
// WHY: gap: aten::nonzero is not compiled: no lowering
func.func @gap(%a: !torch.tensor<[4],f32>) -> !torch.tensor {
  %0 = torch.aten.relu %a : !torch.tensor<[4],f32> -> !torch.tensor
  %1 = torch.aten.nonzero %0 : !torch.tensor -> !torch.tensor<[?,1],si64>
  %2 = torch.aten.relu %1 : !torch.tensor<[?,1],si64> -> !torch.tensor
  return %2 : !torch.tensor
}

// A device may come from elsewhere: what asks for it is compiled for the target's own.
// CHECK-LABEL: func.func @device
// CHECK: sconce.region "device.r0"({{.*}}!torch.Device
// CHECK:   torch.aten.arange
// CHECK:   torch.aten.add.Tensor
// CHECK:   sconce.yield
func.func @device(%a: !torch.tensor<[4],f32>, %d: !torch.Device) -> !torch.tensor {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %four = torch.constant.int 4
  %0 = torch.aten.arange %four, %none, %none, %d, %none : !torch.int, !torch.none, !torch.none, !torch.Device, !torch.none -> !torch.tensor
  %1 = torch.aten.add.Tensor %a, %0, %one : !torch.tensor<[4],f32>, !torch.tensor, !torch.int -> !torch.tensor
  return %1 : !torch.tensor
}

// What gives a tensor that lies as its transposed operand does cannot be the region's result; the others go without it.
// CHECK-LABEL: func.func @layout
// CHECK: sconce.region "layout.r0"
// CHECK:   torch.aten.exp
// CHECK-NEXT: sconce.yield
// CHECK: torch.aten.t
// CHECK: torch.aten.relu
// CHECK: return
// WHY: layout: aten::relu is not compiled: a result of it lies in memory otherwise than row by row
func.func @layout(%a: !torch.tensor<[2,3],f32>) -> !torch.tensor {
  %0 = torch.aten.exp %a : !torch.tensor<[2,3],f32> -> !torch.tensor
  %1 = torch.aten.t %0 : !torch.tensor -> !torch.tensor
  %2 = torch.aten.relu %1 : !torch.tensor -> !torch.tensor
  return %2 : !torch.tensor
}

// A call is refused what it would be given; the operations around it stay compiled, in two regions.
// CHECK-LABEL: func.func @call_of_transposed
// CHECK: sconce.region "call_of_transposed.r0"
// CHECK:   torch.aten.exp
// CHECK: torch.aten.sort
// CHECK: sconce.region "call_of_transposed.r1"
// CHECK:   torch.aten.relu
// WHY: call_of_transposed: aten::sort is not compiled: a kernel would be given a tensor that lies otherwise than the interpreter's
func.func @call_of_transposed(%a: !torch.tensor<[2,3],f32>) -> !torch.tensor {
  %zero = torch.constant.int 0
  %false = torch.constant.bool false
  %0 = torch.aten.exp %a : !torch.tensor<[2,3],f32> -> !torch.tensor
  %1 = torch.aten.t %0 : !torch.tensor -> !torch.tensor
  %2, %3 = torch.aten.sort %1, %zero, %false : !torch.tensor, !torch.int, !torch.bool -> !torch.tensor, !torch.tensor
  %4 = torch.aten.relu %3 : !torch.tensor -> !torch.tensor
  return %4 : !torch.tensor
}
