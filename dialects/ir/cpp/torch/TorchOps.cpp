// Text, verification and folding of the structural operations.
#include "TableOp.h"
#include "Torch.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace sconce::torch;

// The names of `custom<…>` directives.
static ParseResult parseClassBody(OpAsmParser &parser, Region &region);
static void printClassBody(OpAsmPrinter &p, Operation *op, Region &region);
static ParseResult parseObjectBody(OpAsmParser &parser, Region &region);
static void printObjectBody(OpAsmPrinter &p, Operation *op, Region &region);
static ParseResult parseSlotInitializers(OpAsmParser &parser, ArrayAttr &names,
                                         SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values, SmallVectorImpl<Type> &types);
static void printSlotInitializers(OpAsmPrinter &p, Operation *op, ArrayAttr names, OperandRange values, TypeRange types);
static ParseResult parseAffineMap(OpAsmParser &parser, AffineMapAttr &map);
static void printAffineMap(OpAsmPrinter &p, Operation *op, AffineMapAttr map);

#define GET_OP_CLASSES
#include "TorchOps.cpp.inc"

bool sconce::torch::printsReadably(Operation *op) {
  // torch-mlir prints `… :  -> t` or `… : ` where a list of types must not be empty.
  return TypeSwitch<Operation *, bool>(op)
      .Case<PrimTupleConstructOp, PrimPrintOp, OperatorTerminatorOp>([](auto o) { return o->getNumOperands() > 0; })
      .Case<PrimTupleUnpackOp, PrimListUnpackOp, ShapeCalculateOp, DtypeCalculateOp>([](auto o) { return o->getNumResults() > 0; })
      .Case<PrimDictConstructOp>([](auto o) { return o->getNumOperands() % 2 == 0; })
      .Default([](Operation *) { return true; });
}

//===-- Constants -----------------------------------------------------------------------------------------------------------------===//

OpFoldResult ConstantIntOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantFloatOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantBoolOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantStrOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantDeviceOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantNoneOp::fold(FoldAdaptor) { return UnitAttr::get(getContext()); }
OpFoldResult ConstantNumberOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ValueTensorLiteralOp::fold(FoldAdaptor) { return getValueAttr(); }

void ConstantIntOp::getAsmResultNames(OpAsmSetValueNameFn set) { set(getResult(), "int" + std::to_string(getValueAttr().getInt())); }

/// `1.000000e00`: six digits, without the plus sign that names cannot hold.
void ConstantFloatOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  APFloat value = getValueAttr().getValue();
  if (value.isNaN())
    return set(getResult(), "floatNaN");
  if (value.isInfinity())
    return set(getResult(), value.isNegative() ? "float-Inf" : "floatInf");
  SmallString<16> digits;
  value.toString(digits, /*FormatPrecision=*/6, /*FormatMaxPadding=*/0, /*TruncateZero=*/false);
  std::string name = "float";
  for (char c : digits)
    if (c != '+')
      name += c == 'E' ? 'e' : c;
  set(getResult(), name);
}

void ConstantBoolOp::getAsmResultNames(OpAsmSetValueNameFn set) { set(getResult(), getValue() ? "true" : "false"); }
void ConstantStrOp::getAsmResultNames(OpAsmSetValueNameFn set) { set(getResult(), "str"); }
void ConstantDeviceOp::getAsmResultNames(OpAsmSetValueNameFn set) { set(getResult(), getValue()); }
void ConstantNoneOp::getAsmResultNames(OpAsmSetValueNameFn set) { set(getResult(), "none"); }
void HigherOrderFlexAttentionOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getOutput(), "output");
  set(getLogsumexp(), "logsumexp");
  set(getMaxScores(), "max_scores");
}

LogicalResult ValueTensorLiteralOp::verify() {
  Type inferred = literalType(getValue());
  if (!inferred)
    return emitOpError() << "has a value of type " << getValue().getType() << ", which is no type of a tensor";
  if (inferred != getType())
    return emitOpError() << "inferred type(s) " << inferred << " are incompatible with return type(s) of operation " << getType();
  return success();
}

