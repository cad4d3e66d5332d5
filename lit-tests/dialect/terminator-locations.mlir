// Terminators that are implicit in the text keep a location that was given to them.
// RUN: sconce-opt %s --mlir-print-debuginfo | FileCheck %s
// RUN: sconce-opt %s --mlir-print-debuginfo | sconce-opt --mlir-print-debuginfo | FileCheck %s
// RUN: sconce-opt %s | sconce-opt --mlir-print-op-generic | sconce-opt | FileCheck %s --check-prefix=PLAIN

// CHECK: torch.class_type @Net {
// CHECK-NEXT: torch.class_type_terminator loc([[HERE:#.*]])
// CHECK: torch.class_type @Other {
// CHECK-NEXT: } loc
// CHECK: [[HERE]] = loc("made by hand")
torch.class_type @Net {
  torch.class_type_terminator loc("made by hand")
}
// PLAIN: torch.class_type @Other {
// PLAIN-NEXT: }
torch.class_type @Other {
}
