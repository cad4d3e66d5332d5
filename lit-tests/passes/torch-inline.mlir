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

// expected-error @below {{torch-inline: a function calls itself}}
module {
  func.func @f(%x: !torch.tensor) -> !torch.tensor {
    %f = constant @f : (!torch.tensor) -> !torch.tensor
    // expected-error @below {{function 'f' is called recursively. Recursive calls are not supported}}
    %0 = call_indirect %f(%x) : (!torch.tensor) -> !torch.tensor
    return %0 : !torch.tensor
  }
}

// -----

// Tensors as values, a call in a branch, and operands that are passed on as something more general.
func.func private @scale(%x: !torch.vtensor, %n: !torch.optional<int>) -> !torch.vtensor {
  %none = torch.constant.none
  %is = torch.aten.__is__ %n, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %0 = torch.prim.If %is -> (!torch.vtensor) {
    torch.prim.If.yield %x : !torch.vtensor
  } else {
    %k = torch.prim.unchecked_cast %n : !torch.optional<int> -> !torch.int
    %1 = torch.aten.mul.Scalar %x, %k : !torch.vtensor, !torch.int -> !torch.vtensor
    torch.prim.If.yield %1 : !torch.vtensor
  }
  return %0 : !torch.vtensor
}
// CHECK-LABEL: func.func @values
// CHECK: torch.prim.If %arg1
// CHECK-NEXT: torch.aten.mul.Scalar %arg0
// CHECK-NOT: call
func.func @values(%x: !torch.vtensor, %b: !torch.bool) -> !torch.vtensor {
  %0 = torch.prim.If %b -> (!torch.vtensor) {
    %f = func.constant @scale : (!torch.vtensor, !torch.optional<int>) -> !torch.vtensor
    %two = torch.constant.int 2
    %o = torch.derefine %two : !torch.int to !torch.optional<int>
    %1 = func.call_indirect %f(%x, %o) : (!torch.vtensor, !torch.optional<int>) -> !torch.vtensor
    torch.prim.If.yield %1 : !torch.vtensor
  } else {
    torch.prim.If.yield %x : !torch.vtensor
  }
  return %0 : !torch.vtensor
}
