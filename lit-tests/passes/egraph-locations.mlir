// What is computed again from other operands stays at the line where it was written, so that errors and profiles name it.
// RUN: sconce-opt %s --egraph --mlir-print-debuginfo | FileCheck %s

// CHECK: torch.aten.relu %arg0 {{.*}} loc([[RELU:#.*]])
// CHECK-NEXT: torch.aten.tanh {{.*}} loc([[TANH:#.*]])
// CHECK-NEXT: torch.aten.exp {{.*}} loc([[EXP:#.*]])
// CHECK-DAG: [[RELU]] = loc("relu")
// CHECK-DAG: [[TANH]] = loc("tanh")
// CHECK-DAG: [[EXP]] = loc("exp")
func.func @chain(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %1 = torch.aten.relu %x : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc("relu")
  %2 = torch.aten.relu %1 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc("again")
  %3 = torch.aten.tanh %2 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc("tanh")
  %4 = torch.aten.exp %3 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc("exp")
  return %4 : !torch.vtensor<[4,8],f32>
}
