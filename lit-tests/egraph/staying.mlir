// What a value that stays is computed of is there, whatever is equal to it: others take it, and compute it no second time.
// RUN: sconce-opt %s --egraph | FileCheck %s

// CHECK-LABEL: @twice
// CHECK-COUNT-1: torch.aten.exp
// CHECK-NOT: torch.aten.exp
// CHECK: return
func.func @twice(%x: !torch.tensor<[2,8],f32>) -> (!torch.tensor<[2,8],f32>, !torch.tensor<[8],f32>) {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %eight = torch.constant.int 8
  %flat = torch.prim.ListConstruct %eight : (!torch.int) -> !torch.list<int>
  %r = torch.aten.relu %x : !torch.tensor<[2,8],f32> -> !torch.tensor<[2,8],f32>
  %again = torch.aten.relu %x : !torch.tensor<[2,8],f32> -> !torch.tensor<[2,8],f32>
  %e = torch.aten.exp %again : !torch.tensor<[2,8],f32> -> !torch.tensor<[2,8],f32>
  %cut = torch.aten.chunk %e, %two, %one : !torch.tensor<[2,8],f32>, !torch.int, !torch.int -> !torch.list<tensor>
  %parts:2 = torch.prim.ListUnpack %cut : !torch.list<tensor> -> !torch.tensor<[2,4],f32>, !torch.tensor<[2,4],f32>
  %row = torch.aten.view %parts#0, %flat : !torch.tensor<[2,4],f32>, !torch.list<int> -> !torch.tensor<[8],f32>
  %s = torch.aten.sigmoid %e : !torch.tensor<[2,8],f32> -> !torch.tensor<[2,8],f32>
  %n = torch.aten.neg %s : !torch.tensor<[2,8],f32> -> !torch.tensor<[2,8],f32>
  %back = torch.aten.neg %n : !torch.tensor<[2,8],f32> -> !torch.tensor<[2,8],f32>
  %t = torch.aten.add.Tensor %r, %back, %one : !torch.tensor<[2,8],f32>, !torch.tensor<[2,8],f32>, !torch.int -> !torch.tensor<[2,8],f32>
  return %t, %row : !torch.tensor<[2,8],f32>, !torch.tensor<[8],f32>
}
