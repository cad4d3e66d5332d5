// What others call keeps its arguments and its result; a tuple that an operator gives, and one that an operator insists on, stay.
// RUN: sconce-opt %s --lower-tuples | FileCheck %s

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
