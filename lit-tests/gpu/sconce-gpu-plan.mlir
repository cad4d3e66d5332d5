// The launches of a host function become numbers: buffers by where they come from, with their offsets, sizes and strides.
// RUN: sconce-opt %s --sconce-gpu-plan=inputs=1 | FileCheck %s

// CHECK-NOT: func.func
// CHECK: gpu.module @f_kernel attributes {sconce.plan =
// CHECK-SAME: ["temporary", "24"]
// CHECK-SAME: ["launch", "k0 1 6 i0+0[6](1) t0+0[6](1)"]
// CHECK-SAME: ["launch", "k1 2 128 t0+0[6](1) o0+0[6](1) 7"]
// CHECK: gpu.func @k0
// CHECK: gpu.func @k1
// CHECK-NOT: gpu.module
module attributes {gpu.container_module} {
  func.func @f(%a: memref<6xf32>, %out: memref<6xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c128 = arith.constant 128 : index
    %t = memref.alloc() : memref<6xf32>
    gpu.launch_func @f_kernel::@first blocks in (%c1, %c1, %c1) threads in (%c6, %c1, %c1) args(%a : memref<6xf32>, %t : memref<6xf32>)
    gpu.launch_func @g_kernel::@second blocks in (%c2, %c1, %c1) threads in (%c128, %c1, %c1) args(%t : memref<6xf32>, %out : memref<6xf32>, %c7 : index)
    return
  }
  gpu.module @f_kernel {
    gpu.func @first(%a: memref<6xf32>, %b: memref<6xf32>) kernel {
      gpu.return
    }
  }
  gpu.module @g_kernel {
    gpu.func @second(%a: memref<6xf32>, %b: memref<6xf32>, %n: index) kernel {
      gpu.return
    }
  }
}
