// Dumps know Rust passes by their name.
// RUN: sconce-opt %s --pass-pipeline='builtin.module(torch-op-stats,func.func(cse))' --mlir-print-ir-after-all -o /dev/null 2>&1 | FileCheck %s
// CHECK: IR Dump After torch-op-stats
// CHECK: func.func @f
// CHECK: IR Dump After CSE
// CHECK: func.func @f

// RUN: sconce-opt %s --torch-op-stats --cse --mlir-print-ir-before=torch-op-stats -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: IR Dump Before torch-op-stats
// ONE-NOT: IR Dump
func.func @f() { return }
