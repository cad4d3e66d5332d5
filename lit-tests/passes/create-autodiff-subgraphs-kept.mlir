// What properties forbid stays as it is: views that are seen outside are no results of a group, nothing moves past what is printed, and nothing is computed behind a write
// to what it reads. Values are grouped as tensors are.
// RUN: sconce-opt %s --create-autodiff-subgraphs | FileCheck %s
// RUN: sconce-opt %s --create-autodiff-subgraphs='threshold=3' | FileCheck %s --check-prefix=THREE

// CHECK-LABEL: func.func @view
// CHECK-NOT: DifferentiableGraph
// CHECK: return
func.func @view(%a: !torch.tensor) -> (!torch.tensor, !torch.tensor) {
  %x = torch.aten.t %a : !torch.tensor -> !torch.tensor
  %y = torch.aten.neg %x : !torch.tensor -> !torch.tensor
  return %x, %y : !torch.tensor, !torch.tensor
}

// CHECK-LABEL: func.func @printed
// CHECK: torch.aten.neg
// CHECK: prim.Print
// CHECK: torch.aten.neg
// CHECK-NOT: DifferentiableGraph
// CHECK: return
func.func @printed(%a: !torch.tensor) -> !torch.tensor {
  %x = torch.aten.neg %a : !torch.tensor -> !torch.tensor
  %text = torch.constant.str "seen"
  torch.prim.Print(%text) : !torch.str
  %y = torch.aten.neg %x : !torch.tensor -> !torch.tensor
  return %y : !torch.tensor
}

// CHECK-LABEL: func.func @written
// CHECK: torch.aten.relu %arg0
// CHECK: torch.aten.add_.Scalar
// CHECK: torch.aten.mul.Tensor
// CHECK-NOT: DifferentiableGraph
// CHECK: return
func.func @written(%a: !torch.tensor) -> !torch.tensor {
  %one = torch.constant.int 1
  %x = torch.aten.relu %a : !torch.tensor -> !torch.tensor
  %w = torch.aten.add_.Scalar %a, %one, %one : !torch.tensor, !torch.int, !torch.int -> !torch.tensor
  %y = torch.aten.mul.Tensor %x, %a : !torch.tensor, !torch.tensor -> !torch.tensor
  return %y : !torch.tensor
}

// CHECK-LABEL: func.func @values
// CHECK: torch.operator "prim.DifferentiableGraph"
// CHECK: return
// THREE-LABEL: func.func @values
// THREE-NOT: DifferentiableGraph
// THREE: return
func.func @values(%a: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %x = torch.aten.relu %a : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %y = torch.aten.tanh %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %y : !torch.vtensor<[2],f32>
}

// A cast that nobody needs any more stays behind what it is of.
// CHECK-LABEL: func.func @unneeded_cast
// CHECK: torch.aten.nonzero
// CHECK: torch.operator "prim.DifferentiableGraph"
// CHECK: return
func.func @unneeded_cast(%a: !torch.tensor<[2],f32>) -> (!torch.tensor, !torch.tensor) {
  %x = torch.aten.relu %a : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %c = torch.tensor_static_info_cast %x : !torch.tensor<[2],f32> to !torch.tensor
  %n = torch.aten.nonzero %a : !torch.tensor<[2],f32> -> !torch.tensor
  %y = torch.aten.tanh %x : !torch.tensor<[2],f32> -> !torch.tensor
  return %y, %n : !torch.tensor, !torch.tensor
}
