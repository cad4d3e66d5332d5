// The function that takes all arguments in an array of words calls the module's only one, which nobody else can; the runtime's threads call the parts of loops in the
// same way.
// RUN: sconce-opt %s --sconce-entry --split-input-file | FileCheck %s

// CHECK: llvm.func {{.*}}@f(
// CHECK: llvm.func @sconce_entry(%{{.*}}: !llvm.ptr
// CHECK: llvm.call @f(
llvm.func @f(%x: !llvm.ptr, %n: i64) {
  llvm.return
}

// -----

// CHECK: llvm.func internal @g(
// CHECK: %[[WORDS:.*]] = llvm.alloca
// CHECK: llvm.store %arg0, %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: %[[PART:.*]] = llvm.mlir.addressof @g_part0_by_words
// CHECK: llvm.call @sconce_parallel_for(%[[N:.*]], %{{.*}}, %[[PART]], %[[WORDS]])
// CHECK: llvm.func @sconce_parallel_for(i64, i64, !llvm.ptr, !llvm.ptr)
// CHECK: llvm.func internal @g_part0_by_words(%arg0: !llvm.ptr, %arg1: i64, %arg2: i64)
// CHECK: %[[X:.*]] = llvm.load
// CHECK: llvm.call @g_part0(%arg1, %arg2, %[[X]])
llvm.func @g_part0(%from: i64, %to: i64, %x: !llvm.ptr) attributes {sconce.grain = 100 : i64} {
  llvm.return
}
llvm.func @g(%x: !llvm.ptr, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  llvm.call @g_part0(%zero, %n, %x) : (i64, i64, !llvm.ptr) -> ()
  llvm.return
}
