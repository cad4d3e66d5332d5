// A loop of tensors, the branch in it and the number it reads of one: each carried tensor is written to its place.
// What a turn takes and puts at an index of its own is looked at where it stands, unless there are as many as turns: an index beyond the tensor makes the region's call void.
// A slice is as long as its turn says, and so is what is computed of it.
// RUN: sconce-opt %s --outline-regions --convert-torch-to-linalg | FileCheck %s
// RUN: sconce-opt %s --outline-regions=calls-from=4096 --convert-torch-to-linalg | FileCheck %s --check-prefix=CALLS

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

// CHECK: func.func @rows.r0(%[[X:.*]]: tensor<9x64xf32>, %[[W:.*]]: tensor<64x64xf32>)
// CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (tensor<9x64xf32>, i64, i1)
// CHECK: ^bb0(%[[A:.*]]: tensor<9x64xf32>, %[[I:.*]]: i64, %{{.*}}: i1):
// CHECK-NOT: @sconce_refuse
// CHECK: %[[AT:.*]] = arith.index_cast %[[I]] : i64 to index
// CHECK: tensor.extract_slice %[[X]][%[[AT]], 0] [1, 64] [1, 1]
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: %[[N:.*]] = tensor.insert_slice %{{.*}} into %[[A]][%{{.*}}, 0] [1, 64] [1, 1]
// CHECK: materialize_in_destination %[[N]] in %[[A]]
// CALLS: func.func @rows.r0
// CALLS: scf.while
// CALLS-NOT: linalg.matmul
// CALLS: func.call @sconce_call
// CALLS: linalg.generic
// CALLS: tensor.insert_slice
func.func @rows(%x: !torch.tensor<[9,64],f32>, %w: !torch.tensor<[64,64],f32>) -> !torch.tensor<[9,64],f32> {
  %true = torch.constant.bool true
  %zero = torch.constant.int 0
  %turns = torch.constant.int 9
  %none = torch.constant.none
  %size = torch.constant.int 64
  %sizes = torch.prim.ListConstruct %turns, %size : (!torch.int, !torch.int) -> !torch.list<int>
  %start = torch.aten.empty.memory_format %sizes, %none, %none, %none, %none, %none : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.tensor<[9,64],f32>
  %r = torch.prim.Loop %turns, %true, init(%start) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[9,64],f32>):
    %row = torch.aten.select.int %x, %zero, %i : !torch.tensor<[9,64],f32>, !torch.int, !torch.int -> !torch.tensor<[64],f32>
    %y = torch.aten.linear %row, %w, %none : !torch.tensor<[64],f32>, !torch.tensor<[64,64],f32>, !torch.none -> !torch.tensor<[64],f32>
    %e = torch.aten.relu %y : !torch.tensor<[64],f32> -> !torch.tensor<[64],f32>
    %n = torch.aten.select_scatter %a, %e, %zero, %i : !torch.tensor<[9,64],f32>, !torch.tensor<[64],f32>, !torch.int, !torch.int -> !torch.tensor<[9,64],f32>
    torch.prim.Loop.condition %true, iter(%n : !torch.tensor<[9,64],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[9,64],f32>) -> !torch.tensor<[9,64],f32>
  return %r : !torch.tensor<[9,64],f32>
}

// What is of unknown size is called, and gets a buffer of the size that its shape rule says.
// CALLS: func.func @unknown.r0(%[[X:.*]]: tensor<?xf32>, %[[W:.*]]: tensor<?x?xf32>)
// CALLS: scf.while
// CALLS: memref.alloc(%{{.*}}) : memref<?xf32>
// CALLS: func.call @sconce_call
func.func @unknown(%x: !torch.tensor<[?],f32>, %w: !torch.tensor<[?,?],f32>) -> !torch.tensor<[?],f32> {
  %true = torch.constant.bool true
  %turns = torch.constant.int 9
  %r = torch.prim.Loop %turns, %true, init(%x) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[?],f32>):
    %y = torch.aten.mv %w, %a : !torch.tensor<[?,?],f32>, !torch.tensor<[?],f32> -> !torch.tensor<[?],f32>
    %n = torch.aten.add.Tensor %y, %a, %i : !torch.tensor<[?],f32>, !torch.tensor<[?],f32>, !torch.int -> !torch.tensor<[?],f32>
    torch.prim.Loop.condition %true, iter(%n : !torch.tensor<[?],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[?],f32>) -> !torch.tensor<[?],f32>
  return %r : !torch.tensor<[?],f32>
}

