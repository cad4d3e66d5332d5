// RUN: sconce-opt --show-dialects | FileCheck %s
// CHECK: Registered dialects:
// CHECK-SAME: arith
// CHECK-SAME: builtin
// CHECK-SAME: gpu
// CHECK-SAME: linalg
// CHECK-SAME: llvm
// CHECK-SAME: nvvm
// CHECK-SAME: sconce
// CHECK-SAME: torch
// CHECK-SAME: transform
