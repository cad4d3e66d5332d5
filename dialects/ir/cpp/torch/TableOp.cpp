// One class for all operators of the op table (DESIGN.md, section 4): text, verification, effects and folding from an OpEntry.
//
// Not DynamicOpDefinition: that can carry neither traits nor a property comparison, so CSE would not see equal operations.
#include "TableOp.h"
#include "Torch.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <atomic>
#include <mutex>

using namespace mlir;
using namespace sconce::torch;

//===-- Type codes ------------------------------------------------------------------------------------------------------------------===//

/// Takes one whole code off the front of `codes`; empty when there is none or it is malformed.
static StringRef takeCode(StringRef &codes, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 32;
  StringRef start = codes;
  if (codes.empty() || depth > kMaxDepth)
    return {};
  char c = codes.front();
  codes = codes.drop_front();
  auto sub = [&] { return !takeCode(codes, depth + 1).empty(); };
  bool ok = true;
  switch (c) {
  case 'T': case 'V': case 'N': case 'i': case 'f': case 'b': case 's': case 'n': case 'd': case 'g': case 'c': case 'P': case 'z':
  case '.':
    break;
  case 'l': case '?':
    ok = sub();
    break;
  case '{':
    ok = sub() && sub() && codes.consume_front("}");
    break;
  case '(':
    while (ok && !codes.consume_front(")"))
      ok = sub();
    break;
  case '<': {
    size_t end = codes.find('>');
    ok = end != StringRef::npos && end > 0;
    codes = ok ? codes.drop_front(end + 1) : codes;
    break;
  }
  default:
    ok = false;
  }
  return ok ? start.drop_back(codes.size()) : StringRef();
}

/// A code as a row gives it: one code, or `*` and one code.
static bool isValidCode(StringRef code, bool last) {
  if (code.consume_front("*") && !last)
    return false;
  return !takeCode(code).empty() && code.empty();
}

static bool fitsCode(StringRef code, Type type) {
  StringRef inner = code.drop_front();
  switch (code.front()) {
  case 'T': return isTensor(type);
  case 'V': return isa<ValueTensorType>(type);
  case 'N': return isa<NonValueTensorType>(type);
  case 'i': return isa<IntType>(type);
  case 'f': return isa<sconce::torch::FloatType>(type);
  case 'b': return isa<BoolType>(type);
  case 's': return isa<StringType>(type);
  case 'n': return isSubtype(type, NumberType::get(type.getContext()));
  case 'd': return isa<DeviceType>(type);
  case 'g': return isa<GeneratorType>(type);
  case 'c': return isa<sconce::torch::ComplexType>(type);
  case 'P': return isa<LinearParamsType>(type);
  case 'z': return isa<sconce::torch::NoneType>(type);
  case '.': return isKernelType(type);
  // torch-mlir looks no deeper than optional, and programs it accepts must be ours too.
  case '?': return isa<sconce::torch::NoneType, OptionalType>(type) || fitsCode(inner, type);
  case 'l': {
    auto list = dyn_cast<ListType>(type);
    return list && fitsCode(inner, list.getContainedType());
  }
  case '{': {
    auto dict = dyn_cast<DictType>(type);
    if (!dict)
      return false;
    StringRef key = takeCode(inner), value = takeCode(inner);
    return fitsCode(key, dict.getKeyType()) && fitsCode(value, dict.getValueType());
  }
  case '(': {
    ArrayRef<Type> elements;
    if (auto tuple = dyn_cast<sconce::torch::TupleType>(type))
      elements = tuple.getContainedTypes();
    else if (auto named = dyn_cast<NamedTupleType>(type))
      elements = named.getFieldTypes();
    else
      return false;
    for (Type element : elements) {
      StringRef code = takeCode(inner);
      if (code.empty() || !fitsCode(code, element))
        return false;
    }
    return inner == ")";
  }
  case '<': {
    StringRef name = type.getAbstractType().getName();
    return name.consume_front("torch.") && name == inner.drop_back();
  }
  default: return false;
  }
}

