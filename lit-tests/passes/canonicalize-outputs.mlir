// Results of control flow stand in the order of their first use, with what loops carry for them.
// RUN: sconce-opt %s --canonicalize-outputs | FileCheck %s

// CHECK-LABEL: func.func @values
// CHECK: %[[IF:.*]]:2 = torch.prim.If
// CHECK-NEXT: torch.prim.If.yield %arg1, %arg0
// CHECK: torch.prim.If.yield %arg1, %arg0
// CHECK: torch.prim.Loop {{.*}} init(%[[IF]]#0, %[[IF]]#1)
// CHECK-NEXT: ^bb0(%{{.*}}: !torch.int, %[[A:.*]]: !torch.vtensor<[3],f32>, %[[B:.*]]: !torch.vtensor<[2],f32>):
// CHECK-NEXT: torch.prim.Loop.condition %{{.*}}, iter(%[[A]], %[[B]]
func.func @values(%x: !torch.vtensor<[2],f32>, %y: !torch.vtensor<[3],f32>, %b: !torch.bool, %n: !torch.int) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[2],f32>) {
  %true = torch.constant.bool true
  %0:2 = torch.prim.If %b -> (!torch.vtensor<[2],f32>, !torch.vtensor<[3],f32>) {
    torch.prim.If.yield %x, %y : !torch.vtensor<[2],f32>, !torch.vtensor<[3],f32>
  } else {
    torch.prim.If.yield %x, %y : !torch.vtensor<[2],f32>, !torch.vtensor<[3],f32>
  }
  %1:2 = torch.prim.Loop %n, %true, init(%0#0, %0#1) {
  ^bb0(%i: !torch.int, %c: !torch.vtensor<[2],f32>, %d: !torch.vtensor<[3],f32>):
    torch.prim.Loop.condition %true, iter(%c, %d : !torch.vtensor<[2],f32>, !torch.vtensor<[3],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[2],f32>, !torch.vtensor<[3],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[3],f32>)
  return %1#1, %1#0 : !torch.vtensor<[3],f32>, !torch.vtensor<[2],f32>
}
