// Shape rules give results ranks, sizes and dtypes; who insists on the old type gets a cast.
// RUN: sconce-opt %s --refine-types | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK: torch.aten.mm {{.*}} -> !torch.tensor<[?,5],f32>
// CHECK: %[[S:.*]] = torch.aten.add.Tensor {{.*}} -> !torch.tensor<[?,5],f32>
// CHECK: %[[C:.*]] = torch.tensor_static_info_cast %[[S]] : !torch.tensor<[?,5],f32> to !torch.tensor
// CHECK: return %[[C]] : !torch.tensor
func.func @f(%a: !torch.tensor<[?,4],f32>, %b: !torch.tensor<[4,5],f32>, %c: !torch.tensor<[5],f32>) -> !torch.tensor {
  %one = torch.constant.int 1
  %0 = torch.aten.mm %a, %b : !torch.tensor<[?,4],f32>, !torch.tensor<[4,5],f32> -> !torch.tensor
  %1 = torch.aten.add.Tensor %0, %c, %one : !torch.tensor, !torch.tensor<[5],f32>, !torch.int -> !torch.tensor
  return %1 : !torch.tensor
}

// Integers promote to the float; a comparison is bool.
// CHECK-LABEL: func.func @promote
// CHECK: torch.aten.mul.Tensor {{.*}} -> !torch.vtensor<[2,3],f32>
// CHECK: torch.aten.gt.Scalar {{.*}} -> !torch.vtensor<[2,3],i1>
func.func @promote(%a: !torch.vtensor<[2,1],si64>, %b: !torch.vtensor<[3],f32>) -> !torch.vtensor {
  %zero = torch.constant.int 0
  %0 = torch.aten.mul.Tensor %a, %b : !torch.vtensor<[2,1],si64>, !torch.vtensor<[3],f32> -> !torch.vtensor
  %1 = torch.aten.gt.Scalar %0, %zero : !torch.vtensor, !torch.int -> !torch.vtensor
  return %1 : !torch.vtensor
}

// What a loop carries has its type before the first turn, if every turn leaves it so.
// CHECK-LABEL: func.func @carried
// CHECK: torch.prim.Loop {{.*}} init(%arg0)
// CHECK: ^bb0(%{{.*}}: !torch.int, %{{.*}}: !torch.tensor<[2,3],f32>):
// CHECK:   torch.aten.tanh {{.*}} -> !torch.tensor<[2,3],f32>
// CHECK: (!torch.int, !torch.bool, !torch.tensor<[2,3],f32>) -> !torch.tensor<[2,3],f32>
// CHECK: torch.aten.relu {{.*}} -> !torch.tensor<[2,3],f32>
func.func @carried(%x: !torch.tensor<[2,3],f32>, %n: !torch.int) -> !torch.tensor {
  %true = torch.constant.bool true
  %0 = torch.tensor_static_info_cast %x : !torch.tensor<[2,3],f32> to !torch.tensor
  %1 = torch.prim.Loop %n, %true, init(%0) {
  ^bb0(%i: !torch.int, %h: !torch.tensor):
    %2 = torch.aten.tanh %h : !torch.tensor -> !torch.tensor
    torch.prim.Loop.condition %true, iter(%2 : !torch.tensor)
  } : (!torch.int, !torch.bool, !torch.tensor) -> !torch.tensor
  %3 = torch.aten.relu %1 : !torch.tensor -> !torch.tensor
  return %3 : !torch.tensor
}

