// What a method reads of its module becomes arguments behind its own, each once; no `prim.GetAttr` is left.
// RUN: sconce-opt %s --lift-parameters=function=Net.forward | FileCheck %s

torch.class_type @Linear {
  torch.attr "weight" : !torch.tensor {torch.kind = "parameter"}
  torch.attr "bias" : !torch.optional<tensor>
  torch.method "forward", @Linear.forward
} {torch.class_kind = "module"}
torch.class_type @Net {
  torch.attr "fc" : !torch.nn.Module<"Linear">
  torch.attr "scale" : !torch.float
  torch.method "forward", @Net.forward
} {torch.class_kind = "module"}
func.func private @Linear.forward(%self: !torch.nn.Module<"Linear">, %x: !torch.tensor) -> !torch.tensor {
  %w = torch.prim.GetAttr %self["weight"] : !torch.nn.Module<"Linear"> -> !torch.tensor
  %b = torch.prim.GetAttr %self["bias"] : !torch.nn.Module<"Linear"> -> !torch.optional<tensor>
  %0 = torch.aten.linear %x, %w, %b : !torch.tensor, !torch.tensor, !torch.optional<tensor> -> !torch.tensor
  return %0 : !torch.tensor
}
// CHECK-LABEL: func.func private @Net.forward
// CHECK-SAME: (%arg0: !torch.tensor, %arg1: !torch.tensor, %arg2: !torch.optional<tensor>, %arg3: !torch.float)
// CHECK-NEXT: %[[A:.*]] = torch.aten.linear %arg0, %arg1, %arg2
// CHECK-NEXT: %[[B:.*]] = torch.aten.linear %[[A]], %arg1, %arg2
// CHECK-NEXT: torch.aten.mul.Scalar %[[B]], %arg3
// CHECK-NEXT: return
func.func private @Net.forward(%self: !torch.nn.Module<"Net">, %x: !torch.tensor) -> !torch.tensor {
  %fc = torch.prim.GetAttr %self["fc"] : !torch.nn.Module<"Net"> -> !torch.nn.Module<"Linear">
  %0 = torch.prim.CallMethod %fc["forward"] (%x) : !torch.nn.Module<"Linear">, (!torch.tensor) -> !torch.tensor
  %1 = torch.prim.CallMethod %fc["forward"] (%0) : !torch.nn.Module<"Linear">, (!torch.tensor) -> !torch.tensor
  %scale = torch.prim.GetAttr %self["scale"] : !torch.nn.Module<"Net"> -> !torch.float
  %2 = torch.aten.mul.Scalar %1, %scale : !torch.tensor, !torch.float -> !torch.tensor
  return %2 : !torch.tensor
}
