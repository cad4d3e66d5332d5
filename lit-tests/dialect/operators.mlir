// Operators of the table: registered ones under their own name, the others as torch.operator; both are real operations with effects.
// RUN: sconce-opt %s | FileCheck %s
// RUN: sconce-opt %s --cse --canonicalize | FileCheck %s --check-prefix=OPT

// CHECK-LABEL: @forms
func.func @forms(%x: !torch.vtensor, %d: !torch.int, %k: !torch.bool, %s: !torch.str) {
  // CHECK: %values, %indices = torch.aten.max.dim %arg0, %arg1, %arg2 : !torch.vtensor, !torch.int, !torch.bool -> !torch.vtensor, !torch.vtensor
  %0:2 = torch.aten.max.dim %x, %d, %k : !torch.vtensor, !torch.int, !torch.bool -> !torch.vtensor, !torch.vtensor
  // CHECK: torch.aten.format(%arg3, %arg1) {a = 1 : i64} : !torch.str, !torch.int -> !torch.str
  %1 = torch.aten.format(%s, %d) {a = 1} : !torch.str, !torch.int -> !torch.str
  // CHECK: torch.aten.warn %arg3, %arg1 : !torch.str, !torch.int
  torch.aten.warn %s, %d : !torch.str, !torch.int
  // CHECK: torch.operator "aten.digamma"(%arg0) : (!torch.vtensor) -> !torch.vtensor
  %2 = torch.operator "aten.digamma"(%x) : (!torch.vtensor) -> !torch.vtensor
  // CHECK: %[[F:.*]]:2 = torch.operator "aten.frexp.Tensor"(%arg0) : (!torch.vtensor) -> (!torch.vtensor, !torch.vtensor)
  %f:2 = torch.operator "aten.frexp.Tensor"(%x) : (!torch.vtensor) -> (!torch.vtensor, !torch.vtensor)
  // CHECK: torch.operator "nobody.knows"(%arg0) {b} : (!torch.vtensor) -> (!torch.int, !torch.none)
  %3:2 = torch.operator "nobody.knows"(%x) {b} : (!torch.vtensor) -> (!torch.int, !torch.none)
  return
}

// Equal computations on value tensors are one; unused ones go.
// OPT-LABEL: @values
func.func @values(%x: !torch.vtensor) -> (!torch.vtensor, !torch.vtensor) {
  // OPT-NEXT: %0 = torch.aten.tanh
  // OPT-NEXT: %1 = torch.operator "aten.digamma"(%0)
  // OPT-NEXT: return %1, %1
  %0 = torch.aten.tanh %x : !torch.vtensor -> !torch.vtensor
  %1 = torch.aten.tanh %x : !torch.vtensor -> !torch.vtensor
  %2 = torch.aten.exp %x : !torch.vtensor -> !torch.vtensor
  %3 = torch.operator "aten.digamma"(%0) : (!torch.vtensor) -> !torch.vtensor
  %4 = torch.operator "aten.digamma"(%1) : (!torch.vtensor) -> !torch.vtensor
  return %3, %4 : !torch.vtensor, !torch.vtensor
}

// Tensors that can be written to: two results are two tensors, and a write between two reads keeps them apart.
// OPT-LABEL: @storage
func.func @storage(%x: !torch.tensor, %one: !torch.int) -> (!torch.tensor, !torch.tensor, !torch.tensor) {
  // OPT-COUNT-2: torch.aten.tanh
  // OPT: torch.aten.add_.Tensor
  // OPT: torch.aten.tanh
  %0 = torch.aten.tanh %x : !torch.tensor -> !torch.tensor
  %1 = torch.aten.tanh %x : !torch.tensor -> !torch.tensor
  %2 = torch.aten.add_.Tensor %x, %0, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
  %3 = torch.aten.tanh %x : !torch.tensor -> !torch.tensor
  return %0, %1, %3 : !torch.tensor, !torch.tensor, !torch.tensor
}

// Every draw is another.
// OPT-LABEL: @random
func.func @random(%x: !torch.vtensor, %g: !torch.none) -> (!torch.vtensor, !torch.vtensor) {
  // OPT-COUNT-2: torch.aten.bernoulli
  %0 = torch.aten.bernoulli %x, %g : !torch.vtensor, !torch.none -> !torch.vtensor
  %1 = torch.aten.bernoulli %x, %g : !torch.vtensor, !torch.none -> !torch.vtensor
  return %0, %1 : !torch.vtensor, !torch.vtensor
}
