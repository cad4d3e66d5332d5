// Structural operations of the torch dialect: what operators cannot be, because it has regions, symbols, attributes or a form of its own.
#ifndef SCONCE_TORCH_OPS
#define SCONCE_TORCH_OPS

include "TorchTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CastInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TorchOp<string mnemonic, list<Trait> traits = []> : Op<Torch_Dialect, mnemonic, traits>;

#endif // SCONCE_TORCH_OPS
