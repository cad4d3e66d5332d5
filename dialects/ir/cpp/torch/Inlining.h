// What may be inlined: bodies of functions, into functions and into the blocks of control flow alike.
#pragma once

#include "mlir/Transforms/InliningUtils.h"

namespace sconce {

/// Every operation of the dialect may go where a call of its function stands: effects are said by each operation, none by its place.
struct InlinerInterface : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(mlir::Operation *, mlir::Operation *, bool) const final { return true; }
  bool isLegalToInline(mlir::Region *, mlir::Region *, bool, mlir::IRMapping &) const final { return true; }
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool, mlir::IRMapping &) const final { return true; }
};

} // namespace sconce
