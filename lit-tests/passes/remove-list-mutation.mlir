// A list that is only made longer before it is read is made at once; one that is read in between, or that came from outside, stays.
// RUN: sconce-opt %s --remove-list-mutation | FileCheck %s

// CHECK-LABEL: func.func @grown
// CHECK-NOT: append
// CHECK: %[[L:.*]] = torch.prim.ListConstruct %arg0, %arg1 :
// CHECK-NOT: append
// CHECK: torch.aten.cat %[[L]]
func.func @grown(%x: !torch.tensor, %y: !torch.tensor) -> !torch.tensor {
  %zero = torch.constant.int 0
  %list = torch.prim.ListConstruct %x : (!torch.tensor) -> !torch.list<tensor>
  %0 = torch.aten.append.t %list, %y : !torch.list<tensor>, !torch.tensor -> !torch.list<tensor>
  %1 = torch.aten.cat %list, %zero : !torch.list<tensor>, !torch.int -> !torch.tensor
  return %1 : !torch.tensor
}

// CHECK-LABEL: func.func @read_before
// CHECK: torch.aten.append.t
func.func @read_before(%x: !torch.tensor) -> (!torch.int, !torch.list<tensor>) {
  %list = torch.prim.ListConstruct %x : (!torch.tensor) -> !torch.list<tensor>
  %n = torch.aten.len.t %list : !torch.list<tensor> -> !torch.int
  %0 = torch.aten.append.t %list, %x : !torch.list<tensor>, !torch.tensor -> !torch.list<tensor>
  return %n, %list : !torch.int, !torch.list<tensor>
}

// CHECK-LABEL: func.func @given
// CHECK: torch.aten.append.t
func.func @given(%list: !torch.list<tensor>, %x: !torch.tensor) -> !torch.list<tensor> {
  %0 = torch.aten.append.t %list, %x : !torch.list<tensor>, !torch.tensor -> !torch.list<tensor>
  return %0 : !torch.list<tensor>
}