/// What torch-mlir's verifier calls the kinds, so that a message reads the same from both tools.
static std::string describe(StringRef code) {
  auto word = [](StringRef c) -> StringRef {
    return llvm::StringSwitch<StringRef>(c)
        .Case("T", "tensor").Case("V", "value tensor").Case("N", "non value tensor").Case("i", "int").Case("f", "float")
        .Case("b", "bool").Case("s", "Str").Case("n", "scalar").Case("d", "device").Case("g", "Generator").Case("c", "complex")
        .Default("");
  };
  StringRef inner = code.drop_front();
  switch (code.front()) {
  case 'T': return "Any Torch tensor type";
  case 'V': case 'N': return "Multi-dimensional array modeling Torch's Tensor type";
  case 'i': return "Torch IntType";
  case 'f': return "Torch FloatType";
  case 'b': return "Torch BoolType";
  case 's': return "Torch StringType";
  case 'n': return "Any Python numeric type compatible with being the scalar type of a tensor";
  case 'd': return "Torch device";
  case 'g': return "Torch Generator for producing pseudo-random numbers";
  case 'c': return "Torch ComplexType";
  case 'P': return "Torch packed linear params type";
  case 'z': return "Torch NoneType";
  case '?':
    if (inner.front() == 'l' && !word(inner.drop_front()).empty())
      return ("Optional torch " + word(inner.drop_front()) + " list type (" + word(inner.drop_front()) + "[]?)").str();
    return word(inner).empty() ? "optional of " + describe(inner) : ("Optional torch " + word(inner) + " type").str();
  case 'l':
    if (inner == ".")
      return "Any Torch list Type of any non-token type values";
    if (inner == "i" || inner == "b" || inner == "s" || inner == "f") {
      StringRef w = inner == "s" ? "str" : word(inner);
      return w.substr(0, 1).upper() + w.drop_front().str() + " list type (" + w.str() + "[]) of " + describe(inner) + " values";
    }
    if (inner.front() == '?')
      return "Any optional tensor list type (Tensor?[]) of " + describe(inner) + " values";
    return "Any int list type (Tensor[]) of " + describe(inner) + " values";
  case '{': return "!torch.dict[KT, VT] ";
  case '(': return "Torch TupleType";
  case '<': return ("!torch." + inner.drop_back()).str();
  default: return "Any type that is legal to pass to a Torch kernel";
  }
}

static bool isVariadic(ArrayRef<std::string> codes) { return !codes.empty() && StringRef(codes.back()).starts_with("*"); }

static StringRef codeAt(ArrayRef<std::string> codes, size_t i) {
  StringRef code = codes[std::min(i, codes.size() - 1)];
  code.consume_front("*");
  return code;
}

static bool countFits(ArrayRef<std::string> codes, size_t count) {
  return isVariadic(codes) ? count >= codes.size() - 1 : count == codes.size();
}

bool sconce::torch::fits(ArrayRef<std::string> codes, TypeRange types) {
  if (!countFits(codes, types.size()))
    return false;
  for (size_t i = 0; i < types.size(); ++i)
    if (!fitsCode(codeAt(codes, i), types[i]))
      return false;
  return true;
}

//===-- The table -------------------------------------------------------------------------------------------------------------------===//

namespace {
/// Every operator handed over so far. Entries live for ever: their addresses are type ids of every context.
struct Table {
  std::mutex mutex;
  std::vector<std::unique_ptr<OpEntry>> entries;
  llvm::StringMap<const OpEntry *> byName;
  std::atomic<SconceFoldFn> fold{nullptr};
};
Table &table() {
  static Table *t = new Table; // Never destroyed: contexts of static lifetime may outlive main.
  return *t;
}

/// Marks operations whose TypeID is the address of an OpEntry.
template <typename T> struct IsTableOp : OpTrait::TraitBase<T, IsTableOp> {};
} // namespace

const OpEntry *sconce::torch::getEntry(Operation *op) {
  if (!op->isRegistered() || !op->getName().hasTrait<IsTableOp>())
    return nullptr;
  return static_cast<const OpEntry *>(op->getName().getTypeID().getAsOpaquePointer());
}

const OpEntry *sconce::torch::findEntry(StringRef name) {
  std::lock_guard<std::mutex> lock(table().mutex);
  return table().byName.lookup(name);
}

void sconce::torch::forEachEntry(llvm::function_ref<void(const OpEntry &)> f) {
  std::lock_guard<std::mutex> lock(table().mutex);
  for (auto &entry : table().entries)
    f(*entry);
}

