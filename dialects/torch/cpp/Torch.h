// The torch dialect's C++ face, for the shim's own files only.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"

namespace sconce::torch {

struct OpEntry;

/// `?` in a tensor's sizes.
constexpr int64_t kUnknownSize = -1;

/// Reads and writes a type as it stands inside a container: without `!torch.`. Null after an error.
mlir::Type parseInnerType(mlir::AsmParser &parser);
void printInnerType(mlir::AsmPrinter &printer, mlir::Type type);

/// Whether a torch type may appear as operand or result of an operator (element types may not).
bool isKernelType(mlir::Type type);

/// Whether a value of `sub` is a value of `super` without any change: what derefine does, what tuples allow for their elements.
bool isSubtype(mlir::Type sub, mlir::Type super);

/// Whether operations on `type` may read or write storage that others see.
bool isMutable(mlir::Type type);

/// Either kind of tensor.
bool isTensor(mlir::Type type);

} // namespace sconce::torch

#include "TorchDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "TorchTypes.h.inc"
#define GET_OP_CLASSES
#include "TorchOps.h.inc"
