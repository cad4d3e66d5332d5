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

// A result of a branch that nobody reads goes, and with it what only it needed.
// CHECK-LABEL: func.func @branch
// CHECK-NEXT: torch.prim.If %arg1 -> (!torch.vtensor<[2],f32>) {
// CHECK-NEXT: torch.aten.relu
// CHECK-NEXT: torch.prim.If.yield
func.func @branch(%x: !torch.vtensor<[2],f32>, %b: !torch.bool) -> !torch.vtensor<[2],f32> {
  %0:2 = torch.prim.If %b -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) {
    %1 = torch.aten.sigmoid %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    %2 = torch.aten.relu %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    torch.prim.If.yield %1, %2 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
  } else {
    torch.prim.If.yield %x, %x : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
  }
  return %0#1 : !torch.vtensor<[2],f32>
}

// What a loop carries for nobody goes, behind it, in it and before it.
// CHECK-LABEL: func.func @loop
// CHECK-NEXT: torch.constant.bool true
// CHECK-NEXT: torch.prim.Loop %arg1, %{{.*}}, init(%arg0) {
// CHECK-NEXT: ^bb0(%{{.*}}: !torch.int, %[[D:.*]]: !torch.vtensor<[2],f32>):
// CHECK-NEXT: torch.aten.tanh %[[D]]
// CHECK-NEXT: torch.prim.Loop.condition
func.func @loop(%x: !torch.vtensor<[2],f32>, %n: !torch.int) -> !torch.vtensor<[2],f32> {
  %true = torch.constant.bool true
  %0:2 = torch.prim.Loop %n, %true, init(%x, %x) {
  ^bb0(%i: !torch.int, %c: !torch.vtensor<[2],f32>, %d: !torch.vtensor<[2],f32>):
    %1 = torch.aten.tanh %d : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    %2 = torch.aten.relu %1 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    torch.prim.Loop.condition %true, iter(%2, %1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
  return %0#1 : !torch.vtensor<[2],f32>
}

// A write to a tensor that was made here and that nobody reads later goes; one to what `type_as` may have given back stays.
// CHECK-LABEL: func.func @aliases
// CHECK: %[[Y:.*]] = torch.aten.type_as %arg0
// CHECK-NEXT: torch.aten.add_.Scalar %[[Y]]
// CHECK-NEXT: return %arg0
func.func @aliases(%x: !torch.tensor) -> !torch.tensor {
  %one = torch.constant.int 1
  %z = torch.aten.relu %x : !torch.tensor -> !torch.tensor
  %0 = torch.aten.add_.Scalar %z, %one, %one : !torch.tensor, !torch.int, !torch.int -> !torch.tensor
  %y = torch.aten.type_as %x, %x : !torch.tensor, !torch.tensor -> !torch.tensor
  %1 = torch.aten.add_.Scalar %y, %one, %one : !torch.tensor, !torch.int, !torch.int -> !torch.tensor
  return %x : !torch.tensor
}
