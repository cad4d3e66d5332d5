// Each part is a module of its own: one that fails does not keep the others from being judged.
// RUN: not sconce-opt %s --split-input-file 2>&1 | FileCheck %s

// CHECK: split-input-file.mlir:[[# @LINE + 7]]:8: error: use of value '%x' expects different type
// CHECK: func.func @first
// CHECK: // -----
// CHECK: func.func @third
func.func @first() { return }
// -----
func.func @second(%x: i32) -> i64 {
return %x : i64
}
// -----
func.func @third() { return }
