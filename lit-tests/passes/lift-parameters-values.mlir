// A method on tensors as values: what it reads of its module, in a branch too, is an argument; a module that is passed on cannot be lifted.
// RUN: sconce-opt %s --lift-parameters --split-input-file --verify-diagnostics | FileCheck %s

torch.class_type @"__torch__.Net" {
  torch.attr "weight" : !torch.tensor<[2],f32> {torch.kind = "parameter"}
  torch.method "forward", @"__torch__.Net.forward"
} {torch.class_kind = "module"}
// CHECK: torch.class_type @__torch__.Net
// CHECK-NOT: torch.method
// CHECK: func.func private @__torch__.Net.forward(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.bool, %arg2: !torch.tensor<[2],f32>)
// CHECK-SAME: torch.schema = "forward(Tensor x, bool b, Tensor weight) -> Tensor"
// CHECK: torch.copy.to_vtensor %arg2
// CHECK-NOT: GetAttr
func.func private @"__torch__.Net.forward"(%self: !torch.nn.Module<"__torch__.Net">, %x: !torch.vtensor<[2],f32>, %b: !torch.bool) -> !torch.vtensor<[2],f32>
    attributes {torch.schema = "forward(__torch__.Net self, Tensor x, bool b) -> Tensor"} {
  %0 = torch.prim.If %b -> (!torch.vtensor<[2],f32>) {
    %w = torch.prim.GetAttr %self["weight"] : !torch.nn.Module<"__torch__.Net"> -> !torch.tensor<[2],f32>
    %v = torch.copy.to_vtensor %w : !torch.vtensor<[2],f32>
    %1 = torch.aten.mul.Tensor %x, %v : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    torch.prim.If.yield %1 : !torch.vtensor<[2],f32>
  } else {
    torch.prim.If.yield %x : !torch.vtensor<[2],f32>
  }
  return %0 : !torch.vtensor<[2],f32>
}

// -----

// expected-error @below {{the module is used for more than to read its attributes: a result}}
module {
  torch.class_type @Me {
    torch.method "me", @Me.me
  } {torch.class_kind = "module"}
  func.func private @Me.me(%self: !torch.nn.Module<"Me">) -> !torch.nn.Module<"Me"> {
    return %self : !torch.nn.Module<"Me">
  }
}