// What grows in every turn has a size that nobody knows; the others stay.
// CHECK-LABEL: func.func @grows
// CHECK: ^bb0(%{{.*}}: !torch.int, %{{.*}}: !torch.tensor<[?,3],f32>):
// CHECK:   torch.aten.cat {{.*}} -> !torch.tensor<[?,3],f32>
// CHECK: -> !torch.tensor<[?,3],f32>
func.func @grows(%x: !torch.tensor<[2,3],f32>, %n: !torch.int) -> !torch.tensor {
  %true = torch.constant.bool true
  %zero = torch.constant.int 0
  %0 = torch.tensor_static_info_cast %x : !torch.tensor<[2,3],f32> to !torch.tensor
  %1 = torch.prim.Loop %n, %true, init(%0) {
  ^bb0(%i: !torch.int, %h: !torch.tensor):
    %2 = torch.prim.ListConstruct %h, %x : (!torch.tensor, !torch.tensor<[2,3],f32>) -> !torch.list<tensor>
    %3 = torch.aten.cat %2, %zero : !torch.list<tensor>, !torch.int -> !torch.tensor
    torch.prim.Loop.condition %true, iter(%3 : !torch.tensor)
  } : (!torch.int, !torch.bool, !torch.tensor) -> !torch.tensor
  return %1 : !torch.tensor
}

// Two that change places have what they have in common; what is known of neither after some turns is not known at all.
// CHECK-LABEL: func.func @change_places
// CHECK: ^bb0(%{{.*}}: !torch.int, %{{.*}}: !torch.tensor<[2,?],unk>, %{{.*}}: !torch.tensor<[2,?],unk>):
func.func @change_places(%x: !torch.tensor<[2,3],f32>, %y: !torch.tensor<[2,4],f64>, %n: !torch.int) -> !torch.tensor {
  %true = torch.constant.bool true
  %0 = torch.tensor_static_info_cast %x : !torch.tensor<[2,3],f32> to !torch.tensor
  %1 = torch.tensor_static_info_cast %y : !torch.tensor<[2,4],f64> to !torch.tensor
  %2:2 = torch.prim.Loop %n, %true, init(%0, %1) {
  ^bb0(%i: !torch.int, %a: !torch.tensor, %b: !torch.tensor):
    torch.prim.Loop.condition %true, iter(%b, %a : !torch.tensor, !torch.tensor)
  } : (!torch.int, !torch.bool, !torch.tensor, !torch.tensor) -> (!torch.tensor, !torch.tensor)
  return %2#0 : !torch.tensor
}

// A loop within a loop.
// CHECK-LABEL: func.func @nested
// CHECK: ^bb0(%{{.*}}: !torch.int, %{{.*}}: !torch.tensor<[2,3],f32>):
// CHECK: ^bb0(%{{.*}}: !torch.int, %{{.*}}: !torch.tensor<[2,3],f32>):
// CHECK: torch.aten.tanh {{.*}} -> !torch.tensor<[2,3],f32>
func.func @nested(%x: !torch.tensor<[2,3],f32>, %n: !torch.int) -> !torch.tensor {
  %true = torch.constant.bool true
  %0 = torch.tensor_static_info_cast %x : !torch.tensor<[2,3],f32> to !torch.tensor
  %1 = torch.prim.Loop %n, %true, init(%0) {
  ^bb0(%i: !torch.int, %h: !torch.tensor):
    %2 = torch.prim.Loop %n, %true, init(%h) {
    ^bb0(%j: !torch.int, %k: !torch.tensor):
      %3 = torch.aten.tanh %k : !torch.tensor -> !torch.tensor
      torch.prim.Loop.condition %true, iter(%3 : !torch.tensor)
    } : (!torch.int, !torch.bool, !torch.tensor) -> !torch.tensor
    torch.prim.Loop.condition %true, iter(%2 : !torch.tensor)
  } : (!torch.int, !torch.bool, !torch.tensor) -> !torch.tensor
  return %1 : !torch.tensor
}

// A branch gives what both of its ways do; one that raises does not count.
// CHECK-LABEL: func.func @branches
// CHECK: %[[R:.*]]:2 = torch.prim.If {{.*}} -> (!torch.tensor<[?,3],f32>, !torch.tensor<[2,3],f32>)
func.func @branches(%x: !torch.tensor<[2,3],f32>, %y: !torch.tensor<[4,3],f32>, %c: !torch.bool) -> (!torch.tensor, !torch.tensor) {
  %message = torch.constant.str "no"
  %none = torch.constant.none
  %0:2 = torch.prim.If %c -> (!torch.tensor, !torch.tensor) {
    %1 = torch.aten.relu %x : !torch.tensor<[2,3],f32> -> !torch.tensor
    torch.prim.If.yield %1, %1 : !torch.tensor, !torch.tensor
  } else {
    %1 = torch.aten.relu %y : !torch.tensor<[4,3],f32> -> !torch.tensor
    %2 = torch.prim.Uninitialized : !torch.tensor
    torch.prim.If.yield %1, %2 : !torch.tensor, !torch.tensor
  }
  return %0#0, %0#1 : !torch.tensor, !torch.tensor
}

