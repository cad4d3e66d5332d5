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
