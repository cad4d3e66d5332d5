// Products that share a factor are one, on tensors and on values; what needs one of them comes behind the batch. Nothing is batched across a print.
// RUN: sconce-opt %s --batch-mm | FileCheck %s
// RUN: sconce-opt %s --batch-mm=least-shared=9 | FileCheck %s --check-prefix=FEWER

// CHECK-LABEL: func.func @values
// CHECK: %[[B:.*]]:8 = torch.operator "prim.MMBatchSide"(%arg8, %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) {torch.attributes = {{\[}}["side", 1]]}
// CHECK: %[[H:.*]] = torch.aten.tanh %[[B]]#0
// CHECK: torch.aten.mm %[[H]], %arg8
// FEWER-NOT: MMBatchSide
func.func @values(%x0: !torch.vtensor<[2,2],f32>, %x1: !torch.vtensor<[2,2],f32>, %x2: !torch.vtensor<[2,2],f32>, %x3: !torch.vtensor<[2,2],f32>, %x4: !torch.vtensor<[2,2],f32>, %x5: !torch.vtensor<[2,2],f32>, %x6: !torch.vtensor<[2,2],f32>, %x7: !torch.vtensor<[2,2],f32>, %w: !torch.vtensor<[2,2],f32>) -> !torch.vtensor<[2,2],f32> {
  %h0 = torch.aten.mm %x0, %w : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %t0 = torch.aten.tanh %h0 : !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %s0 = torch.aten.mm %t0, %w : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %h1 = torch.aten.mm %x1, %w : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %s1 = torch.aten.mul.Tensor %s0, %h1 : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %h2 = torch.aten.mm %x2, %w : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %s2 = torch.aten.mul.Tensor %s1, %h2 : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %h3 = torch.aten.mm %x3, %w : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %s3 = torch.aten.mul.Tensor %s2, %h3 : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %h4 = torch.aten.mm %x4, %w : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %s4 = torch.aten.mul.Tensor %s3, %h4 : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %h5 = torch.aten.mm %x5, %w : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %s5 = torch.aten.mul.Tensor %s4, %h5 : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %h6 = torch.aten.mm %x6, %w : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %s6 = torch.aten.mul.Tensor %s5, %h6 : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %h7 = torch.aten.mm %x7, %w : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %s7 = torch.aten.mul.Tensor %s6, %h7 : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  return %s7 : !torch.vtensor<[2,2],f32>
}

// CHECK-LABEL: func.func @printed
// CHECK-NOT: MMBatchSide
func.func @printed(%x0: !torch.tensor, %x1: !torch.tensor, %x2: !torch.tensor, %x3: !torch.tensor, %x4: !torch.tensor, %x5: !torch.tensor, %x6: !torch.tensor, %x7: !torch.tensor, %w: !torch.tensor) -> !torch.list<tensor> {
  %text = torch.constant.str "between"
  %h0 = torch.aten.mm %x0, %w : !torch.tensor, !torch.tensor -> !torch.tensor
  %h1 = torch.aten.mm %x1, %w : !torch.tensor, !torch.tensor -> !torch.tensor
  %h2 = torch.aten.mm %x2, %w : !torch.tensor, !torch.tensor -> !torch.tensor
  %h3 = torch.aten.mm %x3, %w : !torch.tensor, !torch.tensor -> !torch.tensor
  %h4 = torch.aten.mm %x4, %w : !torch.tensor, !torch.tensor -> !torch.tensor
  torch.prim.Print(%text) : !torch.str
  %h5 = torch.aten.mm %x5, %w : !torch.tensor, !torch.tensor -> !torch.tensor
  %h6 = torch.aten.mm %x6, %w : !torch.tensor, !torch.tensor -> !torch.tensor
  %h7 = torch.aten.mm %x7, %w : !torch.tensor, !torch.tensor -> !torch.tensor
  %l = torch.prim.ListConstruct %h0, %h1, %h2, %h3, %h4, %h5, %h6, %h7 : (!torch.tensor, !torch.tensor, !torch.tensor, !torch.tensor, !torch.tensor, !torch.tensor, !torch.tensor, !torch.tensor) -> !torch.list<tensor>
  return %l : !torch.list<tensor>
}