LogicalResult NonValueTensorLiteralOp::verify() {
  ShapedType value = getValue().getShapedType();
  if (!literalType(getValue()))
    return emitOpError() << "has a value of type " << getValue().getType() << ", which is no type of a tensor";
  // The type may say less than is known, dimension by dimension. Unlike for value tensors, i64 is not si64: so it is in torch-mlir.
  auto stated = cast<NonValueTensorType>(getType());
  bool fits = !stated.getDtype() || stated.getDtype() == value.getElementType();
  if (stated.getHasSizes())
    fits &= llvm::equal(value.getShape(), stated.getSizes(), [](int64_t a, int64_t b) { return a == b || b == kUnknownSize; });
  if (!fits)
    return emitOpError() << "value of type " << getValue().getType() << " is incompatible with return type(s) of operation " << getType();
  return success();
}

//===-- Classes and objects -------------------------------------------------------------------------------------------------------===//

/// A terminator that is not written gets no location, so that one with a location is known to have been written, and is printed again:
/// torch-mlir loses it. A location in the file of its parent is the reader's own.
template <typename Parent> static ParseResult parseBody(OpAsmParser &parser, Region &region) {
  if (parser.parseRegion(region, {}))
    return failure();
  Parent::ensureTerminator(region, parser.getBuilder(), UnknownLoc::get(parser.getContext()));
  return success();
}
static bool isWorthPrinting(Operation *terminator) {
  if (!terminator->getAttrs().empty())
    return true;
  Location loc = terminator->getLoc();
  if (auto place = dyn_cast<FileLineColRange>(loc)) {
    auto parent = terminator->getParentOp()->getLoc()->findInstanceOf<FileLineColRange>();
    return !parent || parent.getFilename() != place.getFilename();
  }
  return !isa<UnknownLoc>(loc);
}
static void printBody(OpAsmPrinter &p, Region &region) {
  bool terminator = !region.empty() && !region.front().empty() && isWorthPrinting(&region.front().back());
  p.printRegion(region, /*printEntryBlockArgs=*/false, terminator);
}
static ParseResult parseClassBody(OpAsmParser &parser, Region &region) { return parseBody<ClassTypeOp>(parser, region); }
static void printClassBody(OpAsmPrinter &p, Operation *, Region &region) { printBody(p, region); }
static ParseResult parseObjectBody(OpAsmParser &parser, Region &region) { return parseBody<NnModuleOp>(parser, region); }
static void printObjectBody(OpAsmPrinter &p, Operation *, Region &region) { printBody(p, region); }

LogicalResult ClassTypeOp::verify() {
  llvm::StringSet<> names;
  for (Operation &op : getBody().front()) {
    auto name = TypeSwitch<Operation *, StringRef>(&op)
                    .Case<AttrOp, MethodOp>([](auto o) { return o.getName(); })
                    .Default([](Operation *) { return StringRef(); });
    if (isa<ClassTypeTerminatorOp>(op))
      continue;
    if (!isa<AttrOp, MethodOp>(op))
      return op.emitOpError() << "is not allowed inside `torch.class_type`";
    if (!names.insert(name).second)
      return emitOpError() << "has duplicate attr/method with name '" << name << "'";
  }
  return success();
}

LogicalResult MethodOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getFunctionAttr());
  if (!function)
    return emitError() << "'@" << getFunction() << "' does not reference a valid function";
  if (function.getVisibility() != SymbolTable::Visibility::Private)
    return emitError() << "'@" << getFunction() << "' must reference a private function";
  if (function.isDeclaration())
    return emitError() << "'@" << getFunction() << "' must reference a function that is defined (not merely declared)";
  auto self = NnModuleType::get(getContext(), cast<ClassTypeOp>((*this)->getParentOp()).getSymName());
  if (function.getNumArguments() == 0 || function.getArgument(0).getType() != self)
    return emitError() << "the referenced function '" << getFunction() << "' must have a first argument of type " << Type(self);
  return success();
}

LogicalResult NnModuleOp::verify() {
  for (Operation &op : getRegion().front())
    if (!isa<SlotOp, NnModuleTerminatorOp>(op))
      return op.emitOpError() << "is not allowed inside `torch.nn_module`";
  return success();
}

