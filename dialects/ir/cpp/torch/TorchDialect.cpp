// The torch dialect: what it holds, and how folded values become constants.
#include "Inlining.h"
#include "KeepingModel.h"
#include "TableOp.h"
#include "Torch.h"

using namespace mlir;
using namespace sconce::torch;

#include "TorchDialect.cpp.inc"
void TorchDialect::initialize() {
  registerTypes();
  addInterfaces<sconce::InlinerInterface>();
  addKeepingOperations<
#define GET_OP_LIST
#include "TorchOps.cpp.inc"
      >(this);
  // Structural operations first: a row of the table that has the name of one gives way to it.
  forEachEntry([this](const OpEntry &entry) { addTableOp(entry); });
}

Operation *TorchDialect::materializeConstant(OpBuilder &b, Attribute value, Type type, Location loc) {
  if (isa<IntType>(type))
    if (auto i = dyn_cast<IntegerAttr>(value); i && i.getType().isSignlessInteger(64))
      return ConstantIntOp::create(b, loc, type, i);
  if (isa<sconce::torch::FloatType>(type))
    if (auto f = dyn_cast<FloatAttr>(value); f && f.getType().isF64())
      return ConstantFloatOp::create(b, loc, type, f);
  if (isa<BoolType>(type))
    if (auto i = dyn_cast<BoolAttr>(value))
      return ConstantBoolOp::create(b, loc, type, i);
  if (isa<NumberType>(type) && isa<IntegerAttr, FloatAttr>(value))
    return ConstantNumberOp::create(b, loc, type, value);
  if (isa<sconce::torch::NoneType>(type) && isa<UnitAttr>(value))
    return ConstantNoneOp::create(b, loc, type);
  if (auto s = dyn_cast<StringAttr>(value)) {
    if (isa<StringType>(type))
      return ConstantStrOp::create(b, loc, type, s);
    if (isa<DeviceType>(type))
      return ConstantDeviceOp::create(b, loc, type, s);
  }
  if (auto elements = dyn_cast<ElementsAttr>(value); elements && type == literalType(elements))
    return ValueTensorLiteralOp::create(b, loc, type, elements);
  return nullptr;
}

Shadow &Shadow::last() {
  static thread_local Shadow last;
  return last;
}

void Shadow::keep(Attribute written) {
  auto properties = dyn_cast<DictionaryAttr>(written);
  SmallVector<NamedAttribute> lost;
  for (NamedAttribute attribute : attributes)
    if (Attribute now = properties ? properties.get(attribute.getName()) : Attribute(); now && now != attribute.getValue())
      lost.push_back(attribute);
  if (!lost.empty())
    op->setDiscardableAttr("torch.shadowed", DictionaryAttr::get(op->getContext(), lost));
  op = nullptr;
}