// CHECK: func.func @beyond.r0(%[[N:.*]]: i64, %[[Y:.*]]: tensor<64xf32>, %[[X:.*]]: tensor<9x64xf32>)
// CHECK: ^bb0(%{{.*}}: tensor<64xf32>, %[[I:.*]]: i64, %{{.*}}: i1):
// CHECK: %[[END:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK: %[[BEYOND:.*]] = arith.cmpi sge, %[[I]], %[[END]]
// CHECK: func.call @sconce_refuse
// CHECK: tensor.extract_slice %[[X]][%{{.*}}, 0] [1, 64] [1, 1]
func.func @beyond(%n: !torch.int, %y: !torch.tensor<[64],f32>, %x: !torch.tensor<[9,64],f32>) -> !torch.tensor<[64],f32> {
  %true = torch.constant.bool true
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %r = torch.prim.Loop %n, %true, init(%y) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[64],f32>):
    %row = torch.aten.select.int %x, %zero, %i : !torch.tensor<[9,64],f32>, !torch.int, !torch.int -> !torch.tensor<[64],f32>
    %e = torch.aten.add.Tensor %a, %row, %one : !torch.tensor<[64],f32>, !torch.tensor<[64],f32>, !torch.int -> !torch.tensor<[64],f32>
    torch.prim.Loop.condition %true, iter(%e : !torch.tensor<[64],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[64],f32>) -> !torch.tensor<[64],f32>
  return %r : !torch.tensor<[64],f32>
}

// From the third place before a turn's to its own: where the first of these is depends on the turn, and so does how many there are. What a kernel does better is given the
// part where it lies, by its strides.
// CHECK: func.func @window.r0(%[[Y:.*]]: tensor<1x4xf32>, %[[X:.*]]: tensor<9x4xf32>)
// CHECK: ^bb0(%{{.*}}: tensor<1x4xf32>, %[[I:.*]]: i64, %{{.*}}: i1):
// CHECK: %[[FIRST:.*]] = arith.maxsi
// CHECK-NOT: @sconce_refuse
// CHECK: tensor.extract_slice %[[X]][%{{.*}}, 0] [%[[LONG:.*]], 4] [1, 1] : tensor<9x4xf32> to tensor<?x4xf32>
// CHECK: linalg.matmul {{.*}} : tensor<1x4xf32>, tensor<?x4xf32>) outs(%{{.*}} : tensor<1x?xf32>)
// CALLS: func.func @window.r0
// CALLS: %[[PART:.*]] = tensor.extract_slice %{{.*}} to tensor<?x4xf32>
// CALLS: %[[THERE:.*]] = bufferization.to_buffer %[[PART]] read_only : tensor<?x4xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>>
// CALLS: memref.extract_strided_metadata %[[THERE]]
// CALLS: func.call @sconce_call
func.func @window(%y: !torch.tensor<[1,4],f32>, %x: !torch.tensor<[9,4],f32>) -> !torch.tensor<[1,4],f32> {
  %true = torch.constant.bool true
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %three = torch.constant.int 3
  %turns = torch.constant.int 9
  %r = torch.prim.Loop %turns, %true, init(%y) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[1,4],f32>):
    %back = torch.aten.sub.int %i, %three : !torch.int, !torch.int -> !torch.int
    %from = torch.prim.max.int %back, %zero : !torch.int, !torch.int -> !torch.int
    %to = torch.aten.add.int %i, %one : !torch.int, !torch.int -> !torch.int
    %w = torch.aten.slice.Tensor %x, %zero, %from, %to, %one : !torch.tensor<[9,4],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.tensor<[?,4],f32>
    %t = torch.aten.t %w : !torch.tensor<[?,4],f32> -> !torch.tensor<[4,?],f32>
    %s = torch.aten.mm %a, %t : !torch.tensor<[1,4],f32>, !torch.tensor<[4,?],f32> -> !torch.tensor<[1,?],f32>
    %m = torch.aten.mm %s, %w : !torch.tensor<[1,?],f32>, !torch.tensor<[?,4],f32> -> !torch.tensor<[1,4],f32>
    %p = torch.aten.relu %m : !torch.tensor<[1,4],f32> -> !torch.tensor<[1,4],f32>
    %e = torch.aten.exp %p : !torch.tensor<[1,4],f32> -> !torch.tensor<[1,4],f32>
    torch.prim.Loop.condition %true, iter(%e : !torch.tensor<[1,4],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[1,4],f32>) -> !torch.tensor<[1,4],f32>
  return %r : !torch.tensor<[1,4],f32>
}

