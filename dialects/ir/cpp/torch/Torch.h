// The torch dialect's C++ face, for the shim's own files only.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
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

/// The other kind of tensor with the same parameters; the type itself when it is no tensor of the first kind.
mlir::Type toValueTensor(mlir::Type type);
mlir::Type toNonValueTensor(mlir::Type type);

/// The type of a value tensor with these contents: integers without a sign are signed, but for bool. Null when there is none.
mlir::Type literalType(mlir::ElementsAttr value);

/// Whether the form of its own that `op` would print in reads back as the same operation. If not it prints in the generic form. torch-mlir
/// prints text here that neither tool reads, or loses something.
bool printsReadably(mlir::Operation *op);

} // namespace sconce::torch

#include "TorchDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "TorchTypes.h.inc"

namespace sconce::torch {
/// A list of one of `Elements`.
template <typename... Elements> bool isListOf(mlir::Type type) {
  auto list = mlir::dyn_cast<ListType>(type);
  return list && mlir::isa<Elements...>(list.getContainedType());
}
} // namespace sconce::torch
#define GET_OP_CLASSES
#include "TorchOps.h.inc"