// Pieces that a list holds.
// CHECK-LABEL: func.func @pieces
// CHECK: torch.aten.__getitem__.t {{.*}} -> !torch.tensor<[2,1],f32>
// CHECK: torch.aten.__getitem__.t {{.*}} -> !torch.tensor<[2,?],f32>
func.func @pieces(%x: !torch.tensor<[2,5],f32>, %n: !torch.int) -> (!torch.tensor, !torch.tensor) {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %0 = torch.aten.split.Tensor %x, %two, %one : !torch.tensor<[2,5],f32>, !torch.int, !torch.int -> !torch.list<tensor>
  %1 = torch.aten.__getitem__.t %0, %two : !torch.list<tensor>, !torch.int -> !torch.tensor
  %2 = torch.aten.__getitem__.t %0, %n : !torch.list<tensor>, !torch.int -> !torch.tensor
  return %1, %2 : !torch.tensor, !torch.tensor
}

// From a number to the same and a constant there are as many as the constants say, whatever the number is; of floats, and of two numbers, nobody knows.
// CHECK-LABEL: func.func @range
// CHECK: torch.aten.arange.start {{.*}} -> !torch.tensor<[3],si64>
// CHECK: torch.aten.arange.start {{.*}} -> !torch.tensor<[?],si64>
// CHECK: torch.aten.arange.start %arg2, %arg2, {{.*}} -> !torch.tensor<[?]
func.func @range(%i: !torch.int, %j: !torch.int, %f: !torch.float) -> (!torch.tensor, !torch.tensor, !torch.tensor) {
  %none = torch.constant.none
  %two = torch.constant.int 2
  %five = torch.constant.int 5
  %from = torch.aten.add.int %i, %two : !torch.int, !torch.int -> !torch.int
  %to = torch.aten.add.int %five, %i : !torch.int, !torch.int -> !torch.int
  %0 = torch.aten.arange.start %from, %to, %none, %none, %none, %none : !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.tensor
  %1 = torch.aten.arange.start %j, %to, %none, %none, %none, %none : !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.tensor
  %2 = torch.aten.arange.start %f, %f, %none, %none, %none, %none : !torch.float, !torch.float, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.tensor
  return %0, %1, %2 : !torch.tensor, !torch.tensor, !torch.tensor
}

// A float that is known where the program runs promotes as one that is known before.
// CHECK-LABEL: func.func @number
// CHECK: torch.aten.mul.Scalar {{.*}} -> !torch.vtensor<[2,?],f16>
// CHECK: torch.aten.add.Scalar {{.*}} -> !torch.vtensor<[3],f32>
// CHECK: torch.aten.full {{.*}} -> !torch.vtensor<[2],f32>
func.func @number(%x: !torch.vtensor<[2,?],f16>, %n: !torch.vtensor<[3],si64>, %s: !torch.float) -> (!torch.vtensor, !torch.vtensor, !torch.vtensor) {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %none = torch.constant.none
  %size = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  %0 = torch.aten.mul.Scalar %x, %s : !torch.vtensor<[2,?],f16>, !torch.float -> !torch.vtensor
  %1 = torch.aten.add.Scalar %n, %s, %one : !torch.vtensor<[3],si64>, !torch.float, !torch.int -> !torch.vtensor
  %2 = torch.aten.full %size, %s, %none, %none, %none, %none : !torch.list<int>, !torch.float, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor
  return %0, %1, %2 : !torch.vtensor, !torch.vtensor, !torch.vtensor
}
