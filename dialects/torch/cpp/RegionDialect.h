// The sconce dialect's C++ face, for the shim's own files only.
#pragma once

#include "Torch.h"

#include "SconceDialect.h.inc"
#define GET_OP_CLASSES
#include "SconceOps.h.inc"