LogicalResult NnModuleOp::verifySymbolUses(SymbolTableCollection &symbols) {
  StringRef name = cast<NnModuleType>(getType()).getName();
  auto type = symbols.lookupNearestSymbolFrom<ClassTypeOp>(*this, StringAttr::get(getContext(), name));
  if (!type)
    return emitError() << "'" << name << "' does not reference a valid class type";
  auto attrs = type.getBody().getOps<AttrOp>();
  auto slots = getRegion().getOps<SlotOp>();
  if (std::distance(attrs.begin(), attrs.end()) != std::distance(slots.begin(), slots.end()))
    return emitError() << "number of 'torch.slot's in a 'torch.nn_module' must match number of 'torch.attr's in the corresponding "
                          "'torch.class_type'";
  for (auto [attr, slot] : llvm::zip(attrs, slots))
    if (attr.getName() != slot.getName() || !isSubtype(slot.getValue().getType(), attr.getType()))
      return (slot.emitOpError() << "is expected to match type and name of '" << attr.getOperation() << "'").attachNote(attr.getLoc())
             << "see torch.attr at corresponding index";
  return success();
}

//===-- Global slots --------------------------------------------------------------------------------------------------------------===//

static ParseResult parseSlotInitializers(OpAsmParser &parser, ArrayAttr &names,
                                         SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values, SmallVectorImpl<Type> &types) {
  SmallVector<Attribute> symbols;
  StringAttr symbol;
  while (succeeded(parser.parseOptionalSymbolName(symbol))) {
    symbols.push_back(FlatSymbolRefAttr::get(symbol));
    if (parser.parseLParen() || parser.parseOperand(values.emplace_back()) || parser.parseColonType(types.emplace_back()) ||
        parser.parseRParen())
      return failure();
  }
  names = parser.getBuilder().getArrayAttr(symbols);
  return success();
}
static void printSlotInitializers(OpAsmPrinter &p, Operation *, ArrayAttr names, OperandRange values, TypeRange types) {
  p.increaseIndent();
  for (auto [name, value, type] : llvm::zip(names, values, types)) {
    p.printNewline();
    p << name << "(" << value << " : " << type << ")";
  }
  p.decreaseIndent();
  p.printNewline();
}

LogicalResult GlobalSlotModuleInitializerOp::verify() {
  if (getInitializer().front().empty() || !isa<InitializeGlobalSlotsOp>(getInitializer().front().back()))
    return emitOpError() << "must end with 'torch.initialize.global_slots'";
  if (Block *block = (*this)->getBlock())
    for (auto other : block->getOps<GlobalSlotModuleInitializerOp>())
      if (other != *this)
        return other.emitError() << "there must be only one global slot initializer";
  return success();
}

LogicalResult InitializeGlobalSlotsOp::verify() {
  if (getSlotSymNames().size() != getInitialValues().size())
    return emitOpError() << "expected number of operands to match number of slots";
  return success();
}

LogicalResult InitializeGlobalSlotsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *table = SymbolTable::getNearestSymbolTable(*this);
  if (!table)
    return success();
  auto slots = table->getRegion(0).getOps<GlobalSlotOp>();
  llvm::DenseSet<Attribute> seen;
  for (auto [name, value] : llvm::zip(getSlotSymNames(), getInitialValues())) {
    auto symbol = cast<FlatSymbolRefAttr>(name);
    auto slot = symbols.lookupNearestSymbolFrom<GlobalSlotOp>(*this, symbol);
    if (!slot)
      return emitOpError() << "must have one initializer for each global slot in the module, and " << symbol << " is none of them";
    if (!seen.insert(symbol).second)
      return emitError() << "duplicate initialization of global slot: " << symbol;
    if (!isSubtype(value.getType(), slot.getTypeBound()))
      return emitOpError() << "initial value for global slot " << symbol << " has type " << value.getType()
                           << " which is not within the bound " << slot.getTypeBound();
  }
  if (seen.size() != static_cast<size_t>(std::distance(slots.begin(), slots.end())))
    return emitOpError() << "must have one initializer for each global slot in the module";
  return success();
}

