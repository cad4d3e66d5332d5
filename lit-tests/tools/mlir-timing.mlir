// RUN: sconce-opt %s --torch-op-stats --canonicalize --mlir-timing -o /dev/null 2>&1 | FileCheck %s
// CHECK: Execution time report
// CHECK: Parser
// CHECK: torch-op-stats
// CHECK: Canonicalizer
// CHECK: Total
func.func @f() { return }
