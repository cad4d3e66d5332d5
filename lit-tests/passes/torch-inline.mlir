// Calls of functions and methods become bodies; a call through an interface stays, recursion is refused where the call stands.
// RUN: sconce-opt %s --torch-inline --split-input-file --verify-diagnostics | FileCheck %s

torch.class_type @Unary {
} {torch.class_kind = "module_interface", torch.methods = ["forward(Unary self, Tensor x) -> Tensor"]}
torch.class_type @Twice {
  torch.attr "act" : !torch.nn.Module<"Unary">
  torch.method "forward", @Twice.forward
} {torch.class_kind = "module"}
func.func private @helper(%x: !torch.optional<tensor>) -> !torch.tensor {
  %0 = torch.prim.unchecked_cast %x : !torch.optional<tensor> -> !torch.tensor
  %1 = torch.aten.relu %0 : !torch.tensor -> !torch.tensor
  return %1 : !torch.tensor
}
func.func private @Twice.forward(%self: !torch.nn.Module<"Twice">, %x: !torch.tensor) -> !torch.tensor {
  %f = constant @helper : (!torch.optional<tensor>) -> !torch.tensor
  %o = torch.derefine %x : !torch.tensor to !torch.optional<tensor>
  %0 = call_indirect %f(%o) : (!torch.optional<tensor>) -> !torch.tensor
  %act = torch.prim.GetAttr %self["act"] : !torch.nn.Module<"Twice"> -> !torch.nn.Module<"Unary">
  %1 = torch.prim.CallMethod %act["forward"] (%0) : !torch.nn.Module<"Unary">, (!torch.tensor) -> !torch.tensor
  return %1 : !torch.tensor
}
// CHECK-LABEL: func.func @main
// CHECK-NEXT: torch.aten.relu
// CHECK-NEXT: torch.prim.GetAttr %arg0["act"]
// CHECK-NEXT: torch.prim.CallMethod
// CHECK-NEXT: return
func.func @main(%m: !torch.nn.Module<"Twice">, %x: !torch.tensor) -> !torch.tensor {
  %0 = torch.prim.CallMethod %m["forward"] (%x) : !torch.nn.Module<"Twice">, (!torch.tensor) -> !torch.tensor
  return %0 : !torch.tensor
}

// -----

// expected-error @below {{function 'f' is called recursively. Recursive calls are not supported}}
module {
  func.func @f(%x: !torch.tensor) -> !torch.tensor {
    %f = constant @f : (!torch.tensor) -> !torch.tensor
    %0 = call_indirect %f(%x) : (!torch.tensor) -> !torch.tensor
    return %0 : !torch.tensor
  }
}
