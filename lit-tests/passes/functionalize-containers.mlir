// Changes of lists and dictionaries that nothing else can see become values, in branches and loops too; what stays has a reason.
// RUN: sconce-opt %s --functionalize 2>&1 | FileCheck %s

// CHECK: append.t stays a write: it changes an argument of the function
// CHECK: append.t stays a write: what prim::TupleConstruct gives may hold or share it before
// CHECK: append.t stays a write: it changes what aten::__getitem__.t gives, which may be seen from elsewhere
// CHECK: pop.Dict_str stays a write: it changes an argument of the function

// A loop passes the list on.
// CHECK-LABEL: func.func @grows
// CHECK: %[[E:.*]] = torch.prim.ListConstruct
// CHECK: %[[L:.*]] = torch.prim.Loop %arg1, %{{.*}}, init(%[[E]])
// CHECK: ^bb0(%[[I:.*]]: !torch.int, %[[C:.*]]: !torch.list<vtensor<[2],f32>>):
// CHECK: %[[N:.*]] = torch.operator "sconce.append.t"(%[[C]], %arg0)
// CHECK: torch.prim.Loop.condition %{{.*}}, iter(%[[N]] :
// CHECK: torch.aten.len.t %[[L]]
// CHECK: return %[[L]]
func.func @grows(%a: !torch.vtensor<[2],f32>, %n: !torch.int) -> (!torch.list<vtensor<[2],f32>>, !torch.int) {
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct : () -> !torch.list<vtensor<[2],f32>>
  torch.prim.Loop %n, %true, init() {
  ^bb0(%i: !torch.int):
    %1 = torch.aten.append.t %0, %a : !torch.list<vtensor<[2],f32>>, !torch.vtensor<[2],f32> -> !torch.list<vtensor<[2],f32>>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %2 = torch.aten.len.t %0 : !torch.list<vtensor<[2],f32>> -> !torch.int
  return %0, %2 : !torch.list<vtensor<[2],f32>>, !torch.int
}

// What a change gives besides comes second; a branch without a change passes on what there was.
// CHECK-LABEL: func.func @branches
// CHECK: %[[L:.*]] = torch.prim.ListConstruct %arg0, %arg0
// CHECK: %[[I:.*]]:2 = torch.prim.If %arg1
// CHECK: %[[P:.*]]:2 = torch.operator "sconce.pop.t"(%[[L]], %{{.*}}) : (!torch.list<int>, !torch.int) -> (!torch.list<int>, !torch.int)
// CHECK: torch.prim.If.yield %[[P]]#1, %[[P]]#0
// CHECK: torch.prim.If.yield %arg0, %[[L]]
// CHECK: %[[S:.*]] = torch.operator "sconce.sort.int"(%[[I]]#1, %
// CHECK: return %[[S]], %[[I]]#0
func.func @branches(%x: !torch.int, %c: !torch.bool) -> (!torch.list<int>, !torch.int) {
  %last = torch.constant.int -1
  %false = torch.constant.bool false
  %0 = torch.prim.ListConstruct %x, %x : (!torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.prim.If %c -> (!torch.int) {
    %2 = torch.operator "aten.pop.t"(%0, %last) : (!torch.list<int>, !torch.int) -> !torch.int
    torch.prim.If.yield %2 : !torch.int
  } else {
    torch.prim.If.yield %x : !torch.int
  }
  torch.aten.sort.int %0, %false : !torch.list<int>, !torch.bool
  return %0, %1 : !torch.list<int>, !torch.int
}

// CHECK-LABEL: func.func @dictionary
// CHECK: %[[D:.*]] = torch.prim.DictConstruct
// CHECK: %[[S:.*]] = torch.operator "sconce._set_item.str"(%[[D]], %arg0, %arg1)
// CHECK: %[[F:.*]]:2 = torch.operator "sconce.setdefault.str"(%[[S]], %arg0, %arg1)
// CHECK: %[[X:.*]] = torch.operator "sconce.Delete.Dict_str"(%[[F]]#0, %arg0)
// CHECK: torch.operator "sconce.clear.str"(%[[X]])
// CHECK: return %{{.*}}, %[[F]]#1
func.func @dictionary(%k: !torch.str, %x: !torch.vtensor) -> (!torch.dict<str, vtensor>, !torch.vtensor) {
  %0 = torch.prim.DictConstruct keys() values() -> !torch.dict<str, vtensor>
  torch.aten._set_item.str %0, %k, %x : !torch.dict<str, vtensor>, !torch.str, !torch.vtensor
  %1 = torch.operator "aten.setdefault.str"(%0, %k, %x) : (!torch.dict<str, vtensor>, !torch.str, !torch.vtensor) -> !torch.vtensor
  torch.aten.Delete.Dict_str %0, %k : !torch.dict<str, vtensor>, !torch.str
  torch.operator "aten.clear.str"(%0) : (!torch.dict<str, vtensor>) -> ()
  return %0, %1 : !torch.dict<str, vtensor>, !torch.vtensor
}

// A list in a list is made before that holds it; behind that it may be reached from there.
// CHECK-LABEL: func.func @stays
// CHECK: torch.aten.append.t %arg0
// CHECK: torch.prim.TupleConstruct
// CHECK: torch.aten.append.t
// CHECK: torch.operator "sconce.append.t"
// CHECK: torch.prim.ListConstruct
// CHECK: torch.aten.append.t
// CHECK: torch.operator "aten.pop.Dict_str"
func.func @stays(%l: !torch.list<int>, %d: !torch.dict<str, int>, %k: !torch.str) -> (!torch.tuple<list<int>>, !torch.list<list<int>>) {
  %one = torch.constant.int 1
  %0 = torch.aten.append.t %l, %one : !torch.list<int>, !torch.int -> !torch.list<int>
  %1 = torch.prim.ListConstruct : () -> !torch.list<int>
  %2 = torch.prim.TupleConstruct %1 : !torch.list<int> -> !torch.tuple<list<int>>
  %3 = torch.aten.append.t %1, %one : !torch.list<int>, !torch.int -> !torch.list<int>
  %4 = torch.prim.ListConstruct : () -> !torch.list<int>
  %5 = torch.aten.append.t %4, %one : !torch.list<int>, !torch.int -> !torch.list<int>
  %6 = torch.prim.ListConstruct %4 : (!torch.list<int>) -> !torch.list<list<int>>
  %zero = torch.constant.int 0
  %7 = torch.aten.__getitem__.t %6, %zero : !torch.list<list<int>>, !torch.int -> !torch.list<int>
  %8 = torch.aten.append.t %7, %one : !torch.list<int>, !torch.int -> !torch.list<int>
  %9 = torch.operator "aten.pop.Dict_str"(%d, %k) : (!torch.dict<str, int>, !torch.str) -> !torch.int
  return %2, %6 : !torch.tuple<list<int>>, !torch.list<list<int>>
}

// Lists and dictionaries may be left as they are.
// RUN: sconce-opt %s --functionalize='containers=0 remarks=0' | FileCheck %s --check-prefix=LEFT
// LEFT-LABEL: func.func @grows
// LEFT: torch.aten.append.t
// LEFT-NOT: sconce.append
