// A Rust pass with options runs inside a pipeline with upstream passes, sees what the one before left, and leaves the next its work.
// RUN: sconce-opt %s --pass-pipeline='builtin.module(torch-op-stats{json=true},canonicalize,cse,func.func(torch-op-stats{dialect=arith top=1}))' 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err

// REMARK: remark: {"arith.addi": 2, "arith.muli": 1, "func.func": 1, "func.return": 1}
// REMARK: pass-pipeline.mlir:[[# @LINE + 6]]:1: remark: 1 operations
// REMARK-NEXT: 1 arith.addi

// CHECK-LABEL: func.func @f
// CHECK-COUNT-1: arith.addi
// CHECK-NOT: arith.addi
func.func @f(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  %c = arith.addi %a, %a : i32
  %d = arith.muli %b, %c : i32
  return %d : i32
}

// As a flag of its own, too.
// RUN: sconce-opt %s --cse --torch-op-stats=json=true 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: {"arith.addi": 1, "arith.muli": 1,

// What runs can be printed, and read again.
// RUN: sconce-opt %s --pass-pipeline='builtin.module(torch-op-stats{top=3},cse)' --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: builtin.module(
// DUMP-NEXT: torch-op-stats{dialect= json=false top=3},
// DUMP-NEXT: cse
// DUMP-NEXT: )
