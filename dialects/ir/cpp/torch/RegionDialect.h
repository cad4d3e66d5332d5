// The sconce dialect's C++ face, for the shim's own files only.
#pragma once

#include "Torch.h"

namespace sconce::region {
/// What may enter or leave a compiled region: value tensors and scalars, also None for an argument that is not there.
bool isRegionValue(mlir::Type type);
} // namespace sconce::region

#include "SconceDialect.h.inc"
#define GET_OP_CLASSES
#include "SconceOps.h.inc"
