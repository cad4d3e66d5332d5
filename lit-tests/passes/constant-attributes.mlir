// A tensor that a method reads of its object, that is offered and that nothing writes to, is a constant known by its name.
// RUN: sconce-opt %s --constant-attributes | FileCheck %s

torch.class_type @__torch__.M {
  torch.attr "weight" : !torch.tensor
  torch.attr "mean" : !torch.tensor
  torch.attr "tied" : !torch.tensor
  torch.attr "inner" : !torch.nn.Module<"__torch__.M">
}

// A write to one does not keep the others from being constants, but those that share its memory.
// CHECK-LABEL: func.func @reads
// CHECK: %[[W:.*]] = torch.operator "sconce.named_constant"() {torch.attributes = {{.*}}"self.inner.weight"
// CHECK: torch.prim.GetAttr %arg0["mean"]
// CHECK: torch.prim.GetAttr %arg0["tied"]
// CHECK: torch.prim.GetAttr %arg0["weight"]
// CHECK: torch.aten.add_.Tensor
// CHECK: torch.aten.mul.Tensor %arg1, %[[W]]
func.func @reads(%self: !torch.nn.Module<"__torch__.M">, %x: !torch.tensor) -> !torch.tensor
    attributes {sconce.offered_constants = {inner.weight = 0, mean = 1, tied = 1}} {
  %one = torch.constant.int 1
  %inner = torch.prim.GetAttr %self["inner"] : !torch.nn.Module<"__torch__.M"> -> !torch.nn.Module<"__torch__.M">
  %w = torch.prim.GetAttr %inner["weight"] : !torch.nn.Module<"__torch__.M"> -> !torch.tensor
  %m = torch.prim.GetAttr %self["mean"] : !torch.nn.Module<"__torch__.M"> -> !torch.tensor
  %t = torch.prim.GetAttr %self["tied"] : !torch.nn.Module<"__torch__.M"> -> !torch.tensor
  // It is not offered.
  %v = torch.prim.GetAttr %self["weight"] : !torch.nn.Module<"__torch__.M"> -> !torch.tensor
  %0 = torch.aten.add_.Tensor %m, %t, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
  %1 = torch.aten.mul.Tensor %x, %w : !torch.tensor, !torch.tensor -> !torch.tensor
  %2 = torch.aten.mul.Tensor %1, %v : !torch.tensor, !torch.tensor -> !torch.tensor
  %3 = torch.aten.mul.Tensor %2, %t : !torch.tensor, !torch.tensor -> !torch.tensor
  return %3 : !torch.tensor
}

// An argument that is written to may be the attribute.
// CHECK-LABEL: func.func @writes
// CHECK-NOT: sconce.named_constant
func.func @writes(%self: !torch.nn.Module<"__torch__.M">, %x: !torch.tensor) -> !torch.tensor
    attributes {sconce.offered_constants = {weight = 0}} {
  %w = torch.prim.GetAttr %self["weight"] : !torch.nn.Module<"__torch__.M"> -> !torch.tensor
  %0 = torch.aten.relu_ %x : !torch.tensor -> !torch.tensor
  %1 = torch.aten.mul.Tensor %0, %w : !torch.tensor, !torch.tensor -> !torch.tensor
  return %1 : !torch.tensor
}
