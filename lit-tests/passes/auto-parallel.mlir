// Heavy products that need nothing of each other become tasks, all but the last; not where one writes, draws or prints between, nor what is too small.
// RUN: sconce-opt %s --auto-parallel=least-work=1000 | FileCheck %s
// RUN: sconce-opt %s --auto-parallel=least-work=100000000 | FileCheck %s --check-prefix=SMALL
// RUN: sconce-opt %s --auto-parallel=unknown-work=2000000 | FileCheck %s --check-prefix=UNKNOWN

!t = !torch.tensor<[64,64],f32>

// CHECK-LABEL: func.func @independent
// CHECK: %[[TASK:.*]] = torch.operator "prim.fork"(%arg0, %arg1) {torch.subgraph = @independent.fork_0}
// CHECK: %[[B:.*]] = torch.aten.mm %arg1, %arg0
// CHECK: %[[A:.*]] = torch.{{.*}}aten.wait{{.*}}%[[TASK]]
// CHECK: torch.aten.add.Tensor %[[A]], %[[B]]
// CHECK-LABEL: func.func private @independent.fork_0
// CHECK: torch.aten.mm
// CHECK: torch.aten.relu
// SMALL-NOT: prim.fork
func.func @independent(%a: !t, %b: !t) -> !t {
  %one = torch.constant.int 1
  %1 = torch.aten.mm %a, %b : !t, !t -> !t
  %2 = torch.aten.relu %1 : !t -> !t
  %3 = torch.aten.mm %b, %a : !t, !t -> !t
  %4 = torch.aten.add.Tensor %2, %3, %one : !t, !t, !torch.int -> !t
  return %4 : !t
}

// CHECK-LABEL: func.func @dependent
// CHECK-NOT: prim.fork
// CHECK: return
func.func @dependent(%a: !t, %b: !t) -> !t {
  %1 = torch.aten.mm %a, %b : !t, !t -> !t
  %2 = torch.aten.mm %1, %a : !t, !t -> !t
  return %2 : !t
}

// CHECK-LABEL: func.func @written
// CHECK-NOT: prim.fork
// CHECK: return
func.func @written(%a: !t, %b: !t) -> !torch.list<tensor> {
  %one = torch.constant.int 1
  %1 = torch.aten.mm %a, %b : !t, !t -> !t
  %w = torch.aten.add_.Scalar %a, %one, %one : !t, !torch.int, !torch.int -> !t
  %2 = torch.aten.mm %b, %b : !t, !t -> !t
  %3 = torch.prim.ListConstruct %1, %2 : (!t, !t) -> !torch.list<tensor>
  return %3 : !torch.list<tensor>
}

// CHECK-LABEL: func.func @printed
// CHECK-NOT: prim.fork
// CHECK: return
func.func @printed(%a: !t, %b: !t) -> !torch.list<tensor> {
  %text = torch.constant.str "between"
  %1 = torch.aten.mm %a, %b : !t, !t -> !t
  torch.prim.Print(%text) : !torch.str
  %2 = torch.aten.mm %b, %b : !t, !t -> !t
  %3 = torch.prim.ListConstruct %1, %2 : (!t, !t) -> !torch.list<tensor>
  return %3 : !torch.list<tensor>
}

// CHECK-LABEL: func.func @drawn
// CHECK-NOT: prim.fork
// CHECK: return
func.func @drawn(%a: !t, %b: !t) -> !torch.list<tensor> {
  %none = torch.constant.none
  %1 = torch.aten.mm %a, %b : !t, !t -> !t
  %r = torch.aten.rand_like %b, %none, %none, %none, %none, %none : !t, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none -> !t
  %2 = torch.aten.mm %r, %b : !t, !t -> !t
  %3 = torch.prim.ListConstruct %1, %2 : (!t, !t) -> !torch.list<tensor>
  return %3 : !torch.list<tensor>
}

// The gradient mode changes between them.
// CHECK-LABEL: func.func @modes
// CHECK-NOT: prim.fork
// CHECK: return
func.func @modes(%a: !t, %b: !t) -> !torch.list<tensor> {
  %off = torch.constant.bool false
  %1 = torch.aten.mm %a, %b : !t, !t -> !t
  torch.operator "aten.set_grad_enabled"(%off) : (!torch.bool) -> ()
  %2 = torch.aten.mm %b, %b : !t, !t -> !t
  %3 = torch.prim.ListConstruct %1, %2 : (!t, !t) -> !torch.list<tensor>
  return %3 : !torch.list<tensor>
}

// A task's operand is written behind its last use: it is waited for before.
// CHECK-LABEL: func.func @written_later
// CHECK: torch.operator "prim.fork"
// CHECK: torch.aten.mm %arg1, %arg1
// CHECK: aten.wait
// CHECK: torch.aten.add_.Scalar %arg0
func.func @written_later(%a: !t, %b: !t) -> !torch.list<tensor> {
  %one = torch.constant.int 1
  %1 = torch.aten.mm %a, %b : !t, !t -> !t
  %2 = torch.aten.mm %b, %b : !t, !t -> !t
  %w = torch.aten.add_.Scalar %a, %one, %one : !t, !torch.int, !torch.int -> !t
  %3 = torch.prim.ListConstruct %1, %2 : (!t, !t) -> !torch.list<tensor>
  return %3 : !torch.list<tensor>
}

// CHECK-LABEL: func.func @values
// CHECK: torch.operator "prim.fork"
// UNKNOWN-LABEL: func.func @values
// UNKNOWN: torch.operator "prim.fork"
func.func @values(%a: !torch.vtensor<[64,64],f32>, %b: !torch.vtensor<[64,64],f32>, %c: !torch.vtensor) -> (!torch.vtensor<[64,64],f32>, !torch.vtensor<[64,64],f32>, !torch.vtensor, !torch.vtensor) {
  %1 = torch.aten.mm %a, %b : !torch.vtensor<[64,64],f32>, !torch.vtensor<[64,64],f32> -> !torch.vtensor<[64,64],f32>
  %2 = torch.aten.mm %b, %a : !torch.vtensor<[64,64],f32>, !torch.vtensor<[64,64],f32> -> !torch.vtensor<[64,64],f32>
  %3 = torch.aten.mm %c, %c : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  %4 = torch.aten.mm %c, %c : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  return %1, %2, %3, %4 : !torch.vtensor<[64,64],f32>, !torch.vtensor<[64,64],f32>, !torch.vtensor, !torch.vtensor
}
