// The conversion dialect `torch_c`: casts between torch types and builtin ones.
include "TorchTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TorchConversion_Dialect : Dialect {
  let name = "torch_c";
  let summary = "casts between torch types and builtin types";
  let cppNamespace = "::sconce::torch_c";
  let dependentDialects = ["::sconce::torch::TorchDialect"];
}

class ConversionOp<string mnemonic, Type from, Type to> : Op<TorchConversion_Dialect, mnemonic, [Pure]> {
  let arguments = (ins from:$operand);
  let results = (outs to:$result);
  let assemblyFormat = "$operand attr-dict";
}
def BoolKind : Type<CPred<"::llvm::isa<::sconce::torch::BoolType>($_self)">, "Torch BoolType">, BuildableType<"::sconce::torch::BoolType::get($_builder.getContext())">;
def IntKind : Type<CPred<"::llvm::isa<::sconce::torch::IntType>($_self)">, "Torch IntType">, BuildableType<"::sconce::torch::IntType::get($_builder.getContext())">;
def FloatKind : Type<CPred<"::llvm::isa<::sconce::torch::FloatType>($_self)">, "Torch FloatType">, BuildableType<"::sconce::torch::FloatType::get($_builder.getContext())">;
def ValueTensorKind : Type<CPred<"::llvm::isa<::sconce::torch::ValueTensorType>($_self)">, "Multi-dimensional array modeling Torch's Tensor type">;

def ToI1Op : ConversionOp<"to_i1", BoolKind, I1>;
def FromI1Op : ConversionOp<"from_i1", I1, BoolKind>;
def ToI64Op : ConversionOp<"to_i64", IntKind, I64>;
def FromI64Op : ConversionOp<"from_i64", I64, IntKind>;
def ToF64Op : ConversionOp<"to_f64", FloatKind, F64>;
def FromF64Op : ConversionOp<"from_f64", F64, FloatKind>;
def ToBuiltinTensorOp : ConversionOp<"to_builtin_tensor", ValueTensorKind, AnyTensor> {
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}
def FromBuiltinTensorOp : ConversionOp<"from_builtin_tensor", AnyTensor, ValueTensorKind> {
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}
