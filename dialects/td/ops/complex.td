//===- complex.td - The op table: complex numbers in tensors -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::angle(Tensor self) -> Tensor"> { let numerics = Close; let shape = "complex::angle"; let kernel = "complex::angle"; }
def : Op<"aten::angle.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::complex(Tensor real, Tensor imag) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "complex::complex"; let kernel = "complex::complex"; }
def : Op<"aten::complex.out(Tensor real, Tensor imag, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::polar(Tensor abs, Tensor angle) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "complex::complex"; let kernel = "complex::polar"; }
def : Op<"aten::polar.out(Tensor abs, Tensor angle, *, Tensor(a!) out) -> Tensor(a!)">;
