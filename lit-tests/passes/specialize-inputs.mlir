// RUN: sconce-opt %s --specialize-inputs=types=2x?xf32,_ | FileCheck %s
// RUN: not sconce-opt %s --specialize-inputs=types=2xq 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: `q` is no dtype; expected a type such as 2x?xf32
// RUN: not sconce-opt %s --pass-pipeline='builtin.module(specialize-inputs{types=f32 function=g})' 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: there is no function @g

// CHECK: func.func @f(%{{.*}}: !torch.tensor<[2,?],f32>, %{{.*}}: !torch.int)
// CHECK: torch.aten.relu {{.*}} : !torch.tensor<[2,?],f32> -> !torch.tensor<[2,?],f32>
func.func @f(%a: !torch.tensor, %n: !torch.int) -> !torch.tensor {
  %0 = torch.aten.relu %a : !torch.tensor -> !torch.tensor
  return %0 : !torch.tensor
}
