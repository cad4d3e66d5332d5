// A wrong option, a wrong value and a wrong place of a Rust pass are errors, not surprises.
// RUN: not sconce-opt %s --pass-pipeline='builtin.module(torch-op-stats{jsn=true})' 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: no such option jsn
// NAME: failed to add `torch-op-stats` with options `jsn=true`

// RUN: not sconce-opt %s --pass-pipeline='builtin.module(torch-op-stats{top=many})' 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: 'many' value invalid

// RUN: not sconce-opt %s --pass-pipeline='builtin.module(torch-op-stats{top=-1})' 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: torch-op-stats: option 'top' must not be negative

// RUN: not sconce-opt %s --pass-pipeline='builtin.module(torch-op-statz)' 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: 'torch-op-statz' does not refer to a registered pass or pass pipeline

func.func @f() { return }
