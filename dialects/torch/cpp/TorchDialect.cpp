// The torch dialect: what it holds, and how folded values become constants.
#include "Torch.h"
#include "TableOp.h"

using namespace mlir;
using namespace sconce::torch;

#include "TorchDialect.cpp.inc"
#define GET_OP_CLASSES
#include "TorchOps.cpp.inc"

void TorchDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "TorchOps.cpp.inc"
      >();
  // Structural operations first: a row of the table that has the name of one gives way to it.
  forEachEntry([this](const OpEntry &entry) { addTableOp(entry); });
}

Operation *TorchDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) { return nullptr; }
