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

//===-- torch_c --------------------------------------------------------------------------------------------------------------------===//

/// `tensor` must be exactly how `torch` looks to linalg: the same sizes, and signless integers.
static LogicalResult verifyCorresponds(Operation *op, sconce::torch::ValueTensorType torch, TensorType tensor) {
  Type element = torch.getDtype();
  if (auto integer = dyn_cast_or_null<IntegerType>(element))
    element = IntegerType::get(op->getContext(), integer.getWidth());
  bool fits = element == tensor.getElementType() && torch.getHasSizes() == tensor.hasRank();
  if (fits && torch.getHasSizes())
    fits = llvm::equal(torch.getSizes(), tensor.getShape(), [](int64_t a, int64_t b) {
      return a == b || (a == sconce::torch::kUnknownSize && ShapedType::isDynamic(b));
    });
  if (!fits)
    return op->emitError("operand and result must have the same size and dtype");
  return success();
}
LogicalResult sconce::torch_c::ToBuiltinTensorOp::verify() {
  return verifyCorresponds(*this, cast<torch::ValueTensorType>(getOperand().getType()), cast<TensorType>(getType()));
}
LogicalResult sconce::torch_c::FromBuiltinTensorOp::verify() {
  return verifyCorresponds(*this, cast<torch::ValueTensorType>(getType()), cast<TensorType>(getOperand().getType()));
}

void sconceRegisterDialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<sconce::torch::TorchDialect, sconce::torch_c::TorchConversionDialect, sconce::region::SconceDialect>();
}
