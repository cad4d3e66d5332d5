// A file of rules beside those that are compiled in; what is wrong with one is said with its place.
// RUN: split-file %s %t
// RUN: sconce-opt %t/f.mlir --egraph='rules=%t/mine.rules class=reassociates' | FileCheck %t/f.mlir
// RUN: not sconce-opt %t/f.mlir --egraph='rules=%t/wrong.rules' 2>&1 | FileCheck %t/wrong.rules
// RUN: not sconce-opt %t/f.mlir --egraph='rules=%t/missing.rules' 2>&1 | FileCheck %t/f.mlir --check-prefix=MISSING

//--- mine.rules
# sin^2 + cos^2 = 1
rule pythagoras reassociates:
    aten.add.Tensor(aten.square(aten.sin(?x)), aten.square(aten.cos(?x)), 1) => aten.ones_like(?x);

//--- wrong.rules
// CHECK: wrong.rules:1:1: not a rule
rule

//--- f.mlir
// CHECK: torch.aten.ones_like
// CHECK-NOT: torch.aten.sin
// MISSING: missing.rules: No such file
func.func @f(%x: !torch.vtensor<[100],f32>) -> !torch.vtensor<[100],f32> {
  %int1 = torch.constant.int 1
  %1 = torch.aten.sin %x : !torch.vtensor<[100],f32> -> !torch.vtensor<[100],f32>
  %2 = torch.aten.cos %x : !torch.vtensor<[100],f32> -> !torch.vtensor<[100],f32>
  %3 = torch.aten.square %1 : !torch.vtensor<[100],f32> -> !torch.vtensor<[100],f32>
  %4 = torch.aten.square %2 : !torch.vtensor<[100],f32> -> !torch.vtensor<[100],f32>
  %5 = torch.aten.add.Tensor %3, %4, %int1 : !torch.vtensor<[100],f32>, !torch.vtensor<[100],f32>, !torch.int -> !torch.vtensor<[100],f32>
  return %5 : !torch.vtensor<[100],f32>
}
