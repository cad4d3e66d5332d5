// A tensor that each turn joins another part to is a part of one that is as long as the last turn makes it. What a turn found, and what it makes of that, are slices.
// Where somebody would see that they are none of their own, or the whole is large, it stays as it is.
// RUN: sconce-opt %s --grow-loop-tensors | FileCheck %s
// RUN: sconce-opt %s --grow-loop-tensors=most-bytes=735 | FileCheck %s --check-prefix=LARGE

// LARGE-LABEL: func.func @cache
// LARGE: torch.aten.cat
// CHECK-LABEL: func.func @cache
// CHECK: %[[SIZES:.*]] = torch.operator "prim.Constant"() {torch.attributes = {{\[\[}}"value", [2, 23, 4]]]}
// CHECK: %[[SPACE:.*]] = torch.aten.empty.memory_format %[[SIZES]], %{{.*}} -> !torch.vtensor<[2,23,4],f32>
// CHECK: %[[BEGUN:.*]] = torch.aten.slice_scatter %[[SPACE]], %arg0, %int1{{.*}}, %int0{{.*}}, %int3{{.*}}, %int1
// CHECK: %[[R:.*]]:2 = torch.prim.Loop %{{.*}}, %true, init(%arg1, %[[BEGUN]]) {
// CHECK: ^bb0(%[[I:.*]]: !torch.int, %[[Q:.*]]: !torch.vtensor<[2,1,4],f32>, %[[ALL:.*]]: !torch.vtensor<[2,23,4],f32>):
// CHECK: %[[AT:.*]] = torch.aten.add.int %[[I]], %int3
// CHECK: %[[END:.*]] = torch.aten.add.int %[[AT]], %int1
// CHECK: %[[OLD:.*]] = torch.aten.slice.Tensor %[[ALL]], %{{.*}}, %{{.*}}, %[[AT]], %{{.*}} -> !torch.vtensor<[2,?,4],f32>
// CHECK: torch.aten.sum.dim_IntList %[[OLD]],
// CHECK: %[[NEXT:.*]] = torch.aten.slice_scatter %[[ALL]], %[[Q]], %int1{{.*}}, %[[AT]], %[[END]], %int1
// CHECK-NOT: torch.aten.cat
// CHECK: %[[NEW:.*]] = torch.aten.slice.Tensor %[[NEXT]], %{{.*}}, %{{.*}}, %[[END]], %{{.*}} -> !torch.vtensor<[2,?,4],f32>
// CHECK: torch.aten.sum.dim_IntList %[[NEW]],
// CHECK: torch.prim.Loop.condition %true, iter(%{{.*}}, %[[NEXT]] : !torch.vtensor<[2,1,4],f32>, !torch.vtensor<[2,23,4],f32>)
// CHECK: return %[[R]]#0
func.func @cache(%k: !torch.vtensor<[2,3,4],f32>, %x: !torch.vtensor<[2,1,4],f32>) -> !torch.vtensor<[2,1,4],f32> {
  %one = torch.constant.int 1
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %none = torch.constant.none
  %dims = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  %start = torch.tensor_static_info_cast %k : !torch.vtensor<[2,3,4],f32> to !torch.vtensor<[2,?,4],f32>
  %r:2 = torch.prim.Loop %turns, %true, init(%start, %x) {
  ^bb0(%i: !torch.int, %c: !torch.vtensor<[2,?,4],f32>, %q: !torch.vtensor<[2,1,4],f32>):
    %b = torch.aten.sum.dim_IntList %c, %dims, %true, %none : !torch.vtensor<[2,?,4],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[2,1,4],f32>
    %both = torch.prim.ListConstruct %c, %q : (!torch.vtensor<[2,?,4],f32>, !torch.vtensor<[2,1,4],f32>) -> !torch.list<vtensor>
    %more = torch.aten.cat %both, %one : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[2,?,4],f32>
    %s = torch.aten.sum.dim_IntList %more, %dims, %true, %none : !torch.vtensor<[2,?,4],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[2,1,4],f32>
    %n = torch.aten.add.Tensor %b, %s, %one : !torch.vtensor<[2,1,4],f32>, !torch.vtensor<[2,1,4],f32>, !torch.int -> !torch.vtensor<[2,1,4],f32>
    torch.prim.Loop.condition %true, iter(%more, %n : !torch.vtensor<[2,?,4],f32>, !torch.vtensor<[2,1,4],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[2,?,4],f32>, !torch.vtensor<[2,1,4],f32>) -> (!torch.vtensor<[2,?,4],f32>, !torch.vtensor<[2,1,4],f32>)
  return %r#1 : !torch.vtensor<[2,1,4],f32>
}

// Two places a turn; what is given behind the loop is the whole.
// CHECK-LABEL: func.func @given
// CHECK: %[[R:.*]] = torch.prim.Loop
// CHECK: ^bb0(%[[I:.*]]: !torch.int, %[[ALL:.*]]: !torch.vtensor<[43],f32>):
// CHECK: %[[MOVED:.*]] = torch.aten.mul.int %[[I]], %int2
// CHECK: %[[AT:.*]] = torch.aten.add.int %[[MOVED]], %int3
// CHECK: %[[END:.*]] = torch.aten.add.int %[[AT]], %int2
// CHECK: torch.aten.slice_scatter %[[ALL]], %arg1, %{{.*}}, %[[AT]], %[[END]],
// CHECK-NOT: torch.aten.slice.Tensor
// CHECK: torch.tensor_static_info_cast %[[R]] : !torch.vtensor<[43],f32>
func.func @given(%k: !torch.vtensor<[3],f32>, %x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[43],f32> {
  %dim = torch.constant.int -1
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %start = torch.tensor_static_info_cast %k : !torch.vtensor<[3],f32> to !torch.vtensor<[?],f32>
  %r = torch.prim.Loop %turns, %true, init(%start) {
  ^bb0(%i: !torch.int, %c: !torch.vtensor<[?],f32>):
    %both = torch.prim.ListConstruct %c, %x : (!torch.vtensor<[?],f32>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor>
    %more = torch.aten.cat %both, %dim : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?],f32>
    torch.prim.Loop.condition %true, iter(%more : !torch.vtensor<[?],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
  %all = torch.tensor_static_info_cast %r : !torch.vtensor<[?],f32> to !torch.vtensor<[43],f32>
  return %all : !torch.vtensor<[43],f32>
}

// As long as what the first turn finds is, and as large as that in the dimension that is not known either, which the part has from it.
// CHECK-LABEL: func.func @unknown
// CHECK: %[[LENGTH:.*]] = torch.aten.size.int %arg0, %int1
// CHECK: %[[ALL:.*]] = torch.aten.add.int %[[LENGTH]], %int20
// CHECK: %[[ROWS:.*]] = torch.aten.size.int %arg0, %int0
// CHECK: torch.prim.ListConstruct %[[ROWS]], %[[ALL]]
// CHECK: torch.aten.slice_scatter %{{.*}}, %arg0, %{{.*}}, %int0{{.*}}, %[[LENGTH]],
// CHECK: torch.prim.Loop
// CHECK: %[[AT:.*]] = torch.aten.add.int %{{.*}}, %[[LENGTH]]
// CHECK: torch.aten.slice_scatter %{{.*}}, %{{.*}}, %{{.*}}, %[[AT]],
func.func @unknown(%k: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %none = torch.constant.none
  %dims = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  %r = torch.prim.Loop %turns, %true, init(%k) {
  ^bb0(%i: !torch.int, %c: !torch.vtensor<[?,?],f32>):
    %part = torch.aten.sum.dim_IntList %c, %dims, %true, %none : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?,1],f32>
    %both = torch.prim.ListConstruct %c, %part : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,1],f32>) -> !torch.list<vtensor>
    %more = torch.aten.cat %both, %one : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,?],f32>
    torch.prim.Loop.condition %true, iter(%more : !torch.vtensor<[?,?],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// A view refuses a tensor with gaps; and a part of what grew is given too.
// CHECK-LABEL: func.func @seen
// CHECK: torch.aten.cat
// CHECK: torch.aten.cat
func.func @seen(%k: !torch.vtensor<[1,4],f32>, %x: !torch.vtensor<[1,4],f32>, %none: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %minus = torch.constant.int -1
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %flat = torch.prim.ListConstruct %minus : (!torch.int) -> !torch.list<int>
  %start = torch.tensor_static_info_cast %k : !torch.vtensor<[1,4],f32> to !torch.vtensor<[1,?],f32>
  %r:2 = torch.prim.Loop %turns, %true, init(%start, %none) {
  ^bb0(%i: !torch.int, %c: !torch.vtensor<[1,?],f32>, %v: !torch.vtensor<[?],f32>):
    %both = torch.prim.ListConstruct %c, %x : (!torch.vtensor<[1,?],f32>, !torch.vtensor<[1,4],f32>) -> !torch.list<vtensor>
    %more = torch.aten.cat %both, %one : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[1,?],f32>
    %row = torch.aten.view %more, %flat : !torch.vtensor<[1,?],f32>, !torch.list<int> -> !torch.vtensor<[?],f32>
    %e = torch.aten.relu %row : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
    torch.prim.Loop.condition %true, iter(%more, %e : !torch.vtensor<[1,?],f32>, !torch.vtensor<[?],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[1,?],f32>, !torch.vtensor<[?],f32>) -> (!torch.vtensor<[1,?],f32>, !torch.vtensor<[?],f32>)
  %s:2 = torch.prim.Loop %turns, %true, init(%start, %r#1) {
  ^bb0(%i: !torch.int, %c: !torch.vtensor<[1,?],f32>, %v: !torch.vtensor<[?],f32>):
    %both = torch.prim.ListConstruct %c, %x : (!torch.vtensor<[1,?],f32>, !torch.vtensor<[1,4],f32>) -> !torch.list<vtensor>
    %more = torch.aten.cat %both, %one : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[1,?],f32>
    %row = torch.aten.select.int %more, %zero, %zero : !torch.vtensor<[1,?],f32>, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
    torch.prim.Loop.condition %true, iter(%more, %row : !torch.vtensor<[1,?],f32>, !torch.vtensor<[?],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[1,?],f32>, !torch.vtensor<[?],f32>) -> (!torch.vtensor<[1,?],f32>, !torch.vtensor<[?],f32>)
  return %s#1 : !torch.vtensor<[?],f32>
}

// A turn that begins with the join, and reads what it found behind it.
// CHECK-LABEL: func.func @joined_first
// CHECK: ^bb0({{.*}}, %[[ALL:[a-z0-9]+]]: !torch.vtensor<[43],f32>):
// CHECK: %[[OLD:.*]] = torch.aten.slice.Tensor %[[ALL]],
// CHECK: torch.aten.slice_scatter %[[ALL]],
// CHECK-NOT: torch.aten.cat
// CHECK: torch.aten.sum %[[OLD]],
func.func @joined_first(%k: !torch.vtensor<[3],f32>, %x: !torch.vtensor<[2],f32>, %s: !torch.vtensor<[],f32>) -> !torch.vtensor<[],f32> {
  %dim = torch.constant.int 0
  %one = torch.constant.int 1
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %none = torch.constant.none
  %start = torch.tensor_static_info_cast %k : !torch.vtensor<[3],f32> to !torch.vtensor<[?],f32>
  %r:2 = torch.prim.Loop %turns, %true, init(%start, %s) {
  ^bb0(%i: !torch.int, %c: !torch.vtensor<[?],f32>, %sum: !torch.vtensor<[],f32>):
    %both = torch.prim.ListConstruct %c, %x : (!torch.vtensor<[?],f32>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor>
    %more = torch.aten.cat %both, %dim : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?],f32>
    %part = torch.aten.sum %c, %none : !torch.vtensor<[?],f32>, !torch.none -> !torch.vtensor<[],f32>
    %next = torch.aten.add.Tensor %sum, %part, %one : !torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<[],f32>
    torch.prim.Loop.condition %true, iter(%more, %next : !torch.vtensor<[?],f32>, !torch.vtensor<[],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[?],f32>, !torch.vtensor<[],f32>) -> (!torch.vtensor<[?],f32>, !torch.vtensor<[],f32>)
  return %r#1 : !torch.vtensor<[],f32>
}