/// Copies a row into the table. The entry of that name when there is one already; null when the row is malformed.
static const OpEntry *addRow(const SconceOpRow &row) {
  StringRef name = unwrap(row.name);
  if (!name.starts_with("torch.") || name.size() == 6 || name.find_first_of(StringRef("\0\" \n", 4)) != StringRef::npos)
    return nullptr;
  if (row.numResultNames && row.numResultNames != row.numResults)
    return nullptr;
  for (size_t i = 0; i < row.numOperands; ++i)
    if (!isValidCode(unwrap(row.operands[i]), i + 1 == row.numOperands))
      return nullptr;
  for (size_t i = 0; i < row.numResults; ++i)
    if (!isValidCode(unwrap(row.results[i]), i + 1 == row.numResults))
      return nullptr;

  std::lock_guard<std::mutex> lock(table().mutex);
  auto [it, added] = table().byName.try_emplace(name, nullptr);
  if (!added)
    return it->second;
  auto entry = std::make_unique<OpEntry>();
  entry->name = name.str();
  for (size_t i = 0; i < row.numOperands; ++i)
    entry->operands.push_back(unwrap(row.operands[i]).str());
  for (size_t i = 0; i < row.numResults; ++i)
    entry->results.push_back(unwrap(row.results[i]).str());
  for (size_t i = 0; i < row.numResultNames; ++i)
    entry->resultNames.push_back(unwrap(row.resultNames[i]).str());
  entry->flags = row.flags;
  entry->id = row.id;
  it->second = entry.get();
  table().entries.push_back(std::move(entry));
  return it->second;
}

//===-- Interfaces ------------------------------------------------------------------------------------------------------------------===//

namespace {
const OpEntry &entryOf(Operation *op) {
  return *static_cast<const OpEntry *>(op->getName().getTypeID().getAsOpaquePointer());
}

struct EffectModel : MemoryEffectOpInterface::FallbackModel<EffectModel> {
  using Interface = MemoryEffectOpInterface;
  /// A pure operator's effects depend on its types: on value types there are none; a mutable operand is read, and a mutable result that
  /// is no view is new memory, which must not be merged with that of an equal operation.
  void getEffects(Operation *op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    const OpEntry &e = entryOf(op);
    bool reads = e.has(SCONCE_OP_READS);
    if (e.has(SCONCE_OP_PURE)) {
      reads |= llvm::any_of(op->getOperandTypes(), isMutable);
      if (!e.has(SCONCE_OP_VIEW))
        for (OpResult result : op->getOpResults())
          if (isMutable(result.getType()))
            effects.emplace_back(MemoryEffects::Allocate::get(), result);
    }
    if (reads)
      effects.emplace_back(MemoryEffects::Read::get());
    if (e.has(SCONCE_OP_WRITES))
      effects.emplace_back(MemoryEffects::Write::get());
  }
};

struct SpeculatableModel : ConditionallySpeculatable::FallbackModel<SpeculatableModel> {
  using Interface = ConditionallySpeculatable;
  Speculation::Speculatability getSpeculatability(Operation *) const { return Speculation::Speculatable; }
};

struct ResultNames : OpAsmOpInterface::FallbackModel<ResultNames> {
  using Interface = OpAsmOpInterface;
  void getAsmResultNames(Operation *op, OpAsmSetValueNameFn set) const {
    const OpEntry &e = entryOf(op);
    if (op->getNumResults() != e.results.size())
      return; // Not verified yet.
    for (OpResult result : op->getOpResults()) {
      unsigned i = result.getResultNumber();
      if (i < e.resultNames.size() && !e.resultNames[i].empty())
        set(result, e.resultNames[i]);
      else
        set(result, "result" + std::to_string(i));
    }
  }
  void getAsmBlockArgumentNames(Operation *, Region &, OpAsmSetValueNameFn) const {}
  void getAsmBlockNames(Operation *, OpAsmSetBlockNameFn) const {}
  static StringRef getDefaultDialect() { return ""; }
};

//===-- The model ---------------------------------------------------------------------------------------------------------------------===//

class TableOpModel final : public OperationName::Impl {
  const OpEntry &e;

  static mlir::detail::InterfaceMap interfaces(const OpEntry &e) {
    mlir::detail::InterfaceMap map;
    if (e.flags & (SCONCE_OP_PURE | SCONCE_OP_READS | SCONCE_OP_WRITES))
      map.insertModels<EffectModel>(); // Without a model the effects are unknown, which is the right reading of no flag.
    if (e.has(SCONCE_OP_SPECULATABLE))
      map.insertModels<SpeculatableModel>();
    // torch-mlir gives names to the results of operators it knows only.
    if (e.results.size() > 1 && !isVariadic(e.results) && !e.has(SCONCE_OP_AS_OPERATOR))
      map.insertModels<ResultNames>();
    return map;
  }

public:
  TableOpModel(const OpEntry &e, Dialect *dialect)
      : Impl(StringRef(e.name), dialect, TypeID::getFromOpaquePointer(&e), interfaces(e)), e(e) {}