//===-- Control flow --------------------------------------------------------------------------------------------------------------===//

ParseResult PrimIfOp::parse(OpAsmParser &parser, OperationState &result) {
  Region *thenRegion = result.addRegion(), *elseRegion = result.addRegion();
  OpAsmParser::UnresolvedOperand condition;
  Type type = BoolType::get(parser.getContext());
  return failure(parser.parseOperand(condition) || parser.resolveOperand(condition, type, result.operands) || parser.parseArrow() ||
                 parser.parseLParen() || (failed(parser.parseOptionalRParen()) &&
                                          (parser.parseTypeList(result.types) || parser.parseRParen())) ||
                 parser.parseRegion(*thenRegion) || parser.parseKeyword("else") || parser.parseRegion(*elseRegion) ||
                 parser.parseOptionalAttrDict(result.attributes));
}
void PrimIfOp::print(OpAsmPrinter &p) {
  p << " " << getCondition() << " -> (" << getResultTypes() << ") ";
  p.printRegion(getThenRegion(), /*printEntryBlockArgs=*/false);
  p << " else ";
  p.printRegion(getElseRegion(), /*printEntryBlockArgs=*/false);
  p.printOptionalAttrDict((*this)->getDiscardableAttrs().empty() ? ArrayRef<NamedAttribute>() : (*this)->getAttrs());
}
void PrimIfOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (!point.isParent()) {
    successors.push_back(RegionSuccessor(getOperation(), getResults()));
    return;
  }
  successors.push_back(RegionSuccessor(&getThenRegion()));
  successors.push_back(RegionSuccessor(&getElseRegion()));
}

ParseResult PrimLoopOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  mlir::FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  Region *region = result.addRegion();
  if (parser.parseOperand(operands.emplace_back()) || parser.parseComma() || parser.parseOperand(operands.emplace_back()) ||
      parser.parseComma() || parser.parseKeyword("init") ||
      parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) || parser.parseRegion(*region) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, result.operands))
    return failure();
  result.addTypes(type.getResults());
  return success();
}
void PrimLoopOp::print(OpAsmPrinter &p) {
  p << " " << getMaxTripCount() << ", " << getInitialCondition() << ", init(" << getIterArgsInit() << ") ";
  p.printRegion(getRegion());
  p.printOptionalAttrDict((*this)->getAttrs());
  p << " : ";
  p.printFunctionalType(*this);
}
OperandRange PrimLoopOp::getEntrySuccessorOperands(RegionSuccessor) { return getIterArgsInit(); }
void PrimLoopOp::getSuccessorRegions(RegionBranchPoint, SmallVectorImpl<RegionSuccessor> &successors) {
  // From everywhere: into the body, or out.
  successors.push_back(RegionSuccessor(&getRegion(), getRegion().getArguments().drop_front()));
  successors.push_back(RegionSuccessor(getOperation(), getResults()));
}
LogicalResult PrimLoopOp::verifyRegions() {
  if (getRegion().getNumArguments() == 0 || !isa<IntType>(getRegion().getArgument(0).getType()))
    return emitOpError() << "must have a region whose first argument is the number of the trip, a !torch.int";
  return success();
}
MutableOperandRange PrimLoopConditionOp::getMutableSuccessorOperands(RegionSuccessor) { return getIterArgsMutable(); }

//===-- Containers ----------------------------------------------------------------------------------------------------------------===//

LogicalResult PrimListConstructOp::verify() {
  Type element = cast<ListType>(getType()).getContainedType();
  for (Type type : getElements().getTypes())
    if (!isSubtype(type, element))
      return emitError() << "operand types should have the same type as the list contained type";
  return success();
}

static SmallVector<Type> elementTypes(Type tuple) {
  return TypeSwitch<Type, SmallVector<Type>>(tuple)
      .Case<sconce::torch::TupleType>([](auto t) { return llvm::to_vector(t.getContainedTypes()); })
      .Case<NamedTupleType>([](auto t) { return llvm::to_vector(t.getFieldTypes()); })
      .Default([](Type) { return SmallVector<Type>(); });
}

