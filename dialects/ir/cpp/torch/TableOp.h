// The operator model: every operator of the op table is one object of one class, TableOpModel.
#pragma once

#include "sconce/torch.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mlir {
class Operation;
class TypeRange;
} // namespace mlir

namespace sconce::torch {

/// One operator, copied from a SconceOpRow. Its address is its TypeID, so it never moves and is never freed.
struct alignas(16) OpEntry {
  std::string name;
  llvm::SmallVector<std::string, 6> operands, results;
  llvm::SmallVector<std::string, 0> resultNames;
  uint32_t flags, id;

  bool has(uint32_t flag) const { return flags & flag; }
};

/// The entry of an operation that comes from the table, else null.
const OpEntry *getEntry(mlir::Operation *op);

/// The entry registered under a dialect name (`torch.aten.add.Tensor`), else null.
const OpEntry *findEntry(llvm::StringRef name);

/// Calls `f` for every entry registered so far.
void forEachEntry(llvm::function_ref<void(const OpEntry &)> f);

/// Whether `types` fit `codes`, without a message.
bool fits(llvm::ArrayRef<std::string> codes, mlir::TypeRange types);

} // namespace sconce::torch