  LogicalResult foldHook(Operation *op, ArrayRef<Attribute> operands, SmallVectorImpl<OpFoldResult> &results) override {
    SconceFoldFn fold = e.has(SCONCE_OP_FOLDS) ? table().fold.load() : nullptr;
    if (!fold)
      return failure();
    SmallVector<MlirAttribute> in(llvm::map_range(operands, [](Attribute a) { return wrap(a); }));
    SmallVector<MlirAttribute> attributes(op->getNumResults(), MlirAttribute{nullptr});
    SmallVector<MlirValue> values(op->getNumResults(), MlirValue{nullptr});
    int kind = fold(e.id, wrap(op), in.size(), in.data(), attributes.data(), values.data());
    for (unsigned i = 0; kind && i < op->getNumResults(); ++i) {
      if (kind == 1 && attributes[i].ptr)
        results.push_back(unwrap(attributes[i]));
      else if (kind == 2 && values[i].ptr)
        results.push_back(unwrap(values[i]));
    }
    if (results.size() == op->getNumResults() && kind)
      return success();
    results.clear();
    return failure();
  }

  void getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) override {}

  bool hasTrait(TypeID id) override {
    if (id == TypeID::get<IsTableOp>() || id == TypeID::get<OpTrait::ZeroRegions>() || id == TypeID::get<OpTrait::ZeroSuccessors>())
      return true;
    return e.has(SCONCE_OP_COMMUTATIVE) && id == TypeID::get<OpTrait::IsCommutative>();
  }

  OperationName::ParseAssemblyFn getParseAssemblyFn() override {
    return [this](OpAsmParser &parser, OperationState &state) { return parse(parser, state); };
  }

  ParseResult parse(OpAsmParser &parser, OperationState &state) {
    SmallVector<OpAsmParser::UnresolvedOperand> operands;
    SmallVector<Type> types;
    SMLoc loc = parser.getCurrentLocation();
    auto delimiter = e.has(SCONCE_OP_PARENTHESES) ? OpAsmParser::Delimiter::Paren : OpAsmParser::Delimiter::None;
    if (parser.parseOperandList(operands, delimiter) || parser.parseOptionalAttrDict(state.attributes))
      return failure();
    if (!operands.empty() && parser.parseColonTypeList(types))
      return failure();
    if (parser.resolveOperands(operands, types, loc, state.operands))
      return failure();
    // Several results go without parentheses.
    return succeeded(parser.parseOptionalArrow()) ? parser.parseTypeList(state.types) : ParseResult(success());
  }

  void printAssembly(Operation *op, OpAsmPrinter &p, StringRef) override {
    // `name() : -> t` would not read back, neither here nor in torch-mlir. As `torch.operator` it does.
    if (e.has(SCONCE_OP_PARENTHESES) && !e.has(SCONCE_OP_AS_OPERATOR) && op->getNumOperands() == 0)
      return p.printGenericOp(op);
    if (e.has(SCONCE_OP_AS_OPERATOR)) {
      p << "torch.operator ";
      p.printString(StringRef(e.name).drop_front(strlen("torch.")));
      p << "(" << op->getOperands() << ")";
      p.printOptionalAttrDict(op->getAttrs());
      p << " : ";
      p.printFunctionalType(op);
      p << " "; // As torch-mlir ends the line.
      return;
    }
    p << e.name;
    if (e.has(SCONCE_OP_PARENTHESES))
      p << "(" << op->getOperands() << ")";
    else if (op->getNumOperands())
      p << " " << op->getOperands();
    p.printOptionalAttrDict(op->getAttrs());
    if (op->getNumOperands())
      p << " : " << op->getOperandTypes();
    if (op->getNumResults())
      p << " -> " << op->getResultTypes();
  }

