// The function that takes all arguments in an array of words calls the module's only one, which nobody else can.
// RUN: sconce-opt %s --sconce-entry | FileCheck %s

// CHECK: llvm.func {{.*}}@f(
// CHECK: llvm.func @sconce_entry(%{{.*}}: !llvm.ptr
// CHECK: llvm.call @f(
llvm.func @f(%x: !llvm.ptr, %n: i64) {
  llvm.return
}
