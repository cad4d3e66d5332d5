// A loop of tensors, the branch in it and the number it reads of one: each carried tensor is written to its place.
// RUN: sconce-opt %s --outline-regions --convert-torch-to-linalg | FileCheck %s

// CHECK: func.func @step.r0(%[[N:.*]]: i64, %[[X:.*]]: tensor<4xf32>)
// CHECK: %[[L:.*]]:3 = scf.while (%{{.*}} = %[[X]], %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (tensor<4xf32>, i64, i1)
// CHECK: func.call @sconce_turns
// CHECK: ^bb0(%[[A:.*]]: tensor<4xf32>, %{{.*}}: i64, %{{.*}}: i1):
// CHECK: %[[S:.*]] = tensor.extract
// CHECK: arith.extf %[[S]] : f32 to f64
// CHECK: %[[P:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: %[[B:.*]] = scf.if
// CHECK: bufferization.materialize_in_destination %{{.*}} in %[[P]]
// CHECK: else
// CHECK: bufferization.materialize_in_destination %{{.*}} in %[[P]]
// CHECK: %[[C:.*]] = bufferization.materialize_in_destination %[[B]] in %[[A]]
// CHECK: scf.yield %[[C]]
// CHECK: return %[[L]]#0
func.func @step(%n: !torch.int, %x: !torch.tensor<[4],f32>) -> !torch.tensor<[4],f32> {
  %true = torch.constant.bool true
  %none = torch.constant.none
  %one = torch.constant.float 1.0
  %r = torch.prim.Loop %n, %true, init(%x) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[4],f32>):
    %sum = torch.aten.sum %a, %none : !torch.tensor<[4],f32>, !torch.none -> !torch.tensor<[],f32>
    %s = torch.aten.Float.Tensor %sum : !torch.tensor<[],f32> -> !torch.float
    %c = torch.aten.gt.float %s, %one : !torch.float, !torch.float -> !torch.bool
    %next = torch.prim.If %c -> (!torch.tensor<[4],f32>) {
      %t = torch.aten.neg %a : !torch.tensor<[4],f32> -> !torch.tensor<[4],f32>
      torch.prim.If.yield %t : !torch.tensor<[4],f32>
    } else {
      %t = torch.aten.exp %a : !torch.tensor<[4],f32> -> !torch.tensor<[4],f32>
      torch.prim.If.yield %t : !torch.tensor<[4],f32>
    }
    torch.prim.Loop.condition %true, iter(%next : !torch.tensor<[4],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4],f32>) -> !torch.tensor<[4],f32>
  return %r : !torch.tensor<[4],f32>
}
