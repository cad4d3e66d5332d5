// A write to a tensor that nothing else can see becomes a new tensor.
// RUN: sconce-opt %s --functionalize | FileCheck %s

// CHECK-LABEL: func.func @own
// CHECK: %[[R:.*]] = torch.aten.neg
// CHECK: %[[H:.*]] = torch.aten.hardtanh %[[R]]
// CHECK: %[[A:.*]] = torch.aten.add.Tensor %[[H]], %[[H]]
// CHECK: %[[S:.*]] = torch.aten.sum %[[A]]
// CHECK-NEXT: return %[[A]], %[[S]]
func.func @own(%a: !torch.tensor<[2,3],f32>) -> (!torch.tensor<[2,3],f32>, !torch.tensor) {
  %lo = torch.constant.float 0.0
  %hi = torch.constant.float 6.0
  %one = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.neg %a : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  %1 = torch.aten.hardtanh_ %0, %lo, %hi : !torch.tensor<[2,3],f32>, !torch.float, !torch.float -> !torch.tensor<[2,3],f32>
  %2 = torch.aten.add_.Tensor %1, %0, %one : !torch.tensor<[2,3],f32>, !torch.tensor<[2,3],f32>, !torch.int -> !torch.tensor<[2,3],f32>
  %3 = torch.aten.sum %1, %none : !torch.tensor<[2,3],f32>, !torch.none -> !torch.tensor
  return %0, %3 : !torch.tensor<[2,3],f32>, !torch.tensor
}

// What comes from outside, or went into a list, is written to; a view from before is taken anew.
// CHECK-LABEL: func.func @seen
// CHECK: torch.aten.relu_ %arg0
// CHECK: %[[R:.*]] = torch.aten.relu %
// CHECK: torch.aten.relu_
// CHECK: torch.aten.t %[[R]]
func.func @seen(%a: !torch.tensor<[2,3],f32>) -> (!torch.tensor, !torch.list<tensor>) {
  %0 = torch.aten.relu_ %a : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  %1 = torch.aten.neg %a : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  %2 = torch.aten.t %1 : !torch.tensor<[2,3],f32> -> !torch.tensor
  %3 = torch.aten.relu_ %1 : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  %4 = torch.aten.neg %a : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  %5 = torch.prim.ListConstruct %4 : (!torch.tensor<[2,3],f32>) -> !torch.list<tensor>
  %6 = torch.aten.relu_ %4 : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  return %2, %5 : !torch.tensor, !torch.list<tensor>
}

// A sum that would grow, or be of another dtype, is no write: it is an error, or keeps the tensor's.
// CHECK-LABEL: func.func @other
// CHECK: torch.aten.add_.Tensor
// CHECK: torch.aten.mul_.Scalar
func.func @other(%a: !torch.tensor<[2,1],f32>, %b: !torch.tensor<[2,3],f32>, %c: !torch.tensor<[2],si64>) -> (!torch.tensor<[2,1],f32>, !torch.tensor<[2],si64>) {
  %one = torch.constant.int 1
  %half = torch.constant.float 0.5
  %0 = torch.aten.neg %a : !torch.tensor<[2,1],f32> -> !torch.tensor<[2,1],f32>
  %1 = torch.aten.add_.Tensor %0, %b, %one : !torch.tensor<[2,1],f32>, !torch.tensor<[2,3],f32>, !torch.int -> !torch.tensor<[2,1],f32>
  %2 = torch.aten.neg %c : !torch.tensor<[2],si64> -> !torch.tensor<[2],si64>
  %3 = torch.aten.mul_.Scalar %2, %half : !torch.tensor<[2],si64>, !torch.float -> !torch.tensor<[2],si64>
  return %1, %3 : !torch.tensor<[2,1],f32>, !torch.tensor<[2],si64>
}

// A branch behind the write reads what it left; one in front of it may see the tensor as it was.
// CHECK-LABEL: func.func @branches
// CHECK: %[[N:.*]] = torch.aten.neg
// CHECK: %[[R:.*]] = torch.aten.relu %[[N]]
// CHECK: torch.prim.If
// CHECK: torch.prim.If.yield %[[R]]
func.func @branches(%a: !torch.tensor<[2],f32>, %c: !torch.bool) -> !torch.tensor<[2],f32> {
  %0 = torch.aten.neg %a : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %1 = torch.aten.relu_ %0 : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %2 = torch.prim.If %c -> (!torch.tensor<[2],f32>) {
    torch.prim.If.yield %1 : !torch.tensor<[2],f32>
  } else {
    torch.prim.If.yield %a : !torch.tensor<[2],f32>
  }
  return %2 : !torch.tensor<[2],f32>
}

