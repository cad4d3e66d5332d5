// A view that may be refused for how a tensor lies in memory is not taken anew behind what is printed: it would be refused too late. Where nothing is printed, or
// where the tensor lies row by row whatever the function is given, it is.
// RUN: sconce-opt %s --functionalize=remarks=0 | FileCheck %s

// CHECK-LABEL: func.func @printed
// CHECK: torch.aten.relu_
// CHECK-LABEL: func.func @silent
// CHECK-NOT: torch.aten.relu_
// CHECK-LABEL: func.func @rows
// CHECK-NOT: torch.aten.relu_
func.func @printed(%x: !torch.tensor<[2,3],f32>) -> !torch.tensor<[2,3],f32> {
  %six = torch.constant.int 6
  %sizes = torch.prim.ListConstruct %six : (!torch.int) -> !torch.list<int>
  %a = torch.aten.neg %x : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  %v = torch.aten.view %a, %sizes : !torch.tensor<[2,3],f32>, !torch.list<int> -> !torch.tensor<[6],f32>
  torch.operator "prim.Print"(%six) : (!torch.int) -> ()
  %w = torch.aten.relu_ %v : !torch.tensor<[6],f32> -> !torch.tensor<[6],f32>
  return %a : !torch.tensor<[2,3],f32>
}
func.func @silent(%x: !torch.tensor<[2,3],f32>) -> !torch.tensor<[2,3],f32> {
  %six = torch.constant.int 6
  %sizes = torch.prim.ListConstruct %six : (!torch.int) -> !torch.list<int>
  %a = torch.aten.neg %x : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  %v = torch.aten.view %a, %sizes : !torch.tensor<[2,3],f32>, !torch.list<int> -> !torch.tensor<[6],f32>
  %w = torch.aten.relu_ %v : !torch.tensor<[6],f32> -> !torch.tensor<[6],f32>
  return %a : !torch.tensor<[2,3],f32>
}
func.func @rows(%x: !torch.tensor<[2,3],f32>, %y: !torch.tensor<[3,3],f32>) -> !torch.tensor<[2,3],f32> {
  %six = torch.constant.int 6
  %sizes = torch.prim.ListConstruct %six : (!torch.int) -> !torch.list<int>
  %p = torch.aten.mm %x, %y : !torch.tensor<[2,3],f32>, !torch.tensor<[3,3],f32> -> !torch.tensor<[2,3],f32>
  %a = torch.aten.neg %p : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  %v = torch.aten.view %a, %sizes : !torch.tensor<[2,3],f32>, !torch.list<int> -> !torch.tensor<[6],f32>
  torch.operator "prim.Print"(%six) : (!torch.int) -> ()
  %w = torch.aten.relu_ %v : !torch.tensor<[6],f32> -> !torch.tensor<[6],f32>
  return %a : !torch.tensor<[2,3],f32>
}
