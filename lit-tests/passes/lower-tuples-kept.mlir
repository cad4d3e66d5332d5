// What others call keeps its arguments and its result; a tuple that an operator gives, and one that an operator insists on, stay.
// RUN: sconce-opt %s --lower-tuples | FileCheck %s
// RUN: sconce-opt %s --lower-tuples=signature=0 | FileCheck %s --check-prefix=WITHIN

// CHECK-LABEL: func.func private @called(%arg0: !torch.tuple<int, int>) -> !torch.tuple<int, int>
func.func private @called(%t: !torch.tuple<int, int>) -> !torch.tuple<int, int> {
  return %t : !torch.tuple<int, int>
}

// CHECK-LABEL: func.func @caller(%arg0: !torch.list<tuple<int, int>>) -> (!torch.int, !torch.int)
// CHECK: %[[G:.*]] = torch.operator "aten.__getitem__.t"
// CHECK: %[[C:.*]] = call @called(%[[G]])
// CHECK: %[[U:.*]]:2 = torch.prim.TupleUnpack %[[C]]
// CHECK: return %[[U]]#0, %[[U]]#1
func.func @caller(%l: !torch.list<tuple<int, int>>) -> !torch.tuple<int, int> {
  %0 = torch.constant.int 0
  %t = torch.operator "aten.__getitem__.t"(%l, %0) : (!torch.list<tuple<int, int>>, !torch.int) -> !torch.tuple<int, int>
  %r = call @called(%t) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %r : !torch.tuple<int, int>
}

// Without signatures tuples go within functions alone. What is not set is not taken apart.
// CHECK-LABEL: func.func @early(%arg0: !torch.bool, %arg1: !torch.int, %arg2: !torch.int) -> (!torch.int, !torch.int)
// WITHIN-LABEL: func.func @early(%arg0: !torch.bool, %arg1: !torch.tuple<int, int>) -> !torch.tuple<int, int>
// WITHIN: %[[R:.*]]:2 = torch.prim.If %arg0 -> (!torch.int, !torch.int) {
// WITHIN: %[[U:.*]]:2 = torch.prim.TupleUnpack %arg1
// WITHIN: torch.prim.If.yield %[[U]]#0, %[[U]]#1
// WITHIN: %[[A:.*]] = torch.prim.Uninitialized : !torch.int
// WITHIN: %[[B:.*]] = torch.prim.Uninitialized : !torch.int
// WITHIN: torch.prim.If.yield %[[A]], %[[B]]
// WITHIN: %[[T:.*]] = torch.prim.TupleConstruct %[[R]]#0, %[[R]]#1
// WITHIN: return %[[T]]
func.func @early(%c: !torch.bool, %t: !torch.tuple<int, int>) -> !torch.tuple<int, int> {
  %r = torch.prim.If %c -> (!torch.tuple<int, int>) {
    torch.prim.If.yield %t : !torch.tuple<int, int>
  } else {
    %u = torch.prim.Uninitialized : !torch.tuple<int, int>
    torch.prim.If.yield %u : !torch.tuple<int, int>
  }
  return %r : !torch.tuple<int, int>
}
