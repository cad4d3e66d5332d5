// A branch that passes a version on is built anew; what it gives is written to behind it.
// RUN: sconce-opt %s --functionalize | FileCheck %s

// CHECK-LABEL: func.func @forward
// CHECK: %[[IF:.*]]:2 = torch.prim.If
// CHECK: torch.aten.relu_ %[[IF]]#0
func.func @forward(%x: !torch.tensor<[2],f32>, %c: !torch.bool) -> (!torch.tensor<[2],f32>, !torch.tensor<[2],f32>) {
  %a = torch.aten.neg %x : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %r = torch.prim.If %c -> (!torch.tensor<[2],f32>) {
    %w = torch.aten.relu_ %a : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
    %n = torch.aten.neg %x : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
    torch.prim.If.yield %n : !torch.tensor<[2],f32>
  } else {
    torch.prim.If.yield %x : !torch.tensor<[2],f32>
  }
  %v = torch.aten.relu_ %r : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  return %a, %v : !torch.tensor<[2],f32>, !torch.tensor<[2],f32>
}