  LogicalResult verifyInvariants(Operation *op) override {
    if (failed(OpTrait::impl::verifyZeroRegions(op)) || failed(OpTrait::impl::verifyZeroSuccessors(op)))
      return failure();
    if (failed(verifyCounts(op)))
      return failure();
    return success(succeeded(verifyKinds(op, "operand", e.operands, op->getOperandTypes())) &&
                   succeeded(verifyKinds(op, "result", e.results, op->getResultTypes())));
  }

  LogicalResult verifyCounts(Operation *op) {
    size_t operands = e.operands.size(), results = e.results.size();
    LogicalResult ok = isVariadic(e.operands) ? OpTrait::impl::verifyAtLeastNOperands(op, operands - 1)
                       : operands == 0        ? OpTrait::impl::verifyZeroOperands(op)
                       : operands == 1        ? OpTrait::impl::verifyOneOperand(op)
                                              : OpTrait::impl::verifyNOperands(op, operands);
    if (failed(ok))
      return failure();
    return isVariadic(e.results) ? OpTrait::impl::verifyAtLeastNResults(op, results - 1)
           : results == 0        ? OpTrait::impl::verifyZeroResults(op)
           : results == 1        ? OpTrait::impl::verifyOneResult(op)
                                 : OpTrait::impl::verifyNResults(op, results);
  }

  static LogicalResult verifyKinds(Operation *op, StringRef what, ArrayRef<std::string> codes, TypeRange types) {
    for (auto [i, type] : llvm::enumerate(types)) {
      StringRef code = codeAt(codes, i);
      if (fitsCode(code, type))
        continue;
      bool variadic = isVariadic(codes) && i + 1 >= codes.size();
      return op->emitOpError() << what << " #" << i << " must be " << (variadic ? "variadic of " : "") << describe(code)
                               << ", but got " << type;
    }
    return success();
  }

  LogicalResult verifyRegionInvariants(Operation *) override { return success(); }

  // No properties: every attribute is a discardable one.
  void populateDefaultAttrs(const OperationName &, NamedAttrList &) override {}
  std::optional<Attribute> getInherentAttr(Operation *op, StringRef name) override { return op->getDiscardableAttr(name); }
  void setInherentAttr(Operation *op, StringAttr name, Attribute value) override { op->setDiscardableAttr(name, value); }
  void populateInherentAttrs(Operation *, NamedAttrList &) override {}
  LogicalResult verifyInherentAttrs(OperationName, NamedAttrList &, function_ref<InFlightDiagnostic()>) override { return success(); }
  int getOpPropertyByteSize() override { return 0; }
  void initProperties(OperationName, OpaqueProperties, OpaqueProperties) override {}
  void deleteProperties(OpaqueProperties) override {}
  void populateDefaultProperties(OperationName, OpaqueProperties) override {}
  LogicalResult setPropertiesFromAttr(OperationName, OpaqueProperties, Attribute,
                                      function_ref<InFlightDiagnostic()> emitError) override {
    emitError() << "this operation does not support properties";
    return failure();
  }
  Attribute getPropertiesAsAttr(Operation *) override { return {}; }
  void copyProperties(OpaqueProperties, OpaqueProperties) override {}
  bool compareProperties(OpaqueProperties, OpaqueProperties) override { return true; }
  llvm::hash_code hashProperties(OpaqueProperties) override { return {}; }
};
} // namespace

void TorchDialect::addTableOp(const OpEntry &entry) {
  if (!RegisteredOperationName::lookup(entry.name, getContext()))
    RegisteredOperationName::insert(std::make_unique<TableOpModel>(entry, this), /*attrNames=*/{});
}

//===-- C ABI -----------------------------------------------------------------------------------------------------------------------===//

size_t sconceRegisterOps(const SconceOpRow *rows, size_t count) {
  size_t refused = 0;
  for (size_t i = 0; i < count; ++i)
    refused += addRow(rows[i]) == nullptr;
  return refused;
}

bool sconceRegisterOpIn(MlirContext context, const SconceOpRow *row) {
  const OpEntry *entry = addRow(*row);
  if (!entry)
    return false;
  if (auto *dialect = unwrap(context)->getLoadedDialect<TorchDialect>())
    dialect->addTableOp(*entry);
  return true;
}

void sconceSetFold(SconceFoldFn fold) { table().fold = fold; }

bool sconceOpInfo(MlirOperation op, uint32_t *id, uint32_t *flags) {
  const OpEntry *entry = getEntry(unwrap(op));
  if (!entry)
    return false;
  *id = entry->id;
  *flags = entry->flags;
  return true;
}
