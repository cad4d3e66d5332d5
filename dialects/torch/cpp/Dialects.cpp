// The two small dialects, and the registration of all three.
#include "RegionDialect.h"
#include "Torch.h"
#include "TorchConversion.h"
#include "sconce/torch.h"

#include "mlir/CAPI/IR.h"

using namespace mlir;

#include "SconceDialect.cpp.inc"
#include "TorchConversionDialect.cpp.inc"
#define GET_OP_CLASSES
#include "TorchConversionOps.cpp.inc"
#define GET_OP_CLASSES
#include "SconceOps.cpp.inc"

void sconce::torch_c::TorchConversionDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "TorchConversionOps.cpp.inc"
      >();
}

void sconce::region::SconceDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "SconceOps.cpp.inc"
      >();
}

void sconceRegisterDialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<sconce::torch::TorchDialect, sconce::torch_c::TorchConversionDialect, sconce::region::SconceDialect>();
}
