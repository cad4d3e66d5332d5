// Constants: their forms, the names of their results, and what folding makes of equal ones.
// RUN: sconce-opt %s | FileCheck %s
// RUN: sconce-opt %s --mlir-print-op-generic | sconce-opt | FileCheck %s
// RUN: sconce-opt %s --cse | FileCheck %s --check-prefix=CSE

// CHECK-LABEL: @numbers
func.func @numbers() {
  // CHECK: %int-7 = torch.constant.int -7
  %0 = torch.constant.int -7
  // CHECK: %int255 = torch.constant.int 255
  %1 = torch.constant.int 0xFF
  // CHECK: %float1.500000e00 = torch.constant.float 1.500000e+00
  %2 = torch.constant.float 1.5
  // CHECK: %float-Inf = torch.constant.float 0xFFF0000000000000
  %3 = torch.constant.float 0xFFF0000000000000
  // CHECK: %floatNaN = torch.constant.float 0x7FF8000000000123
  %4 = torch.constant.float 0x7FF8000000000123
  // CHECK: "torch.constant.number"() <{value = 2.500000e+00 : f64}> : () -> !torch.number
  %5 = "torch.constant.number"() <{value = 2.5 : f64}> : () -> !torch.number
  return
}

// CHECK-LABEL: @others
func.func @others() {
  // CHECK: %true = torch.constant.bool true
  // CHECK-NEXT: %none = torch.constant.none {why = "because"}
  // CHECK-NEXT: %str = torch.constant.str "a\0A\22\00"
  // CHECK-NEXT: %cuda3A1 = torch.constant.device "cuda:1"
  %0 = torch.constant.bool true
  %1 = torch.constant.none {why = "because"}
  %2 = torch.constant.str "a\n\"\00"
  %3 = torch.constant.device "cuda:1"
  // CHECK-NEXT: torch.vtensor.literal(dense<[1, 2]> : tensor<2xi64>) : !torch.vtensor<[2],si64>
  %4 = torch.vtensor.literal(dense<[1, 2]> : tensor<2xi64>) : !torch.vtensor<[2],si64>
  // CHECK-NEXT: torch.tensor.literal(dense<1.000000e+00> : tensor<2xf32>) : !torch.tensor<[?],unk>
  %5 = torch.tensor.literal(dense<1.0> : tensor<2xf32>) : !torch.tensor<[?],unk>
  return
}

// Equal constants are one; equal tensors that can be written to are two.
// CSE-LABEL: @equal
func.func @equal() -> (!torch.int, !torch.int, !torch.tensor, !torch.tensor) {
  // CSE-COUNT-1: torch.constant.int 3
  // CSE-COUNT-2: torch.tensor.literal
  %0 = torch.constant.int 3
  %1 = torch.constant.int 3
  %2 = torch.tensor.literal(dense<1.0> : tensor<2xf32>) : !torch.tensor
  %3 = torch.tensor.literal(dense<1.0> : tensor<2xf32>) : !torch.tensor
  // CSE: return %int3, %int3, %0, %1
  return %0, %1, %2, %3 : !torch.int, !torch.int, !torch.tensor, !torch.tensor
}
