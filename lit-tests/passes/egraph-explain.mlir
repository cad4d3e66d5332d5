// Each step of a rewrite is said with what its variables stand for; the checker of explanations replays them, and finds what was tampered with.
// RUN: sconce-opt %s '--egraph=explain=1 class=reassociates' -o /dev/null 2> %t.explained
// RUN: FileCheck %s --input-file %t.explained
// RUN: sconce-opt --replay %t.explained | FileCheck %s --check-prefix=REPLAY
// RUN: sed -e '/^step relu-transpose/s/?a = 0/?a = 1/' %t.explained > %t.bound
// RUN: not sconce-opt --replay %t.bound 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: sed -e '/^result/s/relu/neg/' %t.explained > %t.result
// RUN: not sconce-opt --replay %t.result 2>&1 | FileCheck %s --check-prefix=RESULT

// REPLAY: 3 explanations hold, {{[0-9]+}} steps
// BOUND: line {{[0-9]+}}: relu-transpose{{.*}}: the term is no instance of its
// RESULT: line {{[0-9]+}}: {{.*}}

// CHECK: remark: egraph explains
// CHECK: leaf %0: f32[4, 8]
// CHECK: source aten.transpose.int(aten.relu(aten.transpose.int(%0, 0, 1)), 0, 1)
// CHECK: step relu-transpose{{.*}} at {{.*}} with ?x = {{.*}}; ?a = 0; ?b = 1
// CHECK: result aten.relu(%0)
func.func @transposes(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %1 = torch.aten.transpose.int %x, %int0, %int1 : !torch.vtensor<[4,8],f32>, !torch.int, !torch.int -> !torch.vtensor<[8,4],f32>
  %2 = torch.aten.relu %1 : !torch.vtensor<[8,4],f32> -> !torch.vtensor<[8,4],f32>
  %3 = torch.aten.transpose.int %2, %int0, %int1 : !torch.vtensor<[8,4],f32>, !torch.int, !torch.int -> !torch.vtensor<[4,8],f32>
  return %3 : !torch.vtensor<[4,8],f32>
}

// CHECK: source aten.mm(aten.mm(%0, %1), %2)
// CHECK: step mm-associates
// CHECK: result aten.mm(%0, aten.mm(%1, %2))
func.func @associative(%x: !torch.vtensor<[256,256],f32>, %y: !torch.vtensor<[256,256],f32>, %z: !torch.vtensor<[256,1],f32>) -> !torch.vtensor<[256,1],f32> {
  %1 = torch.aten.mm %x, %y : !torch.vtensor<[256,256],f32>, !torch.vtensor<[256,256],f32> -> !torch.vtensor<[256,256],f32>
  %2 = torch.aten.mm %1, %z : !torch.vtensor<[256,256],f32>, !torch.vtensor<[256,1],f32> -> !torch.vtensor<[256,1],f32>
  return %2 : !torch.vtensor<[256,1],f32>
}

// A constant of the right side is worked out again; a size that is not known has a symbol.
// CHECK: leaf %0: f32[s0, 100]
// CHECK: step {{.*}} with ?x = %0; {{.*}}2
// CHECK: result aten.mul.Scalar(%0, 0.5)
func.func @half(%x: !torch.vtensor<[?,100],f32>) -> !torch.vtensor<[?,100],f32> {
  %int2 = torch.constant.int 2
  %1 = torch.aten.div.Scalar %x, %int2 : !torch.vtensor<[?,100],f32>, !torch.int -> !torch.vtensor<[?,100],f32>
  return %1 : !torch.vtensor<[?,100],f32>
}
