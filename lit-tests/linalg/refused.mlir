// What cannot be lowered says which operator and why.
// RUN: sconce-opt %s --split-input-file --convert-torch-to-linalg --verify-diagnostics

// expected-error @below {{@f: aten::squeeze: squeeze of unknown sizes: the rank of the result is not known}}
module {
  func.func @f(%x: !torch.vtensor<[?,6],f32>) -> !torch.vtensor<[6],f32> {
    %0 = torch.aten.squeeze %x : !torch.vtensor<[?,6],f32> -> !torch.vtensor<[6],f32>
    return %0 : !torch.vtensor<[6],f32>
  }
}

// -----

// A divisor that may be zero is an error of the program, which the interpreter raises.
// expected-error @below {{@g: aten::floor_divide: an integer division whose divisor may be 0 or -1 is left to the interpreter}}
module {
  func.func @g(%x: !torch.vtensor<[6],si64>, %y: !torch.vtensor<[6],si64>) -> !torch.vtensor<[6],si64> {
    %0 = torch.aten.floor_divide %x, %y : !torch.vtensor<[6],si64>, !torch.vtensor<[6],si64> -> !torch.vtensor<[6],si64>
    return %0 : !torch.vtensor<[6],si64>
  }
}
