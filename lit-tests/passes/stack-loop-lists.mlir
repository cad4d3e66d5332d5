// A list that each turn appends one tensor to, and that is stacked or joined behind the loop, is the tensor, which each turn fills in its place. A list that somebody else
// looks at stays, as do those of a loop that carries something else that is neither a tensor nor a number.
// RUN: sconce-opt %s --stack-loop-lists | FileCheck %s
// RUN: sconce-opt %s --stack-loop-lists=most-bytes=319 | FileCheck %s --check-prefix=LARGE

// LARGE-LABEL: func.func @stacked
// LARGE: sconce.append
// CHECK-LABEL: func.func @stacked
// CHECK: %[[SIZES:.*]] = torch.operator "prim.Constant"() {torch.attributes = {{\[\[}}"value", [4, 20]]]}
// CHECK: %[[SPACE:.*]] = torch.aten.empty.memory_format %[[SIZES]], %int6, %none, %none, %none, %none : {{.*}} -> !torch.vtensor<[4,20],f32>
// CHECK: %[[R:.*]]:2 = torch.prim.Loop %{{.*}}, %true, init(%arg0, %[[SPACE]]) {
// CHECK: ^bb0(%[[I:.*]]: !torch.int, %[[H:.*]]: !torch.vtensor<[4],f32>, %[[OUT:.*]]: !torch.vtensor<[4,20],f32>):
// CHECK: %[[N:.*]] = torch.aten.relu %[[H]]
// CHECK: %[[NEXT:.*]] = torch.aten.select_scatter %[[OUT]], %[[N]], %{{.*}}, %[[I]]
// CHECK-NOT: sconce.append
// CHECK: iter(%[[N]], %[[NEXT]] : !torch.vtensor<[4],f32>, !torch.vtensor<[4,20],f32>)
// CHECK-NOT: torch.aten.stack
// CHECK: return %[[R]]#1, %[[R]]#0
func.func @stacked(%h: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[4,20],f32>, !torch.vtensor<[4],f32>) {
  %last = torch.constant.int -1
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %empty = torch.prim.ListConstruct : () -> !torch.list<vtensor>
  %r:2 = torch.prim.Loop %turns, %true, init(%empty, %h) {
  ^bb0(%i: !torch.int, %l: !torch.list<vtensor>, %s: !torch.vtensor<[4],f32>):
    %n = torch.aten.relu %s : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
    %more = torch.operator "sconce.append.t"(%l, %n) : (!torch.list<vtensor>, !torch.vtensor<[4],f32>) -> !torch.list<vtensor>
    torch.prim.Loop.condition %true, iter(%more, %n : !torch.list<vtensor>, !torch.vtensor<[4],f32>)
  } : (!torch.int, !torch.bool, !torch.list<vtensor>, !torch.vtensor<[4],f32>) -> (!torch.list<vtensor>, !torch.vtensor<[4],f32>)
  %all = torch.aten.stack %r#0, %last : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4,20],f32>
  return %all, %r#1 : !torch.vtensor<[4,20],f32>, !torch.vtensor<[4],f32>
}

// Two of them, one of parts that have the dimension already.
// CHECK-LABEL: func.func @joined
// CHECK: torch.prim.Loop %{{.*}}, %true, init(%{{.*}}, %{{.*}}) {
// CHECK: ^bb0(%{{.*}}: !torch.int, %[[B:.*]]: !torch.vtensor<[20,4],f32>, %[[A:.*]]: !torch.vtensor<[20,1,4],f32>):
// CHECK: torch.aten.select_scatter %[[A]], %arg0,
// CHECK: %[[S:.*]] = torch.aten.squeeze.dim %arg0, %{{.*}} : !torch.vtensor<[1,4],f32>, !torch.int -> !torch.vtensor<[4],f32>
// CHECK: torch.aten.select_scatter %[[B]], %[[S]],
func.func @joined(%x: !torch.vtensor<[1,4],f32>) -> (!torch.vtensor<[20,1,4],f32>, !torch.vtensor<[20,4],f32>) {
  %zero = torch.constant.int 0
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %empty = torch.prim.ListConstruct : () -> !torch.list<vtensor>
  %r:2 = torch.prim.Loop %turns, %true, init(%empty, %empty) {
  ^bb0(%i: !torch.int, %l: !torch.list<vtensor>, %k: !torch.list<vtensor>):
    %more = torch.operator "sconce.append.t"(%l, %x) : (!torch.list<vtensor>, !torch.vtensor<[1,4],f32>) -> !torch.list<vtensor>
    %other = torch.operator "sconce.append.t"(%k, %x) : (!torch.list<vtensor>, !torch.vtensor<[1,4],f32>) -> !torch.list<vtensor>
    torch.prim.Loop.condition %true, iter(%more, %other : !torch.list<vtensor>, !torch.list<vtensor>)
  } : (!torch.int, !torch.bool, !torch.list<vtensor>, !torch.list<vtensor>) -> (!torch.list<vtensor>, !torch.list<vtensor>)
  %a = torch.aten.stack %r#0, %zero : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[20,1,4],f32>
  %b = torch.aten.cat %r#1, %zero : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[20,4],f32>
  return %a, %b : !torch.vtensor<[20,1,4],f32>, !torch.vtensor<[20,4],f32>
}

