// Regions that a target compiles hold value tensors only, and nothing of what is around them but their arguments.
// RUN: sconce-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @good
func.func @good(%a: !torch.vtensor<[2],f32>, %n: !torch.int) -> !torch.vtensor<[2],f32> {
  // CHECK: %0:2 = sconce.region "r0"(%arg0, %arg1) : (!torch.vtensor<[2],f32>, !torch.int) -> (!torch.vtensor<[2],f32>, !torch.int) {
  // CHECK-NEXT: ^bb0(%arg2: !torch.vtensor<[2],f32>, %arg3: !torch.int):
  // CHECK: sconce.yield %{{.*}}, %arg3 : !torch.vtensor<[2],f32>, !torch.int
  // CHECK-NEXT: } {target = "cpu"}
  %0:2 = sconce.region "r0"(%a, %n) : (!torch.vtensor<[2],f32>, !torch.int) -> (!torch.vtensor<[2],f32>, !torch.int) {
  ^bb0(%x: !torch.vtensor<[2],f32>, %m: !torch.int):
    %1 = torch.aten.tanh %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    sconce.yield %1, %m : !torch.vtensor<[2],f32>, !torch.int
  } {target = "cpu"}
  // CHECK: sconce.call_kernel "r0"(%0#0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  %2 = sconce.call_kernel "r0"(%0#0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %2 : !torch.vtensor<[2],f32>
}

// -----

func.func @outside(%a: !torch.tensor) {
  // expected-error @+1 {{operand #0 must be variadic of a value tensor, a scalar or a device, but got '!torch.tensor'}}
  "sconce.region"(%a) <{name = "r"}> ({
  ^bb0(%x: !torch.tensor):
    "sconce.yield"() : () -> ()
  }) : (!torch.tensor) -> ()
  return
}

// -----

func.func @inside(%a: !torch.vtensor) {
  sconce.region "r"(%a) : (!torch.vtensor) -> () {
  ^bb0(%x: !torch.vtensor):
    // expected-error @+1 {{a 'sconce.region' holds value tensors only}}
    %0 = torch.copy.to_tensor %x : !torch.tensor
    sconce.yield
  }
  return
}

// -----

func.func @yields(%a: !torch.vtensor<[2],f32>) {
  %0 = sconce.region "r"(%a) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[3],f32> {
  ^bb0(%x: !torch.vtensor<[2],f32>):
    // expected-error @+1 {{must yield values of the types of the region's results}}
    sconce.yield %x : !torch.vtensor<[2],f32>
  }
  return
}

// -----

func.func @isolated(%a: !torch.vtensor) {
  // expected-note @+1 {{required by region isolation constraints}}
  sconce.region "r"() : () -> () {
    // expected-error @+1 {{using value defined outside the region}}
    %0 = torch.aten.tanh %a : !torch.vtensor -> !torch.vtensor
    sconce.yield
  }
  return
}
