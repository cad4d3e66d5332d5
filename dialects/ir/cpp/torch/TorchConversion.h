// The torch_c dialect's C++ face, for the shim's own files only.
#pragma once

#include "Torch.h"

#include "TorchConversionDialect.h.inc"
#define GET_OP_CLASSES
#include "TorchConversionOps.h.inc"