// A list that grows at its front, and elements of it, which are copies.
// CHECK-LABEL: func.func @turned
// CHECK: ^bb0(%[[I:.*]]: !torch.int, %[[OUT:.*]]: !torch.vtensor<[20,4],f32>):
// CHECK: %[[AT:.*]] = torch.aten.sub.int %int19{{.*}}, %[[I]]
// CHECK: torch.aten.select_scatter %[[OUT]], %arg0, %{{.*}}, %[[AT]]
// CHECK: %[[PLACE:.*]] = torch.constant.int 17
// CHECK: %[[PART:.*]] = torch.aten.select.int %{{.*}}, %{{.*}}, %[[PLACE]] : {{.*}} -> !torch.vtensor<[4],f32>
// CHECK: %[[COPY:.*]] = torch.aten.clone %[[PART]]
// CHECK: return %{{.*}}, %[[COPY]]
func.func @turned(%x: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[20,4],f32>, !torch.vtensor<[4],f32>) {
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %empty = torch.prim.ListConstruct : () -> !torch.list<vtensor>
  %r = torch.prim.Loop %turns, %true, init(%empty) {
  ^bb0(%i: !torch.int, %l: !torch.list<vtensor>):
    %one = torch.prim.ListConstruct %x : (!torch.vtensor<[4],f32>) -> !torch.list<vtensor>
    %more = torch.aten.add.t %one, %l : !torch.list<vtensor>, !torch.list<vtensor> -> !torch.list<vtensor>
    torch.prim.Loop.condition %true, iter(%more : !torch.list<vtensor>)
  } : (!torch.int, !torch.bool, !torch.list<vtensor>) -> !torch.list<vtensor>
  %all = torch.aten.stack %r, %zero : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[20,4],f32>
  %third = torch.aten.__getitem__.t %r, %two : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4],f32>
  return %all, %third : !torch.vtensor<[20,4],f32>, !torch.vtensor<[4],f32>
}

// Of as many turns as a size says, which may be none: then the list of nothing is stacked, which is an error. How large a part is another tensor's size tells.
// CHECK-LABEL: func.func @unknown
// CHECK: %[[TURNS:.*]] = torch.aten.size.int %arg0, %int0
// CHECK: %[[MORE:.*]] = torch.operator "prim.max"(%[[TURNS]], %int0
// CHECK: %[[ROWS:.*]] = torch.aten.size.int %arg1, %int0
// CHECK: torch.prim.ListConstruct %[[ROWS]], %[[MORE]], %int4
// CHECK: torch.aten.empty.memory_format
// CHECK: %[[R:.*]]:3 = torch.prim.Loop
// CHECK: torch.aten.select_scatter %{{.*}}, %{{.*}}, %{{.*}}, %[[I:.*]] :
// CHECK: %[[LAST:.*]] = torch.aten.sub.int %[[TURNS]], %int1
// CHECK: torch.aten.sub.int %[[LAST]], %[[I]]
// CHECK: %[[SOME:.*]] = torch.aten.gt.int %[[TURNS]], %int0
// CHECK: %[[ALL:.*]] = torch.prim.If %[[SOME]]
// CHECK: torch.prim.If.yield %[[R]]#2
// CHECK: %[[NONE:.*]] = torch.prim.ListConstruct  : () -> !torch.list<vtensor>
// CHECK: torch.aten.stack %[[NONE]], %int0
// CHECK: return %[[ALL]]
func.func @unknown(%xs: !torch.vtensor<[?,?,4],f32>, %h: !torch.vtensor<[?,4],f32>) -> (!torch.vtensor<[?,?,4],f32>, !torch.vtensor) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %true = torch.constant.bool true
  %turns = torch.aten.size.int %xs, %zero : !torch.vtensor<[?,?,4],f32>, !torch.int -> !torch.int
  %empty = torch.prim.ListConstruct : () -> !torch.list<vtensor>
  %r:3 = torch.prim.Loop %turns, %true, init(%empty, %empty, %h) {
  ^bb0(%i: !torch.int, %l: !torch.list<vtensor>, %k: !torch.list<vtensor>, %s: !torch.vtensor<[?,4],f32>):
    %n = torch.aten.relu %s : !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32>
    %more = torch.operator "sconce.append.t"(%l, %n) : (!torch.list<vtensor>, !torch.vtensor<[?,4],f32>) -> !torch.list<vtensor>
    %of_one = torch.prim.ListConstruct %n : (!torch.vtensor<[?,4],f32>) -> !torch.list<vtensor>
    %front = torch.aten.add.t %of_one, %k : !torch.list<vtensor>, !torch.list<vtensor> -> !torch.list<vtensor>
    torch.prim.Loop.condition %true, iter(%more, %front, %n : !torch.list<vtensor>, !torch.list<vtensor>, !torch.vtensor<[?,4],f32>)
  } : (!torch.int, !torch.bool, !torch.list<vtensor>, !torch.list<vtensor>, !torch.vtensor<[?,4],f32>) -> (!torch.list<vtensor>, !torch.list<vtensor>, !torch.vtensor<[?,4],f32>)
  %all = torch.aten.stack %r#0, %zero : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,?,4],f32>
  %turned = torch.aten.stack %r#1, %one : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  return %all, %turned : !torch.vtensor<[?,?,4],f32>, !torch.vtensor
}

