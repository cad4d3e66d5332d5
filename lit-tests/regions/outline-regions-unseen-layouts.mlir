// What lies otherwise than row by row goes into a region where nobody sees how it lies: its region lays it row by row.
// RUN: sconce-opt %s --outline-regions='unseen-layouts=true max-ops=2' | FileCheck %s
// RUN: sconce-opt %s --outline-regions=max-ops=2 | FileCheck %s --check-prefix=SEEN

// A product is written row by row, whatever its factors are laid like.
// CHECK-LABEL: func.func @product
// CHECK: sconce.region "product.r0"
// CHECK: torch.aten.permute
// CHECK: torch.aten.relu
// CHECK: } {sconce.rows}
// CHECK: sconce.region "product.r1"
// CHECK: aten.mm
// SEEN-LABEL: func.func @product
// SEEN-NOT: sconce.region
// SEEN: torch.aten.relu
// SEEN: sconce.region "product.r0"
// SEEN: aten.mm
func.func @product(%x: !torch.tensor<[2,3],f32>, %w: !torch.tensor<[2,4],f32>) -> !torch.tensor<[3,4],f32> {
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %dims = torch.prim.ListConstruct %1, %0 : (!torch.int, !torch.int) -> !torch.list<int>
  %2 = torch.aten.permute %x, %dims : !torch.tensor<[2,3],f32>, !torch.list<int> -> !torch.tensor<[3,2],f32>
  %3 = torch.aten.relu %2 : !torch.tensor<[3,2],f32> -> !torch.tensor<[3,2],f32>
  %4 = torch.operator "aten.mm"(%3, %w) : (!torch.tensor<[3,2],f32>, !torch.tensor<[2,4],f32>) -> !torch.tensor<[3,4],f32>
  return %4 : !torch.tensor<[3,4],f32>
}

// The caller sees it, also through a view, and what asks for it does, or refuses it.
// CHECK-LABEL: func.func @returned
// CHECK-NOT: sconce.region
// CHECK-LABEL: func.func @viewed
// CHECK-NOT: sconce.region
// CHECK-LABEL: func.func @asked
// CHECK-NOT: sconce.region
// CHECK-LABEL: func.func @refused
// CHECK-NOT: sconce.region
// CHECK: torch.aten.view
func.func @returned(%x: !torch.tensor<[2,3],f32>) -> !torch.tensor<[3,2],f32> {
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %dims = torch.prim.ListConstruct %1, %0 : (!torch.int, !torch.int) -> !torch.list<int>
  %2 = torch.aten.permute %x, %dims : !torch.tensor<[2,3],f32>, !torch.list<int> -> !torch.tensor<[3,2],f32>
  %3 = torch.aten.relu %2 : !torch.tensor<[3,2],f32> -> !torch.tensor<[3,2],f32>
  return %3 : !torch.tensor<[3,2],f32>
}
func.func @viewed(%x: !torch.tensor<[2,3],f32>) -> !torch.tensor<[1,3,2],f32> {
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %dims = torch.prim.ListConstruct %1, %0 : (!torch.int, !torch.int) -> !torch.list<int>
  %2 = torch.aten.permute %x, %dims : !torch.tensor<[2,3],f32>, !torch.list<int> -> !torch.tensor<[3,2],f32>
  %3 = torch.aten.relu %2 : !torch.tensor<[3,2],f32> -> !torch.tensor<[3,2],f32>
  %4 = torch.aten.unsqueeze %3, %0 : !torch.tensor<[3,2],f32>, !torch.int -> !torch.tensor<[1,3,2],f32>
  return %4 : !torch.tensor<[1,3,2],f32>
}
func.func @asked(%x: !torch.tensor<[2,3],f32>) -> !torch.bool {
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %dims = torch.prim.ListConstruct %1, %0 : (!torch.int, !torch.int) -> !torch.list<int>
  %2 = torch.aten.permute %x, %dims : !torch.tensor<[2,3],f32>, !torch.list<int> -> !torch.tensor<[3,2],f32>
  %3 = torch.aten.relu %2 : !torch.tensor<[3,2],f32> -> !torch.tensor<[3,2],f32>
  %4 = torch.operator "aten.is_contiguous"(%3) : (!torch.tensor<[3,2],f32>) -> !torch.bool
  return %4 : !torch.bool
}
func.func @refused(%x: !torch.tensor<[2,3],f32>, %w: !torch.tensor<[1,4],f32>) -> !torch.tensor<[6,4],f32> {
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %6 = torch.constant.int 6
  %dims = torch.prim.ListConstruct %1, %0 : (!torch.int, !torch.int) -> !torch.list<int>
  %sizes = torch.prim.ListConstruct %6, %1 : (!torch.int, !torch.int) -> !torch.list<int>
  %2 = torch.aten.permute %x, %dims : !torch.tensor<[2,3],f32>, !torch.list<int> -> !torch.tensor<[3,2],f32>
  %3 = torch.aten.relu %2 : !torch.tensor<[3,2],f32> -> !torch.tensor<[3,2],f32>
  %4 = torch.aten.view %3, %sizes : !torch.tensor<[3,2],f32>, !torch.list<int> -> !torch.tensor<[6,1],f32>
  %5 = torch.operator "aten.mm"(%4, %w) : (!torch.tensor<[6,1],f32>, !torch.tensor<[1,4],f32>) -> !torch.tensor<[6,4],f32>
  return %5 : !torch.tensor<[6,4],f32>
}
