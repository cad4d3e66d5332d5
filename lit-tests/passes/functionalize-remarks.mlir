// Why a write stays is a remark, unless nobody wants to know.
// RUN: sconce-opt %s --functionalize=remarks=1 -o /dev/null 2>&1 | FileCheck %s
// RUN: sconce-opt %s --functionalize=remarks=0 -o /dev/null 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty

// CHECK: remark: {{.+}}
// QUIET-NOT: remark
func.func @seen(%a: !torch.tensor<[2,3],f32>) -> !torch.tensor<[2,3],f32> {
  %0 = torch.aten.relu_ %a : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  return %0 : !torch.tensor<[2,3],f32>
}
