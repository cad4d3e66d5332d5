// A region of as many operators as it may have takes no more.
// RUN: sconce-opt %s --outline-regions=max-ops=2 | FileCheck %s

// A full region takes no more; what it gives the next one needs.
// CHECK-LABEL: @long
// CHECK: %[[A:.*]] = sconce.region "long.r0"
// CHECK: torch.aten.relu
// CHECK: torch.aten.tanh
// CHECK: sconce.yield
// CHECK: sconce.region "long.r1"(%[[A]])
// CHECK: torch.aten.sigmoid
// CHECK: sconce.yield
func.func @long(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  %1 = torch.aten.relu %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %2 = torch.aten.tanh %1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %3 = torch.aten.sigmoid %2 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  return %3 : !torch.vtensor<[2,3],f32>
}

// A list crosses no border, so that the region goes on.
// CHECK-LABEL: @list
// CHECK: sconce.region "list.r0"
// CHECK: torch.prim.ListConstruct
// CHECK: torch.aten.cat
// CHECK: sconce.yield
func.func @list(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[4,3],f32> {
  %zero = torch.constant.int 0
  %1 = torch.aten.relu %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %2 = torch.aten.tanh %1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %all = torch.prim.ListConstruct %1, %2 : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.list<vtensor>
  %3 = torch.aten.cat %all, %zero : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4,3],f32>
  return %3 : !torch.vtensor<[4,3],f32>
}