// Counted from behind where it is negative, as the program says.
// CHECK: func.func @behind.r0
// CHECK: ^bb0(
// CHECK: %[[LESS:.*]] = arith.cmpi slt
// CHECK: arith.select %[[LESS]]
// CHECK: arith.minsi
// CHECK: tensor.extract_slice
func.func @behind(%y: !torch.tensor<[4],f32>, %x: !torch.tensor<[9,4],f32>) -> !torch.tensor<[4],f32> {
  %true = torch.constant.bool true
  %none = torch.constant.none
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %three = torch.constant.int 3
  %turns = torch.constant.int 9
  %dims = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %r = torch.prim.Loop %turns, %true, init(%y) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[4],f32>):
    %from = torch.aten.sub.int %i, %three : !torch.int, !torch.int -> !torch.int
    %w = torch.aten.slice.Tensor %x, %zero, %from, %turns, %one : !torch.tensor<[9,4],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.tensor<[?,4],f32>
    %s = torch.aten.sum.dim_IntList %w, %dims, %false, %none : !torch.tensor<[?,4],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.tensor<[4],f32>
    %e = torch.aten.add.Tensor %a, %s, %one : !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.int -> !torch.tensor<[4],f32>
    torch.prim.Loop.condition %true, iter(%e : !torch.tensor<[4],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4],f32>) -> !torch.tensor<[4],f32>
  return %r : !torch.tensor<[4],f32>
}

// A product whose size callers know is code where it is small, and a call of the kernel where it is not.
// CALLS: func.func @either.r0
// CALLS: scf.while
// CALLS: %[[STEPS:.*]] = arith.muli
// CALLS: %[[FEW:.*]] = arith.cmpi slt, %[[STEPS]], %c4096
// CALLS: %[[PLACE:.*]] = tensor.empty({{.*}}) : tensor<?x8xf32>
// CALLS: scf.if %[[FEW]] -> (tensor<?x8xf32>)
// CALLS: linalg.matmul
// CALLS: bufferization.materialize_in_destination %{{.*}} in %[[PLACE]]
// CALLS: else
// CALLS: func.call @sconce_call
// CALLS: bufferization.materialize_in_destination %{{.*}} in %[[PLACE]]
func.func @either(%y: !torch.tensor<[?,8],f32>, %w: !torch.tensor<[8,8],f32>) -> !torch.tensor<[?,8],f32> {
  %true = torch.constant.bool true
  %turns = torch.constant.int 9
  %r = torch.prim.Loop %turns, %true, init(%y) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[?,8],f32>):
    %m = torch.aten.mm %a, %w : !torch.tensor<[?,8],f32>, !torch.tensor<[8,8],f32> -> !torch.tensor<[?,8],f32>
    %p = torch.aten.relu %m : !torch.tensor<[?,8],f32> -> !torch.tensor<[?,8],f32>
    %e = torch.aten.exp %p : !torch.tensor<[?,8],f32> -> !torch.tensor<[?,8],f32>
    torch.prim.Loop.condition %true, iter(%e : !torch.tensor<[?,8],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[?,8],f32>) -> !torch.tensor<[?,8],f32>
  return %r : !torch.tensor<[?,8],f32>
}