LogicalResult PrimTupleConstructOp::verify() {
  SmallVector<Type> elements = elementTypes(getType());
  if (elements.size() != getElements().size() ||
      !llvm::all_of(llvm::zip(getElements().getTypes(), elements),
                    [](auto pair) { return isSubtype(std::get<0>(pair), std::get<1>(pair)); }))
    return emitOpError() << "failed to verify that contained types correspond to operand types";
  return success();
}

LogicalResult PrimTupleUnpackOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  auto tuple = getTup().getDefiningOp<PrimTupleConstructOp>();
  if (!tuple || !llvm::equal(tuple.getElements().getTypes(), getResultTypes()))
    return failure();
  llvm::append_range(results, tuple.getElements());
  return success();
}

OpFoldResult PrimTupleIndexOp::fold(FoldAdaptor adaptor) {
  auto tuple = getTup().getDefiningOp<PrimTupleConstructOp>();
  auto index = dyn_cast_or_null<IntegerAttr>(adaptor.getI());
  if (!tuple || !index)
    return {};
  int64_t size = tuple.getElements().size(), i = index.getInt() < 0 ? index.getInt() + size : index.getInt();
  // Out of range it raises when it runs.
  if (i < 0 || i >= size || tuple.getElements()[i].getType() != getType())
    return {};
  return tuple.getElements()[i];
}

ParseResult PrimDictConstructOp::parse(OpAsmParser &parser, OperationState &result) {
  for (StringRef part : {"keys", "values"}) {
    SmallVector<OpAsmParser::UnresolvedOperand> operands;
    SmallVector<Type> types;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(part) || parser.parseLParen())
      return failure();
    if (failed(parser.parseOptionalRParen()) &&
        (parser.parseOperandList(operands) || parser.parseColonTypeList(types) || parser.parseRParen()))
      return failure();
    if (parser.resolveOperands(operands, types, loc, result.operands))
      return failure();
  }
  return failure(parser.parseOptionalAttrDict(result.attributes) || parser.parseArrowTypeList(result.types));
}
void PrimDictConstructOp::print(OpAsmPrinter &p) {
  unsigned half = getElements().size() / 2;
  auto part = [&](StringRef name, OperandRange values) {
    p << " " << name << "(";
    if (!values.empty())
      p << values << " : " << values.getTypes();
    p << ")";
  };
  part("keys", getElements().take_front(half));
  part("values", getElements().drop_front(half));
  p.printOptionalAttrDict((*this)->getAttrs());
  p << " -> " << getType();
}
LogicalResult PrimDictConstructOp::verify() {
  auto dict = cast<DictType>(getType());
  unsigned half = getElements().size() / 2;
  // torch-mlir accepts an odd number of operands; so is it here, and the generic form keeps it.
  for (Type type : getElements().take_front(half).getTypes())
    if (!isSubtype(type, dict.getKeyType()))
      return emitError() << "keys should be of Dict key type";
  for (Type type : getElements().slice(half, half).getTypes())
    if (!isSubtype(type, dict.getValueType()))
      return emitError() << "values  should be of Dict value type";
  return success();
}

//===-- Casts and shapes -------------------------------------------------------------------------------------------------------------===//

/// A cast to the type that the value has already.
template <typename Op> static OpFoldResult foldToOperand(Op op) {
  return op->getOperand(0).getType() == op.getType() ? op->getOperand(0) : OpFoldResult();
}
OpFoldResult DerefineOp::fold(FoldAdaptor) { return foldToOperand(*this); }
OpFoldResult TensorStaticInfoCastOp::fold(FoldAdaptor) { return foldToOperand(*this); }
OpFoldResult PrimUncheckedCastOp::fold(FoldAdaptor) { return foldToOperand(*this); }

bool DerefineOp::areCastCompatible(TypeRange from, TypeRange to) {
  if (from.size() != 1 || to.size() != 1)
    return false;
  // Which interfaces a class implements stands in the classes, not in the types.
  return isSubtype(from[0], to[0]) || (isa<NnModuleType>(from[0]) && isa<NnModuleType>(to[0]));
}

