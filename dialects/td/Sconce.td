// The `sconce` dialect: what the compiler says about torch programs that torch itself has no words for.
include "TorchTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Sconce_Dialect : Dialect {
  let name = "sconce";
  let summary = "compiled regions";
  let cppNamespace = "::sconce::region";
  let dependentDialects = ["::sconce::torch::TorchDialect"];
}
