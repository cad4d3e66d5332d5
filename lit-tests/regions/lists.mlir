// A list made before a write is not taken across it; an empty string is a constant.
// RUN: sconce-opt %s --pass-pipeline='builtin.module(refine-types,outline-regions{report=true})' 2>&1 | FileCheck %s

// CHECK: f: aten::cat is not compiled: a value of type Tensor[] from elsewhere
// CHECK-LABEL: func.func @f
// CHECK-NOT: sconce.region
func.func @f(%a: !torch.tensor<[4],f32>, %b: !torch.tensor<[4],f32>) -> !torch.tensor {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %empty = torch.constant.str ""
  %l = torch.prim.ListConstruct %a, %b : (!torch.tensor<[4],f32>, !torch.tensor<[4],f32>) -> !torch.list<tensor>
  %0 = torch.aten.add_.Tensor %a, %b, %one : !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.int -> !torch.tensor
  %1 = torch.aten.cat %l, %zero : !torch.list<tensor>, !torch.int -> !torch.tensor
  return %1 : !torch.tensor
}
