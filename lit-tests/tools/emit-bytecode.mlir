// Bytecode in and out, and the generic form, change nothing.
// RUN: sconce-opt %s --emit-bytecode | sconce-opt | FileCheck %s
// RUN: sconce-opt %s --mlir-print-op-generic | sconce-opt | FileCheck %s
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[A:.*]]: tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK: math.exp %[[A]] : tensor<?x4xf32>
func.func @f(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %b = math.exp %a : tensor<?x4xf32>
  return %b : tensor<?x4xf32>
}
