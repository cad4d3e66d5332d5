// A pipeline that fails leaves a file that repeats the failure by itself.
// RUN: not sconce-opt %s --pass-pipeline='builtin.module(cse,torch-op-stats{top=-3})' --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s
// CHECK: error: Failures have been detected while processing an MLIR pass pipeline
// RUN: FileCheck %s --check-prefix=FILE --input-file=%t.mlir
// FILE: func.func @f
// FILE: pipeline: "builtin.module(cse, torch-op-stats{dialect= json=false top=-3})"
// RUN: not sconce-opt --run-reproducer %t.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: torch-op-stats: option 'top' must not be negative
func.func @f() { return }
