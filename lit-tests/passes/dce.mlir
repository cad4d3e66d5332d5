// What is not used and writes nothing goes; what writes stays.
// RUN: sconce-opt %s --dce | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-NEXT: %[[ONE:.*]] = torch.constant.int 1
// CHECK-NEXT: torch.aten.add_.Tensor
// CHECK-NEXT: return
func.func @f(%a: !torch.tensor, %b: !torch.tensor) -> !torch.tensor {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %l = torch.prim.ListConstruct %one, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.add_.Tensor %a, %b, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
  return %a : !torch.tensor
}