// An element is also what the loop gives.
// CHECK-LABEL: func.func @also_given
// CHECK: torch.operator "sconce.append.t"
func.func @also_given(%x: !torch.tensor<[4],f32>) -> (!torch.tensor, !torch.tensor, !torch.tensor<[4],f32>) {
  %zero = torch.constant.int 0
  %last = torch.constant.int -1
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %empty = torch.prim.ListConstruct : () -> !torch.list<tensor>
  %r:2 = torch.prim.Loop %turns, %true, init(%empty, %x) {
  ^bb0(%i: !torch.int, %l: !torch.list<tensor>, %h: !torch.tensor<[4],f32>):
    %n = torch.aten.tanh %h : !torch.tensor<[4],f32> -> !torch.tensor<[4],f32>
    %more = torch.operator "sconce.append.t"(%l, %n) : (!torch.list<tensor>, !torch.tensor<[4],f32>) -> !torch.list<tensor>
    torch.prim.Loop.condition %true, iter(%more, %n : !torch.list<tensor>, !torch.tensor<[4],f32>)
  } : (!torch.int, !torch.bool, !torch.list<tensor>, !torch.tensor<[4],f32>) -> (!torch.list<tensor>, !torch.tensor<[4],f32>)
  %all = torch.aten.stack %r#0, %zero : !torch.list<tensor>, !torch.int -> !torch.tensor
  %e = torch.aten.__getitem__.t %r#0, %last : !torch.list<tensor>, !torch.int -> !torch.tensor
  return %all, %e, %r#1 : !torch.tensor, !torch.tensor, !torch.tensor<[4],f32>
}

// CHECK-LABEL: func.func @looked_at
// CHECK: torch.operator "sconce.append.t"
func.func @looked_at(%x: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[20,4],f32>, !torch.list<vtensor>) {
  %zero = torch.constant.int 0
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %empty = torch.prim.ListConstruct : () -> !torch.list<vtensor>
  %r = torch.prim.Loop %turns, %true, init(%empty) {
  ^bb0(%i: !torch.int, %l: !torch.list<vtensor>):
    %more = torch.operator "sconce.append.t"(%l, %x) : (!torch.list<vtensor>, !torch.vtensor<[4],f32>) -> !torch.list<vtensor>
    torch.prim.Loop.condition %true, iter(%more : !torch.list<vtensor>)
  } : (!torch.int, !torch.bool, !torch.list<vtensor>) -> !torch.list<vtensor>
  %all = torch.aten.stack %r, %zero : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[20,4],f32>
  return %all, %r : !torch.vtensor<[20,4],f32>, !torch.list<vtensor>
}

// The list of strings keeps the loop from being code.
// CHECK-LABEL: func.func @among_others
// CHECK: torch.operator "sconce.append.t"(%{{.*}}, %arg0)
func.func @among_others(%x: !torch.vtensor<[4],f32>, %s: !torch.str) -> (!torch.vtensor<[20,4],f32>, !torch.list<str>) {
  %zero = torch.constant.int 0
  %turns = torch.constant.int 20
  %true = torch.constant.bool true
  %empty = torch.prim.ListConstruct : () -> !torch.list<vtensor>
  %none = torch.prim.ListConstruct : () -> !torch.list<str>
  %r:2 = torch.prim.Loop %turns, %true, init(%empty, %none) {
  ^bb0(%i: !torch.int, %l: !torch.list<vtensor>, %k: !torch.list<str>):
    %more = torch.operator "sconce.append.t"(%l, %x) : (!torch.list<vtensor>, !torch.vtensor<[4],f32>) -> !torch.list<vtensor>
    %other = torch.operator "sconce.append.t"(%k, %s) : (!torch.list<str>, !torch.str) -> !torch.list<str>
    torch.prim.Loop.condition %true, iter(%more, %other : !torch.list<vtensor>, !torch.list<str>)
  } : (!torch.int, !torch.bool, !torch.list<vtensor>, !torch.list<str>) -> (!torch.list<vtensor>, !torch.list<str>)
  %all = torch.aten.stack %r#0, %zero : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[20,4],f32>
  return %all, %r#1 : !torch.vtensor<[20,4],f32>, !torch.list<str>
}
