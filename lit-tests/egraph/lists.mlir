// What is joined, split and sliced.
// RUN: sconce-opt %s '--egraph=class=reassociates' | FileCheck %s

// Each part is computed where it goes; behind the joining relu would be a pass of its own over all of it.
// CHECK-LABEL: @joined
// CHECK: torch.aten.relu
// CHECK: torch.aten.relu
// CHECK: torch.aten.cat
// CHECK-NEXT: return
func.func @joined(%x: !torch.vtensor<[4,8],f32>, %y: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,16],f32> {
  %r1 = torch.aten.relu %x : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32>
  %r2 = torch.aten.relu %y : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32>
  %r3 = torch.prim.ListConstruct %r1, %r2 : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.list<vtensor>
  %c0 = torch.constant.int 1
  %r4 = torch.aten.cat %r3, %c0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4,16],f32>
  return %r4 : !torch.vtensor<[4,16],f32>
}

// CHECK-LABEL: @seam
// CHECK-NEXT: return %arg1
func.func @seam(%x: !torch.vtensor<[4,8],f32>, %y: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %r1 = torch.prim.ListConstruct %x, %y : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.list<vtensor>
  %c0 = torch.constant.int 1
  %r2 = torch.aten.cat %r1, %c0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4,16],f32>
  %c1 = torch.constant.int 8
  %c2 = torch.constant.none
  %r3 = torch.aten.slice.Tensor %r2, %c0, %c1, %c2, %c0 : !torch.vtensor<[4,16],f32>, !torch.int, !torch.int, !torch.none, !torch.int -> !torch.vtensor<[4,8],f32>
  return %r3 : !torch.vtensor<[4,8],f32>
}

// Empty lists are told apart by the type of their elements, which nothing in them shows.
// CHECK-LABEL: @empty_lists
// CHECK: %[[A:.*]] = torch.operator "prim.Constant"{{.*}} -> !torch.list<list<float>>
// CHECK: %[[B:.*]] = torch.operator "prim.Constant"{{.*}} -> !torch.list<str>
// CHECK: torch.operator "sconce.append.t"(%[[B]], %{{.*}})
// CHECK: return %{{.*}}, %[[A]], %
func.func @empty_lists(%x: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[4],f32>, !torch.list<list<float>>, !torch.list<str>) {
  %a = torch.operator "prim.Constant"() {torch.attributes = [["value", {annotated = [], type = "float[][]"}]]} : () -> !torch.list<list<float>>
  %b = torch.operator "prim.Constant"() {torch.attributes = [["value", {annotated = [], type = "str[]"}]]} : () -> !torch.list<str>
  %s = torch.constant.str "a"
  %r = torch.aten.relu %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  %r2 = torch.aten.relu %r : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  %c = torch.operator "sconce.append.t"(%b, %s) : (!torch.list<str>, !torch.str) -> !torch.list<str>
  return %r2, %a, %c : !torch.vtensor<[4],f32>, !torch.list<list<float>>, !torch.list<str>
}
