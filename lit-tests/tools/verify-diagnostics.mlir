// RUN: sconce-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: i32) -> i64 {
  // expected-error @+1 {{type of return operand 0 ('i32') doesn't match function result type ('i64')}}
  return %x : i32
}

// -----

// expected-error @+1 {{custom op 'nonsense' is unknown}}
nonsense

// -----

// A diagnostic that does not come is an error.
// RUN: not sconce-opt %s --split-input-file 2>&1 | FileCheck %s
// CHECK: error: type of return operand 0