// A view is written back into what it is a view of, and taken again where it is read behind that.
// CHECK-LABEL: func.func @views
// CHECK: %[[N:.*]] = torch.aten.neg
// CHECK: %[[V:.*]] = torch.aten.select.int %[[N]]
// CHECK: %[[T:.*]] = torch.aten.unsqueeze %[[V]]
// CHECK: %[[R:.*]] = torch.aten.relu %[[T]]
// CHECK: %[[B:.*]] = torch.aten.reshape %[[R]]
// CHECK: %[[S:.*]] = torch.aten.select_scatter %[[N]], %[[B]]
// CHECK: %[[A:.*]] = torch.aten.select.int %[[S]]
// CHECK: return %[[S]], %[[A]]
func.func @views(%a: !torch.tensor<[2,3],f32>) -> (!torch.tensor<[2,3],f32>, !torch.tensor<[3],f32>) {
  %one = torch.constant.int 1
  %zero = torch.constant.int 0
  %0 = torch.aten.neg %a : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  %1 = torch.aten.select.int %0, %zero, %one : !torch.tensor<[2,3],f32>, !torch.int, !torch.int -> !torch.tensor<[3],f32>
  %2 = torch.aten.unsqueeze %1, %zero : !torch.tensor<[3],f32>, !torch.int -> !torch.tensor<[1,3],f32>
  %3 = torch.aten.relu_ %2 : !torch.tensor<[1,3],f32> -> !torch.tensor<[1,3],f32>
  return %0, %1 : !torch.tensor<[2,3],f32>, !torch.tensor<[3],f32>
}

// Branches and loops pass the last version on.
// CHECK-LABEL: func.func @control_flow
// CHECK: %[[N:.*]] = torch.aten.neg
// CHECK: %[[L:.*]] = torch.prim.Loop %arg1, %{{.*}}, init(%[[N]])
// CHECK: ^bb0(%{{.*}}: !torch.int, %[[C:.*]]: !torch.tensor<[2],f32>):
// CHECK: %[[I:.*]] = torch.prim.If %arg2
// CHECK: %[[R:.*]] = torch.aten.relu %[[C]]
// CHECK: torch.prim.If.yield %[[R]]
// CHECK: torch.prim.If.yield %[[C]]
// CHECK: torch.prim.Loop.condition %{{.*}}, iter(%[[I]] :
// CHECK: return %[[L]]
func.func @control_flow(%a: !torch.tensor<[2],f32>, %n: !torch.int, %c: !torch.bool) -> !torch.tensor<[2],f32> {
  %true = torch.constant.bool true
  %0 = torch.aten.neg %a : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  torch.prim.Loop %n, %true, init() {
  ^bb0(%i: !torch.int):
    torch.prim.If %c -> () {
      %1 = torch.aten.relu_ %0 : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
      torch.prim.If.yield
    } else {
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.tensor<[2],f32>
}

// What a loop puts into a list it may change in the next turn: that stays, and so does a write that reads another part of the tensor.
// CHECK-LABEL: func.func @turns
// CHECK: torch.aten.relu_
// CHECK: torch.aten.add_.Tensor
func.func @turns(%a: !torch.tensor<[2],f32>, %l: !torch.list<tensor>, %n: !torch.int) -> !torch.tensor<[2],f32> {
  %true = torch.constant.bool true
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %0 = torch.aten.neg %a : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %own = torch.prim.ListConstruct : () -> !torch.list<tensor>
  torch.prim.Loop %n, %true, init() {
  ^bb0(%i: !torch.int):
    %1 = torch.aten.relu_ %0 : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
    %2 = torch.prim.ListConstruct %0 : (!torch.tensor<[2],f32>) -> !torch.list<tensor>
    %s = torch.aten.add.t %own, %2 : !torch.list<tensor>, !torch.list<tensor> -> !torch.list<tensor>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %3 = torch.aten.neg %a : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %4 = torch.aten.slice.Tensor %3, %zero, %zero, %one, %one : !torch.tensor<[2],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.tensor<[1],f32>
  %5 = torch.aten.add_.Tensor %3, %4, %one : !torch.tensor<[2],f32>, !torch.tensor<[1],f32>, !torch.int -> !torch.tensor<[2],f32>
  return %5 : !torch.tensor<[2],f32>
}
