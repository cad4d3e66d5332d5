// A tensor that requires gradients still does when it is written to while they are off; a new one would not.
// RUN: sconce-opt %s --functionalize=remarks=0 | FileCheck %s

// CHECK-LABEL: func.func @forward
// CHECK: torch.aten.relu_
// CHECK: torch.aten.relu %
func.func @forward(%x: !torch.tensor<[2],f32>) -> (!torch.tensor<[2],f32>, !torch.tensor<[2],f32>) {
  %false = torch.constant.bool false
  %a = torch.aten.neg %x : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  torch.operator "aten.set_grad_enabled"(%false) : (!torch.bool) -> ()
  %w = torch.aten.relu_ %a : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %b = torch.aten.neg %x : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %v = torch.aten.relu_ %b : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  return %a, %b : !torch.tensor<[2],f32>, !torch.tensor<[2],f32>
}
