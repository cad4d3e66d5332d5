// Upstream passes and ours, with their options, are one list.
// RUN: sconce-opt --list-passes | FileCheck %s
// CHECK-DAG: --canonicalize
// CHECK-DAG: --one-shot-bufferize
// CHECK-DAG: --torch-op-stats
// CHECK-DAG: --sconce-math-polynomial-approximation

// RUN: sconce-opt --help | FileCheck %s --check-prefix=HELP
// HELP: Available dialects: {{.*}}arith{{.*}}torch
// HELP: --torch-op-stats {{.*}}Emit a remark that says how often each operation occurs
// HELP-NEXT: --dialect=<string>
// HELP-NEXT: --json
// HELP-NEXT: --top=<