bool TensorStaticInfoCastOp::areCastCompatible(TypeRange from, TypeRange to) {
  if (from.size() != 1 || to.size() != 1)
    return false;
  auto facts = [](Type type, std::optional<ArrayRef<int64_t>> &sizes, Type &dtype) {
    return TypeSwitch<Type, bool>(type)
        .Case<ValueTensorType, NonValueTensorType>([&](auto t) {
          sizes = t.getOptionalSizes();
          dtype = t.getDtype();
          return true;
        })
        .Default([](Type) { return false; });
  };
  std::optional<ArrayRef<int64_t>> fromSizes, toSizes;
  Type fromDtype, toDtype;
  if (!facts(from[0], fromSizes, fromDtype) || !facts(to[0], toSizes, toDtype))
    return false;
  if (fromSizes && toSizes && !llvm::equal(*fromSizes, *toSizes, [](int64_t a, int64_t b) {
        return a == b || a == kUnknownSize || b == kUnknownSize;
      }))
    return false;
  return !fromDtype || !toDtype || fromDtype == toDtype;
}

static ParseResult parseAffineMap(OpAsmParser &parser, AffineMapAttr &map) { return parser.parseAttribute(map); }
/// In full rather than by its alias, as torch-mlir prints it.
static void printAffineMap(OpAsmPrinter &p, Operation *, AffineMapAttr map) { p << "affine_map<" << map.getValue() << ">"; }

LogicalResult BindSymbolicShapeOp::verify() {
  if (getShapeSymbols().size() != getShapeExpressions().getNumSymbols())
    return emitOpError() << "requires equal number of shape symbol args and symbol args to the attached affine map, since they are 1:1 "
                            "mapped";
  for (Value symbol : getShapeSymbols())
    if (!symbol.getDefiningOp<SymbolicIntOp>())
      return emitOpError() << "shape symbol must be produced by a SymbolicIntOp";
  return success();
}

//===-- torch.operator ---------------------------------------------------------------------------------------------------------------===//

ParseResult OperatorOp::parse(OpAsmParser &parser, OperationState &result) {
  std::string name;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  mlir::FunctionType type;
  NamedAttrList attributes;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseString(&name) || parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDict(attributes) || parser.parseColonType(type))
    return failure();
  if (attributes.get("name"))
    return parser.emitError(loc, "attribute 'name' is given twice: the operator's name is one");
  SmallVector<std::unique_ptr<Region>> regions;
  auto region = std::make_unique<Region>();
  OptionalParseResult first = parser.parseOptionalRegion(*region);
  if (first.has_value()) {
    if (failed(*first))
      return failure();
    regions.push_back(std::move(region));
    while (succeeded(parser.parseOptionalComma())) {
      regions.push_back(std::make_unique<Region>());
      if (parser.parseRegion(*regions.back()))
        return failure();
    }
  }
  if (parser.resolveOperands(operands, type.getInputs(), loc, result.operands))
    return failure();
  result.addTypes(type.getResults());
  result.attributes = attributes;
  // The text of an operator that torch-mlir lacks: in memory it is like every other.
  std::string registered = "torch." + name;
  const OpEntry *entry = regions.empty() ? findEntry(registered) : nullptr;
  if (entry && entry->has(SCONCE_OP_AS_OPERATOR) && fits(entry->operands, type.getInputs()) && fits(entry->results, type.getResults())) {
    result.name = OperationName(registered, parser.getContext());
    return success();
  }
  result.addAttribute("name", parser.getBuilder().getStringAttr(name));
  result.addRegions(regions);
  return success();
}
void OperatorOp::print(OpAsmPrinter &p) {
  p << " ";
  p.printString(getName());
  p << "(" << getOperands() << ")";
  p.printOptionalAttrDict((*this)->getAttrs(), {"name"});
  p << " : ";
  p.printFunctionalType(*this);
  p << " ";
  llvm::interleaveComma(getRegions(), p, [&](Region &region) { p.printRegion(region); });
}
