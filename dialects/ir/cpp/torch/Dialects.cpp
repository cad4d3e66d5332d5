// The two small dialects, and the registration of all three.
#include "Inlining.h"
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
  addInterfaces<InlinerInterface>();
  addOperations<
#define GET_OP_LIST
#include "TorchConversionOps.cpp.inc"
      >();
}

void sconce::region::SconceDialect::initialize() {
  addInterfaces<InlinerInterface>();
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

//===-- sconce ----------------------------------------------------------------------------------------------------------------------===//

bool sconce::region::isRegionValue(Type type) {
  return isa<torch::ValueTensorType, torch::IntType, torch::FloatType, torch::BoolType, torch::NumberType, torch::ComplexType,
             torch::NoneType, torch::DeviceType>(type);
}

LogicalResult sconce::region::RegionOp::verifyRegions() {
  Block &block = getBody().front();
  if (!llvm::equal(block.getArgumentTypes(), getInputs().getTypes()))
    return emitOpError() << "must have a block with arguments of the types of its operands";
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError() << "must end with 'sconce.yield'";
  if (!llvm::equal(yield.getValues().getTypes(), getOutputs().getTypes()))
    return yield.emitOpError() << "must yield values of the types of the region's results";
  WalkResult walk = getBody().walk([](Operation *op) {
    for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
      if (isa<torch::NonValueTensorType>(type)) {
        op->emitOpError() << "works on " << type << ", but a 'sconce.region' holds value tensors only";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

void sconceRegisterDialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<sconce::torch::TorchDialect, sconce::torch_c::TorchConversionDialect, sconce::region::SconceDialect>();
}
