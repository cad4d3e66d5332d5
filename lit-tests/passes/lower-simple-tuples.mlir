// What is taken out of a tuple that was made here is what was put in, on tensors as values and inside blocks too.
// RUN: sconce-opt %s --lower-simple-tuples | FileCheck %s

// CHECK-LABEL: func.func @values
// CHECK-NOT: torch.prim.Tuple
// CHECK: torch.prim.If.yield %arg1
// CHECK: torch.prim.If.yield %arg0
func.func @values(%x: !torch.vtensor<[2],f32>, %y: !torch.vtensor<[2],f32>, %b: !torch.bool) -> !torch.vtensor<[2],f32> {
  %minus = torch.constant.int -1
  %t = torch.prim.TupleConstruct %x, %y : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> -> !torch.tuple<vtensor<[2],f32>, vtensor<[2],f32>>
  %0 = torch.prim.If %b -> (!torch.vtensor<[2],f32>) {
    %1 = torch.prim.TupleIndex %t, %minus : !torch.tuple<vtensor<[2],f32>, vtensor<[2],f32>>, !torch.int -> !torch.vtensor<[2],f32>
    torch.prim.If.yield %1 : !torch.vtensor<[2],f32>
  } else {
    %1:2 = torch.prim.TupleUnpack %t : !torch.tuple<vtensor<[2],f32>, vtensor<[2],f32>> -> !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
    torch.prim.If.yield %1#0 : !torch.vtensor<[2],f32>
  }
  return %0 : !torch.vtensor<[2],f32>
}
