// A module in training mode changes what it is; and there must be one object that is meant.
// RUN: not sconce-opt %s --split-input-file --freeze 2>&1 | FileCheck %s

// CHECK: Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module before freezing.
torch.class_type @M {
  torch.attr "training" : !torch.bool
} {torch.class_kind = "module"}
%true = torch.constant.bool true
%m = torch.nn_module {
  torch.slot "training", %true : !torch.bool
} : !torch.nn.Module<"M">

// -----

// CHECK: freezing takes the one object (torch.nn_module) that no other holds; there are 0
func.func @f(%x: !torch.tensor) -> !torch.tensor {
  return %x : !torch.tensor
}
