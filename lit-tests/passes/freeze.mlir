// What nothing changes becomes constants of the methods; what is set, written to or shares memory with such stays, and so does what is asked for.
// RUN: sconce-opt %s --freeze | FileCheck %s
// RUN: sconce-opt %s --freeze=preserved=bump,scale | FileCheck %s --check-prefix=ASKED
// RUN: not sconce-opt %s --freeze=preserved=nothing 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: Unknown name: nothing

torch.class_type @m.Inner {
  torch.attr "weight" : !torch.tensor {torch.kind = "parameter"}
  torch.attr "p" : !torch.float
  torch.attr "training" : !torch.bool
  torch.method "forward", @m.Inner.forward
} {torch.class_kind = "module"}
// CHECK: torch.class_type @m.___torch_mangle_0.M {
// CHECK-NEXT: torch.attr "acc" : !torch.tensor
// CHECK-NEXT: torch.attr "view" : !torch.tensor
// CHECK-NEXT: torch.method "forward", @m.___torch_mangle_0.M.forward
// CHECK-NEXT: } {torch.class_kind = "module"}
// ASKED: torch.class_type @m.___torch_mangle_0.M {
// ASKED-NEXT: torch.attr "scale" : !torch.float
// ASKED-NEXT: torch.attr "count" : !torch.int
// ASKED-NEXT: torch.attr "acc" : !torch.tensor
// ASKED-NEXT: torch.attr "view" : !torch.tensor
// ASKED-NEXT: torch.method "forward", @m.___torch_mangle_0.M.forward
// ASKED-NEXT: torch.method "bump", @m.___torch_mangle_0.M.bump
torch.class_type @m.M {
  torch.attr "inner" : !torch.nn.Module<"m.Inner">
  torch.attr "scale" : !torch.float
  torch.attr "count" : !torch.int
  torch.attr "acc" : !torch.tensor {torch.kind = "buffer"}
  torch.attr "view" : !torch.tensor {torch.kind = "buffer"}
  torch.attr "training" : !torch.bool
  torch.method "forward", @m.M.forward
  torch.method "bump", @m.M.bump
} {torch.class_kind = "module"}
func.func private @m.Inner.forward(%self: !torch.nn.Module<"m.Inner">, %x: !torch.tensor) -> !torch.tensor {
  %w = torch.prim.GetAttr %self["weight"] : !torch.nn.Module<"m.Inner"> -> !torch.tensor
  %0 = torch.aten.mul.Tensor %x, %w : !torch.tensor, !torch.tensor -> !torch.tensor
  %p = torch.prim.GetAttr %self["p"] : !torch.nn.Module<"m.Inner"> -> !torch.float
  %training = torch.prim.GetAttr %self["training"] : !torch.nn.Module<"m.Inner"> -> !torch.bool
  %1 = torch.aten.dropout %0, %p, %training : !torch.tensor, !torch.float, !torch.bool -> !torch.tensor
  return %1 : !torch.tensor
}
// CHECK-LABEL: func.func private @m.___torch_mangle_0.M.forward(%arg0: !torch.nn.Module<"m.___torch_mangle_0.M">, %arg1: !torch.tensor)
// CHECK-DAG: %[[W:.*]] = torch.operator "sconce.named_constant"() {{.*}}self.inner.weight
// CHECK-DAG: %[[SCALE:.*]] = torch.constant.float 2.0
// CHECK-NOT: torch.aten.dropout
// CHECK: %[[A:.*]] = torch.aten.mul.Tensor %arg1, %[[W]]
// CHECK: %[[B:.*]] = torch.aten.mul.Scalar %[[A]], %[[SCALE]]
// CHECK: %[[ACC:.*]] = torch.prim.GetAttr %arg0["acc"]
// CHECK: torch.aten.add_.Tensor %[[ACC]]
// CHECK: %[[VIEW:.*]] = torch.prim.GetAttr %arg0["view"]
// CHECK: torch.aten.add.Tensor %[[B]], %[[VIEW]]
// ASKED-LABEL: func.func private @m.___torch_mangle_0.M.forward
// ASKED: torch.prim.GetAttr %arg0["scale"]
func.func private @m.M.forward(%self: !torch.nn.Module<"m.M">, %x: !torch.tensor) -> !torch.tensor {
  %inner = torch.prim.GetAttr %self["inner"] : !torch.nn.Module<"m.M"> -> !torch.nn.Module<"m.Inner">
  %0 = torch.prim.CallMethod %inner["forward"] (%x) : !torch.nn.Module<"m.Inner">, (!torch.tensor) -> !torch.tensor
  %scale = torch.prim.GetAttr %self["scale"] : !torch.nn.Module<"m.M"> -> !torch.float
  %1 = torch.aten.mul.Scalar %0, %scale : !torch.tensor, !torch.float -> !torch.tensor
  %one = torch.constant.int 1
  %acc = torch.prim.GetAttr %self["acc"] : !torch.nn.Module<"m.M"> -> !torch.tensor
  %2 = torch.aten.add_.Tensor %acc, %x, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
  %view = torch.prim.GetAttr %self["view"] : !torch.nn.Module<"m.M"> -> !torch.tensor
  %3 = torch.aten.add.Tensor %1, %view, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
  return %3 : !torch.tensor
}
func.func private @m.M.bump(%self: !torch.nn.Module<"m.M">) -> !torch.int {
  %one = torch.constant.int 1
  %count = torch.prim.GetAttr %self["count"] : !torch.nn.Module<"m.M"> -> !torch.int
  %0 = torch.aten.add.int %count, %one : !torch.int, !torch.int -> !torch.int
  torch.prim.SetAttr %self["count"] = %0 : !torch.nn.Module<"m.M">, !torch.int
  return %0 : !torch.int
}
%weight = torch.operator "sconce.named_constant"() {torch.attributes = [["name", "self.inner.weight"]]} : () -> !torch.tensor<[4096],f32>
%p = torch.constant.float 5.000000e-01
%false = torch.constant.bool false
%inner = torch.nn_module {
  torch.slot "weight", %weight : !torch.tensor<[4096],f32>
  torch.slot "p", %p : !torch.float
  torch.slot "training", %false : !torch.bool
} : !torch.nn.Module<"m.Inner">
%scale = torch.constant.float 2.000000e+00
%count = torch.constant.int 0
%acc = torch.tensor.literal(dense<0.0> : tensor<2xf32>) : !torch.tensor<[2],f32>
%view = torch.tensor.literal(dense<0.0> : tensor<1xf32>) : !torch.tensor<[1],f32>
// CHECK: torch.nn_module {
// CHECK-NEXT: torch.slot "acc", {{.*}} {torch.storage = 1 : i64}
// CHECK-NEXT: torch.slot "view", {{.*}} {torch.storage = 1 : i64}
// CHECK-NEXT: } : !torch.nn.Module<"m.___torch_mangle_0.M">
// CHECK-NOT: torch.nn_module
%m = torch.nn_module {
  torch.slot "inner", %inner : !torch.nn.Module<"m.Inner">
  torch.slot "scale", %scale : !torch.float
  torch.slot "count", %count : !torch.int
  torch.slot "acc", %acc {torch.storage = 1 : i64} : !torch.tensor<[2],f32>
  torch.slot "view", %view {torch.storage = 1 : i64} : !torch.tensor<[1],f32>
  torch.slot "training", %false : !torch.bool
} : !torch.nn.Module<"m.M">
